import { isIP } from 'node:net';
import type { FastifyInstance as App, FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { say } from '../words/speech.ts';
import type { Caller } from './observed.ts';
import { RefusedForNowError, RefusedRequestError } from './problem.ts';
import type { ServerContext } from './serving.ts';
import type { Admission, AdmissionLog } from './sliding-log.ts';
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

const windowMs = 60_000;

const storeRetrySeconds = 5;

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/** Counts the requests; refuses (429, 401) those over quota or with an unknown token. */
export function limitCallers(api: App, { settings, admissions, onFailure, waitForSlot }: ServerContext): void {
  const { viewerTokenFile } = settings;
  const hashOf = viewerTokenFile === undefined ? () => null : openViewerTokens(viewerTokenFile, onFailure);
  api.decorateRequest('caller', null);
  api.addHook('onRequest', async (request, reply) => {
    const caller = identifyCaller(request, hashOf);
    request.caller = caller;
    if (settings.rateLimit) {
      await countRequest(caller, reply, admissions);
      await waitForSlot(caller.key);
    }
    if (!caller.hasUnknownToken) return;
    reply.header('www-authenticate', 'Bearer realm="viewer"');
    const detail = say`The token is not valid on this server; remove it for anonymous access.`;
    throw new RefusedRequestError(401, detail);
  });
}

/** Counts one more request of a caller whose answer is long; a response in progress is not refused. */
export async function countMore({ settings, admissions }: ServerContext, { profile, key }: Caller): Promise<void> {
  if (settings.rateLimit) await admitOrRefuse(admissions, key, quotas[profile]).catch(() => {});
}

/** Counts a request and sends the remaining quota; throws a RefusedForNowError above the quota. */
async function countRequest({ profile, key }: Caller, reply: FastifyReply, admissions: AdmissionLog) {
  const max = quotas[profile];
  const { current, ttl } = await admitOrRefuse(admissions, key, max);
  // `ttl` includes one millisecond past the window, which would round up to an extra second.
  const seconds = Math.min(Math.ceil(ttl / 1000), windowMs / 1000);
  // https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
  reply.header('ratelimit-policy', `"${profile}";q=${max};w=${windowMs / 1000}`);
  reply.header('ratelimit', `"${profile}";r=${Math.max(0, max - current)};t=${seconds}`);
  if (current <= max) return;
  const detail = say`More than ${max} requests in a minute; the next one is possible in ${seconds} s.`;
  throw new RefusedForNowError(429, detail, seconds);
}

async function admitOrRefuse(admissions: AdmissionLog, key: string, max: number): Promise<Admission> {
  try {
    return await admissions.admit(key, windowMs, max);
  } catch {
    const detail = say`Requests cannot be counted at the moment; try again later.`;
    throw new RefusedForNowError(503, detail, storeRetrySeconds);
  }
}
