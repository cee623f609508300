import { QuarantineError } from '../errors.ts';
import { kindOf } from '../model/kinds.ts';
import { getPage, type ListRequest, type ServicePage } from '../service/pages.ts';
import type { Mirror } from '../store/mirror.ts';
import { countRows } from '../store/rows.ts';
import { listMissing, saveUnlisted } from '../store/saving/missing-records.ts';
import { type FeedOutcomes, saveFeedPage } from '../store/saving/save-feed-page.ts';
import { readProgress, saveProgress } from '../store/syncs/progress.ts';
import { saveResponse } from '../store/syncs/validators.ts';
import { transaction } from '../store/transaction.ts';
import type { NumberSet } from '../store/word-index/number-set.ts';
import { say } from '../words/speech.ts';
import { addMissing, addOutcomes, isoTime, type SyncContext } from './context.ts';
import { changesToConfirm, maxShrinkOf, refuseBulkEdits } from './quarantine.ts';
import { detectOrder, type FinishedWalk, hasIrregularPages, type WalkStatistics, whyIncomplete } from './whole-walk.ts';
import { judgeMissing } from './withdrawal-verification.ts';

/**
 * A walk reads pages from `cursor` (null: page 1) until one has stored records only or, if `toEnd`, to the last page.
 * A tail walk starts at the former last page. An interrupted walk is saved, and the next sync continues it.
 */
export type Walk = { cursor: string | null; toEnd: boolean; isTail?: true };

/** State of the feed walks, saved under these names. */
export type FeedState = {
  /** Unfinished walks, newest first. */
  walks: Walk[];
  /** The service's total minus the records seen in the last complete walk: those that it counts but does not list. */
  missing: number | null;
  /** Time of the last complete walk; imports reset it (store/syncs/progress.ts). */
  wholeAt: string | null;
  /** Walks since then that reached the end but may have missed records. */
  doubts: number;
  /** True if the last complete walk had irregular pages (`hasIrregularPages`). */
  isOdd: boolean;
  /** Cursor of the last page, for a tail walk to re-read; null if the feed had one page, undefined if none is due. */
  end?: string | null | undefined;
  /** Order of the feed by date in the last complete walk; newest first by default. */
  order?: ReturnType<typeof detectOrder>;
};

/** Edits of old records change no total, so the whole feed is walked once a week. */
const wholeWalkIntervalMs = 7 * 86_400_000;

/** After more doubts (incomplete whole walks) than this in a row, the next whole walk is due after a week. */
const maxDoubts = 3;

/** Returns the saved state of the feed walks; undefined before the first sync. */
export function readFeedState(mirror: Mirror, origin: string): FeedState | undefined {
  return readProgress<FeedState>(mirror, origin, 'feed');
}

/** True if a new walk has to reach the end of the feed: weekly, after an incomplete walk, or if records are missing. */
export function isWholeWalkDue(mirror: Mirror | null, state: FeedState | undefined, nowMs: number): boolean {
  if (!state) return true;
  // An unfinished walk reaches the end already.
  if (state.walks.some(({ toEnd, isTail }) => toEnd && !isTail)) return false;
  // The feed had a single page, or new records may be on any page.
  if (state.end === null || state.order === 'none') return true;
  const { wholeAt = null, doubts = 0 } = state;
  if (wholeAt === null || nowMs - Date.parse(wholeAt) >= wholeWalkIntervalMs) return true;
  const hasMissing = mirror !== null && listMissing(mirror, [kindOf('content')]).length > 0;
  return (doubts > 0 || hasMissing) && doubts <= maxDoubts;
}

/** True if the service's total does not match the mirror and no unfinished walk explains it. */
export function hasTotalMismatch(mirror: Mirror, state: FeedState, total: number | null): boolean {
  if (total === null || state.walks.length > 1) return false;
  return total - countRows(mirror, kindOf('content')) !== (state.missing ?? 0);
}

/** Returns the walks of a run in order: from page 1 (ascending feed: the tail), a due tail, then unfinished ones. */
export function planWalks(
  state: FeedState | undefined,
  { isWhole, full }: { isWhole: boolean; full: boolean },
): Walk[] {
  const top: Walk = { cursor: null, toEnd: isWhole };
  if (full) return [top];
  const unfinishedWalks = state?.walks ?? [];
  const end = state?.end ?? null;
  const tail: Walk = { cursor: end, toEnd: true, isTail: true };
  // The new records of an ascending feed are at its end.
  if (!isWhole && state?.order === 'ascending') return [tail, ...unfinishedWalks.filter(({ isTail }) => !isTail)];
  const needsTail = !isWhole && end !== null && !unfinishedWalks.some(({ isTail }) => isTail);
  return [top, ...(needsTail ? [tail] : []), ...unfinishedWalks];
}

/** Removes the running walk, the first, from the saved state; call it in the transaction that saves its last page. */
export function endWalk(context: SyncContext, state: FeedState): void {
  state.walks.shift();
  saveFeedState(context, state);
}

/** Saves the state of the walks; call it in the transaction that saves a page. */
export function saveFeedState({ mirror, client, now }: SyncContext, state: FeedState): void {
  saveProgress(mirror, { origin: client.baseUrl, stage: 'feed', at: isoTime(now()) }, state);
}

/** Progress of a walk. */
export type WalkProgress = {
  state: FeedState;
  walk: Walk;
  request: ListRequest;
  /** Records and pages seen by a walk from page 1, which is whole if it reaches the end; null for other walks. */
  topWalk: { seenNumbers: NumberSet; statistics: WalkStatistics } | null;
  lastDate: string | null; // date of the last record
  added: number; // new records
};

/** Saves the items of a page and returns their outcomes; with `isAgain`, unchanged ones do not count in the tally. */
export function saveFeedItems(
  context: SyncContext,
  { page, seenNumbers, isAgain = false }: { page: ServicePage; seenNumbers: NumberSet | null; isAgain?: boolean },
): FeedOutcomes {
  const options = { at: page.at, seenNumbers, changesToConfirm: changesToConfirm(context, kindOf('content')) };
  const { outcomes, editedFields } = saveFeedPage(context.mirror, page.items, options);
  const editCheck = { edits: editedFields, recordCount: page.items.length, share: maxEditedShare, url: page.url };
  refuseBulkEdits(context, kindOf('content'), editCheck);
  for (const [kind, each] of outcomes) addOutcomes(context, kind, isAgain ? { ...each, same: 0 } : each);
  return outcomes;
}

/** Share of a page in which one answer may edit the same field; a larger one is implausible. */
const maxEditedShare = 0.5;

/** Ends a walk at the last page of the feed; throws a QuarantineError if a whole walk lost too many records. */
export async function finishWalk(context: SyncContext, progress: WalkProgress, lastPage: ServicePage): Promise<void> {
  const { state, topWalk, walk, added } = progress;
  if (walk.isTail) {
    if (state.order !== 'ascending') return endTail(context, state, { hadNewRecords: added > 0 });
    state.end = walk.cursor;
    const hasEarlierChanges = lastPage.items.length === 0 || hasTotalMismatch(context.mirror, state, lastPage.total);
    if (hasEarlierChanges) state.walks.splice(1, Infinity, { cursor: null, toEnd: true }); // the next walk
  } else if (topWalk) return finishWholeWalk(context, { ...progress, topWalk }, lastPage);
  else if (walk.toEnd) state.doubts += 1; // withdrawals may have shifted records past a resumed walk
  transaction(context.mirror, () => endWalk(context, state));
}

type WalkEnd = Pick<FinishedWalk, 'head' | 'rereadPages' | 'isEndRechecked'>;
type WholeWalkProgress = WalkProgress & { topWalk: NonNullable<WalkProgress['topWalk']> };

/** Ends a walk from page 1 to the last page: re-reads pages to detect concurrent changes, then judges the walk. */
async function finishWholeWalk(context: SyncContext, walkProgress: WholeWalkProgress, lastPage: ServicePage) {
  const { state, topWalk, walk, request } = walkProgress;
  const { first, pages } = topWalk.statistics;
  // Without a total, nothing else reveals records missed by the first walk, so its sampled pages are read again.
  const isFirstWithoutTotal = state.wholeAt === null && first.total === null;
  const rereadPages: ServicePage[] = [];
  for (const { cursor } of isFirstWithoutTotal ? topWalk.statistics.sampledPages : []) {
    context.signal.throwIfAborted();
    if (cursor === walk.cursor) break; // the last page, which a tail walk re-reads
    rereadPages.push(await getPage(context.client, { ...request, query: { ...request.query, cursor } }));
  }
  const head = pages > 1 ? await getPage(context.client, request) : null;
  const walkError = transaction(context.mirror, () => {
    for (const page of head ? [...rereadPages, head] : rereadPages)
      saveFeedItems(context, { page, seenNumbers: topWalk.seenNumbers, isAgain: true });
    const firstPage = head ?? { ...first, total: lastPage.total };
    const walkEnd = { head: firstPage, rereadPages, isEndRechecked: isFirstWithoutTotal };
    const error = judgeWholeWalk(context, walkProgress, walkEnd);
    state.end = isFirstWithoutTotal || state.order === 'ascending' ? walk.cursor : undefined;
    endWalk(context, state);
    return error;
  });
  if (walkError) throw walkError;
}

/** Ends a tail walk of a descending feed; if it had new records, the walk before may have missed others. */
export function endTail(context: SyncContext, state: FeedState, { hadNewRecords }: { hadNewRecords: boolean }): void {
  state.end = undefined;
  if (hadNewRecords) state.doubts += 1;
  transaction(context.mirror, () => endWalk(context, state));
}

/** Marks unseen records as missing, or counts a doubt if the walk may be incomplete; returns an error, else null. */
function judgeWholeWalk(context: SyncContext, { state, topWalk }: WholeWalkProgress, walkEnd: WalkEnd) {
  const { mirror } = context;
  const { seenNumbers, statistics } = topWalk;
  const { head } = walkEnd;
  const kind = kindOf('content');
  const maxShrink = maxShrinkOf(context, kind);
  const storedCount = countRows(mirror, kind);
  const missing = head.total === null ? null : head.total - seenNumbers.size;
  const previousWalk = { missing: state.missing, hadIrregularPages: state.isOdd };
  const doubtReason = whyIncomplete(kind, { ...walkEnd, statistics, missing, previousWalk });
  Object.assign(state, { missing, isOdd: hasIrregularPages(statistics), order: detectOrder(statistics) });
  if (state.order === 'none')
    context.progress.note(say`the feed is not in the order of its dates; every sync reads it to its end`);
  // This walk covers every unfinished one.
  state.walks = state.walks.slice(0, 1);
  if (doubtReason !== null) {
    state.doubts += 1;
    context.progress.note(
      say`the walk of the feed may be incomplete: ${doubtReason}; nothing was marked withdrawn, and the next sync walks it again`,
    );
    return null;
  }
  if (storedCount - seenNumbers.size > storedCount * maxShrink) {
    const sentence = say`the feed lists ${seenNumbers.size} of ${storedCount} stored records; none was marked as withdrawn`;
    return new QuarantineError(head.url, sentence, kind);
  }
  Object.assign(state, { wholeAt: head.at, doubts: 0 });
  addMissing(context, kind.name, saveUnlisted(mirror, kind, { listedNumbers: seenNumbers, at: head.sentAt }));
  judgeMissing(context, kind, head.url);
  saveResponse(mirror, head);
  return null;
}
