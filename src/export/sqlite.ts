import { statSync } from 'node:fs';
import { BadTargetError } from '../errors.ts';
import { createAtomically } from '../format/atomic-file.ts';
import { createConverter, rawColumn, rawText } from '../format/fit.ts';
import type { WrittenColumn } from '../format/format.ts';
import { tallyTable } from '../format/tally.ts';
import type { Json } from '../model/document.ts';
import type { Column } from '../model/kinds.ts';
import type { Handle } from '../store/mirror.ts';
import { openNewDatabase } from '../store/open.ts';
import { quotedName } from '../store/schema.ts';
import { type Phrase, say, verbatim } from '../words/speech.ts';
import { dictionaryRow } from './companions.ts';
import { createTableSql, quotedList, sqlNames } from './ddl.ts';
import { hashFile, hashIfReadable } from './former-export.ts';
import { misfitWarnings, refuseInterrupted, type WrittenTable } from './part.ts';
import { type ExportTable, validReferences } from './table.ts';
import { aboutTables, combinedMark, exportOneFile, type OneFileOptions } from './tables-file.ts';

type SqliteOptions = OneFileOptions & { warn?: (line: Phrase) => void };

/** Writes tables into a new SQLite file and its `FILE.meta.json`; keeps the old ones if `ifChanged` and equal. */
export function exportSqlite(tables: ExportTable[], path: string, { warn, ...options }: SqliteOptions) {
  const about = aboutTables(tables);
  const fileOptions = { ...options, format: 'sqlite', mark: combinedMark(tables) } as const;
  return exportOneFile(tables, path, fileOptions, async (checkLosses, watch) => {
    let writtenTables: WrittenTable[] = [];
    let isKept = false;
    await createAtomically(path, async (file) => {
      writtenTables = await createSqliteFile(file, { tables, about, target: path, watch });
      for (const table of writtenTables) checkLosses(table);
      await refuseInterrupted(options.signal);
      isKept = options.ifChanged && (await hashIfReadable(file)) === (await hashIfReadable(path));
      return isKept ? null : writtenTables; // null discards the file
    });
    for (const { name, columns } of isKept ? [] : writtenTables)
      for (const line of misfitWarnings({ name, written: () => columns })) warn?.(line);
    return { written: writtenTables, isKept, file: { bytes: statSync(path).size, sha256: await hashFile(path) } };
  });
}

/** Tables for a file, and `about`, the rows of its table of that name. */
type Content = {
  tables: ExportTable[];
  about: Record<string, string>;
  /** The final name of the file. */
  target: string;
  /** Called with the rows written so far; its promise is awaited. */
  watch?: (table: ExportTable, rows: number) => Promise<void> | undefined;
};

/** Creates an SQLite file of typed, described tables; values that do not fit a column go into a raw-value column. */
export async function createSqliteFile(path: string, content: Content): Promise<WrittenTable[]> {
  try {
    const database = openNewDatabase(path);
    using _ = { [Symbol.dispose]: () => database.close() };
    // Faster writing: an unfinished file is thrown away. (The driver refuses journal_mode OFF.)
    for (const pragma of ['page_size = 4096', 'journal_mode = MEMORY', 'synchronous = OFF']) database.pragma(pragma);
    // Records may reference politicians and parties that no dataset lists.
    database.pragma('foreign_keys = OFF');
    database.exec('BEGIN');
    const writtenTables = await writeTables(database, content);
    database.exec('COMMIT');
    return writtenTables;
  } catch (error) {
    throw databaseError(content.target, error);
  }
}

/** Converts an error of SQLite about a file to a BadTargetError that names `target`; returns others unchanged. */
export function databaseError(target: string, error: unknown): unknown {
  const code = String((error as { code?: unknown }).code);
  if (!/^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/.test(code)) return error;
  const isDiskFull = code === 'SQLITE_FULL';
  return new BadTargetError(target, isDiskFull ? say`no space left on the device` : verbatim((error as Error).message));
}

/** Writes the tables `about` and `dictionary`, the tables themselves, and an index for each reference. */
async function writeTables(database: Handle, { tables, about, watch }: Content): Promise<WrittenTable[]> {
  database.exec('CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL)');
  const insertFact = database.prepare('INSERT INTO about VALUES (?, ?)');
  for (const [key, value] of Object.entries(about)) insertFact.run(key, value);
  database.exec(
    'CREATE TABLE dictionary ("table" TEXT, "column" TEXT, type TEXT, description TEXT, filled TEXT, "values" TEXT)',
  );
  const insertEntry = database.prepare(
    'INSERT INTO dictionary VALUES (@table, @column, @type, @description, @filled, @values)',
  );
  const written: WrittenTable[] = [];
  for (const table of tables) {
    const { rows, columns } = await writeRows(database, table, { names: tables.map(({ name }) => name), watch });
    const { name, description } = table;
    insertEntry.run({ table: name, column: null, type: 'table', description, filled: null, values: null });
    for (const column of columns) insertEntry.run(dictionaryRow({ name, rows }, column));
    written.push({ name, rows, columns });
  }
  for (const { name, references } of tables)
    for (const { columns } of references)
      database.exec(
        `CREATE INDEX ${quotedName(`${name}_${columns.join('_')}`)} ON ${quotedName(name)} (${quotedList(columns)})`,
      );
  return written;
}

/** Creates a table and inserts its rows; adds a raw-value column when the first value does not fit its column. */
async function writeRows(
  database: Handle,
  table: ExportTable,
  { names: tableNames, watch }: { names: string[]; watch: Content['watch'] },
): Promise<{ rows: number; columns: WrittenColumn[] }> {
  database.exec(createTableSql(table, validReferences(table.references, tableNames)));
  const names = sqlNames(table.columns, 'sqlite');
  const tableSql = quotedName(table.name);
  const rawColumns: RawColumn[] = [];
  const prepareInsert = () =>
    database.prepare(`INSERT INTO ${tableSql} VALUES (${[...names, ...rawColumns].map(() => '?').join(', ')})`);
  let insert = prepareInsert();
  const addRawColumn = (sourceIndex: number): RawColumn => {
    const all = [...table.columns, ...rawColumns];
    const column = rawColumn(names[sourceIndex]!, new Set([...names, ...rawColumns.map(({ name }) => name)]));
    const newColumn = { ...column, name: sqlNames([...all, column], 'sqlite').at(-1)!, sourceIndex, filled: 0 };
    database.exec(`ALTER TABLE ${tableSql} ADD COLUMN ${quotedName(newColumn.name)} TEXT`);
    rawColumns.push(newColumn);
    insert = prepareInsert();
    return newColumn;
  };
  const cellConverters = table.columns.map(createCellConverter);
  const talliedRows = tallyTable({ rows: table.rows, columns: table.columns });
  let count = 0;
  await watch?.(table, count);
  for (const row of talliedRows.rows) {
    const fittedCells = table.columns.map(({ name }, at) =>
      cellConverters[at]!((Object.hasOwn(row, name) ? row[name] : null) ?? null),
    );
    for (const [at, { misfit }] of fittedCells.entries())
      if (misfit !== null) (rawColumns.find(({ sourceIndex }) => sourceIndex === at) ?? addRawColumn(at)).filled += 1;
    const rawCells = rawColumns.map(({ sourceIndex }) => fittedCells[sourceIndex]!.misfit);
    insert.run(...fittedCells.map(({ cell }) => cell), ...rawCells);
    count += 1;
    if (watch && count % rowsPerWatch === 0) await watch(table, count);
  }
  const columns: WrittenColumn[] = talliedRows.columns().map((column, at) => ({ ...column, name: names[at]! }));
  for (const { sourceIndex, filled, ...column } of rawColumns) {
    const facts = { name: column.name, filled, misfits: 0, values: null, range: null };
    columns.push({ ...column, rawOf: names[sourceIndex]!, facts });
  }
  return { rows: count, columns };
}

/** A column for the original values that do not fit the column at `sourceIndex`; `filled` counts them. */
type RawColumn = ReturnType<typeof rawColumn> & { sourceIndex: number; filled: number };

/** Rows between two calls of `watch`, which take a few milliseconds. */
const rowsPerWatch = 500;

/** Returns a function from a value to its SQLite cell and, if it does not fit, its original text (`misfit`). */
function createCellConverter(column: Column) {
  const { type, isReference } = column;
  const isText = type === 'json' || (type === 'text' && !isReference);
  const converter = createConverter(column);
  return (value: Json) => {
    if (value === null || value === Infinity || value === -Infinity) return { cell: null, misfit: null };
    if (isText) return { cell: rawText(value), misfit: null };
    const fittedValue = converter.convert(value) as string | number | bigint | boolean | null;
    const misfit = converter.wasLossless() ? null : rawText(value);
    // SQLite stores days and moments as text, so any value that converts to one is stored unchanged.
    if ((type === 'date' || type === 'datetime') && fittedValue !== null) return { cell: value, misfit: null };
    return { cell: typeof fittedValue === 'boolean' ? BigInt(fittedValue) : fittedValue, misfit };
  };
}
