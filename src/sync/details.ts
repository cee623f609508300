import { ServiceAnswerError } from '../errors.ts';
import { kindOf } from '../model/kinds.ts';
import { readOne } from '../service/shapes.ts';
import { keepAnswer } from '../store/answer.ts';
import { saveDetail } from '../store/save-detail.ts';
import { holdsDetails, markAbsent, markDetailFresh, slugsToFetch } from '../store/to-fetch.ts';
import { atOnce } from '../store/transaction.ts';
import { markUnchanged, validatorFor } from './ask.ts';
import { type SyncContext, tallyOf } from './context.ts';
import { eachOf } from './each.ts';
import { includes } from './plan.ts';

/** Statuses by which a service says that there is no such record. */
export const absentStatuses = [400, 404, 410, 422];

/** Fetches the full documents of parties or politicians that are new or changed, one request each. */
export async function syncDetails(context: SyncContext, name: 'party' | 'politician'): Promise<void> {
  const { mirror, scope } = context;
  if (scope.details === 'none' || !includes(scope, name)) return;
  const kind = kindOf(name);
  const slugs = slugsToFetch(mirror, name, {
    all: scope.full || scope.details === 'all',
    nowMs: context.now(),
  });
  context.progress.stage(`${name} details`, slugs.length);
  const absent: Absence[] = [];
  await eachOf(context, { stage: `${name} details`, items: slugs, name: (slug) => slug }, async (slug) => {
    const status = await fetchDetail(context, { kind, slug });
    if (status !== null) absent.push({ slug, status });
  });
  noteAbsent(context, name, { absent, asked: slugs.length });
}

type Absence = { slug: string; status: number };

/** Profiles that the service does not have are asked for again in a week; where most are missing, in the next run. */
function noteAbsent(
  context: SyncContext,
  name: 'party' | 'politician',
  { absent, asked }: { absent: Absence[]; asked: number },
): void {
  const { mirror, maxShrink, client, now } = context;
  if (absent.length === 0) return;
  const kind = kindOf(name);
  const sentence = `the dataset lists ${kind.plural} of which the service has no profile: ${absent.length} of ${asked} (${absent[0]!.slug}: ${absent[0]!.status})`;
  const isRouteGone = absent.length === asked && !holdsDetails(mirror, name);
  if (maxShrink < 1 && (isRouteGone || absent.length > Math.max(mostAbsent, asked * maxShrink))) {
    throw new ServiceAnswerError(`${client.baseUrl}/${kind.plural}/{slug}`, sentence);
  }
  const at = new Date(now()).toISOString();
  atOnce(mirror, () => {
    for (const { slug, status } of absent) {
      markAbsent(mirror, { kind: name, key: slug }, { status, at });
      markDetailFresh(mirror, name, slug);
    }
  });
  context.progress.note(sentence);
}

/** So few may be missing, whatever their share. */
const mostAbsent = 5;

/** Fetches one full document; the status by which the service says that it has none, or null. */
async function fetchDetail(
  context: SyncContext,
  { kind, slug }: { kind: ReturnType<typeof kindOf>; slug: string },
): Promise<number | null> {
  const { mirror, client } = context;
  const path = `/${kind.plural}/${encodeURIComponent(slug)}`;
  try {
    const answer = await client.getJsonIfChanged(path, {}, validatorFor(context, path));
    if (answer === null) {
      atOnce(mirror, () => {
        markUnchanged(context, path);
        markDetailFresh(mirror, kind.name, slug);
      });
      return null;
    }
    const document = readOne(answer, kind, [kind.name, 'profile']);
    if (typeof document.slug === 'string' && document.slug !== slug) {
      throw new ServiceAnswerError(answer.url, `the answer is about "${document.slug}"`);
    }
    atOnce(mirror, () => {
      saveDetail(mirror, kind, { ...document, slug }, { at: answer.at });
      keepAnswer(mirror, answer);
    });
    tallyOf(context, kind.name).details += 1;
    return null;
  } catch (error) {
    const status = error instanceof ServiceAnswerError ? error.status : null;
    if (status === null || !absentStatuses.includes(status)) throw error;
    return status;
  }
}
