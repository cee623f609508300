import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import {
  AuthenticationError,
  HemicycleError,
  NetworkError,
  RateLimitedError,
  ServiceAnswerError,
} from '../errors.ts';
import type { Json } from '../model/document.ts';
import { errorSentence, readJson } from './body.ts';
import type { Pace } from './pace.ts';
import { backoffMs, retryAfterMs } from './retry-after.ts';

export type Query = Record<string, string | number | undefined>;

/** An answer that was understood as JSON; `at` is when it came, ISO 8601. */
export type JsonAnswer = { url: string; body: Json; link: string | null; at: string };

/** A file that was downloaded whole; `bytes` after decompression. */
export type Download = { url: string; bytes: number; sha256: string; contentType: string | null; at: string };

export type Client = {
  baseUrl: string;
  /** The JSON at a path of the service, or at an address within its origin. */
  getJson(path: string, query?: Query): Promise<JsonAnswer>;
  /** Saves the body at a path of the service into a file. */
  download(path: string, query: Query, file: string): Promise<Download>;
  /** What was asked so far. */
  tally: Tally;
  close(): Promise<void>;
};

export type Tally = { requests: number; byStatus: Record<string, number>; bytes: number; waitedMs: number };

export type ClientOptions = {
  baseUrl: string;
  token: string | null;
  /** Header with {token} in it. */
  authHeader: string;
  userAgent: string;
  pace: Pace;
  now: () => number;
  sleep: (ms: number) => Promise<unknown>;
  random?: () => number;
  signal?: AbortSignal;
  /** Told of each request and answer; never of the token. */
  trace?: (line: string) => void;
  limits?: Partial<Limits>;
};

export type Limits = {
  maxJsonBytes: number;
  maxFileBytes: number;
  headersTimeoutMs: number;
  idleTimeoutMs: number;
  maxWaitMs: number;
  /** How often one request is tried before its failure stands. */
  attempts: number;
};

const defaultLimits: Limits = {
  maxJsonBytes: 64 * 2 ** 20,
  maxFileBytes: 2 * 2 ** 30,
  headersTimeoutMs: 60_000,
  idleTimeoutMs: 60_000,
  maxWaitMs: 15 * 60_000,
  attempts: 5,
};

/** A client of the service: paced, patient with refusals, and strict about what it takes for an answer. */
export async function createClient(options: ClientOptions): Promise<Client> {
  const { fetch, EnvHttpProxyAgent } = await import('undici');
  const limits = { ...defaultLimits, ...options.limits };
  const agent = new EnvHttpProxyAgent({
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.idleTimeoutMs,
    connectTimeout: 15_000,
  });
  const tally: Tally = { requests: 0, byStatus: {}, bytes: 0, waitedMs: 0 };
  const { baseUrl, pace, now, sleep, trace = () => {} } = options;
  const origin = new URL(baseUrl).origin;

  async function wait(ms: number): Promise<void> {
    tally.waitedMs += ms;
    await sleep(ms);
  }

  async function request(url: string): Promise<Response> {
    await pace.turn();
    options.signal?.throwIfAborted();
    const headers = {
      'user-agent': options.userAgent,
      accept: 'application/json, */*;q=0.5',
      ...tokenHeader(options, url, origin),
    };
    trace(`> GET ${url}`);
    tally.requests += 1;
    const init = {
      headers,
      redirect: 'manual',
      dispatcher: agent,
      ...(options.signal ? { signal: options.signal } : {}),
    } as const;
    const response = (await fetch(url, init)) as unknown as Response;
    tally.byStatus[response.status] = (tally.byStatus[response.status] ?? 0) + 1;
    trace(`< ${response.status} ${response.headers.get('content-type') ?? ''} ${url}`);
    return response;
  }

  async function followed(url: string): Promise<{ response: Response; url: string }> {
    let target = url;
    for (let hops = 0; hops <= 5; hops += 1) {
      const response = await request(target);
      const location =
        response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
      if (location === null) return { response, url: target };
      await response.body?.cancel();
      const next = new URL(location, target);
      if (options.token !== null && next.origin !== origin) {
        throw new ServiceAnswerError(target, `redirects to ${next.origin}, where the token must not go`);
      }
      target = next.href;
    }
    throw new ServiceAnswerError(url, 'redirects in a circle');
  }

  /** Asks until there is an answer that waiting would not change, and hands it to `take`. */
  async function answered<Result>(
    url: string,
    take: (response: Response, url: string) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      const failed = await attemptOnce(url, take);
      if ('result' in failed) return failed.result;
      if (attempt >= limits.attempts || failed.waitMs > limits.maxWaitMs) throw failed.error;
      if (failed.pausesAll) pace.pause(failed.waitMs);
      trace(`  waiting ${Math.ceil(failed.waitMs / 1000)} s: ${failed.error.message}`);
      await wait(failed.waitMs || backoffMs(attempt, options.random ?? Math.random));
    }
  }

  type Failure = { error: HemicycleError; waitMs: number; pausesAll: boolean };

  async function attemptOnce<Result>(
    url: string,
    take: (response: Response, url: string) => Promise<Result>,
  ): Promise<{ result: Result } | Failure> {
    try {
      const { response, url: finalUrl } = await followed(url);
      const refusal = await refusalOf(response, finalUrl);
      if (refusal) return refusal;
      return { result: await take(response, finalUrl) };
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error instanceof HemicycleError || isLocal(error)) throw error;
      return { error: new NetworkError(url, reasonOf(error), error), waitMs: 0, pausesAll: false };
    }
  }

  /** A refusal that may pass is returned, one that will not is thrown, success is null. */
  async function refusalOf(response: Response, url: string): Promise<Failure | null> {
    if (response.ok) return null;
    const asked = retryAfterMs(response.headers.get('retry-after'), now());
    const sentence = errorSentence(new TextDecoder().decode(await readBounded(response, url, 2 ** 20)));
    if (response.status === 429) {
      const waitMs = (asked ?? 60_000) + 100;
      return { error: new RateLimitedError(url, waitMs), waitMs, pausesAll: true };
    }
    if (response.status === 401 || response.status === 403)
      throw new AuthenticationError(url, response.status);
    const error = new ServiceAnswerError(
      url,
      `answered ${response.status}${sentence ? `: ${sentence}` : ''}`,
      { status: response.status },
    );
    if (![502, 503, 504].includes(response.status)) throw error;
    return { error, waitMs: asked ?? 0, pausesAll: asked !== null };
  }

  async function readBounded(response: Response, url: string, maxBytes: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of bounded(response, url, maxBytes)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async function* bounded(response: Response, url: string, maxBytes: number): AsyncGenerator<Uint8Array> {
    if (!response.body) return;
    let total = 0;
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      total += chunk.byteLength;
      tally.bytes += chunk.byteLength;
      if (total > maxBytes) throw new ServiceAnswerError(url, `the answer is larger than ${maxBytes} bytes`);
      yield chunk;
    }
  }

  return {
    baseUrl,
    tally,
    getJson(path, query = {}) {
      return answered(addressOf(baseUrl, path, query), async (response, url) => {
        const bytes = await readBounded(response, url, limits.maxJsonBytes);
        const body = readJson(url, bytes, response.headers.get('content-type'));
        return { url, body, link: response.headers.get('link'), at: new Date(now()).toISOString() };
      });
    },
    download(path, query, file) {
      return answered(addressOf(baseUrl, path, query), async (response, url) => {
        const digest = createHash('sha256');
        let bytes = 0;
        await pipeline(
          bounded(response, url, limits.maxFileBytes),
          async function* (source) {
            for await (const chunk of source) {
              bytes += chunk.byteLength;
              digest.update(chunk);
              yield chunk;
            }
          },
          createWriteStream(file),
        );
        if (bytes === 0) throw new ServiceAnswerError(url, 'the answer is empty');
        return {
          url,
          bytes,
          sha256: digest.digest('hex'),
          contentType: response.headers.get('content-type'),
          at: new Date(now()).toISOString(),
        };
      });
    },
    close: () => agent.close(),
  };
}

function addressOf(baseUrl: string, path: string, query: Query): string {
  const url = /^https?:/.test(path) ? new URL(path) : new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}

/** The token goes to the service's own origin only. */
function tokenHeader(
  { token, authHeader }: ClientOptions,
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

/** Errors of our own disk are not the network's. */
function isLocal(error: unknown): boolean {
  return ['ENOSPC', 'EROFS', 'EACCES', 'EDQUOT'].includes(String((error as { code?: unknown }).code));
}

function reasonOf(error: unknown): string {
  const cause =
    (error as { cause?: { code?: string; message?: string } }).cause ??
    (error as { code?: string; message?: string });
  const known: Record<string, string> = {
    ECONNREFUSED: 'the connection was refused',
    ECONNRESET: 'the connection was cut',
    ENOTFOUND: 'there is no such host',
    EAI_AGAIN: 'the host name cannot be looked up now',
    UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
    UND_ERR_HEADERS_TIMEOUT: 'the answer took too long',
    UND_ERR_BODY_TIMEOUT: 'the answer stopped coming',
    UND_ERR_SOCKET: 'the connection was cut',
  };
  return known[cause.code ?? ''] ?? cause.message ?? String(error);
}
