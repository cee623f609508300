import { hash } from 'node:crypto';
import type { Client } from 'pg';
import { LockedError } from '../../errors.ts';
import { column } from '../../model/columns.ts';
import type { Column } from '../../model/kinds.ts';
import { literal, quotedName } from '../../store/schema.ts';
import { maxNameBytes, sqlNames, sqlType, truncateToBytes } from '../ddl.ts';
import { withoutDay } from '../table.ts';
import type { WarehouseTable } from '../warehouse.ts';

/** Suffix of the comments on tables, views and functions that this program created. */
export const ownCommentSuffix = 'Written by hemicycle export --postgres.';

/** Name of the registry, the table that lists the tables of this export with mark and stamp. */
export const registryName = 'hemicycle_tables';

/** A schema of a connected database, which messages name as `displayName`. */
export type TargetSchema = { client: Client; schema: string; displayName: string };

/** The quoted name of a relation or function, qualified by its schema. */
export const nameIn = ({ schema }: Pick<TargetSchema, 'schema'>, name: string): string =>
  `${quotedName(schema)}.${quotedName(name)}`;

/** Name of the table that stores the rows: its own; for a history, which is a view, `…_versions` (former values). */
export const storageName = ({ name, isHistory }: Pick<WarehouseTable, 'name' | 'isHistory'>): string =>
  isHistory ? name.replace(/history$/, 'versions') : name;

/** The name of the function that returns the rows of a table as of a moment. */
export const asOfName = (name: string): string => `${name}_as_of`;

/** Creates the schema, with the attributions as its comment. */
export async function createSchema({ client, schema }: TargetSchema, tables: WarehouseTable[]): Promise<void> {
  const attributions = [...new Set(tables.map(({ attribution }) => withoutDay(attribution).text))].join('\n');
  await client.query(`CREATE SCHEMA ${quotedName(schema)}`);
  await client.query(`COMMENT ON SCHEMA ${quotedName(schema)} IS ${literal(attributions)}`);
}

/** Creates a missing unique index on the key, which blocks no reader. */
export async function ensureKeyIndex({ client, schema }: TargetSchema, table: WarehouseTable): Promise<void> {
  const tableSql = nameIn({ schema }, storageName(table));
  const keys = keyList(table);
  const { rows } = await client.query<{ keys: string }>(
    `SELECT (
       SELECT string_agg('"' || replace(attname, '"', '""') || '"', ', ' ORDER BY place)
       FROM unnest(indkey) WITH ORDINALITY AS part (number, place) JOIN pg_attribute ON attrelid = indrelid AND attnum = number) AS keys
     FROM pg_index WHERE indrelid = $1::regclass AND indisunique AND indpred IS NULL`,
    [tableSql],
  );
  if (!rows.some((index) => index.keys === keys)) await client.query(`CREATE UNIQUE INDEX ON ${tableSql} (${keys})`);
}

/** PostgreSQL cannot index a text with a megabyte of distinct words, so only its first characters are indexed. */
const maxIndexedChars = 100_000;

/** Creates missing indexes without blocking readers: foreign keys, dates, party, group, validity interval, texts. */
export async function ensureIndexes(
  { relations, ...target }: TargetSchema & { relations: ReadonlyMap<string, unknown> },
  table: WarehouseTable,
  hasTextIndexes = false,
): Promise<void> {
  const names = columnNames(table);
  const isIndexed = ({ name, type }: Column) => type === 'date' || /^(party|group|valid_from|valid_to)$/.test(name);
  const singleColumns = table.columns.filter(isIndexed).map(({ name }) => [name]);
  const indexedColumns = [...table.references.map(({ columns }) => columns), ...singleColumns];
  // The primary key already indexes a prefix of its columns.
  const missingIndexes = indexedColumns.filter((columns) => columns.some((column, at) => column !== table.key[at]));
  const definitions = new Map<string, string>();
  for (const columns of missingIndexes) {
    const suffix = columns.join('_');
    // The versions table stores only `valid_from` for a current version.
    const where = table.isHistory && suffix !== 'valid_from' ? ` WHERE ${validToColumn(table)} IS NOT NULL` : '';
    definitions.set(suffix, `(${columns.map((each) => names.get(each)!).join(', ')})${where}`);
  }
  const { title = [], body = [] } = table.kinds.find(({ plural }) => plural === table.name)?.search ?? {};
  for (const each of hasTextIndexes ? [...title, ...body].filter((text) => names.has(text)) : []) {
    // An index on an expression: adding a generated column would lock out readers.
    const words = `to_tsvector('french', left(${names.get(each)}, ${maxIndexedChars}))`;
    definitions.set(`${each}_french`, `USING gin (${words})`);
  }
  const statements = [...definitions].flatMap(([suffix, definition]) => {
    const name = `${truncateToBytes(`${storageName(table)}_${suffix}`, maxNameBytes - 4)}_idx`;
    if (relations.has(name)) return [];
    return `CREATE INDEX IF NOT EXISTS ${quotedName(name)} ON ${nameIn(target, storageName(table))} ${definition}`;
  });
  if (statements.length > 0) await target.client.query(statements.join(';\n'));
}

/** The quoted key columns of a table, separated by commas. */
export function keyList(table: WarehouseTable): string {
  const names = columnNames(table);
  return table.key.map((key) => names.get(key)!).join(', ');
}

/** A table and its history. */
export type TablePair = { table: WarehouseTable; history: WarehouseTable };

type TableColumns = Pick<WarehouseTable, 'columns' | 'isHistory'>;

/** Quoted names of a table's written columns in the database, by their names in the mirror. */
export const columnNames = (table: TableColumns): Map<string, string> =>
  new Map(tableColumns(table).map(({ source, name }) => [source, quotedName(name)]));

/** The quoted name of the column `valid_to` of a history. */
export const validToColumn = (history: WarehouseTable): string => columnNames(history).get('valid_to')!;

const versionColumns: Column[] = [
  column.text(
    'raw_values',
    'Original values that their columns cannot store (other type, or unsupported character), as a JSON object ' +
      'by column; empty if there are none.',
  ),
  column.text('row_hash', 'First half of the SHA-256 hash of the row; equal for rows with equal content.'),
];

/** The columns that an export writes; a history ends with `raw_values` and `row_hash`. */
export const writtenColumns = ({ columns, isHistory }: TableColumns): Column[] =>
  isHistory ? [...columns, ...versionColumns] : columns;

/** The written columns: `source` is the name in the mirror, `name` and `type` are those in the database. */
export function tableColumns(table: TableColumns) {
  const allColumns = writtenColumns(table);
  const names = sqlNames(allColumns, 'postgres');
  return allColumns.map((each, at) => ({ source: each.name, name: names[at]!, type: sqlType(each, 'postgres') }));
}

/** The comment of a table; without the retrieval day, so that it is the same every night. */
export const tableComment = ({ description, attribution }: WarehouseTable): string =>
  `${description} ${withoutDay(attribution).text}\n${ownCommentSuffix}`;

/** Takes a schema's export lock until commit, else throws a LockedError; `isMissing` is true if there is no schema. */
export async function takeExportLock({ client, schema, displayName }: TargetSchema) {
  const { rows } = await client.query<{ isFree: boolean; isMissing: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtext('hemicycle'), hashtext($1)) AS "isFree",
       to_regnamespace($2) IS NULL AS "isMissing"`,
    [schema, quotedName(schema)],
  );
  const { isFree, isMissing } = rows[0]!;
  if (!isFree) throw new LockedError(`${displayName} ${schema}`);
  return { isMissing };
}

/** Hashes for change detection: `stamp` of a table and its view, `view` of the view alone (null without a view). */
export type Stamp = { stamp: string; view: string | null };

/** The stamp as stored in the registry: `STAMP`, or for a history `STAMP HASH` with a hash of view and `statement`. */
export const stampText = ({ stamp, view }: Stamp, statement = ''): string =>
  view === null ? stamp : `${stamp} ${hash('md5', view + statement)}`;

/** True if the registry's text starts with this stamp; the hash after it is not compared. */
export const isStamped = (text: string | undefined, { stamp }: Stamp): boolean => text?.split(' ')[0] === stamp;

/** Reads stamps by table name: hashes of row counts by writing transaction (xmin), columns, and the history view. */
export async function readStamps(target: TargetSchema, tables: WarehouseTable[]): Promise<Map<string, Stamp>> {
  if (tables.length === 0) return new Map();
  const queries = tables.map((table) => {
    const tableSql = nameIn(target, storageName(table));
    const view = table.isHistory ? nameIn(target, table.name) : '';
    return `SELECT ${literal(table.name)} AS name, ${literal(tableSql)}::regclass AS id,
      pg_get_viewdef(to_regclass(nullif(${literal(view)}, ''))) AS view, (
        SELECT string_agg(xmin::text || ':' || rows, ',' ORDER BY xmin::text)
        FROM (SELECT xmin, count(*) AS rows FROM ${tableSql} GROUP BY xmin) AS written
      ) AS writers`;
  });
  const { rows } = await target.client.query<Stamp & { name: string }>(
    `SELECT name, md5(view) AS view, md5(concat(writers, ' ', (
       SELECT string_agg(concat(attnum, attname, format_type(atttypid, atttypmod)), ',' ORDER BY attnum)
       FROM pg_attribute WHERE attrelid = id AND attnum > 0 AND NOT attisdropped
     ), view)) AS stamp FROM (${queries.join(' UNION ALL ')}) AS stamped`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/** Locks tables against other writers until commit, so that a stamp never includes writes of others. */
export async function lockTables(target: TargetSchema, tables: WarehouseTable[]): Promise<void> {
  const tableList = tables.map((table) => nameIn(target, storageName(table))).join(', ');
  if (tableList !== '') await target.client.query(`LOCK TABLE ${tableList} IN SHARE ROW EXCLUSIVE MODE`);
}
