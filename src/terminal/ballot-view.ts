import { stripVTControlCharacters } from 'node:util';
import { shares } from '../drawing/shares.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import {
  type Ballot,
  type Counts,
  countFields,
  countFieldsOf,
  isMotionOfCensure,
  type PartyVotes,
  readBallot,
} from '../model/ballot.ts';
import { ballotSentence, countsPhrase, outcomeSentence } from '../model/ballot-sentence.ts';
import { contradictionLines } from '../model/contradiction.ts';
import { type Document, documentsIn, isDocument } from '../model/document.ts';
import {
  type GroupFacts,
  type GroupSeats,
  groupLabel,
  groupSeats,
  hasSeats,
  membersOf,
  outcomeVotes,
} from '../model/seats.ts';
import { electorateOf, withoutRecordedVote } from '../parliament/electorate.ts';
import { isDeletion } from '../parliament/nature.ts';
import { type DrawnGroups, gaugeLines, hemicycleLines, majorityLines } from './hemicycle-view.ts';
import { labelOf, profileView } from './profile-view.ts';
import { renderTable } from './table.ts';
import { styleOf, type Terminal } from './terminal.ts';
import { ended, flowed, renderView, wrap } from './view.ts';
import { displayWidth, padded } from './width.ts';

/** Records of a ballot's groups, and their slugs from left to right. */
export type BallotContext = { facts: Map<string, GroupFacts>; order?: readonly string[] };

/** Renders a ballot: sentence, seats, votes by group and facts; in a pipe a plain table without seats. */
export function ballotView(
  document: Document,
  terminal: Terminal,
  { facts: groupFacts, order = [] }: BallotContext = { facts: new Map() },
): string {
  const ballot = readBallot(document);
  const style = styleOf(terminal);
  const { title, ...view } = factsOf(ballot, terminal);
  const head = [
    ...wrap(sanitiseLine(terminal.speech.render(ballotSentence(ballot))), terminal.columns).map(style.bold),
    ...wrap(title, terminal.columns).map((line) => style.link(line, view.url)),
    ...(isDeletion(ballot)
      ? wrap(terminal.speech.say`A vote for this amendment is a vote to delete the provision.`, terminal.columns)
      : []),
    ...contradictionLines(ballot).flatMap((each) => wrap(sanitiseLine(terminal.speech.render(each)), terminal.columns)),
  ];
  const facts = renderView(view, terminal);
  const hasVotes = ballot.votes_by_party.length > 0;
  const drawn = { groups: groupSeats(ballot, order), facts: groupFacts };
  const blocks =
    terminal.isTTY && !terminal.inWords
      ? [
          ended(hasSeats(ballot, order) ? hemicycleLines(drawn, terminal) : []),
          ended(outcomeLines(ballot, terminal)),
          hasVotes ? votesTable(ballot, terminal, drawn) : '',
          facts,
        ]
      : [facts, hasVotes || ballot.totals ? plainTable(ballot, terminal) : ''];
  return [ended(head), ...blocks].filter((block) => block !== '').join('\n');
}

const widestBar = 60;

/** A gauge if there is no count of votes against, else a bar with the required majority. */
function outcomeLines(ballot: Ballot, terminal: Terminal): string[] {
  const outcome = outcomeVotes(ballot);
  if (outcome === null) return [];
  const { for: votesFor, against: votesAgainst, required } = outcome;
  const width = Math.min(widestBar, terminal.columns);
  if (votesAgainst !== null) return majorityLines({ votesFor, votesAgainst, required }, width, terminal);
  const gauge = { value: votesFor, required, width: Math.min(widestBar, terminal.columns - 22) };
  return gaugeLines(gauge, terminal);
}

function factsOf({ totals: _totals, votes_by_party: _votes, ...facts }: Ballot, terminal: Terminal) {
  const view = profileView('ballot', facts, terminal, []);
  const order = ['chamber', 'scrutin_id', 'date', 'type', 'result', 'required'].map((field) =>
    labelOf(field, terminal.speech),
  );
  const rank = (label: string) => (order.includes(label) ? order.indexOf(label) : order.length);
  return { ...view, facts: [...view.facts].sort((a, b) => rank(a.label) - rank(b.label)) };
}

function plainTable(ballot: Ballot, terminal: Terminal): string {
  const rows = ballot.votes_by_party.map(
    (votes): Document => ({
      ...votes,
      ...memberCounts(votes),
      party: sanitiseLine(votes.party_name ?? votes.party ?? ''),
    }),
  );
  if (isDocument(ballot.totals))
    rows.push({ ...ballot.totals, ...electorateOf(ballot), party: 'total', position: null });
  return renderTable(rows, {
    columns: ['party', ...countFields, 'position', ...memberColumns],
    header: true,
    terminal,
    rightAligned: [...countFields, ...memberColumns],
  });
}

/** Columns of members: those without a recorded vote, and all of a group. */
const memberColumns = ['no_vote_recorded', 'members'] as const;

const memberCounts = (votes: PartyVotes) => ({
  no_vote_recorded: withoutRecordedVote(votes),
  members: membersOf(votes),
});

const narrow = 80;
const withNames = 100;
const withMembers = 120;
const minBar = 8;

const shortHeads = { for: 'for', against: 'agst', abstention: 'abst', non_voting: 'n.v.' } as const;

function votesTable(ballot: Ballot, terminal: Terminal, { groups, facts }: DrawnGroups): string {
  const isNarrow = terminal.columns < narrow;
  const head = (name: (typeof countFields)[number]) => (isNarrow ? shortHeads[name] : name);
  const shown = countFieldsOf(ballot);
  const counts = (votes: Counts): Document => Object.fromEntries(shown.map((name) => [head(name), votes[name]]));
  const rows = groups.map(
    ({ votes }): Document => ({
      ...counts(votes),
      ...memberCounts(votes),
      group: sanitiseLine(groupLabel(votes, facts)),
      name: sanitiseLine(votes.party_name ?? ''),
      position: votes.position,
    }),
  );
  const total = ballot.totals
    ? [{ ...counts(ballot.totals), ...electorateOf(ballot), group: 'total', position: null }]
    : [];
  const columns = [
    'group',
    ...(terminal.columns >= withNames && facts.size > 0 ? ['name'] : []),
    ...shown.map(head),
    ...(terminal.columns >= withMembers && groups.some(({ members }) => members !== null) ? memberColumns : []),
    ...(isNarrow ? [] : ['position']),
  ];
  const room = isMotionOfCensure(ballot) ? 0 : minBar + 2;
  const table = renderTable([...rows, ...total], {
    columns,
    header: true,
    terminal: { ...terminal, columns: terminal.columns - room },
    cut: ['group', 'name'],
    rightAligned: [...shown.map(head), ...memberColumns],
  });
  return room === 0 ? table : withBars(table, groups, terminal);
}

function withBars(table: string, groups: GroupSeats[], terminal: Terminal): string {
  const lines = table.trimEnd().split('\n');
  const width = Math.max(...lines.map(plainWidth));
  const largest = Math.max(...groups.map(({ votes }) => votesCast(votes)));
  const barWidth = Math.min(widestBar, terminal.columns - width - 2);
  if (largest === 0 || barWidth < minBar) return table;
  const drawn = lines.map((line, index) => {
    const group = index === 0 ? undefined : groups[index - 1];
    const bar = group ? voteBar(group.votes, (votesCast(group.votes) / largest) * barWidth, terminal) : '';
    return bar === '' ? line : `${line}${' '.repeat(width - plainWidth(line))}  ${bar}`;
  });
  return `${[...drawn, barLegend(terminal)].join('\n')}\n`;
}

const plainWidth = (line: string) => displayWidth(stripVTControlCharacters(line));

const classes = ['for', 'against', 'abstention'] as const;

/** A distinct mark per class, readable without colour. */
const marks = { for: '█', against: '▒', abstention: '·' } as const;
const colours = { for: 'green', against: 'red', abstention: 'yellow' } as const;

function voteBar(counts: Counts, length: number, terminal: Terminal): string {
  if (length === 0) return '';
  const voteCounts = classes.map((name) => counts[name] ?? 0);
  const drawn = shares(voteCounts, Math.max(1, Math.round(length)));
  return drawn.map((share, at) => marked(classes[at]!, share, terminal)).join('');
}

const marked = (name: (typeof classes)[number], length: number, terminal: Terminal) =>
  styleOf(terminal).colour(colours[name], marks[name].repeat(length));

const votesCast = (counts: Counts): number => classes.reduce((sum, name) => sum + (counts[name] ?? 0), 0);

const barLegend = (terminal: Terminal) =>
  classes.map((name) => `${marked(name, 1, terminal)} ${terminal.speech.word(name)}`).join('  ');

/** Columns of a list of ballots: heading and least width. */
const listed = [
  ['date', 10],
  ['ballot', 17],
  ['result', 8],
  ['for', 4],
  ['against', 4],
  ['abstention', 4],
  ['margin', 4],
] as const;

/** Renders the ballots of a list, the first one below headings. */
export function ballotBlocks(): (ballot: Document, terminal: Terminal) => string {
  let isFirst = true;
  return (ballot, terminal) => {
    const heads = listed.map(([heading]) => terminal.speech.field(heading));
    const isHeaded = isFirst && terminal.columns >= narrow;
    isFirst = false;
    return `${isHeaded ? `${styleOf(terminal).dim(inColumns(heads, terminal))}\n` : ''}${ballotBlock(ballot, terminal)}`;
  };
}

function inColumns(cells: string[], { speech }: Terminal): string {
  const widths = listed.map(([heading, least]) => Math.max(least, displayWidth(speech.field(heading))));
  const aligned = cells.map((cell, at) => (at < 3 ? padded(cell, widths[at]!) : cell.padStart(widths[at]!)));
  return aligned.join('  ').trimEnd();
}

/** One ballot of a list: columns, then groups with the requested vote or dissent, and the title. */
function ballotBlock(document: Document, terminal: Terminal): string {
  const style = styleOf(terminal);
  const { speech, columns } = terminal;
  const { date, chamber, scrutin_id: id, result, totals } = readBallot(document);
  const key = sanitiseLine(`${chamber}:${id}`);
  const margin = typeof document.margin === 'number' ? String(document.margin) : '';
  const hasAgainst = !isMotionOfCensure(document);
  const counts = classes.map((name) => (name === 'against' && !hasAgainst ? null : (totals?.[name] ?? null)));
  const cells = [sanitiseLine(date ?? ''), key, sanitiseLine(result ?? ''), ...counts.map((count) => `${count ?? ''}`)];
  const headParts = [cells[0]!, style.bold(key), sanitiseLine(speech.render(outcomeSentence(document)))];
  const head =
    columns < narrow
      ? flowed([...headParts, ...(margin === '' ? [] : [speech.say`margin ${margin}`])], { width: columns })
      : [inColumns([...cells, margin], terminal).replace(key, style.bold)];
  const groupName = ({ party, party_name: name }: Document) => `${name ?? party}`;
  const positions = documentsIn(document.voted).map(
    (votes) =>
      `${groupName(votes)} ${votes.position ?? (votes.stated_position ? `(${votes.stated_position})` : speech.say`(none)`)}`,
  );
  const dissenting = documentsIn(document.dissenting).map(
    (votes) => speech.say`${groupName(votes)}: ${countsPhrase(votes as Counts)}`,
  );
  const wrapped = (text: string) => wrap(sanitiseLine(text), Math.max(20, columns - 2));
  const stance = document.direction && speech.word(String(document.direction));
  const stanceAndReason = [stance, document.reason].filter(Boolean).join(' · ');
  const inList = stanceAndReason === '' ? '' : speech.say`in the list: ${stanceAndReason}`;
  const groups = [inList, positions.join(' · '), ...dissenting].filter(Boolean).flatMap(wrapped);
  return ended([
    ...head,
    ...groups.map((line) => `  ${style.dim(line)}`),
    ...wrapped(String(document.title ?? '')).map((line) => `  ${line}`),
  ]);
}
