import { QuarantineError, ServiceAnswerError } from '../errors.ts';
import { kindOf } from '../model/kinds.ts';
import { getPage, type ListRequest, type ServicePage } from '../service/pages.ts';
import { countRows } from '../store/rows.ts';
import { type FeedOutcomes, feedRecords, hasLostIds, saveFeedPage } from '../store/saving/save-feed-page.ts';
import { withdrawUnseen } from '../store/saving/unseen.ts';
import { saveAnswer } from '../store/syncs/validators.ts';
import { atOnce } from '../store/transaction.ts';
import type { NumberSet } from '../store/word-index/number-set.ts';
import { say } from '../words/speech.ts';
import { addMissed, addOutcomes, type SyncContext } from './context.ts';
import { noteKept } from './failures.ts';
import { endWalk, type FeedState, type Walk } from './feed-state.ts';
import { isAccepted, refuseEditedAlike, shrinkOf } from './quarantine.ts';
import { doubtOf, type EndedWalk, isOdd, type WalkShape } from './whole-walk.ts';

/**
 * One walk of the feed: keys seen and page statistics if it began at the top (`whole`), the last date reached, and the
 * number of records added. `state` is that of all walks, `request` the list that is walked.
 */
export type WalkProgress = {
  state: FeedState;
  walk: Walk;
  request: ListRequest;
  whole: { seen: NumberSet; shape: WalkShape } | null;
  reached: string | null;
  added: number;
};

/**
 * Saves the items of a page; unchanged items of a page read again (`isAgain`) are not counted twice. Throws a
 * ServiceAnswerError if the items have lost their ids.
 */
export function saveItems(
  context: SyncContext,
  { page, seen, isAgain = false }: { page: ServicePage; seen: NumberSet | null; isAgain?: boolean },
): FeedOutcomes {
  const records = feedRecords(page.items);
  if (!context.scope.full && !isAccepted(context, kindOf('content')) && hasLostIds(context.mirror, records))
    throw new ServiceAnswerError(page.url, say`its items have lost their ids; none was saved`, {
      hint: say`if the service intends this: \`hemicycle sync --accept ${'content'}\``,
    });
  const { outcomes, editedFields } = saveFeedPage(context.mirror, records, { at: page.at, seen });
  const of = page.items.length;
  refuseEditedAlike(context, kindOf('content'), { edits: editedFields, of, share: maxAlike, url: page.url });
  for (const [kind, each] of outcomes) addOutcomes(context, kind, isAgain ? { ...each, same: 0 } : each);
  return outcomes;
}

/** A larger share of a page is not edited in the same field at once. */
const maxAlike = 0.5;

/**
 * Ends a walk at the end of the feed. A resumed walk proves nothing about missing records: withdrawals in between may have
 * moved records past its seam, so the next run walks again.
 */
export async function reachEnd(
  context: SyncContext,
  journey: WalkProgress,
  last: ServicePage,
): Promise<void> {
  const { state, whole, walk, added } = journey;
  if (walk.isTail) return endTail(context, state, { hasMore: added > 0 });
  if (!whole) {
    if (walk.toEnd) state.doubts += 1;
    atOnce(context.mirror, () => endWalk(context, state));
    return;
  }
  const { first, pages } = whole.shape;
  // Without a total, nothing else tells that the first walk was cut short: its end is asked once more.
  const isFirst = state.wholeAt === null && first.total === null;
  const head = pages > 1 ? await getPage(context.client, journey.request) : null;
  const refusal = atOnce(context.mirror, () => {
    if (head) saveItems(context, { page: head, seen: whole.seen, isAgain: true });
    const ended = endWholeWalk(
      context,
      { state, whole },
      { head: head ?? { ...first, total: last.total }, isEndAskedAgain: isFirst },
    );
    state.end = isFirst ? walk.cursor : undefined;
    endWalk(context, state);
    return ended;
  });
  if (refusal) throw refusal;
}

/** Ends a walk that checked the end of the feed; new records mean that the walk before may have missed some. */
export function endTail(context: SyncContext, state: FeedState, { hasMore }: { hasMore: boolean }): void {
  state.end = undefined;
  if (hasMore) state.doubts += 1;
  atOnce(context.mirror, () => endWalk(context, state));
}

/**
 * Ends a complete walk: records that it did not see are unseen, unless there is doubt. Then the next runs walk again, a few
 * times. Returns the error that says that too many are lost, or null.
 */
function endWholeWalk(
  context: SyncContext,
  { state, whole: { seen, shape } }: { state: FeedState; whole: NonNullable<WalkProgress['whole']> },
  { head, isEndAskedAgain }: Pick<EndedWalk, 'head' | 'isEndAskedAgain'>,
): QuarantineError | null {
  const { mirror } = context;
  const kind = kindOf('content');
  const maxShrink = shrinkOf(context, kind);
  const held = countRows(mirror, kind);
  const missing = head.total === null ? null : head.total - seen.size;
  const doubt = doubtOf(kind, { shape, head, missing, before: state, isEndAskedAgain });
  Object.assign(state, { missing, isOdd: isOdd(shape) });
  // A complete walk covers every unfinished one.
  state.walks = state.walks.slice(0, 1);
  if (doubt !== null) {
    state.doubts += 1;
    context.progress.note(
      `the walk of the feed may be incomplete: ${doubt}; nothing was marked withdrawn, and the next sync walks it again`,
    );
    return null;
  }
  if (held - seen.size > held * maxShrink) {
    const sentence = say`the feed lists ${seen.size} of ${held} records held; none was withdrawn`;
    return new QuarantineError(head.url, sentence, kind);
  }
  Object.assign(state, { wholeAt: head.at, doubts: 0 });
  const isProof = maxShrink >= 1;
  const missed = withdrawUnseen(mirror, kind, { seen, at: head.at, isProof, maxShrink });
  addMissed(context, kind.name, missed);
  if (missed.kept > 0) noteKept(context, kind, { url: head.url, kept: missed.kept });
  saveAnswer(mirror, head);
  return null;
}
