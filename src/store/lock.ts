import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { BadMirrorError, LockedError, orNull } from '../errors.ts';
import { say } from '../words/speech.ts';
import { type Handle, whileOpen } from './mirror.ts';
import { asMirrorError } from './mirror-errors.ts';
import { openLockDatabase } from './open.ts';

/** How long SQLite waits for the lock: longer than `isLocked` holds it, so that a check is not taken for a run. */
const probeMs = 250;

type Sleep = (ms: number) => Promise<unknown>;
type LockWait = Record<'waitMs' | 'stepMs' | 'probeMs', number> & { lockedPath: string; sleep: Sleep };

/** Takes a mirror's write lock, until it is closed or the process ends; throws a LockedError or BadMirrorError. */
export async function takeLock(
  mirrorPath: string,
  { waitMs = 0, sleep }: { waitMs?: number; sleep: Sleep },
): Promise<{ close(): void }> {
  const lock = await waitForLock(`${mirrorPath}.lock`, {
    lockedPath: mirrorPath,
    waitMs,
    stepMs: 250,
    probeMs,
    sleep,
  });
  if (lock !== null) return lock;
  throw new BadMirrorError(
    mirrorPath,
    say`cannot be locked: its file system does not support locks, like network folders without a lock service (ENOLCK)`,
    say`store the mirror on a local disk (--db), or mount the folder with locks; no other run is using it`,
  );
}

/** Returns the locked database; null if its file system has no locks. Throws a LockedError after `waitMs`. */
async function waitForLock(path: string, { lockedPath, waitMs, stepMs, probeMs, sleep }: LockWait) {
  for (let waitedMs = 0; ; waitedMs += stepMs) {
    const outcome = tryLock(path, probeMs);
    if (typeof outcome === 'object') return outcome;
    if (outcome === 'damaged') deleteLockFile(path);
    if (outcome !== 'held') continue;
    if (waitedMs === 0 && !supportsLocks(path)) return null;
    if (waitedMs >= waitMs) throw new LockedError(lockedPath);
    await sleep(stepMs);
  }
}

/** Runs `work` under a lock file, without if the file system has no locks. Throws a LockedError after `waitMs`. */
export async function withLockFile<Result>(
  path: string,
  work: () => Promise<Result>,
  { lockedPath, waitMs = 10_000, sleep = delay }: { lockedPath: string; waitMs?: number; sleep?: Sleep },
): Promise<Result> {
  // Appending leaves the file of another run as it is.
  if (!existsSync(path)) writeFileSync(path, '', { flag: 'a' });
  const lock = await waitForLock(path, { lockedPath, waitMs, stepMs: 20, probeMs: 0, sleep });
  return work().finally(() => releaseLock(path, lock));
}

/** `user_version` of a removed lock file: a run that still has it open must open the new file. */
const removedVersion = 1;

/** Removes the lock file, marks it as removed for runs that have it open, and releases the lock. */
function releaseLock(path: string, lock: Handle | null): void {
  using _ = { [Symbol.dispose]: () => lock?.close() };
  try {
    deleteLockFile(path);
    lock?.exec(`PRAGMA user_version = ${removedVersion}; COMMIT`);
  } catch (error) {
    // Ignore an error of SQLite, such as a full disk: the work is done.
    if (error instanceof BadMirrorError) throw error;
  }
}

/** Returns the locked database; else: `held` by another run, `damaged`, or `removed` by its last owner. */
function tryLock(path: string, timeoutMs: number): Handle | 'held' | 'damaged' | 'removed' {
  const database = openLockDatabase(path, timeoutMs);
  try {
    // In memory, because the next lock file of this name would find a journal on disk.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN EXCLUSIVE');
    // `user_version` identifies a removed file, since its inode number may be reused.
    if (database.pragma('user_version', { simple: true }) !== removedVersion) return database;
    database.close();
    return 'removed';
  } catch (error) {
    database.close();
    const { code } = error as { code?: string };
    if (code === 'SQLITE_BUSY') return 'held';
    if (/^SQLITE_(NOTADB|CORRUPT)/.test(code ?? '')) return 'damaged';
    throw asLockError(path, error);
  }
}

/** False if the file system refuses all locks, even of a new file, which SQLite reports as busy. */
function supportsLocks(path: string): boolean {
  const probePath = `${path}.${randomUUID().slice(0, 8)}`;
  using _ = { [Symbol.dispose]: () => rmSync(probePath, { force: true }) };
  // Null without write access: assume that locks work.
  const outcome = orNull(() => tryLock(probePath, 0));
  if (typeof outcome === 'string') return false;
  outcome?.close();
  return true;
}

function deleteLockFile(path: string): void {
  try {
    for (const suffix of ['', '-journal']) rmSync(`${path}${suffix}`, { force: true });
  } catch (error) {
    throw asLockError(path, error);
  }
}

/** A BadMirrorError that names the lock file instead of the mirror. */
function asLockError(path: string, error: unknown): unknown {
  const mirrorError = asMirrorError(path, error);
  if (mirrorError !== error) return mirrorError;
  return new BadMirrorError(
    path,
    say`is damaged and cannot be removed (${(error as Error).message})`,
    say`it is only the lock file of the mirror; the mirror is untouched; remove the lock file`,
    error,
  );
}

/** True while a run holds the lock of the mirror; null if this user may not check. */
export function isLocked(mirrorPath: string): boolean | null {
  const path = `${mirrorPath}.lock`;
  if (!existsSync(path)) return false;
  try {
    whileOpen(openLockDatabase(path, 0), (database) => database.prepare('SELECT count(*) FROM sqlite_master').get());
    return false;
  } catch (error) {
    return (error as { code?: unknown }).code === 'SQLITE_BUSY' ? true : null;
  }
}
