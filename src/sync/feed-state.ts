import type { Mirror } from '../store/mirror.ts';
import { readProgress } from '../store/progress.ts';

/** A walk down the feed; `toEnd` marks one that has no known ground below it. */
export type Walk = { cursor: string | null; toEnd: boolean };

/**
 * Walks that were begun and not finished, newest first; `missing` is by how many records the service's total differed
 * from ours at the end of the last whole walk, because its total may count what its feed does not show; `wholeAt` is
 * when a walk last reached the end (store/progress.ts forgets it when other means fill the mirror).
 */
export type FeedState = { walks: Walk[]; missing: number | null; wholeAt: string | null };

/** An edit below known ground moves no count: it is met when the whole feed is walked, once a week. */
const wholeEveryMs = 7 * 86_400_000;

/** Where the walks down the feed of that origin stand, or undefined if none ever began. */
export function readFeedState(mirror: Mirror, origin: string): FeedState | undefined {
  return readProgress<FeedState>(mirror, origin, 'feed');
}

/** True if the next walk has to go to the end of the feed, whatever it knows; not while one that does is unfinished. */
export function isWholeWalkDue(state: FeedState | undefined, nowMs: number): boolean {
  if (state?.walks.some(({ toEnd }) => toEnd)) return false;
  const wholeAt = state?.wholeAt ?? null;
  return wholeAt === null || nowMs - Date.parse(wholeAt) >= wholeEveryMs;
}
