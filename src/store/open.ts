import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { BadMirrorError, NoMirrorError, orNull } from '../errors.ts';
import { type Phrase, say } from '../words/speech.ts';
import { anonymiseLog, isLogAnonymous } from './anonymous-log.ts';
import { createMirror } from './create-mirror.ts';
import { refuseEdition } from './edition-mark.ts';
import { fileBytes, fileIdentity } from './file-state.ts';
import { createFolder } from './folder.ts';
import { newestVersion } from './migrations.ts';
import {
  closeOnError,
  deleteMeta,
  fileSource,
  type Handle,
  type Mirror,
  type MirrorSource,
  mirrorFromSource,
  readMeta,
  whileOpen,
} from './mirror.ts';
import { asMirrorError, openFilesError, whyUnwritable } from './mirror-errors.ts';
import { hasLog, readSchemaVersion, readStableFile, refuseNewerSchema, stableFileState } from './mirror-file.ts';
import { createListIndexes, migrate, schemaVersion } from './schema.ts';

/** Opens the mirror for reading, without a lock; a copy in memory if SQLite needs write access or the schema is old. */
export function openMirror(path: string): Mirror {
  const file = fileIdentity(path);
  const mirror = mirrorFromSource(path, () => openSource(path), { readonly: true });
  if (mirror.file === file) return mirror;
  // The file was replaced during opening.
  mirror.close();
  return openMirror(path);
}

/** `auditWords`: log words allowed besides the built-in ones; null removes saved ones, undefined keeps them. */
type WriteOptions = { cacheMb?: number; auditWords?: readonly string[] | null };

/** Opens the mirror for writing; creates or migrates it if needed. `cacheMb`: page cache, larger for large imports. */
export function openWritableMirror(path: string, { cacheMb = 64, auditWords }: WriteOptions = {}): Mirror {
  refuseEdition(path);
  if (existsSync(path)) {
    readSchemaVersion(path);
    // SQLite would open it read-only and fail at the first write.
    const reason = whyUnwritable(path);
    if (reason !== null) throw new BadMirrorError(path, reason);
  } else createParentFolder(path);
  if (fileBytes(path) === 0) createMirror(path, openMirrorFile);
  const mirror = openMirrorFile(path);
  closeAndConvertError(path, mirror, () => {
    mirror.database.pragma('busy_timeout = 10000');
    updateSchema(mirror);
    anonymiseLog(mirror, auditWords === null ? [] : auditWords);
    mirror.database.pragma('synchronous = NORMAL');
    mirror.database.pragma(`cache_size = -${cacheMb * 1024}`);
  });
  const { close } = mirror;
  return Object.assign(mirror, {
    close() {
      close();
      // Recreates -wal and -shm for readers without write access: https://www.sqlite.org/wal.html#read_only_databases
      // A read-only connection leaves them on closing. Without them a reader opens a copy, only slower: ignore errors.
      orNull(() => whileOpen(openDatabase(path, true), (database) => database.pragma('user_version')));
    },
  });
}

/** Opens a writable copy of the mirror in memory; an empty one if there is no mirror. */
export function openScratchMirror(path: string): Mirror {
  const openScratchSource = () => fileSource(existsSync(path) ? openMemoryCopy(path) : new Database(':memory:'));
  const scratch = mirrorFromSource(path, openScratchSource, { readonly: false });
  closeAndConvertError(path, scratch, () => updateSchema(scratch));
  return scratch;
}

function updateSchema(mirror: Mirror): void {
  migrate(mirror);
  createListIndexes(mirror);
}

const openMemoryCopy = (path: string): Handle =>
  whileOpen(openSource(path), ({ database }) => openInMemory(database.serialize(), { readonly: false }));

/** Opens or creates a database that is no mirror; `isDurable`: private, and synced to disk by every commit. */
export function openStateDatabase(path: string, { isDurable = false } = {}): Handle {
  createFolder(dirname(path));
  if (isDurable) closeSync(openSync(path, 'a', 0o600));
  return closeOnError(new Database(path, { timeout: 10000 }), (database) => {
    database.pragma('journal_mode = WAL');
    database.pragma(`synchronous = ${isDurable ? 'FULL' : 'OFF'}`);
    return database;
  });
}

/** Opens a database for writing, created if missing, for exports and temporary tables. */
export const openNewDatabase = (path: string): Handle => new Database(path);

/** Opens a database that is not a mirror, for reading. */
export const openReadOnlyDatabase = (path: string): Handle =>
  new Database(path, { readonly: true, fileMustExist: true });

/** Opens the database of a lock file, whose open transaction is the lock: it ends with its process. */
export function openLockDatabase(path: string, timeoutMs: number): Handle {
  const mirrorPath = path.replace(/\.lock$/, '');
  if (!existsSync(path)) createParentFolder(mirrorPath);
  return connect(path, { timeout: timeoutMs }, mirrorPath, (message) => say`cannot be locked (${path}: ${message})`);
}

function openDatabase(path: string, readonly: boolean): Handle {
  const options = { readonly, fileMustExist: readonly, timeout: 10000 };
  return connect(path, options, path, (message) => say`cannot be opened (${message})`);
}

/** Connects to a database. Throws a BadMirrorError about `mirror` if the file or its folder cannot be used. */
function connect(path: string, options: Database.Options, mirror: string, reason: (message: string) => Phrase): Handle {
  try {
    return new Database(path, options);
  } catch (error) {
    // Other errors mean that SQLite itself is missing.
    if (!(error instanceof Database.SqliteError || error instanceof TypeError)) throw error;
    const refusalReason = (options.readonly ? null : whyUnwritable(path)) ?? reason(error.message);
    throw openFilesError(mirror, error) ?? new BadMirrorError(mirror, refusalReason, null, error);
  }
}

function openMirrorFile(path: string): Mirror {
  return mirrorFromSource(path, () => fileSource(openDatabase(path, false)), { readonly: false });
}

/** A reader tries this often while a writer opens or closes the file. */
const maxAttempts = 10;
const retryDelayMs = 20;

/** Opens the file or a copy at the current schema. Throws a NoMirrorError or, after all attempts, a BadMirrorError. */
function openSource(path: string): MirrorSource {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    if (attempts > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryDelayMs);
    readSchemaVersion(path);
    const source = openInPlace(path) ?? openCopy(path);
    if (source) return withCurrentSchema(path, source);
  }
  throw new BadMirrorError(
    path,
    hasLog(path)
      ? say`has changes in its log (-wal), which cannot be read without write access to the folder`
      : say`changes while being copied, and its folder, where SQLite needs to write, is read-only`,
    say`let its owner run \`hemicycle status\` there, and others read all of its files, -wal and -shm included`,
  );
}

/** Page cache of a reader, sized for repeated searches of a million records. */
const readCacheMb = 32;

/** Opens the file itself; null if SQLite needs write access beside it. */
function openInPlace(path: string): MirrorSource | null {
  const database = openDatabase(path, true);
  try {
    database.pragma('user_version');
    database.pragma(`cache_size = -${readCacheMb * 1024}`);
    return fileSource(database);
  } catch (error) {
    database.close();
    const isRefused = /^SQLITE_(CANTOPEN|READONLY)/.test(String((error as { code?: unknown }).code));
    if (isRefused && whyUnwritable(path) !== null) return null;
    throw asMirrorError(path, error);
  }
}

/** Opens a copy of the file; null if a program may be writing to it. */
function openCopy(path: string): MirrorSource | null {
  const stableFile = readStableFile(path);
  if (stableFile === null) return null;
  const database = openInMemory(stableFile.bytes, { readonly: true });
  return { database, isCurrent: () => stableFileState(path) === stableFile.state, close: () => database.close() };
}

function openInMemory(bytes: Buffer, { readonly }: { readonly: boolean }): Handle {
  // A database in memory has no WAL: set the two header bytes to rollback mode.
  bytes.fill(1, 18, 20);
  return new Database(bytes, { readonly });
}

/** Returns the source at the current schema. Throws a NoMirrorError if it has none, a BadMirrorError if it is newer. */
function withCurrentSchema(path: string, source: MirrorSource): MirrorSource {
  return closeAndConvertError(path, source, () => {
    const version = schemaVersion(source.database);
    if (version === 0) throw new NoMirrorError(path);
    refuseNewerSchema(path, version);
    return version === newestVersion && isLogAnonymous(source.database) ? source : migratedCopy(path, source);
  });
}

/** Largest file that SQLite copies into memory, which it allocates in one piece. */
const maxCopiedBytes = 2 ** 31 - 1;

/** Returns a migrated copy of an older mirror; the file stays unchanged. */
function migratedCopy(path: string, olderSource: MirrorSource): MirrorSource {
  if (fileBytes(path) > maxCopiedBytes)
    throw new BadMirrorError(
      path,
      say`was written by an older Hemicycle, and is too large to be upgraded in memory`,
      say`run \`hemicycle sync\` or \`hemicycle import\` once to upgrade the file`,
    );
  const readDataVersion = () => olderSource.database.pragma('data_version', { simple: true });
  const dataVersion = readDataVersion();
  const database = openInMemory(olderSource.database.serialize(), { readonly: false });
  const source = {
    database,
    isCurrent: () => olderSource.isCurrent() && readDataVersion() === dataVersion,
    close() {
      database.close();
      olderSource.close();
    },
  };
  const copy = mirrorFromSource(path, () => source, { readonly: false });
  const journal = readMeta(copy, 'journal');
  updateSchema(copy);
  anonymiseLog(copy);
  // The migration gave an older mirror a random journal name, which would void the positions of followers.
  if (!journal) deleteMeta(copy, 'journal');
  return source;
}

function createParentFolder(path: string): void {
  try {
    createFolder(dirname(path));
  } catch (error) {
    const reason = whyUnwritable(path);
    if (reason !== null && existsSync(dirname(path))) throw new BadMirrorError(path, reason, null, error);
    throw new BadMirrorError(path, say`its folder cannot be created (${(error as Error).message})`, null, error);
  }
}

/** The result of `work`; if it fails, closes what was opened and throws, an error of SQLite as a BadMirrorError. */
function closeAndConvertError<Result>(path: string, opened: { close(): void }, work: () => Result): Result {
  try {
    return closeOnError(opened, work);
  } catch (error) {
    throw asMirrorError(path, error);
  }
}
