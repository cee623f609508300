import { datasets, type Kind, type KindName, kindOf } from '../model/kinds.ts';
import type { Mirror } from '../store/open.ts';
import { readProgress } from '../store/progress.ts';
import { countRows } from '../store/rows.ts';
import { type BallotReference, isSettled, namedBallots, slugsToFetch } from '../store/to-fetch.ts';

export type StageName = 'datasets' | 'party details' | 'politician details' | 'feed' | 'audit' | 'ballots';

export type SyncScope = {
  /** Kinds to bring up to date; all by default. */
  only: KindName[] | null;
  /** True to ask for everything again. */
  full: boolean;
  details: 'changed' | 'all' | 'none';
  /** Ballots that the user named. */
  ballots: BallotReference[];
};

/** One stage of a plan; `atLeast` where the service alone knows how many requests it takes. */
export type PlannedStage = { stage: StageName; requests: number; atLeast: boolean; what: string };

export type Plan = { stages: PlannedStage[]; requests: number; atLeast: boolean; minutes: number };

/** What a sync would ask, from what the mirror holds now (null: there is none yet); asks nothing. */
export function planSync(
  mirror: Mirror | null,
  origin: string,
  { scope, rate }: { scope: SyncScope; rate: number },
): Plan {
  const stages = [
    datasetStage(scope),
    detailStage(mirror, 'party', scope),
    detailStage(mirror, 'politician', scope),
    feedStage(mirror, origin, scope),
    includes(scope, 'audit')
      ? { stage: 'audit' as const, requests: 1, atLeast: false, what: 'the newest 200 entries' }
      : null,
    ballotStage(mirror, scope),
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

/** The ballots that a scope asks for: named by the user or by records, and not yet settled. */
export function ballotsIn(mirror: Mirror | null, scope: SyncScope): BallotReference[] {
  if (!includes(scope, 'ballot')) return [];
  const named = mirror ? namedBallots(mirror) : [];
  const asked = [...named, ...scope.ballots].map(
    (each) => [`${each.chamber}:${each.scrutinId}`, each] as const,
  );
  // A record may name by its id alone a ballot that is named elsewhere with its chamber.
  const placed = new Set(asked.flatMap(([, each]) => (each.chamber === null ? [] : each.scrutinId)));
  const wanted = [...new Map(asked).values()].filter((each) => each.chamber || !placed.has(each.scrutinId));
  return wanted.filter((each) => scope.full || !mirror || !isSettled(mirror, each));
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
  scope: SyncScope,
): PlannedStage | null {
  if (scope.details === 'none' || !includes(scope, kind)) return null;
  const stage = `${kind} details` as const;
  if (!mirror || countRows(mirror, kindOf(kind)) === 0) {
    return { stage, requests: 0, atLeast: true, what: `one for each ${kind} that the dataset lists` };
  }
  const requests = slugsToFetch(mirror, kind, scope.full || scope.details === 'all').length;
  return {
    stage,
    requests,
    atLeast: false,
    what:
      scope.details === 'all' ? 'all' : 'new or changed since the last time, and what the datasets change',
  };
}

function feedStage(mirror: Mirror | null, origin: string, scope: SyncScope): PlannedStage | null {
  if (!includes(scope, 'content')) return null;
  const known = mirror ? readProgress(mirror, origin, 'feed') : undefined;
  const what =
    known === undefined || scope.full ? 'content, to the end of the feed' : 'content, until known ground';
  return { stage: 'feed', requests: 1, atLeast: true, what };
}

function ballotStage(mirror: Mirror | null, scope: SyncScope): PlannedStage | null {
  if (!includes(scope, 'ballot')) return null;
  const requests = ballotsIn(mirror, scope).length;
  return { stage: 'ballots', requests, atLeast: true, what: 'named by you or by records, not yet held' };
}
