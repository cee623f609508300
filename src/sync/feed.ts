import { RepeatedPageError, ServiceAnswerError } from '../errors.ts';
import { kindOf } from '../model/kinds.ts';
import { getPage, getPageIfChanged, pages, type ServicePage } from '../service/pages.ts';
import { createNumberSet, type NumberSet } from '../store/number-set.ts';
import { countRows } from '../store/rows.ts';
import { type FeedOutcomes, saveFeedPage } from '../store/save-feed-page.ts';
import { atOnce } from '../store/transaction.ts';
import { withdrawUnseen } from '../store/unseen.ts';
import { keepAnswer } from '../store/validators.ts';
import { say } from '../words/speech.ts';
import { assumed, counted } from './assumed.ts';
import {
  addMissed,
  addOutcomes,
  markUnchanged,
  noteWhole,
  type Stage,
  type SyncContext,
  validatorFor,
} from './context.ts';
import {
  endWalk,
  type FeedState,
  isMissing,
  isWholeWalkDue,
  keepFeedState,
  readFeedState,
  type Walk,
} from './feed-state.ts';
import { createPageGroup } from './page-group.ts';
import { includes } from './scope.ts';
import { addPage, doubtOf, isOdd, shapeOf, type WalkShape } from './whole-walk.ts';

/**
 * One walk of this run: what it met and looked like, if it began at the top, for then it sees everything; and the date
 * that its last page ended with.
 */
type Journey = { walk: Walk; whole: { seen: NumberSet; shape: WalkShape } | null; reached: string | null };

/** Where a walk stands behind a page: it goes on, came to known ground, or reached the end of the feed. */
type Standing = 'goes on' | 'known ground' | 'end';

type Request = Parameters<typeof pages>[1];

const names = ['feed'];
const path = '/feed';
const query = { types: 'content', limit: 50 };

/** The feed of content. */
export const feedStage: Stage = {
  name: 'feed',
  list: '/feed',
  kinds: ['content'],
  plan({ mirror, origin, scope, now }) {
    if (!includes(scope, 'content')) return null;
    const known = mirror ? readFeedState(mirror, origin) : undefined;
    const isWhole = scope.full || isWholeWalkDue(mirror, known, now());
    const what = isWhole ? 'content, to the end of the feed' : 'content, until known ground';
    if (!isWhole) return { requests: 1, atLeast: true, what };
    const held = mirror ? countRows(mirror, kindOf('content')) : 0;
    return {
      requests: 1,
      atLeast: true,
      what,
      expected: Math.ceil((held || assumed.content) / query.limit),
      assumed: held > 0 ? null : counted(assumed.content, 'records in the feed'),
    };
  },
  run: syncFeed,
};

/**
 * Brings the content feed up to date: from its top until known ground, then on with every walk that an earlier
 * run left unfinished. A page and the cursor behind it are saved together. Where the service counts more or fewer
 * records than the mirror holds then, something changed below known ground, and the feed is walked to its end.
 */
async function syncFeed(context: SyncContext): Promise<void> {
  const { mirror, client, scope } = context;
  if (!includes(scope, 'content')) return;
  const known = readFeedState(mirror, client.baseUrl);
  const isWhole = scope.full || isWholeWalkDue(mirror, known, context.now());
  const state: FeedState = {
    walks: [{ cursor: null, toEnd: isWhole }, ...(scope.full ? [] : (known?.walks ?? []))],
    missing: known?.missing ?? null,
    wholeAt: known?.wholeAt ?? null,
    doubts: known?.doubts ?? 0,
    isOdd: known?.isOdd ?? false,
  };
  let isAnew = false;
  const count = { done: 0 };
  const errors = context.tally.errors.length;
  context.progress.stage('feed', null);
  for (let walk = state.walks[0]; walk; walk = state.walks[0]) {
    const left = walk.cursor;
    try {
      await walkOn(context, { state, walk, count });
    } catch (error) {
      if (error instanceof RepeatedPageError) {
        // Pages came that belong elsewhere: the next run looks at all of them.
        state.walks = [{ cursor: null, toEnd: true }];
        atOnce(mirror, () => keepFeedState(context, state));
      }
      // A cursor of an earlier run may be too old by now; one that was just given has no such excuse.
      const isTooOld = left !== null && walk.cursor === left && isRefusedCursor(error);
      if (!isTooOld || isAnew) throw error;
      isAnew = true;
      context.progress.note(say`the service no longer knows where the feed was left; it is walked anew`);
      state.walks = [{ cursor: null, toEnd: true }];
    }
  }
  noteWhole(context, kindOf('content'), errors);
}

/** Follows one walk to its end or to known ground, and takes it off the list there. */
async function walkOn(
  context: SyncContext,
  { state, walk, count }: { state: FeedState; walk: Walk; count: { done: number } },
): Promise<void> {
  const { mirror, client } = context;
  const request = { path, query: { ...query, cursor: walk.cursor ?? undefined }, names };
  const first = await firstPage(context, request, walk);
  if (first === null) {
    atOnce(mirror, () => {
      markUnchanged(context, path, query);
      endWalk(context, state);
    });
    return;
  }
  const whole = walk.cursor === null ? { seen: createNumberSet(), shape: shapeOf(first) } : null;
  const journey: Journey = { walk, whole, reached: null };
  const group = createPageGroup(context.now, (some) => savePages(context, { state, journey, count }, some));
  try {
    for await (const page of pages(client, request, { first, isAhead: walk.toEnd })) {
      // Behind known ground nothing is asked for: whether this is it is known once it is saved.
      const standing = group.add(page, { mayWait: walk.toEnd }) ?? 'goes on';
      context.signal.throwIfAborted();
      if (standing === 'end') await reachEnd(context, { state, journey, request, last: page });
      if (standing !== 'goes on') return;
    }
  } finally {
    group.save();
  }
}

/** Saves some pages, each with the cursor behind it, in one transaction; tells where the walk stands behind the last. */
function savePages(
  context: SyncContext,
  { state, journey, count }: { state: FeedState; journey: Journey; count: { done: number } },
  pages: readonly ServicePage[],
): Standing {
  let standing: Standing = 'goes on';
  atOnce(context.mirror, () => {
    for (const page of pages) standing = savePage(context, { state, journey, page });
  });
  for (const page of pages) count.done += page.items.length;
  context.progress.advance(count.done, String(pages.at(-1)?.items.at(-1)?.date ?? ''));
  return standing;
}

/** The first page of a walk; null if the feed's top is what it was when it was last walked. */
function firstPage(context: SyncContext, request: Request, walk: Walk): Promise<ServicePage | null> {
  const isConditional = walk.cursor === null && !walk.toEnd;
  return getPageIfChanged(
    context.client,
    request,
    isConditional ? validatorFor(context, path, request.query) : null,
  );
}

/** Saves one page with the cursor behind it. */
function savePage(
  context: SyncContext,
  { state, journey, page }: { state: FeedState; journey: Journey; page: ServicePage },
): Standing {
  const { mirror } = context;
  const { walk, whole } = journey;
  if (whole) addPage(whole.shape, page);
  const outcomes = saveItems(context, { page, seen: whole?.seen ?? null });
  const isNext = isBelow(journey, page);
  const isKnown =
    isNext && [...outcomes.values()].every((each) => each.added + each.edited + each.returned === 0);
  if (page.next === null) return 'end';
  // A walk that met known ground goes on if the service does not count what the mirror holds.
  if (isKnown && !walk.toEnd && whole) walk.toEnd = isMissing(mirror, state, page.total);
  if (isKnown && !walk.toEnd) {
    endWalk(context, state);
    // The feed's top stands for all below it once that is saved: a walk that broke off is not spared the next time.
    if (whole && state.walks.length === 0) keepAnswer(mirror, whole.shape.first);
    return 'known ground';
  }
  walk.cursor = page.next;
  keepFeedState(context, state);
  return 'goes on';
}

/** Saves the items of a page; of one that came before, what is as it was has been counted. */
function saveItems(
  context: SyncContext,
  { page, seen, isAgain = false }: { page: ServicePage; seen: NumberSet | null; isAgain?: boolean },
): FeedOutcomes {
  const outcomes = saveFeedPage(context.mirror, page.items, { at: page.at, seen });
  for (const [kind, each] of outcomes) addOutcomes(context, kind, isAgain ? { ...each, same: 0 } : each);
  return outcomes;
}

/** True if a page goes on where the last one ended: a page from elsewhere is no known ground. */
function isBelow(journey: Journey, { items }: ServicePage): boolean {
  const dates = items.map(({ date }) => date).filter((date) => typeof date === 'string');
  const isBelow = journey.reached === null || dates[0] === undefined || dates[0] <= journey.reached;
  journey.reached = dates.at(-1) ?? journey.reached;
  return isBelow;
}

/**
 * Ends a walk at the end of the feed. One that an earlier run began is stitched together: what was withdrawn meanwhile
 * moved records past the seam, so it says nothing of what the feed lacks, and the next run walks anew.
 */
async function reachEnd(
  context: SyncContext,
  {
    state,
    journey,
    request,
    last,
  }: { state: FeedState; journey: Journey; request: Request; last: ServicePage },
): Promise<void> {
  const { whole, walk } = journey;
  if (!whole) {
    if (walk.toEnd) state.doubts += 1;
    atOnce(context.mirror, () => endWalk(context, state));
    return;
  }
  const { first, pages } = whole.shape;
  const again = pages > 1 ? await getPage(context.client, request) : null;
  atOnce(context.mirror, () => {
    if (again) saveItems(context, { page: again, seen: whole.seen, isAgain: true });
    endWholeWalk(context, { state, whole, head: again ?? { ...first, total: last.total } });
    endWalk(context, state);
  });
}

/**
 * A walk from top to end in one run has seen every record, unless something speaks against it: then nothing is taken
 * for gone, and the next run walks to the end again, a few times.
 */
function endWholeWalk(
  context: SyncContext,
  { state, whole, head }: { state: FeedState; whole: NonNullable<Journey['whole']>; head: ServicePage },
): void {
  const { mirror, maxShrink } = context;
  const { seen, shape } = whole;
  const kind = kindOf('content');
  const held = countRows(mirror, kind);
  const missing = head.total === null ? null : head.total - seen.size;
  const doubt = doubtOf(kind, { shape, head, missing, before: state });
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
  keepAnswer(mirror, head);
}

/** A cursor may grow too old for its service, which then answers that it is a bad parameter. */
function isRefusedCursor(error: unknown): boolean {
  return error instanceof ServiceAnswerError && error.isAbsence;
}
