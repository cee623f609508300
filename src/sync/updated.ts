import { type Document, textOf } from '../model/document.ts';
import { getPageIfChanged, pages, type ServicePage } from '../service/pages.ts';
import { countComposed, endComposing } from '../store/syncs/composition.ts';
import { endProgress, readProgress, saveProgress } from '../store/syncs/progress.ts';
import { markAllStale, markIfNewer } from '../store/syncs/to-fetch.ts';
import { saveAnswer } from '../store/syncs/validators.ts';
import { atOnce } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import { markUnchanged, type Stage, type SyncContext, validatorFor } from './context.ts';
import { hasProfiles } from './scope.ts';

const stage = 'updated profiles';

const request = {
  path: '/politicians',
  query: { sort: 'updated_at', limit: 100 },
  names: ['politicians'],
};

/** The stage that finds outdated profiles in the list by `updated_at`. */
export const updatedStage: Stage = {
  name: stage,
  list: request.path,
  kinds: ['politician'],
  plan: ({ mirror, scope }) =>
    mirror && hasProfiles(mirror, scope)
      ? { requests: 1, atLeast: true, what: 'the list by updated_at, until known ground' }
      : null,
  run: syncUpdated,
};

/**
 * Marks profiles that were updated since they were fetched, since datasets may be older than profiles or lack `updated_at`.
 * The sort direction is detected from the dates: the interface does not state it.
 */
async function syncUpdated(context: SyncContext): Promise<void> {
  const { mirror, client, scope } = context;
  if (!hasProfiles(mirror, scope)) return;
  context.progress.stage(stage, null);
  const { path, query } = request;
  const first = await getPageIfChanged(client, request, validatorFor(context, path, query));
  if (first === null) return atOnce(mirror, () => markUnchanged(context, path, query));
  if (
    directionOf(first.items) === 'oldest first' &&
    first.next === null &&
    isPartOf(first, first.items.length)
  ) {
    context.progress.note(
      say`the service lists only the profiles updated longest ago; changes are taken from its dataset`,
    );
    return;
  }
  await markNewer(context, first);
}

/** Marks newer profiles page by page, until a page has none (or to the end, if the oldest come first). */
async function markNewer(context: SyncContext, first: ServicePage): Promise<void> {
  const { mirror, client } = context;
  // After an interrupted walk, the pages below the first are unknown.
  const isOpen = readProgress(mirror, client.baseUrl, stage) !== undefined;
  let seen = 0;
  for await (const page of pages(client, request, { first })) {
    const isNewestFirst = directionOf(page.items) === 'newest first';
    const newer = atOnce(mirror, () => {
      if (page === first)
        saveProgress(mirror, { origin: client.baseUrl, stage, at: page.at }, { isOpen: true });
      return page.items.filter((item) => markIfNewer(mirror, item)).length;
    });
    seen += page.items.length;
    context.progress.advance(seen, '');
    if (isNewestFirst && newer === 0 && !isOpen) break;
    if (newer === page.items.length && page.next === null && isPartOf(page, seen)) {
      atOnce(mirror, () => {
        // The rows are outdated too, and it is unknown which.
        const reason = 'more profiles were updated than the list by updated_at shows';
        if (countComposed(mirror, 'politician') > 0)
          endComposing(mirror, 'politician', { at: page.at, reason });
        markAllStale(mirror, 'politician');
      });
      context.progress.note(say`more profiles were updated than the service lists; all are fetched`);
    }
    context.signal.throwIfAborted();
  }
  // The validator of the first page covers the list only once it was read.
  atOnce(mirror, () => {
    saveAnswer(mirror, first);
    endProgress(mirror, client.baseUrl, stage);
  });
}

/** Sort direction of a list by `updated_at`; null if it cannot be determined. */
export function directionOf(items: Document[]): 'newest first' | 'oldest first' | null {
  const moments = items
    .map((item) => Date.parse(textOf(item, 'updated_at', 'updatedAt') ?? ''))
    .filter((moment) => !Number.isNaN(moment));
  const steps = moments.slice(1).map((moment, index) => Math.sign(moment - moments[index]!));
  const [rises, falls] = [steps.includes(1), steps.includes(-1)];
  if (rises === falls) return null;
  return falls ? 'newest first' : 'oldest first';
}

/** True if a list is probably longer than what was seen of it. */
function isPartOf({ total }: ServicePage, seen: number): boolean {
  return total === null ? seen >= request.query.limit : seen < total;
}
