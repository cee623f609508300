import { datasets, type Kind, type KindName, kindOf } from '../model/kinds.ts';
import { addressOf } from '../service/client.ts';
import { ballotRequest } from '../service/records.ts';
import type { Mirror } from '../store/mirror.ts';
import { countRows } from '../store/rows.ts';
import {
  absentForMs,
  type BallotReference,
  heldBallots,
  holdsDetails,
  knownBallots,
  namedBallots,
  slugsToFetch,
  splitReference,
} from '../store/to-fetch.ts';
import { knownAnswer } from '../store/validators.ts';
import type { SyncScope } from './context.ts';
import { isWholeWalkDue, readFeedState } from './feed-state.ts';

export type StageName =
  | 'datasets'
  | 'party details'
  | 'updated profiles'
  | 'politician details'
  | 'feed'
  | 'audit'
  | 'ballots';

/** One stage of a plan; `atLeast` where the service alone knows how many requests it takes. */
export type PlannedStage = { stage: StageName; requests: number; atLeast: boolean; what: string };

export type Plan = { stages: PlannedStage[]; requests: number; atLeast: boolean; minutes: number };

/** What a sync would ask, from what the mirror holds now (null: there is none yet); asks nothing. */
export function planSync(
  mirror: Mirror | null,
  origin: string,
  { scope, rate, now = Date.now }: { scope: SyncScope; rate: number; now?: () => number },
): Plan {
  const stages = [
    datasetStage(scope),
    detailStage(mirror, 'party', { scope, now }),
    mirror && hasProfiles(mirror, scope)
      ? {
          stage: 'updated profiles' as const,
          requests: 1,
          atLeast: true,
          what: 'the list by updated_at, until known ground',
        }
      : null,
    detailStage(mirror, 'politician', { scope, now }),
    feedStage(mirror, origin, { scope, now }),
    includes(scope, 'audit')
      ? { stage: 'audit' as const, requests: 1, atLeast: false, what: 'the newest 200 entries' }
      : null,
    ballotStage(mirror, origin, { scope, now }),
  ].filter((stage) => stage !== null);
  const requests = stages.reduce((sum, stage) => sum + stage.requests, 0);
  return {
    stages,
    requests,
    atLeast: stages.some(({ atLeast }) => atLeast),
    minutes: minutesOf(requests, rate),
  };
}

/** How long that many requests take at least, in minutes: the first minute's worth starts at once. */
export function minutesOf(requests: number, rate: number): number {
  return Math.floor(Math.max(0, requests - 1) / rate);
}

/** True if a sync of that scope covers the kind. */
export function includes(scope: SyncScope, kind: KindName): boolean {
  return scope.only === null || scope.only.includes(kind);
}

/** The datasets that a scope covers. */
export function datasetsIn(scope: SyncScope): Kind[] {
  return datasets.filter((kind) => includes(scope, kind.name));
}

/** True if the mirror holds profiles that a sync of that scope has to look after. */
export function hasProfiles(mirror: Mirror, scope: SyncScope): boolean {
  return (
    scope.details === 'changed' &&
    !scope.full &&
    includes(scope, 'politician') &&
    holdsDetails(mirror, 'politician')
  );
}

const dayMs = 86_400_000;

/** How old a ballot is when nobody corrects it any more, by how late corrections of votes are published. */
const settledAfterMs = 14 * dayMs;

/** When a young ballot is asked for again: once a day, by a sync that starts at about the same time each day. */
const youngAgainMs = 20 * 3_600_000;

/**
 * The ballots that a scope asks for: named by the user or by records and not yet settled. A ballot is settled once it
 * was asked for at two weeks of age; until then it is asked for again once a day.
 */
export function ballotsIn(
  mirror: Mirror | null,
  origin: string,
  { scope, now }: { scope: SyncScope; now: () => number },
): BallotReference[] {
  if (!includes(scope, 'ballot')) return [];
  const named = mirror ? [...namedBallots(mirror), ...heldBallots(mirror)] : [];
  const asked = [...named, ...scope.ballots].map(
    (each) => [`${each.chamber}:${each.scrutinId}`, each] as const,
  );
  // A record may name by its id alone a ballot that is named elsewhere with its chamber.
  const placed = new Set(asked.flatMap(([, each]) => (each.chamber === null ? [] : each.scrutinId)));
  const wanted = [...new Map(asked).values()].filter((each) => each.chamber || !placed.has(each.scrutinId));
  if (!mirror || scope.full) return wanted;
  return wanted.filter((each) => !isSettled(mirror, each, { origin, nowMs: now() }));
}

function isSettled(
  mirror: Mirror,
  reference: BallotReference,
  { origin, nowMs }: { origin: string; nowMs: number },
): boolean {
  const known = knownBallots(mirror, reference);
  const held = known.find(({ date }) => date !== null);
  if (!held)
    return known.every(({ absentAt }) => absentAt !== null && nowMs - Date.parse(absentAt) < absentForMs);
  const { chamber, scrutinId } = splitReference(held.key)!;
  const { path, query } = ballotRequest(chamber!, scrutinId);
  const answer = knownAnswer(mirror, addressOf(origin, path, query));
  // A ballot without a date is taken as it is.
  if (!held.date) return true;
  const askedMs = Date.parse(answer?.askedAt ?? held.seenAt!);
  // One that came by other means, or from another service, is asked for at once if it is young.
  const isRecent = answer !== null && nowMs - askedMs < youngAgainMs;
  return isRecent || askedMs - Date.parse(held.date) >= settledAfterMs;
}

function datasetStage(scope: SyncScope): PlannedStage | null {
  const kinds = datasetsIn(scope);
  if (kinds.length === 0) return null;
  return {
    stage: 'datasets',
    requests: kinds.length,
    atLeast: false,
    what: kinds.map(({ plural }) => plural).join(', '),
  };
}

function detailStage(
  mirror: Mirror | null,
  kind: 'party' | 'politician',
  { scope, now }: { scope: SyncScope; now: () => number },
): PlannedStage | null {
  if (scope.details === 'none' || !includes(scope, kind)) return null;
  const stage = `${kind} details` as const;
  if (!mirror || countRows(mirror, kindOf(kind)) === 0) {
    return { stage, requests: 0, atLeast: true, what: `one for each ${kind} that the dataset lists` };
  }
  const requests = slugsToFetch(mirror, kind, {
    all: scope.full || scope.details === 'all',
    nowMs: now(),
  }).length;
  return {
    stage,
    requests,
    atLeast: false,
    what:
      scope.details === 'all' ? 'all' : 'new or changed since the last time, and what the datasets change',
  };
}

function feedStage(
  mirror: Mirror | null,
  origin: string,
  { scope, now }: { scope: SyncScope; now: () => number },
): PlannedStage | null {
  if (!includes(scope, 'content')) return null;
  const known = mirror ? readFeedState(mirror, origin) : undefined;
  const isWhole = scope.full || isWholeWalkDue(known, now());
  const what = isWhole ? 'content, to the end of the feed' : 'content, until known ground';
  return { stage: 'feed', requests: 1, atLeast: true, what };
}

function ballotStage(
  mirror: Mirror | null,
  origin: string,
  { scope, now }: { scope: SyncScope; now: () => number },
): PlannedStage | null {
  if (!includes(scope, 'ballot')) return null;
  const requests = ballotsIn(mirror, origin, { scope, now }).length;
  return {
    stage: 'ballots',
    requests,
    atLeast: true,
    what: 'named by you or by records, not yet held or settled',
  };
}
