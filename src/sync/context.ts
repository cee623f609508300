import type { HemicycleError, RequestError } from '../errors.ts';
import type { OmittedField } from '../model/bounds.ts';
import type { Kind, KindName } from '../model/kinds.ts';
import type { QueryParameters, ServiceClient } from '../service/client.ts';
import type { Validator } from '../service/headers.ts';
import type { ReplicaHead } from '../store/following/replica.ts';
import { kindState, saveKindState } from '../store/kind-state.ts';
import type { Mirror } from '../store/mirror.ts';
import type { Outcomes } from '../store/saving/save.ts';
import type { Missed } from '../store/saving/unseen.ts';
import type { BallotReference } from '../store/syncs/to-fetch.ts';
import { type KnownAnswer, knownAnswer, noteUnchanged } from '../store/syncs/validators.ts';
import { atOnce } from '../store/transaction.ts';
import { say, type UserText } from '../words/speech.ts';
import type { ShapeLog } from './shape-log.ts';

/** What a sync is to bring up to date. */
export type SyncScope = {
  /** Kinds to bring up to date; all by default. */
  only: KindName[] | null;
  /** True to ask for everything again. */
  full: boolean;
  details: 'changed' | 'all' | 'none';
  /** Ballots that the user named. */
  ballots: BallotReference[];
};

/** What every stage of a sync is given. */
export type SyncContext = {
  mirror: Mirror;
  client: ServiceClient;
  scope: SyncScope;
  now: () => number;
  signal: AbortSignal;
  /** A folder of our own for files on their way in. */
  workFolder: string;
  /** False where another Hemicycle is to be read as any service; true where it is not stated. */
  mayFollow?: boolean;
  /** True where the service of the mirror is said to have moved to the client's address. */
  hasMoved?: boolean;
  /** Share of rows (0 to 1) that a dataset may lose before it is refused. */
  maxShrink: number;
  /** So many profiles or ballots are on their way at once; one where it is not given. */
  inFlight?: number;
  /** Chance, 0 to 1, for samples; that of this machine where it is not given. */
  random?: () => number;
  progress: SyncProgress;
  tally: SyncTally;
  /** What the answers look like is noted here where it is given. */
  watch?: ShapeLog;
};

/** What a stage counts: `requests`, which the rate limit paces, or `records`, many to an answer. */
export type StageUnit = 'requests' | 'records';

/** Told how a sync goes on; `total` is null where nobody knows it yet, and counts requests where no `unit` is said. */
export type SyncProgress = {
  stage(name: string, total: number | null, unit?: StageUnit): void;
  advance(done: number, detail: string): void;
  note(line: UserText): void;
};

/**
 * `unseen` were held and not listed this time, which alone withdraws nothing (store/saving/unseen.ts); `details` were fetched,
 * `composed` are told from the datasets instead.
 */
export type KindTally = Outcomes & { withdrawn: number; unseen: number; details: number; composed: number };

/** What a sync did so far. */
export type SyncTally = {
  /** True once a stage met another Hemicycle, from which everything can be had at once; it saved nothing then. */
  isFollowable?: boolean;
  /** What the mirror that was followed said of itself; null where none was. */
  followed?: ReplicaHead | null;
  kinds: Partial<Record<KindName, KindTally>>;
  gaps: number;
  /** The fields of moderation entries that were left out because they may identify a person, and of how many. */
  leftOut?: Map<string, number>;
  /** The fields that records of files were taken without; those of answers are counted by the client. */
  excess: OmittedField[];
  errors: { stage: string; error: HemicycleError }[];
  health: RunHealth;
};

/** How the addresses of a run fared, and what that means. */
export type RunHealth = {
  /** How many were answered. */
  answered: number;
  /** Those that failed since the last one that was answered; `isKnown` where they had failed in an earlier run. */
  inARow: { url: string; isKnown: boolean; error: RequestError }[];
  /** Stages in a row of which nothing was answered. */
  refusedStages: number;
  /** What several different addresses in a row were refused for. */
  refusal: RequestError | null;
  /** What the run has to end for. */
  ending: RequestError | null;
};

/** The tally of a run that has asked nothing yet. */
export function newTally(): SyncTally {
  return {
    kinds: {},
    gaps: 0,
    excess: [],
    errors: [],
    health: { answered: 0, inARow: [], refusedStages: 0, refusal: null, ending: null },
  };
}

/** The tally of a kind, made on first use. */
export function tallyOf(context: SyncContext, kind: KindName): KindTally {
  context.tally.kinds[kind] ??= {
    added: 0,
    edited: 0,
    returned: 0,
    touched: 0,
    same: 0,
    withdrawn: 0,
    unseen: 0,
    details: 0,
    composed: 0,
  };
  return context.tally.kinds[kind];
}

/** Adds what became of records that were not listed to the tally of a kind. */
export function addMissed(context: SyncContext, kind: KindName, { withdrawn, unseen }: Missed): void {
  const tally = tallyOf(context, kind);
  tally.withdrawn += withdrawn;
  tally.unseen += unseen;
}

/** Adds what a saver did to the tally of a kind. */
export function addOutcomes(context: SyncContext, kind: KindName, outcomes: Outcomes): void {
  const tally = tallyOf(context, kind);
  for (const outcome of Object.keys(outcomes) as (keyof Outcomes)[]) tally[outcome] += outcomes[outcome];
}

/** Adds the fields that were left out of moderation entries to the tally, and says each once. */
export function noteLeftOut({ tally, progress }: SyncContext, leftOut: ReadonlyMap<string, number>): void {
  tally.leftOut ??= new Map();
  for (const [field, entries] of leftOut) {
    const before = tally.leftOut.get(field) ?? 0;
    if (before === 0) progress.note(say`audit: left out, for it may identify a person: ${field}`);
    tally.leftOut.set(field, before + entries);
  }
}

/** A body is asked for again after that time even if its validators never move: some never do. */
const maxValidatorAgeMs = 7 * 86_400_000;

/**
 * Notes that a stage brought all of a kind up to date, unless one of its answers was passed over: `errors` is how many
 * the run had noted when the stage began.
 */
export function markKindCurrent(
  { mirror, client, now, tally }: SyncContext,
  kind: Kind,
  errors: number,
): void {
  if (tally.errors.length > errors) return;
  const retrievedAt = new Date(now()).toISOString();
  atOnce(mirror, () => {
    const origin = kindState(mirror, kind).origin ?? client.baseUrl;
    saveKindState(mirror, kind, { origin, retrievedAt });
  });
}

type ConditionalContext = Pick<SyncContext, 'mirror' | 'client' | 'now'> & {
  scope: Pick<SyncContext['scope'], 'full'>;
};

/** The validator to ask an address with, or null where its body has to come whole. */
export function validatorFor(
  context: ConditionalContext,
  path: string,
  query: QueryParameters = {},
): Validator | null {
  const known = knownAnswer(context.mirror, context.client.address(path, query));
  if (context.scope.full || !known || (known.etag === null && known.lastModified === null)) return null;
  return isRecentlyRead(known, context.now()) ? known : null;
}

function isRecentlyRead({ readAt }: KnownAnswer, nowMs: number): boolean {
  return nowMs - Date.parse(readAt) < maxValidatorAgeMs;
}

/** Notes that an address was asked and its answer has not changed. */
export function markUnchanged(context: ConditionalContext, path: string, query: QueryParameters = {}): void {
  const { mirror, client, now } = context;
  noteUnchanged(mirror, client.address(path, query), new Date(now()).toISOString());
}

/** What a plan is made from: the mirror as it is (null where there is none yet), and the service's address. */
export type Planning = { mirror: Mirror | null; origin: string; scope: SyncScope; now: () => number };

/**
 * What a stage would ask. `requests` are sure, and `atLeast` where the service alone knows how many it takes; so many are
 * `expected`, and `most` where what is expected turns out otherwise (null where nobody knows). `assumed` says in words what
 * that rests on where the mirror does not hold it yet.
 */
export type PlannedStage = {
  stage: string;
  requests: number;
  atLeast: boolean;
  what: string;
  expected: number;
  most: number | null;
  assumed: string | null;
};

/** The same as a stage states it: nothing but what is sure is expected where it does not say so. */
export type StagePlan = Pick<PlannedStage, 'requests' | 'atLeast' | 'what'> &
  Partial<Pick<PlannedStage, 'expected' | 'most' | 'assumed'>>;

/** One stage of a sync: the kinds that it brings, what it would ask (null for nothing), and how it is run. */
export type Stage = {
  name: string;
  kinds: readonly KindName[];
  /** The path of the list that it reads; not given where it asks for several things of their own. */
  list?: string;
  plan(planning: Planning): StagePlan | null;
  run(context: SyncContext): Promise<void>;
};
