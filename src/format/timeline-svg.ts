import { type PlacedSpan, placeSpans, type Span } from '../drawing/timeline.ts';
import type { Speech } from '../words/speech.ts';
import {
  breakLines,
  colourOf,
  ink,
  inner,
  margin,
  paragraph,
  pictureText,
  rimOf,
  round,
  soft,
  stripes,
  svgText,
} from './svg.ts';

/** One affiliation: name, role and validity interval. */
export type AffiliationSpan = Span & {
  name: string;
  role: string | null;
  colour: string | null;
  /** True for a parliamentary group, false for a party, null if unknown. */
  isGroup: boolean | null;
};

/** Affiliations of a person, the last day covered (ISO 8601), and the attribution. */
export type TimelineFacts = {
  /** The id in addresses: letters, digits and hyphens. */
  id: string;
  title: string;
  affiliations: readonly AffiliationSpan[];
  until: string;
  attribution: string;
  speech: Speech;
};

const rowHeight = 42;
const barHeight = 12;

/** Affiliations as SVG: groups striped, parties full; an arrow marks no end, a dashed bar no start; undated as text. */
export function timelineSvg({ id, title, until, attribution, speech, ...facts }: TimelineFacts): string {
  const affiliations = facts.affiliations.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  // Without any date there is no axis: the affiliations are listed as text.
  const placement = placeSpans(affiliations, until) ?? { spans: affiliations.map(() => undatedSpan), years: [] };
  const head = paragraph({ text: title, size: 20, weight: 600 }, margin);
  const top = margin + head.height + 12;
  const rows = affiliations.map((each, at) => {
    const placed = placement.spans[at]!;
    return rowMarkup({ each, placed, y: top + 24 + at * rowHeight, pattern: `${id}-stripes-${at}`, speech });
  });
  const bottom = top + 24 + rows.length * rowHeight;
  const years = placement.years.map(({ year, at }) => yearMark({ year, x: margin + at * inner, top, bottom }));
  const legend = paragraph({ text: legendText(affiliations, speech), size: 12, fill: soft }, bottom + 8);
  const foot = paragraph({ text: attribution, size: 12, fill: soft }, bottom + 8 + legend.height + 4);
  const patterns = affiliations.map(({ isGroup, colour }, at) =>
    isGroup === true ? stripes(`${id}-stripes-${at}`, colourOf(colour)) : '',
  );
  return pictureText({
    id,
    title,
    description: affiliations.map((each) => affiliationSentence(each, speech)).join('; '),
    defs: patterns.join(''),
    height: bottom + 8 + legend.height + 4 + foot.height + margin,
    parts: [head.markup(), ...years, ...rows, legend.markup(), foot.markup()],
  });
}

const undatedSpan: PlacedSpan = { from: null, to: null, lasts: false };

const sortKey = ({ start, end }: Span) => `${start ?? `~${end ?? '~'}`} ${end ?? '~'}`;

/** An affiliation in words: name, role, validity interval. */
export function affiliationSentence({ name, role, start, end }: AffiliationSpan, speech: Speech): string {
  return [name, role, daysText({ start, end }, speech)].filter(Boolean).join(', ');
}

function daysText({ start, end }: Span, speech: Speech): string {
  if (start === null && end === null) return speech.say`no dates stated`;
  if (end === null) return speech.say`${speech.day(start!)}, no end stated`;
  if (start === null) return speech.say`to ${speech.day(end)}, no beginning stated`;
  return speech.say`${speech.day(start)} to ${speech.day(end)}`;
}

type Row = { each: AffiliationSpan; placed: PlacedSpan; y: number; pattern: string; speech: Speech };

function rowMarkup({ each, placed, y, pattern, speech }: Row): string {
  const days = daysText(each, speech);
  // Only the name is shortened, never the days.
  const room = inner - (days.length + 2) * 7;
  const [name = '', more] = breakLines({ text: [each.name, each.role].filter(Boolean).join(', '), size: 13 }, room);
  const label = `<text x="${margin}" y="${y + 13}" font-size="13">${svgText(more === undefined ? name : `${name}…`)}</text><text x="${margin + inner}" y="${y + 13}" font-size="13" text-anchor="end" fill="${soft}">${svgText(days)}</text>`;
  return `<g class="affiliation">${label}${barMarkup({ each, placed, y: y + 19, pattern })}</g>`;
}

function barMarkup({ each, placed: { from, to, lasts }, y, pattern }: Omit<Row, 'speech'>): string {
  if (to === null) return '';
  const rim = `stroke="${rimOf(colourOf(each.colour))}"`;
  const right = margin + to * inner;
  const middle = y + barHeight / 2;
  if (from === null)
    return `<path d="M${margin} ${middle}H${round(right)}" ${rim} stroke-width="3" stroke-dasharray="3 5"/><path d="M${round(right)} ${y}v${barHeight}" ${rim} stroke-width="2"/>`;
  const leftX = margin + from * inner;
  const long = Math.max(2, right - leftX);
  const fill = each.isGroup === true ? `url(#${pattern})` : colourOf(each.colour);
  const box = `<rect x="${round(leftX)}" y="${y}" width="${round(long)}" height="${barHeight}" fill="${fill}" ${rim}/>`;
  return lasts ? `${box}<path d="M${round(right)} ${y - 2}l10 8l-10 8z" fill="${ink}"/>` : box;
}

function yearMark({ year, x, top, bottom }: { year: number; x: number; top: number; bottom: number }): string {
  const isLast = x > margin + inner - 40;
  return `<path d="M${round(x)} ${top + 16}V${bottom}" stroke="#d0d0d0"/><text x="${round(x)}" y="${top + 10}" font-size="12" fill="${soft}" text-anchor="${isLast ? 'end' : 'start'}">${year}</text>`;
}

function legendText(affiliations: readonly AffiliationSpan[], speech: Speech): string {
  const hasAny = (test: (each: AffiliationSpan) => boolean) => affiliations.some(test);
  return [
    hasAny(({ isGroup }) => isGroup === true) ? speech.say`striped: parliamentary group` : '',
    hasAny(({ isGroup }) => isGroup === false) ? speech.say`full: party` : '',
    hasAny(({ start, end }) => start !== null && end === null) ? speech.say`arrow: no end stated` : '',
    hasAny(({ start, end }) => start === null && end !== null) ? speech.say`dashed: no beginning stated` : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
