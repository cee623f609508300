import type { FastifyInstance as App, FastifyRequest } from 'fastify';
import { isLoopback } from '../service/public-address.ts';
import { RefusedRequestError } from './problem.ts';

/** Refuses requests (400) with several Host headers or none: a proxy may read another one (RFC 9112, section 3.2). */
export function refuseManyHosts(app: App): void {
  app.addHook('onRequest', ({ raw: { rawHeaders, httpVersion } }, _reply, done) => {
    const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
    // HTTP/1.0 knows requests without one.
    if (hosts !== 1 && !(hosts === 0 && httpVersion === '1.0'))
      throw new RefusedRequestError(400, 'The request must have one Host header.');
    done();
  });
}

/**
 * Refuses requests (421) whose Host is neither loopback nor one of `names`. Prevents DNS
 * rebinding: a website points its own name to 127.0.0.1 to read this server through its visitor's browser.
 */
export function refuseOtherHosts(app: App, names: string[]): void {
  const isAllowed = createHostCheck(names);
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (!isAllowed(headers.host))
      throw new RefusedRequestError(421, 'This server is not asked by that name; see --allow-host.');
    done();
  });
}

/**
 * Throws a RefusedRequestError (403) for requests by web pages of other origins than loopback and `names`: they need not
 * read the response to cause work. Links that people follow are let through.
 */
export function createOriginCheck(names: string[]): (request: FastifyRequest) => void {
  const isAllowed = createHostCheck(names);
  return ({ headers: { origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } }) => {
    // https://www.w3.org/TR/fetch-metadata/: scripts and pictures of other sites are asked for without an Origin.
    const isForeign =
      origin === undefined
        ? site === 'cross-site' && mode !== 'navigate'
        : !URL.canParse(origin) || !isAllowed(new URL(origin).host);
    if (isForeign) throw new RefusedRequestError(403, 'Pages of other origins are not answered here.');
  };
}

function createHostCheck(names: string[]): (header: string | undefined) => boolean {
  const allowed = new Set(names.map((name) => name.toLowerCase()));
  return (header) => {
    // Every browser sends Host; only HTTP/1.0 clients omit it.
    const host = header?.replace(/:\d*$/, '').toLowerCase();
    return host === undefined || isLoopback(host) || allowed.has(host);
  };
}
