import type { KindName } from '../model/kinds.ts';

/** A prepared statement, as better-sqlite3 has them. */
type Statement<Row> = {
  get(...parameters: unknown[]): Row | undefined;
  all(...parameters: unknown[]): Row[];
  run(...parameters: unknown[]): unknown;
};

/** The open database that holds the named records; a mirror is one. */
export type NameDatabase = {
  /** The moment that it is read as of, ISO 8601; null for now. */
  pastOf: string | null;
  readonly database: { exec(sql: string): unknown };
  sql<Row = unknown>(text: string): Statement<Row>;
  /** A statement that gives the first column of its rows. */
  column<Value = unknown>(text: string): Statement<Value>;
  /** What `read` reads, read once under that name as long as nobody saves anything. */
  readOnce<Value>(name: string, read: () => Value): Value;
};

/** The kinds whose records have names that people look for. */
export const namedKinds = ['politician', 'party'] as const;
export type NamedKind = (typeof namedKinds)[number];

/** Tables of names that are made when there is something to keep in them. */
export function hasNameTable(db: NameDatabase, name: 'acronym' | 'name_known'): boolean {
  return db.sql('SELECT 1 FROM main.sqlite_schema WHERE name = ?').get(name) !== undefined;
}

/** True if the database has a record of that kind under that key, and it is not withdrawn. */
export function isHeld(db: NameDatabase, kind: KindName, key: string): boolean {
  return (
    db.sql('SELECT 1 FROM record WHERE kind = ? AND key = ? AND withdrawn IS NULL').get(kind, key) !==
    undefined
  );
}
