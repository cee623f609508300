import { stripVTControlCharacters } from 'node:util';
import { shares } from '../drawing/shares.ts';
import type { Article } from '../format/article.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import { type Ballot, type Counts, countFieldsOf, readBallot, type Stance, stances } from '../model/ballot.ts';
import {
  ballotSentence,
  countsPhrase,
  outcomeSentence,
  positionPhrase,
  positionText,
  unlistedGroupsPhrase,
} from '../model/ballot-sentence.ts';
import { type Document, documentsIn, isDocument } from '../model/document.ts';
import { isMotionOfCensure } from '../model/heading.ts';
import { type GroupSeats, groupLabel, groupSeats, groupSize, outcomeVotes, seatArrangement } from '../model/seats.ts';
import { totalRow } from '../parliament/electorate.ts';
import { ballotRemarks, isOneSided, supportOfPosition } from '../parliament/group-position.ts';
import { derivedOfGroup } from '../parliament/group-rows.ts';
import { say } from '../words/speech.ts';
import { type DrawnGroups, hemicycleLines, majorityLines } from './hemicycle-view.ts';
import { labelOf, profileView } from './profile-view.ts';
import { renderTable } from './table.ts';
import { minTableWidth } from './table-layout.ts';
import { styleOf, type Terminal } from './terminal.ts';
import { flowParts, joinLines, renderView, wrap } from './view.ts';
import { displayWidth } from './width.ts';

/** Facts of a ballot's groups by slug, slugs from left to right, derived values, and sources; unknown ones absent. */
export type BallotContext = Pick<DrawnGroups, 'facts'> & {
  order?: readonly string[];
  derived?: Document;
  sources?: readonly Document[] | undefined;
};

/** Renders a ballot: sentence, seats, votes by group and facts; in a pipe a plain table without seats. */
export function ballotView(
  document: Document,
  terminal: Terminal,
  { facts: groupFacts, order = [], sources }: BallotContext = { facts: new Map() },
): string {
  const ballot = readBallot(document);
  const style = styleOf(terminal);
  const { title, ...view } = ballotFacts(ballot, terminal, sources);
  const head = [
    ...wrap(sanitiseLine(terminal.speech.render(ballotSentence(ballot))), terminal.columns).map(style.bold),
    ...wrap(title, terminal.columns).map((line) => style.link(line, view.url)),
    ...ballotRemarks(ballot).flatMap((each) => wrap(sanitiseLine(terminal.speech.render(each)), terminal.columns)),
  ];
  const hasVotes = ballot.votes_by_party.length > 0;
  const drawnGroups = { groups: groupSeats(ballot, order), facts: groupFacts };
  const arrangement = seatArrangement(ballot, order);
  const outcome = outcomeVotes(ballot);
  const blocks =
    terminal.isTTY && !terminal.usesTextForGraphics
      ? [
          joinLines(arrangement ? hemicycleLines({ ...drawnGroups, arrangement }, terminal) : []),
          joinLines(outcome === null ? [] : majorityLines(outcome, Math.min(maxBarWidth, terminal.columns), terminal)),
          hasVotes ? votesTable(ballot, terminal, drawnGroups) : '',
        ]
      : [hasVotes || ballot.totals ? plainTable(ballot, terminal) : ''];
  return [joinLines(head), ...blocks, renderView(view, terminal)].filter((block) => block !== '').join('\n');
}

const maxBarWidth = 60; // columns

/** Returns the view of a ballot without its votes; chamber, number, date, type and result come first. */
export function ballotFacts(
  { totals: _totals, votes_by_party: _votes, ...facts }: Ballot,
  terminal: Terminal,
  sources: readonly Document[] = [],
): Article {
  const view = profileView('ballot', facts, terminal, sources);
  const order = ['chamber', 'scrutin_id', 'date', 'type', 'result', 'required'].map((field) =>
    labelOf(field, terminal.speech),
  );
  const rankOf = (label: string) => (order.includes(label) ? order.indexOf(label) : order.length);
  return { ...view, facts: [...view.facts].sort((a, b) => rankOf(a.label) - rankOf(b.label)) };
}

function plainTable(ballot: Ballot, terminal: Terminal): string {
  const rows = ballot.votes_by_party.map(
    (votes): Document => ({
      ...votes,
      ...derivedOfGroup(votes, isOneSided(ballot)),
      members: groupSize(votes),
      party: sanitiseLine(votes.party_name ?? votes.party ?? ''),
    }),
  );
  if (isDocument(ballot.totals)) rows.push({ ...totalRow(ballot), party: 'total', position: null });
  return renderTable(rows, {
    columns: ['party', ...countFieldsOf(ballot), 'position', 'no_vote_recorded', 'members', 'stated_position'],
    terminal,
    rightAligned: [...countFieldsOf(ballot), 'no_vote_recorded', 'members'],
  });
}

/** Widths of a terminal from which headings are not abbreviated, and names are added to short names. */
const longHeadingMinWidth = 100;
const nameColumnMinWidth = 120;
const minBarWidth = 8; // narrower bars are omitted

const headings = { for: 'for', against: 'against', abstention: 'abstention', non_voting: 'declared' } as const;
const shortHeadings = { for: 'for', against: 'agst', abstention: 'abst', non_voting: 'decl.' } as const;

function votesTable(ballot: Ballot, terminal: Terminal, { groups, facts }: DrawnGroups): string {
  const { columns: width, speech } = terminal;
  const headingOf = width < longHeadingMinWidth ? shortHeadings : headings;
  const fields = countFieldsOf(ballot);
  const counts = (votes: Counts): Document => Object.fromEntries(fields.map((name) => [headingOf[name], votes[name]]));
  // In the Sénat, delegates cast the votes of their groups, so shares would mean nothing.
  const hasShares = ballot.chamber === 'AN';
  const rows = groups.map(({ votes, members }): Document => {
    const derivedFields = derivedOfGroup(votes, isOneSided(ballot));
    const support = hasShares ? supportOfPosition(votes) : null;
    return {
      ...counts(votes),
      'no vote': derivedFields.no_vote_recorded,
      members,
      share: support?.members ? speech.share(support.votes / support.members) : null,
      group: sanitiseLine(groupLabel(votes, facts)),
      name: sanitiseLine(votes.party_name ?? ''),
      position: positionText({ ...votes, ...derivedFields }),
    };
  });
  const { members = null, no_vote_recorded: missing = null } = totalRow(ballot);
  const totalRows = ballot.totals ? [{ ...counts(ballot.totals), 'no vote': missing, members, group: 'total' }] : [];
  const hasMembers = groups.some((group) => group.members !== null);
  const numbers = [
    ...fields.map((name) => headingOf[name]),
    ...(hasMembers ? ['no vote', 'members', ...(hasShares ? ['share'] : [])] : []),
  ];
  const barSpace = isMotionOfCensure(ballot) || width < minTableWidth ? 0 : minBarWidth + 2;
  const table = renderTable([...rows, ...totalRows], {
    columns: ['group', ...(width >= nameColumnMinWidth && facts.size > 0 ? ['name'] : []), ...numbers, 'position'],
    terminal: { ...terminal, columns: width - barSpace },
    cutColumns: ['group', 'name'],
    rightAligned: numbers,
    omittedFirst: ['members', 'position', 'share'],
  });
  const countNote = say`declared: declared non-voting · no vote: no vote recorded`;
  const legend = hasShares ? speech.say`${countNote} · share: members behind the position` : speech.render(countNote);
  const isBracketed = rows.some(({ position }) => String(position).startsWith('('));
  const bracketNote = isBracketed ? speech.say`${legend} · in brackets: as the source states, not counted` : legend;
  const notes = hasMembers || isBracketed ? joinLines(wrap(bracketNote, width).map(styleOf(terminal).dim)) : '';
  return `${barSpace === 0 ? table : addBars(table, groups, terminal)}${notes}`;
}

/** Appends a bar of votes to each group's line, and a legend below; unchanged if there is no space. */
function addBars(table: string, groups: GroupSeats[], terminal: Terminal): string {
  const lines = table.trimEnd().split('\n');
  const width = Math.max(...lines.map(plainWidth));
  const maxVotes = Math.max(...groups.map(({ votes }) => votesCast(votes)));
  const barWidth = Math.min(maxBarWidth, terminal.columns - width - 2);
  if (maxVotes === 0 || barWidth < minBarWidth) return table;
  const linesWithBars = lines.map((line, index) => {
    const group = index === 0 ? undefined : groups[index - 1];
    const bar = group ? drawBar(group.votes, (votesCast(group.votes) / maxVotes) * barWidth, terminal) : '';
    return bar === '' ? line : `${line}${' '.repeat(width - plainWidth(line))}  ${bar}`;
  });
  const legend = stances.map((name) => `${drawMarks(name, 1, terminal)} ${terminal.speech.word(name)}`);
  return `${[...linesWithBars, legend.join('  ')].join('\n')}\n`;
}

const plainWidth = (line: string) => displayWidth(stripVTControlCharacters(line));

/** A character per stance, distinct without colour. */
const voteMarks = { for: '█', against: '▒', abstention: '·' } as const;
const voteColours = { for: 'green', against: 'red', abstention: 'yellow' } as const;

function drawBar(counts: Counts, length: number, terminal: Terminal): string {
  if (length === 0) return '';
  const voteCounts = stances.map((name) => counts[name] ?? 0);
  const markCounts = shares(voteCounts, Math.max(1, Math.round(length)));
  return markCounts.map((share, at) => drawMarks(stances[at]!, share, terminal)).join('');
}

const drawMarks = (name: Stance, length: number, terminal: Terminal) =>
  styleOf(terminal).colour(voteColours[name], voteMarks[name].repeat(length));

const votesCast = (counts: Counts): number => stances.reduce((sum, name) => sum + (counts[name] ?? 0), 0);

/** Renders one ballot of a list: day, key, outcome and margin, groups with the requested vote or dissent, the title. */
export function ballotBlock(document: Document, terminal: Terminal): string {
  const style = styleOf(terminal);
  const { speech, columns } = terminal;
  const { date, chamber, scrutin_id: id } = readBallot(document);
  const head = [
    sanitiseLine(date ?? ''),
    style.bold(sanitiseLine(`${chamber}:${id}`)),
    sanitiseLine(speech.render(outcomeSentence(document))),
    ...(typeof document.margin === 'number' ? [speech.say`margin ${document.margin}`] : []),
  ];
  const groupName = ({ party, party_name: name }: Document) => `${name ?? party}`;
  const positionTexts = documentsIn(document.voted).map(
    (votes) => speech.say`${groupName(votes)}: ${positionPhrase(votes, document.one_sided === true)}`,
  );
  const dissentLines = documentsIn(document.dissenting).map(
    (votes) => speech.say`${groupName(votes)}: ${countsPhrase(votes as Counts)}`,
  );
  const wrapIndented = (text: string) => wrap(sanitiseLine(text), Math.max(20, columns - 2));
  const stance = document.direction && speech.word(String(document.direction));
  const stanceAndReason = [stance, document.reason].filter(Boolean).join(' · ');
  const listNote = stanceAndReason === '' ? '' : speech.say`in the list: ${stanceAndReason}`;
  const unlisted = speech.render(unlistedGroupsPhrase(document.voted) ?? '');
  const groups = [listNote, unlisted, positionTexts.join(' · '), ...dissentLines].filter(Boolean).flatMap(wrapIndented);
  return joinLines([
    ...flowParts(head, { width: columns }),
    ...groups.map((line) => `  ${style.dim(line)}`),
    ...wrapIndented(String(document.title ?? '')).map((line) => `  ${line}`),
  ]);
}
