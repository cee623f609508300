import { agreementFormula } from '../../../model/agreement.ts';
import { type Document, textOf } from '../../../model/document.ts';
import { cohesion } from '../../../questions/cohesion.ts';
import { compare } from '../../../questions/compare.ts';
import type { VotingGroup } from '../../../store/records/ballots.ts';
import { say } from '../../../words/speech.ts';
import { type Choices, type FilterField, filterForm, hiddenInputs, select } from '../filter-form.ts';
import { type Content, type Html, html } from '../html.ts';
import type { Rendering } from '../page-context.ts';
import { none, type PageColumn, table } from '../parts.ts';
import { listView } from '../view.ts';
import { ballotChoices, ballotFields, chamberName, keptFields, overWhat } from './ballots.ts';

/** Agreement between groups over the filtered ballots. */
export const comparePage = listView(compare, {
  name: 'compare',
  path: '/compare',
  title: say`Compare groups`,
  section: 'compare',
  isShared: true,
  parameters: {
    ...compare.parameters,
    // Without two groups, only the form is shown.
    group: { ...compare.parameters.group, isRequired: false, fallback: [] },
  },
  isAsked: ({ values: { group } }) => Array.isArray(group) && group.length > 1,
  values: (page, { items, extra }) => ({ pairs: items, extra, choices: ballotChoices(page) }),
  template(page, { pairs, extra, choices }) {
    const { speech, values, href } = page;
    const { groups } = choices;
    const lead = html`${speech.say`How often groups took the same position, pair by pair, over the votes that you choose.`} <a href="${href('/cohesion')}">${speech.say`How united each group voted`}</a>`;
    const [one = '', other = '', ...more] = values.group as string[];
    const options = groups.map(
      ({ slug, label, chamber }) => [slug, `${label} (${chamberName(chamber)})`] as const,
    );
    const sides: Choices = [['majority', say`the side with more votes`], ...options];
    const filters = filterForm(page, [...ballotFields(choices), partField], {
      before: html`${groupField(page, 1, speech.say`One group`, options, one)}${groupField(page, 2, speech.say`Another group`, sides, other)}${hiddenInputs('group', more)}`,
      after: keptFields(page, groups),
    });
    const note = html`<p class="meta">${speech.say`Agreement is the share of the votes counted in which both took the same position; counted are those in which the source states the position of both.`}</p>`;
    const named = (name: GroupReference) => groupName(page, name, groups);
    const answer = html`${overWhat(page, extra)}${agreementTable(page, pairs, named)}${note}`;
    const plain = (name: GroupReference) =>
      groups.find(({ slug }) => slug === name)?.label ?? page.nameOf('party', String(name)) ?? String(name);
    const lines = pairs
      .filter(({ agreement, part }) => typeof agreement === 'number' && part === undefined)
      .map(
        ({ group, other, agreement, n }) =>
          `${plain(group)} – ${plain(other)} : ${speech.share(Number(agreement), 1)} (${speech.count(Number(n), 'ballot')})`,
      );
    const share = { lines: lines.slice(0, 6) };
    return { lead, share, body: html`${filters}${pairs.length > 0 && answer}` };
  },
});

const partField: FilterField = {
  name: 'by',
  label: say`Figures for each`,
  options: [
    ['', say`no part`],
    ['month', say`month`],
    ['session', say`session`],
    ['topic', say`topic`],
  ],
};

/** The column of the parts, if the ballots are parted. */
const partCells = ({ speech, given }: Rendering): PageColumn<Document>[] =>
  given.by ? [[speech.say`Part`, ({ part }) => (part as string | null) ?? speech.say`not stated`]] : [];

function groupField(page: Rendering, number: number, label: string, groups: Choices, stated: string): Html {
  const id = `f-group-${number}`;
  const isKnown = stated === '' || groups.some(([value]) => value === stated);
  const choices: Choices = [
    ['', say`choose one`],
    ...(isKnown ? [] : [[stated, stated] as const]),
    ...groups,
  ];
  return html`<p><label for="${id}">${label}</label>${select(page, { id, name: 'group', choices, stated: [stated] })}</p>
`;
}

type GroupReference = Document[string] | undefined;
type Named = (name: GroupReference) => Content;

function agreementTable(page: Rendering, pairs: readonly Document[], named: Named): Html | null {
  const { speech } = page;
  const title = speech.say`Agreement`;
  const number = (field: string) => (pair: Document) => pair[field] as number | null;
  return table(page, title, pairs, [
    ...partCells(page),
    [speech.say`Groups`, ({ group, other }) => html`${named(group)} – ${named(other)}`, 'name'],
    [title, ({ agreement }) => typeof agreement === 'number' && speech.share(agreement, 1), 'number'],
    [speech.say`Same position`, number('same'), 'number'],
    [speech.say`Votes counted`, number('n'), 'number'],
    [speech.say`Left out: not listed`, number('not_listed'), 'number'],
    [speech.say`Left out: no position`, number('no_position'), 'number'],
  ]);
}

/** Link to a group, or the words for the majority. */
function groupName(
  { nameOf, speech, recordHref }: Rendering,
  name: GroupReference,
  groups: readonly VotingGroup[],
): Content {
  if (name === 'majority') return speech.say`the side with more votes`;
  if (name === 'direction') return speech.say`the direction that the list states`;
  const slug = String(name);
  const label = groups.find((each) => each.slug === slug)?.label ?? nameOf('party', slug);
  return label === null ? slug : html`<a href="${recordHref('party', slug)}" lang="fr">${label}</a>`;
}

/** How united each group voted. */
export const cohesionPage = listView(cohesion, {
  name: 'cohesion',
  path: '/cohesion',
  title: say`How united groups voted`,
  section: 'compare',
  inSite: ['json', 'csv'],
  values: (page, { items, extra }) => ({ groups: items, extra, choices: ballotChoices(page) }),
  template(page, { groups, extra, choices }) {
    const { speech, href, recordHref } = page;
    const lead = html`${speech.say`The mean Agreement Index of each group, from 0 to 1, over the votes that you choose.`} <a href="${href('/compare')}">${speech.say`Compare groups`}</a>`;
    const filters = filterForm(page, [...ballotFields(choices), partField], {
      before: hiddenInputs('group', page.given.group),
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
        (each) =>
          html`<a href="${recordHref('party', String(each.group))}" lang="fr">${textOf(each, 'name', 'group')}</a>`,
        'name',
      ],
      [speech.say`Index, over 3 voters`, number('agreement_index_over_3', 3), 'number'],
      [speech.say`Votes`, number('n_over_3'), 'number'],
      [speech.say`Index, all`, number('agreement_index', 3), 'number'],
      [speech.say`Votes`, number('n'), 'number'],
      [speech.say`Present`, ({ presence }) => share(presence), 'number'],
      [speech.say`Took part`, ({ participation }) => share(participation), 'number'],
    ]);
    const note = html`<p class="meta">${speech.say`A group with one voter is 1 by construction, so the mean also stands without ballots of three voters or fewer. The index is`} <span>${speech.tell(agreementFormula)}</span>.</p>`;
    const body = html`${filters}${overWhat(page, extra)}${list ?? none(speech.say`No ballot is so.`)}${note}`;
    return { lead, body };
  },
});
