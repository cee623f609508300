import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Edition } from '../store/contents.ts';
import { createHostCheck } from './allowed-hosts.ts';
import type { Answered } from './answered.ts';
import { headersOfBody, isNotModified, type Validators } from './headers.ts';

/** An answer as it went out, to be sent again as long as the mirror is at that edition. */
export type Sent = {
  edition: Edition;
  validators: Validators;
  /** All that were sent, the length of the body included. */
  headers: Record<string, number | string | string[] | undefined>;
  /** The path of its route. */
  route: string | null;
  /** The bytes of the body, or undefined if they are kept no longer. */
  body: () => Buffer | undefined;
};

type Kept = Omit<Sent, 'headers'> & { whole: string[]; notModified: string[] };

const mostKept = 2000;

const ofBody = new Set<string>(headersOfBody);

/**
 * Stands before the framework and gives what it gave a moment ago: the same address, asked in the same coding, of the
 * same edition of the mirror. Parsing, routing and validation would come to the same answer at twice the cost. It takes
 * anonymous GET requests only, and belongs before a server that does not count its callers.
 */
export class Front {
  readonly #edition: () => Edition;
  readonly #isAllowed: (host: string | undefined) => boolean;
  readonly #observers: ((answered: Answered) => void)[];
  readonly #kept = new Map<string, Kept>();
  #isOpen = true;

  constructor({
    edition,
    allowedHosts,
    observers,
  }: {
    /** The edition of the mirror now, the same object as long as it is the same. */
    edition: () => Edition;
    allowedHosts?: string[] | undefined;
    observers: ((answered: Answered) => void)[];
  }) {
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

  /** Answers nothing more. */
  close(): void {
    this.#isOpen = false;
    this.#kept.clear();
  }

  /** Keeps how a request was answered. */
  keep(request: IncomingMessage, { headers, ...sent }: Sent): void {
    if (!this.#isOpen || !isPlain(request) || sent.edition !== this.#edition()) return;
    if (this.#kept.size >= mostKept) this.#kept.clear();
    this.#kept.set(keyOf(request), {
      ...sent,
      whole: flat(headers, () => true),
      notModified: flat(headers, (name) => !ofBody.has(name)),
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse): boolean {
    const kept = this.#kept.get(keyOf(request));
    if (kept === undefined || !isPlain(request)) return false;
    if (kept.edition !== this.#edition()) {
      this.#kept.clear();
      return false;
    }
    if (!this.#isAllowed(request.headers.host)) return false;
    const isKnown = isNotModified(request.headers, kept.validators);
    const body = isKnown ? undefined : kept.body();
    if (!isKnown && body === undefined) return false;
    this.#observe(request, response, kept.route);
    response.writeHead(isKnown ? 304 : 200, isKnown ? kept.notModified : kept.whole);
    response.end(body);
    return true;
  }

  #observe({ url = '' }: IncomingMessage, response: ServerResponse, route: string | null): void {
    if (this.#observers.length === 0) return;
    const begunMs = performance.now();
    response.once('finish', () => {
      const ms = performance.now() - begunMs;
      const answered: Answered = {
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

function keyOf({ url, headers }: IncomingMessage): string {
  return `${headers['accept-encoding'] ?? ''} ${url}`;
}

function flat(headers: Sent['headers'], isSent: (name: string) => boolean): string[] {
  return Object.entries(headers)
    .filter(([name, value]) => value !== undefined && isSent(name))
    .flatMap(([name, value]) => [name, String(value)]);
}
