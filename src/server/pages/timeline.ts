import { type AffiliationSpan, timelineSvg } from '../../format/timeline-svg.ts';
import { affiliationsIn } from '../../model/affiliation.ts';
import { type Document, slugOf, textOf } from '../../model/document.ts';
import { kindOf } from '../../model/kinds.ts';
import { roleText } from '../../parliament/membership.ts';
import { politician } from '../../questions/politicians.ts';
import type { Mirror } from '../../store/mirror.ts';
import { readRecord } from '../../store/record.ts';
import type { Speech } from '../../words/speech.ts';
import type { AlternateForm } from './alternate-forms.ts';
import { day, scrolledPicture } from './elements.ts';
import { type Html, html } from './html.ts';
import { attributionOn, type PageContext, type Rendering } from './page-context.ts';
import { partyLink } from './parts.ts';

/** Returns affiliations as a picture and a list; null if there are none. */
export function affiliationTimeline(page: Rendering, affiliations: readonly Document[], drawn: string | null) {
  if (affiliations.length === 0) return null;
  const { speech } = page;
  const dated = affiliations
    .filter(isDated)
    .sort((a, b) => (textOf(a, 'start')! < textOf(b, 'start')! ? -1 : 1))
    .reverse();
  const undated = affiliations.filter((each) => !isDated(each));
  const picture = drawn && scrolledPicture(speech.say`Affiliations over time`, drawn);
  return html`${picture}<ol class="affiliations">${[...dated, ...undated].map((each) => entry(page, each))}</ol>`;
}

function entry(page: Rendering, affiliation: Document): Html {
  const { speech } = page;
  const start = textOf(affiliation, 'start');
  const end = textOf(affiliation, 'end');
  const periodText =
    start === null && end === null
      ? speech.say`no dates stated`
      : html`${day(speech, start) ?? '…'} – ${day(speech, end) ?? speech.say`today`}`;
  return html`<li><span lang="fr">${roleText(affiliation, speech)} ${partyLink(page, affiliation.party) ?? textOf(affiliation, 'name', 'organization')}</span><span class="meta">${periodText}</span></li>
`;
}

/** True if an affiliation has a start date. */
export function isDated(affiliation: Document): boolean {
  return /^\d{4}(-\d\d){0,2}($|T)/.test(textOf(affiliation, 'start') ?? '');
}

/** The affiliations of a politician as an SVG file. */
export const timelinePicture: AlternateForm = {
  mediaType: 'image/svg+xml',
  make: (page) => drawTimeline(page, page.record(politician, page.values)),
};

/** Returns the affiliations of a politician as SVG. */
export function drawTimeline(page: PageContext, record: Document): string {
  const { mirror, speech, reading, filledAt } = page;
  const slug = textOf(record, 'slug') ?? '';
  return timelineSvg({
    id: `timeline-${slug.replace(/[^A-Za-z0-9-]+/g, '-')}`,
    title: speech.say`Affiliations over time: ${textOf(record, 'full_name') ?? slug}`,
    affiliations: affiliationsIn(record).map((each) => affiliationOf(mirror, each, speech)),
    until: (reading.asOf ?? filledAt ?? new Date(0).toISOString()).slice(0, 10),
    attribution: attributionOn(page),
    speech,
  });
}

function affiliationOf(mirror: Mirror, affiliation: Document, speech: Speech): AffiliationSpan {
  const slug = slugOf(affiliation.party ?? null);
  const party = slug === null ? undefined : readRecord(mirror, kindOf('party'), slug);
  return {
    start: textOf(affiliation, 'start'),
    end: textOf(affiliation, 'end'),
    name: (party && textOf(party, 'name')) ?? textOf(affiliation, 'name', 'organization') ?? slug ?? '',
    role: roleText(affiliation, speech),
    colour: party ? textOf(party, 'color') : null,
    isGroup: party ? textOf(party, 'chamber') !== null : null,
  };
}
