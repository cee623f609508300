import { type MonthSeries, monthLinesSvg, mostSeries } from '../../../format/month-line.ts';
import { onPage } from '../../../format/svg.ts';
import { agreementFormula } from '../../../model/agreement.ts';
import { chambers, isNonAttached } from '../../../model/ballot.ts';
import { type Document, textOf } from '../../../model/document.ts';
import { cohesion } from '../../../questions/cohesion.ts';
import { compare } from '../../../questions/compare.ts';
import type { ListQuestion } from '../../../questions/question.ts';
import type { VotingGroup } from '../../../store/records/ballots.ts';
import { allGroupFacts } from '../../../store/records/parties.ts';
import { say } from '../../../words/speech.ts';
import type { AlternateForm } from '../alternate-forms.ts';
import { meaningOf } from '../codes.ts';
import { type Choices, type FilterField, filterForm, hiddenInputs, select } from '../filter-form.ts';
import { type Content, Html, html } from '../html.ts';
import { attributionOn, type PageContext, type Rendering } from '../page-context.ts';
import { none, onward, type PageColumn, recordLink, section, table } from '../parts.ts';
import { listView } from '../view.ts';
import { ballotChoices, ballotFields, chambersOf, keptFields, overWhat } from './ballots.ts';

type MonthFigure = { groups: readonly string[]; value: unknown; n: unknown };

type MonthFigures = { figureOf: (item: Document) => MonthFigure; nameOf: (slug: string) => string };

function linesOf(items: readonly Document[], { figureOf, nameOf }: MonthFigures): MonthSeries[] {
  const dated = items.filter(({ part }) => /^\d{4}-\d\d$/.test(String(part)));
  const lines = Map.groupBy(dated, (item) => figureOf(item).groups.map(nameOf).join(' – '));
  return [...lines].map(([label, of]) => {
    const points = of.map((item) => {
      const { value, n } = figureOf(item);
      return { month: String(item.part), value: value as number | null, n: Number(n) };
    });
    return { label, points: points.sort((one, other) => (one.month < other.month ? -1 : 1)) };
  });
}

function pictureOf(page: Rendering, series: readonly MonthSeries[]): string {
  const { speech, title } = page;
  return monthLinesSvg({ id: page.page, title, series, attribution: attributionOn(page), speech });
}

/** Null without figures, or with more lines than readers can distinguish. */
function monthLines(page: Rendering, items: readonly Document[], figures: MonthFigures): Html | null {
  const series = linesOf(items, figures);
  if (series.length === 0 || series.length > mostSeries) return null;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${page.speech.say`Month by month`}">${new Html(onPage(pictureOf(page, series)))}</div>`;
}

/** Short names of groups, and a label for the side with the majority. */
function groupNames({ once, speech }: PageContext): (slug: string) => string {
  const facts = once('group facts', allGroupFacts);
  return (slug) => (slug === 'majority' ? speech.say`the majority` : (facts.get(slug)?.shortName ?? slug));
}

const monthForm = (question: ListQuestion, figureOf: MonthFigures['figureOf']): AlternateForm => ({
  mediaType: 'image/svg+xml',
  make(page) {
    const { items } = page.list(question, { ...page.values, by: 'month' });
    return pictureOf(page, linesOf(items, { figureOf, nameOf: groupNames(page) }));
  },
});

const lineOfPair = ({ group, other, agreement: value, n }: Document): MonthFigure => {
  return { groups: [String(group), String(other)], value, n };
};

const lineOfGroup = ({ group, agreement_index_over_3: value, n_over_3: n }: Document): MonthFigure => {
  return { groups: [String(group)], value, n };
};

/** Agreement between groups over the filtered ballots. */
export const comparePage = listView(compare, {
  name: 'compare',
  path: '/compare',
  title: say`Compare groups`,
  section: 'compare',
  isShared: true,
  parameters: {
    ...compare.parameters,
    // Without two groups, the page shows only its form.
    group: { ...compare.parameters.group, isRequired: false, fallback: [] },
  },
  isQueried: ({ values: { group } }) => Array.isArray(group) && group.length > 1,
  isLong: true,
  forms: { svg: monthForm(compare as ListQuestion, lineOfPair) },
  values(page, { items, extra }) {
    const choices = ballotChoices(page);
    const matrix = items.length > 0 || page.isStatic ? [] : matricesOf(page, choices.groups);
    return { pairs: items, extra, choices, matrix, shortOf: groupNames(page) };
  },
  template(page, { pairs, extra, choices, matrix, shortOf }) {
    const { speech, values, href } = page;
    const { groups } = choices;
    const lead = html`${speech.say`How often groups took the same position, pair by pair, in the selected votes.`} <a href="${href('/cohesion')}">${speech.say`How united each group voted`}</a>`;
    const [one = '', other = '', ...more] = values.group as string[];
    const options = groups.map(({ slug, label, chambers }) => [slug, `${label} (${chambersOf(chambers)})`] as const);
    const sides: Choices = [['majority', say`the side with more votes`], ...options];
    const filters = filterForm(page, [...ballotFields(choices), partField], {
      before: html`${groupField(page, 1, speech.say`One group`, options, one)}${groupField(page, 2, speech.say`Another group`, sides, other)}${hiddenInputs('group', more)}`,
      after: keptFields(page, groups),
    });
    const note = html`<p class="meta">${speech.say`Agreement is the share of counted votes in which both took the same position. A vote is counted if the source states the position of both.`}</p>`;
    const plain = (name: GroupReference) => groupLabelOf(page, name, groups);
    const groupLink = (name: GroupReference) => recordLink(page, 'party', String(name), plain(name));
    const answer = html`${overWhat(page, extra)}${agreementTable(page, pairs, groupLink)}${note}`;
    const lines = pairs
      .filter(({ agreement, part }) => typeof agreement === 'number' && part === undefined)
      .map(
        ({ group, other, agreement, n }) =>
          speech.say`${plain(group)} – ${plain(other)}: the same position in ${speech.share(Number(agreement), 1)} of ${speech.count(Number(n), 'ballot')}`,
      );
    const months = monthLines(page, pairs, { figureOf: lineOfPair, nameOf: shortOf });
    const all = matrix.map((of) => matrixTable(page, of));
    return {
      ...(pairs.length > 0 && {
        title: `${page.title} · ${(values.group as string[]).map(plain).join(', ')}`,
      }),
      ...{ lead, share: { lines: lines.slice(0, 6) } },
      body: html`${filters}${months}${pairs.length > 0 ? answer : html`${all}${note}`}`,
    };
  },
});

type Matrix = ReturnType<typeof matricesOf>[number];

function matricesOf(page: PageContext, groups: readonly VotingGroup[]) {
  const voting = groups.filter(
    ({ slug, label }) => !isNonAttached({ party: slug, party_name: page.nameOf('party', slug) ?? label }),
  );
  return chambers.flatMap((chamber) => {
    const chamberGroups = voting.filter((each) => each.chambers.includes(chamber));
    if (chamberGroups.length < 2) return [];
    const group = chamberGroups.map(({ slug }) => slug);
    const read = () => page.list(compare, { group, chamber }).items;
    return { chamber, groups: chamberGroups, pairs: page.once(`matrix of ${chamber} ${group}`, read) };
  });
}

function matrixTable(page: Rendering, { chamber, groups, pairs }: Matrix): Html | null {
  const { speech, href } = page;
  const keyOf = (...slugs: unknown[]) => slugs.sort().join(' ');
  const pairsByKey = new Map(pairs.map((pair) => [keyOf(pair.group, pair.other), pair]));
  const title = speech.say`Agreement of groups: ${meaningOf(speech, 'chamber', chamber) ?? chamber}`;
  const counted = pairs.map(({ n }) => Number(n));
  const [least, most] = [Math.min(...counted), Math.max(...counted)].map((each) => speech.number(each));
  const group = groups.map(({ slug }) => slug);
  const cell = (one: VotingGroup, other: VotingGroup) => {
    const { agreement, n } = pairsByKey.get(keyOf(one.slug, other.slug)) ?? {};
    if (typeof agreement !== 'number') return null;
    const about = speech.say`${one.label} and ${other.label}: ${speech.count(Number(n), 'ballot')}`;
    const share = speech.share(agreement);
    return html`<a class="share-${Math.min(4, Math.floor(agreement * 5))}" href="${href('/compare', { group: [one.slug, other.slug], chamber })}" title="${share} · ${about}">${share}</a>`;
  };
  return section(
    title,
    html`<p class="meta">${speech.say`Over ${least!} to ${most!} votes counted, depending on the pair; each figure links to its pair.`}</p>${table(
      page,
      title,
      groups,
      [
        [speech.say`Group`, ({ label }) => html`<span lang="fr">${label}</span>`, 'name'],
        ...groups.map((other) => [other.label, (one: VotingGroup) => cell(one, other), 'number'] as const),
      ],
      'list matrix',
    )}${onward(`${href('/compare.csv', { group, chamber })}`, speech.say`All of it as CSV, with the number of votes`)}`,
  );
}

const partField: FilterField = {
  name: 'by',
  label: say`Figures by`,
  options: [
    ['', say`whole period`],
    ['month', say`month`],
    ['session', say`session`],
    ['topic', say`topic`],
  ],
};

const partCells = ({ speech, queryParameters }: Rendering): PageColumn<Document>[] =>
  queryParameters.by ? [[speech.say`Period`, ({ part }) => (part as string | null) ?? speech.say`not stated`]] : [];

function groupField(page: Rendering, number: number, label: string, groups: Choices, selectedGroup: string): Html {
  const id = `f-group-${number}`;
  const isListed = selectedGroup === '' || groups.some(([value]) => value === selectedGroup);
  const choices: Choices = [
    ['', say`choose one`],
    ...(isListed ? [] : [[selectedGroup, selectedGroup] as const]),
    ...groups,
  ];
  return html`<p><label for="${id}">${label}</label>${select(page, { id, name: 'group', choices, selectedValues: [selectedGroup] })}</p>
`;
}

type GroupReference = Document[string] | undefined;
type NameRenderer = (name: GroupReference) => Content;

function agreementTable(page: Rendering, pairs: readonly Document[], groupLink: NameRenderer): Html | null {
  const { speech } = page;
  const title = speech.say`Agreement`;
  const number = (field: string) => (pair: Document) => pair[field] as number | null;
  return table(page, title, pairs, [
    ...partCells(page),
    [speech.say`Groups`, ({ group, other }) => html`${groupLink(group)} – ${groupLink(other)}`, 'name'],
    [title, ({ agreement }) => typeof agreement === 'number' && speech.share(agreement, 1), 'number'],
    [speech.say`Same position`, number('same'), 'number'],
    [speech.say`Votes counted`, number('n'), 'number'],
    [speech.say`Excluded: not listed`, number('not_listed'), 'number'],
    [speech.say`Excluded: no position`, number('no_position'), 'number'],
  ]);
}

function groupLabelOf(page: Rendering, name: GroupReference, groups: readonly VotingGroup[]): string {
  if (name === 'majority') return page.speech.say`the side with more votes`;
  if (name === 'direction') return page.speech.say`the position stated in the list`;
  const slug = String(name);
  return groups.find((each) => each.slug === slug)?.label ?? page.nameOf('party', slug) ?? slug;
}

/** Cohesion of each group. */
export const cohesionPage = listView(cohesion, {
  name: 'cohesion',
  path: '/cohesion',
  title: say`How united groups voted`,
  section: 'compare',
  inSite: ['json', 'csv'],
  forms: { svg: monthForm(cohesion as ListQuestion, lineOfGroup) },
  values: (page, { items, extra }) => ({
    ...{ groups: items, extra },
    choices: ballotChoices(page),
    shortOf: groupNames(page),
  }),
  template(page, { groups, extra, choices, shortOf }) {
    const { speech, href } = page;
    const lead = html`${speech.say`The mean Agreement Index of each group, from 0 to 1, in the selected votes.`} <a href="${href('/compare')}">${speech.say`Compare groups`}</a>`;
    const filters = filterForm(page, [...ballotFields(choices), partField], {
      before: hiddenInputs('group', page.queryParameters.group),
      after: keptFields(page, choices.groups),
    });
    const number = (field: string, decimals?: number) => (group: Document) => {
      const value = group[field];
      return typeof value === 'number' && speech.number(value, decimals);
    };
    const share = (value: unknown) => typeof value === 'number' && speech.share(value);
    const list = table(page, page.title, groups, [
      ...partCells(page),
      [
        speech.say`Group`,
        (each) => recordLink(page, 'party', String(each.group), textOf(each, 'name', 'group')),
        'name',
      ],
      [speech.say`Index, over 3 voters`, number('agreement_index_over_3', 3), 'number'],
      [speech.say`Votes`, number('n_over_3'), 'number'],
      [speech.say`Index, all`, number('agreement_index', 3), 'number'],
      [speech.say`Votes`, number('n'), 'number'],
      [speech.say`Present`, ({ presence }) => share(presence), 'number'],
      [speech.say`Participation`, ({ participation }) => share(participation), 'number'],
    ]);
    const note = html`<p class="meta">${speech.say`A single voter always gives 1, so the mean without ballots of three voters or fewer is given too. The index is`} <span>${speech.render(agreementFormula)}</span>.</p>`;
    const months = monthLines(page, groups, { figureOf: lineOfGroup, nameOf: shortOf });
    const body = html`${filters}${overWhat(page, extra)}${months}${list ?? none(speech.say`No ballot matches.`)}${note}`;
    return { lead, body };
  },
});
