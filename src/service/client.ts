import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import {
  AuthenticationError,
  ConfigurationError,
  HemicycleError,
  NetworkError,
  RateLimitedError,
  ServiceAnswerError,
} from '../errors.ts';
import type { Json } from '../model/document.ts';
import { errorSentence, readJson } from './body.ts';
import { concealing, diskError, failureOf } from './failure.ts';
import { backoffMs, retryAfterMs, type Validator, validatorOf } from './headers.ts';
import { type ClientOptions, defaultLimits, type Limits, type Tally } from './options.ts';
import { createTransport, type RawAnswer } from './transport.ts';

export type Query = Record<string, string | number | undefined>;

/** An answer that was understood as JSON; `at` is when it came, ISO 8601. */
export type JsonAnswer = {
  /** What was asked for; `url` is where the answer came from, after redirects. */
  address: string;
  url: string;
  body: Json;
  link: string | null;
  at: string;
  validator: Validator | null;
};

/** A file that was downloaded whole; `bytes` after decompression. */
export type Download = {
  address: string;
  url: string;
  bytes: number;
  sha256: string;
  contentType: string | null;
  at: string;
  validator: Validator | null;
};

export type Client = {
  baseUrl: string;
  /** The whole address of a path with its query: what an answer is known by. */
  address(path: string, query?: Query): string;
  /** The JSON at a path of the service, or at an address within its origin. */
  getJson(path: string, query?: Query): Promise<JsonAnswer>;
  /** The same, or null if the service says that it is still what that validator stands for. */
  getJsonIfChanged(path: string, query: Query, known: Validator | null): Promise<JsonAnswer | null>;
  /** Saves the body at a path of the service into a file; null, and no file, if it did not change. */
  download(
    path: string,
    query: Query,
    to: { file: string; known: Validator | null },
  ): Promise<Download | null>;
  /** What was asked so far. */
  tally: Tally;
  close(): Promise<void>;
};

/** A client of the service: paced, patient with refusals, and strict about what it takes for an answer. */
export async function createClient(options: ClientOptions): Promise<Client> {
  const limits = { ...defaultLimits, ...options.limits };
  const agent = await createAgent(limits);
  const tally: Tally = { requests: 0, byStatus: {}, bytes: 0, waitedMs: 0 };
  const { baseUrl, pace, now, sleep, random = Math.random } = options;
  const conceal = concealing(options.token);
  const trace = (line: string) => options.trace?.(conceal(line));
  const follow = await createTransport({ ...options, trace, agent, tally });
  const moment = () => new Date(now()).toISOString();

  type Asked = { url: string; known: Validator | null; totalMs: number };
  type Failure = {
    error: HemicycleError;
    waitMs: number | null;
    pausesAll: boolean;
    /** What is waited for, in words. */
    awaited: string;
  };

  /** Asks until there is an answer that waiting would not change, and hands it to `take`; null if it did not change. */
  async function answered<Result>(
    asked: Asked,
    take: (response: RawAnswer, url: string) => Promise<Result>,
  ): Promise<Result | null> {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await attemptOnce(asked, take);
      if ('result' in outcome) return outcome.result;
      const waitMs = outcome.waitMs ?? backoffMs(attempt, random);
      // Told so, nobody should ask, whether this request is tried again or not.
      if (outcome.pausesAll) pace.pause(waitMs);
      if (attempt >= limits.attempts || waitMs > limits.maxWaitMs) throw outcome.error;
      trace(`  waiting ${Math.ceil(waitMs / 1000)} s: ${outcome.error.message}`);
      options.onWait?.(waitMs, outcome.awaited);
      tally.waitedMs += waitMs;
      await sleep(waitMs);
    }
  }

  async function attemptOnce<Result>(
    { url, known, totalMs }: Asked,
    take: (response: RawAnswer, url: string) => Promise<Result>,
  ): Promise<{ result: Result | null } | Failure> {
    try {
      const { response, url: finalUrl } = await follow(url, { known, totalMs });
      if (response.status === 304 && known !== null) {
        await response.drop();
        return { result: null };
      }
      const refusal = await refusalOf(response, finalUrl);
      if (refusal) return { ...refusal, error: refusal.error.retold(conceal) };
      return { result: await take(response, finalUrl) };
    } catch (error) {
      if (error instanceof HemicycleError) throw error.retold(conceal);
      // Nothing is under way once the signal ended the waits; what ended them is the reason.
      options.signal?.throwIfAborted();
      const { reason, isPassing } = failureOf(error);
      const failed = new NetworkError(url, conceal(reason), error);
      if (!isPassing) throw failed;
      return { error: failed, waitMs: null, pausesAll: false, awaited: `another try (${reason})` };
    }
  }

  /** A refusal that may pass is returned, one that will not is thrown, success is null. */
  async function refusalOf(response: RawAnswer, url: string): Promise<Failure | null> {
    const { status, headers } = response;
    if (status >= 200 && status < 300) return null;
    const sentence = errorSentence(new TextDecoder().decode(await readBounded(response, url, 2 ** 20)));
    const askedMs = retryAfterMs(headers.get('retry-after'), Date.parse(headers.get('date') ?? '') || now());
    // Everybody was told the same moment: not all should come back at it.
    const waitMs = askedMs === null ? null : askedMs + Math.round(random() * 1000);
    if (status === 429) {
      const patience = waitMs ?? 60_000 + Math.round(random() * 1000);
      return {
        error: new RateLimitedError(url, patience),
        waitMs: patience,
        pausesAll: true,
        awaited: 'the service, which was asked too often (429)',
      };
    }
    if (status === 401 || status === 403) throw new AuthenticationError(url, status);
    const error = new ServiceAnswerError(url, `answered ${status}${sentence ? `: ${sentence}` : ''}`, {
      status,
    });
    if (![502, 503, 504].includes(status)) throw error;
    return { error, waitMs, pausesAll: waitMs !== null, awaited: `the service, which answered ${status}` };
  }

  async function readBounded(response: RawAnswer, url: string, maxBytes: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of bounded(response, url, maxBytes)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async function* bounded(response: RawAnswer, url: string, maxBytes: number): AsyncGenerator<Uint8Array> {
    let total = 0;
    for await (const chunk of response.body()) {
      total += chunk.byteLength;
      tally.bytes += chunk.byteLength;
      if (total > maxBytes) throw new ServiceAnswerError(url, `the answer is larger than ${maxBytes} bytes`);
      yield chunk;
    }
  }

  function getJsonIfChanged(path: string, query: Query, known: Validator | null): Promise<JsonAnswer | null> {
    const asked = { url: addressOf(baseUrl, path, query), known, totalMs: limits.totalJsonMs };
    return answered(asked, async (response, url) => {
      const { headers } = response;
      const bytes = await readBounded(response, url, limits.maxJsonBytes);
      const body = readJson(url, bytes, headers.get('content-type'));
      return {
        address: asked.url,
        url,
        body,
        link: headers.get('link'),
        at: moment(),
        validator: validatorOf(headers),
      };
    });
  }

  return {
    baseUrl,
    tally,
    address: (path, query = {}) => addressOf(baseUrl, path, query),
    getJsonIfChanged,
    async getJson(path, query = {}) {
      return (await getJsonIfChanged(path, query, null)) as JsonAnswer;
    },
    download(path, query, { file, known }) {
      const asked = { url: addressOf(baseUrl, path, query), known, totalMs: limits.totalFileMs };
      return answered(asked, async (response, url) => {
        const { bytes, sha256 } = await saveBody(bounded(response, url, limits.maxFileBytes), file);
        if (bytes === 0) throw new ServiceAnswerError(url, 'the answer is empty');
        const { headers } = response;
        return {
          address: asked.url,
          url,
          bytes,
          sha256,
          contentType: headers.get('content-type'),
          at: moment(),
          validator: validatorOf(headers),
        };
      });
    },
    close: () => agent.close(),
  };
}

/** Connections, through the proxy that the environment names. */
async function createAgent(limits: Limits): Promise<Dispatcher> {
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
      'HTTP_PROXY or HTTPS_PROXY does not name a proxy that can be used',
      'write http://proxy.example:3128, or http://user:password@proxy.example:3128',
    );
  }
}

/** Streams a body to disk; a disk that refuses is our own fault and no reason to ask again. */
async function saveBody(
  body: AsyncIterable<Uint8Array>,
  file: string,
): Promise<{ bytes: number; sha256: string }> {
  const digest = createHash('sha256');
  let bytes = 0;
  try {
    await pipeline(
      body,
      async function* (source) {
        for await (const chunk of source) {
          bytes += chunk.byteLength;
          digest.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(file),
    );
  } catch (error) {
    throw diskError(file, error) ?? error;
  }
  return { bytes, sha256: digest.digest('hex') };
}

/** The whole address of a path of the service, or of an address, with its query. */
export function addressOf(baseUrl: string, path: string, query: Query): string {
  const url = /^https?:/.test(path) ? new URL(path) : new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}
