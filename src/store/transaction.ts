import type { Mirror } from './mirror.ts';
import { asMirrorError, refuseReplacedFile } from './mirror-errors.ts';
import { openMirror } from './open.ts';

/** Runs `work`, which must not await, in one transaction. Throws a BadMirrorError if the file is not at its path. */
export function transaction<Result>(mirror: Mirror, work: () => Result): Result {
  try {
    const result = mirror.database.transaction(work).immediate();
    refuseReplacedFile(mirror);
    return result;
  } catch (error) {
    throw asMirrorError(mirror.path, error);
  }
}

/** How long an optional write waits for the write lock. */
const optionalWaitMs = 500;

/** Like `transaction`, for an optional write; returns false, with nothing written, if another process writes. */
export function tryTransaction(mirror: Mirror, work: () => void): boolean {
  const { database } = mirror;
  const waitMs = database.pragma('busy_timeout', { simple: true });
  database.pragma(`busy_timeout = ${optionalWaitMs}`);
  using _ = { [Symbol.dispose]: () => database.pragma(`busy_timeout = ${waitMs}`) };
  try {
    transaction(mirror, work);
    return true;
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
    if (!String(code).startsWith('SQLITE_BUSY')) throw error;
    return false;
  }
}

/** Like `transaction`, for an asynchronous `work`; nothing else may use the connection meanwhile. */
export async function asyncTransaction<Result>(mirror: Mirror, work: () => Promise<Result>): Promise<Result> {
  try {
    mirror.database.exec('BEGIN IMMEDIATE');
    const result = await work();
    mirror.database.exec('COMMIT');
    refuseReplacedFile(mirror);
    return result;
  } catch (error) {
    if (mirror.database.inTransaction) mirror.database.exec('ROLLBACK');
    throw asMirrorError(mirror.path, error);
  }
}

/** Runs `read`, which must not await, on one committed state of the mirror. */
export function readSnapshot<Result>(mirror: Mirror, read: () => Result): Result {
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

/** Like `readSnapshot`, for an asynchronous `read`; nothing else may use the connection meanwhile. */
export async function asyncReadSnapshot<Result>(mirror: Mirror, read: () => Promise<Result>): Promise<Result> {
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

/** Opens a mirror that keeps showing the state that was committed when it was opened, for long reads. */
export function openSnapshot(path: string): Mirror {
  const snapshot = openMirror(path);
  // A single pass from end to end needs no larger page cache.
  snapshot.database.pragma('cache_size = -4096');
  snapshot.sql('BEGIN').run();
  snapshot.sql('SELECT count(*) FROM meta').get(); // the first read fixes the state
  return snapshot;
}
