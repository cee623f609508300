import type { Dispatcher } from 'undici';
import { ConfigurationError, ServiceAnswerError } from '../errors.ts';
import { say } from '../words/speech.ts';
import { decodeBody } from './decoding.ts';
import { conditionalHeaders, exhaustedMs, type Validator } from './headers.ts';
import type { Limits, RequestTally, ServiceClientOptions } from './options.ts';

/** An answer as it came: status, headers, and a body to be read once (or dropped). */
export type RawResponse = {
  status: number;
  headers: Headers;
  /** Bytes with their compression undone. */
  body(): AsyncIterable<Uint8Array>;
  /** Reads what is left of the body where that is little and comes soon, so that the connection serves again. */
  drain(): Promise<void>;
  /** Ends the deadline, and lets go of a body that nobody read to its end: while one waits, its connection is never closed. */
  release(): void;
};

/** A body that is sent. */
export type RequestBody = { type: string; body: string | Uint8Array };

export type TransportRequest = {
  known: Validator | null;
  /** Longest time for the whole answer. */
  totalMs: number;
  /** What to send, and its media type; nothing is sent, but asked for, where this is left out. */
  posted?: RequestBody;
};

type TransportOptions = Pick<
  ServiceClientOptions,
  'baseUrl' | 'token' | 'authHeader' | 'userAgent' | 'pace' | 'now' | 'signal' | 'trace'
> & { agent: Dispatcher; tally: RequestTally; limits: Limits };

/** Asks one address; gives the first answer that is no redirect, and the address that it came from. */
export type Transport = (
  url: string,
  asking: TransportRequest,
) => Promise<{ response: RawResponse; url: string }>;

const maxRedirects = 5;

/** The body of a redirect is read up to so many bytes, for so long. */
const [maxDrainedBytes, drainMs] = [65_536, 5_000];

/**
 * How one address is asked: in its turn, with the token only at the service's own origin, redirects followed. Gives
 * the first answer that is no redirect, whatever it says, and the address that it came from.
 */
export async function createTransport(options: TransportOptions): Promise<Transport> {
  const { request } = await import('undici');
  const { pace, now, tally, limits, trace = () => {} } = options;
  const origin = new URL(options.baseUrl).origin;

  async function ask(url: string, { known, totalMs, posted }: TransportRequest): Promise<RawResponse> {
    await pace.turn(url, (ms) => {
      tally.waitedMs += ms;
    });
    options.signal?.throwIfAborted();
    const method = posted === undefined ? 'GET' : 'POST';
    trace(`> ${method} ${url}${known ? ' (if it changed)' : ''}`);
    tally.requests += 1;
    const due = deadlines({ beginningMs: limits.connectTimeoutMs + limits.headersTimeoutMs, totalMs });
    const answered = request(url, {
      method,
      ...(posted === undefined ? {} : { body: posted.body }),
      headers: {
        'user-agent': options.userAgent,
        accept: 'application/json, */*;q=0.5',
        'accept-encoding': 'gzip, br, zstd',
        ...(posted === undefined ? {} : { 'content-type': posted.type }),
        ...conditionalHeaders(known),
        ...tokenHeader(options, url, origin),
      },
      dispatcher: options.agent,
      signal: due.signal,
    });
    const { statusCode, headers, body } = await due.begun(answered);
    // Whoever reads it is told; a body that is left alone may fail unheard.
    body.on('error', () => {});
    const answer: RawResponse = {
      status: statusCode,
      headers: headersOf(headers),
      body: () => decodeBody(refuseDripping(body, now), answer.headers.get('content-encoding'), url),
      drain: () =>
        body.dump({ limit: maxDrainedBytes, signal: AbortSignal.timeout(drainMs) }).catch(() => {}),
      release() {
        due.end();
        if (!body.readableEnded) body.destroy();
      },
    };
    tally.byStatus[statusCode] = (tally.byStatus[statusCode] ?? 0) + 1;
    trace(`< ${statusCode} ${answer.headers.get('content-type') ?? ''} ${url}`);
    const restMs = exhaustedMs(answer.headers, now());
    if (restMs > 0) pace.pause(restMs, url);
    return answer;
  }

  return async function follow(
    url: string,
    asking: TransportRequest,
  ): Promise<{ response: RawResponse; url: string }> {
    let target = url;
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      const response = await ask(target, asking);
      const isRedirect = response.status >= 300 && response.status < 400 && response.status !== 304;
      const location = isRedirect ? response.headers.get('location') : null;
      if (location === null) return { response, url: target };
      await response.drain();
      response.release();
      target = redirectTarget(target, location, { token: options.token, origin });
      if (asking.posted !== undefined && new URL(target).origin !== origin)
        throw new ServiceAnswerError(
          url,
          say`redirects to ${new URL(target).origin}, where nothing is to be sent`,
        );
    }
    throw new ServiceAnswerError(url, say`redirects in a circle`);
  };
}

/** Where a redirect leads; the token keeps it within its origin. */
function redirectTarget(
  from: string,
  location: string,
  { token, origin }: { token: string | null; origin: string },
): string {
  const next = URL.canParse(location, from) ? new URL(location, from) : null;
  if (!next || !/^https?:$/.test(next.protocol))
    throw new ServiceAnswerError(from, say`redirects to what is no web address`);
  if (token !== null && next.origin !== origin)
    throw new ServiceAnswerError(from, say`redirects to ${next.origin}, where the token must not go`);
  return next.href;
}

/**
 * A signal that ends an exchange which has not begun to be answered, or has not ended, in time: headers that come for ever,
 * one by one, and a body that drips. `begun` waits for the answer no longer than that either: what still waits for a proxy
 * to say whether it connects hears no signal. `end` is to be called once the body is left.
 */
function deadlines({ beginningMs, totalMs }: { beginningMs: number; totalMs: number }) {
  const [beginning, whole] = [deadline(beginningMs), deadline(totalMs)];
  return {
    signal: AbortSignal.any([beginning.signal, whole.signal]),
    async begun<Answer>(answered: Promise<Answer>): Promise<Answer> {
      try {
        return await Promise.race([answered, beginning.passed]);
      } catch (error) {
        whole.end();
        throw error;
      } finally {
        beginning.end();
      }
    },
    end: whole.end,
  };
}

/** How often a deadline looks how much of it is left: so many times within it, and each second. */
const [ticksPerDeadline, longestTickMs] = [10, 1000];

/**
 * A moment after which it is too late. Counted is the time in which this process could have read an answer, not that in which
 * it was stopped or others had the processor: each look counts for what it was to wait, however late it comes, and what has
 * arrived meanwhile is read before the next.
 */
function deadline(ms: number): { signal: AbortSignal; passed: Promise<never>; end: () => void } {
  const controller = new AbortController();
  const { promise: passed, reject } = Promise.withResolvers<never>();
  passed.catch(() => {});
  const lookMs = Math.min(ms / ticksPerDeadline, longestTickMs);
  let leftMs = ms;
  let timer = setTimeout(look, lookMs);
  let reading: NodeJS.Immediate | undefined;
  function look(): void {
    leftMs -= lookMs;
    reading = setImmediate(() => {
      if (leftMs > 0) timer = setTimeout(look, lookMs);
      else pass();
    });
  }
  function pass(): void {
    const late = new DOMException('the answer took too long', 'TimeoutError');
    controller.abort(late);
    reject(late);
  }
  return {
    signal: controller.signal,
    passed,
    end() {
      clearTimeout(timer);
      clearImmediate(reading);
    },
  };
}

/** Connections, through the proxy that the environment names. */
export async function createAgent(limits: Limits): Promise<Dispatcher> {
  const { EnvHttpProxyAgent } = await import('undici');
  try {
    return new EnvHttpProxyAgent({
      headersTimeout: limits.headersTimeoutMs,
      bodyTimeout: limits.idleTimeoutMs,
      connectTimeout: limits.connectTimeoutMs,
    });
  } catch {
    // The value may hold a password: it is not shown.
    throw new ConfigurationError(
      say`HTTP_PROXY or HTTPS_PROXY does not name a proxy that can be used`,
      say`write http://proxy.example:3128, or http://user:password@proxy.example:3128`,
    );
  }
}

function headersOf(raw: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw))
    for (const each of [value ?? []].flat()) headers.append(name, each);
  return headers;
}

/** The token goes to the service's own origin only. */
function tokenHeader(
  { token, authHeader }: Pick<ServiceClientOptions, 'token' | 'authHeader'>,
  url: string,
  origin: string,
): Record<string, string> {
  if (token === null || new URL(url).origin !== origin) return {};
  const colon = authHeader.indexOf(':');
  return {
    [authHeader.slice(0, colon).toLowerCase()]: authHeader
      .slice(colon + 1)
      .trim()
      .replace('{token}', token),
  };
}

/** So many bytes have to come in so long, on and on. */
const [minBytes, windowMs] = [4096, 60_000];

/**
 * The bytes of a body that does not drip: one byte a minute is no silence, and would take for ever. One slow stretch may be
 * one in which this process did not run.
 */
async function* refuseDripping(
  body: AsyncIterable<Uint8Array>,
  now: () => number,
): AsyncGenerator<Uint8Array> {
  let stretch = { beganMs: now(), bytes: 0 };
  let slow = 0;
  for await (const chunk of body) {
    stretch.bytes += chunk.byteLength;
    if (now() - stretch.beganMs >= windowMs) {
      slow = stretch.bytes < minBytes ? slow + 1 : 0;
      if (slow > 1) throw Object.assign(new Error('too slow'), { code: 'TOO_SLOW' });
      stretch = { beganMs: now(), bytes: 0 };
    }
    yield chunk;
  }
}
