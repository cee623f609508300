import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Citation, odbl } from '../model/attribution.ts';
import type { Edition } from '../store/contents.ts';

const exposed = [
  'Content-Disposition',
  'ETag',
  'Last-Modified',
  'Link',
  'Memento-Datetime',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
];

/** The licence of dataset exports, the only one that the service states. */
export const licenceLink = `<${odbl.url}>; rel="license"`;

/** The headers of every answer, errors included: origin of the data, and who may read it. */
export function createHeaders({ siteUrl }: Citation): Record<string, string> {
  return {
    ...(siteUrl === null ? {} : { link: `<${encodeURI(siteUrl)}>; rel="via"` }),
    vary: 'Accept-Encoding, Authorization',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposed.join(', '),
    'x-content-type-options': 'nosniff',
  };
}

/** What tells one state of an answer from another (RFC 9110, section 8.8). */
export type Validators = { etag: string; lastModified: string | null };

/** The headers that only an answer with a body has. */
export const headersOfBody = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-disposition',
] as const;

/** The validators of an answer that depends on the edition of the mirror and on what was asked. */
export function validatorsOf(edition: Edition, asked: string): Validators {
  const state = `${edition.version} ${edition.firstSeen} ${asked}`;
  return {
    etag: `"${edition.version.toString(36)}-${hash('sha1', state, 'base64url')}"`,
    lastModified: httpDate(edition.filledAt),
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
export function isNotModified(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const asked = headers['if-none-match'];
  if (asked !== undefined) return asked.trim() === '*' || namesTag(headers, etag);
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return lastModified !== null && Date.parse(lastModified) <= since;
}

function httpDate(iso: string | null): string | null {
  const time = Date.parse(iso ?? '');
  return Number.isNaN(time) ? null : new Date(time).toUTCString();
}
