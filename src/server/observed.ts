import type { FastifyInstance as App } from 'fastify';

/** A caller: `key` is its rate-limit key; `isRefused` marks an unknown token. */
export type Caller = { profile: 'anonymous' | 'viewer'; key: string; isRefused: boolean };

/** A request and its response, for logs and metrics. */
export type Observed = {
  method: string;
  /** Path of the route, such as `/api/v1/parties/:slug`; null if none matched. */
  route: string | null;
  /** Requested path with its query string. */
  url: string;
  status: number;
  ms: number;
  caller: Caller['profile'] | null;
};

/** Calls the observers after each response is sent. */
export function observeResponses(app: App, observers: ((answered: Observed) => void)[]): void {
  if (observers.length === 0) return;
  app.addHook('onResponse', (request, reply, done) => {
    const answered: Observed = {
      method: request.method,
      route: request.routeOptions.url ?? null,
      url: request.url,
      status: reply.statusCode,
      ms: reply.elapsedTime,
      caller: request.caller?.profile ?? null,
    };
    for (const observe of observers) observe(answered);
    done();
  });
}
