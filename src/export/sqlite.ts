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

/** Replaces a plain SQLite file by one of these tables, and writes its `FILE.meta.json`. */
export function exportSqlite(tables: ExportTable[], path: string, { warn, ...options }: SqliteOptions) {
  const about = aboutTables(tables);
  const fileOptions = { ...options, format: 'sqlite', mark: combinedMark(tables) } as const;
  return exportOneFile(tables, path, fileOptions, async (refuse, watch) => {
    let written: WrittenTable[] = [];
    const writtenTables = await createAtomically(path, async (file) => {
      written = await createSqliteFile(file, { tables, about, target: path, watch });
      for (const table of written) refuse(table);
      await refuseInterrupted(options.signal);
      return options.ifChanged && (await hashIfReadable(file)) === (await hashIfReadable(path)) ? null : written;
    });
    for (const { name, columns } of writtenTables ?? [])
      for (const line of misfitWarnings({ name, written: () => columns })) warn?.(line);
    const file = { bytes: statSync(path).size, sha256: await hashFile(path) };
    return { written, isKept: writtenTables === null, file };
  });
}

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
    const writtenTables = await writeAll(database, content);
    database.exec('COMMIT');
    return writtenTables;
  } catch (error) {
    throw databaseError(content.target, error);
  }
}

/** A BadTargetError that names `target` for an error of SQLite about a file; other errors unchanged. */
export function databaseError(target: string, error: unknown): unknown {
  const code = String((error as { code?: unknown }).code);
  if (!/^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/.test(code)) return error;
  const isDiskFull = code === 'SQLITE_FULL';
  return new BadTargetError(target, isDiskFull ? say`no space left on the device` : verbatim((error as Error).message));
}

async function writeAll(database: Handle, { tables, about, watch }: Content): Promise<WrittenTable[]> {
  database.exec('CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL)');
  const insertFact = database.prepare('INSERT INTO about VALUES (?, ?)');
  for (const [key, value] of Object.entries(about)) insertFact.run(key, value);
  database.exec(
    'CREATE TABLE dictionary ("table" TEXT, "column" TEXT, type TEXT, description TEXT, filled TEXT, "values" TEXT)',
  );
  const insertEntry = database.prepare('INSERT INTO dictionary VALUES (?, ?, ?, ?, ?, ?)');
  const written: WrittenTable[] = [];
  for (const table of tables) {
    const names = tables.map(({ name }) => name);
    const { rows, columns } = await writeRows(database, table, { names, watch });
    insertEntry.run(table.name, null, 'table', table.description, null, null);
    for (const column of columns) {
      const { type, description, filled, values } = dictionaryRow({ name: table.name, rows }, column);
      insertEntry.run(table.name, column.name, type, description, filled, values);
    }
    written.push({ name: table.name, rows, columns });
  }
  for (const { name, references } of tables)
    for (const { columns } of references)
      database.exec(
        `CREATE INDEX ${quotedName(`${name}_${columns.join('_')}`)} ON ${quotedName(name)} (${quotedList(columns)})`,
      );
  return written;
}

async function writeRows(
  database: Handle,
  table: ExportTable,
  { names: tableNames, watch }: { names: string[]; watch: Content['watch'] },
): Promise<{ rows: number; columns: WrittenColumn[] }> {
  database.exec(createTableSql(table, validReferences(table.references, tableNames)));
  const names = sqlNames(table.columns, 'sqlite');
  const tableSql = quotedName(table.name);
  const rawColumns: RawColumn[] = [];
  const prepare = () =>
    database.prepare(`INSERT INTO ${tableSql} VALUES (${[...names, ...rawColumns].map(() => '?').join(', ')})`);
  let insert = prepare();
  const addRawColumn = (columnIndex: number): RawColumn => {
    const all = [...table.columns, ...rawColumns];
    const column = rawColumn(names[columnIndex]!, new Set([...names, ...rawColumns.map(({ name }) => name)]));
    const newColumn = { ...column, name: sqlNames([...all, column], 'sqlite').at(-1)!, of: columnIndex, filled: 0 };
    database.exec(`ALTER TABLE ${tableSql} ADD COLUMN ${quotedName(newColumn.name)} TEXT`);
    rawColumns.push(newColumn);
    insert = prepare();
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
    for (const [at, { misfitText }] of fittedCells.entries())
      if (misfitText !== null) (rawColumns.find(({ of }) => of === at) ?? addRawColumn(at)).filled += 1;
    insert.run(...fittedCells.map(({ cell }) => cell), ...rawColumns.map(({ of }) => fittedCells[of]!.misfitText));
    count += 1;
    if (watch && count % rowsPerWatch === 0) await watch(table, count);
  }
  const columns: WrittenColumn[] = talliedRows.columns().map((column, at) => ({ ...column, name: names[at]! }));
  for (const { of, filled, ...column } of rawColumns) {
    const facts = { name: column.name, filled, misfits: 0, values: null, range: null };
    columns.push({ ...column, rawOf: names[of]!, facts });
  }
  return { rows: count, columns };
}

type RawColumn = ReturnType<typeof rawColumn> & { of: number; filled: number };

/** So many rows take a few milliseconds. */
const rowsPerWatch = 500;

function createCellConverter(column: Column) {
  const { type, isReference } = column;
  const isText = type === 'json' || (type === 'text' && !isReference);
  const convert = createConverter(column);
  return (value: Json) => {
    if (value === null || value === Infinity || value === -Infinity) return { cell: null, misfitText: null };
    if (isText) return { cell: rawText(value), misfitText: null };
    const fittedValue = convert.convert(value) as string | number | bigint | boolean | null;
    const misfitText = convert.wasLossless() ? null : rawText(value);
    // Days and moments are text: another spelling of one is no misfit.
    if ((type === 'date' || type === 'datetime') && fittedValue !== null) return { cell: value, misfitText: null };
    return { cell: typeof fittedValue === 'boolean' ? BigInt(fittedValue) : fittedValue, misfitText };
  };
}
