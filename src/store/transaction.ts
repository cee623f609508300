import { asMirrorError, type Mirror } from './open.ts';

/** Runs `work` in one transaction: all of it is saved, or none. Nothing inside may await. */
export function atOnce<Result>(mirror: Mirror, work: () => Result): Result {
  try {
    return mirror.database.transaction(work).immediate();
  } catch (error) {
    throw asMirrorError(mirror.path, error);
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
    return result;
  } catch (error) {
    if (mirror.database.inTransaction) mirror.database.exec('ROLLBACK');
    throw asMirrorError(mirror.path, error);
  }
}
