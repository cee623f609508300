import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { type Citation, odbl, webAddress } from '../model/attribution.ts';
import type { Edition } from '../store/records/contents.ts';
import documentedHeaders from './described-headers.json' with { type: 'json' };

/** Link to the licence of dataset exports, the only licence that the service declares. */
export const licenceLink = `<${odbl.url}>; rel="license"`;

/** Returns the headers of every response, errors included: source of the data and caching rules. */
export function createHeaders({ siteUrl }: Citation): Record<string, string> {
  const address = webAddress(siteUrl ?? '');
  return {
    ...(address === null ? {} : { link: `<${address}>; rel="via"` }),
    vary: 'Accept-Encoding, Authorization',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
}

/** CORS headers: any origin may read documented headers (https://fetch.spec.whatwg.org/#http-cors-protocol). */
export const crossOriginHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': Object.keys(documentedHeaders).join(', '),
};

/** Paths that web pages of other origins may not request, since only programs need them. */
const programPaths = new Set(['/statusz', '/mcp', '/api/v1/mirror']);

/** True if web pages of other origins may request the route. */
export function allowsOtherOrigins({ routeOptions, url }: FastifyRequest): boolean {
  return !programPaths.has(routeOptions.url ?? url.split('?', 1)[0]!);
}

/** Validators of a response (RFC 9110, section 8.8). */
export type Validators = {
  etag: string;
  lastModified: string | null;
  /** When the mirror changed, ms; it may be later than `lastModified`. */
  modifiedMs: number;
  /** True if `If-Modified-Since` must match exactly. */
  requiresExactDate?: boolean;
};

/** Returns the validators of a response from the mirror's edition and the canonical request. */
export function validatorsOf(edition: Edition, canonicalRequest: string, nowMs: number): Validators {
  const state = `${edition.version} ${edition.state ?? edition.firstSeen} ${canonicalRequest}`;
  const changedMs = millisecondsOf(edition.changedAt);
  const syncedMs = millisecondsOf(edition.syncedAt);
  const modifiedMs = Math.floor(Math.max(changedMs, syncedMs) / 1000) * 1000;
  // Another change may follow within the same second, and would get the same date.
  const latestMs = changedMs > syncedMs ? nowMs - 1000 : nowMs;
  return {
    etag: `"${edition.version.toString(36)}-${hash('sha1', state, 'base64url')}"`,
    lastModified: modifiedMs === 0 ? null : new Date(Math.min(modifiedMs, latestMs)).toUTCString(),
    modifiedMs,
  };
}

/** True if `If-None-Match` contains the ETag; the caller handles `*`. */
export function matchesTag(headers: IncomingHttpHeaders, etag: string): boolean {
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** True if the client has this response already (304). */
export function isNotModified(
  headers: IncomingHttpHeaders,
  { etag, lastModified, modifiedMs, requiresExactDate = false }: Validators,
): boolean {
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined) return ifNoneMatch.trim() === '*' || matchesTag(headers, etag);
  if (lastModified === null || headers['if-modified-since'] === undefined) return false;
  const since = Date.parse(headers['if-modified-since']);
  return modifiedMs === since || (!requiresExactDate && modifiedMs < since);
}

const millisecondsOf = (iso: string | null): number => Date.parse(iso ?? '') || 0;
