import type { Client } from 'pg';
import { BadTargetError } from '../../errors.ts';
import { column } from '../../model/columns.ts';
import type { Column } from '../../model/kinds.ts';
import { literal, quotedName } from '../../store/schema.ts';
import { say } from '../../words/speech.ts';
import { aliasColumns, commentSql, createTableSql, sqlNames, sqlType, warnedColumns } from '../ddl.ts';
import { withoutDay } from '../table.ts';
import { historyName, type WarehouseTable } from '../warehouse.ts';

/** Ends the comments of our tables and functions. */
const ownMark = 'Written by hemicycle export --postgres.';

/** The table that records our tables. */
export const registryName = 'hemicycle_tables';

/** A schema of a database that is connected. */
export type TargetSchema = { client: Client; schema: string };

/** A relation or function of a schema as SQL names it. */
export const nameIn = ({ schema }: Pick<TargetSchema, 'schema'>, name: string): string =>
  `${quotedName(schema)}.${quotedName(name)}`;

/** What a schema holds under the names that a copy takes. */
export type Held = {
  /** Tables and other relations with such a name, and whether they are ours. */
  relations: Map<string, { isOurs: boolean }>;
  functions: Map<string, { isOurs: boolean }>;
};

/** The name of the function that gives the rows of a table as of a moment. */
export const asOfName = (name: string): string => `${name}_as_of`;

/** Creates a missing schema, and lists its relations and functions. */
export async function openSchema({ client, schema }: TargetSchema, cited: string): Promise<Held> {
  const known = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (known.rowCount === 0) {
    await client.query(`CREATE SCHEMA ${quotedName(schema)}`);
    await client.query(`COMMENT ON SCHEMA ${quotedName(schema)} IS ${literal(cited)}`);
  }
  const read = async (sql: string) => {
    const { rows } = await client.query<{ name: string; comment: string | null }>(sql, [schema]);
    // Functions may share a name: it is ours where all of them are.
    const foreign = new Set(
      rows.filter(({ comment }) => !comment?.endsWith(ownMark)).map(({ name }) => name),
    );
    return new Map(rows.map(({ name }) => [name, { isOurs: !foreign.has(name) }]));
  };
  return {
    relations: await read(
      `SELECT relname AS name, obj_description(c.oid, 'pg_class') AS comment
       FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = $1`,
    ),
    functions: await read(
      `SELECT proname AS name, obj_description(p.oid, 'pg_proc') AS comment
       FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE nspname = $1`,
    ),
  };
}

/** Throws a BadTargetError if a relation or function that is not ours has a name the copy needs. */
export function refuseForeign(
  { relations, functions }: Held,
  { tables, shown, schema }: { tables: WarehouseTable[]; shown: string; schema: string },
): void {
  const names = [registryName, ...tables.map(({ name }) => name)];
  const foreign = [
    ...names.filter((name) => relations.get(name)?.isOurs === false),
    ...names.map(asOfName).filter((name) => functions.get(name)?.isOurs === false),
  ];
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
  if (held.relations.has(registryName)) {
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

/** Makes a table one whose rows are known by its key, once they are there: an index is made faster than kept. */
export async function addKey(target: TargetSchema, table: WarehouseTable): Promise<void> {
  const names = columnNames(table);
  const keys = table.key.map((key) => names.get(key)!).join(', ');
  await target.client.query(`ALTER TABLE ${nameIn(target, table.name)} ADD PRIMARY KEY (${keys})`);
}

/** Quoted names of a table's columns in the database, by their names in the mirror. */
export const columnNames = (table: Pick<WarehouseTable, 'columns'>): Map<string, string> =>
  new Map(tableColumns(table).map(({ source, name }) => [source, quotedName(name)]));

/** The quoted name of the column `valid_to` of a history. */
export const validTo = (history: WarehouseTable): string => columnNames(history).get('valid_to')!;

/** A column of the database, and its name in the mirror. */
export type TableColumn = { source: string; name: string; type: string };

/** Extra trailing columns of every table in PostgreSQL. */
const postgresColumns: Column[] = [
  column.text(
    'raw_values',
    'What columns of the row say that they cannot hold as it came (another type, a character that the database cannot store), as a JSON object by column; empty for all other rows.',
  ),
  column.text(
    'row_hash',
    'First half of the SHA-256 of what the row says: the same for two rows that say the same.',
  ),
];

/** The columns of a table with their names and types there, `raw_values` and `row_hash` behind all others. */
export function tableColumns({ columns }: Pick<WarehouseTable, 'columns'>): TableColumn[] {
  const all = [...columns, ...postgresColumns];
  const names = sqlNames(all, 'postgres');
  return all.map((column, at) => ({
    source: column.name,
    name: names[at]!,
    type: sqlType(column, 'postgres'),
  }));
}

/**
 * Creates a table, still without its key, or adds and retypes columns; empties `former` columns that it no longer has.
 * If anything changed, hashes are emptied too, so that every row is written again.
 */
export async function ensureTable(
  target: TargetSchema,
  table: WarehouseTable,
  { isThere, former }: { isThere: boolean; former: string[] },
): Promise<void> {
  const { schema } = target;
  const columns = [...table.columns, ...postgresColumns];
  const place = nameIn(target, table.name);
  const statements: string[] = [];
  if (isThere) {
    const types = await heldTypes(target, table.name);
    const changes = tableColumns(table).flatMap(({ name, type }) => {
      const held = types.get(name);
      if (held === undefined) return [`ADD COLUMN ${quotedName(name)} ${type}`];
      return held === type ? [] : [`ALTER COLUMN ${quotedName(name)} TYPE ${type} USING NULL`];
    });
    const gone = goneColumns(table, former).filter((name) => types.has(name));
    if (changes.length > 0) statements.push(`ALTER TABLE ${place} ${changes.join(', ')}`);
    // Hashes describe rows, not what columns still hold.
    const emptied = changes.length + gone.length > 0 ? [...gone, 'row_hash'] : [];
    if (emptied.length > 0)
      statements.push(
        `UPDATE ${place} SET ${emptied.map((name) => `${quotedName(name)} = NULL`).join(', ')}`,
      );
  } else statements.push(createTableSql({ ...table, columns, key: [] }, { dialect: 'postgres', schema }));
  // Without the retrieval day: a comment says the same every night.
  const comment = `${table.description} ${withoutDay(table.attribution).text} ${ownMark}`;
  const added = aliasColumns(table);
  for (const { name, type, of } of added)
    statements.push(
      `ALTER TABLE ${place} ADD COLUMN IF NOT EXISTS ${quotedName(name)} ${sqlType({ type }, 'postgres')} GENERATED ALWAYS AS (${quotedName(of.name)}) STORED`,
    );
  statements.push(
    ...commentSql({ ...table, columns: warnedColumns([...columns, ...added]), comment }, schema),
  );
  await target.client.query(statements.join(';\n'));
}

/** Database names of `former` columns that the table no longer has. */
function goneColumns(table: WarehouseTable, former: string[]): string[] {
  const names = new Set(tableColumns(table).map(({ name }) => name));
  const before = tableColumns({ columns: former.map((name) => column.text(name, '')) });
  return before.map(({ name }) => name).filter((name) => !names.has(name));
}

async function heldTypes(target: TargetSchema, name: string): Promise<Map<string, string>> {
  const { rows } = await target.client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [nameIn(target, name)],
  );
  return new Map(rows.map((row) => [row.name, row.type]));
}

/** SQL that reads the text `$1` as `--as-of` would: the end of the day in Paris, of the minute or second in UTC by default. */
const momentSql = [
  ['^\\d{4}-\\d\\d-\\d\\d$', '\\& 23:59:59.999 Europe/Paris'],
  ['^(.{10}[T ]\\d\\d:\\d\\d)($|[Zz+-])', '\\1:59\\2'],
  ['^(.{10}[T ]\\d\\d:\\d\\d:\\d\\d)($|[Zz+-])', '\\1.999\\2'],
  ['^.{10}[T ][\\d:.]+$', '\\&Z'],
].reduce((sql, [from, to]) => `regexp_replace(${sql}, '${from}', '${to}')`, 'trim($1)');

/** Creates the functions that give the rows of a table as of a moment: one for timestamps, one for texts. */
export async function createAsOf(target: TargetSchema, { name, description }: WarehouseTable): Promise<void> {
  const place = (word: string) => nameIn(target, word);
  const past = await heldTypes(target, historyName(name));
  const now = await heldTypes(target, name);
  // Columns that others added are null in the past.
  const selected = [...now].map(([column, type]) =>
    past.has(column) ? quotedName(column) : `NULL::${type}`,
  );
  const called = `${place(asOfName(name))}(moment timestamp with time zone)`;
  const written = `${place(asOfName(name))}(moment text)`;
  const history = place(historyName(name));
  const comment = `${description} As this mirror saw it at that moment. ${ownMark}`;
  await target.client.query(`
    CREATE OR REPLACE FUNCTION ${called} RETURNS SETOF ${place(name)} LANGUAGE plpgsql STABLE AS ${literal(
      `BEGIN
         IF $1 < (SELECT min(valid_from) FROM ${history}) THEN
           RAISE 'nothing is known of ${name} before %', (SELECT min(valid_from) FROM ${history}) USING ERRCODE = 'data_exception';
         END IF;
         RETURN QUERY SELECT ${selected.join(', ')} FROM ${history} WHERE valid_from <= $1 AND (valid_to IS NULL OR valid_to > $1);
       END`,
    )};
    COMMENT ON FUNCTION ${called} IS ${literal(comment)};
    CREATE OR REPLACE FUNCTION ${written} RETURNS SETOF ${place(name)} LANGUAGE sql STABLE AS ${literal(
      `SELECT * FROM ${place(asOfName(name))}((${momentSql})::timestamp with time zone)`,
    )};
    COMMENT ON FUNCTION ${written} IS ${literal(comment)}`);
}

/** The foreign keys of our tables that are there, each by its table and name, with the table that it leads to. */
export async function heldForeignKeys({
  client,
  schema,
}: TargetSchema): Promise<{ table: string; name: string; target: string }[]> {
  const { rows } = await client.query(
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

/** A stamp of each table that changes with its rows or columns: a hash of the transactions that wrote them. */
export async function readStamps(target: TargetSchema, names: string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const each = names.map((name) => {
    const place = nameIn(target, name);
    return `SELECT ${literal(name)} AS name, ${literal(place)}::regclass AS id, (
        SELECT string_agg(xmin::text || ':' || rows, ',' ORDER BY xmin::text)
        FROM (SELECT xmin, count(*) AS rows FROM ${place} GROUP BY xmin) AS written
      ) AS writers`;
  });
  const { rows } = await target.client.query<{ name: string; stamp: string }>(
    `SELECT name, md5(concat(writers, ' ', (
       SELECT string_agg(concat(attnum, attname, format_type(atttypid, atttypmod)), ',' ORDER BY attnum)
       FROM pg_attribute WHERE attrelid = id AND attnum > 0 AND NOT attisdropped
     ))) AS stamp FROM (${each.join(' UNION ALL ')}) AS stamped`,
  );
  return new Map(rows.map(({ name, stamp }) => [name, stamp]));
}

/** Locks these tables against other writers until commit: their changes would be stamped as ours. */
export async function lockTables(target: TargetSchema, names: string[]): Promise<void> {
  const places = names.map((name) => nameIn(target, name)).join(', ');
  if (places !== '') await target.client.query(`LOCK TABLE ${places} IN SHARE ROW EXCLUSIVE MODE`);
}
