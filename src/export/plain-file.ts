import { statSync } from 'node:fs';
import type { Document } from '../model/document.ts';
import type { Column } from '../model/kinds.ts';
import type { Handle } from '../store/mirror.ts';
import { openPlainDatabase } from '../store/open.ts';
import { quotedName } from '../store/schema.ts';
import type { Reference } from './table.ts';

/** One table of a plain SQLite file. */
export type PlainTable = {
  name: string;
  description: string;
  columns: Column[];
  /** The columns that name each record; none where nothing does. */
  key: string[];
  references: Reference[];
  rows: () => Iterable<Document>;
  count: () => number | null;
};

/** What each table has in a file that `makePlainFile` made; empty for any other file, and where there is none. */
export function plainFileTables(path: string): Map<string, { rows: number; columns: string[] }> {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return new Map();
  let database: ReturnType<typeof openPlainDatabase> | null = null;
  try {
    database = openPlainDatabase(path);
    const names = database.prepare(`SELECT "table" FROM dictionary WHERE type = 'table'`).pluck().all();
    const count = (name: string) =>
      database!
        .prepare(`SELECT count(*) FROM ${quotedName(name)}`)
        .pluck()
        .get() as number;
    const columns = database
      .prepare<unknown[], string>(
        'SELECT "column" FROM dictionary WHERE "table" = ? AND "column" IS NOT NULL',
      )
      .pluck();
    return new Map(
      (names as string[]).map((name) => [name, { rows: count(name), columns: columns.all(name) }]),
    );
  } catch (error) {
    if (sqliteCode(error).startsWith('SQLITE_')) return new Map();
    throw error;
  } finally {
    database?.close();
  }
}

/** The code of an error of SQLite; another word for any other error. */
export function sqliteCode(error: unknown): string {
  return String((error as { code?: unknown }).code);
}

/** A table of a plain SQLite file of ours, as it can be written into another one; its rows are read from the open file. */
export function keptTable(database: Handle, name: string): PlainTable {
  const columns = database
    .prepare<unknown[], Column>(
      `SELECT "column" AS name, type, description FROM dictionary
       WHERE "table" = ? AND "column" IS NOT NULL ORDER BY rowid`,
    )
    .all(name);
  const keys = database
    .prepare<unknown[], string>('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk')
    .pluck()
    .all(name);
  const references = database
    .prepare<unknown[], { columns: string; table: string; keys: string }>(
      `SELECT "table", json_group_array("from") AS columns, json_group_array("to") AS keys
       FROM (SELECT * FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq) GROUP BY id ORDER BY id DESC`,
    )
    .all(name)
    .map(({ columns: from, table, keys: to }) => ({
      columns: JSON.parse(from),
      table,
      keys: JSON.parse(to),
    }));
  return {
    name,
    description: database
      .prepare(`SELECT description FROM dictionary WHERE "table" = ? AND type = 'table'`)
      .pluck()
      .get(name) as string,
    columns,
    key: keys,
    references,
    rows: () =>
      database
        .prepare<unknown[], Document>(`SELECT * FROM ${quotedName(name)} ORDER BY rowid`)
        .iterate() as Iterable<Document>,
    count: () => null,
  };
}

/** True if a plain SQLite file of ours shows a moment of the past. */
export function showsPast(database: Handle): boolean {
  return database.prepare("SELECT 1 FROM about WHERE key = 'as_of'").get() !== undefined;
}
