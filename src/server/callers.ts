import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { ViewerTokens } from './viewer-tokens.ts';

/** Who asks: `key` is what their requests are counted under; `isRefused` marks credentials that are not ours. */
export type Caller = { profile: 'anonymous' | 'viewer'; key: string; isRefused: boolean };

/** Requests per minute of each profile, as in the service's interface. */
export const quotas = { anonymous: 60, viewer: 600 } as const;

/** Tells callers apart by viewer token, else by address (an IPv6 network of 64 bits counts as one). */
export function createCallerReader(tokens: ViewerTokens | null): (request: FastifyRequest) => Caller {
  return (request) => {
    const { authorization } = request.headers;
    const viewer = authorization === undefined ? null : viewerOf(authorization, tokens);
    if (viewer !== null) return { profile: 'viewer', key: `viewer ${viewer}`, isRefused: false };
    return { profile: 'anonymous', key: addressOf(request), isRefused: authorization !== undefined };
  };
}

/** What a trusted proxy forwards is an address, or else the caller is the proxy itself. */
function addressOf({ ip, socket }: FastifyRequest): string {
  return normalizeIP(isIP(ip) ? ip : (socket.remoteAddress ?? ''));
}

function viewerOf(authorization: string, tokens: ViewerTokens | null): string | null {
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  return token === undefined ? null : (tokens?.hashOf(token) ?? null);
}
