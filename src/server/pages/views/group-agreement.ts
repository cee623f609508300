import { agreementText, oneSidedNote, pairCard, sideLabels } from '../../../format/pair-card.ts';
import { agreementFormula } from '../../../model/agreement.ts';
import { chambers } from '../../../model/ballot.ts';
import { type Document, textOf } from '../../../model/document.ts';
import { ballotFilters } from '../../../questions/ballots.ts';
import { cohesion } from '../../../questions/cohesion.ts';
import { compare } from '../../../questions/compare.ts';
import { readCached } from '../../../store/cached.ts';
import { sumOfChambers } from '../../../store/records/agreement.ts';
import type { VotingGroup } from '../../../store/records/ballots.ts';
import { seatingOrder } from '../../../store/records/parties.ts';
import { say } from '../../../words/speech.ts';
import { emptyNote, onward, type PageColumn, section, table } from '../elements.ts';
import { codeLabel } from '../fields.ts';
import type { Choices, FilterField } from '../filter-field.ts';
import { filterForm, hiddenInputs, select, selectField } from '../filter-form.ts';
import { type Html, html } from '../html.ts';
import { type MonthFields, monthForm, monthLines, monthSeries } from '../month-lines.ts';
import { formHref, type PageContext, type ViewPage } from '../page-context.ts';
import { coverageNote, listNotes, recordLink } from '../parts.ts';
import { createPageView } from '../view.ts';
import { ballotChoices, ballotFields, chamberName, chambersOf, positionFields, selectionNote } from './ballots.ts';

const pairField: FilterField = { name: 'group', label: say`Group`, control: 'page' };
const pairFields: MonthFields = { groups: ['group', 'other'], value: 'agreement', n: 'n' };

/** Page `/compare`: agreement of pairs of groups or, if no pair is chosen, a matrix of all groups of a chamber. */
export const comparePage = createPageView(compare, {
  path: '/compare',
  title: say`Compare groups`,
  hasPreview: true,
  parameters: {
    ...compare.parameters,
    // Without two groups, the page shows only its form.
    group: { ...compare.parameters.group, isRequired: false, fallback: [] },
  },
  isQueried: ({ values: { group } }) => Array.isArray(group) && group.length > 1,
  isLong: true,
  forms: { svg: monthForm(pairFields) },
  values(page, { items }) {
    const choices = ballotChoices(page);
    const matrices = items.length > 0 ? [] : matricesOf(page, choices.groups);
    return { choices, matrices, months: monthSeries(page, items, pairFields) };
  },
  template(page, { answer, choices, matrices, months }) {
    const { items: pairs } = answer;
    const { speech, values, href } = page;
    const { groups } = choices;
    const lead = html`${speech.say`How often groups took the same position, pair by pair, in the selected votes.`} <a href="${href('/cohesion')}">${speech.say`How united each group voted`}</a>`;
    const [one = '', other = '', ...furtherGroups] = values.group as string[];
    const options = groups.map(({ slug, label, chambers }) => [slug, `${label} (${chambersOf(chambers)})`] as const);
    const sides: Choices = [['majority', say`the side with more votes`], ...options];
    const fields = [...ballotFields(choices), splitField, pairField];
    const filters = filterForm(page, fields, {
      before: html`${groupField(page, 1, speech.say`One group`, options, one)}${groupField(page, 2, speech.say`Another group`, sides, other)}${hiddenInputs('group', furtherGroups)}`,
      after: positionFields(page, groups),
    });
    const noteText = values.one_sided
      ? speech.render(oneSidedNote)
      : speech.say`Agreement is the share of counted votes in which both took the same position, chamber by chamber. A vote is counted if both have a position; motions of censure and other ballots that record only votes in favour are excluded.`;
    const note = html`<p class="meta">${noteText}</p>`;
    const groupLabel = (name: GroupReference) => {
      const slug = String(name);
      if (Object.hasOwn(sideLabels, slug)) return speech.render(sideLabels[slug]!);
      return groups.find((each) => each.slug === slug)?.label ?? page.nameOf('party', slug) ?? slug;
    };
    const groupLink = (name: GroupReference) => recordLink(page, 'party', String(name), groupLabel(name));
    const figures = html`${selectionNote(page, answer.extra)}${listNotes(page, answer)}${coverageNote(page, answer)}${agreementTable(page, pairs, groupLink)}${note}`;
    // The preview image shows the whole period: no pairs of a month, session or topic.
    const unsplitPairs = pairs
      .filter(({ part, n }) => part === undefined && n !== 0)
      .map((pair) => ({ ...pair, group: groupLabel(pair.group), other: groupLabel(pair.other) }));
    return {
      ...(pairs.length > 0 && { title: `${page.title} · ${(values.group as string[]).map(groupLabel).join(', ')}` }),
      lead,
      fields,
      ...(unsplitPairs.length > 0 && { share: pairCard(unsplitPairs, speech, values) }),
      body: html`${filters}${monthLines(page, months)}${pairs.length > 0 ? figures : html`${matrices.map((matrix) => matrixTable(page, matrix))}${note}`}`,
    };
  },
});

const maxCachedMatrices = 20; // Most cached matrices: each chamber and choice of filters has its own.

/** Returns, per selected chamber, its groups (in seating order, others last) and the agreement of their pairs. */
function matricesOf(page: PageContext, groups: readonly VotingGroup[]) {
  const { values, mirror, groupOrder } = page;
  const order = seatingOrder(mirror, groupOrder);
  const seatedGroups = order.flatMap((slug) => groups.filter((each) => each.slug === slug));
  return chambers.flatMap((chamber) => {
    const chamberGroups = [...new Set([...seatedGroups, ...groups])].filter((each) => each.chambers.includes(chamber));
    if (chamberGroups.length < 2 || (values.chamber !== undefined && values.chamber !== chamber)) return [];
    const group = chamberGroups.map(({ slug }) => slug);
    const filters = Object.fromEntries(Object.keys(ballotFilters).map((name) => [name, values[name]]));
    const request = { ...filters, group, chamber };
    const compute = () => page.list(compare, request).items;
    const cache = page.once('matrices of groups', () => new Map<string, Document[]>());
    const pairs = readCached(cache, JSON.stringify(request), { compute, maxEntries: maxCachedMatrices });
    return { chamber, groups: chamberGroups, pairs };
  });
}

function matrixTable(page: ViewPage, { chamber, groups, pairs }: ReturnType<typeof matricesOf>[number]): Html | null {
  const { speech, hrefWith } = page;
  const keyOf = (...slugs: unknown[]) => slugs.sort().join(' ');
  const pairsByKey = new Map(pairs.map((pair) => [keyOf(pair.group, pair.other), pair]));
  const title = speech.say`Agreement of groups: ${codeLabel(speech, 'chamber', chamber) ?? chamber}`;
  const ballotCounts = pairs.map(({ n }) => Number(n));
  if (ballotCounts.every((n) => n === 0)) return section(title, noCountNote(page, pairs));
  const minCount = speech.number(Math.min(...ballotCounts));
  const maxCount = speech.number(Math.max(...ballotCounts));
  // Links drop the split (`by`) and the sum of the current page.
  const linkParameters = { chamber, by: null, sum: null };
  const cell = (one: VotingGroup, other: VotingGroup) => {
    const pair = pairsByKey.get(keyOf(one.slug, other.slug));
    if (typeof pair?.agreement !== 'number') return null;
    const [oneName, otherName] = [one, other].map(({ slug, label }) => page.nameOf('party', slug) ?? label);
    const about = speech.say`${oneName!} and ${otherName!}: ${speech.count(Number(pair.n), 'ballot')}`;
    const share = agreementText(speech, pair);
    return html`<a class="share-${Math.min(4, Math.floor(pair.agreement * 5))}" href="${hrefWith({ ...linkParameters, group: [one.slug, other.slug] })}" title="${share} · ${about}">${share}</a>`;
  };
  const columns: PageColumn<VotingGroup>[] = [
    [speech.say`Group`, ({ label }) => html`<span lang="fr">${label}</span>`, 'name'],
    ...groups.slice(0, -1).map((other, at): PageColumn<VotingGroup> => {
      return [other.label, (one) => groups.indexOf(one) > at && cell(one, other), 'number']; // each pair once
    }),
  ];
  const counts =
    minCount === maxCount
      ? speech.say`Over ${maxCount} votes counted in each pair; each figure links to its pair.`
      : speech.say`Over ${minCount} to ${maxCount} votes counted, depending on the pair; each figure links to its pair.`;
  const csvLink = onward(
    formHref(page, 'csv', { ...linkParameters, group: groups.map(({ slug }) => slug) }),
    speech.say`All of it as CSV, with the number of votes`,
  );
  const matrix = table(page, title, groups.slice(1), columns, 'list matrix');
  return section(title, html`<p class="meta">${counts}</p>${matrix}${csvLink}`);
}

/** Says that no ballot is counted, with a link to the comparison of one-sided ballots if there are any. */
function noCountNote({ speech, hrefWith }: ViewPage, pairs: readonly Document[]): Html {
  if (pairs.every(({ one_sided: ballots }) => ballots === 0)) return emptyNote(speech.say`No ballot matches.`);
  const link = html`<a href="${hrefWith({ one_sided: 'true' })}">${speech.say`Compare them as for and not for`}</a>`;
  return html`<p class="none">${speech.say`No figure: the selected ballots record only votes in favour, and not to vote for is not to vote against.`} ${link}</p>`;
}

const splitField = selectField('by', say`Figures by`, say`whole period`, [
  ['month', say`month`],
  ['session', say`session`],
  ['topic', say`topic`],
]);

/** Returns the table column of a row's chamber; `both, summed` for the sum of chambers. */
export const chamberColumn = ({ speech }: ViewPage): PageColumn<Document> => [
  speech.say`Chamber`,
  ({ chamber }) => (chamber === sumOfChambers ? speech.say`both, summed` : chamber && chamberName(String(chamber))),
];

/** The column of the month, session or topic, if figures are split. */
const splitColumns = ({ speech, queryParameters }: ViewPage): PageColumn<Document>[] =>
  queryParameters.by ? [[speech.say`Period`, ({ part }) => (part as string | null) ?? speech.say`not stated`]] : [];

function groupField(page: ViewPage, number: number, label: string, groups: Choices, group: string): Html {
  const id = `f-group-${number}`;
  const isListed = group === '' || groups.some(([value]) => value === group);
  const choices: Choices = [['', say`choose one`], ...(isListed ? [] : [[group, group] as const]), ...groups];
  return html`<p><label for="${id}">${label}</label>${select(page, { id, name: 'group', choices, selectedValues: [group] })}</p>
`;
}

const countCell = (field: string) => (row: Document) => row[field] as number | null;

type GroupReference = Document[string] | undefined; // A slug, or a key of `sideLabels`.

function agreementTable(page: ViewPage, pairs: readonly Document[], groupLink: (name: GroupReference) => Html) {
  const { speech } = page;
  const title = speech.say`Agreement`;
  return table(page, title, pairs, [
    ...splitColumns(page),
    [speech.say`Groups`, ({ group, other }) => html`${groupLink(group)} – ${groupLink(other)}`, 'name'],
    chamberColumn(page),
    [title, (pair) => typeof pair.agreement === 'number' && agreementText(speech, pair), 'number'],
    [speech.say`Same position`, countCell('same'), 'number'],
    [speech.say`Votes counted`, countCell('n'), 'number'],
    [speech.say`Excluded: not listed`, countCell('not_listed'), 'number'],
    [speech.say`Excluded: no position`, countCell('no_position'), 'number'],
    [speech.say`Votes for alone recorded`, countCell('one_sided'), 'number'],
  ]);
}

const groupFields: MonthFields = { groups: ['group'], value: 'agreement_index_over_3', n: 'n_over_3' };

/** Page `/cohesion`: cohesion and turnout of each group. */
export const cohesionPage = createPageView(cohesion, {
  path: '/cohesion',
  title: say`How united groups voted`,
  siteExtensions: ['json', 'csv'],
  forms: { svg: monthForm(groupFields) },
  values: (page, { items }) => ({ choices: ballotChoices(page), months: monthSeries(page, items, groupFields) }),
  template(page, { answer, choices, months }) {
    const { speech, href } = page;
    const lead = html`${speech.say`The mean Agreement Index of each group, from 0 to 1, in the selected votes.`} <a href="${href('/compare')}">${speech.say`Compare groups`}</a>`;
    const fields = [...ballotFields(choices), splitField];
    const filters = filterForm(page, fields, { after: positionFields(page, choices.groups) });
    const index = (value: unknown) => typeof value === 'number' && speech.number(value, 3);
    const groupLink = (each: Document) => recordLink(page, 'party', String(each.group), textOf(each, 'name', 'group'));
    const share = (value: unknown) => typeof value === 'number' && speech.share(value);
    const list = table(page, page.title, answer.items, [
      ...splitColumns(page),
      [speech.say`Group`, groupLink, 'name'],
      chamberColumn(page),
      [speech.say`Turnout`, ({ participation }) => share(participation), 'number'],
      [speech.say`Ballots with stated members`, ({ n_participation: n }) => Number(n) > 0 && Number(n), 'number'],
      [speech.say`Index, over 3 voters`, ({ agreement_index_over_3: value }) => index(value), 'number'],
      [speech.say`Votes`, countCell('n_over_3'), 'number'],
      [speech.say`Index, all`, ({ agreement_index: value }) => index(value), 'number'],
      [speech.say`Votes`, countCell('n'), 'number'],
      [speech.say`Ballots with any vote`, ({ ballots_with_votes: value }) => share(value), 'number'],
      [speech.say`Excluded: not listed`, countCell('not_listed'), 'number'],
      [speech.say`Excluded: no vote`, countCell('no_vote'), 'number'],
      [speech.say`Votes for alone recorded`, countCell('one_sided'), 'number'],
    ]);
    const note = html`<p class="meta">${speech.say`A single voter always gives 1, so the mean without ballots of three voters or fewer is given too. The index is`} <span>${speech.render(agreementFormula)}</span>.</p><p class="meta">${speech.say`Turnout is the mean share of members who voted for, against or abstained; it is given for the Assemblée only, since delegates cast the votes of whole groups in the Sénat, over the ballots whose source states the number of members. “Ballots with any vote” is the share of ballots in which at least one member voted: it is not a rate of attendance. Ballots that record only votes in favour are excluded.`}</p>`;
    const body = html`${filters}${selectionNote(page, answer.extra)}${listNotes(page, answer)}${coverageNote(page, answer)}${monthLines(page, months)}${list ?? emptyNote(speech.say`No ballot matches.`)}${note}`;
    return { lead, fields, body };
  },
});
