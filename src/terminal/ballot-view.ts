import { stripVTControlCharacters } from 'node:util';
import { sanitiseLine } from '../format/sanitise.ts';
import { type Ballot, type Counts, isMotionOfCensure, type PartyVotes, readBallot } from '../model/ballot.ts';
import { type Document, isDocument } from '../model/document.ts';
import { profileView } from './profile-view.ts';
import { renderTable } from './table.ts';
import { type Style, styleOf, type Terminal } from './terminal.ts';
import { renderView, type View, wrap } from './view.ts';
import { displayWidth } from './width.ts';

const countColumns = ['for', 'against', 'abstention', 'non_voting'];
const columns = ['party', ...countColumns, 'position'];
const barWidth = 20;
const narrowestWithBars = 80;

/** A ballot of any dialect drawn for people: its facts, the outcome as the source words it, votes by party. */
export async function ballotView(document: Document, terminal: Terminal): Promise<string> {
  const ballot = readBallot(document);
  const style = styleOf(terminal);
  const blocks = [
    renderView(factsOf(ballot), terminal),
    `${countSentence(ballot)}\n`,
    ballot.votes_by_party.length > 0 || ballot.totals ? await votesTable(ballot, terminal, style) : '',
  ];
  return blocks.filter((block) => block !== '').join('\n');
}

function factsOf({ totals: _totals, votes_by_party: _votes, ...facts }: Ballot): View {
  const view = profileView('ballot', facts);
  const order = ['chamber', 'scrutin id', 'date', 'type', 'result', 'required'];
  const rank = (label: string) => (order.includes(label) ? order.indexOf(label) : order.length);
  return { ...view, facts: [...view.facts].sort((a, b) => rank(a.label) - rank(b.label)) };
}

function countSentence(ballot: Ballot): string {
  const { totals, required } = ballot;
  if (!totals) return 'no counts published';
  if (isMotionOfCensure(ballot)) {
    const needed = required === null ? '(the number required is not stated)' : `of ${required} required`;
    return `for ${totals.for ?? '(not stated)'} ${needed}`;
  }
  const stated = countColumns.filter((name) => typeof totals[name as keyof Counts] === 'number');
  return stated.map((name) => `${name.replace('_', ' ')} ${totals[name as keyof Counts]}`).join(', ');
}

async function votesTable(ballot: Ballot, terminal: Terminal, style: Style): Promise<string> {
  const rows = ballot.votes_by_party.map((votes): Document => ({ ...votes, party: nameOf(votes) }));
  const totals = isDocument(ballot.totals) ? [{ ...ballot.totals, party: 'total', position: null }] : [];
  const hasBars = terminal.isTTY && terminal.columns >= narrowestWithBars && !isMotionOfCensure(ballot);
  const room = hasBars && rows.length > 0 ? barWidth + 2 : 0;
  const tableTerminal = { ...terminal, columns: terminal.columns - room };
  const options = { columns, header: true, terminal: tableTerminal, rightAligned: countColumns };
  const table = await renderTable([...rows, ...totals], options);
  const lines = table.trimEnd().split('\n');
  const width = Math.max(...lines.map(plainWidth));
  if (room === 0) return table;
  const largest = Math.max(...ballot.votes_by_party.map(votesCast));
  const drawn = lines.map((line, index) => {
    const votes = index === 0 ? undefined : ballot.votes_by_party[index - 1];
    const bar = votes ? voteBar(votes, { width: barWidth, largest, style }) : '';
    return bar === '' ? line : `${line}${' '.repeat(width - plainWidth(line))}  ${bar}`;
  });
  return largest === 0 ? table : `${[...drawn, barLegend(style)].join('\n')}\n`;
}

function nameOf(votes: PartyVotes): string {
  return sanitiseLine(votes.party_name ?? votes.party ?? '');
}

const plainWidth = (line: string) => displayWidth(stripVTControlCharacters(line));

const classes = ['for', 'against', 'abstention'] as const;

/** A mark of its own for each class, so that a bar reads without colour. */
const marks = { for: '█', against: '▒', abstention: '·' } as const;
const colours = { for: 'green', against: 'red', abstention: 'yellow' } as const;

/** A bar whose length is the votes cast of `largest`; empty where no vote for, against or abstaining is stated. */
export function voteBar(
  counts: Counts,
  { width, largest, style }: { width: number; largest: number; style: Style },
) {
  const cast = votesCast(counts);
  if (cast === 0 || largest === 0) return '';
  const length = Math.max(1, Math.round((cast / largest) * width));
  return shares(counts, length)
    .map((share, at) => style.colour(colours[classes[at]!], marks[classes[at]!].repeat(share)))
    .join('');
}

/** The votes for, against and abstaining together, as far as they are stated. */
export function votesCast(counts: Counts): number {
  return classes.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
}

/** What the marks of a bar mean. */
export function barLegend(style: Style): string {
  return classes.map((name) => `${style.colour(colours[name], marks[name])} ${name}`).join('  ');
}

/** Largest remainders, so that the shares fill the bar; whoever has a vote has a mark while there is room. */
function shares(counts: Counts, length: number): number[] {
  const values = classes.map((name) => counts[name] ?? 0);
  const cast = votesCast(counts);
  const exact = values.map((value) => (value / cast) * length);
  const parts = exact.map(Math.floor);
  const order = exact
    .map((value, at) => ({ at, rest: value - Math.floor(value) }))
    .sort((a, b) => b.rest - a.rest);
  let spare = length - parts.reduce((sum, part) => sum + part, 0);
  const give = (at: number, count: number) => {
    parts[at] = parts[at]! + count;
  };
  for (const { at } of order) {
    if (spare === 0 || values[at] === 0) continue;
    give(at, 1);
    spare--;
  }
  const largest = parts.indexOf(Math.max(...parts));
  for (const [at, value] of values.entries()) {
    if (value === 0 || parts[at]! > 0 || parts[largest]! < 2) continue;
    give(at, 1);
    give(largest, -1);
  }
  return parts;
}

/** One ballot of a list for people: day, id, result, counts and margin; the positions asked about; what it was on. */
export function ballotBlock(ballot: Document, terminal: Terminal): string {
  const style = styleOf(terminal);
  const totals = isDocument(ballot.totals) ? ballot.totals : {};
  const counts = ['for', 'against', 'abstention']
    .filter((name) => typeof totals[name] === 'number')
    .map((name) => `${name} ${totals[name]}`);
  const head = [
    sanitiseLine(String(ballot.date ?? '')),
    style.bold(sanitiseLine(`${ballot.chamber}:${ballot.scrutin_id}`)),
    sanitiseLine(String(ballot.result ?? '')),
    counts.length > 0 ? counts.join(', ') : 'no counts published',
    typeof ballot.margin === 'number' ? `margin ${ballot.margin}` : '',
  ].filter((part) => part !== '');
  const voted = Array.isArray(ballot.voted) ? ballot.voted.filter(isDocument) : [];
  const positions = voted.map(
    ({ party, party_name, position }) => `${party_name ?? party} ${position ?? '(none)'}`,
  );
  const lines = [
    head.join('  '),
    ...(positions.length > 0 ? [`  ${style.dim(sanitiseLine(positions.join(' · ')))}`] : []),
    ...wrap(sanitiseLine(String(ballot.title ?? '')), Math.max(20, terminal.columns - 2)).map(
      (line) => `  ${line}`,
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
