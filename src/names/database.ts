import type { KindName } from '../model/kinds.ts';

type Statement<Row> = {
  get(...parameters: unknown[]): Row | undefined;
  all(...parameters: unknown[]): Row[];
  run(...parameters: unknown[]): unknown;
};

/** An open database with named records, such as a mirror. */
export type NameDatabase = {
  /** The past moment that is read, ISO 8601; null for now. */
  pastOf: string | null;
  readonly database: { exec(sql: string): unknown };
  sql<Row = unknown>(text: string): Statement<Row>;
  /** A statement that returns the first column of its rows. */
  column<Value = unknown>(text: string): Statement<Value>;
  /** The result of `read`, cached under that name until the next write. */
  readOnce<Value>(name: string, read: () => Value): Value;
};

/** A text that stands in the program: a literal type or a union of them, never `string`, which is what records and callers say. */
type Constant<Text extends string> = Record<never, never> extends Record<Text, 1> ? never : Text;

/**
 * A quoted SQL text, of constants alone: the compiler refuses any other. Values are bound as parameters, since U+0000 would end the
 * statement for everybody.
 */
export const quotedText = <const Text extends string>(text: Constant<Text>): string =>
  `'${text.replaceAll("'", "''")}'`;

/** SQL for a field of a record, as JSON states it. */
export const fieldSql = <const Field extends string>(field: Constant<Field>): string =>
  `json_extract(coalesce(row, detail), '$.${field}')`;

/** SQL for a field of the objects that json_each lists; null for its other values, which SQLite refuses as malformed JSON. */
export const elementFieldSql = <const Field extends string>(field: Constant<Field>, list = 'json_each'): string =>
  `CASE ${list}.type WHEN 'object' THEN ${list}.value ->> '$.${field}' END`;

/** SQL for a text that a record states; null for a number, an object or any other value in its place. */
export const textFieldSql = <const Field extends string>(field: Constant<Field>): string =>
  `CASE json_type(coalesce(row, detail), '$.${field}') WHEN 'text' THEN coalesce(row, detail) ->> '$.${field}' END`;

/** Kinds whose records people look up by name. */
export const namedKinds = ['politician', 'party'] as const;
export type NamedKind = (typeof namedKinds)[number];

/** True if an optional table of names exists; they are created on first use. */
export function hasNameTable(db: NameDatabase, name: 'acronym' | 'name_known'): boolean {
  return db.sql('SELECT 1 FROM main.sqlite_schema WHERE name = ?').get(name) !== undefined;
}

/** The withdrawn record with that key or name, if any. */
export function findWithdrawn(
  db: NameDatabase,
  kind: NamedKind,
  name: string,
): { key: string; withdrawn: string } | undefined {
  return db
    .sql<{ key: string; withdrawn: string }>(
      `SELECT key, withdrawn FROM record WHERE kind = ? AND withdrawn IS NOT NULL AND (key = ? OR name = ?)
       ORDER BY withdrawn DESC LIMIT 1`,
    )
    .get(kind, name, name);
}

/** True if the database holds that record and it is not withdrawn. */
export function hasRecord(db: NameDatabase, kind: KindName, key: string): boolean {
  return db.sql('SELECT 1 FROM record WHERE kind = ? AND key = ? AND withdrawn IS NULL').get(kind, key) !== undefined;
}
