import { isIP } from 'node:net';
import type { FastifyInstance as App, FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { say } from '../words/speech.ts';
import { RefusedForNowError, RefusedRequestError } from './problem.ts';
import { type RequestCount, type RequestCounter, windowMs } from './request-counter.ts';
import type { Caller } from './response-observers.ts';
import type { ServerContext } from './serving.ts';
import { openViewerTokens } from './viewer-tokens.ts';

/** Quotas per minute: of a viewer token, else of a client network for the API (`anonymous`), pages or suggestions. */
export const quotas = { anonymous: 60, pages: 240, suggestions: 600, viewer: 600 } as const;

/** Routes without quota: probes, page assets, and routes of the operator's listener (metrics, watches). */
export const unlimitedRoutes = /^\/(healthz|readyz|assets|metrics|watches)\b/;

/** Returns the quota policy of a request: by viewer token, else by path; unknown paths (404) count as pages. */
function policyOf({ caller, routeOptions, url }: FastifyRequest): keyof typeof quotas {
  if (caller?.profile === 'viewer') return 'viewer';
  const path = routeOptions.url ?? url;
  if (/^\/(reconcile\/)?suggest\b/.test(path)) return 'suggestions';
  return /^\/(api|reconcile|mcp|statusz|openapi\.json)\b/.test(path) ? 'anonymous' : 'pages';
}

/** Returns the caller: by viewer token if `hashOf` knows its hash, else by network (an IPv6 /64 counts as one). */
function identifyCaller(request: FastifyRequest, hashOf: (token: string) => string | null): Caller {
  const { authorization } = request.headers;
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  const viewerHash = token === undefined ? null : hashOf(token);
  if (viewerHash !== null) return { profile: 'viewer', key: `viewer ${viewerHash}`, hasUnknownToken: false };
  // The client's network; the proxy's network if the proxy forwards no valid IP address.
  const key = networkOf(isIP(request.ip) ? request.ip : (request.socket.remoteAddress ?? ''));
  return { profile: 'anonymous', key, hasUnknownToken: authorization !== undefined };
}

/** Returns an IPv4 address, or the /64 network of an IPv6 address, the smallest that is assigned to a customer. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsedAddress = ipaddr.process(address);
  return parsedAddress.kind() === 'ipv6'
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${parsedAddress.toString()}/64`)}/64`
    : parsedAddress.toString();
}

const counterRetrySeconds = 5; // retry-After while requests cannot be counted

/** Counts the requests to all routes added later; refuses (429, 401) those over quota or with an unknown token. */
export function limitCallers(app: App, { settings, requestCounter, onFailure, waitForSlot }: ServerContext): void {
  const { viewerTokenFile } = settings;
  const hashOf = viewerTokenFile === undefined ? () => null : openViewerTokens(viewerTokenFile, onFailure);
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request, reply) => {
    // Browsers send OPTIONS by themselves before a request.
    if (request.method === 'OPTIONS' || unlimitedRoutes.test(request.routeOptions.url ?? '')) return;
    const caller = identifyCaller(request, hashOf);
    request.caller = caller;
    if (settings.rateLimit) {
      await countRequest(request, reply, requestCounter);
      await waitForSlot(caller.key);
    }
    if (!caller.hasUnknownToken) return;
    reply.header('www-authenticate', 'Bearer realm="viewer"');
    throw new RefusedRequestError(401, say`The token is not valid on this server; remove it for anonymous access.`);
  });
}

/** Counts a chunk of a streamed response as one more request; never interrupts the response. */
export async function countStreamChunk({ settings, requestCounter }: ServerContext, { key }: Caller): Promise<void> {
  if (settings.rateLimit) await countOrRefuse(requestCounter, key).catch(() => {});
}

/** Counts a request and sets the headers with the remaining quota; throws a RefusedForNowError (429) above it. */
async function countRequest(request: FastifyRequest, reply: FastifyReply, requestCounter: RequestCounter) {
  const { profile, key } = request.caller!;
  const policy = policyOf(request);
  const max = quotas[policy];
  // API and viewer requests are counted by the bare key, as in `countStreamChunk`.
  const { current, ttl } = await countOrRefuse(requestCounter, policy === profile ? key : `${policy} ${key}`);
  const seconds = Math.max(1, Math.ceil(ttl / 1000));
  // https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
  reply.header('ratelimit-policy', `"${policy}";q=${max};w=${windowMs / 1000}`);
  reply.header('ratelimit', `"${policy}";r=${Math.max(0, max - current)};t=${seconds}`);
  if (current <= max) return;
  const detail = say`More than ${max} requests in a minute; the next one is possible in ${seconds} s.`;
  throw new RefusedForNowError(429, detail, seconds);
}

async function countOrRefuse(requestCounter: RequestCounter, key: string): Promise<RequestCount> {
  try {
    return await requestCounter.count(key);
  } catch {
    const detail = say`Requests cannot be counted at the moment; try again later.`;
    throw new RefusedForNowError(503, detail, counterRetrySeconds);
  }
}
