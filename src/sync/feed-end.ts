import { ServiceAnswerError } from '../errors.ts';
import { kindOf } from '../model/kinds.ts';
import { getPage, type ListRequest, type ServicePage } from '../service/pages.ts';
import { countRows } from '../store/rows.ts';
import { type FeedOutcomes, hasLostIds, saveFeedPage } from '../store/saving/save-feed-page.ts';
import { withdrawUnseen } from '../store/saving/unseen.ts';
import { saveAnswer } from '../store/syncs/validators.ts';
import { atOnce } from '../store/transaction.ts';
import type { NumberSet } from '../store/word-index/number-set.ts';
import { say } from '../words/speech.ts';
import { addMissed, addOutcomes, type SyncContext } from './context.ts';
import { feedPage, type ParsedFeedPage } from './feed-pages.ts';
import { endWalk, type FeedState, type Walk } from './feed-state.ts';
import { doubtOf, isOdd, type WalkShape } from './whole-walk.ts';

/**
 * One walk of this run: what it met and looked like, if it began at the top, for then it sees everything; the date that
 * its last page ended with; and how many records it added.
 */
export type WalkProgress = {
  walk: Walk;
  whole: { seen: NumberSet; shape: WalkShape } | null;
  reached: string | null;
  added: number;
};

/**
 * Saves the items of a page; of one that came before, what is as it was has been counted. Throws a ServiceAnswerError where
 * they came without their ids.
 */
export function saveItems(
  context: SyncContext,
  { read, seen, isAgain = false }: { read: ParsedFeedPage; seen: NumberSet | null; isAgain?: boolean },
): FeedOutcomes {
  if (!context.scope.full && hasLostIds(context.mirror, read.records))
    throw new ServiceAnswerError(read.page.url, say`its items have lost their ids; none of them was taken`, {
      hint: say`if the service means it, run again with --full`,
    });
  const outcomes = saveFeedPage(context.mirror, read.records, { at: read.page.at, seen });
  for (const [kind, each] of outcomes) addOutcomes(context, kind, isAgain ? { ...each, same: 0 } : each);
  return outcomes;
}

/**
 * Ends a walk at the end of the feed. One that an earlier run began is stitched together: what was withdrawn meanwhile
 * moved records past the seam, so it says nothing of what the feed lacks, and the next run walks anew.
 */
export async function reachEnd(
  context: SyncContext,
  {
    state,
    journey,
    request,
    last,
  }: { state: FeedState; journey: WalkProgress; request: ListRequest; last: ServicePage },
): Promise<void> {
  const { whole, walk } = journey;
  if (walk.isTail) return endTail(context, state, { hasMore: journey.added > 0 });
  if (!whole) {
    if (walk.toEnd) state.doubts += 1;
    atOnce(context.mirror, () => endWalk(context, state));
    return;
  }
  const { first, pages } = whole.shape;
  // What a feed without a count never listed is not missed by anybody: the first walk is looked at more closely.
  const isFirst = state.wholeAt === null && first.total === null;
  const again = isFirst ? await markedPages(context, { request, walk, whole }) : [];
  const head = pages > 1 ? await getPage(context.client, request) : null;
  atOnce(context.mirror, () => {
    for (const page of head ? [...again, head] : again)
      saveItems(context, { read: feedPage(page), seen: whole.seen, isAgain: true });
    endWholeWalk(context, { state, whole, head: head ?? { ...first, total: last.total }, again });
    state.end = isFirst ? walk.cursor : undefined;
    endWalk(context, state);
  });
}

/** The marked pages of a walk, but for its last, as they are now. */
async function markedPages(
  { client, signal }: SyncContext,
  { request, walk, whole }: { request: ListRequest; walk: Walk; whole: NonNullable<WalkProgress['whole']> },
): Promise<ServicePage[]> {
  const again: ServicePage[] = [];
  for (const { cursor } of whole.shape.marks) {
    signal.throwIfAborted();
    if (cursor === walk.cursor) break;
    again.push(await getPage(client, { ...request, query: { ...request.query, cursor } }));
  }
  return again;
}

/** Ends the walk that asked for the end of the feed once more; where more came, the walk before may have missed more. */
export function endTail(context: SyncContext, state: FeedState, { hasMore }: { hasMore: boolean }): void {
  state.end = undefined;
  if (hasMore) state.doubts += 1;
  atOnce(context.mirror, () => endWalk(context, state));
}

type WholeWalkEnd = {
  state: FeedState;
  whole: NonNullable<WalkProgress['whole']>;
  head: ServicePage;
  again: ServicePage[];
};

/**
 * A walk from top to end in one run has seen every record, unless something speaks against it: then nothing is taken
 * for gone, and the next run walks to the end again, a few times.
 */
function endWholeWalk(context: SyncContext, { state, whole, head, again }: WholeWalkEnd): void {
  const { mirror, maxShrink } = context;
  const { seen, shape } = whole;
  const kind = kindOf('content');
  const held = countRows(mirror, kind);
  const missing = head.total === null ? null : head.total - seen.size;
  const doubt = doubtOf(kind, { shape, head, missing, before: state, again });
  Object.assign(state, { missing, isOdd: isOdd(shape) });
  // Whatever an earlier run left unfinished lies within this walk.
  state.walks = state.walks.slice(0, 1);
  if (doubt !== null) {
    state.doubts += 1;
    context.progress.note(
      `the feed was not walked whole: ${doubt}; nothing of it is taken for gone, and it will be walked again`,
    );
    return;
  }
  if (held - seen.size > held * maxShrink) {
    const sentence = `the feed lists ${seen.size} of ${held} records held; none was withdrawn`;
    const hint = 'if the service means it, run again with --full --accept-shrink';
    const error = new ServiceAnswerError(head.url, sentence, { hint });
    context.tally.errors.push({ stage: 'feed', error });
    return;
  }
  Object.assign(state, { wholeAt: head.at, doubts: 0 });
  addMissed(context, kind.name, withdrawUnseen(mirror, kind, { seen, at: head.at, isProof: maxShrink >= 1 }));
  saveAnswer(mirror, head);
}
