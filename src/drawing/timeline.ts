/** A validity interval: first and last day (`2017`, `2017-06` or `2017-06-22`), each null if unknown. */
export type Span = { start: string | null; end: string | null };

/** Position of a span on an axis from 0 to 1; null if the day is unknown. `lasts` is true without an end. */
export type PlacedSpan = { from: number | null; to: number | null; lasts: boolean };

/** Spans placed on one time axis, and the years marked on it. */
export type Timeline = { spans: PlacedSpan[]; years: { year: number; at: number }[] };

const dayMs = 86_400_000;
const steps = [1, 2, 5, 10, 20, 50, 100];
const maxYearMarks = 9;

/** Places spans on an axis from the year of the first to `until` or the last end; null without any day. */
export function placeSpans(spans: readonly Span[], until: string): Timeline | null {
  const read = spans.map(({ start, end }) => ({ from: firstDay(start), to: lastDay(end) }));
  const statedDays = read.flatMap(({ from, to }) => [from, to]).filter((day) => day !== null);
  const last = lastDay(until);
  if (statedDays.length === 0 || last === null) return null;
  const firstYear = new Date(Math.min(...statedDays, last)).getUTCFullYear();
  const begin = Date.UTC(firstYear, 0, 1);
  const end = Math.max(last, ...statedDays);
  const at = (day: number) => (day - begin) / (end - begin || dayMs);
  return {
    spans: read.map(({ from, to }) => ({
      from: from === null ? null : at(from),
      to: to === null ? (from === null ? null : 1) : at(Math.max(to, from ?? to)),
      lasts: to === null && from !== null,
    })),
    years: yearsBetween(firstYear, new Date(end).getUTCFullYear()).map((year) => ({
      year,
      at: at(Date.UTC(year, 0, 1)),
    })),
  };
}

function yearsBetween(first: number, last: number): number[] {
  const step = steps.find((each) => (last - first) / each < maxYearMarks) ?? steps.at(-1)!;
  const count = Math.floor((last - first) / step) + 1;
  return Array.from({ length: count }, (_, at) => first + at * step);
}

const written = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?:$|T)/;

function firstDay(text: string | null): number | null {
  const [, year, month = '01', day = '01'] = written.exec(text ?? '') ?? [];
  return year === undefined ? null : dayOf(year, month, day);
}

function lastDay(text: string | null): number | null {
  const [, year, month, day] = written.exec(text ?? '') ?? [];
  if (year === undefined) return null;
  if (day !== undefined) return dayOf(year, month!, day);
  return Date.UTC(Number(year), month === undefined ? 12 : Number(month), 0);
}

function dayOf(year: string, month: string, day: string): number {
  return Date.UTC(Number(year), Number(month) - 1, Number(day));
}
