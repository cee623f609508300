import { type Document, isDocument, textOf } from '../../../model/document.ts';
import type { GroupFacts } from '../../../model/seats.ts';
import { ballots } from '../../../questions/ballots.ts';
import { ballotWords, groupsVotingLately, type VotingGroup } from '../../../store/records/ballots.ts';
import { groupFacts } from '../../../store/records/parties.ts';
import { topicNames } from '../../../store/records/topics.ts';
import { say } from '../../../words/speech.ts';
import { recordFeeds } from '../alternate-forms.ts';
import { dayFields, type FilterField, filterForm, select, topicField } from '../filter-form.ts';
import { type Html, html } from '../html.ts';
import type { PageContext, Rendering } from '../page-context.ts';
import { day, line, listContent, shorten } from '../parts.ts';
import { listView } from '../view.ts';

/** Ballots, filtered by subject, result and votes of groups. */
export const ballotsPage = listView(ballots, {
  name: 'ballots',
  path: '/votes',
  section: 'votes',
  forms: recordFeeds(say`Votes`, 'ballot'),
  values: (page, answer) => ({
    answer,
    choices: ballotChoices(page),
    facts: groupFacts(
      page.mirror,
      answer.items.flatMap(({ voted }) => positionsIn(voted).map(({ party }) => party ?? null)),
    ),
  }),
  template(page, { answer, choices, facts }) {
    const { speech, href } = page;
    const description = speech.say`Public ballots of both chambers, with the result as the house announced it.`;
    const fields = [...ballotFields(page, choices), ...closenessFields(page)];
    return listContent(page, answer, {
      title: speech.say`Votes`,
      description,
      lead: html`${description} <a href="${href('/compare')}">${speech.say`Compare how groups voted`}</a>`,
      filters: filterForm(page, fields, { after: patternFields(page, choices.groups) }),
      list:
        answer.items.length === 0
          ? null
          : html`<ul class="items">${answer.items.map((ballot) => ballotItem(page, ballot, facts))}</ul>`,
      empty: speech.say`No ballot is so.`,
    });
  },
});

/** Options of the filters for ballots. */
export type BallotChoices = { results: string[]; types: string[]; topics: string[]; groups: VotingGroup[] };

/** Reads the options of the filters for ballots. */
export function ballotChoices({ once }: PageContext): BallotChoices {
  const words = (name: 'result' | 'type' | 'topic') =>
    once(`ballot ${name}`, (mirror) => ballotWords(mirror, name));
  const topics = words('topic');
  return {
    results: words('result'),
    types: words('type'),
    topics: once('topics', topicNames).filter((topic) => topics.includes(topic)),
    groups: once('voting groups', groupsVotingLately),
  };
}

/** Filter fields for ballots. */
export function ballotFields(page: Rendering, { results, types, topics }: BallotChoices): FilterField[] {
  const { speech } = page;
  const offered = (all: string, words: string[]): [string, string][] => [
    ['', all],
    ...words.map((word): [string, string] => [word, shorten(word, 60)]),
  ];
  return [
    { name: 'q', label: speech.say`Words`, type: 'search', hint: speech.say`in the title or the file` },
    {
      name: 'chamber',
      label: speech.say`Chamber`,
      options: () => [
        ['', speech.say`both chambers`],
        ['AN', 'Assemblée nationale'],
        ['Senat', 'Sénat'],
      ],
    },
    ...dayFields(page),
    { name: 'result', label: speech.say`Result`, options: () => offered(speech.say`any result`, results) },
    { name: 'type', label: speech.say`Type`, options: () => offered(speech.say`all types`, types) },
    ...(topics.length > 0 ? [topicField(page, topics)] : []),
  ];
}

function closenessFields({ speech }: Rendering): FilterField[] {
  return [
    { name: 'margin', label: speech.say`Decided by at most`, type: 'number', hint: speech.say`votes` },
    {
      name: 'sort',
      label: speech.say`Order`,
      options: () => [
        ['date', speech.say`newest first`],
        ['margin', speech.say`closest first`],
      ],
    },
  ];
}

/** Filters by votes of groups: one select per group, combined with AND. */
export function patternFields({ speech, given }: Rendering, groups: readonly VotingGroup[]): Html | null {
  const stated = given.voted ?? [];
  if (groups.length === 0) return null;
  const known = new Set(groups.map(({ slug }) => slug));
  const others = stated.flatMap((text) => text.split(',')).filter((text) => !known.has(groupIn(text)));
  const fields = groups.map(({ slug, chamber, label }, at) => {
    const choices = [
      ['', speech.say`any`],
      [`${slug}:for`, speech.say`For`],
      [`${slug}:against`, speech.say`Against`],
      [`${slug}:abstention`, speech.say`Abstention`],
    ] as const;
    const id = `f-voted-${at}`;
    return html`<p><label for="${id}">${label} <span class="meta">${chamberName(chamber)}</span></label>${select(id, 'voted', { choices, stated })}</p>
`;
  });
  const kept = others.map((text) => html`<input type="hidden" name="voted" value="${text}">`);
  return html`<details class="pattern"${stated.length > 0 ? html` open` : null}><summary>${speech.say`How groups voted`}</summary>${
    others.length > 0 && html`<p class="meta">${speech.say`Also asked for:`} ${others.join(', ')}</p>`
  }<div class="fields">${fields}</div>${kept}</details>`;
}

/** Short name of a chamber. */
export const chamberName = (chamber: string) => (chamber === 'Senat' ? 'Sénat' : chamber);

const groupIn = (text: string) => text.slice(0, Math.max(0, text.lastIndexOf(':')));

function ballotItem(page: Rendering, ballot: Document, facts: Map<string, GroupFacts>): Html {
  const { speech } = page;
  const key = `${ballot.chamber}:${ballot.scrutin_id}`;
  const { margin } = ballot;
  const about = line(
    html`<strong class="result" lang="fr">${textOf(ballot, 'result') ?? speech.say`result not stated`}</strong>`,
    day(speech, textOf(ballot, 'date')),
    html`${chamberName(String(ballot.chamber))} <span class="id">${ballot.scrutin_id as string}</span>`,
    countsText(page, ballot),
    typeof margin === 'number' && speech.say`margin ${speech.number(margin)}`,
    statedPositions(page, ballot, facts),
  );
  return html`<li class="item"><h2><a href="${page.recordHref('ballot', key)}" lang="fr">${shorten(textOf(ballot, 'title') ?? key, 240)}</a></h2><p class="meta">${about}</p></li>
`;
}

/** The counts of a ballot in one line; null if none is published. */
function countsText({ speech }: Rendering, { totals }: Document): string | null {
  if (!isDocument(totals)) return null;
  const told = [
    [totals.for, speech.say`For`],
    [totals.against, speech.say`Against`],
    [totals.abstention, speech.say`Abstention`],
  ].flatMap(([count, name]) => (typeof count === 'number' ? [`${name} ${speech.number(count)}`] : []));
  return told.join(', ') || null;
}

type GroupPosition = { party?: string | null; party_name?: string | null; position?: string | null };

const positionsIn = (voted: Document[string] | undefined) =>
  (Array.isArray(voted) ? voted : []) as GroupPosition[];

/** Positions of the groups in the filter. */
function statedPositions({ speech }: Rendering, { voted }: Document, facts: Map<string, GroupFacts>): string {
  return positionsIn(voted)
    .map(({ party, party_name: name, position }) => {
      const label = facts.get(party ?? '')?.shortName ?? name ?? party ?? '';
      return `${label} ${position ?? speech.say`no position stated`}`;
    })
    .join(', ');
}
