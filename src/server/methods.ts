import type { FastifyInstance as App } from 'fastify';
import { answerUnknownPath, RefusedRequestError } from './problem.ts';

const allowed = 'GET, HEAD, OPTIONS';

/** Answers OPTIONS with 204, and methods but GET and HEAD with 405 before a body is read, where no `takesPosts`. */
export function refuseOtherMethods(app: App): void {
  const paths = new Set<string>();
  const posted = new Set<string>();
  app.addHook('onRoute', ({ url, config }) => {
    paths.add(url);
    if (config?.takesPosts) posted.add(url);
  });
  let known: RegExp | null = null;
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'GET' || request.method === 'HEAD') return done();
    if (request.routeOptions.config?.takesPosts) return done();
    known ??= pathsExpression(paths);
    const path = request.url.split('?', 1)[0]!;
    if (!known.test(path)) return void answerUnknownPath(request, reply);
    const methods = posted.has(path) ? `${allowed}, POST` : allowed;
    reply.header('allow', methods);
    const detail = `The service is read-only: ${request.method} is not one of ${methods}.`;
    if (request.method !== 'OPTIONS') throw new RefusedRequestError(405, detail);
    if (reply.hasHeader('access-control-allow-origin'))
      reply.headers({ 'access-control-allow-methods': methods, ...preflightHeaders });
    reply.code(204).send();
  });
}

const preflightHeaders = {
  'access-control-allow-headers': 'Authorization, If-None-Match, If-Modified-Since, If-Range, Range',
  'access-control-max-age': '86400',
};

function pathsExpression(paths: Set<string>): RegExp {
  const patterns = [...paths].map((path) => path.replace(/[.*]/g, '\\$&').replace(/:[a-z_]+/g, '[^/]+'));
  return new RegExp(`^(?:${patterns.join('|')})$`);
}
