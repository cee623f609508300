import { kindOf } from '../model/kinds.ts';
import type { Mirror } from '../store/mirror.ts';
import { countRows } from '../store/rows.ts';
import { hasUnseen } from '../store/saving/unseen.ts';
import { readProgress, saveProgress } from '../store/syncs/progress.ts';
import { isoTime, type SyncContext } from './context.ts';

/**
 * A walk down the feed. `toEnd`: goes on to the end of the feed. `isTail`: only checks that the end found by an earlier
 * walk is the end.
 */
export type Walk = { cursor: string | null; toEnd: boolean; isTail?: true };

/**
 * `walks`: unfinished walks, newest first. `missing`: difference between the service's total and ours after the last
 * complete walk, since a total may count hidden records. `wholeAt`: time of the last complete walk; imports reset it
 * (store/syncs/progress.ts). `doubts`: doubtful walks to the end since then. `isOdd`: pages of the last walk were
 * irregular, as they always are with some services (sync/whole-walk.ts). `end`: cursor of the last page of the first
 * complete walk of a feed without a total, until it is checked once: a truncated response would hide the rest.
 */
export type FeedState = {
  walks: Walk[];
  missing: number | null;
  wholeAt: string | null;
  doubts: number;
  isOdd: boolean;
  end?: string | null | undefined;
};

/** Edits of old records change no total, so the whole feed is walked once a week. */
const wholeEveryMs = 7 * 86_400_000;

/** Doubtful walks are repeated this often, then once a week. */
const maxDoubts = 3;

/** The saved state of feed walks, or undefined. */
export function readFeedState(mirror: Mirror, origin: string): FeedState | undefined {
  return readProgress<FeedState>(mirror, origin, 'feed');
}

/**
 * True if the next walk has to go to the end of the feed: once a week, after a doubtful walk, or if held records were not
 * seen. False while such a walk is unfinished.
 */
export function isWholeWalkDue(mirror: Mirror | null, state: FeedState | undefined, nowMs: number): boolean {
  if (state?.walks.some(({ toEnd, isTail }) => toEnd && !isTail)) return false;
  // The feed had a single page.
  if (state?.end === null) return true;
  const wholeAt = state?.wholeAt ?? null;
  if (wholeAt === null || nowMs - Date.parse(wholeAt) >= wholeEveryMs) return true;
  const doubts = state?.doubts ?? 0;
  return (doubts > 0 || (mirror !== null && hasUnseen(mirror, kindOf('content')))) && doubts <= maxDoubts;
}

/** True if the service's total does not match the mirror and no unfinished walk explains it. */
export function isMissing(mirror: Mirror, state: FeedState, total: number | null): boolean {
  if (total === null || state.walks.length > 1) return false;
  return total - countRows(mirror, kindOf('content')) !== (state.missing ?? 0);
}

/** The walks of a run: from the top, from an unconfirmed end, then the unfinished ones. */
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

/** Removes the newest walk; call it in the transaction that saves its last page. */
export function endWalk(context: FeedStateContext, state: FeedState): void {
  state.walks.shift();
  saveFeedState(context, state);
}

type FeedStateContext = Pick<SyncContext, 'mirror' | 'client' | 'now'>;

/** Saves the state of the walks; call it in the transaction that saves a page. */
export function saveFeedState({ mirror, client, now }: FeedStateContext, state: FeedState): void {
  const at = isoTime(now());
  saveProgress(mirror, { origin: client.baseUrl, stage: 'feed', at }, state);
}
