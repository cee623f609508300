import type { Client } from 'pg';
import { LockedError } from '../../errors.ts';
import type { Reference } from '../../store/records/references.ts';
import { quotedName } from '../../store/schema.ts';
import { foreignKeyName, foreignKeySql, storable } from '../ddl.ts';
import { type Gates, refuseShrunken } from '../former.ts';
import { type ExportWatch, tableMark, withoutDay } from '../table.ts';
import { historyName, stateIn, type WarehouseTable } from '../warehouse.ts';
import { ensureIndexes, grantReading } from './access.ts';
import { shownAddress } from './address.ts';
import { asTargetError, type ConnectionOptions, connect } from './connection.ts';
import { ensurePair } from './pair.ts';
import {
  createRegistry,
  ensureKey,
  type Held,
  heldForeignKeys,
  heldName,
  lockSql,
  lockTables,
  nameIn,
  openSchema,
  readStamps,
  refuseForeign,
  registryName,
  type TablePair,
  type TargetSchema,
} from './structure.ts';
import { type CopiedTable, writeFormerKeys, writePair } from './write-rows.ts';

export type PostgresOptions = Gates &
  ConnectionOptions & {
    schema: string;
    grant?: string[];
    /** The records (their ids) of a table that changed since such a mark; null where that is not known. */
    changedSince(table: WarehouseTable, mark: string): number[] | null;
    /** Called with the rows sent so far; an error it throws rolls the run back. */
    watch: ExportWatch;
    /** The moment of the run, ISO 8601. */
    now: string;
  };

/** A row of the registry; `stamp` is null if an older program wrote it. */
type Noted = {
  name: string;
  rows: string;
  columns: string[];
  mark: string;
  retrieved_at: Date | null;
  stamp: string | null;
};

/**
 * Updates tables and their histories in PostgreSQL in one transaction, sending only rows of changed records where those
 * are known. Throws a LockedError, BadTargetError or RefusedTableError, and then writes nothing.
 */
export async function exportPostgres(tables: WarehouseTable[], address: string, options: PostgresOptions) {
  const shown = shownAddress(address);
  const client = await connect(address, options);
  const run = (isLinked: boolean) =>
    inTransaction(client, () => copy(tables, { ...options, client, shown, isLinked }));
  try {
    return await run(true).catch((error: { code?: string }) => {
      // A record that others name is gone: those foreign keys go too, until they hold again.
      if (error.code !== foreignKeyViolation) throw error;
      return run(false);
    });
  } catch (error) {
    throw asTargetError(shown, error);
  } finally {
    await client.end().catch(() => {});
  }
}

const foreignKeyViolation = '23503';

async function inTransaction<Result>(client: Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

type CopyOptions = PostgresOptions & TargetSchema & { shown: string; isLinked: boolean };

async function copy(tables: WarehouseTable[], options: CopyOptions): Promise<CopiedTable[]> {
  const { client, schema, shown } = options;
  const { rows: lock } = await client.query<{ free: boolean }>(lockSql, [schema]);
  if (!lock[0]!.free) throw new LockedError(`${shown} ${schema}`);
  const cited = [...new Set(tables.map(({ attribution }) => withoutDay(attribution).text))].join('\n');
  const held = await openSchema(options, cited);
  refuseForeign(held, { tables, shown, schema });
  await createRegistry(options, held);
  const { rows } = await client.query<Noted>(`SELECT * FROM ${nameIn(options, registryName)}`);
  const noted = new Map(rows.map((row) => [row.name, row]));
  const stamps = await readStamps(
    options,
    tables.filter((table) => held.has(heldName(table))),
  );
  const isAsLeft = (table: WarehouseTable, state: string | null) => {
    const [before, stamp] = [noted.get(table.name), stamps.get(table.name)];
    const isOurs = held.has(table.name) && stamp !== undefined && before?.stamp === stamp;
    return isOurs && before.mark === tableMark(table, state);
  };
  const changed = tables.filter((table) => !isAsLeft(table, table.state()));
  await lockTables(
    options,
    changed.filter(({ name }) => stamps.has(name)),
  );
  if (!options.isLinked) await dropForeignKeys(options, changed);
  const copied: CopiedTable[] = [];
  const work = { ...options, held, noted, changed, isAsLeft };
  for (const table of tables) {
    if (table.isHistory) continue;
    const history = tables.find(({ name }) => name === historyName(table.name))!;
    copied.push(...(await copyPair({ table, history }, work)));
  }
  if (changed.length > 0) await addForeignKeys(options, tables);
  // No index can be made while foreign keys are still to be checked.
  for (const table of changed) await ensureIndexes(options, table);
  await grantReading(options, options.grant ?? [], [registryName, ...tables.map(({ name }) => name)]);
  const left = await readStamps(options, changed);
  await noteTables(tables, { ...options, noted, copied, stamps: new Map([...stamps, ...left]) });
  return copied;
}

type PairOptions = CopyOptions & {
  held: Held;
  noted: Map<string, Noted>;
  changed: WarehouseTable[];
  /** True if nobody wrote into a table since an export noted it, and what it says was of this state. */
  isAsLeft(table: WarehouseTable, state: string | null): boolean;
};

/** The columns of a table by names that the registry can hold. */
const notedColumns = ({ columns }: Pick<WarehouseTable, 'columns'>) =>
  columns.map(({ name }) => ({ name: storable(name) }));

/** Writes a changed table and its history from the mirror. */
async function copyPair(pair: TablePair, options: PairOptions): Promise<[CopiedTable, CopiedTable]> {
  const { table, history } = pair;
  const { noted, changed, watch } = options;
  const unchanged = ({ name }: WarehouseTable): CopiedTable => {
    return { name, rows: Number(noted.get(name)!.rows), written: 0, removed: 0, misfits: new Map() };
  };
  if (![table, history].some((each) => changed.includes(each))) return [unchanged(table), unchanged(history)];
  const state = stateIn(noted.get(history.name)?.mark ?? '');
  const isSome = history.owner !== null && [table, history].every((each) => options.isAsLeft(each, state));
  const records = isSome ? options.changedSince(history, state!) : null;
  const created = await ensurePair(options, pair, ({ name }) => noted.get(name)?.columns ?? []);
  let copied = await writePair(options, pair, { created, records, watch });
  // A renamed record left rows under its former key.
  if (records && copied[0].rows !== (table.count() ?? copied[0].rows))
    copied = await writePair(options, pair, { created, records: null, watch });
  for (const [at, each] of [table, history].entries()) {
    const before = noted.get(each.name);
    const left = { name: each.name, rows: copied[at]!.rows, columns: notedColumns(each) };
    refuseShrunken(left, before && { ...before, rows: Number(before.rows) }, options);
  }
  copied[0].written += await writeFormerKeys(options, table);
  await watch(table, copied[0].rows);
  return copied;
}

/** Drops the foreign keys of changed tables, and those that lead to them. */
async function dropForeignKeys(target: TargetSchema, changed: WarehouseTable[]): Promise<void> {
  const isChanged = (name: string) => changed.some((table) => table.name === name);
  for (const key of await heldForeignKeys(target))
    if (isChanged(key.table) || isChanged(key.target))
      await target.client.query(
        `ALTER TABLE ${nameIn(target, key.table)} DROP CONSTRAINT ${quotedName(key.name)}`,
      );
}

/** Checks the foreign keys that stand, and adds those that hold. */
async function addForeignKeys(target: TargetSchema, tables: WarehouseTable[]): Promise<void> {
  await target.client.query('SET CONSTRAINTS ALL IMMEDIATE');
  const standing = await heldForeignKeys(target);
  for (const { name: table, references } of tables)
    for (const reference of references) {
      const name = foreignKeyName(table, reference);
      const isStanding = standing.some((key) => key.table === table && key.name === name);
      const named = tables.find((each) => each.name === reference.table);
      if (isStanding || !named || !(await namesRows(target, table, reference))) continue;
      await ensureKey(target, named);
      await target.client.query(foreignKeySql(target.schema, table, reference));
    }
}

async function namesRows(target: TargetSchema, table: string, { columns, keys, table: named }: Reference) {
  const isNamed = columns.map((column) => `${quotedName(column)} IS NOT NULL`).join(' AND ');
  const isSame = columns.map((column, at) => `named.${quotedName(keys[at]!)} = held.${quotedName(column)}`);
  const { rowCount } = await target.client.query(
    `SELECT 1 FROM ${nameIn(target, table)} AS held WHERE ${isNamed}
     AND NOT EXISTS (SELECT FROM ${nameIn(target, named)} AS named WHERE ${isSame.join(' AND ')}) LIMIT 1`,
  );
  return rowCount === 0;
}

type Noting = { noted: Map<string, Noted>; copied: CopiedTable[]; stamps: Map<string, string> };

async function noteTables(
  tables: WarehouseTable[],
  { noted, copied, stamps, ...options }: CopyOptions & Noting,
): Promise<void> {
  for (const [at, table] of tables.entries()) {
    const { rows, written, removed } = copied[at]!;
    const [before, mark] = [noted.get(table.name), tableMark(table, table.state()) ?? ''];
    const stamp = stamps.get(table.name)!;
    const isSame =
      before?.mark === mark &&
      before.stamp === stamp &&
      before.retrieved_at?.toISOString() === (table.freshAt ?? undefined);
    if (isSame) continue;
    const hasChanged = before === undefined || written + removed > 0;
    const columns = JSON.stringify(notedColumns(table).map(({ name }) => name));
    await options.client.query(
      `INSERT INTO ${nameIn(options, registryName)} AS noted (name, rows, columns, mark, retrieved_at, written_at, stamp)
       VALUES ($1, $2, $3, $4, $5, $6, $8) ON CONFLICT (name) DO UPDATE SET rows = excluded.rows, columns = excluded.columns,
       mark = excluded.mark, stamp = excluded.stamp, retrieved_at = excluded.retrieved_at,
       written_at = CASE WHEN $7 THEN excluded.written_at ELSE noted.written_at END`,
      [table.name, rows, columns, mark, table.freshAt, options.now, hasChanged, stamp],
    );
  }
}
