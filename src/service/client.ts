import { ServiceAnswerError } from '../errors.ts';
import type { OmittedField } from '../model/bounds.ts';
import type { Json } from '../model/document.ts';
import { say } from '../words/speech.ts';
import { collectBytes, limitBody, parseJson, writeBody } from './body.ts';
import { createRedactor } from './failure.ts';
import { type BodyEnd, bodyEndOf, mirrorHeader, type Validator, validatorOf } from './headers.ts';
import { defaultLimits, type Limits, type RequestTally, type ServiceClientOptions } from './options.ts';
import { createRetry, type Retry } from './retry.ts';
import { createAgent, createTransport } from './transport.ts';

export type QueryParameters = Record<string, string | number | undefined>;

/** A JSON response; `at` is when it arrived, ISO 8601. */
export type JsonResponse = {
  /** Requested address; `url` is the final one, after redirects. */
  address: string;
  url: string;
  body: Json;
  link: string | null;
  at: string;
  validator: Validator | null;
  /** Collects the fields that are omitted because they are too large. */
  excess: OmittedField[];
};

/** A complete download; `bytes` counts after decompression. */
export type Download = {
  address: string;
  url: string;
  bytes: number;
  sha256: string;
  contentType: string | null;
  /** How the response marked its end. */
  end: BodyEnd;
  /** True if another Hemicycle sent it, whose mirror can be followed. */
  isOfHemicycle: boolean;
  at: string;
  validator: Validator | null;
};

export type ServiceClient = {
  baseUrl: string;
  /** Absolute URL of a path and query; responses are remembered by it. */
  address(path: string, query?: QueryParameters): string;
  /** Gets JSON from a path of the service, or from a URL within its origin. */
  getJson(path: string, query?: QueryParameters): Promise<JsonResponse>;
  /** The same as a conditional request; null for 304 Not Modified. */
  getJsonIfChanged(
    path: string,
    query: QueryParameters,
    known: Validator | null,
  ): Promise<JsonResponse | null>;
  /** Downloads a path into a file; null, and no file, for 304 Not Modified. */
  download(
    path: string,
    query: QueryParameters,
    to: { file: string; known: Validator | null },
  ): Promise<Download | null>;
  /** The same client with at most that many attempts per request. */
  withAttempts(attempts: number): ServiceClient;
  /** Counts of requests so far. */
  tally: RequestTally;
  close(): Promise<void>;
};

/** Creates an HTTP client of the service: rate-limited, retrying, with bounded responses. */
export async function createServiceClient(options: ServiceClientOptions): Promise<ServiceClient> {
  const limits = { ...defaultLimits, ...options.limits };
  const agent = await createAgent(limits);
  const tally: RequestTally = { requests: 0, byStatus: {}, bytes: 0, waitedMs: 0, excess: [] };
  const { baseUrl, now, random = Math.random } = options;
  const conceal = createRedactor(options.token);
  const trace = (line: string) => options.trace?.(conceal(line));
  const follow = await createTransport({ ...options, trace, agent, tally, limits });
  const moment = () => new Date(now()).toISOString();
  const retryWithin = (attempts: number) =>
    createRetry({ ...options, random, trace, follow, limits: { ...limits, attempts }, tally });
  // destroy, not close: an unread body would keep close() waiting for ever.
  const close = () => agent.destroy();
  const withAttempts = (attempts: number): ServiceClient =>
    clientOf({ baseUrl, limits, tally, moment, retry: retryWithin(attempts), withAttempts, close });
  return withAttempts(limits.attempts);
}

type ClientParts = Pick<ServiceClient, 'baseUrl' | 'tally' | 'withAttempts' | 'close'> & {
  limits: Limits;
  retry: Retry;
  /** Now, ISO 8601. */
  moment: () => string;
};

function clientOf({
  baseUrl,
  limits,
  tally,
  moment,
  retry,
  withAttempts,
  close,
}: ClientParts): ServiceClient {
  function getJsonIfChanged(
    path: string,
    query: QueryParameters,
    known: Validator | null,
  ): Promise<JsonResponse | null> {
    const asked = { url: requestUrl(baseUrl, path, query), known, totalMs: limits.totalJsonMs };
    return retry(asked, async (response, url) => {
      const { headers } = response;
      const bytes = await collectBytes(limitBody(response, { url, maxBytes: limits.maxJsonBytes, tally }));
      const body = parseJson(url, bytes, headers.get('content-type'));
      return {
        address: asked.url,
        url,
        body,
        link: headers.get('link'),
        at: moment(),
        validator: validatorOf(headers),
        excess: tally.excess,
      };
    });
  }

  return {
    baseUrl,
    tally,
    address: (path, query = {}) => requestUrl(baseUrl, path, query),
    getJsonIfChanged,
    async getJson(path, query = {}) {
      return (await getJsonIfChanged(path, query, null)) as JsonResponse;
    },
    download(path, query, { file, known }) {
      const asked = { url: requestUrl(baseUrl, path, query), known, totalMs: limits.totalFileMs };
      return retry(asked, async (response, url) => {
        const { bytes, sha256 } = await writeBody(
          limitBody(response, { url, maxBytes: limits.maxFileBytes, tally }),
          file,
        );
        if (bytes === 0) throw new ServiceAnswerError(url, say`the answer is empty`);
        const { headers } = response;
        return {
          address: asked.url,
          url,
          bytes,
          sha256,
          contentType: headers.get('content-type'),
          end: bodyEndOf(headers),
          isOfHemicycle: headers.has(mirrorHeader),
          at: moment(),
          validator: validatorOf(headers),
        };
      });
    },
    withAttempts: (attempts) => withAttempts(Math.min(attempts, limits.attempts)),
    close,
  };
}

/** Absolute URL of a service path, or of a URL, with a query. */
export function requestUrl(baseUrl: string, path: string, query: QueryParameters): string {
  const url = /^https?:/.test(path) ? new URL(path) : new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}
