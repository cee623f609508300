import { kindOf } from '../model/kinds.ts';
import type { Mirror } from '../store/mirror.ts';
import { countRows } from '../store/rows.ts';
import { hasUnseen } from '../store/saving/unseen.ts';
import { readProgress, saveProgress } from '../store/syncs/progress.ts';
import type { SyncContext } from './context.ts';

/**
 * A walk down the feed; `toEnd` marks one that has no known ground below it, `isTail` one that only asks whether the end
 * that an earlier walk came to is the end.
 */
export type Walk = { cursor: string | null; toEnd: boolean; isTail?: true };

/**
 * Walks that were begun and not finished, newest first; `missing` is by how many records the service's total differed
 * from ours at the end of the last whole walk, because its total may count what its feed does not show; `wholeAt` is
 * when a walk last saw all of the feed in one go (store/syncs/progress.ts forgets it when other means fill the mirror).
 * `doubts` counts the walks since then that reached the end and may have missed something; `isOdd` says that the pages
 * of the last one looked so, as they always do with some services (sync/whole-walk.ts). `end` is the cursor of the page
 * that ended the first whole walk of a feed without a count, until it was asked for once more: an answer that was cut
 * short hides all that is behind it.
 */
export type FeedState = {
  walks: Walk[];
  missing: number | null;
  wholeAt: string | null;
  doubts: number;
  isOdd: boolean;
  end?: string | null | undefined;
};

/** An edit below known ground moves no count: it is met when the whole feed is walked, once a week. */
const wholeEveryMs = 7 * 86_400_000;

/** So often in a row a walk is repeated by the next run because it may have missed something; then once a week. */
const mostDoubts = 3;

/** Where the walks down the feed of that origin stand, or undefined if none ever began. */
export function readFeedState(mirror: Mirror, origin: string): FeedState | undefined {
  return readProgress<FeedState>(mirror, origin, 'feed');
}

/**
 * True if the next walk has to go to the end of the feed, whatever it knows: once a week, and where the last one left a
 * question, whether it missed something or the feed lacks what is held. Not while one that does so is unfinished.
 */
export function isWholeWalkDue(mirror: Mirror | null, state: FeedState | undefined, nowMs: number): boolean {
  if (state?.walks.some(({ toEnd, isTail }) => toEnd && !isTail)) return false;
  // The only page of a feed is its head.
  if (state?.end === null) return true;
  const wholeAt = state?.wholeAt ?? null;
  if (wholeAt === null || nowMs - Date.parse(wholeAt) >= wholeEveryMs) return true;
  const doubts = state?.doubts ?? 0;
  return (doubts > 0 || (mirror !== null && hasUnseen(mirror, kindOf('content')))) && doubts <= mostDoubts;
}

/** True where the service counts other than the mirror holds, but for what an earlier run left unfinished. */
export function isMissing(mirror: Mirror, state: FeedState, total: number | null): boolean {
  if (total === null || state.walks.length > 1) return false;
  return total - countRows(mirror, kindOf('content')) !== (state.missing ?? 0);
}

/** The walks of a run: from the top, then from the end that is not proven yet, then on with those that were left. */
export function walksOf(
  known: FeedState | undefined,
  { isWhole, full }: { isWhole: boolean; full: boolean },
): Walk[] {
  const top: Walk = { cursor: null, toEnd: isWhole };
  if (full) return [top];
  const left = known?.walks ?? [];
  const end = known?.end ?? null;
  const isAsked = isWhole || end === null || left.some(({ isTail }) => isTail);
  return [top, ...(isAsked ? [] : [{ cursor: end, toEnd: true, isTail: true } as const]), ...left];
}

/** Takes the newest walk off the list; to be called in the transaction that saved its last page. */
export function endWalk(context: FeedStateContext, state: FeedState): void {
  state.walks.shift();
  saveFeedState(context, state);
}

type FeedStateContext = Pick<SyncContext, 'mirror' | 'client' | 'now'>;

/** Keeps where the walks stand; to be called in the transaction that saved a page. */
export function saveFeedState({ mirror, client, now }: FeedStateContext, state: FeedState): void {
  const at = new Date(now()).toISOString();
  saveProgress(mirror, { origin: client.baseUrl, stage: 'feed', at }, state);
}
