/** The wait in a `Retry-After` header (seconds or an HTTP date) in milliseconds; null if absent or malformed. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

/** Milliseconds between requests for each `RateLimit-Policy` quota that is stricter than our own pace. */
export function quotaWaits(headers: Headers): number[] {
  // https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers
  const policies = headers.get('ratelimit-policy')?.match(/("(\\.|[^"\\])*"|[^",])+/g) ?? [];
  return policies.flatMap((policy) => {
    const quota = Number(/(?:^\s*|;\s*q=)(\d{1,9})\s*(?:;|$)/.exec(policy)?.[1]);
    const windowMs = 1000 * Number(/;\s*w=(\d{1,9})\s*(?:;|$)/.exec(policy)?.[1]);
    const limitsRequests = windowMs <= 60_000 && !/;\s*qu=(?!"requests")/.test(policy); // not bytes, no hourly quota
    const waitMs = windowMs / quota;
    const isStricter = quota < 12 || waitMs > 1000; // our pace starts 12 requests at once, then one a second
    return quota > 0 && waitMs > 0 && limitsRequests && isStricter ? [waitMs] : [];
  });
}

/** Backoff after attempt `attempt` (1, 2, …): doubling from 1 s, with jitter. */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.round(1000 * 2 ** (attempt - 1) * (0.75 + random() * 0.5));
}

/** Header of a Hemicycle server whose mirror can be downloaded at `/mirror`; its value is the mirror's random id. */
export const mirrorHeader = 'hemicycle-mirror';

/** Validators of a response, for conditional requests (RFC 9110, section 8.8). */
export type Validator = { etag: string | null; lastModified: string | null };

/** Validators of a response; null if it has none, or no framing header, without which its body may be truncated. */
export function validatorOf(headers: Headers): Validator | null {
  if (!framingHeaders.some((name) => headers.has(name))) return null;
  const etag = headers.get('etag');
  const lastModified = headers.get('last-modified');
  return etag === null && lastModified === null ? null : { etag, lastModified };
}

const framingHeaders = ['content-length', 'transfer-encoding', 'content-encoding'];

/** Headers of a conditional request. */
export function conditionalHeaders(validator: Validator | null): Record<string, string> {
  return {
    ...(validator?.etag ? { 'if-none-match': validator.etag } : {}),
    ...(validator?.lastModified ? { 'if-modified-since': validator.lastModified } : {}),
  };
}

/** The file name in a `Content-Disposition` header (RFC 6266), or null. */
export function fileNameIn(headers: Headers): string | null {
  return /filename\*?=(?:UTF-8'[^']*')?"?([^";]+)/i.exec(headers.get('content-disposition') ?? '')?.[1] ?? null;
}

/** The age of a cached response by its `Age` header (RFC 9111, section 5.1), in milliseconds; 0 without one. */
export function cacheAgeMs(headers: Headers): number {
  return 1000 * Number(/^\d{1,9}$/.exec(headers.get('age') ?? '')?.[0] ?? 0);
}
