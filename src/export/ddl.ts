import type { Column, ColumnType } from '../model/kinds.ts';
import { literal, quotedName } from '../store/schema.ts';
import sqlTypes from './sql-types.json' with { type: 'json' };
import { type ExportTable, type Reference, withoutDay } from './table.ts';

/** SQL dialects for which `schemaSql` writes definitions. */
export const sqlDialects = ['postgres', 'clickhouse', 'duckdb'] as const;

export type SqlDialect = (typeof sqlDialects)[number] | 'sqlite';

/** A schema that is defined, and the database that it is for. */
export type SchemaDialect = { dialect: (typeof sqlDialects)[number]; schema: string };

/** What a table definition needs. */
export type DefinedTable = Pick<
  ExportTable,
  'name' | 'description' | 'columns' | 'key' | 'references' | 'attribution'
>;

const types: Record<ColumnType, Record<SqlDialect, string>> = sqlTypes;

/** The SQL type of a column; DuckDB and ClickHouse get nested types where Parquet files hold them. */
export function sqlType(column: Pick<Column, 'type' | 'inside'>, dialect: SqlDialect): string {
  const plain = types[column.type][dialect];
  const { inside } = column;
  if (!inside || column.type !== 'json' || (dialect !== 'duckdb' && dialect !== 'clickhouse')) return plain;
  const isClickHouse = dialect === 'clickhouse';
  const partType = (each: Column) => {
    const type = types[each.type][dialect];
    return `${nameIn(dialect)(each.name)} ${isClickHouse ? `Nullable(${type})` : type}`;
  };
  const parts = (fields: Column[]) =>
    `${isClickHouse ? 'Tuple' : 'STRUCT'}(${fields.map(partType).join(', ')})`;
  if ('fields' in inside) return parts(inside.fields);
  const text = types.text[dialect];
  const one = inside.list === 'ids' ? (isClickHouse ? `Nullable(${text})` : text) : parts(inside.list);
  return isClickHouse ? `Array(${one})` : `${one}[]`;
}

const systemColumns = ['oid', 'tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'];

/** PostgreSQL truncates identifiers to this many bytes. */
const longestName = 63;

/** A text with U+FFFD for what databases do not hold: U+0000 and lone surrogates. */
export const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

/** Column names made unique for a dialect (`Text_2` beside `text`, except in PostgreSQL, where case counts). */
export function sqlNames(columns: Pick<Column, 'name'>[], dialect: SqlDialect): string[] {
  const isPostgres = dialect === 'postgres';
  // ASCII letters only, as SQLite folds them.
  const folded = (name: string) =>
    isPostgres ? name : name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const taken = new Set<string>(isPostgres ? systemColumns : []);
  return columns.map((column) => {
    const name = storable(column.name);
    const cut = (end: string) =>
      isPostgres ? `${cutBytes(name, longestName - end.length)}${end}` : `${name}${end}`;
    let distinct = cut('');
    for (let n = 2; taken.has(folded(distinct)); n += 1) distinct = cut(`_${n}`);
    taken.add(folded(distinct));
    return distinct;
  });
}

/** The longest prefix of at most `most` UTF-8 bytes that ends on a whole character. */
export function cutBytes(text: string, most: number): string {
  if (3 * text.length <= most) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  return bytes
    .subarray(0, most)
    .toString()
    .replace(/\ufffd+$/, '');
}

function nameIn(dialect: SqlDialect): (name: string) => string {
  if (dialect !== 'clickhouse') return quotedName;
  return (name) => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('\0', '\ufffd')}\``;
}

function textIn(dialect: SqlDialect): (text: string) => string {
  return dialect === 'clickhouse'
    ? (text) => literal(storable(text).replaceAll('\\', '\\\\'))
    : (text) => literal(storable(text));
}

/** A `CREATE TABLE` statement; `references` become inline foreign keys. */
export function createTableSql(
  {
    columns,
    key,
    ...table
  }: Pick<DefinedTable, 'name' | 'columns' | 'key' | 'description'> & { comment?: string },
  { dialect, schema, references = [] }: { dialect: SqlDialect; schema?: string; references?: Reference[] },
): string {
  const [quoted, text, names] = [nameIn(dialect), textIn(dialect), sqlNames(columns, dialect)];
  const listed = (all: string[]) => all.map(quoted).join(', ');
  const isKeyed = key.length > 0 && key.every((name) => columns.some((column) => column.name === name));
  const name = `${schema === undefined ? '' : `${quoted(schema)}.`}${quoted(table.name)}`;
  const isClickHouse = dialect === 'clickhouse';
  const remark = dialect === 'sqlite' ? remarkSql : () => '';
  const lines = columns.map((column, at) => {
    const type = sqlType(column, dialect);
    const isNullable = isClickHouse && !column.inside && !key.includes(column.name);
    const comment = isClickHouse ? ` COMMENT ${text(column.description)}` : '';
    return `${remark(column.description)}${quoted(names[at]!)} ${isNullable ? `Nullable(${type})` : type}${comment}`;
  });
  if (isKeyed && !isClickHouse) lines.push(`PRIMARY KEY (${listed(key)})`);
  for (const each of references)
    lines.push(
      `FOREIGN KEY (${listed(each.columns)}) REFERENCES ${schema === undefined ? '' : `${quoted(schema)}.`}${quoted(each.table)} (${listed(each.keys)})`,
    );
  const order = isKeyed ? `(${listed(key)})` : 'tuple()';
  const end = isClickHouse
    ? `\nENGINE = MergeTree ORDER BY ${order} COMMENT ${text(table.comment ?? table.description)}`
    : '';
  return `CREATE TABLE ${name} (\n  ${remark(table.description)}${lines.join(',\n  ')}\n)${end}`;
}

/** A `--` comment before a column: SQLite stores it with the schema and has no `COMMENT ON`. */
const remarkSql = (text: string): string =>
  text === '' ? '' : `-- ${storable(text).replace(/\s+/g, ' ').trim()}\n  `;

/** The comment of a table: description and attribution, without the retrieval day. */
export const tableComment = ({
  description,
  attribution,
}: Pick<DefinedTable, 'description' | 'attribution'>) => `${description} ${withoutDay(attribution).text}`;

/** `COMMENT ON` statements for a table and its columns. */
export function commentSql(
  table: Pick<DefinedTable, 'name' | 'columns'> & { comment: string },
  { dialect, schema }: SchemaDialect,
): string[] {
  const [quoted, text, names] = [nameIn(dialect), textIn(dialect), sqlNames(table.columns, dialect)];
  const name = `${quoted(schema)}.${quoted(table.name)}`;
  return [
    `COMMENT ON TABLE ${name} IS ${text(table.comment)}`,
    ...table.columns.map(
      ({ description }, at) => `COMMENT ON COLUMN ${name}.${quoted(names[at]!)} IS ${text(description)}`,
    ),
  ];
}

/** The statement that adds a foreign key in PostgreSQL, checked at commit. */
export function foreignKeySql(schema: string, table: string, reference: Reference): string {
  const place = quotedName(schema);
  const listed = (all: string[]) => all.map(quotedName).join(', ');
  return `ALTER TABLE ${place}.${quotedName(table)} ADD CONSTRAINT ${quotedName(foreignKeyName(table, reference))} FOREIGN KEY (${listed(reference.columns)}) REFERENCES ${place}.${quotedName(reference.table)} (${listed(reference.keys)}) DEFERRABLE INITIALLY DEFERRED`;
}

/** The name of a foreign key in PostgreSQL. */
export const foreignKeyName = (table: string, { columns }: Reference): string =>
  cutBytes(`${table}_${columns.join('_')}_fkey`, longestName);

/** Statements, in executable order, that create a schema and its tables with keys, foreign keys and comments. */
export function schemaSql(tables: DefinedTable[], { dialect, schema }: SchemaDialect): string[] {
  const quoted = nameIn(dialect);
  const cited = [...new Set(tables.map(({ attribution }) => withoutDay(attribution).text))];
  const isClickHouse = dialect === 'clickhouse';
  const statements = isClickHouse
    ? [`CREATE DATABASE IF NOT EXISTS ${quoted(schema)} COMMENT ${textIn(dialect)(cited.join('\n'))}`]
    : [`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`];
  if (dialect === 'postgres')
    statements.push(`COMMENT ON SCHEMA ${quoted(schema)} IS ${textIn(dialect)(cited.join('\n'))}`);
  for (const table of inOrder(tables)) {
    const described = { ...table, comment: tableComment(table) };
    const references = dialect === 'duckdb' ? table.references : [];
    statements.push(createTableSql(described, { dialect, schema, references }));
    if (!isClickHouse) statements.push(...commentSql(described, { dialect, schema }));
  }
  if (dialect === 'postgres')
    for (const { name, references } of tables)
      for (const reference of references) statements.push(foreignKeySql(schema, name, reference));
  return statements;
}

/** Tables in topological order: referenced tables first; cycles are cut. */
function inOrder(tables: DefinedTable[]): DefinedTable[] {
  const placed: DefinedTable[] = [];
  const place = (table: DefinedTable, above: DefinedTable[]) => {
    if (placed.includes(table) || above.includes(table)) return;
    for (const reference of table.references) {
      const target = tables.find(({ name }) => name === reference.table);
      if (target) place(target, [...above, table]);
    }
    placed.push(table);
  };
  for (const table of tables) place(table, []);
  return placed;
}
