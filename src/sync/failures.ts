import {
  AuthenticationError,
  errorTable,
  exitCodes,
  type HemicycleError,
  PartialSyncError,
  RateLimitedError,
  RefusedDatasetError,
  RequestError,
  ServiceAnswerError,
} from '../errors.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Mirror } from '../store/mirror.ts';
import { type Failure, failureCount, failures, forgetFailure, saveFailure } from '../store/syncs/failures.ts';
import { atOnce } from '../store/transaction.ts';
import type { RunHealth, SyncContext, SyncTally } from './context.ts';

/** True for a failure of one address, after which another may well be answered. */
export function isOfOneAddress(error: unknown): error is RequestError {
  return error instanceof RequestError && error.isOfAddress;
}

const hourMs = 3_600_000;
const longestMs = 7 * 24 * hourMs;

/**
 * When an address that failed so often in a row is asked again: by the next run after the first failure, then after an
 * hour, four hours, … and a week at most.
 */
function nextTryMs(count: number, soonestMs: number): number {
  const backoffMs = count <= 1 ? 0 : hourMs * 4 ** (count - 2);
  return Math.min(longestMs, Math.max(soonestMs, backoffMs));
}

/** Notes that the service answered an address; `url` is one that may have failed before. */
export function noteAnswered(
  { mirror, tally }: Pick<SyncContext, 'mirror' | 'tally'>,
  url: string | null,
): void {
  tally.health.answered += 1;
  tally.health.inARow = [];
  tally.health.refusedStages = 0;
  if (url !== null && failureCount(mirror, url) > 0) forgetFailure(mirror, url);
}

/**
 * Notes that an address failed, in the mirror and among the failures of this run. `soonestMs` is how long it is left
 * alone at least; a failure that is made good another way is no error of the run (`isMadeGood`).
 */
export function noteFailure(
  context: Pick<SyncContext, 'mirror' | 'tally' | 'now' | 'progress'>,
  {
    stage,
    url,
    soonestMs = 0,
    isMadeGood = false,
  }: { stage: string; url: string; soonestMs?: number; isMadeGood?: boolean },
  error: RequestError,
): void {
  const { tally, progress } = context;
  const { health: fortune } = tally;
  const count = rememberFailure(context, { stage, url, soonestMs }, error);
  if (isMadeGood) return;
  tally.errors.push({ stage, error });
  progress.note(error.phrase);
  // Who says that there is no such thing, or sends a dataset that is not taken, has answered.
  if (error instanceof RefusedDatasetError || (error instanceof ServiceAnswerError && error.isAbsence))
    return;
  fortune.inARow.push({ url, isKnown: count > 1, error });
  const alike = newInARow(fortune).filter((each) => each.constructor === error.constructor);
  if (alike.length >= maxInARow(error) && !(error instanceof ServiceAnswerError)) fortune.refusal = error;
  if (isWholeRefused(fortune)) fortune.ending = error;
}

/** Keeps in the mirror that an address failed; how often in a row it has by now. */
function rememberFailure(
  { mirror, now }: Pick<SyncContext, 'mirror' | 'now'>,
  { stage, url, soonestMs }: { stage: string; url: string; soonestMs: number },
  error: RequestError,
): number {
  const count = failureCount(mirror, url) + 1;
  const at = now();
  saveFailure(mirror, {
    url,
    stage,
    code: error.code,
    status: error.status,
    message: error.message,
    last_at: new Date(at).toISOString(),
    next_at: new Date(at + nextTryMs(count, soonestMs)).toISOString(),
  });
  return count;
}

/**
 * Notes a failure of one address, and throws any other. A service that asks everybody to stay away ends the run, and may
 * mean that address alone: it is remembered too, so that the next run asks it last and does not end at the same place.
 * `url` is null for a stage of many addresses, which saw to them itself.
 */
export function noteOrThrow(
  context: Parameters<typeof noteFailure>[0],
  { stage, url }: { stage: string; url: string | null },
  error: unknown,
): RequestError {
  if (isOfOneAddress(error)) {
    noteFailure(context, { stage, url: url ?? error.url }, error);
    return error;
  }
  // Without a status it is what the service said some time ago, and nothing was asked.
  if (error instanceof RateLimitedError && error.status !== null && url !== null)
    atOnce(context.mirror, () => rememberFailure(context, { stage, url, soonestMs: 0 }, error));
  throw error;
}

/**
 * The items in their order, but those behind at which the service asked to wait twice in a row (`isAt`): there it ends each
 * run. Once may be chance, and what comes in another order is known one run later.
 */
export function rateLimitedLast<Item>(
  mirror: Mirror,
  items: readonly Item[],
  isAt: (item: Item, failure: Failure) => boolean,
): Item[] {
  const refused = failures(mirror).filter(
    ({ code, count }) => code === errorTable.rateLimited.code && count > 1,
  );
  const isRefused = (item: Item) => refused.some((failure) => isAt(item, failure));
  return [...items.filter((item) => !isRefused(item)), ...items.filter(isRefused)];
}

const newInARow = ({ inARow }: RunHealth) =>
  inARow.filter(({ isKnown }) => !isKnown).map(({ error }) => error);

/** So many different addresses in a row, and it is no matter of addresses: a refusal is dearer than a wrong answer. */
export function maxInARow(error: RequestError): number {
  return error instanceof ServiceAnswerError ? 6 : 3;
}

/** Nobody was let in yet: the second address that is refused proves that it is not the first one's fault. */
function isWholeRefused({ answered, inARow }: RunHealth): boolean {
  const refused = inARow.filter(({ error }) => error instanceof AuthenticationError);
  return answered === 0 && new Set(refused.map(({ url }) => url)).size >= 2;
}

/** So many stages in a row that were refused end a run. */
const mostStages = 3;

/**
 * Notes that a stage ended, where it asked anything; `before` is the fortune when it began. What is known to fail tells
 * nothing new, unless nothing at all was answered.
 */
export function noteStageEnd(
  { health: fortune }: SyncTally,
  before: { answered: number; failed: number },
): void {
  const { answered, inARow } = fortune;
  const isNews = answered === 0 || inARow.slice(before.failed).some(({ isKnown }) => !isKnown);
  if (answered > before.answered || inARow.length <= before.failed || !isNews) return;
  fortune.refusedStages += 1;
  if (fortune.refusedStages >= mostStages) fortune.ending ??= inARow.at(-1)!.error;
}

/** How patiently an address is asked: less where another one just failed, and once where it is known to fail. */
export function limitAttempts(
  { client, tally }: Pick<SyncContext, 'client' | 'tally'>,
  isKnown = false,
): ServiceClient {
  if (isKnown) return client.withAttempts(1);
  return tally.health.inARow.length > 0 ? client.withAttempts(2) : client;
}

/** What a run failed with, all in all; null where everything was answered. */
export function runError({ errors, health: fortune }: SyncTally): HemicycleError | null {
  const [first] = errors;
  if (!first) return null;
  if (fortune.refusal) return fortune.refusal;
  // Where nobody was answered, the first failure says it for all.
  if (fortune.answered === 0) return first.error;
  if (errors.length === 1 && first.error.exit === exitCodes.service) return first.error;
  return new PartialSyncError(errors.map(({ error }) => error));
}
