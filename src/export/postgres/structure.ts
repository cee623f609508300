import type { Client } from 'pg';
import { BadTargetError } from '../../errors.ts';
import { column } from '../../model/columns.ts';
import type { Column } from '../../model/kinds.ts';
import { literal, quotedName } from '../../store/schema.ts';
import { say } from '../../words/speech.ts';
import { aliasColumns, commentSql, sqlNames, sqlType } from '../ddl.ts';
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
export const heldName = ({ name, isHistory }: Pick<WarehouseTable, 'name' | 'isHistory'>): string =>
  isHistory ? name.replace(/history$/, 'versions') : name;

/** The relations and functions of a schema, a function with `()` behind its name, and whether they are ours. */
export type Held = ReadonlyMap<string, boolean>;

/** The name of the function that gives the rows of a table as of a moment. */
export const asOfName = (name: string): string => `${name}_as_of`;

/** Creates a missing schema, and lists its relations and functions. */
export async function openSchema({ client, schema }: TargetSchema, cited: string): Promise<Held> {
  const known = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (known.rowCount === 0) {
    await client.query(`CREATE SCHEMA ${quotedName(schema)}`);
    await client.query(`COMMENT ON SCHEMA ${quotedName(schema)} IS ${literal(cited)}`);
  }
  // Functions may share a name: it is ours where all of them are.
  const { rows } = await client.query<{ name: string; isOurs: boolean }>(
    `SELECT name, bool_and(coalesce(right(comment, $2) = $3, false)) AS "isOurs" FROM (
       SELECT relname::text AS name, relnamespace AS schema, obj_description(oid, 'pg_class') AS comment FROM pg_class
       UNION ALL SELECT proname || '()', pronamespace, obj_description(oid, 'pg_proc') FROM pg_proc
     ) AS held WHERE schema = $1::regnamespace GROUP BY name`,
    [quotedName(schema), ownMark.length, ownMark],
  );
  return new Map(rows.map(({ name, isOurs }) => [name, isOurs]));
}

/** Throws a BadTargetError if a relation or function that is not ours has a name the copy needs. */
export function refuseForeign(
  held: Held,
  { tables, shown, schema }: { tables: WarehouseTable[]; shown: string; schema: string },
): void {
  const named = tables.flatMap((table) => [table.name, heldName(table), `${asOfName(table.name)}()`]);
  const foreign = [...new Set([registryName, ...named])].filter((name) => held.get(name) === false);
  if (foreign.length === 0) return;
  throw new BadTargetError(
    shown,
    say`the schema ${schema} holds what no export of Hemicycle made, under names that this one takes: ${foreign.sort().join(', ')}`,
    say`nothing was written; rename those, or name another schema with --schema`,
  );
}

/** Creates the registry if it is missing, and gives that of an older program its newest column. */
export async function createRegistry(target: TargetSchema, held: Held): Promise<void> {
  const name = nameIn(target, registryName);
  if (held.has(registryName)) {
    const isOlder = !(await heldTypes(target, registryName)).has('stamp');
    if (isOlder) await target.client.query(`ALTER TABLE ${name} ADD COLUMN stamp text`);
    return;
  }
  await target.client.query(`
    CREATE TABLE ${name} (
      name text PRIMARY KEY, rows bigint NOT NULL, columns jsonb NOT NULL, mark text NOT NULL,
      retrieved_at timestamp with time zone, written_at timestamp with time zone NOT NULL, stamp text
    );
    ${Object.entries(registryColumns)
      .map(([column, said]) => `COMMENT ON COLUMN ${name}.${column} IS ${literal(said)};`)
      .join(' ')}
    COMMENT ON TABLE ${name} IS ${literal(`What the tables beside it hold, when it left the service, and when it last changed here. ${ownMark}`)}`);
}

const registryColumns = {
  name: 'Name of the table.',
  rows: 'How many rows it has.',
  columns: 'Its columns, in order.',
  mark: 'State of the mirror that it shows: the same while nothing of it changes.',
  retrieved_at: 'When the oldest of its data left the service; empty where it never came whole.',
  written_at: 'When a run last changed it.',
  stamp: 'What tells the next run whether somebody else has written there.',
};

/** Makes a table one whose rows are known by its key, where it is not. Call it once rows are there: an index is made faster than kept. */
export async function ensureKey({ client, schema }: TargetSchema, table: WarehouseTable): Promise<void> {
  const [place, names] = [nameIn({ schema }, heldName(table)), columnNames(table)];
  const keys = table.key.map((key) => names.get(key)!).join(', ');
  const { rows } = await client.query<{ keys: string; isPrimary: boolean }>(
    `SELECT indisprimary AS "isPrimary", (
       SELECT string_agg('"' || replace(attname, '"', '""') || '"', ', ' ORDER BY place)
       FROM unnest(indkey) WITH ORDINALITY AS part (number, place) JOIN pg_attribute ON attrelid = indrelid AND attnum = number) AS keys
     FROM pg_index WHERE indrelid = $1::regclass AND indisunique AND indpred IS NULL`,
    [place],
  );
  if (rows.some((index) => index.keys === keys)) return;
  // Others may refer to the key that an older program made.
  const sort = rows.some(({ isPrimary }) => isPrimary) ? 'UNIQUE' : 'PRIMARY KEY';
  await client.query(`ALTER TABLE ${place} ADD ${sort} (${keys})`);
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
export type TableColumn = { source: string; name: string; type: string };

/** What a history tells of each version, behind its columns. */
const versionColumns: Column[] = [
  column.text(
    'raw_values',
    'What columns of the row say that they cannot hold as it came (another type, a character that the database cannot store), as a JSON object by column; empty for all other rows.',
  ),
  column.text(
    'row_hash',
    'First half of the SHA-256 of what the row says: the same for two rows that say the same.',
  ),
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

/** Columns that a table has beside those that are written, with their definitions. */
function columnsBeside(table: WarehouseTable): (Column & { definition: string })[] {
  const aliases = aliasColumns(table).map((each) => ({
    ...each,
    definition: `${sqlType(each, 'postgres')} GENERATED ALWAYS AS (${quotedName(each.of.name)}) STORED`,
  }));
  const formerKeys = { ...formerKeysColumn, definition: 'text[]' };
  return table.formerKeys ? [...aliases, formerKeys] : aliases;
}

const formerKeysColumn = column.text(
  'former_keys',
  'Keys under which the service listed the record before, all else equal, the latest first; empty for all others.',
);

/** What the comment of a table says; without the day of retrieval, the same every night. */
export const said = ({ description, attribution }: WarehouseTable): string =>
  `${description} ${withoutDay(attribution).text}\n${ownMark}`;

/**
 * Statements that make a table, still without its key, or give it the columns that it has now, and comments. Former columns
 * are emptied; those that an older program added go. These, and columns of another type now, are `breaking` for views over them.
 */
export async function definitionOf(
  target: TargetSchema,
  table: WarehouseTable,
  { former, isOlder }: { former: string[]; isOlder: boolean },
): Promise<{ statements: string[]; breaking: string[] }> {
  const name = heldName(table);
  const place = nameIn(target, name);
  const types = await heldTypes(target, name);
  const own = tableColumns(table);
  const beside = columnsBeside(table);
  const columns = former.map((each) => column.text(each, ''));
  const before = tableColumns({ columns, isHistory: isOlder || table.isHistory });
  const isGone = (each: TableColumn) => types.has(each.name) && !own.some(({ name }) => name === each.name);
  const dropped = before.slice(former.length).filter(isGone);
  const retyped = own.filter((each) => types.has(each.name) && types.get(each.name) !== each.type);
  const emptied = before.slice(0, former.length).filter(isGone);
  const changes = [
    ...dropped.map((each) => `DROP COLUMN ${quotedName(each.name)}`),
    ...retyped.map((each) => `ALTER COLUMN ${quotedName(each.name)} TYPE ${each.type} USING NULL`),
    ...own.map((each) => `ADD COLUMN IF NOT EXISTS ${quotedName(each.name)} ${each.type}`),
    ...beside.map((each) => `ADD COLUMN IF NOT EXISTS ${quotedName(each.name)} ${each.definition}`),
  ];
  const comment = table.isHistory
    ? `Since when each row of ${table.name} holds, and what former rows said. Read ${table.name}, where all are whole.\n${ownMark}`
    : said(table);
  return {
    breaking: [...dropped, ...retyped].map((each) => each.name),
    statements: [
      `CREATE TABLE IF NOT EXISTS ${place} ()`,
      `ALTER TABLE ${place} ${changes.join(', ')}`,
      ...emptied.map((each) => `UPDATE ${place} SET ${quotedName(each.name)} = NULL`),
      ...commentSql(
        { name, columns: [...writtenColumns(table), ...beside], said: comment },
        { schema: target.schema },
      ),
    ],
  };
}

/** The types of the columns of a relation, by name, in its order. */
export async function heldTypes(target: TargetSchema, name: string): Promise<Map<string, string>> {
  const { rows } = await target.client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [nameIn(target, name)],
  );
  return new Map(rows.map((row) => [row.name, row.type]));
}

/** The foreign keys of our tables that are there, each by its table and name, with the table that it leads to. */
export async function heldForeignKeys({ client, schema }: TargetSchema) {
  const { rows } = await client.query<{ table: string; name: string; target: string }>(
    `SELECT t.relname AS table, conname AS name, r.relname AS target
     FROM pg_constraint k JOIN pg_class t ON t.oid = conrelid JOIN pg_class r ON r.oid = confrelid
     JOIN pg_namespace n ON n.oid = t.relnamespace
     WHERE contype = 'f' AND condeferred AND nspname = $1 AND obj_description(t.oid, 'pg_class') LIKE $2`,
    [schema, `%${ownMark}`],
  );
  return rows;
}

/** Takes the advisory lock that serialises exports into one schema. */
export const lockSql = `SELECT pg_try_advisory_xact_lock(hashtext('hemicycle'), hashtext($1)) AS free`;

/** A stamp of each table that changes with its rows, its columns and the view over it: a hash, also of the transactions that wrote them. */
export async function readStamps(target: TargetSchema, tables: WarehouseTable[]) {
  if (tables.length === 0) return new Map<string, string>();
  const each = tables.map((table) => {
    const place = nameIn(target, heldName(table));
    const view = table.isHistory ? nameIn(target, table.name) : '';
    return `SELECT ${literal(table.name)} AS name, ${literal(place)}::regclass AS id, ${literal(view)} AS view, (
        SELECT string_agg(xmin::text || ':' || rows, ',' ORDER BY xmin::text)
        FROM (SELECT xmin, count(*) AS rows FROM ${place} GROUP BY xmin) AS written
      ) AS writers`;
  });
  const { rows } = await target.client.query<{ name: string; stamp: string }>(
    `SELECT name, md5(concat(writers, ' ', (
       SELECT string_agg(concat(attnum, attname, format_type(atttypid, atttypmod)), ',' ORDER BY attnum)
       FROM pg_attribute WHERE attrelid = id AND attnum > 0 AND NOT attisdropped
     ), pg_get_viewdef(to_regclass(nullif(view, ''))))) AS stamp FROM (${each.join(' UNION ALL ')}) AS stamped`,
  );
  return new Map(rows.map(({ name, stamp }) => [name, stamp]));
}

/** Locks these tables against other writers until commit: their changes would be stamped as ours. */
export async function lockTables(target: TargetSchema, tables: WarehouseTable[]): Promise<void> {
  const places = tables.map((table) => nameIn(target, heldName(table))).join(', ');
  if (places !== '') await target.client.query(`LOCK TABLE ${places} IN SHARE ROW EXCLUSIVE MODE`);
}
