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
