import { type Document, textOf } from '../model/document.ts';
import { getPageIfChanged, pages } from '../service/pages.ts';
import { deleteProgress, readProgress, saveProgress } from '../store/syncs/progress.ts';
import { markStaleIfNewer } from '../store/syncs/to-fetch.ts';
import { saveResponse } from '../store/syncs/validators.ts';
import { transaction } from '../store/transaction.ts';
import { coversStoredProfiles, findValidator, markUnchanged, type Stage, type SyncContext } from './context.ts';

const stage = 'updated profiles';

const request = { path: '/politicians', query: { sort: 'updated_at', limit: 100 }, names: ['politicians'] };

/** The stage that marks outdated profiles as stale by the list of politicians sorted by `updated_at`. */
export const updatedStage: Stage = {
  name: stage,
  list: request.path,
  kinds: ['politician'],
  plan: ({ mirror, scope }) =>
    mirror && coversStoredProfiles(mirror, scope)
      ? { requests: 1, atLeast: true, what: 'the list by updated_at, up to known records' }
      : null,
  run: markUpdatedProfiles,
};

/** Marks profiles updated since they were fetched: datasets may be older than profiles, or lack `updated_at`. */
async function markUpdatedProfiles(context: SyncContext): Promise<void> {
  const { mirror, client, scope } = context;
  if (!coversStoredProfiles(mirror, scope)) return;
  context.progress.stage(stage, null);
  const { path, query } = request;
  const firstPage = await getPageIfChanged(client, request, findValidator(context, path, query));
  if (firstPage === null) return transaction(mirror, () => markUnchanged(context, path, query));
  // After an interruption, later pages may list unmarked updates, so the early stop below does not apply.
  const wasInterrupted = readProgress(mirror, client.baseUrl, stage) !== undefined;
  let readCount = 0;
  for await (const page of pages(client, request, firstPage)) {
    const markedCount = transaction(mirror, () => {
      if (page === firstPage) saveProgress(mirror, { origin: client.baseUrl, stage, at: page.at }, { isOpen: true });
      return page.items.filter((item) => markStaleIfNewer(mirror, item)).length;
    });
    readCount += page.items.length;
    context.progress.advance(readCount, '');
    if (markedCount === 0 && isNewestFirst(page.items) && !wasInterrupted) break;
    context.signal.throwIfAborted();
  }
  // The first page's validator stands for the whole list, so it is saved only after the list was read.
  transaction(mirror, () => {
    saveResponse(mirror, firstPage);
    deleteProgress(mirror, client.baseUrl, stage);
  });
}

/** True if the dates of a list by `updated_at` fall; the service's API does not specify the sort order. */
export function isNewestFirst(items: Document[]): boolean {
  const moments = items
    .map((item) => Date.parse(textOf(item, 'updated_at', 'updatedAt') ?? ''))
    .filter((moment) => !Number.isNaN(moment));
  const steps = moments.slice(1).map((moment, index) => Math.sign(moment - moments[index]!));
  return steps.includes(-1) && !steps.includes(1);
}
