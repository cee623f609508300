import { statSync } from 'node:fs';
import { nearMissHint, orNull, UsageError } from '../../errors.ts';
import { nearWords } from '../../language/near-miss.ts';
import type { Document, Json } from '../../model/document.ts';
import type { Column } from '../../model/kinds.ts';
import { say } from '../../words/speech.ts';
import { type Handle, type Mirror, whileOpen } from '../mirror.ts';
import { openNewDatabase, openReadOnlyDatabase } from '../open.ts';
import { quotedName } from '../schema.ts';
import { createViews, type DocumentedView, documentedViews } from './documented-views.ts';

/** A statement with the values of its parameters, by name. */
export type Statement = { sql: string; values: Record<string, string | number | null> };

/** The rows of a statement; `isCut` if there are more. */
export type StatementRows = { columns: string[]; rows: Document[]; isCut: boolean };

/** Matches strings, quoted names and comments; `name` is that of a parameter with its prefix, `mark` is a `?`. */
const tokenPattern =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(?<name>[:@$]\w+)|(?<mark>\?)/g;

/** Names of a statement's parameters, such as `party` for `:party`. Throws a UsageError for `?`. */
export function parametersIn(sql: string): string[] {
  const matches = Array.from(sql.matchAll(tokenPattern), ({ groups }) => groups!);
  if (matches.some(({ mark }) => mark))
    throw new UsageError(say`? is not supported as a parameter`, say`use a name, as in \`WHERE party = :party\``);
  return [...new Set(matches.flatMap(({ name }) => (name ? [name.slice(1)] : [])))];
}

/** Matches forbidden names: SQLite's tables, table-valued functions over its state, extension loading. */
const forbiddenNamePattern = /\b(?:sqlite_\w*|pragma_\w*|dbstat|fts3tokenize|fts3_tokenizer|load_extension)\b/i;

/** The rows of one SELECT over the documented views, at most `maxRows`. Throws a UsageError for anything else. */
export function runStatement(mirror: Mirror, statement: Statement, maxRows: number): StatementRows {
  const views = checkStatement(mirror, statement);
  createViews(mirror, statement.sql);
  return readRows(mirror.database, statement, { maxRows, views });
}

/** Returns the documented views. Throws a UsageError unless the statement is one SELECT over them. */
export function checkStatement(mirror: Mirror, statement: Statement): DocumentedView[] {
  checkNames(statement);
  const views = documentedViews(mirror);
  // An empty database with only these views does not know any other name.
  return whileOpen(openNewDatabase(':memory:'), (emptyDatabase) => {
    for (const { name, columns } of views)
      emptyDatabase.exec(
        `CREATE VIEW ${quotedName(name)} AS SELECT ${columns.map((each) => `NULL AS ${quotedName(each.name)}`).join(', ')}`,
      );
    withUsageErrors(views, () => prepareRead(emptyDatabase, statement.sql));
    return views;
  });
}

/** Throws a UsageError for a non-SELECT, an outside name, or parameters that do not match the values. */
function checkNames({ sql, values }: Statement): void {
  const sqlBody = sql.replace(/^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)+/, '');
  if (!/^(?:SELECT|WITH|VALUES)\b/i.test(sqlBody))
    throw new UsageError(
      say`a statement must begin with SELECT, WITH or VALUES`,
      say`it must be read-only, as in \`SELECT party, count(*) FROM politicians GROUP BY party\``,
    );
  const [forbiddenName] = forbiddenNamePattern.exec(sql) ?? [];
  if (forbiddenName)
    throw new UsageError(
      say`a statement must not use ${forbiddenName}`,
      say`it may only read the documented views, listed by \`hemicycle sql --schema\``,
    );
  const parameterNames = parametersIn(sql);
  const missing = parameterNames.find((name) => !Object.hasOwn(values, name));
  if (missing !== undefined)
    throw new UsageError(
      say`:${missing} has no value`,
      say`give it one: --param ${missing}=VALUE, or &${missing}=VALUE in an address`,
    );
  const unknown = Object.keys(values).find((name) => !parameterNames.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      say`the statement has no :${unknown}`,
      nearMissHint(nearWords(unknown, parameterNames)) ??
        say`its parameters: ${parameterNames.join(', ') || say`none`}`,
    );
}

/** Prepares a statement. Throws a UsageError if it writes or returns no rows. */
function prepareRead(database: Handle, sql: string) {
  const prepared = database.prepare<unknown[], unknown[]>(sql);
  if (prepared.reader && prepared.readonly) return prepared;
  throw new UsageError(say`the statement returns no rows`, say`write one SELECT`);
}

/** A file of `export --sqlite`: its tables, and the facts of its table `about`, such as whom to cite. */
export type ExportedFile = { tables: DocumentedView[]; about: Record<string, string> };

/** Runs `work` on a file of `export --sqlite`; throws a UsageError for any other file. */
function withExportedFile<Result>(path: string, work: (database: Handle, file: ExportedFile) => Result): Result {
  const notExported = new UsageError(
    say`${path} was not written by \`export --sqlite\``,
    say`create one with \`hemicycle export --all --sqlite FILE\``,
  );
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw notExported;
  return whileOpen(openReadOnlyDatabase(path), (database) => {
    const file = orNull(() => readTables(database));
    if (file === null) throw notExported;
    return work(database, file);
  });
}

/** Reads the tables and facts of a file. Throws an SqliteError if it lacks the tables `about` or `dictionary`. */
function readTables(database: Handle): ExportedFile {
  const about = database.prepare<unknown[], [string, string]>('SELECT key, value FROM about').raw().all();
  const rows = database.prepare<unknown[], Column & { table: string }>(
    'SELECT "table", "column" AS name, type, description FROM dictionary ORDER BY rowid',
  );
  const tables: DocumentedView[] = [];
  for (const { table, ...column } of rows.iterate())
    if (column.name === null) tables.push({ name: table, description: column.description, columns: [] });
    else tables.at(-1)!.columns.push(column);
  return { tables, about: Object.fromEntries(about) };
}

/** Returns the tables and facts of a file of `export --sqlite`; throws a UsageError for any other file. */
export const readExportedFile = (path: string) => withExportedFile(path, (_database, file) => file);

/** Most characters that a server reads per statement: a larger response would delay other clients. */
const maxServedCharacters = 4_000_000;

/** Runs one SELECT over a file of `export --sqlite`, as `runStatement`. Throws a UsageError for anything else. */
export function runOnFile(path: string, statement: Statement, maxRows: number): StatementRows & ExportedFile {
  checkNames(statement);
  return withExportedFile(path, (database, file) => ({
    ...file,
    ...readRows(database, statement, { maxRows, maxChars: maxServedCharacters, views: file.tables }),
  }));
}

type ReadOptions = { maxRows: number; maxChars?: number; views: readonly DocumentedView[] };

/** Reads at most `maxRows` rows and about `maxChars` characters, writes refused; unsafe integers become text. */
export function readRows(
  database: Handle,
  { sql, values }: Statement,
  { maxRows, maxChars = Number.POSITIVE_INFINITY, views }: ReadOptions,
): StatementRows {
  database.pragma('query_only = ON');
  using _ = { [Symbol.dispose]: () => database.pragma('query_only = OFF') };
  return withUsageErrors(views, () => {
    const prepared = prepareRead(database, sql).raw().safeIntegers();
    const columns = numberDuplicates(prepared.columns().map(({ name }) => name));
    const rows: Document[] = [];
    let length = 0;
    for (const row of prepared.iterate(Object.fromEntries(Object.entries(values).map(toBinding)))) {
      if (rows.length === maxRows || length > maxChars) return { columns, rows, isCut: true };
      const cells = row.map(toJson);
      if (Number.isFinite(maxChars)) for (const cell of cells) length += String(cell).length + 10;
      rows.push(Object.fromEntries(cells.map((cell, at) => [columns[at]!, cell])));
    }
    return { columns, rows, isCut: false };
  });
}

/** better-sqlite3 binds numbers as REAL, and 5.0 does not equal the text "5": integers are bound as INTEGER. */
const toBinding = ([name, value]: [string, string | number | null]) =>
  [name, Number.isSafeInteger(value) ? BigInt(value as number) : value] as const;

function toJson(value: unknown): Json {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return Buffer.isBuffer(value) ? value.toString('hex') : (value as Json);
}

/** Column names; duplicates are numbered: `slug`, `slug_2`. */
function numberDuplicates(names: string[]): string[] {
  const usedNames = new Set<string>();
  return names.map((name) => {
    let uniqueName = name;
    for (let n = 2; usedNames.has(uniqueName); n += 1) uniqueName = `${name}_${n}`;
    usedNames.add(uniqueName);
    return uniqueName;
  });
}

/** Runs `work` and turns SQLite's statement errors into a UsageError with similar names. */
function withUsageErrors<Result>(views: readonly DocumentedView[], work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const isDriverError = error instanceof RangeError || error instanceof TypeError;
    if (!isDriverError && !/^SQLITE_(ERROR|TOOBIG|RANGE|MISMATCH|NOMEM|AUTH|READONLY|MISUSE)/.test(code ?? ''))
      throw error;
    const [, nameKind, name = ''] = /^no such (table|column): (?:.*\.)?(.*)$/s.exec(message) ?? [];
    const candidates = nameKind === 'table' ? views : views.flatMap(({ columns }) => columns);
    const nearNames = nameKind ? nearWords(name, [...new Set(candidates.map((each) => each.name))]) : [];
    throw new UsageError(
      say`SQLite refuses the statement: ${message}`,
      nearMissHint(nearNames) ?? say`\`hemicycle sql --schema\` lists the views and their columns`,
    );
  }
}
