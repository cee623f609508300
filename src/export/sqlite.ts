import { BadTargetError } from '../errors.ts';
import { makeAtomically } from '../format/atomic-file.ts';
import type { Json } from '../model/document.ts';
import { openNewDatabase, openPlainDatabase } from '../store/open.ts';
import { quotedName } from '../store/schema.ts';
import { say } from '../words/speech.ts';
import { createTableSql, sqlNames } from './ddl.ts';
import type { ExportedTable, ExportOptions, ExportResult } from './files.ts';
import { aboutTables } from './folder.ts';
import { hashOfFile, refuseShrunken, refuseVanished } from './former.ts';
import { type Interruption, interruptibleWatch, refuseInterrupted } from './part.ts';
import { keptTable, type PlainTable, plainFileTables, showsPast, sqliteCode } from './plain-file.ts';
import { type ExportTable, type ExportWatch, heldReferences } from './table.ts';

type Content = {
  tables: PlainTable[];
  /** What the file says of itself. */
  about: Record<string, string>;
  /** The name that the file will have. */
  target: string;
  /** Told how many rows of a table are written; what it returns is awaited. */
  watch?: (table: PlainTable, rows: number) => Promise<void> | undefined;
};

/**
 * Makes an SQLite file of tables and nothing else, for whoever reads it with other programs: typed columns, foreign
 * keys, and what stands in it (`about`, `dictionary`). Returns the rows by table.
 */
export async function makePlainFile(
  path: string,
  { tables, about, target, watch }: Content,
): Promise<{ name: string; rows: number }[]> {
  let database: ReturnType<typeof openNewDatabase> | null = null;
  try {
    database = openNewDatabase(path);
    // Fewer pages of the file change hands; a file that is not finished is thrown away. (OFF is refused to this driver.)
    for (const pragma of ['page_size = 4096', 'journal_mode = MEMORY', 'synchronous = OFF'])
      database.pragma(pragma);
    // Sources name politicians and parties that no dataset lists: those references stay as they are.
    database.pragma('foreign_keys = OFF');
    database.exec('BEGIN');
    database.exec('CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL)');
    const fact = database.prepare('INSERT INTO about VALUES (?, ?)');
    for (const [key, value] of Object.entries(about)) fact.run(key, value);
    database.exec('CREATE TABLE dictionary ("table" TEXT, "column" TEXT, type TEXT, description TEXT)');
    const entry = database.prepare('INSERT INTO dictionary VALUES (?, ?, ?, ?)');
    const written: { name: string; rows: number }[] = [];
    for (const table of tables) {
      database.exec(tableSql(table, new Set(tables.map(({ name }) => name))));
      entry.run(table.name, null, 'table', table.description);
      const names = sqlNames(table.columns, 'sqlite');
      for (const [at, { type, description }] of table.columns.entries())
        entry.run(table.name, names[at], type, description);
      const rows = await fill(database.prepare(insertSql(table)), table, watch);
      written.push({ name: table.name, rows });
    }
    for (const { name, references } of tables)
      for (const { columns } of references)
        database.exec(
          `CREATE INDEX ${quotedName(`${name}_${columns.join('_')}`)} ON ${quotedName(name)} (${listed(columns)})`,
        );
    database.exec('COMMIT');
    return written;
  } catch (error) {
    const code = sqliteCode(error);
    if (!/^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/.test(code)) throw error;
    const isFull = code === 'SQLITE_FULL';
    throw new BadTargetError(target, isFull ? say`no space left on the device` : (error as Error).message);
  } finally {
    database?.close();
  }
}

function tableSql(table: PlainTable, present: Set<string>): string {
  return createTableSql(table, {
    dialect: 'sqlite',
    references: heldReferences(table.references, [...present]),
  });
}

const listed = (names: string[]) => names.map(quotedName).join(', ');

function insertSql({ name, columns }: PlainTable): string {
  return `INSERT INTO ${quotedName(name)} VALUES (${columns.map(() => '?').join(', ')})`;
}

async function fill(
  statement: { run(...values: unknown[]): unknown },
  table: PlainTable,
  watch: Content['watch'],
): Promise<number> {
  let count = 0;
  await watch?.(table, count);
  for (const row of table.rows()) {
    statement.run(...table.columns.map(({ name }) => stored(Object.hasOwn(row, name) ? row[name] : null)));
    count += 1;
    if (watch && count % rowsBetween === 0) await watch(table, count);
  }
  return count;
}

/** So many rows take a few milliseconds. */
const rowsBetween = 500;

function stored(value: Json | undefined): string | number | bigint | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

type SqliteOptions = Omit<ExportOptions, 'created'> & {
  /** Names of tables that stay as they are in the file before, and are left out where it has none of them. */
  kept?: string[];
  watch: ExportWatch | undefined;
  interruption: Interruption;
};

/** Writes tables into one plain SQLite file, which takes the place of the one before as a whole. */
export async function exportSqlite(
  tables: ExportTable[],
  path: string,
  { watch, interruption, ifChanged, maxShrink, isPicked, kept = [] }: SqliteOptions,
): Promise<ExportResult> {
  const former = plainFileTables(path);
  const before = kept.some((name) => former.has(name)) ? openPlainDatabase(path) : null;
  try {
    const stays = (name: string) => kept.includes(name) && before !== null && !showsPast(before);
    const present = tables.filter(({ name }) => !kept.includes(name) || (stays(name) && former.has(name)));
    const names = present.map(({ name }) => name);
    refuseVanished(former, names, maxShrink);
    const content = {
      tables: present.map((table) => (stays(table.name) ? keptTable(before!, table.name) : table)),
      about: aboutTables(present),
      target: path,
      watch: interruptibleWatch(watch, interruption, Date.now),
    };
    let written: { name: string; rows: number }[] = [];
    const made = await makeAtomically(path, async (file) => {
      written = await makePlainFile(file, content);
      for (const { name, rows } of written) {
        const { columns } = content.tables.find((table) => table.name === name)!;
        refuseShrunken(
          { name, rows, columns: sqlNames(columns, 'sqlite').map((column) => ({ name: column })) },
          former.get(name),
          { maxShrink, isPicked },
        );
      }
      await refuseInterrupted(interruption);
      return ifChanged && (await hashOfFile(file)) === (await hashOfFile(path)) ? null : written;
    });
    const outcome = made ? 'written' : 'unchanged';
    const toldOf = ({ name, rows }: { name: string; rows: number }): ExportedTable => ({
      ...{ name, path, rows, bytes: null, sha256: null },
      outcome: stays(name) ? 'unchanged' : outcome,
    });
    return { outcome, tables: written.map(toldOf) };
  } finally {
    before?.close();
  }
}
