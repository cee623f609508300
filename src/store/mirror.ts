import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { BadMirrorError, diskFull } from '../errors.ts';

export type Handle = InstanceType<typeof Database>;
type Statement<Row> = Database.Statement<unknown[], Row>;

/** An open mirror: one SQLite file, with its statements prepared once each. */
export type Mirror = {
  path: string;
  readonly: boolean;
  /** The moment that it is read as of, ISO 8601; null for now. */
  pastOf: string | null;
  database: Handle;
  /** The statement of that SQL, prepared on first use; `Row` is what one of its rows holds. */
  sql<Row = unknown>(text: string): Statement<Row>;
  /** A statement that gives the first column of its rows, prepared on first use. */
  column<Value = unknown>(text: string): Statement<Value>;
  close(): void;
};

/** An open database as a mirror. */
export function handleOf(path: string, database: Handle, readonly: boolean): Mirror {
  const [rows, columns] = [new Map<string, unknown>(), new Map<string, unknown>()];
  const once = <Prepared>(known: Map<string, unknown>, text: string, prepare: () => Prepared): Prepared => {
    const statement = (known.get(text) as Prepared | undefined) ?? prepare();
    known.set(text, statement);
    return statement;
  };
  return {
    path,
    readonly,
    pastOf: null,
    database,
    sql: <Row>(text: string) => once(rows, text, () => database.prepare<unknown[], Row>(text)),
    // Statements of their own: a plucked one stays so for all who share it.
    column: <Value>(text: string) =>
      once(columns, text, () => database.prepare<unknown[], Value>(text).pluck()),
    close: () => database.close(),
  };
}

/** Why no file can be written there, or null if it can. */
export function unwritable(path: string): string | null {
  try {
    accessSync(dirname(path), constants.W_OK);
    if (existsSync(path)) accessSync(path, constants.W_OK);
    return null;
  } catch (error) {
    return `cannot be written: it is read-only (${(error as { code?: string }).code})`;
  }
}

/** SQLite's own error as one that names the mirror and what to do; other errors pass unchanged. */
export function asMirrorError(path: string, error: unknown): unknown {
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return error;
  const [, reason, hint = null] = reasons.find(([prefix]) => code.startsWith(prefix)) ?? [
    code,
    (error as Error).message,
  ];
  const refused = code.startsWith('SQLITE_CANTOPEN') ? unwritable(path) : null;
  return new BadMirrorError(path, refused ?? `${reason} (${code})`, hint, error);
}

/** What SQLite's codes mean to the user, and what to do where it is not to choose another file. */
const reasons: [code: string, reason: string, hint?: string][] = [
  ['SQLITE_NOTADB', 'is not an SQLite file'],
  ['SQLITE_CORRUPT', 'is damaged'],
  ['SQLITE_READONLY', 'cannot be written: it is read-only'],
  ['SQLITE_CANTOPEN', 'cannot be opened'],
  ['SQLITE_FULL', diskFull.reason, diskFull.hint],
  ['SQLITE_IOERR', 'the disk refused to read or write'],
  ['SQLITE_BUSY', 'is being written by another program'],
];
