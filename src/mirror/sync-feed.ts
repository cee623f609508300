import { ServiceAnswerError } from '../errors.ts';
import { pages } from '../service/pages.ts';
import { readProgress, saveProgress } from '../store/progress.ts';
import { atOnce } from '../store/transaction.ts';
import { includes } from './plan.ts';
import { saveFeedPage } from './save-feed-page.ts';
import { addOutcomes, type SyncContext } from './sync-context.ts';
import { absentStatuses } from './sync-details.ts';

/** Walks that were begun and not finished, newest first; `toEnd` marks the one that has no known ground below it. */
type FeedState = { walks: { cursor: string | null; toEnd: boolean }[] };

const pageLimit = 50;

/**
 * Brings the content feed up to date: from its top until known ground, then on with every walk that an earlier
 * run left unfinished. A page and the cursor behind it are saved together.
 */
export async function syncFeed(context: SyncContext): Promise<void> {
  const { mirror, client, scope } = context;
  if (!includes(scope, 'content')) return;
  const known = readProgress<FeedState>(mirror, client.baseUrl, 'feed');
  const isFirst = known === undefined || scope.full;
  const state: FeedState = {
    walks: [{ cursor: null, toEnd: isFirst }, ...(scope.full ? [] : (known?.walks ?? []))],
  };
  const count = { done: 0 };
  context.progress.stage('feed', null);
  for (let walk = state.walks[0]; walk; walk = state.walks[0]) {
    try {
      await walkOn(context, { state, walk, count });
    } catch (error) {
      if (walk.cursor === null || !isRefusedCursor(error)) throw error;
      context.progress.note('the service no longer knows where the feed was left; it is walked anew');
      state.walks = [{ cursor: null, toEnd: true }];
    }
  }
}

type Walk = FeedState['walks'][number];

/** Follows one walk to its end or to known ground, and takes it off the list there. */
async function walkOn(
  context: SyncContext,
  { state, walk, count }: { state: FeedState; walk: Walk; count: { done: number } },
): Promise<void> {
  const { mirror, client, now } = context;
  const query = { types: 'content', limit: pageLimit, cursor: walk.cursor ?? undefined };
  for await (const page of pages(client, '/feed', query, ['feed'])) {
    const isEnd = atOnce(mirror, () => {
      const outcomes = saveFeedPage(mirror, page.items, page.at);
      for (const [kind, each] of outcomes) addOutcomes(context, kind, each);
      const isKnown = [...outcomes.values()].every((each) => each.added + each.edited + each.returned === 0);
      const isDone = page.next === null || page.items.length === 0 || (isKnown && !walk.toEnd);
      if (isDone) state.walks.shift();
      else walk.cursor = page.next;
      saveProgress(
        mirror,
        { origin: client.baseUrl, stage: 'feed', at: new Date(now()).toISOString() },
        state,
      );
      return isDone;
    });
    count.done += page.items.length;
    context.progress.advance(count.done, String(page.items.at(-1)?.date ?? ''));
    context.signal.throwIfAborted();
    if (isEnd) return;
  }
}

/** A cursor may grow too old for its service, which then answers that it is a bad parameter. */
function isRefusedCursor(error: unknown): boolean {
  return error instanceof ServiceAnswerError && absentStatuses.includes(error.status ?? 0);
}
