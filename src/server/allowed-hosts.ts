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

/**
 * Refuses requests (421) that name another host than this machine or one of `names`. A page of the web can make its own
 * name point to a server on loopback and would else read it with its visitor's browser (DNS rebinding).
 */
export function refuseOtherHosts(app: App, names: string[]): void {
  const isAllowed = createHostCheck(names);
  app.addHook('onRequest', async ({ headers }) => {
    if (isAllowed(headers.host)) return;
    throw new RefusedRequestError(421, 'This server is not asked by that name; see --allow-host.');
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
