import { months } from '../words/figures.ts';

/** Milliseconds of a day. */
export const dayMs = 86_400_000;

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: dayMs, w: 7 * dayMs };

/** Milliseconds of a duration such as `90s`, `30m`, `12h`, `7d` or `2w`; null for any other text. */
export function durationMs(text: string): number | null {
  const match = /^(\d{1,6})\s*([smhdw])$/.exec(text.trim());
  return match ? Number(match[1]) * units[match[2]!]! : null;
}

const toleranceMs = 5 * 60_000;

/** Age of a moment in milliseconds; null if it is more than 5 minutes ahead, saved with a wrong clock. */
export function ageMs(moment: string, nowMs: number): number | null {
  const age = nowMs - Date.parse(moment);
  return age < -toleranceMs ? null : Math.max(0, age);
}

const momentPattern = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** Parses `7d` (ago), or the edge of a day, month, year, minute or second, to ISO 8601; null for any other text. */
export function momentOf(text: string, nowMs: number, edge: 'start' | 'end'): string | null {
  // Days are in Paris and end at their last millisecond; a clock time is UTC by default.
  const agoMs = durationMs(text);
  if (agoMs !== null) return new Date(nowMs - agoMs).toISOString();
  const days = parseDayRange(text, nowMs);
  if (days) return new Date(edge === 'start' ? startMs(days[0]) : startMs(dayAfter(days[1])) - 1).toISOString();
  const [, day, minute, second, fraction, zone = 'Z'] = momentPattern.exec(text.trim()) ?? [];
  if (day === undefined || !isCalendarDay(day)) return null;
  const [lastSecond, lastFraction] = edge === 'end' ? ['59', '.999'] : ['00', '.000'];
  const ms = Date.parse(`${day}T${minute}:${second ?? lastSecond}${fraction ?? lastFraction}${zone.toUpperCase()}`);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** The first or last day in Paris of a moment for `momentOf`, `YYYY-MM-DD`; null for any other text. */
export function parseDay(text: string, nowMs: number, edge: 'start' | 'end'): string | null {
  const days = parseDayRange(text, nowMs);
  if (days) return days[edge === 'start' ? 0 : 1];
  const at = momentOf(text, nowMs, edge);
  return at === null ? null : dayInParis(Date.parse(at));
}

/** True for a text whose moment depends on the present: `7d`, `yesterday`, `monday`, `january`. */
export function isRelative(text: string): boolean {
  return momentOf(text, 0, 'start') !== momentOf(text, 60 * units.w!, 'start');
}

const weekdays = [
  ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'],
  ['dimanche', 'lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi'],
];
const withoutAccents = (text: string) => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
const typedMonths = Object.values(months).map((names) => names.map(withoutAccents));
const daysAgo = new Map(Object.entries({ today: 0, "aujourd'hui": 0, yesterday: 1, hier: 1 }));

/** The first and last day of a day, month or year as people type it, `YYYY-MM-DD`; null for any other text. */
export function parseDayRange(text: string, nowMs: number): [first: string, last: string] | null {
  const plain = withoutAccents(text.trim().replace('’', "'"));
  const weekday = placeIn(weekdays, plain);
  if (weekday >= 0 || daysAgo.has(plain)) {
    const today = new Date(dayInParis(nowMs));
    const ago = daysAgo.get(plain) ?? (today.getUTCDay() - weekday + 7) % 7;
    const day = new Date(today.getTime() - ago * units.d!).toISOString().slice(0, 10);
    return [day, day];
  }
  const iso = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(plain)?.slice(1);
  const dayFirst = /^(?:(?:(\d\d?)[/.])?(\d\d?)[/.])(\d{4})$/.exec(plain)?.slice(1).reverse();
  const [, dayOfMonth, name = '', writtenYear] = /^(?:(\d\d?)(?:er)? )?(\p{L}+)(?: (\d{4}))?$/u.exec(plain) ?? [];
  const monthNumber = placeIn(typedMonths, name) + 1;
  // A day or month without a year is the last one that has begun.
  const [thisYear = '', ...today] = dayInParis(nowMs).split('-');
  const isInFuture = monthNumber * 100 + Number(dayOfMonth ?? 1) > Number(today.join(''));
  const yearText = writtenYear ?? String(Number(thisYear) - Number(isInFuture));
  const spelledDate = monthNumber === 0 ? undefined : [yearText, String(monthNumber), dayOfMonth];
  const [year, month, day] = iso ?? dayFirst ?? spelledDate ?? [];
  if (year === undefined) return null;
  const on = (inMonth = month, inDay = day) => `${year}-${inMonth!.padStart(2, '0')}-${inDay!.padStart(2, '0')}`;
  if (month === undefined) return [on('01', '01'), on('12', '31')];
  const [first, last] = day === undefined ? [on(month, '01'), lastOfMonth(year, month)] : [on(), on()];
  return isCalendarDay(first) ? [first, last] : null;
}

/** The words without the day, month or year among them, and its first and last day; null unless one year is named. */
export function splitDays(words: readonly string[]): { words: string[]; days: [first: string, last: string] | null } {
  if (words.filter((word) => /(?:19|20)\d\d/.test(word)).length === 1)
    for (const length of [3, 2, 1])
      for (const at of words.keys()) {
        const text = words.slice(at, at + length).join(' ');
        const days = /(?:19|20)\d\d/.test(text) ? parseDayRange(text, 0) : null;
        if (days !== null) return { words: words.toSpliced(at, length), days };
      }
  return { words: [...words], days: null };
}

const placeIn = (languages: string[][], word: string) => Math.max(...languages.map((words) => words.indexOf(word)));

function lastOfMonth(year: string, month: string): string {
  const last = new Date(0);
  last.setUTCFullYear(Number(year), Number(month), 0);
  return last.toISOString().slice(0, 10);
}

let paris: Intl.DateTimeFormat | undefined;

function dayInParis(ms: number): string {
  paris ??= new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Paris' });
  return paris.format(ms);
}

/** Start of a day in Paris in Unix milliseconds, one or two hours before its start in UTC. */
function startMs(day: string): number {
  const summer = Date.parse(`${day}T00:00:00+02:00`);
  return dayInParis(summer) === day ? summer : summer + units.h!;
}

/** The day after a day, both `YYYY-MM-DD`. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(day) + units.d!).toISOString().slice(0, 10);
}

/** False for days such as 31 February, which `Date` rolls over. */
function isCalendarDay(day: string): boolean {
  const ms = Date.parse(day);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/** The moment, ISO 8601, if it is past; now for later today in Paris, null for later days. */
export function pastMoment(at: string, nowMs: number): string | null {
  const now = new Date(nowMs).toISOString();
  if (at <= now) return at;
  return dayInParis(Date.parse(at)) === dayInParis(nowMs) ? now : null;
}
