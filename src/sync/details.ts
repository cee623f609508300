import { ServiceAnswerError } from '../errors.ts';
import { sampleSizes } from '../model/composition.ts';
import type { Document } from '../model/document.ts';
import { type Kind, kindOf } from '../model/kinds.ts';
import { requestUrl } from '../service/client.ts';
import { getProfile, profilePath } from '../service/records.ts';
import type { Mirror } from '../store/mirror.ts';
import type { ProfileReference } from '../store/records/profile.ts';
import { countRows } from '../store/rows.ts';
import { saveDetail } from '../store/saving/detail.ts';
import { countComposed } from '../store/syncs/composition.ts';
import { deleteFailure, listFailures } from '../store/syncs/failures.ts';
import { hasFullDocument, isMarkedAbsent, markAbsent, markDetailFresh } from '../store/syncs/to-fetch.ts';
import { saveResponse } from '../store/syncs/validators.ts';
import { transaction } from '../store/transaction.ts';
import { say, wordPhrase } from '../words/speech.ts';
import {
  assumedCounts,
  findValidator,
  formatCount,
  isoTime,
  markUnchanged,
  type PlanInput,
  reportIfStale,
  type Stage,
  type SyncContext,
  tallyOf,
} from './context.ts';
import { recordFailure } from './failures.ts';
import { chooseProfiles, createProfileComparer, type ProfileChoice, type ProfileKind } from './profile-composition.ts';
import { changesToConfirm, createShapeCheck, type ShapeCheck } from './quarantine.ts';
import { type NextStep, requestEach, requestsFor, type StageItems } from './request-each.ts';

/** Returns the stage that fetches profiles of parties or politicians. */
export function detailStage(name: ProfileKind): Stage {
  return {
    name: `${name} details`,
    kinds: [name],
    plan({ mirror, origin, scope, now }) {
      if (scope.details === 'none') return null;
      const kind = kindOf(name);
      const fetchesAll = scope.full || scope.details === 'all';
      if (!mirror || countRows(mirror, kind) === 0)
        return {
          requests: 0,
          atLeast: true,
          what: fetchesAll ? 'all' : 'a sample; all profiles if it differs from the datasets',
          expected: fetchesAll ? assumedCounts[name] : sampleSizes[name],
          most: assumedCounts[name],
          assumed: formatCount(assumedCounts[name], kind.plural),
        };
      const { choice, items } = chooseStageProfiles(mirror, name, { origin, scope, now });
      const requests = requestsFor(mirror, items, now());
      const composed = choice.toCompare.length > 0 ? countComposed(mirror, name) : 0;
      return {
        requests,
        atLeast: false,
        what: fetchesAll
          ? 'all'
          : choice.isSample
            ? 'a sample; the others are composed if it agrees with the datasets'
            : 'new or changed',
        most: requests + choice.toCompose.length + composed,
      };
    },
    run: (context) => syncDetails(context, name),
  };
}

/** Returns the profiles that a run fetches and composes, with the fetched ones as items of the stage. */
function chooseStageProfiles(
  mirror: Mirror,
  name: ProfileKind,
  { origin, scope, now, random = () => 0 }: Omit<PlanInput, 'mirror'> & Pick<SyncContext, 'random'>,
) {
  const kind = kindOf(name);
  const fetchesAll = scope.full || scope.details === 'all';
  // An earlier run found that the service has no profiles of the kind: request none until the retry is due.
  const missingRoute = listFailures(mirror, missingRouteStage).find(({ url }) => url === routeOf(origin, kind));
  const hasNoProfiles = !fetchesAll && missingRoute !== undefined && Date.parse(missingRoute.next_at) > now();
  const choice: ProfileChoice = hasNoProfiles
    ? { toFetch: [], toCompare: [], toCompose: [], isSample: false }
    : chooseProfiles(mirror, name, { all: fetchesAll, nowMs: now(), random });
  const items: StageItems<string> & { name: (slug: string) => string } = {
    name: (slug) => slug,
    stage: `${name} details`,
    items: [...choice.toCompare, ...choice.toFetch],
    otherItems: choice.toCompose,
    address: (slug) => requestUrl(origin, profilePath(kind, slug), {}),
    isWanted: () => fetchesAll,
  };
  return { all: fetchesAll, choice, items };
}

const routeOf = (origin: string, kind: Kind) => `${origin}/${kind.plural}/{slug}`;

const missingRouteStage = 'profiles'; // names the saved failure of a service without profiles

/** Updates new or changed profiles: one request each, unless a sample shows that the datasets can compose them. */
async function syncDetails(context: SyncContext, name: ProfileKind): Promise<void> {
  const { mirror, scope, client, now, random = Math.random } = context;
  if (scope.details === 'none') return;
  const kind = kindOf(name);
  const { all, choice, items } = chooseStageProfiles(mirror, name, { origin: client.baseUrl, scope, now, random });
  const absenceTracker = createAbsenceTracker(context, name);
  const comparer = all ? null : createProfileComparer(context, kind);
  const shapeCheck = createProfileShapeCheck(context, kind);
  const requestedSlugs = new Set<string>();
  const isNotRequested = (slug: string) => !requestedSlugs.has(slug);
  const fetchEach = async (slugs: readonly string[], isAsComposed?: DetailRequest['isAsComposed']) => {
    // The saved failures of items that this call does not fetch must not be deleted.
    const otherItems = [...items.items, ...choice.toCompose, ...requestedSlugs];
    const isComplete = await requestEach(context, { ...items, items: slugs, otherItems }, async (slug, itemContext) => {
      requestedSlugs.add(slug);
      const { status } = await fetchDetail(itemContext, { kind, slug, isAsComposed, shapeCheck });
      return absenceTracker.add(status === null ? null : { slug, status });
    }).finally(shapeCheck.save);
    shapeCheck.end();
    return isComplete;
  };
  let isComplete = false;
  let differingChoice: ProfileChoice | null = null;
  try {
    isComplete = await fetchEach(items.items, comparer?.isAsComposed);
    const furtherSlugs = isComplete && comparer ? comparer.chooseFurther(choice) : [];
    if (furtherSlugs.length > 0) isComplete = await fetchEach(furtherSlugs, comparer?.isAsComposed);
  } finally {
    // Also after an interruption: saves a difference that the compared profiles prove.
    differingChoice = comparer?.chooseAfterDifference(choice, isComplete) ?? null;
  }
  if (isComplete && comparer) {
    const finalChoice = differingChoice ?? choice;
    if (differingChoice) await fetchEach(differingChoice.toFetch.filter(isNotRequested));
    const toCompose = finalChoice.toCompose.filter(isNotRequested);
    if (!comparer.finish({ ...finalChoice, toCompose })) await fetchEach(toCompose); // too few of the sample agree
  }
  absenceTracker.finish();
}

type Absence = { slug: string; status: number };

/** Newly absent profiles that are tolerated, even if they are a large share. */
const maxAbsentProfiles = 5;

/** After this many absences and no profile at all, the service is taken to have no profiles. */
const maxInitialAbsences = 20;

/** Returns a tracker that saves absences for a week, only if the service has any profile; else it ends the stage. */
function createAbsenceTracker(context: SyncContext, name: ProfileKind) {
  const { mirror, maxShrink, client, now, tally } = context;
  const kind = kindOf(name);
  // True once the service has sent a profile of the kind, now or earlier, or if the user accepts any loss.
  let servesProfiles = hasFullDocument(mirror, name) || maxShrink >= 1;
  let requestCount = 0;
  let newAbsenceCount = 0;
  const absences: Absence[] = []; // of this run, for the report
  const unsavedAbsences: Absence[] = []; // saved once the service has sent a profile

  function saveAbsence({ slug, status }: Absence): void {
    if (!isMarkedAbsent(mirror, name, slug)) newAbsenceCount += 1;
    markAbsent(mirror, { kind: name, key: slug }, { status, at: isoTime(now()) });
    markDetailFresh(mirror, name, slug);
  }

  return {
    /** Counts a profile (null) or an absence; returns how the stage continues. */
    add(absence: Absence | null): NextStep {
      requestCount += 1;
      servesProfiles ||= absence === null;
      if (absence) absences.push(absence);
      if (absence) unsavedAbsences.push(absence);
      if (!servesProfiles) return unsavedAbsences.length < maxInitialAbsences ? 'ask elsewhere' : 'enough';
      if (unsavedAbsences.length > 0) transaction(mirror, () => unsavedAbsences.splice(0).forEach(saveAbsence));
      return 'answered';
    },
    /** Reports the absences: an error if the service has no profiles or too many are newly absent, else a note. */
    finish(): void {
      const [first] = absences;
      const url = routeOf(client.baseUrl, kind);
      if (servesProfiles && listFailures(mirror, missingRouteStage).some((each) => each.url === url))
        deleteFailure(mirror, url);
      if (!first) return;
      const sentence = say`the dataset lists ${wordPhrase(kind.plural)} without a profile: ${absences.length} of ${requestCount} requested (${first.slug}: ${first.status})`;
      if (!servesProfiles) {
        const hint = say`${absentHint}; --accept-shrink requests all of them`;
        const error = new ServiceAnswerError(url, sentence, { hint, status: first.status });
        recordFailure(context, { stage: missingRouteStage, url }, error);
        return;
      }
      if (maxShrink < 1 && newAbsenceCount > Math.max(maxAbsentProfiles, requestCount * maxShrink)) {
        const hint = say`if the service intends this, do nothing: they are not requested for a week, and later syncs succeed without them; ${absentHint}`;
        tally.errors.push({ stage: `${name} details`, error: new ServiceAnswerError(url, sentence, { hint }) });
      }
      context.progress.note(sentence);
    },
  };
}

const absentHint = say`--details all requests them at once, --details none omits profiles`;

function createProfileShapeCheck(context: SyncContext, kind: Kind): ShapeCheck {
  const subject = `/${kind.plural}/{slug}`;
  return createShapeCheck(context, kind, { subject, url: routeOf(context.client.baseUrl, kind) });
}

type DetailRequest = ProfileReference & {
  shapeCheck?: ShapeCheck;
  isAsComposed?: ((slug: string, profile: Document) => boolean) | undefined; // if true, the profile is not saved
};

/**
 * Fetches and saves one profile, at once without a `shapeCheck`. Returns the HTTP status of an absent one (else null),
 * the slug to which it moved, and `sentAt` of the stored profile, null if it is stale or awaits confirmation.
 */
export async function fetchDetail(context: SyncContext, request: DetailRequest) {
  const { mirror, client, now } = context;
  const { kind, slug, isAsComposed, shapeCheck } = request;
  const result = await getProfile(client, { kind, slug }, (path) => findValidator(context, path));
  if (result.state === 'absent') return { status: result.status, movedTo: result.movedTo, sentAt: null };
  if (result.state === 'unchanged') {
    transaction(mirror, () => {
      markUnchanged(context, profilePath(kind, slug));
      markDetailFresh(mirror, kind.name, slug);
    });
    return { status: null, sentAt: isoTime(now()) };
  }
  if (reportIfStale(context, result.answer)) return { status: null, sentAt: null };
  let isDeferred = false;
  const save = () => {
    if (isAsComposed?.(slug, result.document)) return;
    transaction(mirror, () => {
      const options = { at: result.answer.at, changesToConfirm: changesToConfirm(context, kind) };
      isDeferred = saveDetail(mirror, kind, result.document, options) === 'deferred';
      if (!isDeferred) saveResponse(mirror, result.answer);
    });
    tallyOf(context, kind.name).details += 1;
  };
  if (shapeCheck) shapeCheck.addAnswer(save);
  else {
    createProfileShapeCheck(context, kind).check();
    save();
  }
  return { status: null, sentAt: isDeferred ? null : result.answer.sentAt };
}
