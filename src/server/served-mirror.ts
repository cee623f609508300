import { HemicycleError } from '../errors.ts';
import type { Citation } from '../model/attribution.ts';
import { type FollowedMirror, followMirrorFile } from '../store/followed-mirror.ts';
import type { Mirror } from '../store/mirror.ts';
import { type CitationSettings, citationOf } from '../store/records/citation.ts';
import { readEdition } from '../store/records/contents.ts';
import { inOneView } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import { RefusedForNowError } from './problem.ts';

/** The mirror that is served now; where there is none, asking for it throws a RefusedForNowError (503). */
export type ServedMirror = FollowedMirror & {
  /** False as long as there is none that can be read. */
  isThere(): boolean;
  /** Who is to be cited for it, or for the last one that there was; the same object as long as it is the same. */
  citation(): Citation;
};

/** A file that is being put into its place is there a moment later. */
const retrySeconds = 2;

/** Serves whatever mirror stands at the path of that one; `onFailure` is told once why there is none. */
export function serveMirror(
  first: Mirror,
  { citation, cites }: { citation: Citation; cites?: CitationSettings },
  onFailure: (error: unknown) => void,
): ServedMirror {
  const followed = followMirrorFile(first);
  const guarded = createGuard(onFailure);
  let last = first;
  let isFresh = false;
  let cited = citation;
  let citing: Mirror | null = null;
  const current = () => {
    // Once for all requests that are read from their connections at one time.
    if (isFresh && last.database.open) return last;
    last = guarded(followed.current);
    if (cites && citing !== last) cited = citationOf(cites, last);
    citing = last;
    isFresh = true;
    setImmediate(() => {
      isFresh = false;
    });
    return last;
  };
  const isThere = () => {
    try {
      return current().database.open;
    } catch {
      return false;
    }
  };
  return {
    ...followed,
    current,
    beside: (open, end) => guarded(() => followed.beside(open, end)),
    isThere,
    citation() {
      // What needs no record is cited as before as long as there is none.
      isThere();
      return cited;
    },
  };
}

/** Gives what is read, or says to callers in plain words that there is no mirror. */
function createGuard(onFailure: (error: unknown) => void): <Result>(read: () => Result) => Result {
  let told: string | null = null;
  return (read) => {
    try {
      const result = read();
      told = null;
      return result;
    } catch (error) {
      if (!(error instanceof HemicycleError) || error.httpStatus < 500) throw error;
      if (told !== error.message) onFailure(error);
      told = error.message;
      throw new RefusedForNowError(
        503,
        say`There is no mirror to be read at the moment: its file is missing, damaged or being replaced.`,
        retrySeconds,
      );
    }
  };
}

/** Makes something anew only when the mirror is another: reading much of it takes time, and nobody's limit. */
export function onceAnEdition<Made>(served: ServedMirror, make: () => Made): () => Made {
  let kept: { edition: string; made: Made } | null = null;
  return () => {
    const mirror = served.current();
    return inOneView(mirror, () => {
      const edition = JSON.stringify([readEdition(mirror), served.citation()]);
      if (kept?.edition !== edition) kept = { edition, made: make() };
      return kept.made;
    });
  };
}
