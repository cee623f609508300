import type { FastifyInstance as App, FastifyRequest } from 'fastify';

/** A caller: `key` is its rate-limit key; `hasUnknownToken` is true if its token is not one of this server. */
export type Caller = { profile: 'anonymous' | 'viewer'; key: string; hasUnknownToken: boolean };

/** A request and its response, for logs and metrics. */
export type ObservedResponse = {
  /** The `X-Request-Id` header, which a proxy may set; null without one. */
  id: string | null;
  method: string;
  /** Path of the route, such as `/api/v1/parties/:slug`; null if none matched. */
  route: string | null;
  url: string;
  status: number;
  ms: number;
  /** Bytes that were sent, headers included. */
  bytes: number;
  caller: Caller['profile'] | null;
  isCached: boolean;
};

const cachedRequests = new WeakSet<object>();

/** Marks a request as answered from the response cache, for `ObservedResponse.isCached`. */
export function markCached({ raw }: FastifyRequest): void {
  cachedRequests.add(raw);
}

/** Receives each response once it is sent. */
export type Observer = (observedResponse: ObservedResponse) => void;

/** Calls the observers once a response of the application is sent, or its connection lost. */
export function observeResponses(app: App, observers: Observer[]): void {
  if (observers.length === 0) return;
  app.addHook('onRequest', (request, { raw: response }, done) => {
    const { socket, headers, method = '', url = '' } = request.raw;
    const startMs = performance.now();
    const bytesBefore = socket.bytesWritten;
    const id = /^[\w-]{1,64}$/.exec(String(headers['x-request-id'] ?? ''))?.[0] ?? null;
    response.once('close', () => {
      const ms = performance.now() - startMs;
      const bytes = socket.bytesWritten - bytesBefore;
      const route = request.routeOptions.url ?? null;
      const caller = request.caller?.profile ?? null;
      const isCached = cachedRequests.has(request.raw);
      const observedResponse = { id, method, route, url, status: response.statusCode, ms, bytes, caller, isCached };
      for (const observe of observers) observe(observedResponse);
    });
    done();
  });
}
