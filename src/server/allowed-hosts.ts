import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyInstance as App } from 'fastify';
import ipaddr from 'ipaddr.js';
import { RefusedRequestError } from './problem.ts';

/** True for an address or name that only this machine itself can reach. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  // Other spellings of an address (127.1, 0x7f.1) are names here, as they are to a browser.
  if (isIP(name) === 0) return /(^|\.)localhost$/.test(name);
  return ipaddr.process(name).range() === 'loopback';
}

/** True for a request that names one host; one of HTTP/1.0 need not. */
export function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/**
 * Refuses requests (400) that name several hosts, or none: a proxy in front may go by another one than this server
 * (RFC 9112, section 3.2).
 */
export function refuseManyHosts(app: App): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (!namesOneHost(raw)) throw new RefusedRequestError(400, 'The request must have one Host header.');
    done();
  });
}

/**
 * Refuses requests (421) that name another host than this machine or one of `names`. A page of the web can make its own
 * name point to a server on loopback and would else read it with its visitor's browser (DNS rebinding).
 */
export function refuseOtherHosts(app: App, names: string[]): void {
  const isAllowed = createHostCheck(names);
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (!isAllowed(headers.host))
      throw new RefusedRequestError(421, 'This server is not asked by that name; see --allow-host.');
    done();
  });
}

/** Tells whether a `Host` header names this machine or one of `names`. */
export function createHostCheck(names: string[]): (header: string | undefined) => boolean {
  const allowed = new Set(names.map((name) => name.toLowerCase()));
  return (header) => {
    // Every browser names the host; what names none speaks HTTP/1.0.
    const host = header?.replace(/:\d*$/, '').toLowerCase();
    return host === undefined || isLoopback(host) || allowed.has(host);
  };
}
