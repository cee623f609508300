import { affiliationsIn, sortLatestFirst } from '../../../model/affiliation.ts';
import { parseAddress } from '../../../model/attribution.ts';
import { type Document, documentsIn, slugOf, textOf } from '../../../model/document.ts';
import { keyOf } from '../../../model/facets.ts';
import { hasColumn, historyPath, type Kind, kindOf, kinds } from '../../../model/kinds.ts';
import { partyLinkText, roleText } from '../../../parliament/membership.ts';
import { changes, epochStart } from '../../../questions/changes.ts';
import { groupTerms } from '../../../questions/individual-votes.ts';
import { politician, politicians } from '../../../questions/politicians.ts';
import { createFirstFillTest } from '../../../store/history/past.ts';
import { listRecords } from '../../../store/records/feed.ts';
import type { PoliticianSort } from '../../../store/records/politicians.ts';
import { distinctValues } from '../../../store/rows.ts';
import { capitalise, type Phrase, say } from '../../../words/speech.ts';
import { changeFeedOf, linkedData, recordFeed } from '../alternate-forms.ts';
import { dossierForms } from '../dossier.ts';
import { day, facts, inFrench, line, onward, outsideLink, section, shorten, table } from '../elements.ts';
import type { FilterField } from '../filter-field.ts';
import {
  chamberField,
  departmentField,
  filterForm,
  groupField,
  partyField,
  placeField,
  selectField,
} from '../filter-form.ts';
import { type Html, html } from '../html.ts';
import type { PageContext, ViewPage } from '../page-context.ts';
import { items, listContent, partyLink, profileSources, seatPath } from '../parts.ts';
import { createPageView } from '../view.ts';
import { groupVotesSection, readVotesInTerms } from './group-votes.ts';
import { changeItem } from './history.ts';

const sortOptions = Object.entries({
  name: say`by name`,
  freshness: say`newest facts first`,
  updated_at: say`last changed first`,
} satisfies Record<PoliticianSort, Phrase>);

const listFields: FilterField[] = [
  { name: 'q', label: say`Name`, type: 'search', completes: 'politician' },
  placeField,
  selectField('in_office', say`In office`, say`any`, [['true', say`yes`]]),
  partyField,
  groupField,
  chamberField,
  departmentField,
  { name: 'constituency', label: say`Constituency`, type: 'number' },
  { name: 'sort', label: say`Order`, options: sortOptions },
];

/** Page `/politicians`: the list of politicians. */
export const politiciansPage = createPageView(politicians, {
  path: '/politicians',
  title: say`Politicians`,
  feed: recordFeed('politician'),
  template(page, { answer }) {
    const { speech } = page;
    const nameLink = (person: Document) => {
      const slug = keyOf(kindOf('politician'), person);
      return html`<a href="${page.recordHref('politician', slug)}">${textOf(person, 'full_name') ?? slug}</a>`;
    };
    return listContent(page, answer, {
      lead:
        !page.isStatic &&
        line(
          html`<a href="${page.href('/departments')}">${speech.say`Who was elected where`}</a>`,
          html`<a href="${page.href('/affiliations')}">${speech.say`Who joined or left which party or group`}</a>`,
        ),
      fields: listFields,
      filters: filterForm(page, listFields),
      list: table(page, page.title, answer.items, [
        [speech.say`Name`, nameLink, 'name'],
        [speech.say`Role`, (person) => textOf(person, 'current_role'), 'french'],
        [speech.say`Parliamentary group`, ({ group }) => partyLink(page, group), 'french'],
        [speech.say`Party`, (person) => line(partyLink(page, person.party), partyLinkText(person, speech))],
      ]),
      empty: speech.say`No politician matches.`,
    });
  },
});

const maxShown = 5; // Records shown of each kind.
const maxFolded = 35; // Further records of each kind, in a collapsed list; a link leads to all.

/** True for kinds that a profile lists (positions, promises, quotes); records of others are read separately. */
const isPartOfProfile = ({ plural }: Kind) => kindOf('politician').sets.includes(plural);

/** Kinds of records about a politician, in page order: those of profiles first. */
const kindsAbout = kinds
  .toReversed()
  .filter((kind) => hasColumn(kind, 'politician'))
  .sort((one, other) => Number(isPartOfProfile(other)) - Number(isPartOfProfile(one)));

/** Page of one politician: profile, records by kind, affiliations, changes and sources. */
export const politicianPage = createPageView(politician, {
  path: '/politicians/{slug}',
  feed: changeFeedOf('politician'),
  hasPreview: true,
  forms: { jsonld: linkedData, ...dossierForms },
  siteExtensions: ['atom'],
  values(page, record) {
    const slug = textOf(record, 'slug') ?? String(page.values.slug);
    const recordsByKind = kindsAbout.map((kind) => recordsAbout(page, record, kind));
    // Additions by the first sync or import are no news.
    const isOfFirstFill = page.once('first fills', createFirstFillTest);
    const allChanges = page.list(changes, { since: epochStart, politician: slug, limit: 100 }).items;
    const recentChanges = allChanges.filter((each) => !isOfFirstFill(each)).slice(0, maxShown);
    const departments = distinctValues(page.mirror, 'politician', 'department');
    const hasDepartmentPage = departments.includes(textOf(record, 'department') ?? '');
    const groupVotes = readVotesInTerms(page, groupTerms(page.mirror, record));
    return { slug, groupVotes, recordsByKind, recentChanges, hasDepartmentPage };
  },
  template(page, { answer: record, slug, groupVotes, recordsByKind, recentChanges, hasDepartmentPage }) {
    const { speech, href } = page;
    const title = textOf(record, 'full_name') ?? slug;
    const bio = textOf(record, 'bio');
    const lead = html`<span lang="fr">${textOf(record, 'current_role')}</span>`;
    const history = onward(href(historyPath('politician', slug)), speech.say`Every version of this record`);
    const changeList =
      recentChanges.length > 0 &&
      html`<ul class="brief">${recentChanges.map((change) => changeItem(page, change, { isBrief: true, isOwn: true }))}</ul>${onward(href('/changes', { politician: slug, since: '3650d' }), speech.say`All changes`)}`;
    const body = html`${bio && html`<p class="bio" lang="fr">${bio}</p>\n`}${facts(keyFacts(page, record, hasDepartmentPage), { isWide: true })}<div class="columns profile">
<div>${groupVotesSection(page, groupVotes)}${recordsByKind.map((each) => aboutSection(page, slug, each))}</div>
<aside>${section(speech.say`Affiliations`, affiliationList(page, record), { id: 'affiliations' })}${section(speech.say`Changes`, html`${changeList}${history}`, { id: 'changes' })}${profileSources(page, record)}</aside>
</div>`;
    // Static sites have feeds only for politicians in office.
    const missingForms = page.isStatic && textOf(record, 'current_role') === null ? ['atom'] : [];
    const group = slugOf(record.group ?? null) ?? slugOf(record.party ?? null);
    const shareFacts = [textOf(record, 'current_role'), group && page.nameOf('party', group)];
    const share = { lines: shareFacts.flatMap((text) => text || []) };
    const description = bio ? { description: shorten(bio, 200) } : {};
    return { share, title, kicker: speech.say`Politician`, lead, body, missingForms, ...description };
  },
});

function recordsAbout({ mirror }: PageContext, record: Document, kind: Kind) {
  const slug = textOf(record, 'slug') ?? '';
  if (!isPartOfProfile(kind)) {
    const { items, total } = listRecords(mirror, { kind: kind.name, politician: slug, limit: maxShown });
    return { kind, items: items.map((json): Document => JSON.parse(json)), total: total! };
  }
  const documents = documentsIn(record[kind.plural]);
  return { kind, items: documents.slice(0, maxShown + maxFolded), total: documents.length };
}

function aboutSection(page: ViewPage, slug: string, { kind, items: records, total }: ReturnType<typeof recordsAbout>) {
  if (records.length === 0) return null;
  const { speech, href } = page;
  const { name, plural, list } = kind;
  const itemStyle = { kind: name, hidesPolitician: true };
  const remainingRecords = records.slice(maxShown);
  const foldedList =
    remainingRecords.length > 0 &&
    html`<details><summary>${speech.say`${speech.number(remainingRecords.length)} more`}</summary>${items(page, remainingRecords, itemStyle)}</details>`;
  const allLink =
    total > records.length &&
    onward(href(list.path, { politician: slug, ...list.query }), speech.say`All ${speech.number(total)}`);
  const isText = name === 'content';
  const title = isText ? speech.say`Texts` : capitalise(speech.word(plural));
  const body = html`${items(page, records.slice(0, maxShown), itemStyle)}${foldedList}${allLink}`;
  return section(title, body, { id: isText ? 'texts' : plural });
}

function affiliationList(page: ViewPage, record: Document): Html | null {
  const { speech } = page;
  const affiliations = sortLatestFirst(affiliationsIn(record));
  if (affiliations.length === 0) return null;
  const entries = affiliations.map((each) => {
    const start = day(speech, textOf(each, 'start'));
    const end = day(speech, textOf(each, 'end'));
    const period = start || end ? html`${start ?? '…'} – ${end ?? speech.say`today`}` : speech.say`no dates stated`;
    const party = partyLink(page, each.party) ?? textOf(each, 'name', 'organization');
    return html`<li><span lang="fr">${roleText(each, speech)} ${party}</span> <span class="meta">${period}</span></li>\n`;
  });
  return html`<ol class="affiliations">${entries}</ol>`;
}

function keyFacts(page: ViewPage, record: Document, hasDepartmentPage: boolean): [string, Html | string | null][] {
  const { speech } = page;
  // Sources give websites with and without a scheme.
  const website = textOf(record, 'website') ?? '';
  const born = [textOf(record, 'birth_date'), textOf(record, 'birth_place')] as const;
  const party = slugOf(record.party ?? null);
  const group = slugOf(record.group ?? null);
  const department = textOf(record, 'department');
  const departmentLink = html`<a href="${page.href(seatPath(department ?? ''))}" lang="fr">${department}</a>`;
  return [
    [speech.say`Parliamentary group`, partyLink(page, group)],
    [speech.say`Party`, party === group ? null : line(partyLink(page, party), partyLinkText(record, speech))],
    [speech.say`Born`, born[0] === null && born[1] === null ? null : line(day(speech, born[0]), born[1])],
    [speech.say`Died`, day(speech, textOf(record, 'death_date'))],
    [speech.say`Profession`, inFrench(textOf(record, 'profession'))],
    [
      speech.say`Department`,
      department && (page.isStatic || !hasDepartmentPage ? inFrench(department) : departmentLink),
    ],
    [speech.say`Website`, outsideLink(parseAddress(website), website)],
    [speech.say`Updated`, day(speech, textOf(record, 'updated_at'))],
  ];
}
