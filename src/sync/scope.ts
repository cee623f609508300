import { datasets, type Kind, type KindName } from '../model/kinds.ts';
import { dayMs } from '../model/moment.ts';
import { requestUrl } from '../service/client.ts';
import { ballotRequest } from '../service/records.ts';
import type { Mirror } from '../store/mirror.ts';
import {
  absentForMs,
  type BallotReference,
  type BallotState,
  ballotStates,
  holdsDetail,
  parseReference,
  referencedBallots,
  storedBallots,
} from '../store/syncs/to-fetch.ts';
import { answerRow } from '../store/syncs/validators.ts';
import type { SyncScope } from './context.ts';

/** True if a sync of that scope covers the kind. */
export function coversKind(scope: SyncScope, kind: KindName): boolean {
  return scope.only === null || scope.only.includes(kind);
}

/** Returns the datasets that a scope covers. */
export const datasetsIn = (scope: SyncScope): Kind[] => datasets.filter((kind) => coversKind(scope, kind.name));

/** True if the scope covers profiles that the mirror holds. */
export function coversStoredProfiles(mirror: Mirror, scope: SyncScope): boolean {
  return scope.details === 'changed' && !scope.full && holdsDetail(mirror, 'politician');
}

/** Age after which votes are no longer corrected. */
const settledAfterMs = 14 * dayMs;

/** Interval of daily updates, with slack for a sync that starts a little earlier each day. */
const youngIntervalMs = 20 * 3_600_000;

/** Returns ballots to fetch, named by the user or by records: daily until fetched at two weeks of age, then settled. */
export function ballotsToFetch(
  mirror: Mirror | null,
  origin: string,
  { scope, now }: { scope: SyncScope; now: () => number },
): BallotReference[] {
  const mirrorReferences = mirror ? [...referencedBallots(mirror), ...storedBallots(mirror)] : [];
  const keyedReferences = [...mirrorReferences, ...scope.ballots].map(
    (each) => [`${each.chamber}:${each.scrutinId}`, each] as const,
  );
  // Drop references without a chamber if another one states it.
  const placed = new Set(keyedReferences.flatMap(([, each]) => (each.chamber === null ? [] : each.scrutinId)));
  const wanted = [...new Map(keyedReferences).values()].filter((each) => each.chamber || !placed.has(each.scrutinId));
  if (!mirror || scope.full) return wanted;
  const nowMs = now();
  const ages = new Map(wanted.map((each) => [each, settledAgeMs(mirror, each, { origin, nowMs })]));
  const requestsToday = [...ages.values()].filter((ms) => ms !== null && ms > 0 && ms < youngIntervalMs).length;
  const dueBallots = wanted
    .filter((each) => (ages.get(each) ?? 0) >= 7 * dayMs)
    .sort((one, other) => ages.get(other)! - ages.get(one)!)
    .slice(0, Math.max(0, settledPerDay - requestsToday));
  const dueSet = new Set(dueBallots);
  return wanted.filter((each) => ages.get(each) === null || dueSet.has(each));
}

/** Settled ballots requested again each day, about a hundred a week: their votes may have been corrected. */
const settledPerDay = 15;

/** Milliseconds since a settled ballot was requested; 0 if it is never requested again, null if it is not settled. */
function settledAgeMs(
  mirror: Mirror,
  reference: BallotReference,
  { origin, nowMs }: { origin: string; nowMs: number },
): number | null {
  const candidates = ballotStates(mirror, reference);
  const datedBallot = candidates.find(({ date }) => date !== null);
  if (!datedBallot) {
    const isAbsent = ({ absentAt }: BallotState) => absentAt !== null && nowMs - Date.parse(absentAt) < absentForMs;
    return candidates.every(isAbsent) ? 0 : null;
  }
  // Ballots without a date count as settled.
  if (!datedBallot.date) return 0;
  const { chamber, scrutinId } = parseReference(datedBallot.key)!;
  const { path, query } = ballotRequest(chamber!, scrutinId);
  const answer = answerRow(mirror, requestUrl(origin, path, query));
  const requestedAtMs = Date.parse(answer?.requestedAt ?? datedBallot.seenAt!);
  // Imported ballots have no saved answer: young ones are fetched at once.
  const isRecent = answer !== null && nowMs - requestedAtMs < youngIntervalMs;
  return isRecent || requestedAtMs - Date.parse(datedBallot.date) >= settledAfterMs ? nowMs - requestedAtMs : null;
}
