import type { HemicycleError, RequestError } from '../errors.ts';
import type { OmittedField } from '../model/bounds.ts';
import { datasets, type Kind, type KindName } from '../model/kinds.ts';
import type { JsonResponse, QueryParameters, ServiceClient } from '../service/client.ts';
import type { Validator } from '../service/headers.ts';
import type { ReplicaHead } from '../store/following/replica.ts';
import type { Mirror } from '../store/mirror.ts';
import type { MissingTally } from '../store/saving/missing-records.ts';
import { newOutcomes, type Outcomes } from '../store/saving/save.ts';
import { type BallotReference, hasFullDocument } from '../store/syncs/to-fetch.ts';
import { readResponse, saveNotModified } from '../store/syncs/validators.ts';
import { type Phrase, say } from '../words/speech.ts';
import type { ShapeLog } from './shape-log.ts';

/** What a sync updates. */
export type SyncScope = {
  only: KindName[] | null; // null for all kinds
  full: boolean; // ignore validators, saved progress and due dates
  details: 'changed' | 'all' | 'none'; // profiles to fetch
  ballots: BallotReference[]; // ballots that the user requests
};

/** True if a sync of that scope updates the kind. */
export function coversKind(scope: SyncScope, kind: KindName): boolean {
  return scope.only === null || scope.only.includes(kind);
}

/** Returns the kinds of a scope that have a dataset. */
export const datasetKindsIn = (scope: SyncScope): Kind[] => datasets.filter((kind) => coversKind(scope, kind.name));

/** True if the scope updates changed profiles and the mirror has fetched some. */
export function coversStoredProfiles(mirror: Mirror, scope: SyncScope): boolean {
  return scope.details === 'changed' && !scope.full && hasFullDocument(mirror, 'politician');
}

/** What every stage of a sync receives. */
export type SyncContext = {
  mirror: Mirror;
  client: ServiceClient;
  scope: SyncScope;
  now: () => number;
  signal: AbortSignal;
  workFolder: string;
  /** False to read another Hemicycle as an ordinary service; true by default. */
  mayFollow?: boolean;
  /** True if the user declares that the service moved to the client's address. */
  hasMoved?: boolean;
  /** Share of records (0 to 1) that a list may lose; 1 accepts any loss. */
  maxShrink: number;
  /** Kinds whose changes the user accepts, however large. */
  accepted?: readonly KindName[];
  /** Concurrent requests for profiles or ballots; 1 by default. */
  inFlight?: number;
  /** Random numbers for samples; Math.random by default. */
  random?: () => number;
  progress: SyncProgress;
  tally: SyncTally;
  /** Shapes of the responses of this run; absent if they are not recorded. */
  shapeLog?: ShapeLog;
};

/** Unit that a stage counts: `requests` are rate-limited, `records` come many per response. */
export type StageUnit = 'requests' | 'records';

/** Receives progress; `total` is null while unknown, the unit is requests by default. */
export type SyncProgress = {
  stage(name: string, total: number | null, unit?: StageUnit): void;
  advance(done: number, detail: string, total?: number | null): void;
  note(line: Phrase): void;
};

/** Counts of a kind: `unseen` records are stored but not listed; `details` are fetched profiles, `composed` others. */
export type KindTally = Outcomes & { withdrawn: number; unseen: number; details: number; composed: number };

/** Results of a sync so far. */
export type SyncTally = ReturnType<typeof newTally>;

/** Returns a time in milliseconds as ISO 8601. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Returns an empty tally. */
export function newTally() {
  return {
    /** True if a stage found that the service is a Hemicycle to follow; that stage saved nothing. */
    isFollowable: false,
    followed: null as ReplicaHead | null, // head of the replica that this run saved
    kinds: {} as Partial<Record<KindName, KindTally>>,
    gaps: 0, // gaps in the moderation log
    /** Oversize fields omitted from files; the client collects those of responses. */
    excess: [] as OmittedField[],
    errors: [] as { stage: string; error: HemicycleError }[],
    health: {
      answered: 0, // requests with a response
      /** Failures since the last answer. */
      failuresInARow: [] as RequestError[],
      fatalError: null as RequestError | null, // ends the run
    },
  };
}

/** Returns the tally of a kind, created on first use. */
export function tallyOf({ tally }: Pick<SyncContext, 'tally'>, kind: KindName): KindTally {
  tally.kinds[kind] ??= { ...newOutcomes(), withdrawn: 0, unseen: 0, details: 0, composed: 0 };
  return tally.kinds[kind];
}

/** Adds withdrawn records and newly missing ones (`marked`, negative if more returned) to the tally of a kind. */
export function addMissing(context: SyncContext, kind: KindName, { withdrawn, marked }: MissingTally): void {
  const tally = tallyOf(context, kind);
  tally.withdrawn += withdrawn;
  tally.unseen = Math.max(0, tally.unseen + marked);
}

/** Adds a saver's outcomes to the tally of a kind. */
export function addOutcomes(context: SyncContext, kind: KindName, outcomes: Outcomes): void {
  const tally = tallyOf(context, kind);
  for (const outcome of Object.keys(outcomes) as (keyof Outcomes)[]) tally[outcome] += outcomes[outcome];
}

/** Older validators are ignored: some services never change them. */
const maxValidatorAgeMs = 7 * 86_400_000;

/** Returns the saved validator of a URL for a conditional request; null without one, if it is old, or for `full`. */
export function findValidator(context: SyncContext, path: string, query: QueryParameters = {}): Validator | null {
  const answer = readResponse(context.mirror, context.client.address(path, query));
  if (context.scope.full || !answer || (answer.etag === null && answer.lastModified === null)) return null;
  return context.now() - Date.parse(answer.readAt) < maxValidatorAgeMs ? answer : null;
}

/** This long after the stored answer, an older `Last-Modified` is accepted: some services lose the newer copy. */
const maxOlderMs = 3 * 86_400_000;

/** True if an answer is older than the saved one of its URL, by `Age` or `Last-Modified`; reports it as a note. */
export function reportIfStale(
  { mirror, now, progress }: SyncContext,
  { address, url, sentAt, validator }: Pick<JsonResponse, 'address' | 'url' | 'sentAt' | 'validator'>,
): boolean {
  const previous = readResponse(mirror, address);
  const readMs = Date.parse(previous?.readAt ?? '');
  const modifiedMs = (of: Validator | null) => Date.parse(of?.lastModified ?? '');
  const isOlder = modifiedMs(validator) < modifiedMs(previous) && now() - readMs < maxOlderMs;
  // A minute of tolerance: `Age` has whole seconds, and clocks differ.
  const wasSentBefore = Date.parse(sentAt) < readMs - 60_000;
  if (!isOlder && !wasSentBefore) return false;
  progress.note(say`${url}: the answer is older than the stored one; it was ignored`);
  return true;
}

/** Saves that a URL's saved answer is unchanged. */
export function markUnchanged(context: SyncContext, path: string, query: QueryParameters = {}): void {
  const { mirror, client, now } = context;
  saveNotModified(mirror, client.address(path, query), isoTime(now()));
}

/** Typical record counts for a country with two chambers, from which the plan of a first sync is estimated. */
export const assumedCounts = { politician: 3400, party: 140, content: 20_000, ballot: 130 };

/** Formats a count with its noun, in English: `3,400 politicians`. */
export const formatCount = (count: number, noun: string): string => `${count.toLocaleString('en')} ${noun}`;

/** Input of a plan; `mirror` is null before the first sync. */
export type PlanInput = { mirror: Mirror | null; origin: string; scope: SyncScope; now: () => number };

/** Requests of a stage; absent fields are derived by `plannedStage`. */
export type StagePlan = {
  requests: number; // certain requests
  atLeast: boolean; // true if there may be more
  what: string; // describes what is requested
  expected?: number;
  most?: number | null; // null if unknown
  assumed?: string | null; // the assumed count behind `expected`
};

/** A stage of a sync: the kinds that it updates, its plan (null if it does not run), and how to run it. */
export type Stage = {
  name: string;
  kinds: readonly KindName[];
  /** Path of the list that the stage reads; undefined for stages of many URLs. */
  list?: string;
  plan(planning: PlanInput): StagePlan | null;
  run(context: SyncContext): Promise<void>;
};
