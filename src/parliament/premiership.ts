import { type Document, textOf } from '../model/document.ts';
import { parseDayRange } from '../model/moment.ts';

const termPattern =
  /premi(?:er|ère) ministre du (?<start>\d[^.;]{0,20}?) au (?<end>\d\d?(?:er)? \p{L}+ (?<year>\d{4}))/iu;

/** The first and last day as Prime Minister that a biography states, `YYYY-MM-DD`; null if it states none. */
export function premierDays(politician: Document): [first: string, last: string] | null {
  const { start = '', end = '', year } = termPattern.exec(textOf(politician, 'bio') ?? '')?.groups ?? {};
  const first = parseDayRange(/\d{4}/.test(start) ? start : `${start} ${year}`, 0)?.[0];
  const last = parseDayRange(end, 0)?.[1];
  return first && last ? [first, last] : null;
}
