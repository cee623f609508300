import { type Citation, odbl } from '../model/attribution.ts';

const exposed = [
  'Content-Disposition',
  'ETag',
  'Last-Modified',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
];

/** The headers of every answer, errors included: licence and origin of the data, and who may read it. */
export function createHeaders({ siteUrl }: Citation): Record<string, string> {
  const origin = siteUrl === null ? '' : `, <${encodeURI(siteUrl)}>; rel="via"`;
  return {
    link: `<${odbl.url}>; rel="license"${origin}`,
    vary: 'Accept-Encoding, Authorization',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposed.join(', '),
    'x-content-type-options': 'nosniff',
  };
}
