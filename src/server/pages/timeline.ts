import { placeSpans, type Span } from '../../drawing/timeline.ts';
import { type AffiliationSpan, timelineSvg } from '../../format/timeline-svg.ts';
import { attributionPhrase } from '../../model/attribution.ts';
import { type Document, documentsIn, slugOf, textOf } from '../../model/document.ts';
import { kindOf } from '../../model/kinds.ts';
import { politician } from '../../questions/politicians.ts';
import type { Mirror } from '../../store/mirror.ts';
import { readRecord } from '../../store/record.ts';
import type { AlternateForm } from './alternate-forms.ts';
import { type Html, html } from './html.ts';
import { attributionFor, formHref, type Rendering } from './page-context.ts';
import { day, partyLink } from './parts.ts';

const [width, rowHeight, barHeight] = [600, 14, 8];

/** Affiliations as bars over the years, and as a list; null if there are none. */
export function affiliationTimeline(page: Rendering, affiliations: readonly Document[]): Html | null {
  if (affiliations.length === 0) return null;
  const dated = affiliations
    .filter(isDated)
    .sort((a, b) => (textOf(a, 'start')! < textOf(b, 'start')! ? -1 : 1));
  const undated = affiliations.filter((each) => !isDated(each));
  const newestFirst = [...dated].reverse();
  return html`${chart(page, dated)}<ol class="affiliations">${[...newestFirst, ...undated].map((each) => entry(page, each))}</ol>`;
}

function entry(page: Rendering, affiliation: Document): Html {
  const { speech } = page;
  const [start, end] = [textOf(affiliation, 'start'), textOf(affiliation, 'end')];
  const span =
    start === null && end === null
      ? speech.say`no dates stated`
      : html`${day(speech, start) ?? '…'} – ${day(speech, end) ?? speech.say`today`}`;
  return html`<li><span lang="fr">${textOf(affiliation, 'role')} ${partyLink(page, affiliation.party) ?? textOf(affiliation, 'name', 'organization')}</span><span class="meta">${span}</span></li>
`;
}

/** The bars: one row per affiliation, grid lines every few years. */
function chart(page: Rendering, dated: readonly Document[]): Html | null {
  if (dated.length < 2) return null;
  const drawn = placeSpans(dated.map(spanOf), untilOf(page));
  if (drawn === null) return null;
  const place = (share: number) => Math.round(share * width * 10) / 10;
  const bars = drawn.spans.map(({ from, to }, row) => {
    const [left, right] = [place(from ?? 0), place(to ?? 0)];
    return html`<rect class="bar" x="${left}" y="${row * rowHeight + 3}" width="${Math.max(2, right - left)}" height="${barHeight}" rx="2"/>`;
  });
  const height = dated.length * rowHeight + 18;
  const lines = drawn.years.map(({ year, at }) => {
    const x = place(at);
    return html`<line class="grid" x1="${x}" x2="${x}" y1="0" y2="${height - 16}"/><text class="tick" x="${x}" y="${height - 3}" text-anchor="${x < 20 ? 'start' : x > width - 20 ? 'end' : 'middle'}">${String(year)}</text>`;
  });
  return html`<svg class="timeline" viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false">${lines}${bars}</svg><p class="meta"><a href="${formHref(page, 'svg')}" type="image/svg+xml">${page.speech.say`The bars as a picture (SVG)`}</a></p>`;
}

/** True if an affiliation has a start date. */
export function isDated(affiliation: Document): boolean {
  return /^\d{4}(-\d\d){0,2}($|T)/.test(textOf(affiliation, 'start') ?? '');
}

const spanOf = (affiliation: Document): Span => ({
  start: textOf(affiliation, 'start'),
  end: textOf(affiliation, 'end'),
});

/** The last day that the data covers. */
function untilOf({ reading, filledAt }: Rendering): string {
  return (reading.asOf ?? filledAt ?? new Date(0).toISOString()).slice(0, 10);
}

/** The affiliations of a politician as an SVG file. */
export const timelinePicture: AlternateForm = {
  mediaType: 'image/svg+xml',
  make(page) {
    const { mirror, speech, values } = page;
    const record = page.record(politician, values);
    const slug = textOf(record, 'slug') ?? '';
    return timelineSvg({
      id: `timeline-${slug.replace(/[^A-Za-z0-9-]+/g, '-')}`,
      title: speech.say`Affiliations over time: ${textOf(record, 'full_name') ?? slug}`,
      affiliations: documentsIn(record.affiliations).map((each) => affiliationOf(mirror, each)),
      until: untilOf(page),
      attribution: speech.tell(attributionPhrase(attributionFor(page))),
      speech,
    });
  },
};

function affiliationOf(mirror: Mirror, affiliation: Document): AffiliationSpan {
  const slug = slugOf(affiliation.party ?? null);
  const party = slug === null ? undefined : readRecord(mirror, kindOf('party'), slug);
  return {
    ...spanOf(affiliation),
    name: (party && textOf(party, 'name')) ?? textOf(affiliation, 'name', 'organization') ?? slug ?? '',
    role: textOf(affiliation, 'role'),
    colour: party ? textOf(party, 'color') : null,
    isGroup: party ? textOf(party, 'chamber') !== null : null,
  };
}
