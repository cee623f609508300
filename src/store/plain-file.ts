import { BadTargetError } from '../errors.ts';
import type { Document, Json } from '../model/document.ts';
import type { Column, ColumnType } from '../model/kinds.ts';
import { openNewDatabase } from './open.ts';

/** One table of a plain SQLite file. */
export type PlainTable = {
  name: string;
  description: string;
  columns: Column[];
  /** The column that names each record, or null. */
  key: string | null;
  references: { column: string; table: string; key: string }[];
  rows: () => Iterable<Document>;
};

const affinities: Record<ColumnType, string> = {
  text: 'TEXT',
  integer: 'INTEGER',
  boolean: 'INTEGER',
  date: 'TEXT',
  datetime: 'TEXT',
  json: 'TEXT',
};

/**
 * Makes an SQLite file of tables and nothing else, for whoever reads it with other programs: typed columns, foreign
 * keys, and what stands in it (`about`, `dictionary`). `target` is the name that it will have. Returns the rows by table.
 */
export function makePlainFile(
  path: string,
  { tables, about, target }: { tables: PlainTable[]; about: Record<string, string>; target: string },
): { name: string; rows: number }[] {
  const database = openNewDatabase(path);
  try {
    // Fewer pages of the file change hands; a file that is not finished is thrown away.
    for (const pragma of ['page_size = 4096', 'journal_mode = OFF', 'synchronous = OFF'])
      database.pragma(pragma);
    // Sources name politicians and parties that no dataset lists: those references stay as they are.
    database.pragma('foreign_keys = OFF');
    database.exec('BEGIN');
    database.exec('CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL)');
    const fact = database.prepare('INSERT INTO about VALUES (?, ?)');
    for (const [key, value] of Object.entries(about)) fact.run(key, value);
    database.exec('CREATE TABLE dictionary ("table" TEXT, "column" TEXT, type TEXT, description TEXT)');
    const entry = database.prepare('INSERT INTO dictionary VALUES (?, ?, ?, ?)');
    const written = tables.map((table) => {
      database.exec(tableSql(table, new Set(tables.map(({ name }) => name))));
      entry.run(table.name, null, 'table', table.description);
      const names = distinctNames(table.columns);
      for (const [at, { type, description }] of table.columns.entries())
        entry.run(table.name, names[at], type, description);
      return { name: table.name, rows: fill(database.prepare(insertSql(table)), table) };
    });
    for (const { name, references } of tables)
      for (const { column } of references)
        database.exec(`CREATE INDEX ${quoted(`${name}_${column}`)} ON ${quoted(name)} (${quoted(column)})`);
    database.exec('COMMIT');
    return written;
  } catch (error) {
    const isOfFile = /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/.test(
      String((error as { code?: unknown }).code),
    );
    throw isOfFile ? new BadTargetError(target, (error as Error).message) : error;
  } finally {
    database.close();
  }
}

function tableSql({ name, columns, key, references }: PlainTable, present: Set<string>): string {
  const names = distinctNames(columns);
  const lines = columns.map((column, at) => `${quoted(names[at]!)} ${affinities[column.type]}`);
  if (key !== null && columns.some((column) => column.name === key))
    lines.push(`PRIMARY KEY (${quoted(key)})`);
  for (const each of references.filter(({ table }) => present.has(table)))
    lines.push(`FOREIGN KEY (${quoted(each.column)}) REFERENCES ${quoted(each.table)} (${quoted(each.key)})`);
  return `CREATE TABLE ${quoted(name)} (\n  ${lines.join(',\n  ')}\n)`;
}

/**
 * The names of columns as SQLite tells them apart, which does not look at case: `Text` beside `text` is `Text_2`.
 * SQL cannot hold U+0000.
 */
function distinctNames(columns: Column[]): string[] {
  const taken = new Set<string>();
  return columns.map((column) => {
    const name = column.name.replaceAll('\0', '\ufffd');
    let distinct = name;
    for (let n = 2; taken.has(folded(distinct)); n += 1) distinct = `${name}_${n}`;
    taken.add(folded(distinct));
    return distinct;
  });
}

/** SQLite folds the case of ASCII letters only. */
function folded(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function insertSql({ name, columns }: PlainTable): string {
  return `INSERT INTO ${quoted(name)} VALUES (${columns.map(() => '?').join(', ')})`;
}

function fill(statement: { run(...values: unknown[]): unknown }, { columns, rows }: PlainTable): number {
  let count = 0;
  for (const row of rows()) {
    statement.run(...columns.map(({ name }) => stored(Object.hasOwn(row, name) ? row[name] : null)));
    count += 1;
  }
  return count;
}

function stored(value: Json | undefined): string | number | bigint | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
