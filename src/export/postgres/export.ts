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
import { type CopiedTable, writeRows } from './write-rows.ts';

export type PostgresOptions = Gates & {
  schema: string;
  /** A mark of the state of a table in the mirror, the same while nothing of it changes; null where that is not known. */
  markOf(table: WarehouseTable): string | null;
  /** Told how many rows of a table are sent; what it throws ends the run, and nothing was written. */
  watch: ExportWatch;
  /** The moment of the run, ISO 8601. */
  now: string;
};

type Noted = { name: string; rows: string; columns: string[]; mark: string; retrieved_at: Date | null };

/**
 * Brings a copy of tables in PostgreSQL up to date, in one transaction: tables that did not change in the mirror are left
 * alone, of the others only the rows that differ are written. Throws a LockedError where another run writes there, a
 * BadTargetError where a name is taken by what is not ours, a RefusedTableError where too much would be lost.
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
  if (!held.relations.has(registryName)) await createRegistry(client, schema);
  const noted = await readRegistry(client, schema);
  const isCurrent = (table: WarehouseTable) =>
    held.relations.has(table.name) && noted.get(table.name)?.mark === markOf(table, options);
  const changed = tables.filter((table) => !isCurrent(table));
  const links = changed.length > 0 ? await openLinks(client, tables, { ...options, changed }) : null;
  const copied: CopiedTable[] = [];
  for (const table of tables) {
    const former = noted.get(table.name);
    copied.push(
      changed.includes(table)
        ? await copyTable(client, table, { ...options, former, isThere: held.relations.has(table.name) })
        : { name: table.name, rows: Number(former!.rows), written: 0, removed: 0, misfits: new Map() },
    );
  }
  await links?.close();
  for (const table of tables)
    if (
      !table.isHistory &&
      changed.some(({ name }) => name === table.name || name === historyName(table.name))
    )
      await createAsOf(client, table, schema);
  await noteTables(client, tables, { ...options, noted, copied });
  return copied;
}

/** What a table is told by to be as it was: its state in the mirror, its columns, and what is said of it. */
function markOf(table: WarehouseTable, { markOf: stateOf }: PostgresOptions): string | null {
  const state = stateOf(table);
  const columns = table.columns.map(({ name, type, description }) => [name, type, description]);
  return state && JSON.stringify([1, state, columns, withoutDay(table.attribution).text]);
}

async function readRegistry(client: Client, schema: string): Promise<Map<string, Noted>> {
  const { rows } = await client.query<Noted>(`SELECT * FROM ${quotedName(schema)}.${registryName}`);
  return new Map(rows.map((row) => [row.name, row]));
}

async function copyTable(
  client: Client,
  table: WarehouseTable,
  { former, isThere, ...options }: CopyOptions & { former: Noted | undefined; isThere: boolean },
): Promise<CopiedTable> {
  const { schema, watch } = options;
  await ensureTable(client, table, { schema, isThere, former: former?.columns ?? [] });
  const before: FormerTable | null = former ? { rows: Number(former.rows), columns: former.columns } : null;
  return writeRows(client, table, {
    schema,
    isEmpty: !isThere,
    watch,
    judged: (rows) => refuseShrunken({ name: table.name, rows, columns: table.columns }, before, options),
  });
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

/** True if every row names a row that is there, or none. */
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
    ...options
  }: CopyOptions & { noted: Map<string, Noted>; copied: CopiedTable[] },
): Promise<void> {
  for (const [at, table] of tables.entries()) {
    const { rows, written, removed } = copied[at]!;
    const [before, mark] = [noted.get(table.name), markOf(table, { ...options, now, schema }) ?? ''];
    const isSame =
      before?.mark === mark && before.retrieved_at?.toISOString() === (table.freshAt ?? undefined);
    if (isSame) continue;
    const hasChanged = before === undefined || written + removed > 0;
    await client.query(
      `INSERT INTO ${quotedName(schema)}.${registryName} AS noted (name, rows, columns, mark, retrieved_at, written_at)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (name) DO UPDATE SET rows = excluded.rows, columns = excluded.columns,
       mark = excluded.mark, retrieved_at = excluded.retrieved_at,
       written_at = CASE WHEN $7 THEN excluded.written_at ELSE noted.written_at END`,
      [
        table.name,
        rows,
        JSON.stringify(table.columns.map(({ name }) => name)),
        mark,
        table.freshAt,
        now,
        hasChanged,
      ],
    );
  }
}
