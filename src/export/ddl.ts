import { column } from '../model/columns.ts';
import type { Column } from '../model/kinds.ts';
import type { TableReference } from '../store/records/references.ts';
import { literal, quotedName } from '../store/schema.ts';
import columnTypes from './column-types.json' with { type: 'json' };
import type { ExportTable } from './table.ts';

type SqlDialect = 'postgres' | 'sqlite';

/** The SQL type of a column. */
export const sqlType = ({ type }: Pick<Column, 'type'>, dialect: SqlDialect): string => columnTypes[type][dialect];

const systemColumns = ['oid', 'tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid']; // reserved by PostgreSQL

/** PostgreSQL truncates identifiers to this many bytes. */
export const maxNameBytes = 63;

/** Replaces characters that databases cannot store, U+0000 and lone surrogates, by U+FFFD. */
export const replaceUnstorable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

/** Unique column names for a dialect: SQLite ignores case, so `Text` beside `text` becomes `Text_2` there. */
export function sqlNames(columns: Pick<Column, 'name'>[], dialect: SqlDialect): string[] {
  const isPostgres = dialect === 'postgres';
  // ASCII letters only, as SQLite folds them.
  const foldCase = (name: string) => (isPostgres ? name : name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
  const usedNames = new Set<string>(isPostgres ? systemColumns : []);
  return columns.map((column) => {
    const name = replaceUnstorable(column.name);
    const withSuffix = (suffix: string) =>
      isPostgres ? `${truncateToBytes(name, maxNameBytes - suffix.length)}${suffix}` : `${name}${suffix}`;
    let uniqueName = withSuffix('');
    for (let n = 2; usedNames.has(foldCase(uniqueName)); n += 1) uniqueName = withSuffix(`_${n}`);
    usedNames.add(foldCase(uniqueName));
    return uniqueName;
  });
}

/** The longest prefix of at most `maxBytes` UTF-8 bytes that ends on a whole character. */
export function truncateToBytes(text: string, maxBytes: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(maxBytes)).read);
}

/** Quoted names, separated by commas. */
export const quotedList = (names: string[]): string => names.map(quotedName).join(', ');

const textSql = (text: string): string => literal(replaceUnstorable(text));

/** The `CREATE TABLE` statement of SQLite; `references` become inline foreign keys. */
export function createTableSql(
  { columns, key, ...table }: Pick<ExportTable, 'name' | 'columns' | 'key' | 'description'>,
  references: TableReference[] = [],
): string {
  const names = sqlNames(columns, 'sqlite');
  const lines = columns.map(
    (column, at) => `${sqlComment(column.description)}${quotedName(names[at]!)} ${sqlType(column, 'sqlite')}`,
  );
  const hasKey = key.length > 0 && key.every((name) => columns.some((column) => column.name === name));
  if (hasKey) lines.push(`PRIMARY KEY (${quotedList(key)})`); // a key field that no record has is not a column
  for (const each of references)
    lines.push(
      `FOREIGN KEY (${quotedList(each.columns)}) REFERENCES ${quotedName(each.table)} (${quotedList(each.keys)})`,
    );
  return `CREATE TABLE ${quotedName(table.name)} (\n  ${sqlComment(table.description)}${lines.join(',\n  ')}\n)`;
}

/** A `--` comment line, which SQLite stores with the schema, as it has no `COMMENT ON`; empty for an empty text. */
const sqlComment = (text: string): string =>
  text === '' ? '' : `-- ${replaceUnstorable(text).replace(/\s+/g, ' ').trim()}\n  `;

/** The comments that a relation has now. */
type Comments = { comment: string | null; columns: ReadonlyMap<string, { comment: string | null }> };

/** `COMMENT ON` statements of PostgreSQL for a table or view and its columns, except for those in `present`. */
export function commentSql(
  { name, columns, comment }: { name: string; columns: Pick<Column, 'name' | 'description'>[]; comment: string },
  { schema, kind = 'TABLE', present }: { schema: string; kind?: 'TABLE' | 'VIEW'; present?: Comments | undefined },
): string[] {
  const names = sqlNames(columns, 'postgres');
  const qualifiedName = `${quotedName(schema)}.${quotedName(name)}`;
  const isStored = (text: string, comment: string | null | undefined) => replaceUnstorable(text) === (comment ?? '');
  const columnComments = columns.flatMap(({ name: columnName, description }, at) => {
    const alias = aliases.get(columnName);
    const warning = ` Quote this name in SQL: the bare word is PostgreSQL's own. Or take ${alias}.`;
    const text = alias === undefined ? description : `${description}${warning}`;
    if (isStored(text, present?.columns.get(names[at]!)?.comment)) return [];
    return `COMMENT ON COLUMN ${qualifiedName}.${quotedName(names[at]!)} IS ${textSql(text)}`;
  });
  return isStored(comment, present?.comment)
    ? columnComments
    : [`COMMENT ON ${kind} ${qualifiedName} IS ${textSql(comment)}`, ...columnComments];
}

/** Columns whose bare names are PostgreSQL keywords, with an alternative name for each. */
const aliases = new Map(Object.entries({ current_role: 'office', group: 'group_slug' }));

/** For columns whose names are PostgreSQL keywords: generated columns that repeat them (`aliasOf`) by another name. */
export function aliasColumns({ columns }: Pick<ExportTable, 'columns'>): (Column & { aliasOf: Column })[] {
  return columns.flatMap((aliasOf) => {
    const name = aliases.get(aliasOf.name);
    if (name === undefined || columns.some((each) => each.name === name)) return [];
    const description = `The same as "${aliasOf.name}". ${aliasOf.description}`;
    return [{ ...column.text(name, description), type: aliasOf.type, aliasOf }];
  });
}

/** The statement that adds a foreign key in PostgreSQL, checked at commit. */
export function foreignKeySql(schema: string, table: string, reference: TableReference): string {
  const quotedSchema = quotedName(schema);
  const constraint = quotedName(foreignKeyName(table, reference));
  const target = `${quotedSchema}.${quotedName(reference.table)} (${quotedList(reference.keys)})`;
  return `ALTER TABLE ${quotedSchema}.${quotedName(table)} ADD CONSTRAINT ${constraint}
    FOREIGN KEY (${quotedList(reference.columns)}) REFERENCES ${target} DEFERRABLE INITIALLY DEFERRED`;
}

/** The name of a foreign key in PostgreSQL. */
export const foreignKeyName = (table: string, { columns }: TableReference): string =>
  truncateToBytes(`${table}_${columns.join('_')}_fkey`, maxNameBytes);
