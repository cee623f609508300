import {
  AuthenticationError,
  HemicycleError,
  NetworkError,
  RateLimitedError,
  type RequestError,
  ServiceAnswerError,
} from '../errors.ts';
import { type Phrase, say, saying } from '../words/speech.ts';
import { collectBytes, errorSentence, limitBody } from './body.ts';
import { createRedactor, failureOf, fileLimitError } from './failure.ts';
import { backoffMs, cacheAgeMs, retryAfterMs } from './headers.ts';
import {
  defaultLimits,
  type Limits,
  newRequestTally,
  type RequestTally,
  type ServiceClientOptions,
} from './options.ts';
import { createAgents, createTransport, type RawResponse, type Transport, type TransportRequest } from './transport.ts';

type RetriedRequest = TransportRequest & { url: string };

type RetryOptions = Pick<ServiceClientOptions, 'token' | 'pace' | 'now' | 'sleep' | 'signal' | 'onWait' | 'onDate'> & {
  random: () => number;
  trace: (line: string) => void;
  follow: Transport['follow'];
  limits: Limits;
  tally: RequestTally;
};

/** A failure that may not occur again, so that the request can be retried. */
type TransientFailure = {
  error: RequestError;
  waitMs: number | null; // wait that the service requested of all requests, or null
  waitPurpose: Phrase; // what the wait is for, as shown to the user
};

/** Reads a response; `isMoved` if all redirects to it were permanent. */
type ResponseReader<Result> = (response: RawResponse, url: string, isMoved: boolean) => Promise<Result>;

/** A connection pool with its limits and counts. */
export type Connection = Awaited<ReturnType<typeof openConnection>>;

/** Opens a connection pool; `retryWithin` creates a retry loop of at most that many attempts. */
export async function openConnection(options: ServiceClientOptions) {
  const limits = { ...defaultLimits, ...options.limits };
  const { agentFor, destroy } = await createAgents(options, limits);
  const tally = newRequestTally();
  const { random = Math.random } = options;
  const redact = createRedactor(options.token);
  const trace = (line: string) => options.trace?.(redact(line));
  const { ask, follow } = await createTransport({ ...options, trace, agentFor, tally, limits });
  return {
    limits,
    tally,
    /** Sends one request without retries; the response may be a redirect or a refusal. */
    ask,
    retryWithin: (attempts: number) =>
      createRetry({ ...options, random, trace, follow, limits: { ...limits, attempts }, tally }),
    close: destroy,
  };
}

/** Returns a function that retries a request (backoff, `Retry-After`) and returns what `read` returns; null for 304. */
function createRetry(options: RetryOptions) {
  const { pace, limits, now, sleep, tally, trace, random, onWait } = options;
  return async <Result>(request: RetriedRequest, read: ResponseReader<Result>): Promise<Result | null> => {
    let spentMs = 0;
    for (let attempt = 1; ; attempt += 1) {
      const beganMs = now();
      const outcome = await tryOnce(options, request, read);
      spentMs += now() - beganMs;
      if ('result' in outcome) return outcome.result;
      const waitMs = outcome.waitMs ?? backoffMs(attempt, random);
      const { url, status: answered } = outcome.error;
      // The pause applies to every request, even if this one is not retried.
      if (outcome.waitMs !== null) pace.pause(waitMs, url);
      if (waitMs > limits.maxWaitMs) {
        // A wait this long concerns the whole service; if another origin requested it, only this URL.
        const isOfAddress = new URL(url).origin !== new URL(request.url).origin;
        throw new RateLimitedError(url, { waitMs, nowMs: now(), answered, isOfAddress });
      }
      // Elapsed time counts as well: no retry after the time limit of a whole response.
      if (attempt >= limits.attempts || spentMs >= request.totalMs) throw outcome.error;
      trace(`  waiting ${Math.ceil(waitMs / 1000)} s: ${outcome.error.message}`);
      onWait?.(waitMs, outcome.waitPurpose);
      tally.waitedMs += waitMs;
      await sleep(waitMs);
    }
  };
}

/** Sends a request once; returns the read result, or a transient failure. Throws other failures, without the token. */
async function tryOnce<Result>(
  options: RetryOptions,
  { url, ...transportRequest }: RetriedRequest,
  read: ResponseReader<Result>,
): Promise<{ result: Result | null } | TransientFailure> {
  const redact = createRedactor(options.token);
  try {
    const { response, url: finalUrl, isMoved } = await options.follow(url, transportRequest);
    using _ = { [Symbol.dispose]: response.release };
    const dateMs = Date.parse(response.headers.get('date') ?? '');
    // The service's clock; `Age` corrects for caches in between.
    if (!Number.isNaN(dateMs)) options.onDate?.(dateMs + cacheAgeMs(response.headers), url);
    if (response.status === 304 && transportRequest.validator !== null) return { result: null };
    const refusal = await refusalOf(options, response, { url: finalUrl, ...transportRequest });
    if (refusal) return { ...refusal, error: refusal.error.reword(redact) };
    return { result: await read(response, finalUrl, isMoved) };
  } catch (error) {
    if (error instanceof HemicycleError) throw error.reword(redact);
    // After an abort the signal's reason is the error.
    options.signal?.throwIfAborted();
    const fileError = fileLimitError(error);
    if (fileError) throw fileError;
    const { reason, isTransient, isInvalidAnswer, isOfAddress } = failureOf(error);
    const redactedReason = saying((speech) => redact(speech.render(reason)));
    const failure = isInvalidAnswer
      ? new ServiceAnswerError(url, redactedReason)
      : new NetworkError(url, redactedReason, { cause: error, isOfAddress });
    if (!isTransient) throw failure;
    return { error: failure, waitMs: null, waitPurpose: say`a retry (${reason})` };
  }
}

/** Returns a transient refusal, throws a permanent one, and returns null for success. */
async function refusalOf(
  { now, random, tally }: RetryOptions,
  response: RawResponse,
  { url, prepare }: RetriedRequest,
): Promise<TransientFailure | null> {
  const { status, headers } = response;
  if (prepare && status < 500 && status !== 429) return null; // the caller handles these statuses
  if (status === 206) throw new ServiceAnswerError(url, say`sent partial content (206) for a full request`, { status });
  if (status >= 200 && status < 300) return null;
  const sentence = await refusalSentence(response, { url, maxBytes: 2 ** 20, tally });
  const requestedWaitMs = retryAfterMs(headers.get('retry-after'), Date.parse(headers.get('date') ?? '') || now());
  // Jitter: the service may have told all clients the same moment.
  const waitMs = requestedWaitMs === null ? null : requestedWaitMs + Math.round(random() * 1000);
  if (status === 429) {
    const retryWaitMs = waitMs ?? 60_000 + Math.round(random() * 1000);
    const error = new RateLimitedError(url, { waitMs: retryWaitMs, nowMs: now(), answered: status, isOfAddress: true });
    return { error, waitMs: retryWaitMs, waitPurpose: say`the service, after too many requests (429)` };
  }
  if (status === 401 || status === 403) throw new AuthenticationError(url, status);
  const error = new ServiceAnswerError(url, say`answered ${status}${sentence ? `: ${sentence}` : ''}`, { status });
  // A busy object storage answers 500.
  if (!transientStatuses.has(status) && !(prepare && status === 500)) throw error;
  return { error, waitMs, waitPurpose: say`the service, which answered ${status}` };
}

/** Statuses after which a retry may succeed: timeout, too early, failed gateway (520 to 524: Cloudflare). */
const transientStatuses = new Set([408, 425, 502, 503, 504, 520, 521, 522, 523, 524]);

/** The message in an error body; empty if it cannot be read. */
async function refusalSentence(response: RawResponse, limits: Parameters<typeof limitBody>[1]): Promise<string> {
  try {
    return errorSentence(new TextDecoder().decode(await collectBytes(limitBody(response, limits))));
  } catch (error) {
    if (error instanceof ServiceAnswerError) return '';
    throw error;
  }
}
