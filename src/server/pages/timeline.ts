import { latestFirst } from '../../model/affiliation.ts';
import { type Document, textOf } from '../../model/document.ts';
import { roleText } from '../../parliament/membership.ts';
import { day } from './elements.ts';
import { type Html, html } from './html.ts';
import type { Rendering } from './page-context.ts';
import { partyLink } from './parts.ts';

/** Returns affiliations as a list along a line, latest first and undated last; null if there are none. */
export function affiliationTimeline(page: Rendering, affiliations: readonly Document[]): Html | null {
  if (affiliations.length === 0) return null;
  return html`<ol class="affiliations">${latestFirst(affiliations).map((each) => entry(page, each))}</ol>`;
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
