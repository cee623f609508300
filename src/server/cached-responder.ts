import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Edition } from '../store/records/contents.ts';
import { createHostCheck, namesOneHost } from './allowed-hosts.ts';
import type { Encoding } from './encodings.ts';
import { headersOfBody, isNotModified, type Validators } from './headers.ts';
import { type Observer, observeResponse } from './observed.ts';
import type { ResponseCache } from './response-cache.ts';

/** A sent response, valid while the mirror stays at that edition. */
export type SentResponse = {
  edition: Edition;
  validators: Validators;
  /** All headers sent, content-length included. */
  headers: Record<string, number | string | string[] | undefined>;
  /** The path of its route. */
  route: string | null;
  /** Key of its body in the response cache. */
  bodyKey: string;
  encoding: Encoding | null;
};

export type CachedResponderOptions = {
  cache: ResponseCache;
  /** The current edition of the mirror; the same object until it changes. */
  edition: () => Edition;
  allowedHosts?: string[] | undefined;
  observers: Observer[];
};

type CachedResponse = Omit<SentResponse, 'headers'> & { whole: string[]; notModified: string[] };

/**
 * Largest body that is written as a latin1 string, which Node joins with the headers: a tenth faster than a second write.
 * For larger bodies the copy costs more.
 */
const mostJoined = 12_000;

const ofBody = new Set<string>(headersOfBody);

/**
 * Answers repeated anonymous GET requests from the response cache before the framework sees them: same address, same
 * coding, same edition of the mirror. This saves half of the cost. Only for servers without rate limits.
 */
export class CachedResponder {
  readonly #options: CachedResponderOptions;
  readonly #isAllowed: (host: string | undefined) => boolean;
  #isOpen = true;

  constructor(options: CachedResponderOptions) {
    this.#options = options;
    this.#isAllowed = options.allowedHosts ? createHostCheck(options.allowedHosts) : () => true;
  }

  /** Handles the requests of a server first; passes what it cannot answer to the former listeners. */
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

  /** Caches the response to a request. */
  keep(request: IncomingMessage, { headers, ...sent }: SentResponse): void {
    if (!this.#isOpen || !isPlain(request) || !this.#isOf(sent.edition)) return;
    const [whole, notModified] = [flat(headers, () => true), flat(headers, (name) => !ofBody.has(name))];
    const key = keyOf(request);
    this.#options.cache.remember(
      key,
      { ...sent, whole, notModified },
      2 * (key.length + whole.join('').length),
    );
  }

  #answer(request: IncomingMessage, response: ServerResponse): boolean {
    if (!this.#isOpen || !isPlain(request)) return false;
    const key = keyOf(request);
    const kept = this.#options.cache.recall(key) as CachedResponse | undefined;
    if (kept === undefined) return false;
    if (!this.#isOf(kept.edition)) {
      this.#options.cache.forget(key);
      return false;
    }
    if (!namesOneHost(request) || !this.#isAllowed(request.headers.host)) return false;
    const isKnown = isNotModified(request.headers, kept.validators);
    const body = isKnown ? undefined : this.#options.cache.bytesOf(kept.bodyKey, kept.encoding);
    if (!isKnown && body === undefined) return false;
    const found = () => ({ route: kept.route, caller: 'anonymous' as const });
    observeResponse({ request, response, observers: this.#options.observers, found });
    response.writeHead(isKnown ? 304 : 200, isKnown ? kept.notModified : kept.whole);
    if (body === undefined || body.length > mostJoined) response.end(body);
    else response.end(body.toString('latin1'), 'latin1');
    return true;
  }

  /** True if the mirror is at that edition; false without a mirror, which the framework reports. */
  #isOf(edition: Edition): boolean {
    try {
      return this.#options.edition() === edition;
    } catch {
      return false;
    }
  }
}

function isPlain({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.authorization === undefined;
}

/** Cache key of a request. HTML pages also depend on language and host, which their image URLs contain. */
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
