import { asMirrorError, type Mirror, refuseGone } from './mirror.ts';
import { openMirror } from './open.ts';

/**
 * Runs `work` in one transaction: all of it is saved, or none. Nothing inside may await. Throws a BadMirrorError where the
 * file stands at its path no more.
 */
export function atOnce<Result>(mirror: Mirror, work: () => Result): Result {
  try {
    const result = mirror.database.transaction(work).immediate();
    refuseGone(mirror);
    return result;
  } catch (error) {
    throw asMirrorError(mirror.path, error);
  }
}

/** How long an answered person waits for the write lock. */
const keepingWaitMs = 500;

/**
 * An optional write as in `atOnce`, skipped if another process holds the write lock for more than a moment. True if it was
 * saved.
 */
export function atOnceIfFree(mirror: Mirror, work: () => void): boolean {
  const { database } = mirror;
  const waitMs = database.pragma('busy_timeout', { simple: true });
  database.pragma(`busy_timeout = ${keepingWaitMs}`);
  try {
    atOnce(mirror, work);
    return true;
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
    if (!String(code).startsWith('SQLITE_BUSY')) throw error;
    return false;
  } finally {
    database.pragma(`busy_timeout = ${waitMs}`);
  }
}

/**
 * Runs a streaming `work` as one transaction: readers see nothing of it until all of it is there.
 * The caller must own the connection alone (an import, a dataset), because the transaction spans awaits.
 */
export async function wholeOrNothing<Result>(mirror: Mirror, work: () => Promise<Result>): Promise<Result> {
  try {
    mirror.database.exec('BEGIN IMMEDIATE');
    const result = await work();
    mirror.database.exec('COMMIT');
    refuseGone(mirror);
    return result;
  } catch (error) {
    if (mirror.database.inTransaction) mirror.database.exec('ROLLBACK');
    throw asMirrorError(mirror.path, error);
  }
}

/** Runs `read` on one committed state of the mirror, whatever is saved meanwhile. Nothing inside may await. */
export function inOneView<Result>(mirror: Mirror, read: () => Result): Result {
  if (mirror.database.inTransaction) return read();
  try {
    mirror.refresh();
    mirror.sql('BEGIN').run();
    return read();
  } catch (error) {
    throw asMirrorError(mirror.path, error);
  } finally {
    if (mirror.database.inTransaction) mirror.sql('COMMIT').run();
  }
}

/** As `inOneView`, for reading that awaits; the caller must own the connection alone. */
export async function inOneLongView<Result>(mirror: Mirror, read: () => Promise<Result>): Promise<Result> {
  try {
    mirror.refresh();
    mirror.sql('BEGIN').run();
    return await read();
  } catch (error) {
    throw asMirrorError(mirror.path, error);
  } finally {
    if (mirror.database.inTransaction) mirror.sql('COMMIT').run();
  }
}

/** Opens a mirror that stays at its last committed state until it is closed, for reading that takes long. */
export function openSnapshot(path: string): Mirror {
  const snapshot = openMirror(path);
  // A single pass from end to end needs no larger page cache.
  snapshot.database.pragma('cache_size = -4096');
  snapshot.sql('BEGIN').run();
  snapshot.sql('SELECT count(*) FROM meta').get();
  return snapshot;
}
