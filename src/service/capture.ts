import { DeliveryError, RateLimitedError } from '../errors.ts';
import { webAddress } from '../model/attribution.ts';
import { dataSize, type Phrase, say } from '../words/speech.ts';
import { failureOf } from './failure.ts';
import { retryAfterMs } from './headers.ts';
import type { ServiceClientOptions } from './options.ts';
import { requirePublicHost } from './public-address.ts';
import { openConnection } from './retry.ts';
import { maxRedirects, type RawResponse, redirectLocation } from './transport.ts';

/** One request for a web address, as sent, and its response; `reason` says why that is missing, cut or not followed. */
export type Capture = {
  address: string;
  /** Time of the request, ISO 8601; null if none was sent. */
  at: string | null;
  request: string;
  response: CapturedResponse | null;
  /** Absolute address; null for no redirect, or an invalid one. */
  redirectsTo: string | null;
  reason: Phrase | null;
};

/** A response as received, without its transfer coding. */
type CapturedResponse = {
  status: number;
  type: string | null;
  /** Status line and headers, latin1. */
  head: string;
  body: Buffer;
  /** The reason why the body ends early, in WARC terms; null for a complete body. */
  cut: 'length' | 'time' | 'disconnect' | null;
};

/** Limits of captures: bytes per response and in total, milliseconds per response and for all requests. */
const captureBounds = { maxBytes: 32 * 2 ** 20, maxTotalBytes: 128 * 2 ** 20, responseMs: 60_000, totalMs: 600_000 };

/** Options of a capture: the clock stamps requests, and the signal ends the capture with its reason. */
export type CaptureOptions = Pick<
  ServiceClientOptions,
  'userAgent' | 'pace' | 'now' | 'sleep' | 'trace' | 'signal' | 'isPrivate'
> & {
  /** Address of the service, whose own origin may be private; null if unknown. */
  baseUrl: string | null;
  bounds?: Partial<typeof captureBounds>;
  onRequest?: (index: number) => void; // called before each address is requested
};

/** Requests each address and its redirects once, without token or cookies, and returns the captures in order. */
export async function captureAddresses(addresses: readonly string[], options: CaptureOptions) {
  const { capture, close } = await openCapturer(options);
  await using _ = { [Symbol.asyncDispose]: close };
  const captures = new Map<string, Capture>();
  for (const [index, address] of addresses.entries()) {
    options.onRequest?.(index);
    const visited = new Set<string>();
    let next: string | null = withoutFragment(address);
    while (next !== null && !captures.has(next)) {
      const nextCapture: Capture = await capture(next);
      captures.set(next, nextCapture);
      visited.add(next);
      next = nextCapture.redirectsTo;
      if (next !== null && (visited.has(next) || visited.size > maxRedirects)) {
        nextCapture.reason = say`redirects too many times`;
        break;
      }
    }
  }
  return [...captures.values()];
}

/** Opens a connection; `capture` requests one address without following redirects, and throws only if aborted. */
async function openCapturer({ bounds, ...options }: CaptureOptions) {
  const { baseUrl, pace, isPrivate = false, now, userAgent } = options;
  const { maxBytes, maxTotalBytes, responseMs, totalMs } = { ...captureBounds, ...bounds };
  const { ask: requestOnce, close } = await openConnection({
    ...options,
    // Hosts below .invalid do not exist (RFC 2606), so that no address is the service's own.
    baseUrl: baseUrl ?? 'http://service.invalid',
    token: null,
    isPrivate,
    allowH2: false,
    limits: { connectTimeoutMs: 10_000, headersTimeoutMs: responseMs, idleTimeoutMs: responseMs },
  });
  options.signal?.addEventListener('abort', close);
  const headers = { 'user-agent': userAgent, accept: 'text/html,*/*;q=0.8', 'accept-encoding': 'identity' };
  const deadline = AbortSignal.timeout(totalMs);
  let remainingBytes = maxTotalBytes;

  /** Returns the reason not to request a URL, or null; throws a DeliveryError for a private host. */
  async function reasonNotToRequest({ origin, hostname }: URL): Promise<Phrase | null> {
    if (deadline.aborted) return say`was not requested: the time limit for all URLs was reached`;
    if (remainingBytes <= 0) return say`was not requested: the maximum file size was reached`;
    const isOfService = baseUrl !== null && new URL(baseUrl).origin === origin;
    // A proxy resolves names itself, so the check of the connection's DNS lookup would not see private addresses.
    if (!isPrivate && !isOfService) await requirePublicHost(hostname);
    return null;
  }

  async function capture(address: string): Promise<Capture> {
    const url = new URL(address);
    // The request as undici writes it.
    const fields = Object.entries({ host: url.host, connection: 'close', ...headers });
    const headerLines = fields.map((pair) => pair.join(': '));
    const request = [`GET ${url.pathname}${url.search} HTTP/1.1`, ...headerLines, '', ''].join('\r\n');
    const newCapture: Capture = { address, at: null, request, response: null, redirectsTo: null, reason: null };
    const prepare = async () => {
      newCapture.at = new Date(now()).toISOString();
      return { method: 'GET', headers, body: null, reset: true };
    };
    try {
      newCapture.reason = await reasonNotToRequest(url);
      if (newCapture.reason !== null) return newCapture;
      const response = await requestOnce(address, { validator: null, totalMs: responseMs, prepare });
      const { status, headers: responseHeaders } = response;
      // Not `now()`, which SOURCE_DATE_EPOCH may set.
      if (status === 429) pace.pause(retryAfterMs(responseHeaders.get('retry-after'), Date.now()) ?? 60_000, address);
      const { reason, ...body } = await readBody(response, Math.min(maxBytes, remainingBytes));
      response.release();
      options.signal?.throwIfAborted();
      remainingBytes -= body.body.length;
      newCapture.response = { status, type: responseHeaders.get('content-type'), head: headOf(response), ...body };
      return { ...newCapture, reason, ...redirectFields(address, response) };
    } catch (error) {
      options.signal?.throwIfAborted();
      return { ...newCapture, reason: reasonOf(error) };
    }
  }
  return { capture, close };
}

const withoutFragment = (address: string) => new URL(address).href.replace(/#.*/, '');

const privateReason = say`was not requested: it is an address of this machine or of a private network`;

function reasonOf(error: unknown): Phrase {
  const { cause } = error as Error;
  // Checks of public addresses throw a DeliveryError, before the request or as the cause of a failed connection.
  if (error instanceof DeliveryError || cause instanceof DeliveryError) return privateReason;
  if (error instanceof RateLimitedError) return say`was not requested: the service currently refuses requests`;
  return failureOf(error).reason;
}

/** The body, truncated at `maxBytes` or when an error ends it; `reason` then says why, and is null otherwise. */
async function readBody({ rawBody }: RawResponse, maxBytes: number) {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const truncatedBody = (cut: CapturedResponse['cut'], reason: Phrase) => ({
    body: Buffer.concat(chunks).subarray(0, maxBytes),
    cut,
    reason: say`${reason}: only its beginning is kept`,
  });
  try {
    for await (const chunk of rawBody) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) return truncatedBody('length', say`the answer is larger than ${dataSize(maxBytes)}`);
    }
    return { body: Buffer.concat(chunks), cut: null, reason: null };
  } catch (error) {
    return truncatedBody(/Timeout/.test((error as Error).name) ? 'time' : 'disconnect', failureOf(error).reason);
  }
}

/** Status line and headers as received; `Transfer-Encoding` is renamed, because the body is stored without it. */
function headOf({ status, statusText, rawHeaders }: RawResponse): string {
  // undici decodes the phrase as UTF-8, unlike the headers.
  const statusLine = `HTTP/1.1 ${status} ${Buffer.from(statusText).toString('latin1')}`;
  const storedName = (name: string) => name.replace(/^transfer-encoding$/i, 'X-Archive-Orig-$&');
  return [statusLine, ...rawHeaders.map(([name, value]) => `${storedName(name)}: ${value}`), '', ''].join('\r\n');
}

/** The redirect target of a response; for an invalid one a reason, which replaces that of an incomplete body. */
function redirectFields(address: string, response: RawResponse): Partial<Capture> {
  const location = redirectLocation(response);
  if (location === null) return {};
  const target = webAddress(URL.parse(location, address)?.href ?? '');
  return target === null ? { reason: say`redirects to an invalid address` } : { redirectsTo: withoutFragment(target) };
}
