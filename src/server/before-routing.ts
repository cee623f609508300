import type { FastifyInstance as App, FastifyRequest } from 'fastify';
import { isLoopback } from '../service/public-address.ts';
import { say } from '../words/speech.ts';
import { limitCallers } from './limits.ts';
import { RefusedRequestError, unknownPathError } from './problem.ts';
import type { ServerContext } from './serving.ts';

/** Adds hooks: refuse long URLs, wrong hosts, callers over quota, unsupported methods; redirect trailing slashes. */
export function checkBeforeRouting(app: App, context: ServerContext): void {
  const { allowedHosts, basePath } = context.settings;
  const isAllowed = allowedHosts ? createHostCheck(allowedHosts) : () => true;
  app.addHook('onRequest', ({ url, headers, raw: { rawHeaders, httpVersion } }, _reply, done) => {
    if (url.length > maxUrlLength)
      throw new RefusedRequestError(414, say`The address is longer than ${maxUrlLength} characters.`);
    // A proxy may read another of several headers (RFC 9112, section 3.2). HTTP/1.0 allows requests without one.
    const hostHeaderCount = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
    if (hostHeaderCount !== 1 && !(hostHeaderCount === 0 && httpVersion === '1.0'))
      throw new RefusedRequestError(400, say`The request must have one Host header.`);
    // Refuse hosts other than loopback and the allowed names: a website could reach this server by DNS rebinding.
    if (!isAllowed(headers.host))
      throw new RefusedRequestError(421, say`The server does not accept this host name; see --allow-host.`);
    done();
  });
  limitCallers(app, context);
  refuseUnsupportedMethods(app);
  redirectTrailingSlashes(app, basePath);
}

/** Returns a check that throws a RefusedRequestError (403) for pages of other origins than loopback and `names`. */
export function createOriginCheck(names: string[]): (request: FastifyRequest) => void {
  // A request costs work even if the page cannot read the response. Links to this server (navigation) are allowed.
  const isAllowed = createHostCheck(names);
  return ({ headers: { origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } }) => {
    // https://www.w3.org/TR/fetch-metadata/: requests for scripts and images of other sites have no Origin.
    const isForeign =
      origin === undefined
        ? site === 'cross-site' && mode !== 'navigate'
        : !URL.canParse(origin) || !isAllowed(new URL(origin).host);
    if (isForeign) throw new RefusedRequestError(403, say`Pages of other origins are not answered here.`);
  };
}

/** Returns a test of a Host header: true for loopback, `names`, or no header, which only HTTP/1.0 clients omit. */
function createHostCheck(names: string[]): (header: string | undefined) => boolean {
  const allowedNames = new Set(names.map((name) => name.toLowerCase()));
  return (header) => {
    const host = header?.replace(/:\d*$/, '').toLowerCase();
    return host === undefined || isLoopback(host) || allowedNames.has(host);
  };
}

const maxUrlLength = 8192;
const trailingSlashes = /^(?<path>[^?]*[^?/])\/+(?<query>\?.*)?$/;

/** Answers OPTIONS with 204; refuses methods that a path lacks with 405, before the body is read. */
function refuseUnsupportedMethods(app: App): void {
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = url.replace(/[.*]/g, '\\$&').replace(/:[a-z_]+/g, '[^/]+');
    routes.push({ pattern: new RegExp(`^${pattern}$`), methods: [method].flat() });
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const path = request.url.split('?', 1)[0]!;
    const pathMethods = routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    // The router answers reads (404), except of paths that have other methods only.
    if (isRead && (pathMethods.length === 0 || pathMethods.includes(request.method))) return done();
    if (pathMethods.length === 0) throw unknownPathError();
    const methods = [...new Set([...pathMethods, 'OPTIONS'])].sort().join(', ');
    reply.header('allow', methods);
    const detail = say`The service is read-only: ${request.method} is not one of ${methods}.`;
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

/** Redirects (308) reads of pages with trailing slashes to the path without them; the API has no such paths. */
function redirectTrailingSlashes(app: App, basePath = ''): void {
  app.addHook('onRequest', ({ url, method, routeOptions }, reply, done) => {
    const { path, query = '' } = trailingSlashes.exec(url)?.groups ?? {};
    const isRead = ['GET', 'HEAD'].includes(method) && !url.startsWith('/api/');
    if (path === undefined || !isRead || routeOptions.url?.endsWith('/')) return done();
    reply.redirect(`${basePath}${path}${query}`, 308);
  });
}
