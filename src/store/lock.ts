import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { BadMirrorError, LockedError, orNull } from '../errors.ts';
import { say } from '../words/speech.ts';
import { type Handle, whileOpen } from './mirror.ts';
import { asMirrorError } from './mirror-errors.ts';
import { openLockDatabase } from './open.ts';

/** Longer than `isLocked` keeps the lock, so that a check does not count as a run. */
const probeMs = 250;

/** Takes the write lock of a mirror until it is closed or its process ends. Throws a LockedError after `waitMs`. */
export async function takeLock(
  mirrorPath: string,
  { waitMs = 0, sleep }: { waitMs?: number; sleep: (ms: number) => Promise<unknown> },
): Promise<{ close(): void }> {
  const lock = await waitForLock(`${mirrorPath}.lock`, { lockedPath: mirrorPath, waitMs, stepMs: 250, probeMs, sleep });
  if (lock === null) throw new BadMirrorError(mirrorPath, noLocks.reason, noLocks.hint);
  return lock;
}

type LockWait = { lockedPath: string; waitMs: number; stepMs: number; probeMs: number } & {
  sleep: (ms: number) => Promise<unknown>;
};

/** The locked file; null if its file system has no locks. Throws a LockedError for `lockedPath` after `waitMs`. */
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

/** Runs `work` under a lock file if the file system has locks. Throws a LockedError after `waitMs`. */
export async function withLockFile<Result>(
  path: string,
  work: () => Promise<Result>,
  {
    lockedPath,
    waitMs = 10_000,
    sleep = delay,
  }: { lockedPath: string; waitMs?: number; sleep?: (ms: number) => Promise<unknown> },
): Promise<Result> {
  // Appending leaves the file of another run as it is.
  if (!existsSync(path)) writeFileSync(path, '', { flag: 'a' });
  const lock = await waitForLock(path, { lockedPath, waitMs, stepMs: 20, probeMs: 0, sleep });
  return work().finally(() => releaseLock(path, lock));
}

/** User version of a lock file that its owner removed: a run that had opened it then opens the new file. */
const removedVersion = 1;

function releaseLock(path: string, lock: Handle | null): void {
  using _ = { [Symbol.dispose]: () => lock?.close() };
  try {
    deleteLockFile(path);
    lock?.exec(`PRAGMA user_version = ${removedVersion}; COMMIT`);
  } catch (error) {
    // A full disk cannot store the mark; the work is done.
    if (error instanceof BadMirrorError) throw error;
  }
}

const noLocks = {
  reason: say`cannot be locked: its file system does not support locks, like network folders without a lock service (ENOLCK)`,
  hint: say`store the mirror on a local disk (--db), or mount the folder with locks; no other run is using it`,
};

function tryLock(path: string, timeoutMs: number): Handle | 'held' | 'damaged' | 'removed' {
  const database = openLockDatabase(path, timeoutMs);
  try {
    // A journal file would have the name of that of the next lock file.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN EXCLUSIVE');
    // The file carries the mark, since inode numbers of removed files are reused.
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
  const probe = `${path}.${randomUUID().slice(0, 8)}`;
  using _ = { [Symbol.dispose]: () => rmSync(probe, { force: true }) };
  // Unknown without write access.
  const outcome = orNull(() => tryLock(probe, 0));
  if (typeof outcome === 'string') return false;
  outcome?.close();
  return true;
}

function deleteLockFile(path: string): void {
  try {
    for (const ending of ['', '-journal']) rmSync(`${path}${ending}`, { force: true });
  } catch (error) {
    throw asLockError(path, error);
  }
}

/** The error of a lock file, which names it instead of the mirror. */
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
