import { RepeatedPageError, ServiceAnswerError } from '../errors.ts';
import { kindOf } from '../model/kinds.ts';
import { getPageIfChanged, pages, type ServicePage } from '../service/pages.ts';
import { createNumberSet, type NumberSet } from '../store/number-set.ts';
import { saveProgress } from '../store/progress.ts';
import { countRows } from '../store/rows.ts';
import { withdrawUnseen } from '../store/save.ts';
import { saveFeedPage } from '../store/save-feed-page.ts';
import { atOnce } from '../store/transaction.ts';
import { keepAnswer } from '../store/validators.ts';
import {
  addOutcomes,
  markUnchanged,
  noteWhole,
  type Stage,
  type SyncContext,
  tallyOf,
  validatorFor,
} from './context.ts';
import { type FeedState, isWholeWalkDue, readFeedState, type Walk } from './feed-state.ts';
import { includes } from './scope.ts';

/**
 * One walk of this run: what it met, if it began at the top, for then it sees everything; and the date that its last
 * page ended with.
 */
type Journey = { walk: Walk; seen: NumberSet | null; reached: string | null };

/** What a walk came to: `open` where the service's count does not agree with what it showed. */
type Ending = 'goes on' | 'settled' | 'open';

const names = ['feed'];
const path = '/feed';
const query = { types: 'content', limit: 50 };

/** The feed of content. */
export const feedStage: Stage = {
  name: 'feed',
  kinds: ['content'],
  plan({ mirror, origin, scope, now }) {
    if (!includes(scope, 'content')) return null;
    const known = mirror ? readFeedState(mirror, origin) : undefined;
    const isWhole = scope.full || isWholeWalkDue(known, now());
    const what = isWhole ? 'content, to the end of the feed' : 'content, until known ground';
    return { requests: 1, atLeast: true, what };
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
  const isWhole = scope.full || isWholeWalkDue(known, context.now());
  const state: FeedState = {
    walks: [{ cursor: null, toEnd: isWhole }, ...(scope.full ? [] : (known?.walks ?? []))],
    missing: known?.missing ?? null,
    wholeAt: known?.wholeAt ?? null,
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
        atOnce(mirror, () => keepState(context, state));
      }
      // A cursor of an earlier run may be too old by now; one that was just given has no such excuse.
      const isTooOld = left !== null && walk.cursor === left && isRefusedCursor(error);
      if (!isTooOld || isAnew) throw error;
      isAnew = true;
      context.progress.note('the service no longer knows where the feed was left; it is walked anew');
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
  const journey: Journey = { walk, seen: walk.cursor === null ? createNumberSet() : null, reached: null };
  for await (const page of pages(client, request, first)) {
    const ending = atOnce(mirror, () => {
      const came = savePage(context, { state, journey, page });
      // The feed's top stands for all below it once that is saved: a walk that broke off is not spared the next time.
      if (came === 'settled' && journey.seen) keepAnswer(mirror, first);
      return came;
    });
    count.done += page.items.length;
    context.progress.advance(count.done, String(page.items.at(-1)?.date ?? ''));
    context.signal.throwIfAborted();
    if (ending !== 'goes on') return;
  }
}

/** The first page of a walk; null if the feed's top is what it was when it was last walked. */
function firstPage(
  context: SyncContext,
  request: Parameters<typeof pages>[1],
  walk: Walk,
): Promise<ServicePage | null> {
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
): Ending {
  const { mirror } = context;
  const { walk, seen } = journey;
  const outcomes = saveFeedPage(mirror, page.items, { at: page.at, seen });
  for (const [kind, each] of outcomes) addOutcomes(context, kind, each);
  const isLast = page.next === null || page.items.length === 0;
  const isNext = isBelow(journey, page);
  const isKnown =
    isNext && [...outcomes.values()].every((each) => each.added + each.edited + each.returned === 0);
  const isSettled = isLast && seen ? endWholeWalk(context, { state, seen, page }) : true;
  if (isLast && isSettled && walk.toEnd) state.wholeAt = page.at;
  // A walk that met known ground goes on if the service does not count what the mirror holds.
  if (!isLast && isKnown && !walk.toEnd && seen) walk.toEnd = isMissing(context, state, page.total);
  const isDone = isLast || (isKnown && !walk.toEnd);
  if (isDone) {
    endWalk(context, state);
    return isSettled && state.walks.length === 0 ? 'settled' : 'open';
  }
  walk.cursor = page.next;
  keepState(context, state);
  return 'goes on';
}

/** True if a page goes on where the last one ended: a page from elsewhere is no known ground. */
function isBelow(journey: Journey, { items }: ServicePage): boolean {
  const dates = items.map(({ date }) => date).filter((date) => typeof date === 'string');
  const isBelow = journey.reached === null || dates[0] === undefined || dates[0] <= journey.reached;
  journey.reached = dates.at(-1) ?? journey.reached;
  return isBelow;
}

/**
 * A walk from top to end in one run has seen every record: what it did not meet is withdrawn. True if the service's
 * count agrees with that.
 */
function endWholeWalk(
  context: SyncContext,
  { state, seen, page }: { state: FeedState; seen: NumberSet; page: ServicePage },
): boolean {
  const { mirror, maxShrink } = context;
  const kind = kindOf('content');
  const before = countRows(mirror, kind);
  const missing = page.total === null ? null : page.total - seen.size;
  // Records that moved while the feed was walked may have been passed over: the service's count tells.
  const isComplete = missing === null || missing === (state.missing ?? 0);
  const isShrunken = before - seen.size > before * maxShrink;
  if (isShrunken) {
    const sentence = `the feed lists ${seen.size} of ${before} records held; none was withdrawn`;
    const hint = 'if the service means it, run again with --full --accept-shrink';
    context.tally.errors.push({ stage: 'feed', error: new ServiceAnswerError(page.url, sentence, { hint }) });
  } else if (isComplete) {
    tallyOf(context, kind.name).withdrawn += withdrawUnseen(mirror, kind, seen, page.at);
  }
  state.missing = missing;
  // Whatever an earlier run left unfinished lies within this walk.
  state.walks = state.walks.slice(0, 1);
  return isComplete && !isShrunken;
}

function isMissing({ mirror }: SyncContext, state: FeedState, total: number | null): boolean {
  // What an earlier run left unfinished is missing for now.
  if (total === null || state.walks.length > 1) return false;
  return total - countRows(mirror, kindOf('content')) !== (state.missing ?? 0);
}

function endWalk(context: SyncContext, state: FeedState): void {
  state.walks.shift();
  keepState(context, state);
}

function keepState({ mirror, client, now }: SyncContext, state: FeedState): void {
  const at = new Date(now()).toISOString();
  saveProgress(mirror, { origin: client.baseUrl, stage: 'feed', at }, state);
}

/** A cursor may grow too old for its service, which then answers that it is a bad parameter. */
function isRefusedCursor(error: unknown): boolean {
  return error instanceof ServiceAnswerError && error.isAbsence;
}
