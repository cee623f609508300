import { ServiceAnswerError } from '../errors.ts';
import { identifyingFields } from '../model/identity-guard.ts';
import { kindOf } from '../model/kinds.ts';
import { getPage } from '../service/pages.ts';
import { newestDate, saveGap } from '../store/gap.ts';
import { saveKindState } from '../store/kind-state.ts';
import { countRows } from '../store/rows.ts';
import { createSaver } from '../store/save.ts';
import { atOnce } from '../store/transaction.ts';
import { includes } from './plan.ts';
import { addOutcomes, type SyncContext } from './sync-context.ts';

/** The most that the service shows of its log. */
const windowSize = 200;

/** Adds the newest moderation entries; records a gap where they do not reach back to those already held. */
export async function syncAudit(context: SyncContext): Promise<void> {
  const { mirror, client, scope } = context;
  if (!includes(scope, 'audit')) return;
  const kind = kindOf('audit');
  context.progress.stage('audit', 1);
  const page = await getPage(client, '/audit', { limit: windowSize }, ['audit', 'entries', 'log']);
  const telling = page.items.flatMap(identifyingFields);
  if (telling.length > 0)
    throw new ServiceAnswerError(page.url, `the log identifies persons (${telling[0]}); it was not saved`);
  atOnce(mirror, () => {
    const heldBefore = countRows(mirror, kind);
    const newestBefore = newestDate(mirror, kind.name);
    const saver = createSaver(mirror, kind, { at: page.at });
    for (const entry of page.items) saver.save(entry);
    saver.finish();
    saveKindState(mirror, kind, { origin: client.baseUrl, retrievedAt: page.at });
    addOutcomes(context, kind.name, saver.outcomes);
    const overlaps = saver.outcomes.same + saver.outcomes.touched + saver.outcomes.edited > 0;
    if (heldBefore === 0 || overlaps || page.items.length < windowSize) return;
    const oldest = page.items.at(-1)?.date;
    saveGap(mirror, kind.name, {
      after: newestBefore,
      before: typeof oldest === 'string' ? oldest : null,
      at: page.at,
    });
    context.tally.gaps += 1;
    context.progress.note(
      `audit: the log moved on by more than ${windowSize} entries since ${newestBefore}; some were never seen`,
    );
  });
  context.progress.advance(1, '');
}
