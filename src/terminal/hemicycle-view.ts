import { hemicycleCells } from '../drawing/hemicycle.ts';
import { shares } from '../drawing/shares.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import {
  type GroupFacts,
  type GroupSeats,
  groupLabel,
  type outcomeVotes,
  type SeatArrangement,
  type SeatOfGroup,
  type SeatState,
  seatRuns,
  seatStateNames,
  seatTotals,
} from '../model/seats.ts';
import { type Style, styleOf, type Terminal } from './terminal.ts';
import { flowParts, wrap } from './view.ts';
import { displayWidth } from './width.ts';

/** Groups of a ballot, and facts of their records by slug. */
export type DrawnGroups = { groups: GroupSeats[]; facts: ReadonlyMap<string, GroupFacts> };

type Seating = DrawnGroups & { arrangement: SeatArrangement };

/** The character of a seat, by its vote; distinct without colour. */
const marks: Record<SeatState, string> = {
  for: '●',
  against: '○',
  abstention: '◐',
  non_voting: '×',
  unrecorded: '·',
};

const maxWidth = 76; // columns
const minWidth = 24;

/** Returns lines: a half ring of marks for seats, the legend, the group order; empty without seats or width. */
export function hemicycleLines(seating: Seating, terminal: Terminal): string[] {
  const { columns, speech } = terminal;
  const style = styleOf(terminal);
  const { groups, facts } = seating;
  const total = groups.reduce((sum, { size }) => sum + size, 0);
  const width = Math.min(columns, maxWidth);
  if (total === 0 || width < minWidth) return [];
  let seatsPerMark = 0; // increased until all marks fit
  let cells = null;
  do {
    seatsPerMark += 1;
    cells = hemicycleCells(Math.ceil(total / seatsPerMark), width);
  } while (cells === null);
  const runs = seatRuns(groups, seating.arrangement);
  const runCounts = runs.map(({ count }) => count);
  const cellCounts = shares(runCounts, cells.length);
  const seatOfCell = runs.flatMap((run, at) => new Array<SeatOfGroup>(cellCounts[at]!).fill(run));
  const columnsOfSeats = cells.map(({ column }) => column);
  const leftmostColumn = Math.min(...columnsOfSeats);
  const indent = Math.floor((width - (Math.max(...columnsOfSeats) - leftmostColumn + 1)) / 2);
  const colours = groups.map(({ votes }) => facts.get(votes.party ?? '')?.colour ?? null);
  const lines: string[][] = []; // a mark per column; holes are spaces
  for (const [at, { column, line }] of cells.entries()) {
    const { group, state } = seatOfCell[at]!;
    lines[line] ??= [];
    lines[line][column - leftmostColumn + indent] = renderSeat(state, colours[group] ?? null, style);
  }
  const stateTexts = seatTotals(groups).map(
    ({ state, total }) => `${style.bold(marks[state])} ${speech.word(seatStateNames[state])} ${total}`,
  );
  return [
    ...Array.from(lines, (seats = []) => Array.from(seats, (seat = ' ') => seat).join('')),
    '',
    ...flowParts(stateTexts, { width: columns, gap: '   ', indent: '' }),
    ...(seatsPerMark > 1 ? [style.dim(speech.say`each mark is about ${seatsPerMark} seats`)] : []),
    ...seatingLines(seating, terminal, style),
  ];
}

function renderSeat(state: SeatState, colour: string | null, style: Style): string {
  const tintedMark = style.tint(colour, marks[state]);
  if (state === 'for') return style.bold(tintedMark);
  return state === 'non_voting' || state === 'unrecorded' ? style.dim(tintedMark) : tintedMark;
}

function seatingLines({ groups, facts, arrangement }: Seating, { columns, speech }: Terminal, style: Style): string[] {
  const seatedGroups = groups.filter(({ size }) => size > 0);
  // Names get the colours of their seats, which they explain; their spaces are unbreakable while wrapping.
  const names = seatedGroups.map(({ votes, size }, at) => {
    const name = `${sanitiseLine(groupLabel(votes, facts))} ${size}${at < seatedGroups.length - 1 ? ',' : ''}`;
    return style.tint(facts.get(votes.party ?? '')?.colour, name.replaceAll(' ', '\u00a0'));
  });
  const list = names.join(' ');
  const seatingLine =
    arrangement === 'vote'
      ? speech.say`arranged by vote, not by seat: ${list}`
      : speech.say`from the left, in the order chosen: ${list}`;
  return wrap(seatingLine, Math.max(minWidth, columns)).map((line) => style.dim(line.replaceAll('\u00a0', ' ')));
}

/** Returns a bar of votes for and against (null: uncounted) above a tick at `required`; empty without room or votes. */
export function majorityLines(
  { for: votesFor, against, required }: NonNullable<ReturnType<typeof outcomeVotes>>,
  width: number,
  terminal: Terminal,
): string[] {
  const style = styleOf(terminal);
  const votesAgainst = against ?? 0;
  const votesCast = votesFor + votesAgainst;
  const scale = Math.max(votesCast, required);
  if (scale === 0 || width < minWidth) return [];
  const [forCells, againstCells] = shares([votesFor, votesAgainst], Math.round((votesCast / scale) * width));
  const tickColumn = Math.min(width - 1, Math.round((required / scale) * width));
  const requiredText = terminal.speech.say`${required} required`;
  const fitsAfterTick = tickColumn + 2 + displayWidth(requiredText) <= width;
  const tick = fitsAfterTick
    ? `${' '.repeat(tickColumn)}╵ ${requiredText}`
    : `${' '.repeat(Math.max(0, tickColumn - requiredText.length - 1))}${requiredText} ╵`;
  return [`${style.colour('green', '█'.repeat(forCells!))}${style.colour('red', '▒'.repeat(againstCells!))}`, tick];
}
