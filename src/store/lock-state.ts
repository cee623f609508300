import { existsSync } from 'node:fs';
import { openLockDatabase } from './open.ts';

/** True while a run holds the lock of the mirror. */
export function isLocked(mirrorPath: string): boolean {
  const path = `${mirrorPath}.lock`;
  if (!existsSync(path)) return false;
  const database = openLockDatabase(path, 0);
  try {
    database.prepare('SELECT count(*) FROM sqlite_master').get();
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}
