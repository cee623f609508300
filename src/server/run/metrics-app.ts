import Fastify, { type FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { refuseOtherHosts } from '../allowed-hosts.ts';
import { refuseOtherMethods } from '../methods.ts';
import { answerError, answerUnknownPath } from '../problem.ts';
import type { App } from '../serving.ts';

/** An application of its own for `/metrics`, so that another port than the service's can show it. */
export function createMetricsApp(
  page: () => Promise<string>,
  { allowedHosts, onFailure }: { allowedHosts?: string[]; onFailure: (error: unknown) => void },
): FastifyInstance {
  const app: App = Fastify({ logger: false, forceCloseConnections: true }).withTypeProvider();
  if (allowedHosts) refuseOtherHosts(app, allowedHosts);
  refuseOtherMethods(app);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, onFailure));
  app.setNotFoundHandler(answerUnknownPath);
  app.get('/metrics', async (_request, reply) => {
    reply.header('content-type', Registry.PROMETHEUS_CONTENT_TYPE).header('cache-control', 'no-store');
    return page();
  });
  return app as unknown as FastifyInstance;
}
