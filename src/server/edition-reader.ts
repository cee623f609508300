import type { Mirror } from '../store/mirror.ts';
import { type Edition, readEdition } from '../store/records/contents.ts';

/**
 * A function that reads the mirror's edition, at most once per turn of the event loop. It returns the same
 * object until the edition changes.
 */
export function createEditionReader(mirror: () => Mirror): () => Edition {
  let last: Edition | null = null;
  let isFresh = false;
  return () => {
    if (last && isFresh) return last;
    const edition = readEdition(mirror());
    if (!last || !isSame(last, edition)) last = edition;
    isFresh = true;
    setImmediate(() => {
      isFresh = false;
    });
    return last;
  };
}

/** True if both editions are the same state of the same file. */
export function isSame(one: Edition, other: Edition): boolean {
  return (
    one === other ||
    (one.file === other.file &&
      one.version === other.version &&
      one.state === other.state &&
      one.filledAt === other.filledAt &&
      one.firstSeen === other.firstSeen &&
      one.isSettled === other.isSettled)
  );
}
