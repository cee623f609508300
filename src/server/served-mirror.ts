import { isDeepStrictEqual } from 'node:util';
import { HemicycleError, orNull } from '../errors.ts';
import type { Citation } from '../model/attribution.ts';
import { type FollowedMirror, followMirrorFile } from '../store/followed-mirror.ts';
import type { Mirror } from '../store/mirror.ts';
import { type CitationSettings, citationOf } from '../store/records/citation.ts';
import { type Edition, readEdition } from '../store/records/contents.ts';
import { readSnapshot } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import { RefusedForNowError } from './problem.ts';

/** The served mirror; its methods throw a RefusedForNowError (503) while the file is missing or damaged. */
export type ServedMirror = ReturnType<typeof serveMirror>;

/** Retry-After in seconds: replacing the file takes a moment. */
const retrySeconds = 2;

/** Follows the file at the mirror's path; `onFailure` gets each reason why it cannot be read once. */
export function serveMirror(
  first: Mirror,
  { citation, cites }: { citation: Citation; cites?: CitationSettings },
  onFailure: (error: unknown) => void,
) {
  const followed = followMirrorFile(first);
  const guarded = createGuard(onFailure);
  const citationFor = onceFor((mirror: Mirror) => (cites ? citationOf(cites, mirror) : citation));
  let cited = citation;
  let edition: Edition | null = null;
  // The file is checked once per turn of the event loop.
  let tickState: { mirror: Mirror; isEditionRead: boolean } | null = null;
  const look = () => {
    if (tickState?.mirror.database.open) return tickState;
    const mirror = guarded(followed.current);
    cited = citationFor(mirror);
    setImmediate(() => {
      tickState = null;
    });
    tickState = { mirror, isEditionRead: false };
    return tickState;
  };
  const isThere = () => orNull(() => look().mirror.database.open) ?? false;
  return {
    ...followed,
    current: () => look().mirror,
    /** The current edition; the same object until it changes. */
    edition(): Edition {
      const state = look();
      if (!state.isEditionRead) {
        const read = readEdition(state.mirror);
        if (!isDeepStrictEqual(edition, read)) edition = read;
        state.isEditionRead = true;
      }
      return edition!;
    },
    beside: ((open, end) => guarded(() => followed.beside(open, end))) satisfies FollowedMirror['beside'],
    /** False while the mirror cannot be read. */
    isThere,
    /** Citation of the current or last readable mirror; the same object until it changes. */
    citation() {
      // Updates `cited`; without a readable mirror the last citation is kept.
      isThere();
      return cited;
    },
  };
}

/** Wraps a read: faults of the mirror become 503 and are reported once per message. */
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

/** Memoizes `make` for the last argument, unless its promise rejects. */
export function onceFor<Key, Made>(make: (key: Key) => Made): (key: Key) => Made {
  let last: { key: Key; value: Made } | null = null;
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

/** Memoizes `make` per edition and citation: it reads much, outside every caller's rate limit. */
export function onceAnEdition<Made>(served: ServedMirror, make: () => Made): () => Made {
  const madeFor = onceFor((_state: string) => make());
  return () => {
    const mirror = served.current();
    return readSnapshot(mirror, () => madeFor(JSON.stringify([readEdition(mirror), served.citation()])));
  };
}
