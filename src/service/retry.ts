import {
  AuthenticationError,
  HemicycleError,
  NetworkError,
  RateLimitedError,
  ServiceAnswerError,
} from '../errors.ts';
import { say } from '../words/speech.ts';
import { collectBytes, errorSentence, limitBody } from './body.ts';
import { createRedactor, failureOf } from './failure.ts';
import { backoffMs, retryAfterMs, type Validator } from './headers.ts';
import type { Limits, RequestTally, ServiceClientOptions } from './options.ts';
import type { RawResponse, RequestBody, Transport } from './transport.ts';

type RetriedRequest = { url: string; known: Validator | null; totalMs: number; posted?: RequestBody };

type RetryOptions = Pick<
  ServiceClientOptions,
  'token' | 'pace' | 'now' | 'sleep' | 'signal' | 'onWait' | 'onDate'
> & {
  random: () => number;
  trace: (line: string) => void;
  follow: Transport;
  limits: Limits;
  tally: RequestTally;
};

/** A failure that may pass. */
type TransientFailure = {
  error: HemicycleError;
  /** Who refused, after redirects. */
  url: string;
  /** What was answered; null where nothing was. */
  status: number | null;
  /** How long the service asked to wait; null where it did not say. */
  waitMs: number | null;
  pausesAll: boolean;
  /** What is waited for, in words. */
  awaited: string;
};

/** Asks until there is an answer that waiting would not change, and hands it to `take`; null if it did not change. */
export type Retry = <Result>(
  asked: RetriedRequest,
  take: (response: RawResponse, url: string) => Promise<Result>,
) => Promise<Result | null>;

/** How often and after which waits one address is asked, up to the limits. */
export function createRetry(attempting: RetryOptions): Retry {
  const { pace, limits, now, sleep, tally, trace, random, onWait } = attempting;
  return async (asked, take) => {
    let spentMs = 0;
    for (let attempt = 1; ; attempt += 1) {
      const beganMs = now();
      const outcome = await tryOnce(attempting, asked, take);
      spentMs += now() - beganMs;
      if ('result' in outcome) return outcome.result;
      const waitMs = outcome.waitMs ?? backoffMs(attempt, random);
      // Told so, nobody should ask, whether this request is tried again or not.
      if (outcome.pausesAll) pace.pause(waitMs, outcome.url);
      if (waitMs > limits.maxWaitMs) {
        const { url, status: answered } = outcome;
        // Who asks for that long means everybody, whatever is asked for; another origin speaks for itself.
        const isOfAddress = new URL(url).origin !== new URL(asked.url).origin;
        throw new RateLimitedError(url, { waitMs, nowMs: now(), answered, isOfAddress });
      }
      // What took as long as a whole answer may take is no hiccup.
      if (attempt >= limits.attempts || spentMs >= asked.totalMs) throw outcome.error;
      trace(`  waiting ${Math.ceil(waitMs / 1000)} s: ${outcome.error.message}`);
      onWait?.(waitMs, outcome.awaited);
      tally.waitedMs += waitMs;
      await sleep(waitMs);
    }
  };
}

async function tryOnce<Result>(
  attempting: RetryOptions,
  { url, ...asking }: RetriedRequest,
  take: (response: RawResponse, url: string) => Promise<Result>,
): Promise<{ result: Result | null } | TransientFailure> {
  const conceal = createRedactor(attempting.token);
  try {
    const { response, url: finalUrl } = await attempting.follow(url, asking);
    try {
      reportDate(attempting, response);
      if (response.status === 304 && asking.known !== null) return { result: null };
      const refusal = await refusalOf(attempting, response, finalUrl);
      if (refusal) return { ...refusal, error: refusal.error.reworded(conceal) };
      return { result: await take(response, finalUrl) };
    } finally {
      response.release();
    }
  } catch (error) {
    if (error instanceof HemicycleError) throw error.reworded(conceal);
    // Nothing is under way once the signal ended the waits; what ended them is the reason.
    attempting.signal?.throwIfAborted();
    const { reason, isPassing, isOfAddress } = failureOf(error);
    const failed = new NetworkError(url, typeof reason === 'string' ? conceal(reason) : reason, {
      cause: error,
      isOfAddress,
    });
    if (!isPassing) throw failed;
    return {
      error: failed,
      url,
      status: null,
      waitMs: null,
      pausesAll: false,
      awaited: `another try (${reason})`,
    };
  }
}

/** A cache may have kept the answer for a while: it says so by its age. */
function reportDate({ onDate }: RetryOptions, response: RawResponse): void {
  const dateMs = Date.parse(response.headers.get('date') ?? '');
  const ageMs = Number(response.headers.get('age') ?? 0) * 1000;
  if (onDate === undefined || Number.isNaN(dateMs)) return;
  onDate(dateMs + (Number.isFinite(ageMs) ? ageMs : 0));
}

/** A refusal that may pass is returned, one that will not is thrown, success is null. */
async function refusalOf(
  { now, random, tally }: RetryOptions,
  response: RawResponse,
  url: string,
): Promise<TransientFailure | null> {
  const { status, headers } = response;
  if (status === 206) {
    throw new ServiceAnswerError(url, say`answered a part (206), although all of it was asked for`, {
      status,
    });
  }
  if (status >= 200 && status < 300) return null;
  const sentence = await refusalSentence(response, { url, maxBytes: 2 ** 20, tally });
  const askedMs = retryAfterMs(headers.get('retry-after'), Date.parse(headers.get('date') ?? '') || now());
  // Everybody was told the same moment: not all should come back at it.
  const waitMs = askedMs === null ? null : askedMs + Math.round(random() * 1000);
  if (status === 429) {
    const patience = waitMs ?? 60_000 + Math.round(random() * 1000);
    return {
      error: new RateLimitedError(url, {
        waitMs: patience,
        nowMs: now(),
        answered: status,
        isOfAddress: true,
      }),
      url,
      status,
      waitMs: patience,
      pausesAll: true,
      awaited: 'the service, which was asked too often (429)',
    };
  }
  if (status === 401 || status === 403) throw new AuthenticationError(url, status);
  const error = new ServiceAnswerError(url, say`answered ${status}${sentence ? `: ${sentence}` : ''}`, {
    status,
  });
  if (!transientStatuses.has(status)) throw error;
  return {
    error,
    url,
    status,
    waitMs,
    pausesAll: waitMs !== null,
    awaited: `the service, which answered ${status}`,
  };
}

/**
 * Statuses of what may pass: the request came too slowly or too early (408, 425), or a gateway could not reach the service
 * (502 to 504; those of Cloudflare are 520 to 524).
 */
const transientStatuses = new Set([408, 425, 502, 503, 504, 520, 521, 522, 523, 524]);

/** The sentence of a refusal; one whose body cannot be read refuses as well. */
async function refusalSentence(
  response: RawResponse,
  limits: Parameters<typeof limitBody>[1],
): Promise<string> {
  try {
    return errorSentence(new TextDecoder().decode(await collectBytes(limitBody(response, limits))));
  } catch (error) {
    if (error instanceof ServiceAnswerError) return '';
    throw error;
  }
}
