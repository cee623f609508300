import { months } from '../words/figures.ts';
import words from './day-words.json' with { type: 'json' };

export const dayMs = 86_400_000;

const unitSeconds = new Map<string | undefined, number>(Object.entries(words.seconds));

/** Milliseconds of a duration such as `90s`, `30m`, `12h`, `7d`, `2w` or `3 jours`; null for any other text. */
export function durationMs(text: string): number | null {
  const { count, unit } = /^(?<count>\d{1,6})\s*(?<unit>\p{L}+)$/u.exec(text.trim())?.groups ?? {};
  const seconds = unitSeconds.get(unit) ?? unitSeconds.get(unit?.replace(/(?<=..)s$/, '')); // plural s
  return seconds === undefined ? null : Number(count) * seconds * 1000;
}

const clockToleranceMs = 5 * 60_000;

/** Age of a moment in milliseconds; null if it is more than 5 minutes ahead, saved with a wrong clock. */
export function ageMs(moment: string, nowMs: number): number | null {
  const age = nowMs - Date.parse(moment);
  return age < -clockToleranceMs ? null : Math.max(0, age);
}

const momentPattern =
  /^(?<day>\d{4}-\d\d-\d\d)[T ](?<minute>\d\d:\d\d)(?::(?<second>\d\d)(?<fraction>\.\d+)?)?(?<zone>Z|[+-]\d\d:?\d\d)?$/i;

/** Words around a time bound that repeat what its flag says: `depuis mars 2025`, `il y a 3 jours`. */
const boundWords = {
  start: /^(?:depuis|since|from|à partir d[eu]) |^(?:il y a|les) (?=\d)| ago$/gi,
  end: /^(?:until |jusqu['’](?:à|au|en)? ?)|^(?:il y a|les) (?=\d)| ago$/gi,
};

/** The text of a time bound without these words; a season with a year becomes its first or last month. */
const boundText = (text: string, edge: 'start' | 'end') =>
  withoutAccents(text.trim().replace(boundWords[edge], '')).replace(
    /^(?:le |l['’])?(\p{L}+)(?= \d{4}$)/u,
    (all, name) => (Object.hasOwn(words.seasons, name) ? words.seasons[name as keyof typeof words.seasons][edge] : all),
  );

/** Parses `7d` (ago), or the edge of a day, month, year, minute or second, to ISO 8601; null for any other text. */
export function momentOf(text: string, nowMs: number, edge: 'start' | 'end'): string | null {
  // Days are in Paris and end at their last millisecond; a clock time is UTC by default.
  const bound = boundText(text, edge);
  const agoMs = durationMs(bound);
  if (agoMs !== null) return new Date(nowMs - agoMs).toISOString();
  const days = parseDayRange(bound, nowMs);
  if (days) return new Date(edge === 'start' ? dayStartMs(days[0]) : dayStartMs(dayAfter(days[1])) - 1).toISOString();
  const { day, minute, second, fraction, zone = 'Z' } = momentPattern.exec(bound)?.groups ?? {};
  if (day === undefined || !isCalendarDay(day)) return null;
  const [edgeSecond, edgeFraction] = edge === 'end' ? ['59', '.999'] : ['00', '.000'];
  const ms = Date.parse(`${day}T${minute}:${second ?? edgeSecond}${fraction ?? edgeFraction}${zone.toUpperCase()}`);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** The first or last day in Paris of a text that `momentOf` accepts, `YYYY-MM-DD`; null for any other text. */
export function parseDay(text: string, nowMs: number, edge: 'start' | 'end'): string | null {
  const days = parseDayRange(boundText(text, edge), nowMs);
  if (days) return days[edge === 'start' ? 0 : 1];
  const at = momentOf(text, nowMs, edge);
  return at === null ? null : dayInParis(Date.parse(at));
}

/** True for a text whose moment depends on the present: `7d`, `yesterday`, `monday`, `january`. */
export function isRelative(text: string): boolean {
  return momentOf(text, 0, 'start') !== momentOf(text, 420 * dayMs, 'start'); // more than a year apart
}

const weekdays = [
  ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'],
  ['dimanche', 'lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi'],
];
const withoutAccents = (text: string) => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
const foldedMonths = Object.values(months).map((names) => names.map(withoutAccents));
/** Phrases for a recent day, week, month or year, as number and unit (`1w`: the week before this one). */
const recentPhrases = new Map(Object.entries(words.recent));

const openingWords = new RegExp(`^(?:d[eu] |d'|of |l[ae]s? |the |l'|(?:${weekdays.flat().join('|')}) (?=\\d))*`);

/** The text in lower case, without accents and without articles, prepositions or a weekday before a date. */
const plainDate = (text: string) => withoutAccents(text.trim().replace('’', "'")).replace(openingWords, '');

/** True for words that can only name days near the present: `hier`, `le mois dernier`, but not `lundi` or `mars`. */
export const namesRecentDays = (text: string): boolean => recentPhrases.has(plainDate(text));

/** The first and last day of a day, week, month or year as people type it, `YYYY-MM-DD`; null for any other text. */
export function parseDayRange(text: string, nowMs: number): [first: string, last: string] | null {
  const plainText = plainDate(text);
  const today = new Date(dayInParis(nowMs));
  return recentRange(plainText, today) ?? calendarRange(plainText, today);
}

/** The range of a weekday (the last one, or today) or of a phrase such as `last week`; null for any other text. */
function recentRange(plainText: string, today: Date): [first: string, last: string] | null {
  const weekday = indexInLanguages(weekdays, plainText);
  const offset = weekday < 0 ? recentPhrases.get(plainText) : `${(today.getUTCDay() - weekday + 7) % 7}d`;
  const { count, unit } = /^(?<count>\d)(?<unit>.)$/.exec(offset ?? '')?.groups ?? {};
  const amount = Number(count);
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth() + 1, today.getUTCDate()];
  const monday = day - ((today.getUTCDay() + 6) % 7) - 7 * amount;
  if (unit === 'd') return [dayOf(year, month, day - amount), dayOf(year, month, day - amount)];
  if (unit === 'w') return [dayOf(year, month, monday), dayOf(year, month, monday + 6)];
  if (unit === 'm') return [dayOf(year, month - amount, 1), dayOf(year, month - amount + 1, 0)];
  return unit === 'y' ? [`${year - amount}-01-01`, `${year - amount}-12-31`] : null;
}

/** The range of `2025`, `2025-03`, `03/2025`, `1/3/2025`, `mars 2025` or `1er mars`; null for any other text. */
function calendarRange(plainText: string, today: Date): [first: string, last: string] | null {
  const iso = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(plainText)?.slice(1);
  const dayFirst = /^(?:(?:(\d\d?)[/.])?(\d\d?)[/.])(\d{4})$/.exec(plainText)?.slice(1).reverse();
  const [year, month, day] = iso ?? dayFirst ?? spelledDate(plainText, today) ?? [];
  if (year === undefined) return null;
  if (month === undefined) return [`${year}-01-01`, `${year}-12-31`];
  const first = `${year}-${month.padStart(2, '0')}-${(day ?? '01').padStart(2, '0')}`;
  const last = day === undefined ? dayOf(Number(year), Number(month) + 1, 0) : first;
  return isCalendarDay(first) ? [first, last] : null;
}

/** Year, month and day (undefined for a month) of a date with the month's name; undefined for any other text. */
function spelledDate(plainText: string, today: Date): (string | undefined)[] | undefined {
  const [, day, name = '', year] = /^(?:(\d\d?)(?:er)? )?(\p{L}+)(?: (\d{4}))?$/u.exec(plainText) ?? [];
  const month = indexInLanguages(foldedMonths, name) + 1;
  // A day or month without a year is the last one that has begun.
  const isInFuture = month * 100 + Number(day ?? 1) > (today.getUTCMonth() + 1) * 100 + today.getUTCDate();
  return month === 0 ? undefined : [year ?? String(today.getUTCFullYear() - Number(isInFuture)), String(month), day];
}

/** The words without the date among them, and its first and last day (null unless just one word has a year). */
export function splitDays(words: readonly string[]): { words: string[]; days: [first: string, last: string] | null } {
  if (words.filter((word) => /(?:19|20)\d\d/.test(word)).length === 1)
    // The longest date wins: day, month and year, before month and year, before the year alone.
    for (const length of [3, 2, 1])
      for (const at of words.keys()) {
        const text = words.slice(at, at + length).join(' ');
        const days = /(?:19|20)\d\d/.test(text) ? parseDayRange(text, 0) : null;
        if (days !== null) return { words: words.toSpliced(at, length), days };
      }
  return { words: [...words], days: null };
}

/** Index of a word in the list of the language that has it; -1 if none has it. */
const indexInLanguages = (languages: string[][], word: string) =>
  Math.max(...languages.map((words) => words.indexOf(word)));

/** The calendar day of a date whose month and day may overflow: day 0 is the last of the month before. */
function dayOf(year: number, month: number, day: number): string {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.toISOString().slice(0, 10);
}

let parisFormat: Intl.DateTimeFormat | undefined;

/** The day of a moment in Paris. */
export function dayInParis(ms: number): string {
  parisFormat ??= new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Paris' });
  return parisFormat.format(ms);
}

/** Start of a day in Paris in Unix milliseconds, one or two hours before its start in UTC. */
function dayStartMs(day: string): number {
  const summer = Date.parse(`${day}T00:00:00+02:00`);
  return dayInParis(summer) === day ? summer : summer + 3_600_000;
}

/** The day after a day, both `YYYY-MM-DD`. */
export const dayAfter = (day: string): string => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);

/** False for days such as 31 February, which `Date` rolls over. */
function isCalendarDay(day: string): boolean {
  const ms = Date.parse(day);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/** A past moment, ISO 8601, unchanged; the present for later today in Paris; null for later days. */
export function pastMoment(at: string, nowMs: number): string | null {
  const now = new Date(nowMs).toISOString();
  if (at <= now) return at;
  return dayInParis(Date.parse(at)) === dayInParis(nowMs) ? now : null;
}

/** True for a moment as this program writes it: ISO 8601 in UTC with milliseconds. */
export const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value;
