import { type Document, documentOf, type RecordTexts } from '../model/document.ts';
import type { Kind, KindName } from '../model/kinds.ts';

type Statement<Row> = {
  get(...parameters: unknown[]): Row | undefined;
  all(...parameters: unknown[]): Row[];
  run(...parameters: unknown[]): unknown;
};

/** An open database with named records. */
export type NameDatabase = {
  /** The past moment that is read, ISO 8601; null for the present. */
  asOf: string | null;
  readonly database: { exec(sql: string): unknown };
  sql<Row = unknown>(text: string): Statement<Row>;
  /** Prepares a statement that returns the first column of its rows. */
  column<Value = unknown>(text: string): Statement<Value>;
  /** Returns the result of `read`, cached under `name` until the next write. */
  readOnce<Value>(name: string, read: () => Value): Value;
};

/** Accepts literal types only, so that SQL cannot be built from a `string` of records or callers. */
type Constant<Text extends string> = Record<never, never> extends Record<Text, 1> ? never : Text;

/** SQL text literal of a constant; values must be bound as parameters, since U+0000 would end the statement. */
export const quotedText = <const Text extends string>(text: Constant<Text>) => `'${text.replaceAll("'", "''")}'`;

/** SQL for a field of a record, with its JSON type. */
export const fieldSql = <const Field extends string>(field: Constant<Field>): string =>
  `json_extract(coalesce(row, detail), '$.${field}')`;

/** SQL for a field of an object in json_each; null for other values, which SQLite rejects as malformed JSON. */
export const elementFieldSql = <const Field extends string>(field: Constant<Field>, list = 'json_each'): string =>
  `CASE ${list}.type WHEN 'object' THEN ${list}.value ->> '$.${field}' END`;

/** SQL for a text field of a record; null for a value of any other type. */
export const textFieldSql = <const Field extends string>(field: Constant<Field>): string =>
  `CASE json_type(coalesce(row, detail), '$.${field}') WHEN 'text' THEN coalesce(row, detail) ->> '$.${field}' END`;

/** Kinds whose records are found by name. */
export const namedKinds = ['politician', 'party'] as const;
export type NamedKind = (typeof namedKinds)[number];

/** True if the file has that table; optional ones are created on first use. */
export function hasTable(db: Pick<NameDatabase, 'sql'>, name: string): boolean {
  return db.sql('SELECT 1 FROM main.sqlite_schema WHERE name = ?').get(name) !== undefined;
}

/** The withdrawn record with that key or name, or undefined. */
export function findWithdrawn(db: NameDatabase, kind: NamedKind, name: string) {
  const sql = `SELECT key, withdrawn FROM record WHERE kind = ? AND withdrawn IS NOT NULL AND (key = ? OR name = ?)
    ORDER BY withdrawn DESC LIMIT 1`;
  return db.sql<{ key: string; withdrawn: string }>(sql).get(kind, name, name);
}

/** Returns `key` if its record is current, else the key of the record into which it was merged, or null. */
export function currentKey(db: NameDatabase, kind: KindName, key: string): string | null {
  if (hasRecord(db, kind, key)) return key;
  const sql = `SELECT target.key FROM record AS merged JOIN rename ON former = merged.id AND rename.withdrawn = merged.withdrawn
    JOIN record AS target ON target.id = latter WHERE is_merge AND merged.kind = ? AND merged.key = ?`;
  const latterKey = db.column<string>(sql).get(kind, key);
  return latterKey === undefined ? null : currentKey(db, kind, latterKey);
}

/** The most complete document of a current record; undefined if it is not stored. */
export function readRecord(db: NameDatabase, kind: Kind, key: string): Document | undefined {
  const sql = 'SELECT row, detail FROM record WHERE kind = ? AND key = ? AND withdrawn IS NULL';
  const stored = db.sql<RecordTexts>(sql).get(kind.name, key);
  return stored && documentOf(stored);
}

/** True if the database has that record and it is not withdrawn. */
export function hasRecord(db: NameDatabase, kind: KindName, key: string): boolean {
  return db.sql('SELECT 1 FROM record WHERE kind = ? AND key = ? AND withdrawn IS NULL').get(kind, key) !== undefined;
}
