import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { BadMirrorError, NoMirrorError } from '../errors.ts';
import { applicationId, migrations, newestVersion } from './migrations.ts';
import { asMirrorError, type Handle, handleOf, type Mirror, unwritable } from './mirror.ts';
import { createListIndexes, createViews } from './schema.ts';

/** Opens the mirror for reading; takes no lock and writes nothing. */
export function openMirror(path: string): Mirror {
  if (!existsSync(path)) throw new NoMirrorError(path);
  refuseForeign(path);
  const mirror = handleOf(path, openReadable(path), true);
  return guarded(mirror, () => {
    const version = mirror.database.pragma('user_version', { simple: true }) as number;
    if (version === 0) throw new NoMirrorError(path);
    if (version < newestVersion) {
      throw new BadMirrorError(
        path,
        `has schema ${version}, this program reads ${newestVersion}`,
        'any `hemicycle import` or `hemicycle sync` brings it up to date',
      );
    }
    return mirror;
  });
}

/**
 * Opens the mirror for writing, makes the file if there is none, and brings its schema up to date. An import of
 * everything at once is faster with a large page cache; what is saved page by page does not gain by it.
 */
export function openWritableMirror(path: string, { cacheMb = 64 }: { cacheMb?: number } = {}): Mirror {
  if (existsSync(path)) refuseForeign(path);
  else makeFolder(path);
  if (!existsSync(path) || statSync(path).size === 0) makeMirror(path);
  const mirror = handleOf(path, openDatabase(path, false), false);
  return guarded(mirror, () => {
    mirror.database.pragma('busy_timeout = 10000');
    migrate(mirror);
    createListIndexes(mirror);
    mirror.database.pragma('synchronous = NORMAL');
    mirror.database.pragma(`cache_size = -${cacheMb * 1024}`);
    return mirror;
  });
}

/** Makes an empty mirror under another name first, so that whoever finds the file finds a whole one. */
function makeMirror(path: string): void {
  const made = `${path}.new`;
  try {
    for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(`${made}${ending}`, { force: true });
    const mirror = handleOf(made, openDatabase(made, false), false);
    try {
      migrate(mirror);
    } finally {
      mirror.close();
    }
    renameSync(made, path);
  } catch (error) {
    if (error instanceof BadMirrorError)
      throw new BadMirrorError(path, unwritable(path) ?? error.message, null, error);
    throw asMirrorError(path, error);
  }
}

/** A database that is not a mirror (the budget, a lock); its folder is made if it is missing. */
export function openStateDatabase(path: string): Handle {
  makeFolder(path);
  const database = new Database(path, { timeout: 10000 });
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = OFF');
  return database;
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
  makeFolder(path);
  try {
    return new Database(path, { timeout: timeoutMs });
  } catch (error) {
    const mirror = path.replace(/\.lock$/, '');
    throw new BadMirrorError(
      mirror,
      unwritable(path) ?? `cannot be locked (${(error as Error).message})`,
      null,
      error,
    );
  }
}

function openDatabase(path: string, readonly: boolean): Handle {
  try {
    return new Database(path, { readonly, fileMustExist: readonly, timeout: 10000 });
  } catch (error) {
    const reason = readonly ? null : unwritable(path);
    throw new BadMirrorError(path, reason ?? `cannot be opened (${(error as Error).message})`, null, error);
  }
}

/** A database to read from, from memory where its disk is read-only: SQLite needs to write a file beside a log. */
function openReadable(path: string): Handle {
  const database = openDatabase(path, true);
  try {
    database.pragma('user_version');
    return database;
  } catch (error) {
    const isUnwritable =
      (error as { code?: unknown }).code === 'SQLITE_CANTOPEN' && unwritable(path) !== null;
    const hasLog = existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;
    if (!isUnwritable || hasLog) return database;
    database.close();
    const bytes = readFileSync(path);
    // A database in memory has no log: the header's two bytes that ask for one are set to the other mode.
    bytes.fill(1, 18, 20);
    return new Database(bytes, { readonly: true });
  }
}

function migrate(mirror: Mirror): void {
  const { database } = mirror;
  const current = database.pragma('user_version', { simple: true }) as number;
  if (current >= newestVersion) return;
  if (current === 0) {
    database.pragma('page_size = 16384');
    // Before WAL, so that the file itself shows it at once: other connections look there first.
    database.pragma(`application_id = ${applicationId}`);
    database.pragma('journal_mode = WAL');
  }
  database.transaction(() => {
    for (const step of migrations.filter(({ version }) => version > current)) {
      database.exec(step.sql);
      database.pragma(`user_version = ${step.version}`);
    }
    createViews(mirror);
  })();
}

/** Reads the file's header instead of opening it, so that a foreign file is never touched. */
function refuseForeign(path: string): void {
  const header = Buffer.alloc(72);
  let length = 0;
  try {
    const file = openSync(path, 'r');
    length = readSync(file, header, 0, 72, 0);
    closeSync(file);
  } catch (error) {
    throw new BadMirrorError(path, `cannot be read (${(error as Error).message})`, null, error);
  }
  if (length === 0) return;
  if (length < 72 || header.toString('latin1', 0, 15) !== 'SQLite format 3') {
    throw new BadMirrorError(path, 'is not an SQLite file');
  }
  if (header.readUInt32BE(68) !== applicationId)
    throw new BadMirrorError(path, 'is an SQLite file, but not a mirror');
  const version = header.readUInt32BE(60);
  if (version > newestVersion) {
    throw new BadMirrorError(
      path,
      `was written by a newer Hemicycle (schema ${version}, this one knows ${newestVersion})`,
      'update with `npm i -g hemicycle`; nothing was written',
    );
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw new BadMirrorError(path, `its folder cannot be made (${(error as Error).message})`, null, error);
  }
}

function guarded(mirror: Mirror, open: () => Mirror): Mirror {
  try {
    return open();
  } catch (error) {
    mirror.database.close();
    throw asMirrorError(mirror.path, error);
  }
}
