import { statSync } from 'node:fs';
import { BadTargetError } from '../errors.ts';
import { fitOf, isKnown, rawColumn, rawText } from '../format/fit.ts';
import { talliedTable } from '../format/tally.ts';
import type { Document, Json } from '../model/document.ts';
import type { Column } from '../model/kinds.ts';
import type { Handle } from '../store/mirror.ts';
import { openNewDatabase, openPlainDatabase } from '../store/open.ts';
import { quotedName } from '../store/schema.ts';
import { say } from '../words/speech.ts';
import { dictionaryRow } from './companions.ts';
import { createTableSql, sqlNames } from './ddl.ts';
import { searchSql } from './metadata.ts';
import type { FileColumn, WrittenTable } from './part.ts';
import { type ExportTable, heldReferences } from './table.ts';

/** One table of a plain SQLite file. */
type PlainTable = Pick<
  ExportTable,
  'name' | 'description' | 'columns' | 'key' | 'references' | 'rows' | 'count'
>;

type Content = {
  tables: PlainTable[];
  about: Record<string, string>;
  /** The name that the file will have. */
  target: string;
  /** Adds a full-text index for each table with text columns. */
  isSearched?: boolean;
  /** Called with the rows written so far; its promise is awaited. */
  watch?: (table: PlainTable, rows: number) => Promise<void> | undefined;
};

/** Creates an SQLite file of typed, described tables; values that do not fit a column go into a raw-value column. */
export async function makePlainFile(path: string, content: Content): Promise<WrittenTable[]> {
  let database: Handle | null = null;
  try {
    database = openNewDatabase(path);
    // Fewer pages of the file change hands; a file that is not finished is thrown away. (OFF is refused to this driver.)
    for (const pragma of ['page_size = 4096', 'journal_mode = MEMORY', 'synchronous = OFF'])
      database.pragma(pragma);
    // Records may reference politicians and parties that no dataset lists.
    database.pragma('foreign_keys = OFF');
    database.exec('BEGIN');
    const written = await writeAll(database, content);
    database.exec('COMMIT');
    return written;
  } catch (error) {
    const code = sqliteCode(error);
    if (!/^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/.test(code)) throw error;
    const isFull = code === 'SQLITE_FULL';
    throw new BadTargetError(
      content.target,
      isFull ? say`no space left on the device` : (error as Error).message,
    );
  } finally {
    database?.close();
  }
}

async function writeAll(
  database: Handle,
  { tables, about, isSearched = false, watch }: Content,
): Promise<WrittenTable[]> {
  database.exec('CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL)');
  const fact = database.prepare('INSERT INTO about VALUES (?, ?)');
  for (const [key, value] of Object.entries(about)) fact.run(key, value);
  database.exec(
    'CREATE TABLE dictionary ("table" TEXT, "column" TEXT, type TEXT, description TEXT, filled TEXT, "values" TEXT)',
  );
  const entry = database.prepare('INSERT INTO dictionary VALUES (?, ?, ?, ?, ?, ?)');
  const written: WrittenTable[] = [];
  for (const table of tables) {
    const names = tables.map(({ name }) => name);
    const { rows, columns } = await writeRows(database, table, { names, watch });
    entry.run(table.name, null, 'table', table.description, null, null);
    for (const column of columns) {
      const { type, description, filled, values } = dictionaryRow({ name: table.name, rows }, column);
      entry.run(table.name, column.name, type, description, filled, values);
    }
    written.push({ name: table.name, rows, columns });
  }
  for (const { name, references } of tables)
    for (const { columns } of references)
      database.exec(
        `CREATE INDEX ${quotedName(`${name}_${columns.join('_')}`)} ON ${quotedName(name)} (${listed(columns)})`,
      );
  if (isSearched) for (const table of tables) for (const sql of searchSql(table)) database.exec(sql);
  return written;
}

const listed = (names: string[]) => names.map(quotedName).join(', ');

async function writeRows(
  database: Handle,
  table: PlainTable,
  { names: present, watch }: { names: string[]; watch: Content['watch'] },
): Promise<{ rows: number; columns: FileColumn[] }> {
  const references = heldReferences(table.references, present);
  database.exec(createTableSql(table, { dialect: 'sqlite', references }));
  const names = sqlNames(table.columns, 'sqlite');
  const quoted = quotedName(table.name);
  const raw: RawColumn[] = [];
  const prepare = () =>
    database.prepare(`INSERT INTO ${quoted} VALUES (${[...names, ...raw].map(() => '?').join(', ')})`);
  let insert = prepare();
  const addRaw = (of: number): RawColumn => {
    const all = [...table.columns, ...raw];
    const column = rawColumn(names[of]!, new Set([...names, ...raw.map(({ name }) => name)]));
    const added = { ...column, name: sqlNames([...all, column], 'sqlite').at(-1)!, of, filled: 0 };
    database.exec(`ALTER TABLE ${quoted} ADD COLUMN ${quotedName(added.name)} TEXT`);
    raw.push(added);
    insert = prepare();
    return added;
  };
  const takes = table.columns.map(cellTaker);
  const tallied = talliedTable({ rows: table.rows, columns: table.columns });
  let count = 0;
  await watch?.(table, count);
  for (const row of tallied.rows) {
    const taken = table.columns.map(({ name }, at) =>
      takes[at]!((Object.hasOwn(row, name) ? row[name] : null) ?? null),
    );
    for (const [at, { rest }] of taken.entries())
      if (rest !== null) (raw.find(({ of }) => of === at) ?? addRaw(at)).filled += 1;
    insert.run(...taken.map(({ cell }) => cell), ...raw.map(({ of }) => taken[of]!.rest));
    count += 1;
    if (watch && count % rowsBetween === 0) await watch(table, count);
  }
  const columns: FileColumn[] = tallied.columns().map((column, at) => ({ ...column, name: names[at]! }));
  for (const { of, filled, ...column } of raw) {
    const facts = { name: column.name, filled, misfits: 0, values: null, range: null };
    columns.push({ ...column, rawOf: names[of]!, facts });
  }
  return { rows: count, columns };
}

type RawColumn = ReturnType<typeof rawColumn> & { of: number; filled: number };

/** So many rows take a few milliseconds. */
const rowsBetween = 500;

/** Splits a value into what the column holds and the text of a misfit (null if none). */
function cellTaker(
  column: Column,
): (value: Json) => { cell: ReturnType<typeof stored>; rest: string | null } {
  const { type, isReference } = column;
  const fit = isKnown(column) && type !== 'json' && (type !== 'text' || isReference) ? fitOf(column) : null;
  return (value) => {
    if (value === null || fit === null || (type === 'text' && typeof value !== 'object'))
      return { cell: stored(value), rest: null };
    const taken = fit.take(value);
    // A moment that is spelled otherwise is one.
    if (fit.wasWhole() || (type === 'datetime' && taken !== null)) return { cell: stored(value), rest: null };
    return { cell: type === 'text' ? (taken as string | null) : null, rest: rawText(value) };
  };
}

function stored(value: Json): string | number | bigint | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

const pluckFrom =
  (database: Handle) =>
  (sql: string, ...values: string[]) =>
    database
      .prepare<unknown[], string>(sql)
      .pluck()
      .all(...values);

/** The tables of a file of `makePlainFile`, to be written into another one while it is open; null for any other file. */
export function openPlainFile(
  path: string,
): { tables: Map<string, PlainTable>; showsPast: boolean; close(): void } | null {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
  let database: Handle | null = null;
  try {
    const opened = openPlainDatabase(path);
    database = opened;
    const read = pluckFrom(opened);
    const names = read(`SELECT "table" FROM dictionary WHERE type = 'table'`);
    return {
      tables: new Map(names.map((name) => [name, writtenTable(opened, name)])),
      showsPast: read("SELECT value FROM about WHERE key = 'as_of'").length > 0,
      close: () => void opened.close(),
    };
  } catch (error) {
    database?.close();
    if (sqliteCode(error).startsWith('SQLITE_')) return null;
    throw error;
  }
}

function sqliteCode(error: unknown): string {
  return String((error as { code?: unknown }).code);
}

function writtenTable(database: Handle, name: string): PlainTable {
  const columns = database
    .prepare<unknown[], Column>(
      `SELECT "column" AS name, type, description FROM dictionary
       WHERE "table" = ? AND "column" IS NOT NULL ORDER BY rowid`,
    )
    .all(name);
  const references = database
    .prepare<unknown[], { columns: string; table: string; keys: string }>(
      `SELECT "table", json_group_array("from") AS columns, json_group_array("to") AS keys
       FROM (SELECT * FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq) GROUP BY id ORDER BY id DESC`,
    )
    .all(name)
    .map(({ columns: from, table, keys }) => ({ columns: JSON.parse(from), table, keys: JSON.parse(keys) }));
  const read = pluckFrom(database);
  const count = Number(read(`SELECT count(*) FROM ${quotedName(name)}`)[0]);
  const [description] = read(`SELECT description FROM dictionary WHERE "table" = ? AND type = 'table'`, name);
  return {
    ...{ name, description: description!, columns, references },
    key: read('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk', name),
    rows: () => database.prepare<[], Document>(`SELECT * FROM ${quotedName(name)} ORDER BY rowid`).iterate(),
    count: () => count,
  };
}
