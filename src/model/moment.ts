import { durationMs } from './duration.ts';

const written = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * The moment that a person means, ISO 8601: `7d` is that long before now; a day, a minute or a second is its first
 * or its last millisecond; UTC unless it says otherwise. Null for anything else.
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

/** `Date` takes 31 February for 3 March. */
function isCalendarDay(day: string): boolean {
  return new Date(Date.parse(day)).toISOString().startsWith(day);
}
