import {
  AuthenticationError,
  errorTable,
  type HemicycleError,
  NetworkError,
  PartialSyncError,
  QuarantineError,
  RateLimitedError,
  RequestError,
  ServiceAnswerError,
} from '../errors.ts';
import type { ServiceClient } from '../service/client.ts';
import { isLocalFailure } from '../service/failure.ts';
import type { Mirror } from '../store/mirror.ts';
import { deleteFailure, type Failure, failureCount, listFailures, saveFailure } from '../store/syncs/failures.ts';
import { readReplication } from '../store/syncs/following.ts';
import { saveResponsiveness } from '../store/syncs/service.ts';
import { transaction } from '../store/transaction.ts';
import { isoTime, type SyncContext, type SyncTally } from './context.ts';

/** True for a failure that concerns one URL only. */
export function isAddressFailure(error: unknown): error is RequestError {
  return error instanceof RequestError && error.isOfAddress;
}

const hourMs = 3_600_000;
const maxBackoffMs = 7 * 24 * hourMs;

/** Returns the backoff after failures in a row: none after the first, then one hour, four hours, … up to a week. */
const retryDelayMs = (count: number): number => (count <= 1 ? 0 : Math.min(maxBackoffMs, hourMs * 4 ** (count - 2)));

/** Counts an answered request, which ends a series of failures; deletes the saved failure of `url` unless null. */
export function recordAnswer({ mirror, tally }: SyncContext, url: string | null): void {
  tally.health.answered += 1;
  tally.health.failuresInARow = [];
  if (url !== null && failureCount(mirror, url) > 0) deleteFailure(mirror, url);
}

/** The URL of a request, with the stage that made it. */
type StageRequest = { stage: string; url: string };

/** Records a failed URL; while nothing was answered, many failures or two URLs refusing the token set `fatalError`. */
export function recordFailure(context: SyncContext, { stage, url }: StageRequest, error: RequestError): void {
  const { tally, progress } = context;
  const { health } = tally;
  saveFailureOf(context, { stage, url }, error);
  tally.errors.push({ stage, error });
  progress.note(error.phrase);
  // "Not found" and a refused dataset are answers: the service is up.
  if (error instanceof QuarantineError || (error instanceof ServiceAnswerError && error.meansAbsent)) return;
  health.failuresInARow.push(error);
  const tokenErrors = health.failuresInARow.filter((each) => each instanceof AuthenticationError);
  const refusesToken = new Set(tokenErrors.map(({ url }) => url)).size >= 2;
  const isHopeless = refusesToken || health.failuresInARow.length >= maxUnanswered;
  if (health.answered === 0 && isHopeless) health.fatalError = error;
}

function saveFailureOf({ mirror, now }: SyncContext, { stage, url }: StageRequest, error: RequestError): void {
  const count = failureCount(mirror, url) + 1;
  const at = now();
  saveFailure(mirror, {
    url,
    stage,
    code: error.code,
    status: error.status,
    message: error.message,
    last_at: isoTime(at),
    next_at: isoTime(at + retryDelayMs(count)),
  });
}

/** Records and returns a failure of one URL; throws any other error. A rate limit is recorded too, then thrown. */
export function recordOrThrow(
  context: SyncContext,
  { stage, url }: { stage: string; url: string | null },
  error: unknown,
): RequestError {
  if (isAddressFailure(error)) {
    recordFailure(context, { stage, url: url ?? error.url }, error);
    return error;
  }
  // A rate limit without a status comes from the client itself, which sent no request.
  if (error instanceof RateLimitedError && error.status !== null && url !== null)
    transaction(context.mirror, () => saveFailureOf(context, { stage, url }, error));
  throw error;
}

/** Moves items whose URL was rate-limited twice in a row to the end, because each of them would end the run. */
export function moveRateLimitedLast<Item>(
  mirror: Mirror,
  items: readonly Item[],
  isFailureOf: (item: Item, failure: Failure) => boolean,
): Item[] {
  const failures = listFailures(mirror).filter(({ code, count }) => code === errorTable.rateLimited.code && count > 1);
  const isRateLimited = (item: Item) => failures.some((failure) => isFailureOf(item, failure));
  return [...items.filter((item) => !isRateLimited(item)), ...items.filter(isRateLimited)];
}

/** Returns how many failed URLs in a row end a stage: six bad responses, or three without a response. */
export const maxFailuresInARow = (error: RequestError): number => (error instanceof ServiceAnswerError ? 6 : 3);

/** Number of failures without any answer that ends a run. */
const maxUnanswered = 10;

/** Limits attempts per request: one if `isUnreliable`, two if the last request failed, else the client's number. */
export function limitAttempts({ client, tally }: SyncContext, isUnreliable = false): ServiceClient {
  if (isUnreliable) return client.withAttempts(1);
  return tally.health.failuresInARow.length > 0 ? client.withAttempts(2) : client;
}

/** The error of a completed run: null, its only error (the first if nothing was answered), or a PartialSyncError. */
export function errorOfRun({ errors, health }: SyncTally): HemicycleError | null {
  const [first] = errors;
  if (!first) return null;
  // If nothing was answered, the first failure explains all others.
  if (errors.length === 1 || health.answered === 0) return first.error;
  return new PartialSyncError(errors.map(({ error }) => error));
}

/** Saves whether the service answered in this run; saves nothing for followed mirrors and failures of other causes. */
export function saveResponsivenessOf({ mirror, client, tally }: SyncContext, error: unknown, at: string): void {
  if (readReplication(mirror, client.baseUrl)) return;
  const hasAnswer = tally.health.answered > 0;
  const isServiceFault =
    error instanceof ServiceAnswerError || (error instanceof NetworkError && !isLocalFailure(error.cause));
  const isUnanswered = client.tally.requests > 0 && isServiceFault;
  if (hasAnswer || isUnanswered) transaction(mirror, () => saveResponsiveness(mirror, hasAnswer, at));
}
