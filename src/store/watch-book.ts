import { existsSync } from 'node:fs';
import { BadMirrorError, orNull } from '../errors.ts';
import { say } from '../words/speech.ts';
import { closeOnError, createStatements, type Handle, type Statements } from './mirror.ts';
import { asMirrorError } from './mirror-errors.ts';
import { openReadOnlyDatabase, openStateDatabase } from './open.ts';

/** Database of a mirror's watches, in a file beside it, so that copies and exports of the mirror omit them. */
export type WatchBook = Statements & { path: string; database: Handle; close(): void };

function createBook(path: string, database: Handle): WatchBook {
  const { sql, column } = createStatements(() => database);
  return { path, database, sql, column, close: () => database.close() };
}

/** `known`: baseline rows, by hash of `content`; `told`: noticed changes; `message`: changes `first` to `last`. */
const schemaOfVersion1 = `
  CREATE TABLE IF NOT EXISTS watch (
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE, words TEXT NOT NULL, only_sorts TEXT,
    digest TEXT NOT NULL, language TEXT NOT NULL, created_at TEXT NOT NULL, looked_at TEXT, mark TEXT NOT NULL, trouble TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS channel (
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE,
    watch INTEGER NOT NULL REFERENCES watch ON DELETE CASCADE, kind TEXT NOT NULL, target TEXT NOT NULL, secret TEXT,
    is_private INTEGER NOT NULL, bundled INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS channel_watch ON channel(watch);
  CREATE TABLE IF NOT EXISTS content (hash TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS known (
    watch INTEGER NOT NULL REFERENCES watch ON DELETE CASCADE, key TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (watch, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS known_hash ON known(hash);
  CREATE TABLE IF NOT EXISTS told (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, watch INTEGER NOT NULL REFERENCES watch ON DELETE CASCADE,
    at TEXT NOT NULL, count INTEGER NOT NULL, json TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS told_watch ON told(watch, seq);
  CREATE TABLE IF NOT EXISTS message (
    id INTEGER PRIMARY KEY AUTOINCREMENT, channel INTEGER NOT NULL REFERENCES channel ON DELETE CASCADE, key TEXT NOT NULL UNIQUE,
    first INTEGER NOT NULL, last INTEGER NOT NULL, made_at TEXT NOT NULL, state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0, next_at TEXT NOT NULL, error TEXT, ended_at TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS message_state ON message(state, next_at);
  CREATE INDEX IF NOT EXISTS message_channel ON message(channel, first);`;

const version = 2;

/** Columns that version 1 of the schema lacks. */
const addedColumnsSql = `
  ALTER TABLE watch ADD COLUMN paused_at TEXT;
  ALTER TABLE channel ADD COLUMN gone_at TEXT;
  ALTER TABLE channel ADD COLUMN former_secret TEXT;
  ALTER TABLE channel ADD COLUMN former_until TEXT;`;

/** Path of the file with the watches of a mirror. */
export const watchPath = (mirrorPath: string): string => `${mirrorPath}.watches`;

/** Opens or creates the watches of a mirror. Throws a BadMirrorError that names the file. */
export function openWatches(mirrorPath: string): WatchBook {
  const path = watchPath(mirrorPath);
  try {
    return closeOnError(createBook(path, openStateDatabase(path, { isDurable: true })), migrateBook);
  } catch (error) {
    throw asWatchError(path, error);
  }
}

function migrateBook(book: WatchBook): WatchBook {
  const { path, database } = book;
  const readVersion = () => database.pragma('user_version', { simple: true }) as number;
  if (readVersion() > version)
    throw new BadMirrorError(path, say`contains watches of a newer Hemicycle`, say`update the program`);
  const update = () => {
    // Another process may have migrated it meanwhile.
    if (readVersion() === version) return;
    if (readVersion() === 0) database.exec(schemaOfVersion1);
    database.exec(`${addedColumnsSql} PRAGMA user_version = ${version}`);
  };
  if (readVersion() !== version) database.transaction(update).immediate();
  return book;
}

/** Opens the watches of a mirror; null without a file of watches. */
export function openWatchesIfAny(mirrorPath: string): WatchBook | null {
  return existsSync(watchPath(mirrorPath)) ? openWatches(mirrorPath) : null;
}

/** Returns what `read` returns for the watches of a mirror; null without a file, or if this user may not read it. */
export function readWatchBook<Result>(mirrorPath: string, read: (book: WatchBook) => Result): Result | null {
  const path = watchPath(mirrorPath);
  const database = existsSync(path) ? orNull(() => openReadOnlyDatabase(path)) : null;
  using _ = { [Symbol.dispose]: () => database?.close() };
  return database && read(createBook(path, database));
}

/** Runs `work`, which must not await, in one transaction. Throws a BadMirrorError that names the file. */
export function bookTransaction<Result>({ database, path }: WatchBook, work: () => Result): Result {
  try {
    return database.transaction(work).immediate();
  } catch (error) {
    throw asWatchError(path, error);
  }
}

/** Like `bookTransaction` without fsync: faster, for work that the next run repeats after a power failure. */
export function transactionWithoutFsync<Result>(book: WatchBook, work: () => Result): Result {
  book.database.pragma('synchronous = NORMAL');
  using _ = { [Symbol.dispose]: () => book.database.pragma('synchronous = FULL') };
  return bookTransaction(book, work);
}

function asWatchError(path: string, error: unknown): unknown {
  const { syscall, code } = error as NodeJS.ErrnoException;
  if (syscall !== undefined) return new BadMirrorError(path, say`cannot be opened (${code})`, null, error);
  return asMirrorError(path, error);
}
