/** A validity interval: first and last day (`2017`, `2017-06` or `2017-06-22`), each null if unknown. */
export type Span = { start: string | null; end: string | null };

/** Position of a span on an axis from 0 to 1; null if the day is unknown. `lasts` is true without an end. */
export type PlacedSpan = { from: number | null; to: number | null; lasts: boolean };

/** Spans placed on one time axis, and the years marked on it. */
export type Timeline = { spans: PlacedSpan[]; years: { year: number; at: number }[] };

const dayMs = 86_400_000;
const yearSteps = [1, 2, 5, 10, 20, 50, 100];
const maxYearMarks = 9;

/** Places spans on an axis from the year of the first to `until` or the last end; null without any day. */
export function placeSpans(spans: readonly Span[], until: string): Timeline | null {
  const parsedSpans = spans.map(({ start, end }) => ({ from: dayOf(start, 'first'), to: dayOf(end, 'last') }));
  const statedDays = parsedSpans.flatMap(({ from, to }) => [from, to]).filter((day) => day !== null);
  const last = dayOf(until, 'last');
  if (statedDays.length === 0 || last === null) return null;
  const firstYear = new Date(Math.min(...statedDays, last)).getUTCFullYear();
  const begin = Date.UTC(firstYear, 0, 1);
  const end = Math.max(last, ...statedDays);
  const positionOf = (day: number) => (day - begin) / (end - begin || dayMs);
  return {
    spans: parsedSpans.map(({ from, to }) => ({
      from: from === null ? null : positionOf(from),
      to: to === null ? (from === null ? null : 1) : positionOf(Math.max(to, from ?? to)),
      lasts: to === null && from !== null,
    })),
    years: yearsBetween(firstYear, new Date(end).getUTCFullYear()).map((year) => ({
      year,
      at: positionOf(Date.UTC(year, 0, 1)),
    })),
  };
}

function yearsBetween(first: number, last: number): number[] {
  const step = yearSteps.find((each) => (last - first) / each < maxYearMarks) ?? yearSteps.at(-1)!;
  const count = Math.floor((last - first) / step) + 1;
  return Array.from({ length: count }, (_, at) => first + at * step);
}

const datePattern = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?:$|T)/;

/** First or last day of a day, month or year in Unix milliseconds; null for any other text. */
function dayOf(text: string | null, edge: 'first' | 'last'): number | null {
  const [, year, month, day] = datePattern.exec(text ?? '') ?? [];
  if (year === undefined) return null;
  if (edge === 'last' && day === undefined) return Date.UTC(Number(year), Number(month ?? 12), 0);
  return Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1));
}
