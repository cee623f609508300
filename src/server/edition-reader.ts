import type { Mirror } from '../store/mirror.ts';
import { type Edition, readEdition } from '../store/records/contents.ts';

/**
 * Reads the mirror's edition, once for all requests that are read from their connections at one time; as long as
 * nothing changes it is the same object.
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

/** True for one state of one mirror, in one file. */
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
