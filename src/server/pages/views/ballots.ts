import { topicText } from '../../../language/topic-text.ts';
import { type Ballot, ballotKey, type Counts, countFieldsOf, stanceOf, stances } from '../../../model/ballot.ts';
import { outcomeSentence, positionPhrase, positionText, unlistedGroupsPhrase } from '../../../model/ballot-sentence.ts';
import { type Document, documentsIn, isDocument, textOf } from '../../../model/document.ts';
import { isMotionOfCensure } from '../../../model/heading.ts';
import { kindOf } from '../../../model/kinds.ts';
import type { SeatState } from '../../../model/seats.ts';
import { natureFilters, natureNames } from '../../../parliament/nature.ts';
import { groupingPhrases, selectionPhrase } from '../../../questions/ballot-selection.ts';
import { ballots } from '../../../questions/ballots.ts';
import { readShare } from '../../../questions/parameter-kinds.ts';
import { text } from '../../../questions/text.ts';
import { votedTexts } from '../../../store/records/ballot-texts.ts';
import { enumerationValues, listRecentGroups, type VotingGroup } from '../../../store/records/ballots.ts';
import { subjectsByWords } from '../../../store/records/subject-records.ts';
import { topicNames } from '../../../store/records/topics.ts';
import { amount, capitalise, type Phrase, type ShownText, say, saying } from '../../../words/speech.ts';
import { recordFeed } from '../alternate-forms.ts';
import { dossierForms } from '../dossier.ts';
import { day, inFrench, line, shorten, table } from '../elements.ts';
import type { FilterField } from '../filter-field.ts';
import { chamberField, dayFields, filterForm, hiddenInputs, select, selectField, topicField } from '../filter-form.ts';
import { type Html, html } from '../html.ts';
import type { PageContext, ViewPage } from '../page-context.ts';
import { listContent, subjectPath, suggestionsSection } from '../parts.ts';
import { createPageView } from '../view.ts';

/** Page `/votes`: ballots, with filters by words, result and votes of groups. */
export const ballotsPage = createPageView(ballots, {
  path: '/votes',
  title: say`Votes`,
  feed: recordFeed('ballot'),
  siteExtensions: ['atom'],
  values: (page) => ({ choices: ballotChoices(page) }),
  template(page, { answer, choices }) {
    const { speech, href } = page;
    const listBallots = (items: readonly Document[]) => ballotList(page, items, { isDetailed: true });
    const description = speech.say`Public ballots of both chambers, with the result announced by the chamber.`;
    const fields = [...ballotFields(choices), ...closenessFields];
    return listContent(page, answer, {
      description,
      fields,
      lead: html`${description} <a href="${href('/compare')}">${speech.say`Compare how groups voted`}</a>`,
      filters: html`${filterForm(page, fields, { after: positionFields(page, choices.groups) })}${selectionNote(page, answer.extra)}`,
      list: listBallots(answer.items),
      after: suggestionsSection(page, answer, listBallots),
      empty: speech.say`No ballot matches.`,
    });
  },
});

/** Reads the options of the filters for ballots: results, types, topics, and groups that voted recently. */
export function ballotChoices({ mirror, once }: PageContext) {
  const topics = enumerationValues(mirror, 'topic');
  return {
    results: enumerationValues(mirror, 'result'),
    types: enumerationValues(mirror, 'type'),
    topics: once('topics', topicNames).filter((topic) => topics.includes(topic)),
    groups: once('voting groups', listRecentGroups),
  };
}

const natureOptions = natureFilters.map((nature) => [nature, natureNames[nature]] as const);

/** Returns the filter fields for ballots. */
export function ballotFields({ results, types, topics, groups }: ReturnType<typeof ballotChoices>): FilterField[] {
  const optionsOf = (values: string[]) => values.map((word) => [word, shorten(word, 60)] as const);
  const positions = groups.flatMap(({ slug, label }) =>
    stances.map((stance) => [`${slug}:${stance}`, say`${label}: ${stanceNames[stance]}`] as const),
  );
  const positionField = { options: positions, describe: describePosition };
  return [
    { name: 'q', label: say`Words`, type: 'search', hint: say`in the title or the file` },
    chamberField,
    ...dayFields,
    selectField('result', say`Result`, say`any result`, optionsOf(results)),
    selectField('nature', say`Voted on`, say`anything`, natureOptions),
    selectField('type', say`Type`, say`all types`, optionsOf(types)),
    ...(topics.length > 0 ? [topicField(topics)] : []),
    { ...positionField, name: 'voted', label: say`How groups voted`, control: 'page' },
    // Not editable: links set the value, the form keeps it, and a filter tag shows its label.
    { ...positionField, name: 'voted_stated', label: say`Positions as stated`, control: 'hidden' },
  ];
}

/** Returns a description of `GROUP:…` with the name of the group, or of the part after it alone without one. */
const describeOfGroup =
  (describe: (text: string) => ShownText): FilterField['describe'] =>
  (value, nameOf) => {
    const [, group = '', text = value] = /^(.*):(.*)$/s.exec(value) ?? [];
    return group === '' ? describe(text) : say`${nameOf('party', group) ?? group}: ${describe(text)}`;
  };

/** Returns the position of a group (`GROUP:for`) with its name. */
const describePosition = describeOfGroup((position) => stanceNames[stanceOf(position)!]);

/** Page `/texts/{text}`: the ballots on one text, in order. */
export const textPage = createPageView(text, {
  path: '/texts/{text}',
  title: say`Votes on one text`,
  forms: dossierForms,
  siteValues: (mirror) =>
    [...votedTexts(mirror).values()].filter(({ ballots: n }) => n > 1).map(({ names: [text = ''] }) => ({ text })),
  values: ({ mirror }, { items }) => ({ subjects: subjectsByWords(mirror, kindOf('ballot'), items[0] ?? {}) }),
  template(page, { answer, subjects }) {
    const { speech, href, queryParameters } = page;
    const { nature, one_sided: oneSided } = queryParameters;
    const name = String(answer.extra.text);
    const compareLink = html`<a href="${href('/compare', { text: name, nature, one_sided: oneSided })}">${speech.say`Compare how groups voted`}</a>`;
    const groupingSentences = groupingPhrases(answer.extra).map((phrase) => capitalise(speech.render(phrase)));
    const links = subjects.map((each) => html`<a href="${href(subjectPath(each))}" lang="fr">${topicText(each)}</a>`);
    const subjectRow = links.length > 0 && html`<p class="meta">${speech.say`${say`Subjects`}:`} ${line(...links)}</p>`;
    return listContent(page, answer, {
      title: name,
      heading: inFrench(name),
      kicker: page.title,
      lead: page.isStatic ? null : compareLink,
      filters: html`${filterForm(page, [])}<p class="meta">${groupingSentences.join('. ')}.</p>${subjectRow}`,
      list: textTable(page, answer.items),
      empty: speech.say`No ballot matches.`,
    });
  },
});

/** Returns a link to the ballots on a text; null without one. */
export const textLink = ({ href }: ViewPage, name: string | null): Html | null =>
  name === null
    ? null
    : html`<a href="${href(`/texts/${encodeURIComponent(name)}`)}" lang="fr">${shorten(name, 160)}</a>`;

/** Returns a table of ballots on one text, each with the part of the text that it is on. */
export function textTable(page: ViewPage, documents: readonly Document[]): Html | null {
  const { speech, recordHref } = page;
  const countOf = (field: keyof Counts) => (ballot: Document) =>
    isDocument(ballot.totals) && countFieldsOf(ballot as Ballot).includes(field) && (ballot.totals[field] as number);
  const voteLink = (ballot: Document) => {
    const key = ballotKey(ballot as Ballot);
    return html`<a href="${recordHref('ballot', key)}" lang="fr">${shorten(textOf(ballot, 'subject', 'title') ?? key, 200)}</a> <span class="meta">${day(speech, textOf(ballot, 'date'))}</span>`;
  };
  return table(page, speech.say`Votes on one text`, documents, [
    [speech.say`Vote`, voteLink, 'name'],
    [speech.say`Result`, (ballot) => textOf(ballot, 'result'), 'french'],
    ...stances.map((stance) => [speech.render(stanceNames[stance]), countOf(stance), 'number'] as const),
  ]);
}

/** Returns a bar of the votes of a ballot, with a line at the required majority; null without published counts. */
export function outcomeBar(ballot: Document): Html | null {
  const { totals, required } = ballot as Ballot;
  if (typeof totals?.for !== 'number') return null;
  // Of a motion of censure only the votes for it are counted.
  if (isMotionOfCensure(ballot)) return typeof required === 'number' ? voteBar([totals.for], required) : null;
  return typeof totals.against === 'number' ? voteBar([totals.for, 0, totals.against], required) : null;
}

/** Returns a bar of votes for, abstentions and votes against; null without any. */
function voteBar([votesFor = 0, abstention = 0, against = 0]: number[], required: number | null = null): Html | null {
  const totalVotes = Math.max(votesFor + abstention + against, required ?? 0);
  if (totalVotes === 0) return null;
  const scaled = (count: number) => Math.round((count / totalVotes) * 10_000) / 10;
  const barPart = (name: string, first: number, count: number) =>
    count > 0 && html`<rect class="${name}" x="${scaled(first)}" y="6" width="${scaled(count)}" height="22"/>`;
  return html`<svg class="majority" viewBox="0 0 1000 34" preserveAspectRatio="none" aria-hidden="true" focusable="false">${barPart('rest', 0, totalVotes)}${barPart('for', 0, votesFor)}${barPart('against', votesFor + abstention, against)}${required !== null && html`<path class="required" d="M${scaled(required)} 0V34"/>`}</svg>`;
}

const sortOptions = [
  ['date', say`newest first`],
  ['oldest', say`oldest first`],
  ['margin', say`closest first`],
] as const;

const closenessFields: FilterField[] = [
  {
    name: 'margin',
    label: say`Maximum margin`,
    type: 'number',
    hint: say`votes`,
    describe: (value) => amount(Number(value), 'vote'),
  },
  {
    name: 'dissent',
    label: say`Dissent of at least`,
    hint: say`20%, or GROUP:20%`,
    describe: describeOfGroup((share) => saying((speech) => speech.share(readShare(share)))),
  },
  { name: 'sort', label: say`Order`, options: sortOptions },
];

/** Returns a select per group for its position; a ballot must match all. */
export function positionFields(page: ViewPage, groups: readonly VotingGroup[]): Html {
  const { speech, queryParameters } = page;
  const selectedValues = queryParameters.voted ?? [];
  if (groups.length === 0) return html`${hiddenInputs('voted', selectedValues)}`;
  const listedGroups = new Set(groups.map(({ slug }) => slug));
  // Hidden inputs keep conditions (`group:position`) on groups without a select.
  const otherConditions = selectedValues
    .flatMap((text) => text.split(','))
    .filter((text) => !listedGroups.has(text.slice(0, Math.max(0, text.lastIndexOf(':')))));
  const fields = groups.map(({ slug, chambers, label }, at) => {
    const positions = stances.map((stance) => [`${slug}:${stance}`, stanceNames[stance]] as const);
    const choices = [['', say`any`] as const, ...positions];
    const id = `f-voted-${at}`;
    return html`<p><label for="${id}">${label} <span class="meta">${chambersOf(chambers)}</span></label>${select(page, { id, name: 'voted', choices, selectedValues })}</p>
`;
  });
  return html`<details class="pattern"${selectedValues.length > 0 ? html` open` : null}><summary>${speech.say`How groups voted`}</summary>${
    otherConditions.length > 0 && html`<p class="meta">${speech.say`Other filters:`} ${otherConditions.join(', ')}</p>`
  }<div class="fields" role="group" aria-label="${speech.say`How groups voted`}">${fields}</div>${hiddenInputs('voted', otherConditions)}</details>`;
}

/** Returns a sentence on the list of ballots or the text that limits the figures; null for all ballots. */
export function selectionNote({ speech, queryParameters }: ViewPage, { selection }: Document): Html | null {
  const text = queryParameters.text?.[0];
  const phrases = [
    isDocument(selection) && speech.render(selectionPhrase(selection)),
    text !== undefined && speech.say`over the votes on one text: ${text}`,
  ].filter((phrase) => phrase !== false);
  return phrases.length === 0 ? null : html`<p class="meta selection">${capitalise(phrases.join(' · '))}</p>`;
}

/** Labels of positions and of missing votes. */
export const stanceNames: Record<SeatState, Phrase> = {
  for: say`For`,
  against: say`Against`,
  abstention: say`Abstention`,
  non_voting: say`Declared non-voting`,
  unrecorded: say`No vote recorded`,
};

/** Returns the short names of chambers, joined by commas. */
export const chambersOf = (chambers: readonly string[]) => chambers.map(chamberName).join(', ');

/** Returns the short name of a chamber. */
export const chamberName = (chamber: string) => (chamber === 'Senat' ? 'Sénat' : chamber);

/** Returns a list of ballots with bars and votes of groups; `isDetailed` adds number and margin, as on `/votes`. */
export function ballotList(page: ViewPage, documents: readonly Document[], { isDetailed = false } = {}): Html | null {
  if (documents.length === 0) return null;
  const { speech, recordHref } = page;
  const list = documents.map((ballot) => {
    const { margin, chamber, scrutin_id: id } = ballot;
    const title = capitalise(shorten(textOf(ballot, 'title') ?? `${chamber}:${id}`, isDetailed ? 240 : 140));
    const link = html`<a href="${recordHref('ballot', `${chamber}:${id}`)}" lang="fr">${title}</a>`;
    const lines = [ballot.group_lines ?? []].flat().map((each) => each && html`<p class="meta">${String(each)}</p>`);
    const about = line(
      html`<strong class="result">${speech.render(outcomeSentence(ballot))}</strong>`,
      day(speech, textOf(ballot, 'date')),
      isDetailed && html`${chamberName(String(chamber))} <span class="id">${id as string}</span>`,
      isDetailed && typeof margin === 'number' && speech.say`margin ${speech.number(margin)}`,
      speech.render(unlistedGroupsPhrase(ballot.voted) ?? ''),
    );
    const heading = isDetailed ? html`<h2>${link}</h2>` : link;
    const groups = [...documentsIn(ballot.dissenting), ...documentsIn(ballot.voted)];
    const votes = groups.map((group) => groupLine(page, ballot, group));
    const bar = ballot.dissenting === undefined && outcomeBar(ballot); // with dissent, each group has its own bar
    return html`<li${isDetailed && html` class="item"`}>${heading}<p class="meta">${about}</p>${bar}${votes}${lines}</li>\n`;
  });
  return html`<ul class="${isDetailed ? 'items' : 'brief'}">${list}</ul>`;
}

/** Returns a line with the votes of a group; also its bar if the list was filtered by dissent. */
function groupLine({ speech }: ViewPage, ballot: Document, group: Document): Html {
  const stance = stanceOf(positionText(group));
  const mark = stance && html`<span class="mark ${stance}" aria-hidden="true"></span> `;
  const name = textOf(group, 'party_name', 'party') ?? '…';
  const votes = ['for', 'abstention', 'against'].map((each) => Number(group[each] ?? 0));
  return html`<p class="meta">${mark}${speech.say`${name}: ${positionPhrase(group, ballot.one_sided === true, true)}`}</p>${ballot.dissenting !== undefined && voteBar(votes)}`;
}
