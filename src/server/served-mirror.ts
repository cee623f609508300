import { isDeepStrictEqual } from 'node:util';
import { HemicycleError, orNull } from '../errors.ts';
import { type FollowedMirror, followMirrorFile } from '../store/followed-mirror.ts';
import type { Mirror } from '../store/mirror.ts';
import { type CitationSettings, citationOf, type Edition, readEdition } from '../store/records/contents.ts';
import { say } from '../words/speech.ts';
import { RefusedForNowError } from './problem.ts';

/** The served mirror; its methods throw a RefusedForNowError (503) while the file is missing or damaged. */
export type ServedMirror = ReturnType<typeof serveMirror>;

const retrySeconds = 2; // Retry-After of the refusal, in seconds: replacing the file takes a moment

/** Returns the mirror at a path, reopened when its file is replaced; `onFailure` gets each new reason for a failure. */
export function serveMirror(
  initialMirror: Mirror,
  { citation, baseUrl = null }: Pick<CitationSettings, 'citation'> & Partial<CitationSettings>,
  onFailure: (error: unknown) => void,
) {
  const followedMirror = followMirrorFile(initialMirror);
  const guard = createGuard(onFailure);
  const citationFor = memoizeLast((mirror: Mirror | null) => citationOf({ citation, baseUrl }, mirror));
  let currentCitation = citationFor(null);
  let edition: Edition | null = null;
  // The file is checked once per turn of the event loop.
  let checkedMirror: Mirror | null = null;
  const current = (): Mirror => {
    if (checkedMirror?.database.open) return checkedMirror;
    const mirror = guard(followedMirror.current);
    currentCitation = citationFor(mirror);
    checkedMirror = mirror;
    setImmediate(() => {
      checkedMirror = null;
    });
    return mirror;
  };
  const isReadable = () => orNull(() => current().database.open) ?? false;
  return {
    ...followedMirror,
    current,
    /** Identifies the mirror's present data; returns the same object until the data changes. */
    edition(): Edition {
      const newEdition = readEdition(current());
      if (!isDeepStrictEqual(edition, newEdition)) edition = newEdition;
      return edition!;
    },
    /** As `openReader`, but throws a RefusedForNowError if the mirror is missing or damaged. */
    openGuardedReader: ((open, end) =>
      guard(() => followedMirror.openReader(open, end))) satisfies FollowedMirror['openReader'],
    /** False while the mirror cannot be read. */
    isReadable,
    /** Citation of the current mirror, or of the last readable one; the same object until it changes. */
    citation() {
      // Updates `currentCitation`; without a readable mirror the last citation is kept.
      isReadable();
      return currentCitation;
    },
  };
}

/** Returns a function that runs a read; it reports a mirror error once per message and throws it as a 503. */
function createGuard(onFailure: (error: unknown) => void): <Result>(read: () => Result) => Result {
  let reportedMessage: string | null = null;
  return (read) => {
    try {
      const result = read();
      reportedMessage = null;
      return result;
    } catch (error) {
      if (!(error instanceof HemicycleError) || error.httpStatus < 500) throw error;
      if (reportedMessage !== error.message) onFailure(error);
      reportedMessage = error.message;
      const detail = say`The mirror is not available at the moment: its file is missing, damaged or being replaced.`;
      throw new RefusedForNowError(503, detail, retrySeconds);
    }
  };
}

/** Memoizes `make` for the last argument only; forgets a promise that rejects. */
export function memoizeLast<Key, Result>(make: (key: Key) => Result): (key: Key) => Result {
  let last: { key: Key; value: Result } | null = null;
  return (key) => {
    if (last?.key !== key) {
      last = { key, value: make(key) };
      Promise.resolve(last.value).catch(() => {
        last = null;
      });
    }
    return last.value;
  };
}
