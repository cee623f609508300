import { BadTargetError } from '../errors.ts';
import { fitOf, isTyped, rawColumn, rawText } from '../format/fit.ts';
import { talliedTable } from '../format/tally.ts';
import type { Json } from '../model/document.ts';
import type { Column } from '../model/kinds.ts';
import type { Handle } from '../store/mirror.ts';
import { openNewDatabase } from '../store/open.ts';
import { quotedName } from '../store/schema.ts';
import { say } from '../words/speech.ts';
import { dictionaryRow } from './companions.ts';
import { createTableSql, quotedList, sqlNames } from './ddl.ts';
import type { FileColumn, WrittenTable } from './part.ts';
import { type ExportTable, validReferences } from './table.ts';

type Content = {
  tables: ExportTable[];
  about: Record<string, string>;
  /** The final name of the file. */
  target: string;
  /** Called with the rows written so far; its promise is awaited. */
  watch?: (table: ExportTable, rows: number) => Promise<void> | undefined;
};

/** Creates an SQLite file of typed, described tables; values that do not fit a column go into a raw-value column. */
export async function makePlainFile(path: string, content: Content): Promise<WrittenTable[]> {
  let database: Handle | null = null;
  try {
    database = openNewDatabase(path);
    // Faster writing: an unfinished file is thrown away. (The driver refuses journal_mode OFF.)
    for (const pragma of ['page_size = 4096', 'journal_mode = MEMORY', 'synchronous = OFF']) database.pragma(pragma);
    // Records may reference politicians and parties that no dataset lists.
    database.pragma('foreign_keys = OFF');
    database.exec('BEGIN');
    const written = await writeAll(database, content);
    database.exec('COMMIT');
    return written;
  } catch (error) {
    const code = String((error as { code?: unknown }).code);
    if (!/^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/.test(code)) throw error;
    const isFull = code === 'SQLITE_FULL';
    throw new BadTargetError(content.target, isFull ? say`no space left on the device` : (error as Error).message);
  } finally {
    database?.close();
  }
}

async function writeAll(database: Handle, { tables, about, watch }: Content): Promise<WrittenTable[]> {
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
        `CREATE INDEX ${quotedName(`${name}_${columns.join('_')}`)} ON ${quotedName(name)} (${quotedList(columns)})`,
      );
  return written;
}

async function writeRows(
  database: Handle,
  table: ExportTable,
  { names: present, watch }: { names: string[]; watch: Content['watch'] },
): Promise<{ rows: number; columns: FileColumn[] }> {
  const references = validReferences(table.references, present);
  database.exec(createTableSql(table, references));
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
    const fittedCells = table.columns.map(({ name }, at) =>
      takes[at]!((Object.hasOwn(row, name) ? row[name] : null) ?? null),
    );
    for (const [at, { misfitText }] of fittedCells.entries())
      if (misfitText !== null) (raw.find(({ of }) => of === at) ?? addRaw(at)).filled += 1;
    insert.run(...fittedCells.map(({ cell }) => cell), ...raw.map(({ of }) => fittedCells[of]!.misfitText));
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

function cellTaker(column: Column) {
  const { type, isReference } = column;
  const fit = isTyped(column) && type !== 'json' && (type !== 'text' || isReference) ? fitOf(column) : null;
  return (value: Json) => {
    if (value === null || fit === null || (type === 'text' && typeof value !== 'object'))
      return { cell: stored(value), misfitText: null };
    const fittedValue = fit.take(value);
    // Another spelling of a moment is no misfit.
    if (fit.wasWhole() || (type === 'datetime' && fittedValue !== null))
      return { cell: stored(value), misfitText: null };
    return { cell: type === 'text' ? (fittedValue as string | null) : null, misfitText: rawText(value) };
  };
}

function stored(value: Json): string | number | bigint | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  return typeof value === 'object' ? JSON.stringify(value) : value;
}
