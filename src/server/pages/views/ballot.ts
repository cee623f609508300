import { formatNamed } from '../../../format/formats.ts';
import { sanitiseLine } from '../../../format/sanitise.ts';
import { seatsSvg } from '../../../format/seats-svg.ts';
import { colourOf } from '../../../format/svg.ts';
import { historyPath } from '../../../model/addresses.ts';
import { webAddress } from '../../../model/attribution.ts';
import {
  type Ballot,
  type BallotName,
  type Counts,
  countFieldsOf,
  isMotionOfCensure,
  readBallot,
} from '../../../model/ballot.ts';
import { otherSums } from '../../../model/ballot-sentence.ts';
import { type Document, textOf } from '../../../model/document.ts';
import { groupRowColumns, groupRows } from '../../../model/group-rows.ts';
import { kindOf } from '../../../model/kinds.ts';
import { groupSeats, membersOf, outcomeVotes, type SeatState } from '../../../model/seats.ts';
import { vote } from '../../../questions/vote.ts';
import { readRecord } from '../../../store/record.ts';
import { ballotsBeside } from '../../../store/records/ballots.ts';
import { otherForm } from '../addresses.ts';
import { embedLine, openGraph, pictureContext, pictureOf } from '../ballot-picture.ts';
import { fieldValue } from '../fields.ts';
import { Html, html } from '../html.ts';
import type { Making } from '../making.ts';
import { day, facts, heading, inFrench, line, partyLink, section, shorten, sources } from '../parts.ts';
import { type Form, recordView } from '../view.ts';
import { chamberName } from './ballots.ts';

const svg: Form = {
  mediaType: 'image/svg+xml',
  make: (making) => pictureOf(making, readBallot(making.record(vote, making.values))),
};

const csv: Form = {
  mediaType: formatNamed('csv').mediaType,
  make(making) {
    const format = formatNamed('csv').rowFormat!(groupRowColumns, { isPicked: false });
    const rows = groupRows(making.record(vote, making.values));
    return format.head(groupRowColumns) + rows.map((each) => format.row(each)).join('') + format.foot();
  },
};

/** Both parts of its address name a ballot. */
export const ballotParameters = {
  chamber: { ...vote.parameters.chamber, isPlace: true, isRequired: true },
  scrutin_id: vote.parameters.scrutin_id,
};

/** One ballot: the chamber drawn, what was counted and announced, how each group voted, and how to take it away. */
export const ballotPage = recordView(vote, {
  name: 'ballot',
  path: '/votes/{chamber}/{scrutin_id}',
  section: 'votes',
  parameters: ballotParameters,
  example: { chamber: 'AN', scrutin_id: 'VAL1V4' },
  forms: { csv, svg },
  isAbsolute: true,
  render(making, document) {
    const { speech, href } = making;
    const ballot = document as Ballot;
    const key = `${ballot.chamber}:${ballot.scrutin_id}`;
    const title = shorten(sanitiseLine(ballot.title ?? key), 300);
    const about = line(
      html`<strong class="result" lang="fr">${ballot.result ?? speech.say`result not stated`}</strong>`,
      day(speech, ballot.date),
      textOf(ballot, 'type') && html`<span lang="fr">${textOf(ballot, 'type')}</span>`,
    );
    const kicker = html`${speech.word('ballot')} ${chamberName(ballot.chamber)} <span class="id">${ballot.scrutin_id}</span>`;
    const picture = seatsSvg(ballot, pictureContext(making, ballot));
    const body = html`<article class="ballot">${heading(html`<span lang="fr">${title}</span>`, { kicker, lead: about })}
${picture && html`<figure class="picture">${new Html(picture)}<figcaption>${legend(making, ballot)}</figcaption></figure>`}${counts(making, ballot)}${section(
  speech.say`How groups voted`,
  groupTable(making, ballot),
  { id: 'groups' },
)}${section(
  speech.say`More about it`,
  facts([
    [speech.say`Legislative file`, inFrench(textOf(ballot, 'dossier'))],
    [speech.say`Legislature`, textOf(ballot, 'legislature')],
    [speech.say`Session`, fieldValue(making, 'session', textOf(ballot, 'session'))],
    [speech.say`Number`, textOf(ballot, 'number')],
    [speech.say`At the house`, original(ballot)],
  ]),
)}${section(speech.say`Sources`, sourcesOf(making, ballot), { id: 'sources' })}${section(
  speech.say`Take it away`,
  takeAway(making, ballot, title),
  { id: 'take-away' },
)}<p><a class="next" href="${href(historyPath('ballot', key))}">${speech.say`Every version of this record`}</a></p>
${beside(making, ballot)}</article>`;
    const told = [ballot.date && speech.day(ballot.date), ballot.result, totalsText(making, ballot)];
    const description = told.filter(Boolean).join(' · ');
    return { title, body, description, head: openGraph(making, { title, description }) };
  },
});

/** What each count is called. */
function nameOfCount({ speech }: Making, name: keyof Counts): string {
  return {
    for: speech.say`For`,
    against: speech.say`Against`,
    abstention: speech.say`Abstention`,
    non_voting: speech.say`Did not vote`,
  }[name];
}

/** The counts that a source states; of a motion of censure those against are none. */
function statedCounts(ballot: Ballot): [keyof Counts, number][] {
  const { totals } = ballot;
  return countFieldsOf(ballot).flatMap((name) => {
    const count = totals?.[name];
    return typeof count === 'number' ? [[name, count]] : [];
  });
}

function totalsText(making: Making, ballot: Ballot): string {
  const stated = statedCounts(ballot);
  return stated
    .map(([name, count]) => `${nameOfCount(making, name)} ${making.speech.number(count)}`)
    .join(', ');
}

/** The counts of the whole chamber beside the votes that were required. */
function counts(making: Making, ballot: Ballot): Html {
  const { speech } = making;
  const stated = statedCounts(ballot);
  if (stated.length === 0) return html`<p class="none">${speech.say`The counts are not published.`}</p>`;
  const figures = stated.map(
    ([name, count]) =>
      html`<div class="${name}"><dt>${nameOfCount(making, name)}</dt><dd>${speech.number(count)}</dd></div>`,
  );
  const required =
    ballot.required === null
      ? null
      : html`<div class="required"><dt>${speech.say`Required`}</dt><dd>${speech.number(ballot.required)}</dd></div>`;
  const note = isMotionOfCensure(ballot)
    ? html`<p class="meta">${speech.say`Of a motion of censure only the votes for it are counted; it needs the majority of all members.`}</p>`
    : null;
  const sums = otherSums(ballot);
  const remark =
    sums &&
    html`<p class="meta">${speech.say`The groups add up to other numbers than the totals of the source: ${sums}.`}</p>`;
  return html`<dl class="counts">${figures}${required}</dl>${majorityBar(ballot)}${note}${remark}`;
}

/** The votes for and against as one bar, with a line at those required. */
function majorityBar(ballot: Ballot): Html | null {
  const outcome = outcomeVotes(ballot);
  if (outcome === null) return null;
  const whole = Math.max(outcome.for + (outcome.against ?? 0), outcome.required);
  if (whole === 0) return null;
  const share = (count: number) => Math.round((count / whole) * 10_000) / 10;
  return html`<svg class="majority" viewBox="0 0 1000 34" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="rest" x="0" y="6" width="1000" height="22"/><rect class="for" x="0" y="6" width="${share(outcome.for)}" height="22"/>${
    outcome.against !== null &&
    html`<rect class="against" x="${share(outcome.for)}" y="6" width="${share(outcome.against)}" height="22"/>`
  }<path class="required" d="M${share(outcome.required)} 0V34"/></svg>`;
}

/** What the forms of its seats mean. */
function legend({ speech }: Making, ballot: Ballot): Html {
  const groups = groupSeats(ballot);
  const marks: [SeatState, string][] = [
    ['for', speech.say`For`],
    ['against', speech.say`Against`],
    ['abstention', speech.say`Abstention`],
    ['non_voting', speech.say`Did not vote`],
    ['unrecorded', speech.say`No vote recorded`],
  ];
  const shown = marks.filter(([state]) => groups.some(({ seats }) => seats[state] > 0));
  return html`<span class="legend">${shown.map(
    ([name, text]) => html`<span><span class="mark ${name}" aria-hidden="true"></span> ${text}</span> `,
  )}</span> ${speech.say`Groups stand in the order of the source, not as they sit in the chamber.`}`;
}

function groupTable(making: Making, ballot: Ballot): Html {
  const { speech } = making;
  const groups = ballot.votes_by_party;
  if (groups.length === 0)
    return html`<p class="none">${speech.say`The votes of groups are not published.`}</p>`;
  const { facts: known } = pictureContext(making, ballot);
  const shown = countFieldsOf(ballot);
  const number = (count: number | null) =>
    html`<td class="number">${count === null ? null : speech.number(count)}</td>`;
  const rows = groups.map((votes) => {
    const swatch = html`<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true" focusable="false"><rect width="10" height="10" fill="${colourOf(known.get(votes.party ?? '')?.colour)}"/></svg>`;
    const name = partyLink(making, votes.party) ?? votes.party_name ?? speech.say`no group stated`;
    return html`<tr><th scope="row">${swatch} <span lang="fr">${name}</span></th>${number(membersOf(votes))}${shown.map((each) => number(votes[each]))}<td lang="fr">${votes.position}</td></tr>
`;
  });
  const title = speech.say`How groups voted`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table class="list"><thead><tr><th scope="col">${speech.say`Group`}</th><th scope="col" class="number">${speech.say`Members`}</th>${shown.map((name) => html`<th scope="col" class="number">${nameOfCount(making, name)}</th>`)}<th scope="col">${speech.say`Position, as the source states it`}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function original(ballot: Ballot): Html | null {
  const address = webAddress(textOf(ballot, 'url') ?? '');
  return address === null
    ? null
    : html`<a href="${address}" rel="external noopener">${new URL(address).host}</a>`;
}

function sourcesOf(making: Making, { source_ids: ids }: Document): Html | null {
  const held = (Array.isArray(ids) ? ids : [])
    .map((id) => (typeof id === 'string' ? readRecord(making.mirror, kindOf('source'), id) : undefined))
    .filter((each) => each !== undefined);
  return sources(making, held, ids);
}

function takeAway(making: Making, ballot: Ballot, title: string): Html {
  const { speech } = making;
  return html`<ul class="plain"><li><a href="${otherForm(making, 'svg')}" type="image/svg+xml">${speech.say`The picture (SVG)`}</a></li><li><a href="${otherForm(making, 'csv')}" type="text/csv">${speech.say`The votes of groups (CSV), for spreadsheets and Datawrapper`}</a></li><li><a href="${otherForm(making, 'json')}" type="application/json">${speech.say`All of it (JSON)`}</a></li></ul>
${making.isStatic ? null : html`<p><label for="embed">${speech.say`To show it on another site, paste this line:`}</label><textarea id="embed" class="paste" rows="4" readonly>${embedLine(making, ballot, title)}</textarea></p>`}`;
}

/** The ballots before and after it in its chamber. */
function beside(making: Making, ballot: Ballot): Html {
  const { speech, mirror, recordHref } = making;
  const { previous, next } = ballotsBeside(mirror, ballot);
  const link = (found: BallotName | null, rel: string, text: string) =>
    found &&
    html`<a rel="${rel}" href="${recordHref('ballot', `${found.chamber}:${found.scrutin_id}`)}">${text}<span class="meta" lang="fr">${shorten(found.title ?? found.scrutin_id, 80)}</span></a>`;
  return html`<nav class="beside" aria-label="${speech.say`Votes before and after`}">${link(previous, 'prev', speech.say`Previous vote`)}${link(next, 'next', speech.say`Next vote`)}</nav>
`;
}
