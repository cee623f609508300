import { existsSync } from 'node:fs';
import { LockedError } from '../errors.ts';
import { asMirrorError, type Handle } from './mirror.ts';
import { openLockDatabase } from './open.ts';

/** A look at the lock (`isLocked`) holds it for a moment and must not pass for a run. */
const probeMs = 250;

/** Lets one run at a time write to a mirror; the lock goes with its holder, however that ends. */
export async function takeLock(
  mirrorPath: string,
  { waitMs = 0, sleep }: { waitMs?: number; sleep: (ms: number) => Promise<unknown> },
): Promise<{ release(): void }> {
  const database = openLockDatabase(`${mirrorPath}.lock`, probeMs);
  for (let waited = 0; ; waited += 250) {
    try {
      database.exec('BEGIN EXCLUSIVE');
      return { release: () => database.close() };
    } catch (error) {
      const isLocked = (error as { code?: unknown }).code === 'SQLITE_BUSY';
      if (!isLocked || waited >= waitMs) {
        database.close();
        throw isLocked ? new LockedError(mirrorPath) : asMirrorError(mirrorPath, error);
      }
      await sleep(250);
    }
  }
}

/** True while a run holds the lock of the mirror; null where this user may not look. */
export function isLocked(mirrorPath: string): boolean | null {
  const path = `${mirrorPath}.lock`;
  if (!existsSync(path)) return false;
  let database: Handle | null = null;
  try {
    database = openLockDatabase(path, 0);
    database.prepare('SELECT count(*) FROM sqlite_master').get();
    return false;
  } catch (error) {
    return (error as { code?: unknown }).code === 'SQLITE_BUSY' ? true : null;
  } finally {
    database?.close();
  }
}
