import { createHash, timingSafeEqual } from 'node:crypto';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { ConfigurationError } from '../errors.ts';

/** Who asks: `key` is what their requests are counted under; `isRefused` marks credentials that are not ours. */
export type Caller = { profile: 'anonymous' | 'viewer'; key: string; isRefused: boolean };

/** Requests per minute of each profile, as in the service's interface. */
export const quotas = { anonymous: 60, viewer: 600 } as const;

/** Tells callers apart by viewer token, else by address (an IPv6 network of 64 bits counts as one). */
export function createCallerReader(tokenHashes: string[]): (request: FastifyRequest) => Caller {
  const hashes = tokenHashes.map(readHash);
  return (request) => {
    const { authorization } = request.headers;
    const viewer = authorization === undefined ? null : viewerOf(authorization, hashes);
    if (viewer !== null) return { profile: 'viewer', key: `viewer ${viewer}`, isRefused: false };
    return { profile: 'anonymous', key: normalizeIP(request.ip), isRefused: authorization !== undefined };
  };
}

/** The number of the token in the list; every hash is compared, so that the time tells nothing. */
function viewerOf(authorization: string, hashes: Buffer[]): number | null {
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token === undefined) return null;
  const given = createHash('sha256').update(token).digest();
  let viewer: number | null = null;
  hashes.forEach((hash, number) => {
    if (timingSafeEqual(hash, given)) viewer = number;
  });
  return viewer;
}

function readHash(hash: string): Buffer {
  if (!/^[0-9a-f]{64}$/i.test(hash)) {
    throw new ConfigurationError('a viewer token hash is not 64 hexadecimal digits (SHA-256)');
  }
  return Buffer.from(hash, 'hex');
}
