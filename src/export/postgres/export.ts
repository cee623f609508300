import { LockedError } from '../../errors.ts';
import { refuseShrunken } from '../former-export.ts';
import { tableMark } from '../table.ts';
import { historyName, stateOfMark, type WarehouseOptions, type WarehouseTable } from '../warehouse.ts';
import { displayAddress } from './address.ts';
import { type ForeignKey, readCatalogue, refuseForeign } from './catalogue.ts';
import { asTargetError, type ConnectionOptions, connect, inTransaction } from './connection.ts';
import { BrokenKeysError, ensureForeignKeys, keyRemovals } from './foreign-keys.ts';
import { grantReading } from './grants.ts';
import { comparePair, type PairChanges } from './pair-shape.ts';
import { ensureQuestionViews } from './question-views.ts';
import { createRegistry, readRegistry, saveRegistry, storableColumns } from './registry.ts';
import { defaultLockWaitMs, reshape, retryUntilGranted } from './reshape.ts';
import {
  createSchema,
  ensureIndexes,
  isStamped,
  lockTables,
  readStamps,
  registryName,
  stampText,
  storageName,
  type TablePair,
  type TargetSchema,
  takeExportLock,
} from './structure.ts';
import { type CopiedTable, writeFormerKeys, writePair } from './write-rows.ts';

/** Options of an export to PostgreSQL. */
export type PostgresOptions = WarehouseOptions &
  ConnectionOptions & {
    schema: string;
    /** Roles that may read the tables. */
    grant?: string[];
    /** True to add French full-text indexes on the texts that searches read. */
    hasTextIndexes?: boolean;
    /** The moment of the run, ISO 8601. */
    now: string;
    /** Limit on waiting for table locks; 20 s by default. */
    lockWaitMs?: number;
  };

type RunOptions = PostgresOptions & TargetSchema;

/** What one transaction of a run leaves to the next one. */
type PendingState = {
  /** Foreign keys that would break: the next transaction drops them. */
  brokenKeys: ForeignKey[];
  /** View statements that an earlier transaction of this run executed, by history name. */
  createdViews: ReadonlyMap<string, string>;
};

/** A run needs three transactions if a foreign key breaks; more only if other sessions keep changing tables. */
const maxTransactions = 10;

/** Adapts table shapes, then copies rows in one transaction; returns counts. Throws a LockedError or BadTargetError. */
export async function exportPostgres(tables: WarehouseTable[], address: string, options: PostgresOptions) {
  const { lockWaitMs = defaultLockWaitMs, schema, watch } = options;
  const displayName = displayAddress(address);
  const client = await connect(address, options);
  await using _ = { [Symbol.asyncDispose]: () => client.end().catch(() => {}) };
  const run: RunOptions = { ...options, client, displayName };
  // PostgreSQL treats 0 as no limit. A day in a column of moments is midnight UTC.
  const begin = `BEGIN; SET LOCAL lock_timeout = ${Math.max(1, lockWaitMs)}; SET LOCAL timezone = 'UTC'`;
  const waitOptions = { ...run, lockWaitMs, relations: tables.map(storageName), onRetry: () => watch(tables[0]!, 0) };
  let pending: PendingState = { brokenKeys: [], createdViews: new Map() };
  const attempt = () => inTransaction(client, () => reshapeOrCopy(tables, run, pending), begin);
  try {
    for (let transactions = 0; transactions < maxTransactions; transactions += 1) {
      const result = await retryUntilGranted(waitOptions, attempt).catch((error): PendingState => {
        if (error instanceof BrokenKeysError) return { ...pending, brokenKeys: error.keys };
        throw error;
      });
      if (Array.isArray(result)) return result; // counts of the copied tables: the run is complete
      pending = result;
    }
    throw new LockedError(`${displayName} ${schema}`);
  } catch (error) {
    throw asTargetError(displayName, error);
  }
}

/** Adapts shapes and returns the state for the next transaction; if none differs, copies and returns the counts. */
async function reshapeOrCopy(tables: WarehouseTable[], options: RunOptions, pending: PendingState) {
  const { isMissing } = await takeExportLock(options);
  const comparison = await compareTables(tables, options, pending);
  const { reshapings, pairChanges } = comparison;
  if (reshapings.length === 0) {
    if (isMissing) await createSchema(options, tables);
    return copyTables(tables, options, comparison);
  }
  await reshape(options, reshapings);
  const newViews = Array.from(pairChanges, ([history, { viewStatement }]) => [history.name, viewStatement] as const);
  return { brokenKeys: [], createdViews: new Map([...pending.createdViews, ...newViews]) };
}

/** Writes what changed, with indexes, views, grants and the registry; tables already have their shapes. */
async function copyTables(tables: WarehouseTable[], options: RunOptions, comparison: Comparison) {
  const { relations, registry, stamps, changedTables, pairChanges } = comparison;
  if (!relations.has(registryName)) await createRegistry(options);
  const storedTables = changedTables.filter(({ name }) => stamps.has(name));
  await lockTables(options, storedTables);
  const copiedTables: CopiedTable[] = [];
  for (const pair of pairsOf(tables)) copiedTables.push(...(await copyPair(pair, { ...options, ...comparison })));
  if (changedTables.length > 0) await ensureForeignKeys(options, tables);
  // No index can be created while foreign key checks are pending.
  for (const table of tables) await ensureIndexes({ ...options, relations }, table, options.hasTextIndexes);
  const viewNames = await ensureQuestionViews({ ...options, relations }, tables);
  await grantReading(options, options.grant ?? [], [registryName, ...tables.map(({ name }) => name), ...viewNames]);
  const newStamps = await readStamps(options, changedTables);
  const stampTexts = tables.map((table) => {
    const stamp = newStamps.get(table.name);
    const text = stamp ? stampText(stamp, pairChanges.get(table)?.viewStatement) : registry.get(table.name)!.stamp;
    return [table.name, text] as const;
  });
  await saveRegistry(tables, { ...options, registry, copiedTables, stamps: new Map(stampTexts) });
  return copiedTables;
}

type Comparison = Awaited<ReturnType<typeof compareTables>>;

/** Compares tables with the database: which contents changed, and which shapes and foreign keys must. Only reads. */
async function compareTables(tables: WarehouseTable[], options: RunOptions, pending: PendingState) {
  const catalogue = await readCatalogue(options);
  const { relations } = catalogue;
  refuseForeign(catalogue, tables, options);
  const registry = await readRegistry(options, catalogue);
  const storedTables = tables.filter((table) => relations.has(storageName(table)));
  const stamps = await readStamps(options, storedTables);
  /** True if nobody changed a table since the last export, and that export was of this state of the mirror. */
  const isUnmodified = (table: WarehouseTable, state: string | null) => {
    const before = registry.get(table.name);
    const stamp = stamps.get(table.name);
    const isOurs = relations.has(table.name) && stamp !== undefined && isStamped(before?.stamp, stamp);
    return isOurs && before!.mark === tableMark(table, state);
  };
  const changedTables = tables.filter((table) => !isUnmodified(table, table.state()));
  const pairChanges = new Map<WarehouseTable, PairChanges>();
  for (const pair of pairsOf(tables).filter((each) => isChanged(each, changedTables))) {
    const { name } = pair.history;
    const isUnmodifiedView = (viewStatement: string) => {
      const stamp = stamps.get(name);
      const isOfLastExport = stamp !== undefined && stampText(stamp, viewStatement) === registry.get(name)?.stamp;
      return isOfLastExport || pending.createdViews.get(name) === viewStatement;
    };
    const formerColumns = (table: WarehouseTable) => registry.get(table.name)?.columns ?? [];
    pairChanges.set(pair.history, await comparePair(pair, { ...options, catalogue, formerColumns, isUnmodifiedView }));
  }
  const allReshapings = [...keyRemovals(options, pending.brokenKeys), ...pairChanges.values()];
  const reshapings = allReshapings.filter(({ statements }) => statements.length > 0);
  return { relations, registry, stamps, changedTables, pairChanges, reshapings, isUnmodified };
}

function pairsOf(tables: WarehouseTable[]): TablePair[] {
  return tables
    .filter(({ isHistory }) => !isHistory)
    .map((table) => ({ table, history: tables.find(({ name }) => name === historyName(table.name))! }));
}

const isChanged = ({ table, history }: TablePair, changedTables: WarehouseTable[]) =>
  changedTables.includes(table) || changedTables.includes(history);

/** Copies a changed pair (only changed records, if that suffices); returns registry counts for an unchanged one. */
async function copyPair(pair: TablePair, options: RunOptions & Comparison): Promise<[CopiedTable, CopiedTable]> {
  const { table, history } = pair;
  const { registry, changedTables, pairChanges, watch } = options;
  const unchangedResult = ({ name }: WarehouseTable): CopiedTable => {
    return { name, rows: Number(registry.get(name)!.rows), written: 0, removed: 0, misfits: new Map() };
  };
  if (!isChanged(pair, changedTables)) return [unchangedResult(table), unchangedResult(history)];
  const lastState = stateOfMark(registry.get(history.name)?.mark ?? '');
  const isPartial = history.owner !== null && [table, history].every((each) => options.isUnmodified(each, lastState));
  const records = isPartial ? history.changedSince(lastState!) : null;
  const { additions, created } = pairChanges.get(history)!;
  if (additions.length > 0) await options.client.query(additions.join(';\n'));
  let copiedPair = await writePair(options, pair, { created, records, watch });
  // A renamed record left rows under its former key, so the counts differ: write all records.
  if (records && copiedPair[0].rows !== (table.count() ?? copiedPair[0].rows))
    copiedPair = await writePair(options, pair, { created, records: null, watch });
  for (const [at, each] of [table, history].entries()) {
    const before = registry.get(each.name);
    const writtenTable = { ...each, rows: copiedPair[at]!.rows, columns: storableColumns(each) };
    refuseShrunken(writtenTable, before && { ...before, rows: Number(before.rows) }, options);
  }
  copiedPair[0].written += await writeFormerKeys(options, table);
  await watch(table, copiedPair[0].rows);
  return copiedPair;
}
