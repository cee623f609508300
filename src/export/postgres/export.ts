import { LockedError } from '../../errors.ts';
import { refuseShrunken } from '../former.ts';
import { tableMark } from '../table.ts';
import { historyName, stateIn, type WarehouseOptions, type WarehouseTable } from '../warehouse.ts';
import { grantReading } from './access.ts';
import { shownAddress } from './address.ts';
import { type ForeignKey, readCatalogue, refuseForeign } from './catalogue.ts';
import { asTargetError, type ConnectionOptions, connect, inTransaction } from './connection.ts';
import { BrokenKeysError, checkForeignKeys, keyDrops } from './foreign-keys.ts';
import { ensureIndexes } from './indexes.ts';
import { type PairShape, readShape } from './pair.ts';
import { createRegistry, notedColumns, noteTables, readRegistry } from './registry.ts';
import { joinedReshaping, reshape, standardLockWaitMs, untilGranted } from './reshape.ts';
import {
  createSchema,
  isStamped,
  lockTables,
  nameIn,
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
    /** The moment of the run, ISO 8601. */
    now: string;
    /** Limit on waiting for table locks; 20 s by default. */
    lockWaitMs?: number;
  };

type RunOptions = PostgresOptions &
  TargetSchema & {
    shown: string;
    lockWaitMs: number;
    views: Map<string, string>;
    /** Existing foreign keys that no longer hold. */
    brokenKeys: ForeignKey[];
  };

/** Updates tables in one transaction, shapes before it; throws a LockedError, BadTargetError or RefusedTableError. */
export async function exportPostgres(tables: WarehouseTable[], address: string, options: PostgresOptions) {
  const { lockWaitMs = standardLockWaitMs, schema, watch } = options;
  const shown = shownAddress(address);
  const client = await connect(address, options);
  const run: RunOptions = { ...options, client, shown, lockWaitMs, views: new Map(), brokenKeys: [] };
  // PostgreSQL treats 0 as no limit.
  const begin = `BEGIN; SET LOCAL lock_timeout = ${Math.max(1, lockWaitMs)}`;
  const attempt = () => inTransaction(client, () => copy(tables, run), begin);
  const waiting = { ...run, relations: tables.map(storageName), onRetry: () => watch(tables[0]!, 0) };
  try {
    for (let transactions = 0; transactions < mostTransactions; transactions += 1) {
      const copied = await untilGranted(waiting, attempt).catch((error) => {
        if (!(error instanceof BrokenKeysError)) throw error;
        run.brokenKeys = error.keys;
        return null;
      });
      if (copied) return copied;
    }
    throw new LockedError(`${shown} ${schema}`);
  } catch (error) {
    throw asTargetError(shown, error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** A run needs three if a foreign key breaks; more only if others keep changing tables. */
const mostTransactions = 10;

/** Writes what changed; null if this transaction changed the shape of tables instead. */
async function copy(tables: WarehouseTable[], options: RunOptions): Promise<CopiedTable[] | null> {
  const { isMissing } = await takeExportLock(options);
  const state = await readState(tables, options);
  const { relations, noted, stamps, changed, shapes, reshaping } = state;
  if (reshaping.statements.length > 0) {
    await reshape(options, reshaping);
    options.brokenKeys = [];
    for (const [history, { view }] of shapes) options.views.set(history.name, view);
    return null;
  }
  if (isMissing) await createSchema(options, tables);
  if (!relations.has(registryName)) await createRegistry(options);
  await lockTables(
    options,
    changed.filter(({ name }) => stamps.has(name)),
  );
  const copied: CopiedTable[] = [];
  for (const pair of pairsOf(tables)) copied.push(...(await copyPair(pair, { ...options, ...state })));
  if (changed.length > 0) await checkForeignKeys(options, tables);
  // No index can be created while foreign key checks are pending.
  for (const table of changed) await ensureIndexes({ ...options, relations }, table);
  await grantReading(options, options.grant ?? [], [registryName, ...tables.map(({ name }) => name)]);
  const newStamps = await readStamps(options, changed);
  const texts = tables.map((table) => {
    const stamp = newStamps.get(table.name);
    const text = stamp ? stampText(stamp, shapes.get(table)?.view) : noted.get(table.name)!.stamp!;
    return [table.name, text] as const;
  });
  await noteTables(tables, { ...options, noted, copied, stamps: new Map(texts) });
  return copied;
}

type State = Awaited<ReturnType<typeof readState>>;

async function readState(tables: WarehouseTable[], options: RunOptions) {
  const { shown, schema, brokenKeys, views } = options;
  const catalogue = await readCatalogue(options);
  const { relations } = catalogue;
  refuseForeign(catalogue, { tables, shown, schema });
  const noted = await readRegistry(options, catalogue);
  // An older program created the registry without stamps.
  const isOlder = relations.get(registryName)?.columns.has('stamp') === false;
  const stamps = await readStamps(
    options,
    tables.filter((table) => relations.has(storageName(table))),
  );
  /** True if nobody wrote into a table since an export, and that export had this state. */
  const isAsLeft = (table: WarehouseTable, state: string | null) => {
    const before = noted.get(table.name);
    const stamp = stamps.get(table.name);
    const isOurs = relations.has(table.name) && stamp !== undefined && isStamped(before?.stamp, stamp);
    return isOurs && before!.mark === tableMark(table, state);
  };
  const changed = tables.filter((table) => !isAsLeft(table, table.state()));
  const pairs = pairsOf(tables).filter((pair) => isChanged(pair, changed));
  const shapes = new Map<WarehouseTable, PairShape>();
  for (const pair of pairs) {
    const { name } = pair.history;
    const isViewAsLeft = (view: string) => {
      const stamp = stamps.get(name);
      return views.get(name) === view || (stamp !== undefined && stampText(stamp, view) === noted.get(name)?.stamp);
    };
    const former = (table: WarehouseTable) => noted.get(table.name)?.columns ?? [];
    shapes.set(pair.history, await readShape(pair, { ...options, catalogue, former, isViewAsLeft }));
  }
  const stamping = {
    tables: [registryName],
    statements: [`ALTER TABLE ${nameIn(options, registryName)} ADD COLUMN stamp text`],
  };
  const reshaping = joinedReshaping([
    ...(isOlder ? [stamping] : []),
    ...keyDrops(options, brokenKeys),
    ...shapes.values(),
  ]);
  return { relations, noted, stamps, changed, shapes, reshaping, isAsLeft };
}

function pairsOf(tables: WarehouseTable[]): TablePair[] {
  return tables
    .filter(({ isHistory }) => !isHistory)
    .map((table) => ({ table, history: tables.find(({ name }) => name === historyName(table.name))! }));
}

const isChanged = ({ table, history }: TablePair, changed: WarehouseTable[]) =>
  changed.includes(table) || changed.includes(history);

async function copyPair(pair: TablePair, options: RunOptions & State): Promise<[CopiedTable, CopiedTable]> {
  const { table, history } = pair;
  const { noted, changed, shapes, watch } = options;
  const unchanged = ({ name }: WarehouseTable): CopiedTable => {
    return { name, rows: Number(noted.get(name)!.rows), written: 0, removed: 0, misfits: new Map() };
  };
  if (!isChanged(pair, changed)) return [unchanged(table), unchanged(history)];
  const state = stateIn(noted.get(history.name)?.mark ?? '');
  const isSome = history.owner !== null && [table, history].every((each) => options.isAsLeft(each, state));
  const records = isSome ? options.changedSince(history, state!) : null;
  const { additions, created } = shapes.get(history)!;
  if (additions.length > 0) await options.client.query(additions.join(';\n'));
  let copied = await writePair(options, pair, { created, records, watch });
  // A renamed record left rows under its former key.
  if (records && copied[0].rows !== (table.count() ?? copied[0].rows))
    copied = await writePair(options, pair, { created, records: null, watch });
  for (const [at, each] of [table, history].entries()) {
    const before = noted.get(each.name);
    const writtenTable = { name: each.name, rows: copied[at]!.rows, columns: notedColumns(each) };
    refuseShrunken(writtenTable, before && { ...before, rows: Number(before.rows) }, options);
  }
  copied[0].written += await writeFormerKeys(options, table);
  await watch(table, copied[0].rows);
  return copied;
}
