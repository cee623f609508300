import { type GroupSeats, type SeatState, seatStates } from '../model/seats.ts';
import { margin, paper, rimOf, round } from './svg.ts';

/** Height of a group's bar. */
export const barHeight = 12;

type Bar = { at: number; colour: string; x?: number; y: number; scale: number };

/** The votes of a group as one bar, `scale` wide for each; states differ by form, and the seats without a vote are a gap. */
export function groupBar({ seats }: GroupSeats, { at, colour, x = margin + 20, y, scale }: Bar): string {
  const rim = rimOf(colour);
  let from = x;
  return seatStates
    .map((state) => {
      const long = seats[state] * scale;
      from += long;
      const look = barLooks[state]?.(rim);
      if (long === 0 || look === undefined) return '';
      return `<rect class="votes" data-group="${at}" data-state="${state}" x="${round(from - long + 1)}" y="${y + 1}" width="${round(Math.max(1, long - 2))}" height="${barHeight - 2}" ${look} stroke="${rim}" stroke-width="1.5" vector-effect="non-scaling-stroke"/>`;
    })
    .join('');
}

const barLooks: Partial<Record<SeatState, (rim: string) => string>> = {
  for: (rim) => `fill="${rim}"`,
  against: () => `fill="${paper}"`,
  abstention: (rim) => `fill="${rim}" fill-opacity="0.35"`,
  non_voting: () => 'fill="none" stroke-dasharray="2 2"',
};
