import { ServiceAnswerError } from '../errors.ts';
import type { OmittedField } from '../model/bounds.ts';
import type { Json } from '../model/document.ts';
import { say } from '../words/speech.ts';
import { collectBytes, limitBody, parseJson, writeBody } from './body.ts';
import { fileNameIn, mirrorHeader, type Validator, validatorOf } from './headers.ts';
import type { RequestTally, ServiceClientOptions } from './options.ts';
import { type Connection, openConnection } from './retry.ts';

export type QueryParameters = Record<string, string | number | undefined>;

/** Requested address of a response, the final `url` after redirects, and its arrival, ISO 8601. */
type ResponseFacts = { address: string; url: string; at: string; validator: Validator | null };

/** A JSON response. */
export type JsonResponse = ResponseFacts & {
  body: Json;
  link: string | null;
  /** Collects the fields that are omitted because they are too large. */
  excess: OmittedField[];
};

/** A complete download; `bytes` counts after decompression. */
export type Download = ResponseFacts & {
  bytes: number;
  sha256: string;
  fileName: string | null;
  /** True if the sender is another Hemicycle, whose mirror can be followed. */
  isOfHemicycle: boolean;
};

export type ServiceClient = {
  baseUrl: string;
  /** Absolute URL of a path and query; the key of stored responses. */
  address(path: string, query?: QueryParameters): string;
  /** Gets JSON from a path of the service, or from a URL within its origin. */
  getJson(path: string, query?: QueryParameters): Promise<JsonResponse>;
  /** Gets JSON by a conditional request; null for 304 Not Modified. */
  getJsonIfChanged(path: string, query: QueryParameters, validator: Validator | null): Promise<JsonResponse | null>;
  /** Downloads a path into a file; null, and no file, for 304 Not Modified. */
  download(
    path: string,
    query: QueryParameters,
    to: { file: string; validator: Validator | null },
  ): Promise<Download | null>;
  withAttempts(attempts: number): ServiceClient;
  tally: RequestTally;
  close(): Promise<void>;
};

/** Creates an HTTP client of the service: rate-limited, retrying, with bounded responses. */
export async function createServiceClient(options: ServiceClientOptions): Promise<ServiceClient> {
  const connection = await openConnection(options);
  return clientWithin(connection.limits.attempts, connection, options);
}

function clientWithin(
  attempts: number,
  connection: Connection,
  options: Pick<ServiceClientOptions, 'baseUrl' | 'now'>,
): ServiceClient {
  const { limits, tally, close } = connection;
  const { baseUrl, now } = options;
  const retry = connection.retryWithin(attempts);
  const address = (path: string, query: QueryParameters = {}) => requestUrl(baseUrl, path, query);
  const facts = (address: string, url: string, headers: Headers): ResponseFacts => ({
    address,
    url,
    at: new Date(now()).toISOString(),
    validator: validatorOf(headers),
  });

  function getJsonIfChanged(path: string, query: QueryParameters, validator: Validator | null) {
    const request = { url: address(path, query), validator, totalMs: limits.totalJsonMs };
    return retry(request, async (response, url) => {
      const { headers } = response;
      const bytes = await collectBytes(limitBody(response, { url, maxBytes: limits.maxJsonBytes, tally }));
      const body = parseJson(url, bytes, headers.get('content-type'));
      return { ...facts(request.url, url, headers), body, link: headers.get('link'), excess: tally.excess };
    });
  }

  return {
    baseUrl,
    tally,
    address,
    getJsonIfChanged,
    async getJson(path, query = {}) {
      return (await getJsonIfChanged(path, query, null)) as JsonResponse;
    },
    download(path, query, { file, validator }) {
      const request = { url: address(path, query), validator, totalMs: limits.totalFileMs };
      return retry(request, async (response, url) => {
        const body = limitBody(response, { url, maxBytes: limits.maxFileBytes, tally });
        const { bytes, sha256 } = await writeBody(body, file);
        if (bytes === 0) throw new ServiceAnswerError(url, say`the answer is empty`);
        const { headers } = response;
        return {
          ...facts(request.url, url, headers),
          bytes,
          sha256,
          fileName: fileNameIn(headers),
          isOfHemicycle: headers.has(mirrorHeader),
        };
      });
    },
    withAttempts: (fewer) => clientWithin(Math.min(fewer, limits.attempts), connection, options),
    close,
  };
}

/** Absolute URL of a service path, or of a URL, with a query. */
export function requestUrl(baseUrl: string, path: string, query: QueryParameters): string {
  const url = /^https?:/.test(path) ? new URL(path) : new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}
