import { stripVTControlCharacters } from 'node:util';
import { shares } from '../drawing/shares.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import {
  type Ballot,
  type Counts,
  countFields,
  countFieldsOf,
  isMotionOfCensure,
  readBallot,
} from '../model/ballot.ts';
import { ballotSentence, countSentence } from '../model/ballot-sentence.ts';
import { type Document, documentsIn, isDocument } from '../model/document.ts';
import {
  type GroupFacts,
  type GroupSeats,
  groupLabel,
  groupSeats,
  hasSeats,
  outcomeVotes,
} from '../model/seats.ts';
import { type DrawnGroups, gaugeLines, hemicycleLines, majorityLines } from './hemicycle-view.ts';
import { labelOf, profileView } from './profile-view.ts';
import { renderTable } from './table.ts';
import { type Style, styleOf, type Terminal } from './terminal.ts';
import { ended, flowed, type RecordView, renderView, wrap } from './view.ts';
import { displayWidth } from './width.ts';

/** Records of a ballot's groups, and the slugs whose seats come first. */
export type BallotContext = { facts: Map<string, GroupFacts>; order?: readonly string[] };

/**
 * Renders a ballot: facts, seats, votes by group, and the counts as a sentence. In a pipe or for screen readers: facts,
 * counts and a plain table.
 */
export function ballotView(
  document: Document,
  terminal: Terminal,
  { facts, order = [] }: BallotContext = { facts: new Map() },
): string {
  const ballot = readBallot(document);
  const head = renderView(factsOf(ballot, terminal), terminal);
  const hasVotes = ballot.votes_by_party.length > 0;
  const blocks =
    terminal.isTTY && !terminal.inWords
      ? drawnBlocks(ballot, terminal, {
          groups: groupSeats(ballot, order),
          facts,
          isChosen: order.length > 0,
        })
      : [
          `${terminal.speech.tell(countSentence(ballot))}\n`,
          hasVotes || ballot.totals ? plainTable(ballot, terminal) : '',
        ];
  return [head, ...blocks].filter((block) => block !== '').join('\n');
}

function drawnBlocks(ballot: Ballot, terminal: Terminal, drawn: DrawnGroups): string[] {
  const seats = hasSeats(ballot, drawn.groups) ? hemicycleLines(drawn, terminal) : [];
  const hasVotes = ballot.votes_by_party.length > 0;
  return [
    ended(seats),
    ended(outcomeLines(ballot, terminal)),
    hasVotes ? votesTable(ballot, terminal, drawn) : '',
    ended(wrap(terminal.speech.tell(ballotSentence(ballot)), terminal.columns)),
  ];
}

const widestBar = 60;

/** A gauge of the votes for, or a bar with the stated majority. */
function outcomeLines(ballot: Ballot, terminal: Terminal): string[] {
  const outcome = outcomeVotes(ballot);
  if (outcome === null) return [];
  const { for: votesFor, against: votesAgainst, required } = outcome;
  const width = Math.min(widestBar, terminal.columns);
  if (votesAgainst !== null) return majorityLines({ votesFor, votesAgainst, required }, width, terminal);
  return gaugeLines(
    { value: votesFor, required, width: Math.min(widestBar, terminal.columns - 22) },
    terminal,
  );
}

function factsOf(
  { totals: _totals, votes_by_party: _votes, ...facts }: Ballot,
  terminal: Terminal,
): RecordView {
  const view = profileView('ballot', facts, terminal, []);
  const order = ['chamber', 'scrutin_id', 'date', 'type', 'result', 'required'].map((field) =>
    labelOf(field, terminal.speech),
  );
  const rank = (label: string) => (order.includes(label) ? order.indexOf(label) : order.length);
  return { ...view, facts: [...view.facts].sort((a, b) => rank(a.label) - rank(b.label)) };
}

/** Votes by party for a pipe; names are not cut. */
function plainTable(ballot: Ballot, terminal: Terminal): string {
  const rows = ballot.votes_by_party.map(
    (votes): Document => ({ ...votes, party: sanitiseLine(votes.party_name ?? votes.party ?? '') }),
  );
  if (isDocument(ballot.totals)) rows.push({ ...ballot.totals, party: 'total', position: null });
  return renderTable(rows, {
    columns: ['party', ...countFields, 'position'],
    header: true,
    terminal,
    rightAligned: [...countFields],
  });
}

const narrow = 80;
const withNames = 100;
const minBar = 8;

/** Short column heads for narrow terminals. */
const shortHeads = { for: 'for', against: 'agst', abstention: 'abst', non_voting: 'n.v.' } as const;

/** Votes by group for a terminal: short names, counts, and bars in the remaining width. */
function votesTable(ballot: Ballot, terminal: Terminal, { groups, facts }: DrawnGroups): string {
  const style = styleOf(terminal);
  const isNarrow = terminal.columns < narrow;
  const head = (name: (typeof countFields)[number]) => (isNarrow ? shortHeads[name] : name);
  const shown = countFieldsOf(ballot);
  const counts = (votes: Counts): Document =>
    Object.fromEntries(shown.map((name) => [head(name), votes[name]]));
  const rows = groups.map(
    ({ votes }): Document => ({
      ...counts(votes),
      group: sanitiseLine(groupLabel(votes, facts)),
      name: sanitiseLine(votes.party_name ?? ''),
      position: votes.position,
    }),
  );
  const total = ballot.totals ? [{ ...counts(ballot.totals), group: 'total', position: null }] : [];
  const columns = [
    'group',
    ...(terminal.columns >= withNames && facts.size > 0 ? ['name'] : []),
    ...shown.map(head),
    ...(isNarrow ? [] : ['position']),
  ];
  const room = isMotionOfCensure(ballot) ? 0 : minBar + 2;
  const table = renderTable([...rows, ...total], {
    columns,
    header: true,
    terminal: { ...terminal, columns: terminal.columns - room },
    cut: ['group', 'name'],
    rightAligned: shown.map(head),
  });
  return room === 0 ? table : withBars(table, { groups, terminal, style });
}

function withBars(
  table: string,
  { groups, terminal, style }: { groups: GroupSeats[]; terminal: Terminal; style: Style },
): string {
  const lines = table.trimEnd().split('\n');
  const width = Math.max(...lines.map(plainWidth));
  const largest = Math.max(...groups.map(({ votes }) => votesCast(votes)));
  const barWidth = Math.min(widestBar, terminal.columns - width - 2);
  if (largest === 0 || barWidth < minBar) return table;
  const drawn = lines.map((line, index) => {
    const group = index === 0 ? undefined : groups[index - 1];
    const bar = group ? voteBar(group.votes, { width: barWidth, largest, style }) : '';
    return bar === '' ? line : `${line}${' '.repeat(width - plainWidth(line))}  ${bar}`;
  });
  return `${[...drawn, barLegend(terminal)].join('\n')}\n`;
}

const plainWidth = (line: string) => displayWidth(stripVTControlCharacters(line));

const classes = ['for', 'against', 'abstention'] as const;

/** A distinct mark per class, readable without colour. */
const marks = { for: '█', against: '▒', abstention: '·' } as const;
const colours = { for: 'green', against: 'red', abstention: 'yellow' } as const;

/** A bar scaled to `largest`; empty if no votes are stated. */
function voteBar(
  counts: Counts,
  { width, largest, style }: { width: number; largest: number; style: Style },
) {
  const cast = votesCast(counts);
  if (cast === 0 || largest === 0) return '';
  const length = Math.max(1, Math.round((cast / largest) * width));
  return shares(
    classes.map((name) => counts[name] ?? 0),
    length,
  )
    .map((share, at) => style.colour(colours[classes[at]!], marks[classes[at]!].repeat(share)))
    .join('');
}

/** Sum of the stated votes for, against and abstaining. */
function votesCast(counts: Counts): number {
  return classes.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
}

/** Legend of the bars. */
function barLegend(terminal: Terminal): string {
  const style = styleOf(terminal);
  const { speech } = terminal;
  return classes.map((name) => `${style.colour(colours[name], marks[name])} ${speech.word(name)}`).join('  ');
}

/** One ballot of a list: day, id, result, counts and margin; requested positions; title. */
export function ballotBlock(ballot: Document, terminal: Terminal): string {
  const style = styleOf(terminal);
  const { speech } = terminal;
  const totals = isDocument(ballot.totals) ? ballot.totals : {};
  const counts = classes
    .filter((name) => typeof totals[name] === 'number')
    .map((name) => `${speech.word(name)} ${totals[name]}`);
  const head = [
    sanitiseLine(
      speech.language === 'en' ? String(ballot.date ?? '') : speech.day(String(ballot.date ?? '')),
    ),
    style.bold(sanitiseLine(`${ballot.chamber}:${ballot.scrutin_id}`)),
    sanitiseLine(String(ballot.result ?? '')),
    counts.length > 0 ? counts.join(', ') : speech.say`no counts published`,
    typeof ballot.margin === 'number' ? speech.say`margin ${ballot.margin}` : '',
  ].filter((part) => part !== '');
  const positions = documentsIn(ballot.voted).map(
    ({ party, party_name, position }) => `${party_name ?? party} ${position ?? speech.say`(none)`}`,
  );
  const wrapped = (text: string) => wrap(sanitiseLine(text), Math.max(20, terminal.columns - 2));
  return ended([
    ...flowed(head, { width: terminal.columns }),
    ...(positions.length > 0 ? wrapped(positions.join(' · ')).map((line) => `  ${style.dim(line)}`) : []),
    ...wrapped(String(ballot.title ?? '')).map((line) => `  ${line}`),
  ]);
}
