import { isIP } from 'node:net';
import type { FastifyInstance as App, FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { say } from '../words/speech.ts';
import type { Caller } from './observed.ts';
import { RefusedForNowError, RefusedRequestError } from './problem.ts';
import { type RequestCount, type RequestCounter, windowMs } from './request-counter.ts';
import type { ServerContext } from './serving.ts';
import { openViewerTokens } from './viewer-tokens.ts';

/** Requests per minute of each profile, as in the service's interface. */
export const quotas = { anonymous: 60, viewer: 600 } as const;

/** Identifies callers by viewer token, else by address (an IPv6 /64 counts as one). */
function identifyCaller(request: FastifyRequest, hashOf: (token: string) => string | null): Caller {
  const { authorization } = request.headers;
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  const viewerHash = token === undefined ? null : hashOf(token);
  if (viewerHash !== null) return { profile: 'viewer', key: `viewer ${viewerHash}`, hasUnknownToken: false };
  // The client's network; the proxy's if it does not forward an IP address.
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

const storeRetrySeconds = 5;

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/** Counts the requests; refuses (429, 401) those over quota or with an unknown token. */
export function limitCallers(api: App, { settings, requestCounter, onFailure, waitForSlot }: ServerContext): void {
  const { viewerTokenFile } = settings;
  const hashOf = viewerTokenFile === undefined ? () => null : openViewerTokens(viewerTokenFile, onFailure);
  api.decorateRequest('caller', null);
  api.addHook('onRequest', async (request, reply) => {
    const caller = identifyCaller(request, hashOf);
    request.caller = caller;
    if (settings.rateLimit) {
      await countRequest(caller, reply, requestCounter);
      await waitForSlot(caller.key);
    }
    if (!caller.hasUnknownToken) return;
    reply.header('www-authenticate', 'Bearer realm="viewer"');
    const detail = say`The token is not valid on this server; remove it for anonymous access.`;
    throw new RefusedRequestError(401, detail);
  });
}

/** Counts one more request of a caller whose answer is long; a response in progress is not refused. */
export async function countMore({ settings, requestCounter }: ServerContext, { key }: Caller): Promise<void> {
  if (settings.rateLimit) await countOrRefuse(requestCounter, key).catch(() => {});
}

/** Counts a request and sends the remaining quota; throws a RefusedForNowError above the quota. */
async function countRequest({ profile, key }: Caller, reply: FastifyReply, requestCounter: RequestCounter) {
  const max = quotas[profile];
  const { current, ttl } = await countOrRefuse(requestCounter, key);
  const seconds = Math.max(1, Math.ceil(ttl / 1000));
  // https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
  reply.header('ratelimit-policy', `"${profile}";q=${max};w=${windowMs / 1000}`);
  reply.header('ratelimit', `"${profile}";r=${Math.max(0, max - current)};t=${seconds}`);
  if (current <= max) return;
  const detail = say`More than ${max} requests in a minute; the next one is possible in ${seconds} s.`;
  throw new RefusedForNowError(429, detail, seconds);
}

async function countOrRefuse(requestCounter: RequestCounter, key: string): Promise<RequestCount> {
  try {
    return await requestCounter.count(key);
  } catch {
    const detail = say`Requests cannot be counted at the moment; try again later.`;
    throw new RefusedForNowError(503, detail, storeRetrySeconds);
  }
}
