import { once } from 'node:events';
import type { LookupFunction } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { ConfigurationError, DeliveryError, HemicycleError, ServiceAnswerError } from '../errors.ts';
import { inBatches, partsOfList } from '../model/document.ts';
import { say } from '../words/speech.ts';
import { RedirectFailure } from './failure.ts';
import { conditionalHeaders, quotaWaits, type Validator } from './headers.ts';
import type { Limits, RequestTally, ServiceClientOptions } from './options.ts';
import { guardedLookup, refuseAddress, resolvesToPrivate } from './public-address.ts';

/** A response whose body can be read once. */
export type RawResponse = Awaited<ReturnType<Transport['ask']>>;

/** A request; `validator` makes it conditional, `totalMs` limits the time of the whole response. */
export type TransportRequest = {
  validator: Validator | null;
  totalMs: number;
  /** JSON to POST; absent for a GET request. */
  jsonBody?: string;
  /** Creates the request of each attempt instead of a default; the caller handles statuses below 500 except 429. */
  prepare?: (url: string) => Promise<PreparedRequest>;
};

/** A request with headers of its own, such as a signature. */
export type PreparedRequest = {
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | Readable | null;
  /** True for a new connection, which no earlier response can have closed. */
  reset?: boolean;
};

type TransportOptions = Pick<
  ServiceClientOptions,
  'baseUrl' | 'token' | 'authHeader' | 'userAgent' | 'pace' | 'signal' | 'trace'
> & { agentFor: (url: string) => Promise<Dispatcher>; tally: RequestTally; limits: Limits };

/** `ask` sends one request; `follow` also redirects: the last response, its URL, `isMoved` unless one was temporary. */
export type Transport = Awaited<ReturnType<typeof createTransport>>;

/** Maximum number of redirects from one address. */
export const maxRedirects = 5;

/** Creates a transport, which paces requests, and sends the token to the origin of the service only. */
export async function createTransport(options: TransportOptions) {
  const { request } = await import('undici');
  const { pace, tally, limits, trace = () => {} } = options;
  const origin = new URL(options.baseUrl).origin;

  const defaultRequest = (url: string, { validator, jsonBody }: TransportRequest): PreparedRequest => ({
    method: jsonBody === undefined ? 'GET' : 'POST',
    body: jsonBody ?? null,
    headers: {
      accept: 'application/json, */*;q=0.5',
      'accept-encoding': 'gzip, br, zstd',
      ...(jsonBody === undefined ? {} : { 'content-type': 'application/json' }),
      ...conditionalHeaders(validator),
      ...tokenHeader(options, url, origin),
    },
  });

  async function ask(url: string, transportRequest: TransportRequest) {
    await pace.waitForSlot(url, (ms) => {
      tally.waitedMs += ms;
    });
    options.signal?.throwIfAborted();
    const dispatcher = await options.agentFor(url);
    const prepared = (await transportRequest.prepare?.(url)) ?? defaultRequest(url, transportRequest);
    trace(`> ${prepared.method} ${url}${transportRequest.validator ? ' (if it changed)' : ''}`);
    tally.requests += 1;
    const startLimitMs = limits.connectTimeoutMs + limits.headersTimeoutMs;
    const { statusCode, statusText, headers, body } = await withStartTimeout(startLimitMs, (startSignal) =>
      request(url, {
        ...prepared,
        headers: { 'user-agent': options.userAgent, ...prepared.headers },
        dispatcher,
        responseHeaders: 'raw',
        signal: AbortSignal.any([startSignal, AbortSignal.timeout(transportRequest.totalMs)]),
      }),
    );
    // Readers get the error; an unread body must not crash the process.
    body.on('error', () => {});
    const rawHeaders = [...inBatches(headers as unknown as string[], 2)] as [name: string, value: string][];
    const responseHeaders = new Headers(rawHeaders);
    tally.byStatus[statusCode] = (tally.byStatus[statusCode] ?? 0) + 1;
    trace(`< ${statusCode} ${responseHeaders.get('content-type') ?? ''} ${url}`);
    return {
      status: statusCode,
      headers: responseHeaders,
      /** Reason phrase of the status line; `rawHeaders` are the headers as received (latin1). */
      statusText,
      rawHeaders,
      body: () => decodeBody(body, responseHeaders.get('content-encoding'), url),
      /** The body as received, still compressed. */
      rawBody: body as AsyncIterable<Uint8Array>,
      /** Destroys an unread body, which would keep the connection open. */
      release() {
        if (!body.readableEnded) body.destroy();
      },
    };
  }

  async function follow(url: string, transportRequest: TransportRequest) {
    let target = url;
    let isMoved = true; // true while all redirects are permanent
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      const response = await ask(target, transportRequest).catch((error) => throwRequestError(error, { url, target }));
      for (const ms of quotaWaits(response.headers)) pace.pause(ms, target);
      const location = redirectLocation(response);
      if (location === null) return { response, url: target, isMoved };
      isMoved &&= response.status === 301 || response.status === 308;
      response.release();
      target = redirectTarget(target, location, { token: options.token, origin });
      const next = new URL(target).origin;
      if (transportRequest.jsonBody !== undefined && next !== origin)
        throw new ServiceAnswerError(url, say`redirects to ${next}, another origin: the request was not sent there`);
    }
    throw new ServiceAnswerError(url, say`redirects too many times`);
  }
  return { ask, follow };
}

/** Runs a request; aborts it if the response has not begun within `ms`. */
async function withStartTimeout<Answer>(ms: number, ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const startController = new AbortController();
  const abortLate = () => startController.abort(new DOMException('the answer took too long', 'TimeoutError'));
  const timer = setTimeout(abortLate, ms);
  // undici ignores abort while CONNECT is pending.
  const timeout = once(startController.signal, 'abort').then(() => Promise.reject(startController.signal.reason));
  return Promise.race([ask(startController.signal), timeout]).finally(() => clearTimeout(timer));
}

/** Throws the error of a request; the error names the redirect target if that failed or is private. */
function throwRequestError(error: unknown, { url, target }: { url: string; target: string }): never {
  const isOtherOrigin = new URL(target).origin !== new URL(url).origin;
  if (isOtherOrigin && !(error instanceof HemicycleError)) throw new RedirectFailure(target, { cause: error });
  if (!(error instanceof DeliveryError)) throw error;
  throw new ServiceAnswerError(url, say`redirects to ${target}, which leads to this machine or a private network`);
}

/** The `Location` of a redirect, unresolved; null for other responses. */
export function redirectLocation({ status, headers }: { status: number; headers: Headers }): string | null {
  return status >= 300 && status < 400 && status !== 304 ? headers.get('location') : null;
}

/** Absolute target of a redirect; throws a ServiceAnswerError if a request with a token would leave its origin. */
function redirectTarget(from: string, location: string, { token, origin }: { token: string | null; origin: string }) {
  const next = URL.parse(location, from);
  if (!next || !/^https?:$/.test(next.protocol))
    throw new ServiceAnswerError(from, say`redirects to an invalid address`);
  if (token !== null && next.origin !== origin)
    throw new ServiceAnswerError(from, say`redirects to ${next.origin}, another origin: the token was not sent there`);
  return next.href;
}

/** Creates connection pools; `agentFor` throws a DeliveryError for a private origin, unless the service is private. */
export async function createAgents({ baseUrl, isPrivate, allowH2 = true }: ServiceClientOptions, limits: Limits) {
  const plainAgent = await createAgent(limits, { allowH2 });
  const guardedAgent = await createAgent(limits, { allowH2, connect: { lookup: guardedLookup(false) } });
  const { origin, hostname } = new URL(baseUrl);
  return {
    async agentFor(url: string): Promise<Dispatcher> {
      const target = new URL(url);
      if (target.origin === origin || (isPrivate ?? (await resolvesToPrivate(hostname)))) return plainAgent;
      refuseAddress(target.hostname, false);
      return guardedAgent;
    },
    // destroy, not close: an unread body would keep close() waiting for ever.
    destroy: async () => void (await Promise.all([plainAgent.destroy(), guardedAgent.destroy()])),
  };
}

async function createAgent(limits: Limits, agentOptions: { allowH2: boolean; connect?: { lookup: LookupFunction } }) {
  const { EnvHttpProxyAgent } = await import('undici');
  try {
    return new EnvHttpProxyAgent({
      headersTimeout: limits.headersTimeoutMs,
      bodyTimeout: limits.idleTimeoutMs,
      connectTimeout: limits.connectTimeoutMs,
      ...agentOptions,
    });
  } catch {
    // Not shown: the value may contain a password.
    throw new ConfigurationError(
      say`HTTP_PROXY or HTTPS_PROXY is not a valid proxy address`,
      say`write http://proxy.example:3128, or http://user:password@proxy.example:3128`,
    );
  }
}

/** The header with the token; none for another origin or without a token. */
function tokenHeader(
  { token, authHeader = 'Authorization: Bearer {token}' }: TransportOptions,
  url: string,
  origin: string,
) {
  if (token === null || new URL(url).origin !== origin) return {};
  const colon = authHeader.indexOf(':');
  const value = authHeader.slice(colon + 1).trim();
  return { [authHeader.slice(0, colon).toLowerCase()]: value.replace('{token}', token) };
}

/** Decoders by content encoding; unlike a browser's, they reject truncated bodies. */
const decoders: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
};

/** Decompresses a body; throws a ServiceAnswerError for an encoding that was not requested. */
function decodeBody(body: AsyncIterable<Uint8Array>, encoding: string | null, url: string): AsyncIterable<Uint8Array> {
  const names = partsOfList((encoding ?? '').toLowerCase()).filter((name) => name !== 'identity');
  if (names.length === 0) return body;
  let stream: NodeJS.ReadableStream = Readable.from(body);
  for (const name of names.reverse()) {
    const create = decoders[name];
    if (!create) throw new ServiceAnswerError(url, say`the answer is compressed as "${name}", which was not requested`);
    // pipeline() passes every error on to the last stream, which the caller reads.
    stream = pipeline(stream, create(), () => {});
  }
  return stream as unknown as AsyncIterable<Uint8Array>;
}
