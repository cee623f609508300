import { ServiceAnswerError } from '../errors.ts';
import { say } from '../words/speech.ts';
import { collectBytes, limitBody, parseJson, writeBody } from './body.ts';
import { cacheAgeMs, fileNameIn, mirrorHeader, type Validator, validatorOf } from './headers.ts';
import type { ServiceClientOptions } from './options.ts';
import { type Connection, openConnection } from './retry.ts';

/** Query parameters; undefined ones are omitted. */
export type QueryParameters = Record<string, string | number | undefined>;

/** A JSON response with its addresses, times and validator. */
export type JsonResponse = NonNullable<Awaited<ReturnType<ServiceClient['getJsonIfChanged']>>>;

/** A complete download, with its size after decompression. */
export type Download = NonNullable<Awaited<ReturnType<ServiceClient['download']>>>;

/** An HTTP client of the service. */
export interface ServiceClient extends ReturnType<typeof createClient> {}

/** Creates an HTTP client of the service, which paces and retries requests and limits the size of responses. */
export async function createServiceClient(options: ServiceClientOptions): Promise<ServiceClient> {
  const connection = await openConnection(options);
  return createClient(connection.limits.attempts, connection, options);
}

function createClient(attempts: number, connection: Connection, options: ServiceClientOptions) {
  const { limits, tally, close } = connection;
  const { baseUrl, now } = options;
  const retry = connection.retryWithin(attempts);
  const address = (path: string, query: QueryParameters = {}) => requestUrl(baseUrl, path, query);
  /** Requested `address`, final `url` after redirects, times of arrival (`at`) and sending (`sentAt`), validator. */
  const responseFacts = (address: string, url: string, headers: Headers) => ({
    address,
    url,
    at: new Date(now()).toISOString(),
    sentAt: new Date(now() - cacheAgeMs(headers)).toISOString(),
    validator: validatorOf(headers),
  });

  /** Gets JSON by a conditional request; null for 304 Not Modified. */
  function getJsonIfChanged(path: string, query: QueryParameters, validator: Validator | null) {
    const request = { url: address(path, query), validator, totalMs: limits.totalJsonMs };
    return retry(request, async (response, url, isMoved) => {
      const { headers } = response;
      const bytes = await collectBytes(limitBody(response, { url, maxBytes: limits.maxJsonBytes, tally }));
      const body = parseJson(url, bytes, headers.get('content-type'));
      const link = headers.get('link');
      // Readers of the body add the fields that they omit as too large to `omittedFields`.
      return { ...responseFacts(request.url, url, headers), isMoved, body, link, omittedFields: tally.excess };
    });
  }

  return {
    baseUrl,
    tally,
    /** Absolute URL of a path and query; the key of stored responses. */
    address,
    getJsonIfChanged,
    /** Gets JSON from a path of the service, or from a URL within its origin. */
    getJson: async (path: string, query: QueryParameters = {}) => (await getJsonIfChanged(path, query, null))!,
    /** Downloads a path into a file; null, and no file, for 304 Not Modified. */
    download(path: string, query: QueryParameters, { file, validator }: { file: string; validator: Validator | null }) {
      const request = { url: address(path, query), validator, totalMs: limits.totalFileMs };
      return retry(request, async (response, url) => {
        const body = limitBody(response, { url, maxBytes: limits.maxFileBytes, tally });
        const { bytes, sha256 } = await writeBody(body, file);
        if (bytes === 0) throw new ServiceAnswerError(url, say`the answer is empty`);
        const { headers } = response;
        return {
          ...responseFacts(request.url, url, headers),
          bytes,
          sha256,
          fileName: fileNameIn(headers),
          /** True if the sender is another Hemicycle, whose mirror can be followed. */
          isOfHemicycle: headers.has(mirrorHeader),
        };
      });
    },
    /** This client with fewer attempts per request. */
    withAttempts: (max: number): ServiceClient => createClient(Math.min(max, limits.attempts), connection, options),
    close,
  };
}

/** The absolute URL of a path of the service, or of an absolute URL, with a query. */
export function requestUrl(baseUrl: string, path: string, query: QueryParameters): string {
  const url = /^https?:/.test(path) ? new URL(path) : new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}
