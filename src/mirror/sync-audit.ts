import { ServiceAnswerError } from '../errors.ts';
import { keyOf } from '../model/facets.ts';
import { identifyingFields } from '../model/identity-guard.ts';
import { kindOf } from '../model/kinds.ts';
import type { Query } from '../service/client.ts';
import { getPageIfChanged, type ServicePage } from '../service/pages.ts';
import { keepAnswer } from '../store/answer.ts';
import { newestDate, saveGap } from '../store/gap.ts';
import { saveKindState } from '../store/kind-state.ts';
import { createSaver } from '../store/save.ts';
import { atOnce } from '../store/transaction.ts';
import { markUnchanged, validatorFor } from './ask.ts';
import { includes } from './plan.ts';
import { addOutcomes, type SyncContext } from './sync-context.ts';

/** The most that the service shows of its log. */
const windowSize = 200;

/**
 * Adds the newest moderation entries. Where they do not reach back to those already held, the log is asked once
 * for each type of record, which shows more of it; what is still out of reach is recorded as a gap.
 */
export async function syncAudit(context: SyncContext): Promise<void> {
  if (!includes(context.scope, 'audit')) return;
  const newestBefore = newestDate(context.mirror, 'audit');
  const met = new Set<string>();
  context.progress.stage('audit', 1);
  const newest = await saveWindow(context, {}, met);
  context.progress.advance(1, '');
  if (newest === null || newest.overlaps || newest.items.length < windowSize) return;
  let overlaps = false;
  for (const entityType of new Set(newest.items.map(({ entity_type }) => entity_type))) {
    if (typeof entityType !== 'string') continue;
    context.signal.throwIfAborted();
    const window = await saveWindow(context, { entity_type: entityType }, met);
    overlaps ||= window?.overlaps ?? true;
  }
  if (newestBefore === null || overlaps) return;
  const oldest = newest.items.at(-1)?.date;
  const before = typeof oldest === 'string' ? oldest : null;
  atOnce(context.mirror, () =>
    saveGap(context.mirror, 'audit', { after: newestBefore, before, at: newest.at }),
  );
  context.tally.gaps += 1;
  context.progress.note(
    `audit: the log moved on by more than ${windowSize} entries since ${newestBefore}; some were never seen`,
  );
}

/**
 * Saves one answer of the log; `overlaps` tells whether it reaches entries held before this sync met them. Null if
 * the answer is the one that was saved last time.
 */
async function saveWindow(
  context: SyncContext,
  query: Query,
  met: Set<string>,
): Promise<(ServicePage & { overlaps: boolean }) | null> {
  const { mirror, client } = context;
  const kind = kindOf('audit');
  const request = {
    path: '/audit',
    query: { ...query, limit: windowSize },
    names: ['audit', 'entries', 'log'],
  };
  const page = await getPageIfChanged(client, request, validatorFor(context, request.path, request.query));
  if (page === null) {
    atOnce(mirror, () => markUnchanged(context, request.path, request.query));
    return null;
  }
  const telling = page.items.flatMap(identifyingFields);
  if (telling.length > 0) {
    throw new ServiceAnswerError(page.url, `the log identifies persons (${telling[0]}); it was not saved`);
  }
  const overlaps = atOnce(mirror, () => {
    const saver = createSaver(mirror, kind, { at: page.at });
    const held = page.items.filter((entry) => saver.save(entry) !== 'added' && !met.has(keyOf(kind, entry)));
    saver.finish();
    keepAnswer(mirror, page);
    saveKindState(mirror, kind, { origin: client.baseUrl, retrievedAt: page.at });
    addOutcomes(context, kind.name, saver.outcomes);
    return held.length > 0;
  });
  for (const entry of page.items) met.add(keyOf(kind, entry));
  return { ...page, overlaps };
}
