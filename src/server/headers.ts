import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { type Citation, odbl, webAddress } from '../model/attribution.ts';
import type { Edition } from '../store/records/contents.ts';
import { exposedHeaders } from './described-headers.ts';

/** The licence of dataset exports, the only one that the service states. */
export const licenceLink = `<${odbl.url}>; rel="license"`;

/** The headers of every answer, errors included: origin of the data, and how it may be kept. */
export function createHeaders({ siteUrl }: Citation): Record<string, string> {
  const address = webAddress(siteUrl ?? '');
  return {
    ...(address === null ? {} : { link: `<${address}>; rel="via"` }),
    vary: 'Accept-Encoding, Authorization',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
}

/** The same for whom there is to be cited now, made once for each. */
export function headersOfCitation(citation: () => Citation): () => Record<string, string> {
  let last: { cited: Citation; headers: Record<string, string> } | null = null;
  return () => {
    const cited = citation();
    if (last?.cited !== cited) last = { cited, headers: createHeaders(cited) };
    return last.headers;
  };
}

/** The headers that let the page of any origin read an answer (https://fetch.spec.whatwg.org/#http-cors-protocol). */
export const crossOriginHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders.join(', '),
};

/** What tells of the machine rather than of the data, or is asked by programs alone: no page's business. */
const operatorPaths = new Set(['/statusz', '/metrics', '/mcp']);

/** True for what pages of other origins may read; however a path was spelled, its route decides. */
export function isForPages({ routeOptions, url }: FastifyRequest): boolean {
  return !operatorPaths.has(routeOptions.url ?? url.split('?', 1)[0]!);
}

/**
 * What tells one state of an answer from another (RFC 9110, section 8.8). Where `isReplaced` another mirror was served
 * before, which may have been filled later: a later date does not tell then who has this answer.
 */
export type Validators = { etag: string; lastModified: string | null; isReplaced?: boolean };

/** The headers that only an answer with a body has. */
export const headersOfBody = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-disposition',
] as const;

/** The validators of an answer that depends on the edition of the mirror and on what was asked. */
export function validatorsOf(edition: Edition, asked: string): Validators {
  const state = `${edition.version} ${edition.state ?? edition.firstSeen} ${asked}`;
  return {
    etag: `"${edition.version.toString(36)}-${hash('sha1', state, 'base64url')}"`,
    // A sync changes records long before it ends and states its time: of these no moment is known.
    lastModified: edition.isSettled ? httpDate(edition.filledAt) : null,
  };
}

/** The validators of a text that does not come from the mirror. */
export function validatorsOfText(text: string): Validators {
  return { etag: `"${hash('sha1', text, 'base64url')}"`, lastModified: null };
}

/** True if `If-None-Match` names that tag; `*` is left to the caller, who knows if there is an answer at all. */
export function namesTag(headers: IncomingHttpHeaders, etag: string): boolean {
  const asked = headers['if-none-match'];
  if (asked === undefined) return false;
  return asked.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** True if an answer that exists need not be sent again. */
export function isNotModified(
  headers: IncomingHttpHeaders,
  { etag, lastModified, isReplaced = false }: Validators,
): boolean {
  const asked = headers['if-none-match'];
  if (asked !== undefined) return asked.trim() === '*' || namesTag(headers, etag);
  if (lastModified === null || headers['if-modified-since'] === undefined) return false;
  const since = Date.parse(headers['if-modified-since']);
  const modified = Date.parse(lastModified);
  return modified === since || (!isReplaced && modified < since);
}

function httpDate(iso: string | null): string | null {
  const time = Date.parse(iso ?? '');
  return Number.isNaN(time) ? null : new Date(time).toUTCString();
}
