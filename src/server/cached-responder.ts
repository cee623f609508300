import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Edition } from '../store/records/contents.ts';
import { createHostCheck, namesOneHost } from './allowed-hosts.ts';
import type { Encoding } from './encodings.ts';
import { headersOfBody, isNotModified, type Validators } from './headers.ts';
import type { Observed } from './observed.ts';
import type { ResponseCache } from './response-cache.ts';

/** An answer as it went out, to be sent again as long as the mirror is at that edition. */
export type SentResponse = {
  edition: Edition;
  validators: Validators;
  /** All that were sent, the length of the body included. */
  headers: Record<string, number | string | string[] | undefined>;
  /** The path of its route. */
  route: string | null;
  /** Where its bytes are in the response cache. */
  bodyKey: string;
  encoding: Encoding | null;
};

type CachedResponse = Omit<SentResponse, 'headers'> & { whole: string[]; notModified: string[] };

/**
 * Node joins headers to a string, and writes them beside a buffer by a call that takes a tenth longer; of longer bodies the
 * copy would cost more. A letter of Latin 1 is a byte.
 */
const mostJoined = 12_000;

const ofBody = new Set<string>(headersOfBody);

/**
 * Stands before the framework and gives what it gave a moment ago: the same address, asked in the same coding, of the
 * same edition of the mirror. Parsing, routing and validation would come to the same answer at twice the cost. It takes
 * anonymous GET requests only, and belongs before a server that does not count its callers.
 */
export class CachedResponder {
  readonly #edition: () => Edition;
  readonly #isAllowed: (host: string | undefined) => boolean;
  readonly #observers: ((answered: Observed) => void)[];
  readonly #cache: ResponseCache;
  #isOpen = true;

  constructor({
    cache,
    edition,
    allowedHosts,
    observers,
  }: {
    cache: ResponseCache;
    /** The edition of the mirror now, the same object as long as it is the same. */
    edition: () => Edition;
    allowedHosts?: string[] | undefined;
    observers: ((answered: Observed) => void)[];
  }) {
    this.#cache = cache;
    this.#edition = edition;
    this.#isAllowed = allowedHosts ? createHostCheck(allowedHosts) : () => true;
    this.#observers = observers;
  }

  /** Takes the requests to a server first; what it cannot answer goes to those who listened before. */
  putBefore(server: Server): void {
    const listeners = server.listeners('request');
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (this.#answer(request, response)) return;
      for (const listener of listeners) listener.call(server, request, response);
    });
  }

  /** Stops answering from the cache. */
  close(): void {
    this.#isOpen = false;
  }

  /** Keeps how a request was answered. */
  keep(request: IncomingMessage, { headers, ...sent }: SentResponse): void {
    if (!this.#isOpen || !isPlain(request) || !this.#isOf(sent.edition)) return;
    const [whole, notModified] = [flat(headers, () => true), flat(headers, (name) => !ofBody.has(name))];
    const key = keyOf(request);
    this.#cache.remember(key, { ...sent, whole, notModified }, 2 * (key.length + whole.join('').length));
  }

  #answer(request: IncomingMessage, response: ServerResponse): boolean {
    if (!this.#isOpen || !isPlain(request)) return false;
    const key = keyOf(request);
    const kept = this.#cache.recall(key) as CachedResponse | undefined;
    if (kept === undefined) return false;
    if (!this.#isOf(kept.edition)) {
      this.#cache.forget(key);
      return false;
    }
    if (!namesOneHost(request) || !this.#isAllowed(request.headers.host)) return false;
    const isKnown = isNotModified(request.headers, kept.validators);
    const body = isKnown ? undefined : this.#cache.bytesOf(kept.bodyKey, kept.encoding);
    if (!isKnown && body === undefined) return false;
    this.#observe(request, response, kept.route);
    response.writeHead(isKnown ? 304 : 200, isKnown ? kept.notModified : kept.whole);
    if (body === undefined || body.length > mostJoined) response.end(body);
    else response.end(body.toString('latin1'), 'latin1');
    return true;
  }

  /** True if the mirror is at that edition now; not where there is none, which those who listened before say. */
  #isOf(edition: Edition): boolean {
    try {
      return this.#edition() === edition;
    } catch {
      return false;
    }
  }

  #observe({ url = '' }: IncomingMessage, response: ServerResponse, route: string | null): void {
    if (this.#observers.length === 0) return;
    const begunMs = performance.now();
    response.once('finish', () => {
      const ms = performance.now() - begunMs;
      const answered: Observed = {
        method: 'GET',
        route,
        url,
        status: response.statusCode,
        ms,
        caller: 'anonymous',
      };
      for (const observe of this.#observers) observe(answered);
    });
  }
}

function isPlain({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.authorization === undefined;
}

/**
 * What an answer depends on beside the mirror: that of a page also on its reader's language, and on the name of this
 * server, by which it names its own pictures; the responder on who asks.
 */
function keyOf({ url = '', headers }: IncomingMessage): string {
  const coding = headers['accept-encoding'] ?? '';
  if (url.startsWith('/api/')) return `GET ${url} ${coding}`;
  return `GET ${url} ${coding} ${headers.accept ?? ''} ${headers['accept-language'] ?? ''} ${headers.host}`;
}

function flat(headers: SentResponse['headers'], isSent: (name: string) => boolean): string[] {
  return Object.entries(headers)
    .filter(([name, value]) => value !== undefined && isSent(name))
    .flatMap(([name, value]) => [name, String(value)]);
}
