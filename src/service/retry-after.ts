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
