import { LockedError } from '../../errors.ts';
import { refuseShrunken } from '../former-export.ts';
import { tableMark } from '../table.ts';
import { historyName, stateOfMark, type WarehouseOptions, type WarehouseTable } from '../warehouse.ts';
import { shownAddress } from './address.ts';
import { type ForeignKey, readCatalogue, refuseForeign } from './catalogue.ts';
import { asTargetError, type ConnectionOptions, connect, inTransaction } from './connection.ts';
import { BrokenKeysError, checkForeignKeys, keyDrops } from './foreign-keys.ts';
import { grantReading } from './grants.ts';
import { type PairShape, readShape } from './pair-shape.ts';
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

export type PostgresOptions = WarehouseOptions &
  ConnectionOptions & {
    schema: string;
    grant?: string[];
    /** True to add French full-text indexes on the texts that searches read. */
    hasTextIndexes?: boolean;
    /** The moment of the run, ISO 8601. */
    now: string;
    /** Limit on waiting for table locks; 20 s by default. */
    lockWaitMs?: number;
  };

type RunOptions = PostgresOptions &
  TargetSchema & {
    lockWaitMs: number;
    views: Map<string, string>;
    /** Existing foreign keys that no longer hold. */
    brokenKeys: ForeignKey[];
  };

/** Updates tables in one transaction, shapes before it; throws a LockedError, BadTargetError or RefusedTableError. */
export async function exportPostgres(tables: WarehouseTable[], address: string, options: PostgresOptions) {
  const { lockWaitMs = defaultLockWaitMs, schema, watch } = options;
  const shown = shownAddress(address);
  const client = await connect(address, options);
  await using _ = { [Symbol.asyncDispose]: () => client.end().catch(() => {}) };
  const run: RunOptions = { ...options, client, shown, lockWaitMs, views: new Map(), brokenKeys: [] };
  // PostgreSQL treats 0 as no limit. A day in a column of moments is midnight UTC.
  const begin = `BEGIN; SET LOCAL lock_timeout = ${Math.max(1, lockWaitMs)}; SET LOCAL timezone = 'UTC'`;
  const attempt = () => inTransaction(client, () => copyTables(tables, run), begin);
  const waitOptions = { ...run, relations: tables.map(storageName), onRetry: () => watch(tables[0]!, 0) };
  try {
    for (let transactions = 0; transactions < maxTransactions; transactions += 1) {
      const copiedTables = await retryUntilGranted(waitOptions, attempt).catch((error) => {
        if (!(error instanceof BrokenKeysError)) throw error;
        run.brokenKeys = error.keys;
        return null;
      });
      if (copiedTables) return copiedTables;
    }
    throw new LockedError(`${shown} ${schema}`);
  } catch (error) {
    throw asTargetError(shown, error);
  }
}

/** A run needs three if a foreign key breaks; more only if others keep changing tables. */
const maxTransactions = 10;

/** Writes what changed; null if this transaction changed the shape of tables instead. */
async function copyTables(tables: WarehouseTable[], options: RunOptions): Promise<CopiedTable[] | null> {
  const { isMissing } = await takeExportLock(options);
  const state = await readState(tables, options);
  const { relations, noted: registryRows, stamps, changedTables, shapes, changes } = state;
  if (changes.length > 0) {
    await reshape(options, changes);
    options.brokenKeys = [];
    for (const [history, { view }] of shapes) options.views.set(history.name, view);
    return null;
  }
  if (isMissing) await createSchema(options, tables);
  if (!relations.has(registryName)) await createRegistry(options);
  await lockTables(
    options,
    changedTables.filter(({ name }) => stamps.has(name)),
  );
  const copiedTables: CopiedTable[] = [];
  for (const pair of pairsOf(tables)) copiedTables.push(...(await copyPair(pair, { ...options, ...state })));
  if (changedTables.length > 0) await checkForeignKeys(options, tables);
  // No index can be created while foreign key checks are pending.
  for (const table of tables) await ensureIndexes({ ...options, relations }, table, options.hasTextIndexes);
  const viewNames = await ensureQuestionViews({ ...options, relations }, tables);
  await grantReading(options, options.grant ?? [], [registryName, ...tables.map(({ name }) => name), ...viewNames]);
  const newStamps = await readStamps(options, changedTables);
  const stampTexts = tables.map((table) => {
    const stamp = newStamps.get(table.name);
    const text = stamp ? stampText(stamp, shapes.get(table)?.view) : registryRows.get(table.name)!.stamp;
    return [table.name, text] as const;
  });
  await saveRegistry(tables, { ...options, registryRows, copiedTables, stamps: new Map(stampTexts) });
  return copiedTables;
}

type State = Awaited<ReturnType<typeof readState>>;

async function readState(tables: WarehouseTable[], options: RunOptions) {
  const { shown, schema, brokenKeys, views } = options;
  const catalogue = await readCatalogue(options);
  const { relations } = catalogue;
  refuseForeign(catalogue, { tables, shown, schema });
  const registry = await readRegistry(options, catalogue);
  const stamps = await readStamps(
    options,
    tables.filter((table) => relations.has(storageName(table))),
  );
  /** True if nobody wrote into a table since an export, and that export had this state. */
  const isUnmodified = (table: WarehouseTable, state: string | null) => {
    const before = registry.get(table.name);
    const stamp = stamps.get(table.name);
    const isOurs = relations.has(table.name) && stamp !== undefined && isStamped(before?.stamp, stamp);
    return isOurs && before!.mark === tableMark(table, state);
  };
  const changedTables = tables.filter((table) => !isUnmodified(table, table.state()));
  const pairs = pairsOf(tables).filter((pair) => isChanged(pair, changedTables));
  const shapes = new Map<WarehouseTable, PairShape>();
  for (const pair of pairs) {
    const { name } = pair.history;
    const isUnmodifiedView = (view: string) => {
      const stamp = stamps.get(name);
      return views.get(name) === view || (stamp !== undefined && stampText(stamp, view) === registry.get(name)?.stamp);
    };
    const former = (table: WarehouseTable) => registry.get(table.name)?.columns ?? [];
    shapes.set(pair.history, await readShape(pair, { ...options, catalogue, former, isUnmodifiedView }));
  }
  const reshapings = [...keyDrops(options, brokenKeys), ...shapes.values()];
  const changes = reshapings.filter(({ statements }) => statements.length > 0);
  return { relations, noted: registry, stamps, changedTables, shapes, changes, isAsLeft: isUnmodified };
}

function pairsOf(tables: WarehouseTable[]): TablePair[] {
  return tables
    .filter(({ isHistory }) => !isHistory)
    .map((table) => ({ table, history: tables.find(({ name }) => name === historyName(table.name))! }));
}

const isChanged = ({ table, history }: TablePair, changedTables: WarehouseTable[]) =>
  changedTables.includes(table) || changedTables.includes(history);

async function copyPair(pair: TablePair, options: RunOptions & State): Promise<[CopiedTable, CopiedTable]> {
  const { table, history } = pair;
  const { noted, changedTables, shapes, watch } = options;
  const unchangedResult = ({ name }: WarehouseTable): CopiedTable => {
    return { name, rows: Number(noted.get(name)!.rows), written: 0, removed: 0, misfits: new Map() };
  };
  if (!isChanged(pair, changedTables)) return [unchangedResult(table), unchangedResult(history)];
  const state = stateOfMark(noted.get(history.name)?.mark ?? '');
  const isPartial = history.owner !== null && [table, history].every((each) => options.isAsLeft(each, state));
  const records = isPartial ? history.changedSince(state!) : null;
  const { additions, created } = shapes.get(history)!;
  if (additions.length > 0) await options.client.query(additions.join(';\n'));
  let copiedPair = await writePair(options, pair, { created, records, watch });
  // A renamed record left rows under its former key.
  if (records && copiedPair[0].rows !== (table.count() ?? copiedPair[0].rows))
    copiedPair = await writePair(options, pair, { created, records: null, watch });
  for (const [at, each] of [table, history].entries()) {
    const before = noted.get(each.name);
    const writtenTable = { ...each, rows: copiedPair[at]!.rows, columns: storableColumns(each) };
    refuseShrunken(writtenTable, before && { ...before, rows: Number(before.rows) }, options);
  }
  copiedPair[0].written += await writeFormerKeys(options, table);
  await watch(table, copiedPair[0].rows);
  return copiedPair;
}
