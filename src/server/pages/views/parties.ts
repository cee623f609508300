import { isNonAttached } from '../../../model/ballot.ts';
import { type Document, documentsIn, textOf } from '../../../model/document.ts';
import { keyOf } from '../../../model/facets.ts';
import { type AddressQuery, historyPath, kindOf } from '../../../model/kinds.ts';
import { ifResolved } from '../../../names/lookup.ts';
import { memberCounts, memberParts } from '../../../parliament/membership.ts';
import { cohesion } from '../../../questions/cohesion.ts';
import { parties, party } from '../../../questions/parties.ts';
import { votingGroups } from '../../../store/records/ballots.ts';
import { say } from '../../../words/speech.ts';
import { changeFeedOf, linkedData, recordFeed } from '../alternate-forms.ts';
import { dossierForms } from '../dossier.ts';
import { day, emptyNote, facts, inFrench, line, onward, section, shorten, table } from '../elements.ts';
import { kindAndChamber, yearRange } from '../fields.ts';
import type { FilterField } from '../filter-field.ts';
import { chamberField, filterForm } from '../filter-form.ts';
import { type Html, html } from '../html.ts';
import type { PageContext, ViewPage } from '../page-context.ts';
import { profileSources, recordLink } from '../parts.ts';
import { createPageView } from '../view.ts';
import { ballotList } from './ballots.ts';
import { groupRecordSections, readGroupRecord, readVotesInTerms, wholeVotesForm } from './group-votes.ts';

/** Page `/parties`: parties and groups, by chamber. */
export const partiesPage = createPageView(parties, {
  path: '/parties',
  title: say`Parties and groups`,
  isLong: true,
  feed: recordFeed('party'),
  siteExtensions: ['json', 'csv'],
  template(page, { answer: { items } }) {
    const { speech } = page;
    const headings: Record<string, string> = {
      AN: speech.say`Groups of the Assemblée nationale`,
      Senat: speech.say`Groups of the Sénat`,
      PE: speech.say`Groups of the European Parliament`,
      other: speech.say`Other groups`,
      none: speech.say`Parties`,
      former: speech.say`Former parties and groups`,
    };
    const partiesByChamber = Map.groupBy(items, (each) => {
      if (textOf(each, 'end_date') !== null) return 'former';
      const chamber = textOf(each, 'chamber') ?? 'none';
      return Object.hasOwn(headings, chamber) ? chamber : 'other';
    });
    const sections = Object.entries(headings).map(([part, name]) =>
      section(name, partyTable(page, name, partiesByChamber.get(part) ?? [])),
    );
    const fields: FilterField[] = [{ name: 'q', label: say`Name`, type: 'search' }, chamberField];
    const filters = filterForm(page, fields);
    return { fields, body: html`${filters}${items.length > 0 ? sections : emptyNote(speech.say`No results.`)}` };
  },
});

function partyTable(page: ViewPage, name: string, items: readonly Document[]): Html | null {
  const { speech } = page;
  const slugIn = (each: Document) => keyOf(kindOf('party'), each);
  const hrefOf = (each: Document) => page.recordHref('party', slugIn(each));
  const nameIn = (each: Document) => textOf(each, 'name') ?? slugIn(each);
  return table(
    page,
    name,
    items,
    [
      [speech.say`Name`, (each) => html`<a href="${hrefOf(each)}" lang="fr">${nameIn(each)}</a>`, 'name'],
      [speech.say`Short name`, (each) => textOf(each, 'short_name')],
      [speech.say`Years`, (each) => yearRange(each, 'start_date', 'end_date')],
      [speech.say`Members today`, ({ members_today: count }) => typeof count === 'number' && count, 'number'],
      [speech.say`Financially attached`, ({ attached_today: count }) => typeof count === 'number' && count, 'number'],
      [speech.say`Stated, undated`, ({ member_count: count }) => typeof count === 'number' && count, 'number'],
    ],
    'list groups',
  );
}

/** Page of one party or group: votes, agreement with other groups, cohesion and members. */
export const partyPage = createPageView(party, {
  path: '/parties/{slug}',
  isLong: true,
  hasPreview: true,
  feed: changeFeedOf('party'),
  forms: { jsonld: linkedData, ...dossierForms },
  values(page, record) {
    const slug = textOf(record, 'slug') ?? String(page.values.slug);
    const term = { party: slug, first: textOf(record, 'start_date'), last: textOf(record, 'end_date') };
    const votes = ifResolved(() => readVotesInTerms(page, [term]))?.latest ?? [];
    const groupRecord = readGroupRecord(page, slug);
    return { slug, votes, cohesion: groupRecord?.cohesion ?? cohesionOf(page, slug), groupRecord };
  },
  template(page, { answer: record, slug, votes, cohesion: cohesionRow, groupRecord }) {
    const { speech, href } = page;
    const title = textOf(record, 'name') ?? slug;
    const lead = line(inFrench(textOf(record, 'short_name')), ...kindAndChamber(page, record));
    const text = textOf(record, 'description');
    const kicker = speech.say`Party or group`;
    const factsLink =
      !page.isStatic && onward(href('/feed', { party: slug }), speech.say`Everything sourced about it, newest first`);
    const keyFacts = facts([
      [speech.say`From`, day(speech, textOf(record, 'start_date'))],
      [speech.say`Until`, day(speech, textOf(record, 'end_date'))],
      [speech.say`Members`, memberCounts(record, speech)],
    ]);
    const history = html`${onward(href('/affiliations', { party: slug }), speech.say`Who joined or left it`)}${onward(href('/changes', { party: slug, since: '3650d' }), speech.say`All changes`)}${onward(href(historyPath('party', slug)), speech.say`Every version of this record`)}`;
    const body = html`<div class="columns profile">
<div>${text && html`<p class="bio" lang="fr">${text}</p>`}${section(speech.say`Last votes on a whole text`, voteList(page, votes, slug), { id: 'votes' })}${groupRecordSections(page, slug, groupRecord)}${section(speech.say`Facts`, factsLink)}</div>
<aside>${section(speech.say`At a glance`, keyFacts)}${section(speech.say`Cohesion`, cohesionFigure(page, slug, cohesionRow), { id: 'cohesion' })}${Object.entries(memberParts).map(([part, heading]) => section(speech.render(heading), members(page, documentsIn(record[part])), { id: part }))}${section(speech.say`History`, history)}${profileSources(page, record)}</aside>
</div>`;
    const shareFacts = [textOf(record, 'short_name'), ...kindAndChamber(page, record)];
    const share = { lines: [shareFacts.filter((each) => typeof each === 'string').join(' · ')] };
    return { share, title, kicker, lead, body, ...(text && { description: shorten(text, 200) }) };
  },
});

function voteList(page: ViewPage, votes: readonly Document[], slug: string): Html | null {
  const { speech, href } = page;
  const link = (query: AddressQuery, text: string) =>
    html`<a class="next" href="${href('/votes', query)}">${text}</a> `;
  const links = html`${link({ group: slug, nature: 'whole' }, speech.say`All votes on a whole text`)}${link({ voted: `${slug}:for` }, speech.say`Votes in which it was for`)}${link({ voted: `${slug}:against` }, speech.say`Votes in which it was against`)}`;
  const list = ballotList(page, votes);
  return list && html`${list}${wholeVotesForm(page, slug)}<p>${links}</p>`;
}

/** Reads the cohesion of a group absent from recent ballots; undefined without votes, or for non-attached members. */
function cohesionOf(page: PageContext, slug: string): Document | undefined {
  if (!votingGroups(page.mirror).has(slug) || isNonAttached({ party: slug, party_name: page.nameOf('party', slug) }))
    return undefined;
  return page.once(`cohesion of ${slug}`, () => page.list(cohesion, { group: [slug] }).items)[0];
}

function cohesionFigure({ speech, href }: ViewPage, slug: string, cohesionRow: Document | undefined): Html | null {
  const index = cohesionRow?.agreement_index_over_3;
  const n = cohesionRow?.n_over_3;
  if (typeof index !== 'number' || typeof n !== 'number') return null;
  return html`<p class="figure">${speech.number(index, 3)}</p><p class="meta">${speech.say`Mean Agreement Index (0 to 1) over ${speech.count(n, 'ballot')} in which more than three members voted.`}</p>${onward(href('/cohesion', { group: slug, by: 'month' }), speech.say`Month by month`)}${onward(href('/compare', { group: [slug, 'majority'] }), speech.say`Compare it with the majority or another group`)}`;
}

function members(page: ViewPage, documents: readonly Document[]): Html | null {
  if (documents.length === 0) return null;
  const list = documents.map((each) => {
    const slug = textOf(each, 'slug', 'politician');
    const name = textOf(each, 'full_name', 'name') ?? slug ?? '';
    return html`<li>${slug === null ? name : recordLink(page, 'politician', slug, name)} <span class="meta" lang="fr">${textOf(each, 'current_role')}</span></li>`;
  });
  const { speech } = page;
  const folded = list.splice(24); // The first 24 remain in `list`.
  return html`<p class="meta">${speech.count(documents.length, 'politician')}</p><ul class="names">${list}</ul>${
    folded.length > 0 &&
    html`<details><summary>${speech.say`${speech.number(folded.length)} more`}</summary><ul class="names">${folded}</ul></details>`
  }`;
}
