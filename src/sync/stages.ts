import { UsageError } from '../errors.ts';
import { maxFetchedWithoutSample, sampleSizes, significantSampleSize } from '../model/composition.ts';
import { type KindName, kindOf, kinds } from '../model/kinds.ts';
import { countRows } from '../store/rows.ts';
import { say } from '../words/speech.ts';
import { auditStage } from './audit.ts';
import { ballotStage } from './ballots.ts';
import { assumedCounts, coversKind, type PlanInput, type Stage, type StagePlan, type SyncScope } from './context.ts';
import { datasetStage } from './datasets.ts';
import { detailStage } from './details.ts';
import { feedStage } from './feed.ts';
import { planFollow } from './follow.ts';
import { parseKind } from './import.ts';
import { updatedStage } from './updated-profiles.ts';
import { withdrawalStage } from './withdrawal-verification.ts';

/** Stages in order: datasets first, as they name ballots and profiles; profiles last, as they cost most requests. */
const stages: readonly Stage[] = [
  datasetStage,
  withdrawalStage,
  auditStage,
  feedStage,
  ballotStage,
  updatedStage,
  detailStage('party'),
  detailStage('politician'),
];

/** Returns the stages that update kinds of a scope, in order. */
export function stagesIn(scope: SyncScope): Stage[] {
  return stages.filter(({ kinds }) => kinds.some((kind) => coversKind(scope, kind)));
}

/** Parses a comma-separated list of kinds; throws a UsageError for a kind that no sync updates. */
export function parseSyncedKinds(text: string): KindName[] {
  const requestedKinds = text.split(',').map((word) => parseKind(word.trim()));
  const fileOnlyKind = requestedKinds.find(({ isFileOnly }) => isFileOnly);
  if (fileOnlyKind) {
    const fetchedNames = kinds.flatMap(({ name, isFileOnly }) => (isFileOnly ? [] : name)).toReversed();
    throw new UsageError(
      say`a sync cannot fetch ${fileOnlyKind.plural}: the service has no list of them`,
      say`kinds that a sync can fetch: ${fetchedNames.join(', ')}; import the others with \`hemicycle import\``,
    );
  }
  return requestedKinds.map(({ name }) => name);
}

/** Plan of a sync: certain, expected and most requests, with minutes; `atLeast`: the certain ones are a lower bound. */
export type Plan = ReturnType<typeof planSync>;

type PlanOptions = Pick<PlanInput, 'scope'> & { rate: number; now?: () => number; isVerifying?: boolean };

/** Returns the plan of a sync (`mirror` is null before the first) or of a verification, which starts without one. */
export function planSync(mirror: PlanInput['mirror'], origin: string, options: PlanOptions) {
  const { scope, rate, now = Date.now, isVerifying = false } = options;
  const input = { mirror: isVerifying ? null : mirror, origin, scope, now };
  const followPlan = planFollow(input);
  const steps = followPlan ? [{ name: 'follow', plan: () => followPlan }] : stagesIn(scope);
  const comparison = isVerifying ? planComparison(mirror, scope) : null;
  const plans = steps.map(({ name, plan }) => plannedStage(name, plan(input)));
  const plannedStages = [...plans, plannedStage('comparison', comparison)].filter((each) => each !== null);
  const sumOf = (count: (stage: PlannedStage) => number) => plannedStages.reduce((sum, stage) => sum + count(stage), 0);
  const requests = sumOf((stage) => stage.requests);
  const expected = sumOf((stage) => stage.expected);
  const most = sumOf((stage) => stage.most ?? stage.expected);
  const isUncertain = most > expected;
  return {
    stages: plannedStages,
    requests,
    atLeast: plannedStages.some(({ atLeast }) => atLeast),
    minutes: Math.floor(Math.max(0, requests - 1) / rate), // full minutes from the first request to the last
    expected,
    expectedMinutes: minutesOf(expected, rate),
    most: isUncertain ? most : null,
    mostMinutes: isUncertain ? minutesOf(most, rate) : null,
    assumed: plannedStages.flatMap((stage) => stage.assumed ?? []),
  };
}

/** Plans the sample of composed profiles (built from stored records) that a verification fetches; null for none. */
function planComparison(mirror: PlanInput['mirror'], { only, full, details }: SyncScope): StagePlan | null {
  if (full || details !== 'changed') return null;
  const names = (['party', 'politician'] as const).filter((name) => only === null || only.includes(name));
  const counts = names.map((name) => {
    const recordCount = mirror ? countRows(mirror, kindOf(name)) : assumedCounts[name];
    if (recordCount <= maxFetchedWithoutSample) return 0;
    return Math.min(significantSampleSize, recordCount - sampleSizes[name]); // at most those that are composed
  });
  const expected = counts.reduce((sum, count) => sum + count, 0);
  return { requests: 0, atLeast: true, expected, most: expected, what: 'random sample of composed profiles' };
}

type PlannedStage = NonNullable<ReturnType<typeof plannedStage>>;

function plannedStage(stage: string, plan: StagePlan | null) {
  if (plan === null) return null;
  const { requests, atLeast, expected = requests, most = atLeast ? null : expected, assumed = null } = plan;
  return { stage, requests, atLeast, what: plan.what, expected, most, assumed };
}

/** Returns the minutes that requests take: none for a first burst of a quarter of the rate, then an even pace. */
const minutesOf = (requests: number, rate: number): number => (requests <= rate / 4 ? 0 : Math.ceil(requests / rate));
