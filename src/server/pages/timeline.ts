import { type Document, textOf } from '../../model/document.ts';
import { type Html, html } from './html.ts';
import type { Making } from './making.ts';
import { day, partyLink } from './parts.ts';

const [width, rowHeight, barHeight] = [600, 14, 8];

/** Affiliations as bars over the years, and the same as a list; nothing where there are none. */
export function timeline(making: Making, affiliations: readonly Document[]): Html | null {
  if (affiliations.length === 0) return null;
  const dated = affiliations
    .filter(isDated)
    .sort((a, b) => (textOf(a, 'start')! < textOf(b, 'start')! ? -1 : 1));
  const undated = affiliations.filter((each) => !isDated(each));
  const newestFirst = [...dated].reverse();
  return html`${chart(making, dated)}<ol class="affiliations">${[...newestFirst, ...undated].map((each) => entry(making, each))}</ol>`;
}

function entry(making: Making, affiliation: Document): Html {
  const { speech } = making;
  const [start, end] = [textOf(affiliation, 'start'), textOf(affiliation, 'end')];
  const span =
    start === null && end === null
      ? speech.say`no dates stated`
      : html`${day(speech, start) ?? '…'} – ${day(speech, end) ?? speech.say`today`}`;
  return html`<li><span lang="fr">${textOf(affiliation, 'role')} ${partyLink(making, affiliation.party) ?? textOf(affiliation, 'name', 'organization')}</span><span class="meta">${span}</span></li>
`;
}

/** The bars: one row for each affiliation, a line for each few years. */
function chart(making: Making, dated: readonly Document[]): Html | null {
  if (dated.length < 2) return null;
  const until = (making.reading.asOf ?? making.filledAt ?? textOf(dated.at(-1)!, 'start')!).slice(0, 10);
  const [from, to] = [yearOf(textOf(dated[0]!, 'start')!), yearOf(until)];
  const span = Math.max(1, to - from);
  const place = (year: number) =>
    Math.round(((Math.min(Math.max(year, from), to) - from) / span) * width * 10) / 10;
  const bars = dated.map((each, row) => {
    const [left, right] = [yearOf(textOf(each, 'start')!), yearOf(dateIn(each, 'end') ?? until)].map(
      place,
    ) as [number, number];
    return html`<rect class="bar" x="${left}" y="${row * rowHeight + 3}" width="${Math.max(2, right - left)}" height="${barHeight}" rx="2"/>`;
  });
  const height = dated.length * rowHeight + 18;
  const step = span > 20 ? 10 : span > 8 ? 5 : span > 3 ? 2 : 1;
  const years: number[] = [];
  for (let year = Math.ceil(from / step) * step; year <= to; year += step) years.push(year);
  const lines = years.map(
    (year) =>
      html`<line class="grid" x1="${place(year)}" x2="${place(year)}" y1="0" y2="${height - 16}"/><text class="tick" x="${place(year)}" y="${height - 3}" text-anchor="${place(year) < 20 ? 'start' : place(year) > width - 20 ? 'end' : 'middle'}">${String(year)}</text>`,
  );
  return html`<svg class="timeline" viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false">${lines}${bars}</svg>`;
}

/** A day that a field states; what is written otherwise is none. */
function dateIn(affiliation: Document, field: string): string | null {
  const text = textOf(affiliation, field);
  return text !== null && /^\d{4}(-\d\d){0,2}($|T)/.test(text) ? text : null;
}

function isDated(affiliation: Document): boolean {
  return dateIn(affiliation, 'start') !== null;
}

/** A day as a year with its fraction. */
function yearOf(date: string): number {
  const [year = 0, month = 1, dayOfMonth = 1] = date.slice(0, 10).split('-').map(Number);
  return year + (month - 1) / 12 + (dayOfMonth - 1) / 365;
}
