import type { Dispatcher } from 'undici';
import { ServiceAnswerError } from '../errors.ts';
import type { ClientOptions, Tally } from './client.ts';
import { exhaustedMs } from './rate-headers.ts';
import { conditionalHeaders, type Validator } from './validator.ts';

export type Asking = {
  known: Validator | null;
  /** Longest time for the whole answer. */
  totalMs: number;
};

type TransportOptions = Pick<
  ClientOptions,
  'baseUrl' | 'token' | 'authHeader' | 'userAgent' | 'pace' | 'now' | 'signal' | 'trace'
> & { agent: Dispatcher; tally: Tally };

const mostHops = 5;

/**
 * How one address is asked: in its turn, with the token only at the service's own origin, redirects followed. Gives
 * the first answer that is no redirect, whatever it says, and the address that it came from.
 */
export async function createTransport(options: TransportOptions) {
  const { fetch } = await import('undici');
  const { pace, now, tally, trace = () => {} } = options;
  const origin = new URL(options.baseUrl).origin;

  async function request(url: string, { known, totalMs }: Asking): Promise<Response> {
    await pace.turn();
    options.signal?.throwIfAborted();
    trace(`> GET ${url}${known ? ' (if it changed)' : ''}`);
    tally.requests += 1;
    const response = (await fetch(url, {
      headers: {
        'user-agent': options.userAgent,
        accept: 'application/json, */*;q=0.5',
        'accept-encoding': 'gzip, br, zstd',
        ...conditionalHeaders(known),
        ...tokenHeader(options, url, origin),
      },
      redirect: 'manual',
      dispatcher: options.agent,
      signal: AbortSignal.timeout(totalMs),
    })) as unknown as Response;
    tally.byStatus[response.status] = (tally.byStatus[response.status] ?? 0) + 1;
    trace(`< ${response.status} ${response.headers.get('content-type') ?? ''} ${url}`);
    const restMs = exhaustedMs(response.headers, now());
    if (restMs > 0) pace.pause(restMs);
    return response;
  }

  return async function follow(url: string, asking: Asking): Promise<{ response: Response; url: string }> {
    let target = url;
    for (let hops = 0; hops <= mostHops; hops += 1) {
      const response = await request(target, asking);
      const isRedirect = response.status >= 300 && response.status < 400 && response.status !== 304;
      const location = isRedirect ? response.headers.get('location') : null;
      if (location === null) return { response, url: target };
      await response.body?.cancel();
      target = nextTarget(target, location);
    }
    throw new ServiceAnswerError(url, 'redirects in a circle');
  };

  function nextTarget(from: string, location: string): string {
    const next = URL.canParse(location, from) ? new URL(location, from) : null;
    if (!next || !/^https?:$/.test(next.protocol))
      throw new ServiceAnswerError(from, 'redirects to what is no web address');
    if (options.token !== null && next.origin !== origin)
      throw new ServiceAnswerError(from, `redirects to ${next.origin}, where the token must not go`);
    return next.href;
  }
}

/** The token goes to the service's own origin only. */
function tokenHeader(
  { token, authHeader }: Pick<ClientOptions, 'token' | 'authHeader'>,
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
