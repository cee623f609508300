import { type Document, textOf } from '../../../model/document.ts';
import { ballots } from '../../../questions/ballots.ts';
import { ballotWords, groupsVotingLately, type VotingGroup } from '../../../store/records/ballots.ts';
import { groupFacts } from '../../../store/records/parties.ts';
import { topicNames } from '../../../store/records/topics.ts';
import { topicText } from '../codes.ts';
import { feedForms, recordFeed } from '../feed-forms.ts';
import { type Field, form } from '../form.ts';
import { type Content, type Html, html } from '../html.ts';
import type { Making } from '../making.ts';
import { day, heading, line, pager, shorten } from '../parts.ts';
import { listView } from '../view.ts';

/** Ballots, found by what they were about, how they ended and how groups voted. */
export const ballotsPage = listView(ballots, {
  name: 'ballots',
  path: '/votes',
  section: 'votes',
  forms: feedForms(
    recordFeed(
      ({ speech }) => speech.say`Votes`,
      () => 'ballot',
    ),
  ),
  render(making, answer) {
    const { speech, href } = making;
    const title = speech.say`Votes`;
    const lead = html`${speech.say`Public ballots of both chambers, with the result as the house announced it.`} <a href="${href('/compare')}">${speech.say`Compare how groups voted`}</a>`;
    const list =
      answer.items.length === 0
        ? html`<p class="none">${speech.say`No ballot is so.`}</p>`
        : html`<ul class="items">${answer.items.map((ballot) => item(making, ballot))}</ul>`;
    return {
      title,
      body: html`${heading(title, { lead })}${form(making, fieldsOfChoice(making, { margin: true }), { after: patternFields(making) })}${list}${pager(making, answer)}`,
      description: speech.say`Public ballots of both chambers, with the result as the house announced it.`,
    };
  },
});

/** The fields by which ballots are chosen: for a list of them, and for figures over them. */
export function fieldsOfChoice(making: Making, { margin = false } = {}): Field[] {
  const { speech } = making;
  const all = (text: Content): [string, Content] => ['', text];
  const words = (name: 'result' | 'type', text: Content) => [
    all(text),
    ...making
      .once(`ballot ${name}`, (mirror) => ballotWords(mirror, name))
      .map((word): [string, Content] => [word, shorten(word, 60)]),
  ];
  const topics = making.once('ballot topic', (mirror) => ballotWords(mirror, 'topic'));
  return [
    { name: 'q', label: speech.say`Words`, type: 'search', hint: speech.say`in the title or the file` },
    {
      name: 'chamber',
      label: speech.say`Chamber`,
      options: () => [all(speech.say`both chambers`), ['AN', 'Assemblée nationale'], ['Senat', 'Sénat']],
    },
    { name: 'since', label: speech.say`From`, type: 'date' },
    { name: 'until', label: speech.say`Until`, type: 'date' },
    { name: 'result', label: speech.say`Result`, options: () => words('result', speech.say`any result`) },
    { name: 'type', label: speech.say`Type`, options: () => words('type', speech.say`all types`) },
    ...(topics.length > 0
      ? [
          {
            name: 'topic',
            label: speech.say`Topic`,
            options: () => [
              all(speech.say`all topics`),
              ...making
                .once('topics', topicNames)
                .filter((topic) => topics.includes(topic))
                .map((topic): [string, Content] => [topic, topicText(topic)]),
            ],
          },
        ]
      : []),
    ...(margin
      ? [
          {
            name: 'margin',
            label: speech.say`Decided by at most`,
            type: 'number' as const,
            hint: speech.say`votes`,
          },
          {
            name: 'sort',
            label: speech.say`Order`,
            options: (): [string, Content][] => [
              ['date', speech.say`newest first`],
              ['margin', speech.say`closest first`],
            ],
          },
        ]
      : []),
  ];
}

/** How each group is to have voted: one list a group, all of which must hold. */
export function patternFields(making: Making): Html | null {
  const { speech, given } = making;
  const stated = given.voted ?? [];
  const groups = making.once('voting groups', groupsVotingLately);
  if (groups.length === 0) return null;
  const known = new Set(groups.map(({ slug }) => slug));
  const others = stated.flatMap((text) => text.split(',')).filter((text) => !known.has(groupIn(text)));
  const fields = groups.map((group, at) => stanceField(making, group, { id: `f-voted-${at}`, stated }));
  const kept = others.map((text) => html`<input type="hidden" name="voted" value="${text}">`);
  return html`<details class="pattern"${stated.length > 0 ? html` open` : null}><summary>${speech.say`How groups voted`}</summary>${
    others.length > 0 && html`<p class="meta">${speech.say`Also asked for:`} ${others.join(', ')}</p>`
  }<div class="fields">${fields}</div>${kept}</details>`;
}

/** The chamber as people write it, where there is little room. */
export const chamberName = (chamber: string) => (chamber === 'Senat' ? 'Sénat' : chamber);

const groupIn = (text: string) => text.slice(0, Math.max(0, text.lastIndexOf(':')));

function stanceField(
  { speech }: Making,
  { slug, chamber, label }: VotingGroup,
  { id, stated }: { id: string; stated: readonly string[] },
): Html {
  const options = [
    ['', speech.say`any`],
    [`${slug}:for`, speech.say`For`],
    [`${slug}:against`, speech.say`Against`],
    [`${slug}:abstention`, speech.say`Abstention`],
  ].map(
    ([value, text]) =>
      html`<option value="${value}"${value !== '' && stated.includes(value!) ? html` selected` : null}>${text}</option>`,
  );
  return html`<p><label for="${id}">${label} <span class="meta">${chamberName(chamber)}</span></label><select id="${id}" name="voted">${options}</select></p>
`;
}

function item(making: Making, ballot: Document): Html {
  const { speech } = making;
  const key = `${ballot.chamber}:${ballot.scrutin_id}`;
  const margin = ballot.margin;
  const about = line(
    html`<strong class="result" lang="fr">${textOf(ballot, 'result') ?? speech.say`result not stated`}</strong>`,
    day(speech, textOf(ballot, 'date')),
    html`${chamberName(String(ballot.chamber))} <span class="id">${ballot.scrutin_id as string}</span>`,
    countsText(making, ballot),
    typeof margin === 'number' && speech.say`margin ${speech.number(margin)}`,
    asked(making, ballot),
  );
  return html`<li class="item"><h2><a href="${making.recordHref('ballot', key)}" lang="fr">${shorten(textOf(ballot, 'title') ?? key, 240)}</a></h2><p class="meta">${about}</p></li>
`;
}

/** The counts of a ballot in short; nothing where none is published. */
function countsText({ speech }: Making, { totals }: Document): string | null {
  if (typeof totals !== 'object' || totals === null || Array.isArray(totals)) return null;
  const told = [
    [totals.for, speech.say`For`],
    [totals.against, speech.say`Against`],
    [totals.abstention, speech.say`Abstention`],
  ].flatMap(([count, name]) => (typeof count === 'number' ? [`${name} ${speech.number(count)}`] : []));
  return told.join(', ') || null;
}

/** The positions of the groups that were asked about. */
function asked({ mirror, speech }: Making, { voted }: Document): string | null {
  if (!Array.isArray(voted)) return null;
  const groups = voted as { party?: string | null; party_name?: string | null; position?: string | null }[];
  const facts = groupFacts(
    mirror,
    groups.map(({ party }) => party ?? null),
  );
  return groups
    .map(({ party, party_name: name, position }) => {
      const label = facts.get(party ?? '')?.shortName ?? name ?? party ?? '';
      return `${label} ${position ?? speech.say`no position stated`}`;
    })
    .join(', ');
}
