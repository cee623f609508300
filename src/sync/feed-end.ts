import { QuarantineError } from '../errors.ts';
import { kindOf } from '../model/kinds.ts';
import { getPage, type ListRequest, type ServicePage } from '../service/pages.ts';
import type { Mirror } from '../store/mirror.ts';
import { countRows } from '../store/rows.ts';
import { missingRows, saveUnlisted } from '../store/saving/missing-records.ts';
import { type FeedOutcomes, feedRecords, saveFeedPage } from '../store/saving/save-feed-page.ts';
import { readProgress, saveProgress } from '../store/syncs/progress.ts';
import { saveAnswer } from '../store/syncs/validators.ts';
import { transaction } from '../store/transaction.ts';
import type { NumberSet } from '../store/word-index/number-set.ts';
import { say } from '../words/speech.ts';
import { addMissing, addOutcomes, isoTime, type SyncContext } from './context.ts';
import { maxShrinkOf, refuseEditedAlike, requiresSecondDay } from './quarantine.ts';
import { type EndedWalk, hasIrregularPages, orderOf, type WalkStatistics, whyIncomplete } from './whole-walk.ts';
import { judgeMissing } from './withdrawal-verification.ts';

/** A walk down the feed, `toEnd` or to known records; an `isTail` walk only checks the end that was reached before. */
export type Walk = { cursor: string | null; toEnd: boolean; isTail?: true };

/** Saved state of the feed walks. */
export type FeedState = {
  /** Unfinished walks, newest first. */
  walks: Walk[];
  /** The service's total minus ours after the last complete walk: a total may count hidden records. */
  missing: number | null;
  /** Time of the last complete walk; imports reset it (store/syncs/progress.ts). */
  wholeAt: string | null;
  /** Doubtful walks to the end since then. */
  doubts: number;
  /** True if the last walk had irregular pages (sync/whole-walk.ts), as with some services; saved by this name. */
  isOdd: boolean;
  /** Last cursor of the first complete walk of a feed without a total, until it is checked; always if oldest first. */
  end?: string | null | undefined;
  /** Order of these `types` of the feed in the last complete walk; newest first by default. */
  order?: ReturnType<typeof orderOf>;
};

/** Edits of old records change no total, so the whole feed is walked once a week. */
const wholeWalkIntervalMs = 7 * 86_400_000;

/** Doubtful walks are repeated this often, then once a week. */
const maxUnverifiedWalks = 3;

/** Returns the saved state of feed walks, or undefined. */
export function readFeedState(mirror: Mirror, origin: string): FeedState | undefined {
  return readProgress<FeedState>(mirror, origin, 'feed');
}

/** True if the next walk has to reach the end of the feed: weekly, after a doubtful walk, or for unseen records. */
export function isWholeWalkDue(mirror: Mirror | null, state: FeedState | undefined, nowMs: number): boolean {
  if (state?.walks.some(({ toEnd, isTail }) => toEnd && !isTail)) return false;
  // The feed had a single page, or new records may stand on any.
  if (state?.end === null || state?.order === 'none') return true;
  const wholeAt = state?.wholeAt ?? null;
  if (wholeAt === null || nowMs - Date.parse(wholeAt) >= wholeWalkIntervalMs) return true;
  const unverifiedWalks = state?.doubts ?? 0;
  return (
    (unverifiedWalks > 0 || (mirror !== null && missingRows(mirror, [kindOf('content')]).length > 0)) &&
    unverifiedWalks <= maxUnverifiedWalks
  );
}

/** True if the service's total does not match the mirror and no unfinished walk explains it. */
export function hasTotalMismatch(mirror: Mirror, state: FeedState, total: number | null): boolean {
  if (total === null || state.walks.length > 1) return false;
  return total - countRows(mirror, kindOf('content')) !== (state.missing ?? 0);
}

/** Returns the walks of a run: from where new records stand, from an unconfirmed end, then the unfinished ones. */
export function planWalks(
  previousState: FeedState | undefined,
  { isWhole, full }: { isWhole: boolean; full: boolean },
): Walk[] {
  const top: Walk = { cursor: null, toEnd: isWhole };
  if (full) return [top];
  const unfinishedWalks = previousState?.walks ?? [];
  const end = previousState?.end ?? null;
  const tail: Walk = { cursor: end, toEnd: true, isTail: true };
  if (!isWhole && previousState?.order === 'ascending')
    return [tail, ...unfinishedWalks.filter(({ isTail }) => !isTail)];
  const isTailUnneeded = isWhole || end === null || unfinishedWalks.some(({ isTail }) => isTail);
  return [top, ...(isTailUnneeded ? [] : [tail]), ...unfinishedWalks];
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

/** Progress of a walk; `whole` has its keys and page statistics if it began at the top, `lastDate` its last date. */
export type WalkProgress = {
  state: FeedState;
  walk: Walk;
  request: ListRequest;
  wholeWalk: { seenNumbers: NumberSet; statistics: WalkStatistics } | null;
  lastDate: string | null;
  added: number;
};

/** Saves the items of a page (`isAgain`: unchanged ones do not count). */
export function saveItems(
  context: SyncContext,
  { page, seenNumbers, isAgain = false }: { page: ServicePage; seenNumbers: NumberSet | null; isAgain?: boolean },
): FeedOutcomes {
  const records = feedRecords(page.items);
  const options = { at: page.at, seenNumbers, requiresSecondDay: requiresSecondDay(context, kindOf('content')) };
  const { outcomes, editedFields } = saveFeedPage(context.mirror, records, options);
  const of = page.items.length;
  refuseEditedAlike(context, kindOf('content'), { edits: editedFields, of, share: maxEditedShare, url: page.url });
  for (const [kind, each] of outcomes) addOutcomes(context, kind, isAgain ? { ...each, same: 0 } : each);
  return outcomes;
}

/** A larger share of a page is not edited in the same field at once. */
const maxEditedShare = 0.5;

/** Ends a walk at the end of the feed; a resumed one proves no record missing, since withdrawals may shift records. */
export async function reachEnd(context: SyncContext, walkProgress: WalkProgress, lastPage: ServicePage): Promise<void> {
  const { state, wholeWalk, walk, request, added } = walkProgress;
  if (walk.isTail && state.order === 'ascending') {
    state.end = walk.cursor;
    // Records were withdrawn or edited before the last page.
    const isMoved = lastPage.items.length === 0 || hasTotalMismatch(context.mirror, state, lastPage.total);
    if (isMoved) state.walks.splice(1, Infinity, { cursor: null, toEnd: true });
    return transaction(context.mirror, () => endWalk(context, state));
  }
  if (walk.isTail) return endTail(context, state, { hasMore: added > 0 });
  if (!wholeWalk) {
    if (walk.toEnd) state.doubts += 1;
    return transaction(context.mirror, () => endWalk(context, state));
  }
  const { first, pages } = wholeWalk.statistics;
  // Without a total, nothing else reveals records missed by the first walk, so its sampled pages are read again.
  const isFirst = state.wholeAt === null && first.total === null;
  const rereadPages: ServicePage[] = [];
  // The sampled pages of the walk except its last.
  for (const { cursor } of isFirst ? wholeWalk.statistics.sampledPages : []) {
    context.signal.throwIfAborted();
    if (cursor === walk.cursor) break;
    rereadPages.push(await getPage(context.client, { ...request, query: { ...request.query, cursor } }));
  }
  const head = pages > 1 ? await getPage(context.client, request) : null;
  const refusal = transaction(context.mirror, () => {
    for (const page of head ? [...rereadPages, head] : rereadPages)
      saveItems(context, { page, seenNumbers: wholeWalk.seenNumbers, isAgain: true });
    const end = { head: head ?? { ...first, total: lastPage.total }, rereadPages, isEndRechecked: isFirst };
    const walkError = endWholeWalk(context, { state, wholeWalk }, end);
    state.end = isFirst || state.order === 'ascending' ? walk.cursor : undefined;
    endWalk(context, state);
    return walkError;
  });
  if (refusal) throw refusal;
}

/** Ends a walk that checked the end of the feed; new records mean that the walk before may have missed some. */
export function endTail(context: SyncContext, state: FeedState, { hasMore }: { hasMore: boolean }): void {
  state.end = undefined;
  if (hasMore) state.doubts += 1;
  transaction(context.mirror, () => endWalk(context, state));
}

/** Ends a complete walk: marks unseen records, or in doubt lets the next runs walk again; returns a refusal or null. */
function endWholeWalk(
  context: SyncContext,
  { state, wholeWalk }: { state: FeedState; wholeWalk: NonNullable<WalkProgress['wholeWalk']> },
  { head, rereadPages, isEndRechecked }: Pick<EndedWalk, 'head' | 'rereadPages' | 'isEndRechecked'>,
): QuarantineError | null {
  const { mirror } = context;
  const { seenNumbers, statistics } = wholeWalk;
  const kind = kindOf('content');
  const maxShrink = maxShrinkOf(context, kind);
  const storedCount = countRows(mirror, kind);
  const missing = head.total === null ? null : head.total - seenNumbers.size;
  const previousWalk = { missing: state.missing, hadIrregularPages: state.isOdd };
  const finishedWalk = { statistics, head, missing, previousWalk, rereadPages, isEndRechecked };
  const doubtReason = whyIncomplete(kind, finishedWalk);
  Object.assign(state, { missing, isOdd: hasIrregularPages(statistics), order: orderOf(statistics) });
  if (state.order === 'none')
    context.progress.note(say`the feed is not in the order of its dates; every sync reads it to its end`);
  // A complete walk covers every unfinished one.
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
  saveAnswer(mirror, head);
  return null;
}
