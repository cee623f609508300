import { hash } from 'node:crypto';
import type { Client } from 'pg';
import { BadTargetError } from '../../errors.ts';
import { column } from '../../model/columns.ts';
import type { Column } from '../../model/kinds.ts';
import { literal, quotedName } from '../../store/schema.ts';
import { say } from '../../words/speech.ts';
import { sqlNames, sqlType } from '../ddl.ts';
import { withoutDay } from '../table.ts';
import type { WarehouseTable } from '../warehouse.ts';

/** Ends the comments of our tables, views and functions. */
export const ownMark = 'Written by hemicycle export --postgres.';

/** The table that records our tables. */
export const registryName = 'hemicycle_tables';

/** A schema of a database that is connected. */
export type TargetSchema = { client: Client; schema: string };

/** A relation or function of a schema as SQL names it. */
export const nameIn = ({ schema }: Pick<TargetSchema, 'schema'>, name: string): string =>
  `${quotedName(schema)}.${quotedName(name)}`;

/** The table that holds the rows of a table; for a history, which is a view, when each version held and what former ones said. */
export const storageName = ({ name, isHistory }: Pick<WarehouseTable, 'name' | 'isHistory'>): string =>
  isHistory ? name.replace(/history$/, 'versions') : name;

/** The relations and functions of a schema, a function with `()` behind its name, and whether they are ours. */
export type Relations = ReadonlyMap<string, boolean>;

/** The name of the function that gives the rows of a table as of a moment. */
export const asOfName = (name: string): string => `${name}_as_of`;

/** Creates the schema. */
export async function createSchema({ client, schema }: TargetSchema, tables: WarehouseTable[]): Promise<void> {
  const cited = [...new Set(tables.map(({ attribution }) => withoutDay(attribution).text))].join('\n');
  await client.query(`CREATE SCHEMA ${quotedName(schema)}`);
  await client.query(`COMMENT ON SCHEMA ${quotedName(schema)} IS ${literal(cited)}`);
}

/** Lists the relations and functions of a schema; none where it is missing. */
export async function listRelations({ client, schema }: TargetSchema): Promise<Relations> {
  // Functions may share a name: it is ours where all of them are.
  const { rows } = await client.query<{ name: string; isOurs: boolean }>(
    `SELECT name, bool_and(coalesce(right(comment, $2) = $3, false)) AS "isOurs" FROM (
       SELECT relname::text AS name, relnamespace AS schema, obj_description(oid, 'pg_class') AS comment FROM pg_class
       UNION ALL SELECT proname || '()', pronamespace, obj_description(oid, 'pg_proc') FROM pg_proc
     ) AS stored WHERE schema = to_regnamespace($1) GROUP BY name`,
    [quotedName(schema), ownMark.length, ownMark],
  );
  return new Map(rows.map(({ name, isOurs }) => [name, isOurs]));
}

/** Throws a BadTargetError if a relation or function that is not ours has a name the copy needs. */
export function refuseForeign(
  relations: Relations,
  { tables, shown, schema }: { tables: WarehouseTable[]; shown: string; schema: string },
): void {
  const neededNames = tables.flatMap((table) => [table.name, storageName(table), `${asOfName(table.name)}()`]);
  const foreign = [...new Set([registryName, ...neededNames])].filter((name) => relations.get(name) === false);
  if (foreign.length === 0) return;
  throw new BadTargetError(
    shown,
    say`the schema ${schema} holds what no export of Hemicycle made, under names that this one takes: ${foreign.sort().join(', ')}`,
    say`nothing was written; rename those, or name another schema with --schema`,
  );
}

/** Makes a table one whose rows are known by its key, where it is not: by an index, which no reader waits for. */
export async function ensureKey({ client, schema }: TargetSchema, table: WarehouseTable): Promise<void> {
  const qualifiedTable = nameIn({ schema }, storageName(table));
  const keys = keyList(table);
  const { rows } = await client.query<{ keys: string }>(
    `SELECT (
       SELECT string_agg('"' || replace(attname, '"', '""') || '"', ', ' ORDER BY place)
       FROM unnest(indkey) WITH ORDINALITY AS part (number, place) JOIN pg_attribute ON attrelid = indrelid AND attnum = number) AS keys
     FROM pg_index WHERE indrelid = $1::regclass AND indisunique AND indpred IS NULL`,
    [qualifiedTable],
  );
  if (!rows.some((index) => index.keys === keys))
    await client.query(`CREATE UNIQUE INDEX ON ${qualifiedTable} (${keys})`);
}

/** The quoted key columns of a table, as a list of SQL. */
export function keyList(table: WarehouseTable): string {
  const names = columnNames(table);
  return table.key.map((key) => names.get(key)!).join(', ');
}

/** A table and its history. */
export type TablePair = { table: WarehouseTable; history: WarehouseTable };

type Columned = Pick<WarehouseTable, 'columns' | 'isHistory'>;

/** Quoted names of a table's columns in the database, by their names in the mirror. */
export const columnNames = (table: Columned): Map<string, string> =>
  new Map(tableColumns(table).map(({ source, name }) => [source, quotedName(name)]));

/** The quoted name of the column `valid_to` of a history. */
export const validTo = (history: WarehouseTable): string => columnNames(history).get('valid_to')!;

/** A column of the database, and its name in the mirror. */
type TableColumn = { source: string; name: string; type: string };

/** What a history tells of each version, behind its columns. */
const versionColumns: Column[] = [
  column.text(
    'raw_values',
    'What columns of the row say that they cannot hold as it came (another type, a character that the database cannot store), as a JSON object by column; empty for all other rows.',
  ),
  column.text('row_hash', 'First half of the SHA-256 of what the row says: the same for two rows that say the same.'),
];

/** The columns that are written; of a history with `raw_values` and `row_hash` behind all others. */
export const writtenColumns = ({ columns, isHistory }: Columned): Column[] =>
  isHistory ? [...columns, ...versionColumns] : columns;

/** The columns that are written, with their names and types there. */
export function tableColumns(table: Columned): TableColumn[] {
  const all = writtenColumns(table);
  const names = sqlNames(all, 'postgres');
  return all.map((column, at) => ({
    source: column.name,
    name: names[at]!,
    type: sqlType(column, 'postgres'),
  }));
}

/** What the comment of a table says; without the day of retrieval, the same every night. */
export const tableComment = ({ description, attribution }: WarehouseTable): string =>
  `${description} ${withoutDay(attribution).text}\n${ownMark}`;

/** Takes the advisory lock that serialises exports into one schema. */
export const lockSql = `SELECT pg_try_advisory_xact_lock(hashtext('hemicycle'), hashtext($1)) AS "isFree",
  to_regnamespace($2) IS NULL AS "isMissing"`;

/** What `lockSql` answers. */
export type Lock = { isFree: boolean; isMissing: boolean };

/** What tells whether a table was written or changed: `stamp` covers all, `view` the definition of the view over a history. */
export type Stamp = { stamp: string; view: string | null };

/** The stamp as the registry holds it: of a history with a hash of the view and of the statement that made it. */
export const stampText = ({ stamp, view }: Stamp, statement = ''): string =>
  view === null ? stamp : `${stamp} ${hash('md5', view + statement)}`;

/** True if nobody wrote into a table, or changed it, since the registry noted this. */
export const isStamped = (text: string | null | undefined, { stamp }: Stamp): boolean => text?.split(' ')[0] === stamp;

/** A stamp of each table that changes with its rows, its columns and the view over it: a hash, also of the transactions that wrote them. */
export async function readStamps(target: TargetSchema, tables: WarehouseTable[]): Promise<Map<string, Stamp>> {
  if (tables.length === 0) return new Map();
  const each = tables.map((table) => {
    const qualifiedTable = nameIn(target, storageName(table));
    const view = table.isHistory ? nameIn(target, table.name) : '';
    return `SELECT ${literal(table.name)} AS name, ${literal(qualifiedTable)}::regclass AS id,
      pg_get_viewdef(to_regclass(nullif(${literal(view)}, ''))) AS view, (
        SELECT string_agg(xmin::text || ':' || rows, ',' ORDER BY xmin::text)
        FROM (SELECT xmin, count(*) AS rows FROM ${qualifiedTable} GROUP BY xmin) AS written
      ) AS writers`;
  });
  const { rows } = await target.client.query<Stamp & { name: string }>(
    `SELECT name, md5(view) AS view, md5(concat(writers, ' ', (
       SELECT string_agg(concat(attnum, attname, format_type(atttypid, atttypmod)), ',' ORDER BY attnum)
       FROM pg_attribute WHERE attrelid = id AND attnum > 0 AND NOT attisdropped
     ), view)) AS stamp FROM (${each.join(' UNION ALL ')}) AS stamped`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/** Locks these tables against other writers until commit: their changes would be stamped as ours. */
export async function lockTables(target: TargetSchema, tables: WarehouseTable[]): Promise<void> {
  const places = tables.map((table) => nameIn(target, storageName(table))).join(', ');
  if (places !== '') await target.client.query(`LOCK TABLE ${places} IN SHARE ROW EXCLUSIVE MODE`);
}
