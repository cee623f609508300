const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A duration such as `90s`, `30m`, `12h`, `7d` or `2w` in milliseconds, or null if it is none. */
export function durationMs(text: string): number | null {
  const found = /^(\d{1,6})\s*([smhdw])$/.exec(text.trim());
  return found ? Number(found[1]) * units[found[2]!]! : null;
}

/** Tolerated difference between clocks. */
const toleranceMs = 5 * 60_000;

/** Age of a moment in milliseconds; null for one in the future, saved under a wrong clock. */
export function ageMs(moment: string, nowMs: number): number | null {
  const age = nowMs - Date.parse(moment);
  return age < -toleranceMs ? null : Math.max(0, age);
}

const written = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * Parses a moment as people write it, to ISO 8601: `7d` before now, or the first or last millisecond of a day, minute or
 * second. UTC by default; null for anything else.
 */
export function momentOf(text: string, nowMs: number, edge: 'start' | 'end'): string | null {
  const agoMs = durationMs(text);
  if (agoMs !== null) return new Date(nowMs - agoMs).toISOString();
  const [, day, minute, second, fraction, zone = 'Z'] = written.exec(text.trim()) ?? [];
  if (day === undefined) return null;
  const [lastMinute, lastSecond, lastFraction] =
    edge === 'end' ? ['23:59', '59', '.999'] : ['00:00', '00', '.000'];
  const ms = Date.parse(
    `${day}T${minute ?? lastMinute}:${second ?? lastSecond}${fraction ?? lastFraction}${zone.toUpperCase()}`,
  );
  if (Number.isNaN(ms) || Number.isNaN(Date.parse(day)) || !isCalendarDay(day)) return null;
  return new Date(ms).toISOString();
}

/** Rejects days such as 31 February, which `Date` rolls over. */
function isCalendarDay(day: string): boolean {
  return new Date(Date.parse(day)).toISOString().startsWith(day);
}

/** A past moment, ISO 8601; the rest of today counts as now, later days are null. */
export function pastMoment(at: string, nowMs: number): string | null {
  const now = new Date(nowMs).toISOString();
  if (at <= now) return at;
  return at.slice(0, 10) === now.slice(0, 10) ? now : null;
}
