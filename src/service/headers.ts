/** The longest that a header may slow us down: the service counts by the minute. */
const longestMs = 61_000;

/**
 * How long the service says that nothing is left of its limit, in milliseconds; 0 where something is left or nothing
 * is said. Reads `RateLimit` (draft-ietf-httpapi-ratelimit-headers, now and before) and `X-RateLimit-*`.
 */
export function exhaustedMs(headers: Headers, nowMs: number): number {
  const waits = [
    structured(headers.get('ratelimit')),
    paired(headers, 'ratelimit', nowMs),
    paired(headers, 'x-ratelimit', nowMs),
  ];
  return Math.min(longestMs, Math.max(...waits));
}

/** `"default";r=0;t=30`, several with commas between, or the older `limit=60, remaining=0, reset=30`. */
function structured(header: string | null): number {
  if (header === null) return 0;
  const older = /remaining=(\d+).*reset=(\d+)/.exec(header);
  if (older) return waitOf(older[1]!, older[2]!, null);
  const waits = header.split(',').map((policy) => {
    const [left, seconds] = [/;\s*r=(\d+)/.exec(policy)?.[1], /;\s*t=(\d+)/.exec(policy)?.[1]];
    return left === undefined || seconds === undefined ? 0 : waitOf(left, seconds, null);
  });
  return Math.max(0, ...waits);
}

function paired(headers: Headers, prefix: string, nowMs: number): number {
  const [left, reset] = [headers.get(`${prefix}-remaining`), headers.get(`${prefix}-reset`)];
  return left === null || reset === null ? 0 : waitOf(left, reset, nowMs);
}

/** A reset is in so many seconds, or at so many since 1970. */
function waitOf(left: string, reset: string, nowMs: number | null): number {
  const [count, seconds] = [Number(left), Number(reset)];
  if (count !== 0 || left.trim() === '' || !Number.isFinite(seconds)) return 0;
  if (nowMs !== null && seconds > 1_000_000_000) return Math.max(0, seconds * 1000 - nowMs);
  return Math.max(0, seconds * 1000);
}

/** The wait that a `Retry-After` header asks for in milliseconds (seconds or an HTTP date), or null. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

/** The wait before attempt `attempt` (1, 2, …) after a failure that may pass: doubling from 1 s, with jitter. */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.round(1000 * 2 ** (attempt - 1) * (0.75 + random() * 0.5));
}

/** Stands on the datasets of a Hemicycle whose whole mirror can be had at `/mirror`. */
export const mirrorHeader = 'hemicycle-mirror';

/** What a service gives with an answer to ask later whether it changed (RFC 9110, section 8.8). */
export type Validator = { etag: string | null; lastModified: string | null };

/** The validator that came with an answer, or null if there was none. */
export function validatorOf(headers: Headers): Validator | null {
  const [etag, lastModified] = [headers.get('etag'), headers.get('last-modified')];
  return etag === null && lastModified === null ? null : { etag, lastModified };
}

/** The headers that ask for an answer only if it changed. */
export function conditionalHeaders(known: Validator | null): Record<string, string> {
  return {
    ...(known?.etag ? { 'if-none-match': known.etag } : {}),
    ...(known?.lastModified ? { 'if-modified-since': known.lastModified } : {}),
  };
}

/**
 * How it is known where a body ends: `told` by itself (chunks, or a compression that has an end), `counted` by its
 * Content-Length, or `untold`, where the connection alone is closed and nobody can say why (RFC 9112, section 6.3).
 */
export type BodyEnd = 'told' | 'counted' | 'untold';

/** How the body of an answer with these headers says where it ends. */
export function bodyEndOf(headers: Headers): BodyEnd {
  const encodings = `${headers.get('transfer-encoding') ?? ''},${headers.get('content-encoding') ?? ''}`;
  const isTold = encodings.split(',').some((each) => !['', 'identity'].includes(each.trim().toLowerCase()));
  if (isTold) return 'told';
  return headers.has('content-length') ? 'counted' : 'untold';
}
