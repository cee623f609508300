import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { BadMirrorError, NoMirrorError } from '../errors.ts';
import { say } from '../words/speech.ts';
import { createAddedTables } from './added-tables.ts';
import { anonymiseLog, isLogAnonymous } from './anonymous-log.ts';
import { makeFolder } from './folder.ts';
import { isThere, makeMirror } from './make-mirror.ts';
import { newestVersion } from './migrations.ts';
import {
  asMirrorError,
  fileAt,
  fileSource,
  type Handle,
  handleOf,
  isRefusal,
  lackOfFiles,
  type Mirror,
  type MirrorSource,
  unwritable,
} from './mirror.ts';
import { hasLog, readAtRest, readSchema, refuseNewer, stateAtRest } from './mirror-file.ts';
import { createListIndexes, migrate, versionOf } from './schema.ts';

/**
 * Opens the mirror for reading; takes no lock and writes nothing. Where SQLite cannot read the file without writing
 * beside it, and where an older program wrote it, a copy in memory is read, which `refresh` turns to the file's changes.
 */
export function openMirror(path: string): Mirror {
  const file = fileAt(path);
  const mirror = handleOf(path, () => openSource(path), { readonly: true });
  if (mirror.file === file) return mirror;
  // Another file was put there meanwhile.
  mirror.close();
  return openMirror(path);
}

/**
 * Opens the mirror for writing, makes the file if there is none, and brings its schema up to date. An import of
 * everything at once is faster with a large page cache; what is saved page by page does not gain by it.
 */
export function openWritableMirror(path: string, { cacheMb = 64 }: { cacheMb?: number } = {}): Mirror {
  if (existsSync(path)) {
    readSchema(path);
    // SQLite would open it for reading instead, and refuse what is saved first.
    const reason = unwritable(path);
    if (reason !== null) throw new BadMirrorError(path, reason);
  } else makeFolderOf(path);
  if (!isThere(path)) makeMirror(path, writableHandle);
  const mirror = writableHandle(path);
  guarded(mirror, () => {
    mirror.database.pragma('busy_timeout = 10000');
    migrate(mirror);
    createListIndexes(mirror);
    createAddedTables(mirror);
    anonymiseLog(mirror);
    mirror.database.pragma('synchronous = NORMAL');
    mirror.database.pragma(`cache_size = -${cacheMb * 1024}`);
  });
  const { close } = mirror;
  return Object.assign(mirror, {
    close() {
      close();
      leaveLog(path);
    },
  });
}

/** A copy of the mirror in memory, which can be written and goes when it is closed; an empty one where there is none. */
export function openScratchMirror(path: string): Mirror {
  const copy = () => fileSource(existsSync(path) ? copyOf(path) : new Database(':memory:'));
  const scratch = handleOf(path, copy, { readonly: false });
  guarded(scratch, () => {
    migrate(scratch);
    createListIndexes(scratch);
    createAddedTables(scratch);
  });
  return scratch;
}

function copyOf(path: string): Handle {
  const source = openSource(path);
  try {
    return openInMemory(source.database.serialize(), { readonly: false });
  } finally {
    source.close();
  }
}

/**
 * A database that is not a mirror (the budget); its folder is made if it is missing. One that is kept holds what nobody can
 * fetch again: it survives a power cut, and its user alone may read it. Throws SQLite's and the system's errors.
 */
export function openStateDatabase(path: string, { isKept = false } = {}): Handle {
  makeFolder(dirname(path));
  if (isKept) closeSync(openSync(path, 'a', 0o600));
  const database = new Database(path, { timeout: 10000 });
  try {
    database.pragma('journal_mode = WAL');
    database.pragma(`synchronous = ${isKept ? 'FULL' : 'OFF'}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A database of others, made anew: no mirror, and nothing of ours in it. */
export function openNewDatabase(path: string): Handle {
  return new Database(path);
}

/** A database that is not a mirror, for reading. */
export function openPlainDatabase(path: string): Handle {
  return new Database(path, { readonly: true, fileMustExist: true });
}

/** A database that serves as a lock only: it is held by an open transaction, which ends with its process. */
export function openLockDatabase(path: string, timeoutMs: number): Handle {
  const mirror = path.replace(/\.lock$/, '');
  if (!existsSync(path)) makeFolderOf(mirror);
  try {
    return new Database(path, { timeout: timeoutMs });
  } catch (error) {
    if (!isRefused(error)) throw error;
    throw (
      lackOfFiles(mirror, error) ??
      new BadMirrorError(
        mirror,
        unwritable(path) ?? say`cannot be locked (${path}: ${error.message})`,
        null,
        error,
      )
    );
  }
}

function openDatabase(path: string, readonly: boolean): Handle {
  try {
    return new Database(path, { readonly, fileMustExist: readonly, timeout: 10000 });
  } catch (error) {
    if (!isRefused(error)) throw error;
    const reason = readonly ? null : unwritable(path);
    throw (
      lackOfFiles(path, error) ??
      new BadMirrorError(path, reason ?? say`cannot be opened (${error.message})`, null, error)
    );
  }
}

/** True for an error of the file, or of the folder that it is in; false where SQLite itself is missing. */
function isRefused(error: unknown): error is Error {
  return error instanceof Database.SqliteError || error instanceof TypeError;
}

function writableHandle(path: string): Mirror {
  return handleOf(path, () => fileSource(openDatabase(path, false)), { readonly: false });
}

/**
 * Leaves an empty log and its index beside the file, as whoever only reads does: without them SQLite has to make them,
 * which who may not write to the folder cannot (https://www.sqlite.org/wal.html#read_only_databases).
 */
function leaveLog(path: string): void {
  try {
    const database = openDatabase(path, true);
    database.pragma('user_version');
    database.close();
  } catch {
    // Optional: a mirror without them is only slower to open.
  }
}

/** How often, and how long after, a reader looks again at a file that a writer is just opening or closing. */
const [mostLooks, lookMs] = [10, 20];

/** What a mirror is read from: the file, or else a copy of it in memory. */
function openSource(path: string): MirrorSource {
  for (let looks = 1; ; looks += 1) {
    readSchema(path);
    const source = openInPlace(path) ?? openCopy(path);
    if (source) return readable(path, source);
    if (looks < mostLooks) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookMs);
      continue;
    }
    throw new BadMirrorError(
      path,
      hasLog(path)
        ? say`has changes in the log beside it (-wal), which cannot be read without writing there`
        : say`changes while it is copied to be read, and its folder, where SQLite would have to write, is read-only`,
      say`let its owner run \`hemicycle status\` there, and others read all of its files, -wal and -shm included`,
    );
  }
}

/** The page cache of a reader: the pages that searches of a million records read again and again. */
const readCacheMb = 32;

/** The file itself; null where SQLite would have to write beside it and must not. */
function openInPlace(path: string): MirrorSource | null {
  const database = openDatabase(path, true);
  try {
    database.pragma('user_version');
    database.pragma(`cache_size = -${readCacheMb * 1024}`);
    return fileSource(database);
  } catch (error) {
    database.close();
    if (isRefusal(error) && unwritable(path) !== null) return null;
    throw asMirrorError(path, error);
  }
}

/** A copy of a file that nobody is writing to; null where somebody may be. */
function openCopy(path: string): MirrorSource | null {
  const read = readAtRest(path);
  if (read === null) return null;
  const database = openInMemory(read.bytes, { readonly: true });
  return {
    database,
    isCurrent: () => stateAtRest(path) === read.state,
    close: () => database.close(),
  };
}

function openInMemory(bytes: Buffer, { readonly }: { readonly: boolean }): Handle {
  // A database in memory has no WAL: sets the two header bytes to rollback mode.
  bytes.fill(1, 18, 20);
  return new Database(bytes, { readonly });
}

/** The source with the schema that this program reads; throws where it has none yet, or one of a newer program. */
function readable(path: string, source: MirrorSource): MirrorSource {
  try {
    const version = versionOf(source.database);
    if (version === 0) throw new NoMirrorError(path);
    refuseNewer(path, version);
    const isUpToDate = version === newestVersion && isLogAnonymous(source.database);
    return isUpToDate ? source : broughtUpToDate(path, source);
  } catch (error) {
    source.close();
    throw asMirrorError(path, error);
  }
}

/** A copy of an older mirror with this program's schema; the file stays as it is for the program that writes it. */
function broughtUpToDate(path: string, older: MirrorSource): MirrorSource {
  const changes = () => older.database.pragma('data_version', { simple: true });
  const seen = changes();
  const database = openInMemory(older.database.serialize(), { readonly: false });
  const source = {
    database,
    isCurrent: () => older.isCurrent() && changes() === seen,
    close() {
      database.close();
      older.close();
    },
  };
  const copy = handleOf(path, () => source, { readonly: false });
  migrate(copy);
  createListIndexes(copy);
  anonymiseLog(copy);
  return source;
}

function makeFolderOf(path: string): void {
  try {
    makeFolder(dirname(path));
  } catch (error) {
    const reason = unwritable(path);
    if (reason !== null && existsSync(dirname(path))) throw new BadMirrorError(path, reason, null, error);
    throw new BadMirrorError(path, say`its folder cannot be made (${(error as Error).message})`, null, error);
  }
}

function guarded(mirror: Mirror, work: () => void): void {
  try {
    work();
  } catch (error) {
    mirror.close();
    throw asMirrorError(mirror.path, error);
  }
}
