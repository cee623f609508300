import { ServiceAnswerError } from '../errors.ts';
import { type Kind, kindOf } from '../model/kinds.ts';
import { getProfile, profilePath } from '../service/records.ts';
import { saveDetail } from '../store/detail.ts';
import { countRows } from '../store/rows.ts';
import { holdsDetails, markAbsent, markDetailFresh, slugsToFetch } from '../store/to-fetch.ts';
import { atOnce } from '../store/transaction.ts';
import { keepAnswer } from '../store/validators.ts';
import { eachOf, markUnchanged, type Stage, type SyncContext, tallyOf, validatorFor } from './context.ts';
import { includes } from './scope.ts';

/** The full documents of parties, or of politicians. */
export function detailStage(name: 'party' | 'politician'): Stage {
  return {
    name: `${name} details`,
    kinds: [name],
    plan({ mirror, scope, now }) {
      if (scope.details === 'none' || !includes(scope, name)) return null;
      if (!mirror || countRows(mirror, kindOf(name)) === 0)
        return { requests: 0, atLeast: true, what: `one for each ${name} that the dataset lists` };
      const all = scope.full || scope.details === 'all';
      return {
        requests: slugsToFetch(mirror, name, { all, nowMs: now() }).length,
        atLeast: false,
        what:
          scope.details === 'all'
            ? 'all'
            : 'new or changed since the last time, and what the datasets change',
      };
    },
    run: (context) => syncDetails(context, name),
  };
}

/** Fetches the full documents of parties or politicians that are new or changed, one request each. */
async function syncDetails(context: SyncContext, name: 'party' | 'politician'): Promise<void> {
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
  { kind, slug }: { kind: Kind; slug: string },
): Promise<number | null> {
  const { mirror, client } = context;
  const got = await getProfile(client, { kind, slug }, (path) => validatorFor(context, path));
  if (got.state === 'absent') return got.status;
  if (got.state === 'unchanged') {
    atOnce(mirror, () => {
      markUnchanged(context, profilePath(kind, slug));
      markDetailFresh(mirror, kind.name, slug);
    });
    return null;
  }
  atOnce(mirror, () => {
    saveDetail(mirror, kind, got.document, { at: got.answer.at });
    keepAnswer(mirror, got.answer);
  });
  tallyOf(context, kind.name).details += 1;
  return null;
}
