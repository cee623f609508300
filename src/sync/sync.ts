import { rmSync } from 'node:fs';
import { ClockError, exitCodes, HemicycleError } from '../errors.ts';
import type { DeclaredCitation } from '../model/attribution.ts';
import { kindOf, kinds } from '../model/kinds.ts';
import { newRequestTally, type RequestTally } from '../service/options.ts';
import { withheldFields } from '../store/anonymous-log.ts';
import { createFolder } from '../store/folder.ts';
import { kindState, saveKindState } from '../store/kind-state.ts';
import { type Mirror, readMeta, saveMeta } from '../store/mirror.ts';
import { asMirrorError } from '../store/mirror-errors.ts';
import { saveCitedService, saveCitedSource } from '../store/records/contents.ts';
import { saveContradictionCount } from '../store/records/contradictions.ts';
import { refreshIndexes } from '../store/saving/indexes.ts';
import { listMissing } from '../store/saving/missing-records.ts';
import { unconfirmedSlugReuses } from '../store/saving/reused-slugs.ts';
import { partialKinds } from '../store/syncs/completeness.ts';
import { type Failure, listFailures, listQuarantines } from '../store/syncs/failures.ts';
import { readReplication } from '../store/syncs/following.ts';
import { beginRun, deleteRun, endRun } from '../store/syncs/runs.ts';
import { deleteServiceState, moveService, refuseOtherService } from '../store/syncs/service.ts';
import { type Drift, listDrifts } from '../store/syncs/shapes.ts';
import { transaction } from '../store/transaction.ts';
import { refreshIndex, setIndexMerging } from '../store/word-index/search-index.ts';
import { amount, instant, say } from '../words/speech.ts';
import { isoTime, newTally, type Stage, type SyncContext } from './context.ts';
import {
  errorOfRun,
  limitAttempts,
  moveRateLimitedLast,
  recordAnswer,
  recordOrThrow,
  saveResponsivenessOf,
} from './failures.ts';
import { followMirror } from './follow.ts';
import { compositionsOf } from './profile-composition.ts';
import { recordShapes, type ShapeLog, saveShapes } from './shape-log.ts';
import { stagesIn } from './stages.ts';

/** Report of one sync, as saved and printed; times in ISO 8601, durations in seconds. */
export type SyncReport = ReturnType<typeof reportOf>;

/**
 * Updates the mirror; returns the report and the error that ended or impaired the run, else null. Saved data stays,
 * and the next run resumes. A failed URL affects only its data. Throws a ConfigurationError for another service.
 */
export async function runSync(baseContext: SyncContext, citation: DeclaredCitation | null) {
  const shapeLog: ShapeLog = new Map();
  const context = { ...baseContext, client: recordShapes(baseContext.client, shapeLog), shapeLog };
  const { mirror, client, now } = context;
  const startedMs = now();
  const run = transaction(mirror, () => {
    if (context.hasMoved) moveService(mirror, client.baseUrl);
    refuseOtherService(mirror, client.baseUrl);
    refreshIndex(mirror);
    if (readMeta(mirror, 'base_url') !== client.baseUrl) deleteServiceState(mirror);
    saveMeta(mirror, 'base_url', client.baseUrl);
    return beginRun(mirror, client.baseUrl, isoTime(startedMs));
  });
  // Fewer index merges during the run; the write-ahead log stays within megabytes.
  mirror.database.pragma('wal_autocheckpoint = 500');
  setIndexMerging(mirror, 16, 8);
  const fatalError = await runStages(context);
  const runFailure = fatalError ?? errorOfRun(context.tally);
  const report = reportOf(context, { startedMs, exit: exitCodeOf(runFailure), fatalError });
  if (fatalError instanceof ClockError) {
    // The times of the run are wrong, and it saved only its first answers.
    transaction(mirror, () => deleteRun(mirror, run));
    return { report, error: fatalError };
  }
  try {
    saveResponsivenessOf(context, runFailure, report.ended_at);
    finishRun(context, { run, report, citation });
    return { report, error: runFailure };
  } catch (error) {
    // A full disk cannot store the report either; the caller still gets it.
    const saveError = asMirrorError(mirror.path, error);
    return { report: { ...report, exit: exitCodeOf(runFailure ?? saveError) }, error: runFailure ?? saveError };
  }
}

/** Returns the report of a sync that failed before its first request. */
export function reportWithoutRequests(
  error: unknown,
  { origin, startedMs, endedMs }: { origin: string | null; startedMs: number; endedMs: number },
): SyncReport {
  const client = { baseUrl: origin, tally: newRequestTally() };
  const context = { mirror: null, client, tally: newTally(), now: () => endedMs };
  return reportOf(context, { startedMs, exit: exitCodeOf(error), fatalError: error });
}

/** Runs the stages; returns the error that ended the run, or null. */
async function runStages(context: SyncContext): Promise<unknown> {
  const { workFolder, signal } = context;
  using _ = { [Symbol.dispose]: () => rmSync(workFolder, { recursive: true, force: true }) };
  try {
    // Leftovers of a killed run were never applied.
    rmSync(workFolder, { recursive: true, force: true });
    createFolder(workFolder);
    if (readReplication(context.mirror, context.client.baseUrl) && (await runFollow(context))) return null;
    await runStagesInOrder(context);
    if (!context.tally.followed) reportMissing(context);
    return null;
  } catch (error) {
    return signal.aborted ? signal.reason : asMirrorError(context.mirror.path, error);
  }
}

/** Notes which slugs may be another person's, how many records are missing from lists, and since when. */
function reportMissing({ mirror, progress }: SyncContext): void {
  const slugs = unconfirmedSlugReuses(mirror);
  if (slugs.length > 0)
    progress.note(
      say`another person may have these slugs now: ${slugs.slice(0, 10).join(', ')} (${slugs.length}); the stored records stay current until a second day confirms it`,
    );
  const missing = listMissing(mirror, kinds);
  const [since] = missing.map((each) => each.since).sort();
  if (since === undefined) return;
  progress.note(
    say`${amount(missing.length, 'record')} missing since ${instant(since)}, current until two days prove the withdrawal (\`status\` counts them)`,
  );
}

/** Saves the report, the cited source, the indexes and the observed shapes, and notes contradictions. */
function finishRun(
  { mirror, scope, client, tally, shapeLog, accepted, progress }: SyncContext,
  { run, report, citation }: { run: number; report: SyncReport; citation: DeclaredCitation | null },
): void {
  // Cite a service only if it answered: the address may be mistyped.
  const hasAnswered = Object.keys(report.requests_by_status).some((status) => /^[23]/.test(status));
  transaction(mirror, () => {
    if (tally.followed) saveCitedSource(mirror, tally.followed.source, citation);
    else if (hasAnswered) saveCitedService(mirror, client.baseUrl, citation);
    refreshIndexes(mirror);
    const contradictionNote = saveContradictionCount(mirror);
    if (contradictionNote) progress.note(contradictionNote);
    setIndexMerging(mirror, 4);
    if (shapeLog) saveShapes(mirror, shapeLog, { at: report.ended_at, accepted });
    report.drift = listDrifts(mirror);
    // A partial run does not change the age of the mirror.
    if (report.exit === 0 && scope.only === null && !tally.followed) saveMeta(mirror, 'synced_at', report.ended_at);
    endRun(mirror, run, { at: report.ended_at, exit: report.exit, report: JSON.stringify(report) });
  });
  mirror.database.pragma('wal_checkpoint(TRUNCATE)');
}

/** Runs all stages, or follows the service if a stage finds a Hemicycle; throws the error that ends the run. */
async function runStagesInOrder(context: SyncContext): Promise<void> {
  const { mirror, tally, scope } = context;
  const isFailureOf = ({ name }: Stage, { stage }: Failure) => stage.split(':')[0] === name;
  for (const stage of moveRateLimitedLast(mirror, stagesIn(scope), isFailureOf)) {
    const errorsBefore = tally.errors.length;
    await runStage(context, stage);
    if (tally.errors.length === errorsBefore) markListsCurrent(context, stage);
    if (tally.health.fatalError) throw tally.health.fatalError;
    if (!tally.isFollowable) continue;
    // The stage met another Hemicycle: follow it, or begin again as with an ordinary service.
    tally.isFollowable = false;
    if (await runFollow(context)) return;
    return runStagesInOrder({ ...context, mayFollow: false });
  }
}

/** Saves that the kinds of a stage without errors were retrieved now; a dataset stage saves it per dataset. */
function markListsCurrent({ mirror, client, now }: SyncContext, stage: Stage): void {
  for (const kind of stage.kinds.map(kindOf).filter(({ dataset }) => !dataset))
    transaction(mirror, () => {
      const origin = kindState(mirror, kind).origin ?? client.baseUrl;
      saveKindState(mirror, kind, { origin, retrievedAt: isoTime(now()) });
    });
}

/** Follows another Hemicycle; false if it must be read as an ordinary service, true otherwise, even after a failure. */
async function runFollow(context: SyncContext): Promise<boolean> {
  return (await runStage(context, { name: 'follow', list: '/mirror', run: () => followMirror(context) })) ?? true;
}

/** Runs a stage and returns its result; undefined if its URL failed, which is recorded. Throws other errors. */
async function runStage<Result>(
  context: SyncContext,
  { name, list, run }: Pick<Stage, 'name' | 'list'> & { run(context: SyncContext): Promise<Result> },
): Promise<Result | undefined> {
  const { client, signal } = context;
  const url = list === undefined ? null : client.address(list);
  try {
    signal.throwIfAborted();
    const requests = client.tally.requests;
    const result = await run({ ...context, client: url === null ? client : limitAttempts(context) });
    if (url !== null && client.tally.requests > requests) recordAnswer(context, url);
    return result;
  } catch (error) {
    recordOrThrow(context, { stage: name, url }, error);
    return undefined;
  }
}

const seconds = (ms: number) => Math.round(ms / 100) / 10;

function exitCodeOf(error: unknown): number {
  if (error === null) return exitCodes.ok;
  return error instanceof HemicycleError ? error.exit : exitCodes.unexpected;
}

type ReportContext = Pick<SyncContext, 'tally' | 'now'> & {
  mirror: Mirror | null;
  client: { baseUrl: string | null; tally: RequestTally };
};

function reportOf(
  { mirror, client, tally, now }: ReportContext,
  { startedMs, exit, fatalError }: { startedMs: number; exit: number; fatalError: unknown },
) {
  const errors = tally.errors.map(({ stage, error: { code, message } }) => ({ stage, code, message }));
  const code = fatalError instanceof HemicycleError ? fatalError.code : 'UNEXPECTED';
  if (fatalError) errors.push({ stage: 'run', code, message: String((fatalError as Error).message) });
  const endedMs = now();
  return {
    origin: client.baseUrl,
    started_at: isoTime(startedMs),
    ended_at: isoTime(endedMs),
    duration_s: seconds(endedMs - startedMs),
    waited_s: seconds(client.tally.waitedMs),
    requests: client.tally.requests,
    requests_by_status: client.tally.byStatus,
    bytes: client.tally.bytes,
    records: tally.kinds,
    gaps: tally.gaps,
    /** The first hundred fields omitted because they are nested too deep or too long. */
    excess: [...client.tally.excess, ...tally.excess].slice(0, 100),
    /** Fields omitted from moderation entries because they may identify a person, with counts. */
    left_out: mirror ? withheldFields(mirror) : [],
    /** State of composed profiles, for kinds that were sampled. */
    compositions: mirror ? compositionsOf(mirror) : [],
    quarantine: mirror ? listQuarantines(mirror) : [],
    /** Changes in the shape of answers, with their dates. */
    drift: [] as Drift[],
    /** The first thousand records that are missing from lists but not proven to be withdrawn. */
    missing: mirror ? listMissing(mirror, kinds).slice(0, 1000) : [],
    /** Kinds that the mirror holds in part, and why. */
    partial: mirror ? partialKinds(mirror) : [],
    errors,
    /** URLs whose last request failed, in this run or an earlier one. */
    failures: mirror ? listFailures(mirror).map(({ message, first_at, ...failure }) => failure) : [],
    exit,
  };
}
