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

/** An answer that was understood as JSON; `at` is when it came, ISO 8601. */
export type JsonResponse = {
  /** What was asked for; `url` is where the answer came from, after redirects. */
  address: string;
  url: string;
  body: Json;
  link: string | null;
  at: string;
  validator: Validator | null;
  /** Told of the fields that its records are taken without. */
  excess: OmittedField[];
};

/** A file that was downloaded whole; `bytes` after decompression. */
export type Download = {
  address: string;
  url: string;
  bytes: number;
  sha256: string;
  contentType: string | null;
  /** How it is known that nothing of it is missing. */
  end: BodyEnd;
  /** True where another Hemicycle sent it, which can be followed. */
  isOfHemicycle: boolean;
  at: string;
  validator: Validator | null;
};

export type ServiceClient = {
  baseUrl: string;
  /** The whole address of a path with its query: what an answer is known by. */
  address(path: string, query?: QueryParameters): string;
  /** The JSON at a path of the service, or at an address within its origin. */
  getJson(path: string, query?: QueryParameters): Promise<JsonResponse>;
  /** The same, or null if the service says that it is still what that validator stands for. */
  getJsonIfChanged(
    path: string,
    query: QueryParameters,
    known: Validator | null,
  ): Promise<JsonResponse | null>;
  /** Saves the body at a path of the service into a file; null, and no file, if it did not change. */
  download(
    path: string,
    query: QueryParameters,
    to: { file: string; known: Validator | null },
  ): Promise<Download | null>;
  /** The same client, which asks an address so many times at most before its failure stands. */
  withAttempts(attempts: number): ServiceClient;
  /** What was asked so far. */
  tally: RequestTally;
  close(): Promise<void>;
};

/** A client of the service: paced, patient with refusals, and strict about what it takes for an answer. */
export async function createServiceClient(options: ServiceClientOptions): Promise<ServiceClient> {
  const limits = { ...defaultLimits, ...options.limits };
  const agent = await createAgent(limits);
  const tally: RequestTally = { requests: 0, byStatus: {}, bytes: 0, waitedMs: 0, excess: [] };
  const { baseUrl, now, random = Math.random } = options;
  const conceal = createRedactor(options.token);
  const trace = (line: string) => options.trace?.(conceal(line));
  const follow = await createTransport({ ...options, trace, agent, tally, limits });
  const moment = () => new Date(now()).toISOString();
  const answeredIn = (attempts: number) =>
    createRetry({ ...options, random, trace, follow, limits: { ...limits, attempts }, tally });
  // Nothing is under way any more: to wait for what nobody reads would be for ever.
  const close = () => agent.destroy();
  const trying = (attempts: number): ServiceClient =>
    clientOf({ baseUrl, limits, tally, moment, answered: answeredIn(attempts), withAttempts: trying, close });
  return trying(limits.attempts);
}

type ClientParts = Pick<ServiceClient, 'baseUrl' | 'tally' | 'withAttempts' | 'close'> & {
  limits: Limits;
  answered: Retry;
  /** Now, ISO 8601. */
  moment: () => string;
};

function clientOf({
  baseUrl,
  limits,
  tally,
  moment,
  answered,
  withAttempts: trying,
  close,
}: ClientParts): ServiceClient {
  function getJsonIfChanged(
    path: string,
    query: QueryParameters,
    known: Validator | null,
  ): Promise<JsonResponse | null> {
    const asked = { url: requestUrl(baseUrl, path, query), known, totalMs: limits.totalJsonMs };
    return answered(asked, async (response, url) => {
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
      return answered(asked, async (response, url) => {
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
    withAttempts: (attempts) => trying(Math.min(attempts, limits.attempts)),
    close,
  };
}

/** The whole address of a path of the service, or of an address, with its query. */
export function requestUrl(baseUrl: string, path: string, query: QueryParameters): string {
  const url = /^https?:/.test(path) ? new URL(path) : new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}
