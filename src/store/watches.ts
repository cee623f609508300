import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { BadMirrorError } from '../errors.ts';
import { say } from '../words/speech.ts';
import { asMirrorError, createStatements, type Handle, type Statements } from './mirror.ts';
import { openPlainDatabase, openStateDatabase } from './open.ts';

/** A channel that a watch notifies. */
export type Channel = {
  id: number;
  uid: string;
  kind: string;
  /** Path, address, or words of a command. */
  target: string[];
  /** Signing key of a webhook; null for other channels. */
  secret: string | null;
  /** True if it may name an address of this machine or of a private network. */
  isPrivate: boolean;
  /** Number of the last change that is in a message, or in the file. */
  bundled: number;
};

/** Position of a watch in its mirror. */
export type WatchMark = {
  /** Name of the mirror's journal, and id of the state that was read. */
  journal: string | null;
  state: string | null;
  /** Changes up to that moment are noticed, ISO 8601. */
  at: string | null;
};

/** A question that is asked again after each sync, and its channels. */
export type Watch = {
  id: number;
  uid: string;
  name: string;
  /** The question, as it is typed behind `hemicycle`. */
  words: string[];
  /** Sorts of change to notify; null for all. */
  only: string[] | null;
  digest: 'run' | 'day';
  language: 'en' | 'fr';
  createdAt: string;
  lookedAt: string | null;
  mark: WatchMark;
  /** Why the last run failed, in English. */
  trouble: string | null;
  channels: Channel[];
};

/** The watches of a mirror, in a file beside it: copies and exports of the mirror have none. */
export type WatchBook = Statements & { path: string; database: Handle; close(): void };

function bookOf(path: string, database: Handle): WatchBook {
  const { sql, column } = createStatements(() => database);
  return { path, database, sql, column, close: () => database.close() };
}

const schema = `
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

/** Path of the watches of a mirror. */
export function watchPath(mirrorPath: string): string {
  return `${mirrorPath}.watches`;
}

/** Opens the watches of a mirror, or makes the file; throws a BadMirrorError that names it. */
export function openWatches(mirrorPath: string): WatchBook {
  const path = watchPath(mirrorPath);
  try {
    const book = bookOf(path, openStateDatabase(path, { isKept: true }));
    try {
      createTables(book);
      return book;
    } catch (error) {
      book.close();
      throw error;
    }
  } catch (error) {
    throw watchError(path, error);
  }
}

function createTables({ path, database }: WatchBook): void {
  const version = database.pragma('user_version', { simple: true }) as number;
  if (version > 1)
    throw new BadMirrorError(path, say`holds watches of a newer Hemicycle`, say`update the program`);
  if (version === 0)
    database.transaction(() => database.exec(`${schema} PRAGMA user_version = 1`)).immediate();
}

/** Opens the watches of a mirror; null if there are none. */
export function openWatchesIfAny(mirrorPath: string): WatchBook | null {
  return existsSync(watchPath(mirrorPath)) ? openWatches(mirrorPath) : null;
}

/** Opens the watches of a mirror read-only; null if there are none or if this user may not read them. */
export function readWatches(mirrorPath: string): WatchBook | null {
  const path = watchPath(mirrorPath);
  if (!existsSync(path)) return null;
  try {
    return bookOf(path, openPlainDatabase(path));
  } catch {
    return null;
  }
}

/** Runs `work` in one transaction: all of it is saved, or none. Nothing inside may await. */
export function inOneStep<Result>({ database, path }: WatchBook, work: () => Result): Result {
  try {
    return database.transaction(work).immediate();
  } catch (error) {
    throw watchError(path, error);
  }
}

/**
 * As `inOneStep`, without waiting for the disk: a power cut may lose the transaction, the end of the process does not. For
 * what the next run finds again; ten thousand quiet watches would spend most of their time on syncs.
 */
export function inOneLightStep<Result>(book: WatchBook, work: () => Result): Result {
  book.database.pragma('synchronous = NORMAL');
  try {
    return inOneStep(book, work);
  } finally {
    book.database.pragma('synchronous = FULL');
  }
}

function watchError(path: string, error: unknown): unknown {
  const { syscall, code } = error as NodeJS.ErrnoException;
  if (syscall !== undefined) return new BadMirrorError(path, say`cannot be opened (${code})`, null, error);
  return asMirrorError(path, error);
}

type WatchRow = Pick<
  Watch,
  'id' | 'uid' | 'name' | 'digest' | 'language' | 'createdAt' | 'lookedAt' | 'trouble'
> &
  Record<'words' | 'mark', string> & { only: string | null };
type ChannelRow = Omit<Channel, 'target' | 'isPrivate'> & { target: string; isPrivate: number };

const watchSql = `SELECT id, uid, name, words, only_sorts AS "only", digest, language, created_at AS createdAt,
  looked_at AS lookedAt, mark, trouble FROM watch`;

/** Every watch by name, or only the one of that name. */
export function listWatches(book: WatchBook, name: string | null = null): Watch[] {
  const rows = book.sql<WatchRow>(`${watchSql} WHERE name = coalesce(?, name) ORDER BY name`).all(name);
  return rows.map((row) => watchOf(book, row));
}

/** The watch of that id as it is now; undefined if it was removed. */
export function readWatch(book: WatchBook, id: number): Watch | undefined {
  const row = book.sql<WatchRow>(`${watchSql} WHERE id = ?`).get(id);
  return row && watchOf(book, row);
}

/** Ids of all watches; those with the same question are adjacent. */
export function watchIds(book: WatchBook): number[] {
  return book.column<number>('SELECT id FROM watch ORDER BY words, language, name').all();
}

function watchOf(book: WatchBook, { words, only, mark, ...row }: WatchRow): Watch {
  const channels = book
    .sql<ChannelRow>(
      `SELECT id, uid, kind, target, secret, is_private AS isPrivate, bundled FROM channel WHERE watch = ? ORDER BY id`,
    )
    .all(row.id);
  return {
    ...row,
    words: JSON.parse(words),
    only: only && JSON.parse(only),
    mark: JSON.parse(mark),
    channels: channels.map(({ target, isPrivate, ...channel }) => ({
      ...channel,
      target: JSON.parse(target),
      isPrivate: isPrivate === 1,
    })),
  };
}

/** The stated fields of a new watch. */
export type NewWatch = Pick<Watch, 'name' | 'words' | 'only' | 'digest' | 'language' | 'createdAt'> & {
  channels: Pick<Channel, 'kind' | 'target' | 'secret' | 'isPrivate'>[];
};

/** Adds a watch with its channels; returns its id, or null if the name is taken. */
export function addWatch(book: WatchBook, watch: NewWatch): number | null {
  const { name, words, only, digest, language, createdAt, channels } = watch;
  const added = book
    .sql(
      `INSERT INTO watch (uid, name, words, only_sorts, digest, language, created_at, mark)
       VALUES ($uid, $name, $words, $only, $digest, $language, $createdAt, $mark)
       ON CONFLICT (name) DO NOTHING`,
    )
    .run({
      uid: randomUUID(),
      name,
      words: JSON.stringify(words),
      only: only && JSON.stringify(only),
      digest,
      language,
      createdAt,
      mark: JSON.stringify({ journal: null, state: null, at: null }),
    });
  if (added.changes === 0) return null;
  const id = Number(added.lastInsertRowid);
  const add = book.sql(
    'INSERT INTO channel (uid, watch, kind, target, secret, is_private) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (const { kind, target, secret, isPrivate } of channels)
    add.run(randomUUID(), id, kind, JSON.stringify(target), secret, Number(isPrivate));
  return id;
}

/** Removes a watch with its known rows and unsent messages; false if there is none of that name. */
export function removeWatch(book: WatchBook, name: string): boolean {
  return inOneStep(book, () => {
    const { changes } = book.sql('DELETE FROM watch WHERE name = ?').run(name);
    forgetContents(book);
    return changes > 0;
  });
}

/** Saves the time and result of a watch's last run. */
export function saveLook(
  book: WatchBook,
  id: number,
  { at, mark, trouble }: { at: string; mark: WatchMark; trouble: string | null },
): void {
  book
    .sql('UPDATE watch SET looked_at = ?, mark = ?, trouble = ? WHERE id = ?')
    .run(at, JSON.stringify(mark), trouble, id);
}

/** Deletes contents that no watch references. */
export function forgetContents({ database }: WatchBook): void {
  database.exec('DELETE FROM content WHERE hash NOT IN (SELECT hash FROM known)');
}

/** Erases everything that watches remember of a record, by its key, so that nothing is told of it any more. */
export function forgetToldOf(book: WatchBook, key: string): void {
  const { database } = book;
  database.pragma('secure_delete = ON');
  inOneStep(book, () => {
    database.prepare('DELETE FROM told WHERE instr(json, ?) > 0').run(key);
    database
      .prepare(
        `DELETE FROM known WHERE instr(key, $key) > 0
         OR hash IN (SELECT hash FROM content WHERE instr(json, $key) > 0)`,
      )
      .run({ key });
    forgetContents(book);
  });
  database.pragma('secure_delete = OFF');
  database.exec('VACUUM');
  database.pragma('wal_checkpoint(TRUNCATE)');
}
