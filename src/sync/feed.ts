import { RepeatedPageError, ServiceAnswerError } from '../errors.ts';
import { keyOf } from '../model/facets.ts';
import { kindOf } from '../model/kinds.ts';
import { getPageIfChanged, pages, type ServicePage } from '../service/pages.ts';
import { hasRecord } from '../store/record.ts';
import { countRows } from '../store/rows.ts';
import { needsAnotherList } from '../store/saving/missing-records.ts';
import { saveResponse } from '../store/syncs/validators.ts';
import { transaction } from '../store/transaction.ts';
import { createNumberSet } from '../store/word-index/number-set.ts';
import { say } from '../words/speech.ts';
import {
  assumedCounts,
  findValidator,
  formatCount,
  markUnchanged,
  reportIfStale,
  type Stage,
  type SyncContext,
} from './context.ts';
import {
  endTail,
  endWalk,
  type FeedState,
  finishWalk,
  hasTotalMismatch,
  isWholeWalkDue,
  planWalks,
  readFeedState,
  saveFeedItems,
  saveFeedState,
  type Walk,
  type WalkProgress,
} from './feed-end.ts';
import { isAccepted, quarantineError, refuseDrift } from './quarantine.ts';
import { addPage, createWalkStatistics } from './whole-walk.ts';

/** State of one run of the stage; `savedCount` counts the items of all its pages. */
type FeedRun = { state: FeedState; savedCount: number };

const path = '/feed';
const query = { types: 'content', limit: 50 };

/** The stage that walks the feed page by page: a whole walk to its end, a tail walk from its former last page. */
export const feedStage: Stage = {
  name: 'feed',
  list: path,
  kinds: ['content'],
  plan({ mirror, origin, scope, now }) {
    const previousState = mirror ? readFeedState(mirror, origin) : undefined;
    const isWholeWalk = scope.full || isWholeWalkDue(mirror, previousState, now());
    const hasTail = previousState?.order !== 'ascending' && typeof previousState?.end === 'string';
    if (!isWholeWalk) return { requests: hasTail ? 2 : 1, atLeast: true, what: 'content, up to known texts' };
    const storedCount = mirror ? countRows(mirror, kindOf('content')) : 0;
    return {
      requests: 1,
      atLeast: true,
      what: 'content, to the end of the feed',
      expected: Math.ceil((storedCount || assumedCounts.content) / query.limit),
      assumed: storedCount > 0 ? null : formatCount(assumedCounts.content, 'records in the feed'),
    };
  },
  run: syncFeed,
};

/** Walks the feed from page 1 to stored records or its end, then continues unfinished walks. */
async function syncFeed(context: SyncContext): Promise<void> {
  const { mirror, client, scope } = context;
  const previousState = readFeedState(mirror, client.baseUrl);
  const isWholeWalk =
    scope.full || isAccepted(context, kindOf('content')) || isWholeWalkDue(mirror, previousState, context.now());
  const walks = planWalks(previousState, { isWhole: isWholeWalk, full: scope.full });
  const state: FeedState = { missing: null, wholeAt: null, doubts: 0, isOdd: false, ...previousState, walks };
  context.progress.stage('feed', null, 'records');
  await runWalks(context, { state, savedCount: 0 });
}

/** Runs the walks in turn; each removes itself from `state.walks` at its end. */
async function runWalks(context: SyncContext, run: FeedRun): Promise<void> {
  const { state } = run;
  let isRestarted = false;
  for (let walk = state.walks[0]; walk; walk = state.walks[0]) {
    const startCursor = walk.cursor;
    try {
      await runWalk(context, run, walk);
    } catch (error) {
      if (error instanceof RepeatedPageError) {
        state.walks = [{ cursor: null, toEnd: true }]; // for the next run
        transaction(context.mirror, () => saveFeedState(context, state));
        throw error;
      }
      // Only a cursor of an earlier run can have expired; services reject it as a bad parameter.
      const isRefused = error instanceof ServiceAnswerError && error.meansAbsent;
      const isExpired = startCursor !== null && walk.cursor === startCursor && isRefused;
      if (isExpired && walk.isTail && state.order !== 'ascending') {
        endTail(context, state, { hadNewRecords: false }); // the page no longer exists, so nothing is re-read
        continue;
      }
      if (!isExpired || isRestarted) throw error;
      isRestarted = true;
      context.progress.note(say`the saved cursor of the feed has expired; the feed is read from the top`);
      state.walks = [{ cursor: null, toEnd: true }];
    }
  }
}

/** Runs one walk: saves page after page until it reaches stored records or the end. */
async function runWalk(context: SyncContext, run: FeedRun, walk: Walk): Promise<void> {
  const { mirror, client } = context;
  const { state } = run;
  const request = { path, query: { ...query, cursor: walk.cursor ?? undefined }, names: ['feed'] };
  const isTop = walk.cursor === null;
  const isConditional = isTop && !walk.toEnd && !needsAnotherList(mirror, kindOf('content'));
  const firstPage = await getPageIfChanged(client, request, isConditional ? findValidator(context, path, query) : null);
  if (firstPage === null || (isTop && reportIfStale(context, firstPage))) {
    transaction(mirror, () => {
      markUnchanged(context, path, query);
      endWalk(context, state);
    });
    return;
  }
  if (isTop) refuseDamagedFeed(context, firstPage);
  const topWalk = isTop ? { seenNumbers: createNumberSet(), statistics: createWalkStatistics(firstPage) } : null;
  const storedCount = countRows(mirror, kindOf('content')) || null;
  const walkProgress: WalkProgress = { state, walk, request, topWalk, lastDate: null, added: 0 };
  for await (const page of pages(client, request, firstPage)) {
    const walkStatus = transaction(mirror, () => savePage(context, walkProgress, page));
    run.savedCount += page.items.length;
    // Only a walk from page 1 to the end has a known total.
    const total = topWalk && walk.toEnd ? (page.total ?? storedCount) : null;
    context.progress.advance(run.savedCount, String(page.items.at(-1)?.date ?? ''), total);
    context.signal.throwIfAborted();
    if (walkStatus === 'end') await finishWalk(context, walkProgress, page);
    if (walkStatus !== 'continues') return;
  }
}

/** Throws a QuarantineError if page 1 of the feed changed its shape, or is full but has no cursor. */
function refuseDamagedFeed(context: SyncContext, { items, next, url }: ServicePage): void {
  const kind = kindOf('content');
  // If a stored record still has its key, a new form of key belongs to new records only, and is accepted.
  const keepsKeys = items.some((item) => hasRecord(context.mirror, 'content', keyOf(kind, item)));
  refuseDrift(context, kind, { subject: path, url, formExemptField: keepsKeys ? kind.keyField : null });
  const isFull = items.length >= query.limit && countRows(context.mirror, kind) > items.length;
  if (next !== null || !isFull || isAccepted(context, kind)) return;
  throw quarantineError(kind, url, say`the response lost the feed cursor (a full page without a next one)`);
}

/** Saves a page and its cursor; returns `end` (last page), `all stored` (the walk ended early), or `continues`. */
function savePage(context: SyncContext, walkProgress: WalkProgress, page: ServicePage) {
  const { state, walk, topWalk } = walkProgress;
  const sizeBefore = topWalk?.seenNumbers.size ?? 0;
  const outcomes = [...saveFeedItems(context, { page, seenNumbers: topWalk?.seenNumbers ?? null }).values()];
  for (const { added } of outcomes) walkProgress.added += added;
  if (topWalk)
    addPage(topWalk.statistics, page, { cursor: walk.cursor, hasNews: topWalk.seenNumbers.size > sizeBefore });
  // Records older than a stored page are stored too, but only if its dates continue those of the page before.
  const dates = page.items.map(({ date }) => date).filter((date) => typeof date === 'string');
  const isInOrder = walkProgress.lastDate === null || dates[0] === undefined || dates[0] <= walkProgress.lastDate;
  walkProgress.lastDate = dates.at(-1) ?? walkProgress.lastDate;
  const isUnchangedPage = isInOrder && outcomes.every(({ added, edited, returned }) => added + edited + returned === 0);
  if (page.next === null) return 'end';
  // If the total differs from that of the mirror, older records changed: walk to the end of the feed.
  if (isUnchangedPage && !walk.toEnd && topWalk) walk.toEnd = hasTotalMismatch(context.mirror, state, page.total);
  if (isUnchangedPage && !walk.toEnd) {
    endWalk(context, state);
    // The validator of the top covers the whole feed, so it is saved only after a complete walk.
    if (topWalk && state.walks.length === 0) saveResponse(context.mirror, topWalk.statistics.first);
    return 'all stored';
  }
  walk.cursor = page.next;
  saveFeedState(context, state);
  return 'continues';
}
