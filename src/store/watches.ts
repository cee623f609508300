import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { BadMirrorError } from '../errors.ts';
import { say } from '../words/speech.ts';
import { asMirrorError, type Handle } from './mirror.ts';
import { openPlainDatabase, openStateDatabase } from './open.ts';

/** A channel by which a watch tells: where to, and what only it and its receiver know. */
export type Channel = {
  id: number;
  uid: string;
  kind: string;
  /** Path, address, or words of a command. */
  target: string[];
  /** What a webhook is signed with; null for the others. */
  secret: string | null;
  /** True where it may name an address of this machine or of a private network. */
  isPrivate: boolean;
  /** Every change of the watch up to that number was put into a message, or into the file. */
  bundled: number;
};

/** Where a watch stands in the mirror that it looks at. */
export type WatchMark = {
  /** What the mirror's journal is known by, and the word of the state that was looked at. */
  journal: string | null;
  state: string | null;
  /** The moment up to which changes were told, ISO 8601. */
  at: string | null;
};

/** A question that is asked again after each sync, and how its changes are told. */
export type Watch = {
  id: number;
  uid: string;
  name: string;
  /** The question, as it is typed behind `hemicycle`. */
  words: string[];
  /** The sorts of change that are told; null for all. */
  only: string[] | null;
  digest: 'run' | 'day';
  language: 'en' | 'fr';
  createdAt: string;
  lookedAt: string | null;
  mark: WatchMark;
  /** Why the last look failed, in English. */
  trouble: string | null;
  channels: Channel[];
};

/** The watches of a mirror: a database beside it, so that a mirror that is made anew, copied or exported has no part in it. */
export type WatchBook = {
  path: string;
  database: Pick<Handle, 'prepare' | 'exec' | 'transaction' | 'pragma'>;
  close(): void;
};

/**
 * The watches in a database, each of whose statements is prepared once: of ten thousand watches as many would wait to be
 * collected.
 */
function bookOf(path: string, database: Handle): WatchBook {
  const prepared = new Map<string, unknown>();
  const prepare = (text: string) => {
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
  return {
    path,
    database: {
      prepare: prepare as Handle['prepare'],
      exec: (text) => database.exec(text),
      transaction: ((work: () => unknown) => database.transaction(work)) as Handle['transaction'],
      pragma: (text, options) => database.pragma(text, options),
    },
    close: () => database.close(),
  };
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

/** The file of the watches of a mirror. */
export function watchPath(mirrorPath: string): string {
  return `${mirrorPath}.watches`;
}

/** Opens the watches of a mirror, or makes the file; throws a BadMirrorError that names it. */
export function openWatches(mirrorPath: string): WatchBook {
  const path = watchPath(mirrorPath);
  try {
    const database = openStateDatabase(path, { isKept: true });
    try {
      const version = database.pragma('user_version', { simple: true }) as number;
      if (version > 1)
        throw new BadMirrorError(path, say`holds watches of a newer Hemicycle`, say`update the program`);
      if (version === 0) {
        database
          .transaction(() => {
            database.exec(schema);
            database.pragma('user_version = 1');
          })
          .immediate();
      }
      return bookOf(path, database);
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw watchError(path, error);
  }
}

/** The watches of a mirror; null where nobody has made any. */
export function openWatchesIfAny(mirrorPath: string): WatchBook | null {
  return existsSync(watchPath(mirrorPath)) ? openWatches(mirrorPath) : null;
}

/** The watches of a mirror, only to be read; null where there are none, or none that this user may read. */
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
 * As `inOneStep`, for what whoever looks again finds again: the end of a process loses nothing of it, a power cut may. Nobody
 * waits for the disk, which would take most of the time of ten thousand watches that have nothing to tell.
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

type StoredWatch = {
  id: number;
  uid: string;
  name: string;
  words: string;
  only_sorts: string | null;
  digest: 'run' | 'day';
  language: 'en' | 'fr';
  created_at: string;
  looked_at: string | null;
  mark: string;
  trouble: string | null;
};

type StoredChannel = Omit<Channel, 'target' | 'isPrivate'> & { target: string; is_private: number };

/** Every watch by name; with a name that one alone. */
export function listWatches(book: WatchBook, name: string | null = null): Watch[] {
  return book.database
    .prepare<unknown[], StoredWatch>('SELECT * FROM watch WHERE name = coalesce(?, name) ORDER BY name')
    .all(name)
    .map((stored) => watchOf(book, stored));
}

/** The watch of that number as it is now; undefined where it was removed. */
export function readWatch(book: WatchBook, id: number): Watch | undefined {
  const stored = book.database.prepare<unknown[], StoredWatch>('SELECT * FROM watch WHERE id = ?').get(id);
  return stored && watchOf(book, stored);
}

/** The numbers of all watches, those that ask the same one behind the other. */
export function watchIds(book: WatchBook): number[] {
  return book.database
    .prepare<unknown[], number>('SELECT id FROM watch ORDER BY words, language, name')
    .pluck()
    .all();
}

function watchOf({ database }: WatchBook, stored: StoredWatch): Watch {
  const { words, only_sorts, created_at, looked_at, mark, ...rest } = stored;
  const channels = database
    .prepare<unknown[], StoredChannel>('SELECT * FROM channel WHERE watch = ? ORDER BY id')
    .all(stored.id);
  return {
    ...rest,
    words: JSON.parse(words),
    only: only_sorts === null ? null : JSON.parse(only_sorts),
    createdAt: created_at,
    lookedAt: looked_at,
    mark: JSON.parse(mark),
    channels: channels.map(({ target, is_private, ...channel }) => ({
      ...channel,
      target: JSON.parse(target),
      isPrivate: is_private === 1,
    })),
  };
}

/** What is stated of a new watch. */
export type NewWatch = Pick<Watch, 'name' | 'words' | 'only' | 'digest' | 'language' | 'createdAt'> & {
  channels: Pick<Channel, 'kind' | 'target' | 'secret' | 'isPrivate'>[];
};

/** Adds a watch with its channels; returns its number, or null where the name is taken. */
export function addWatch({ database }: WatchBook, watch: NewWatch): number | null {
  const added = database
    .prepare(
      `INSERT INTO watch (uid, name, words, only_sorts, digest, language, created_at, mark) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (name) DO NOTHING`,
    )
    .run(
      randomUUID(),
      watch.name,
      JSON.stringify(watch.words),
      watch.only && JSON.stringify(watch.only),
      watch.digest,
      watch.language,
      watch.createdAt,
      JSON.stringify({ journal: null, state: null, at: null }),
    );
  if (added.changes === 0) return null;
  const id = Number(added.lastInsertRowid);
  const add = database.prepare(
    'INSERT INTO channel (uid, watch, kind, target, secret, is_private) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (const { kind, target, secret, isPrivate } of watch.channels)
    add.run(randomUUID(), id, kind, JSON.stringify(target), secret, isPrivate ? 1 : 0);
  return id;
}

/** Removes a watch with all that it knows and was to tell; false where there is none of that name. */
export function removeWatch(book: WatchBook, name: string): boolean {
  return inOneStep(book, () => {
    const { changes } = book.database.prepare('DELETE FROM watch WHERE name = ?').run(name);
    forgetContents(book);
    return changes > 0;
  });
}

/** Notes that a watch looked, and where it stands now. */
export function saveLook(
  { database }: WatchBook,
  id: number,
  { at, mark, trouble }: { at: string; mark: WatchMark; trouble: string | null },
): void {
  database
    .prepare('UPDATE watch SET looked_at = ?, mark = ?, trouble = ? WHERE id = ?')
    .run(at, JSON.stringify(mark), trouble, id);
}

/** Drops what no watch knows any more. */
export function forgetContents({ database }: WatchBook): void {
  database.exec('DELETE FROM content WHERE hash NOT IN (SELECT hash FROM known)');
}
