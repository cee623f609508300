import { UsageError } from '../errors.ts';
import { type Chamber, chamberOf, chambers } from '../model/ballot.ts';
import { partsOfList } from '../model/document.ts';
import { kindOf } from '../model/kinds.ts';
import { dayMs } from '../model/moment.ts';
import { requestUrl } from '../service/client.ts';
import { ballotRequest, getBallot } from '../service/records.ts';
import { kindState } from '../store/kind-state.ts';
import type { Mirror } from '../store/mirror.ts';
import { saveRecord } from '../store/saving/save.ts';
import {
  absentRetryMs,
  type BallotReference,
  type BallotState,
  ballotStates,
  markAbsent,
  parseReference,
  referencedBallots,
  storedDatedBallots,
} from '../store/syncs/to-fetch.ts';
import { readResponse, saveResponse } from '../store/syncs/validators.ts';
import { transaction } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import {
  assumedCounts,
  datasetKindsIn,
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
import { createShapeCheck, type ShapeCheck } from './quarantine.ts';
import { requestEach, requestsFor } from './request-each.ts';

/** The stage that fetches ballots that records or the user name; the service has no list of ballots. */
export const ballotStage: Stage = {
  name: 'ballots',
  kinds: ['ballot'],
  plan(input) {
    const { mirror, scope, now } = input;
    const requests = requestsFor(mirror, stageItems(input), now());
    // Datasets that were never fetched may name further ballots.
    const areDatasetsFetched = datasetKindsIn(scope).every(
      (kind) => mirror && kindState(mirror, kind).enumeratedAt !== null,
    );
    return {
      requests,
      atLeast: true,
      what: 'named by you or by records, not stored yet or not final',
      expected: areDatasetsFetched ? requests : requests + assumedCounts.ballot,
      assumed: areDatasetsFetched ? null : formatCount(assumedCounts.ballot, 'ballots named'),
    };
  },
  run: syncBallots,
};

/** Once requested this long after its vote, a ballot is settled: `settledPerDay` limits its further requests. */
const settledAfterMs = 14 * dayMs;

/** Minimum interval between requests of a ballot; below a day, for daily syncs that start a little earlier. */
const minIntervalMs = 20 * 3_600_000;

/** Returns the ballots due: unsettled ones daily, and up to `settledPerDay` settled ones, requested longest ago. */
function ballotsToFetch({ mirror, origin, scope, now }: PlanInput): BallotReference[] {
  const mirrorReferences = mirror ? [...referencedBallots(mirror), ...storedDatedBallots(mirror)] : [];
  const byKey = new Map([...mirrorReferences, ...scope.ballots].map((each) => [keyOfReference(each), each]));
  // Drop references without a chamber if another reference to that ballot has one.
  const idsWithChamber = new Set(byKey.values().flatMap((each) => (each.chamber === null ? [] : [each.scrutinId])));
  const references = [...byKey.values()].filter((each) => each.chamber || !idsWithChamber.has(each.scrutinId));
  if (!mirror || scope.full) return references;
  const nowMs = now();
  const states = new Map(references.map((each) => [each, requestStateOf(mirror, each, { origin, nowMs })]));
  const requestsToday = [...states.values()].filter(({ ageMs }) => ageMs > 0 && ageMs < minIntervalMs).length;
  const dueSettled = references
    .filter((each) => states.get(each)!.ageMs >= 7 * dayMs) // only settled ballots reach this age
    .sort((one, other) => states.get(other)!.ageMs - states.get(one)!.ageMs)
    .slice(0, Math.max(0, settledPerDay - requestsToday));
  return references.filter((each) => states.get(each)!.isDue || dueSettled.includes(each));
}

const keyOfReference = ({ chamber, scrutinId }: BallotReference) => `${chamber}:${scrutinId}`;

/** Number of settled ballots requested again each day, about a hundred a week, to detect late corrections. */
const settledPerDay = 15;

/** Whether to request a ballot now; if it was just requested or is settled, `ageMs` since its last request, else 0. */
function requestStateOf(
  mirror: Mirror,
  reference: BallotReference,
  { origin, nowMs }: { origin: string; nowMs: number },
): { isDue: boolean; ageMs: number } {
  const candidates = ballotStates(mirror, reference);
  const storedBallot = candidates.find(({ date }) => date !== null); // '' if undated, null if not stored
  if (!storedBallot) {
    const isAbsent = ({ absentAt }: BallotState) => absentAt !== null && nowMs - Date.parse(absentAt) < absentRetryMs;
    return { isDue: !candidates.every(isAbsent), ageMs: 0 };
  }
  // An undated stored ballot is never requested again.
  if (!storedBallot.date) return { isDue: false, ageMs: 0 };
  const { chamber, scrutinId } = parseReference(storedBallot.key)!;
  const { path, query } = ballotRequest(chamber!, scrutinId);
  const answer = readResponse(mirror, requestUrl(origin, path, query));
  const requestedAtMs = Date.parse(answer?.requestedAt ?? storedBallot.seenAt!);
  // Imported ballots have no saved answer: they are fetched at once, unless two weeks passed between vote and import.
  const isRecent = answer !== null && nowMs - requestedAtMs < minIntervalMs;
  const isSettled = requestedAtMs - Date.parse(storedBallot.date) >= settledAfterMs;
  return isRecent || isSettled ? { isDue: false, ageMs: nowMs - requestedAtMs } : { isDue: true, ageMs: 0 };
}

async function syncBallots(context: SyncContext): Promise<void> {
  const kind = kindOf('ballot');
  const items = stageItems({ ...context, origin: context.client.baseUrl });
  const url = `${context.client.baseUrl}/votes/{id}`;
  const shapeCheckOf = (chamber: Chamber) =>
    createShapeCheck(context, kind, { subject: `/votes/{id} ${chamber}`, url: `${url}?chamber=${chamber}` });
  const shapeChecks = new Map(chambers.map((chamber) => [chamber, shapeCheckOf(chamber)]));
  await requestEach(context, items, async (reference, itemContext) => {
    const isFound = await fetchBallot(itemContext, reference, shapeChecks);
    if (!isFound) context.progress.note(say`ballot ${reference.scrutinId}: not found at the service`);
    return 'answered';
  }).finally(() => {
    for (const shapeCheck of shapeChecks.values()) shapeCheck.save();
  });
  for (const shapeCheck of shapeChecks.values()) shapeCheck.end();
}

/** Returns the ballots due as items of the stage; a ballot without a chamber has the URL of the first chamber. */
function stageItems(input: PlanInput) {
  const { origin, scope } = input;
  const requestedKeys = new Set(scope.ballots.map(keyOfReference));
  return {
    stage: 'ballots',
    items: ballotsToFetch(input),
    name: ({ scrutinId }: BallotReference) => scrutinId,
    address({ chamber, scrutinId }: BallotReference) {
      const { path, query } = ballotRequest(chamber ?? chambers[0]!, scrutinId);
      return requestUrl(origin, path, query);
    },
    isWanted: (each: BallotReference) => scope.full || requestedKeys.has(keyOfReference(each)),
  };
}

/** Fetches and saves a ballot, trying both chambers if none is given; ignores stale answers. False if absent. */
async function fetchBallot(
  context: SyncContext,
  { chamber, scrutinId }: BallotReference,
  shapeChecks: ReadonlyMap<Chamber, ShapeCheck>,
): Promise<boolean> {
  const { mirror, client, now } = context;
  for (const each of chamber ? [chamber] : chambers) {
    const at = isoTime(now());
    const result = await getBallot(client, { chamber: each, scrutinId }, (path, query) =>
      findValidator(context, path, query),
    );
    if (result.state === 'received' && !reportIfStale(context, result.answer)) {
      shapeChecks.get(each)!.addAnswer(() => {
        const outcome = transaction(mirror, () => {
          saveResponse(mirror, result.answer);
          return saveRecord(mirror, kindOf('ballot'), result.document, { at: result.answer.at });
        });
        tallyOf(context, 'ballot')[outcome] += 1;
      });
      return true;
    }
    if (result.state !== 'absent') {
      const { path, query } = ballotRequest(each, scrutinId);
      transaction(mirror, () => markUnchanged(context, path, query));
      tallyOf(context, 'ballot').same += 1;
      return true;
    }
    const { status } = result;
    transaction(mirror, () => markAbsent(mirror, { kind: 'ballot', key: `${each}:${scrutinId}` }, { status, at }));
  }
  return false;
}

const maxPerRange = 10_000; // ballots in one range

/** Matches `V1..V50`, where the second prefix may be missing, or `1-50`. */
const rangePattern = /^(?<prefix>.*?)(?<from>\d+)\.\.(?<lastPrefix>.*?)(?<to>\d+)$|^(?<first>\d+)-(?<last>\d+)$/;

/** Parses a list such as `AN:1-50,Senat:2025-300,AN:V1..V50`, where `Senat:2025-300` is one id; throws a UsageError. */
export const parseBallotRanges = (text: string): BallotReference[] => partsOfList(text).flatMap(readRange);

function readRange(part: string): BallotReference[] {
  const [, chamberName, range = ''] = /^([^:]*):(.*)$/s.exec(part) ?? [];
  const chamber = chamberOf(chamberName);
  if (!chamber) throw new UsageError(say`"${part}" is not a chamber`, say`write AN:1-50 or Senat:2025-300`);
  if (range === '') throw new UsageError(say`"${part}" is not a ballot`, say`write AN:1-50 or Senat:2025-300`);
  const { prefix = '', lastPrefix = '', first, last, from = first, to = last } = rangePattern.exec(range)?.groups ?? {};
  if (lastPrefix !== '' && lastPrefix !== prefix)
    throw new UsageError(say`the two ends of "${range}" have different prefixes`);
  // An id of the Sénat is session and number.
  const isSession = chamber === 'Senat' && /^(19|20)\d\d$/.test(first ?? '');
  if (from === undefined || isSession || Number(first) > Number(last)) return [{ chamber, scrutinId: range }];
  const length = Number(to) - Number(from) + 1;
  if (length < 1 || length > maxPerRange)
    throw new UsageError(say`"${part}" is not a range of at most ${maxPerRange} ballots`);
  return Array.from({ length }, (_, index) => ({ chamber, scrutinId: `${prefix}${Number(from) + index}` }));
}
