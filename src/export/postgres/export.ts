import type { Client } from 'pg';
import { LockedError } from '../../errors.ts';
import { quotedName } from '../../store/schema.ts';
import { say } from '../../words/speech.ts';
import { foreignKeyName, foreignKeySql } from '../ddl.ts';
import type { Gates } from '../former.ts';
import { type FormerTable, refuseShrunken } from '../former.ts';
import { historyName } from '../history-table.ts';
import { type ExportWatch, type Reference, withoutDay } from '../table.ts';
import type { WarehouseTable } from '../warehouse.ts';
import { asTargetError, connect, shownAddress } from './connection.ts';
import { lockTables, readStamps } from './stamps.ts';
import {
  createAsOf,
  createRegistry,
  ensureTable,
  heldForeignKeys,
  lockSql,
  openSchema,
  refuseForeign,
  registryName,
} from './structure.ts';
import { type CopiedTable, writeHistory, writeOpenRows } from './write-rows.ts';

export type PostgresOptions = Gates & {
  schema: string;
  /** A mark of the state of a table in the mirror, the same while nothing of it changes; null where that is not known. */
  markOf(table: WarehouseTable): string | null;
  /** The records (their ids) of a table that changed since such a mark; null where that is not known. */
  changedSince(table: WarehouseTable, mark: string): number[] | null;
  /** Called with the rows sent so far; an error it throws rolls the run back. */
  watch: ExportWatch;
  /** The moment of the run, ISO 8601. */
  now: string;
};

/** What was noted of a table; `stamp` tells how it stood when we left it, null where an older program did. */
type Noted = {
  name: string;
  rows: string;
  columns: string[];
  mark: string;
  retrieved_at: Date | null;
  stamp: string | null;
};

/**
 * Updates the copy of tables and their histories in PostgreSQL, in one transaction. Tables unchanged in the
 * mirror and in the database are skipped; of the others, rows of changed records (all rows if the changes are
 * unknown) are sent, and those that differ are written. Throws a LockedError if another run writes there, a
 * BadTargetError if a name is taken by something else, a RefusedTableError if too much would be lost.
 */
export async function exportPostgres(
  tables: WarehouseTable[],
  address: string,
  options: PostgresOptions,
): Promise<CopiedTable[]> {
  const shown = shownAddress(address);
  const client = await connect(address);
  try {
    try {
      return await inTransaction(client, () => copy(client, tables, { ...options, shown, isLinked: true }));
    } catch (error) {
      // A record that others name is gone: those foreign keys go too, until they hold again.
      if ((error as { code?: string }).code !== foreignKeyViolation) throw error;
      return await inTransaction(client, () => copy(client, tables, { ...options, shown, isLinked: false }));
    }
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

type CopyOptions = PostgresOptions & { shown: string; isLinked: boolean };

async function copy(client: Client, tables: WarehouseTable[], options: CopyOptions): Promise<CopiedTable[]> {
  const { schema, shown } = options;
  const { rows: lock } = await client.query<{ free: boolean }>(lockSql, [schema]);
  if (!lock[0]!.free) {
    const error = new LockedError(`${shown} ${schema}`);
    error.hint = say`wait for it to end, and run this again`;
    throw error;
  }
  const cited = [...new Set(tables.map(({ attribution }) => withoutDay(attribution).text))].join('\n');
  const held = await openSchema(client, { schema, cited });
  refuseForeign(held, { tables, shown, schema });
  await createRegistry(client, { schema, held });
  const noted = await readRegistry(client, schema);
  const there = tables.map(({ name }) => name).filter((name) => held.relations.has(name));
  const stamps = await readStamps(client, { schema, names: there });
  const isAltered = ({ name }: WarehouseTable) =>
    stamps.has(name) && noted.get(name)?.stamp !== stamps.get(name);
  const isCurrent = (table: WarehouseTable) =>
    stamps.has(table.name) && !isAltered(table) && noted.get(table.name)?.mark === markOf(table, options);
  const changed = tables.filter((table) => !isCurrent(table));
  const names = changed.map(({ name }) => name);
  await lockTables(client, { schema, names: names.filter((name) => stamps.has(name)) });
  const links = changed.length > 0 ? await openLinks(client, tables, { ...options, changed }) : null;
  const copied: CopiedTable[] = [];
  const work = {
    ...options,
    noted,
    changed,
    isAltered,
    isThere: ({ name }: WarehouseTable) => stamps.has(name),
  };
  for (const table of tables) {
    if (table.isHistory) continue;
    const history = tables.find(({ name }) => name === historyName(table.name))!;
    copied.push(...(await copyPair(client, { table, history }, work)));
    if (changed.includes(table) || changed.includes(history)) await createAsOf(client, table, schema);
  }
  await links?.close();
  const left = await readStamps(client, { schema, names });
  await noteTables(client, tables, { ...options, noted, copied, stamps: new Map([...stamps, ...left]) });
  return copied;
}

/** What a table is told by to be as it was: its state in the mirror, its columns, and what is said of it. */
function markOf(table: WarehouseTable, { markOf: stateOf }: PostgresOptions): string | null {
  return markWith(table, stateOf(table));
}

function markWith(table: WarehouseTable, state: string | null): string | null {
  const columns = table.columns.map(({ name, type, description }) => [name, type, description]);
  return state && JSON.stringify([1, state, columns, withoutDay(table.attribution).text]);
}

/** The records of a pair of tables that changed since both were left; null where anything else did, or may have. */
function recordsBehind({ table, history }: Pair, options: PairOptions): number[] | null {
  const { noted, isAltered, isThere } = options;
  const state = /^\[1,"([^"]+)",/.exec(noted.get(history.name)?.mark ?? '')?.[1];
  if (state === undefined || history.owner === null) return null;
  const isAsLeft = (each: WarehouseTable) =>
    isThere(each) && !isAltered(each) && noted.get(each.name)?.mark === markWith(each, state);
  return isAsLeft(table) && isAsLeft(history) ? options.changedSince(history, state) : null;
}

async function readRegistry(client: Client, schema: string): Promise<Map<string, Noted>> {
  const { rows } = await client.query<Noted>(`SELECT * FROM ${quotedName(schema)}.${registryName}`);
  return new Map(rows.map((row) => [row.name, row]));
}

type Pair = { table: WarehouseTable; history: WarehouseTable };

type PairOptions = CopyOptions & {
  noted: Map<string, Noted>;
  changed: WarehouseTable[];
  isAltered(table: WarehouseTable): boolean;
  isThere(table: WarehouseTable): boolean;
};

/** Writes a table and its history where either changed: the history from the mirror, the table from those rows that hold now. */
async function copyPair(
  client: Client,
  { table, history }: Pair,
  options: PairOptions,
): Promise<[CopiedTable, CopiedTable]> {
  const { schema, noted, changed, watch } = options;
  let records = recordsBehind({ table, history }, options);
  const prepare = async (each: WarehouseTable) => {
    const [isThere, former] = [options.isThere(each), noted.get(each.name)?.columns ?? []];
    await ensureTable(client, each, { schema, isThere, former });
    return { schema, isEmpty: !isThere, isAltered: options.isAltered(each), records };
  };
  const unchanged = ({ name }: WarehouseTable): CopiedTable => {
    return { name, rows: Number(noted.get(name)!.rows), written: 0, removed: 0, misfits: new Map() };
  };
  const judge = ({ name, columns }: WarehouseTable, rows: number) => {
    const before = noted.get(name);
    const former: FormerTable | null = before ? { rows: Number(before.rows), columns: before.columns } : null;
    refuseShrunken({ name, rows, columns }, former, options);
  };
  if (![table, history].some((each) => changed.includes(each))) return [unchanged(table), unchanged(history)];
  let sent = await writeHistory(client, history, { ...(await prepare(history)), watch });
  if (records && sent.open.rows !== (table.count() ?? sent.open.rows)) {
    // A record that is known by another key than before leaves rows that nobody claims.
    records = null;
    sent = await writeHistory(client, history, { ...(await prepare(history)), watch });
  }
  judge(table, sent.open.rows);
  judge(history, sent.copied.rows);
  await watch(table, 0);
  const moved = await writeOpenRows(client, { table, history }, await prepare(table));
  await watch(table, sent.open.rows);
  return [{ name: table.name, ...sent.open, ...moved }, sent.copied];
}

/**
 * Takes away the foreign keys of what changes where they would not hold (`isLinked` false); `close`, once all rows are
 * written, judges those that stand and adds those that hold now.
 */
async function openLinks(
  client: Client,
  tables: WarehouseTable[],
  { schema, changed, isLinked }: CopyOptions & { changed: WarehouseTable[] },
): Promise<{ close(): Promise<void> }> {
  const isChanged = (name: string) => changed.some((table) => table.name === name);
  let standing = await heldForeignKeys(client, schema);
  if (!isLinked) {
    const gone = standing.filter(({ table, target }) => isChanged(table) || isChanged(target));
    for (const { table, name } of gone)
      await client.query(
        `ALTER TABLE ${quotedName(schema)}.${quotedName(table)} DROP CONSTRAINT ${quotedName(name)}`,
      );
    standing = standing.filter((key) => !gone.includes(key));
  }
  return {
    async close() {
      await client.query('SET CONSTRAINTS ALL IMMEDIATE');
      for (const { name: table, references } of tables)
        for (const reference of references) {
          const name = foreignKeyName(table, reference);
          const isStanding = standing.some((key) => key.table === table && key.name === name);
          const isThere = tables.some((target) => target.name === reference.table);
          if (!isStanding && isThere && (await namesRows(client, table, { schema, reference })))
            await client.query(foreignKeySql(table, { schema, reference }));
        }
    },
  };
}

/** True if every row's reference is null or finds its row. */
async function namesRows(
  client: Client,
  table: string,
  { schema, reference }: { schema: string; reference: Reference },
): Promise<boolean> {
  const { columns, keys } = reference;
  const place = (name: string) => `${quotedName(schema)}.${quotedName(name)}`;
  const isNamed = columns.map((column) => `${quotedName(column)} IS NOT NULL`).join(' AND ');
  const isSame = columns.map((column, at) => `named.${quotedName(keys[at]!)} = held.${quotedName(column)}`);
  const { rowCount } = await client.query(
    `SELECT 1 FROM ${place(table)} AS held WHERE ${isNamed}
     AND NOT EXISTS (SELECT FROM ${place(reference.table)} AS named WHERE ${isSame.join(' AND ')}) LIMIT 1`,
  );
  return rowCount === 0;
}

/** Notes what the tables hold now, where that is not what was noted. */
async function noteTables(
  client: Client,
  tables: WarehouseTable[],
  {
    noted,
    copied,
    now,
    schema,
    stamps,
    ...options
  }: CopyOptions & { noted: Map<string, Noted>; copied: CopiedTable[]; stamps: Map<string, string> },
): Promise<void> {
  for (const [at, table] of tables.entries()) {
    const { rows, written, removed } = copied[at]!;
    const [before, mark] = [noted.get(table.name), markOf(table, { ...options, now, schema }) ?? ''];
    const stamp = stamps.get(table.name)!;
    const isSame =
      before?.mark === mark &&
      before.stamp === stamp &&
      before.retrieved_at?.toISOString() === (table.freshAt ?? undefined);
    if (isSame) continue;
    const hasChanged = before === undefined || written + removed > 0;
    await client.query(
      `INSERT INTO ${quotedName(schema)}.${registryName} AS noted (name, rows, columns, mark, retrieved_at, written_at, stamp)
       VALUES ($1, $2, $3, $4, $5, $6, $8) ON CONFLICT (name) DO UPDATE SET rows = excluded.rows, columns = excluded.columns,
       mark = excluded.mark, stamp = excluded.stamp, retrieved_at = excluded.retrieved_at,
       written_at = CASE WHEN $7 THEN excluded.written_at ELSE noted.written_at END`,
      [
        table.name,
        rows,
        JSON.stringify(table.columns.map(({ name }) => name)),
        mark,
        table.freshAt,
        now,
        hasChanged,
        stamp,
      ],
    );
  }
}
