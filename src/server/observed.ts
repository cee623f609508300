import type { FastifyInstance as App } from 'fastify';

/** Who asks: `key` is what their requests are counted under; `isRefused` marks credentials that are not ours. */
export type Caller = { profile: 'anonymous' | 'viewer'; key: string; isRefused: boolean };

/** A request and how it was answered. */
export type Observed = {
  method: string;
  /** The path of the route, such as `/api/v1/parties/:slug`; null where there is none. */
  route: string | null;
  /** The address that was asked for, with its query. */
  url: string;
  status: number;
  ms: number;
  caller: Caller['profile'] | null;
};

/** Tells of every answer once it is sent. */
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
