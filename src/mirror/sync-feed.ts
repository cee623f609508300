import { pages } from '../service/pages.ts';
import { readProgress, saveProgress } from '../store/progress.ts';
import { atOnce } from '../store/transaction.ts';
import { includes } from './plan.ts';
import { saveFeedPage } from './save-feed-page.ts';
import { addOutcomes, type SyncContext } from './sync-context.ts';

/** Walks that were begun and not finished, newest first; `toEnd` marks the one that has no known ground below it. */
type FeedState = { walks: { cursor: string | null; toEnd: boolean }[] };

const pageLimit = 50;

/**
 * Brings the content feed up to date: from its top until known ground, then on with every walk that an earlier
 * run left unfinished. A page and the cursor behind it are saved together.
 */
export async function syncFeed(context: SyncContext): Promise<void> {
  const { mirror, client, scope, now } = context;
  if (!includes(scope, 'content')) return;
  const known = readProgress<FeedState>(mirror, client.baseUrl, 'feed');
  const isFirst = known === undefined || scope.full;
  const state: FeedState = {
    walks: [{ cursor: null, toEnd: isFirst }, ...(scope.full ? [] : (known?.walks ?? []))],
  };
  context.progress.stage('feed', null);
  let done = 0;
  for (let walk = state.walks[0]; walk; walk = state.walks[0]) {
    const query = { types: 'content', limit: pageLimit, cursor: walk.cursor ?? undefined };
    let reachedGround = false;
    for await (const page of pages(client, '/feed', query, ['feed'])) {
      const onTheWay = walk;
      reachedGround = atOnce(mirror, () => {
        const outcomes = saveFeedPage(mirror, page.items, page.at);
        for (const [kind, each] of outcomes) addOutcomes(context, kind, each);
        const isKnown = [...outcomes.values()].every(
          (each) => each.added + each.edited + each.returned === 0,
        );
        const isEnd = page.next === null || page.items.length === 0 || (isKnown && !onTheWay.toEnd);
        if (isEnd) state.walks.shift();
        else onTheWay.cursor = page.next;
        saveProgress(
          mirror,
          { origin: client.baseUrl, stage: 'feed', at: new Date(now()).toISOString() },
          state,
        );
        return isEnd;
      });
      done += page.items.length;
      context.progress.advance(done, String(page.items.at(-1)?.date ?? ''));
      context.signal.throwIfAborted();
      if (reachedGround) break;
    }
    if (!reachedGround) return;
  }
}
