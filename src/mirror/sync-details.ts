import { ServiceAnswerError } from '../errors.ts';
import { kindOf } from '../model/kinds.ts';
import { readOne } from '../service/shapes.ts';
import { keepAnswer } from '../store/answer.ts';
import { saveDetail } from '../store/save-detail.ts';
import { markDetailFresh, slugsToFetch } from '../store/to-fetch.ts';
import { atOnce } from '../store/transaction.ts';
import { markUnchanged, validatorFor } from './ask.ts';
import { includes } from './plan.ts';
import { type SyncContext, tallyOf } from './sync-context.ts';

/** Statuses by which a service says that there is no such record. */
export const absentStatuses = [400, 404, 410, 422];

/** Fetches the full documents of parties or politicians that are new or changed, one request each. */
export async function syncDetails(context: SyncContext, name: 'party' | 'politician'): Promise<void> {
  const { mirror, scope } = context;
  if (scope.details === 'none' || !includes(scope, name)) return;
  const kind = kindOf(name);
  const slugs = slugsToFetch(mirror, name, scope.full || scope.details === 'all');
  context.progress.stage(`${name} details`, slugs.length);
  for (const [index, slug] of slugs.entries()) {
    context.signal.throwIfAborted();
    await fetchDetail(context, { kind, slug });
    context.progress.advance(index + 1, slug);
  }
}

async function fetchDetail(
  context: SyncContext,
  { kind, slug }: { kind: ReturnType<typeof kindOf>; slug: string },
): Promise<void> {
  const { mirror, client } = context;
  const path = `/${kind.plural}/${encodeURIComponent(slug)}`;
  try {
    const answer = await client.getJsonIfChanged(path, {}, validatorFor(context, path));
    if (answer === null) {
      atOnce(mirror, () => {
        markUnchanged(context, path);
        markDetailFresh(mirror, kind.name, slug);
      });
      return;
    }
    const document = readOne(answer, [kind.name, 'profile']);
    if (typeof document.slug === 'string' && document.slug !== slug) {
      throw new ServiceAnswerError(answer.url, `the answer is about "${document.slug}"`);
    }
    atOnce(mirror, () => {
      saveDetail(mirror, kind, { ...document, slug }, { at: answer.at });
      keepAnswer(mirror, answer);
    });
    tallyOf(context, kind.name).details += 1;
  } catch (error) {
    if (!(error instanceof ServiceAnswerError) || !absentStatuses.includes(error.status ?? 0)) throw error;
    markDetailFresh(mirror, kind.name, slug);
    context.progress.note(
      `${kind.name} ${slug}: in the dataset, but the service has no profile (${error.status})`,
    );
  }
}
