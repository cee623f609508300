import { asMirrorError, type Mirror, openMirror } from './open.ts';

/** Runs `read` on one committed state of the mirror, whatever is saved meanwhile. Nothing inside may await. */
export function inOneView<Result>(mirror: Mirror, read: () => Result): Result {
  if (mirror.database.inTransaction) return read();
  try {
    mirror.sql('BEGIN').run();
    return read();
  } catch (error) {
    throw asMirrorError(mirror.path, error);
  } finally {
    if (mirror.database.inTransaction) mirror.sql('COMMIT').run();
  }
}

/** Opens a mirror that stays at its last committed state until it is closed, for reading that takes long. */
export function openSnapshot(path: string): Mirror {
  const snapshot = openMirror(path);
  // What is read once from end to end gains nothing by more.
  snapshot.database.pragma('cache_size = -4096');
  snapshot.sql('BEGIN').run();
  snapshot.sql('SELECT count(*) FROM meta').get();
  return snapshot;
}
