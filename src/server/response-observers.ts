import type { FastifyInstance as App } from 'fastify';

/** A caller: `key` is its rate-limit key; `hasUnknownToken` is true if it sent a token unknown to this server. */
export type Caller = { profile: 'anonymous' | 'viewer'; key: string; hasUnknownToken: boolean };

/** A request and its response, for logs and metrics. */
export type ObservedResponse = {
  /** The `X-Request-Id` header, which a proxy may set; null if missing or not 1 to 64 letters, digits, _ and -. */
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

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    /** True once the response cache has answered the request. */
    isCached: boolean;
  }
}

/** Receives each response once it is sent. */
export type Observer = (observedResponse: ObservedResponse) => void;

/** Calls the observers once a response of the application is sent, or its connection lost. */
export function observeResponses(app: App, observers: Observer[]): void {
  app.decorateRequest('isCached', false);
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
      const { isCached } = request;
      const observedResponse = { id, method, route, url, status: response.statusCode, ms, bytes, caller, isCached };
      for (const observe of observers) observe(observedResponse);
    });
    done();
  });
}
