import { createHemicycle, type Seat } from '../drawing/hemicycle.ts';
import { type GroupSeats, type SeatArrangement, type SeatState, seatRuns, seatStates } from '../model/seats.ts';
import { innerWidth, margin, outlineColour, paper, round, width } from './svg.ts';

/** Returns the seats of groups and, in pixels, the radii of the outermost row (`outer`) and of a seat, and height. */
export function seatsFrame(groups: readonly GroupSeats[]) {
  const outer = innerWidth / 2 - 12;
  const { seats, spacing } = createHemicycle(groups.reduce((sum, { size }) => sum + size, 0));
  const radius = Math.min(maxRadius, outer * spacing * 0.42); // Leaves a gap between seats.
  return { seats, outer, radius, height: seats.length === 0 ? 0 : Math.ceil(outer + maxRadius + radius + 20) };
}

type SeatedGroups = {
  groups: readonly GroupSeats[];
  arrangement: SeatArrangement | null;
  colours: readonly string[];
  id: string;
};

/** Returns seats from left to right, an element of class `seats` per group and state, and their height; or null. */
export function seatsPicture({ groups, arrangement, colours, id }: SeatedGroups) {
  if (arrangement === null) return null;
  const { seats, outer, radius, height } = seatsFrame(groups);
  const seatPoints = seats.map(({ x, y }: Seat) => ({ x: width / 2 + x * outer, y: outer + maxRadius - y * outer }));
  let at = 0;
  const parts = seatRuns(groups, arrangement).map(({ group, state, count }) => {
    const paths = seatPoints.slice(at, at + count).map((point) => seatPath(point, radius, state));
    at += count;
    const seatStyle = { radius, colour: colours[group]!, state, pattern: `${id}-stripes-${group}` };
    return `<g class="seats" data-group="${group}" data-state="${state}" data-seats="${count}">${drawSeats(paths.join(''), seatStyle)}</g>`;
  });
  return { parts, height };
}

type SeatStyle = { radius: number; colour: string; state: SeatState; pattern: string };

/** Returns one seat whose centre is at `x`, `y` in pixels, for a legend. */
export function legendSeat({ x, y, ...style }: SeatStyle & Seat): string {
  return drawSeats(seatPath({ x, y }, style.radius, style.state), style);
}

/** Draws seats by state: for is filled, against hollow, abstention striped, non-voting a cross, unrecorded a dot. */
function drawSeats(d: string, { radius, colour, state, pattern }: SeatStyle): string {
  const rim = outlineColour(colour);
  const lineWidth = Math.max(0.8, radius * 0.28);
  if (state === 'non_voting') return `<path d="${d}" fill="none" stroke="${rim}" stroke-width="${round(lineWidth)}"/>`;
  const innerDiameter = 2 * (radius - lineWidth);
  const fills: Partial<Record<SeatState, [paint: string, diameter: number]>> = {
    for: [colour, 2 * radius - 2],
    against: [paper, innerDiameter],
    abstention: [`url(#${pattern})`, innerDiameter],
  };
  const fill = fills[state];
  const drawDots = (paint: string, diameter: number) =>
    `<path d="${d}" stroke-linecap="round" stroke="${paint}" stroke-width="${roundTenth(diameter)}"/>`;
  // The path is written twice, as some programs do not support `<use>`.
  return `${drawDots(rim, fill ? 2 * radius : 0.64 * radius)}${fill ? drawDots(...fill) : ''}`;
}

function seatPath({ x, y }: Seat, radius: number, state: SeatState): string {
  if (state !== 'non_voting') return `M${roundTenth(x)} ${roundTenth(y)}h.01`;
  const arm = radius * 0.6;
  const diagonal = roundTenth(2 * arm);
  const reverse = roundTenth(-2 * arm);
  return `M${roundTenth(x - arm)} ${roundTenth(y - arm)}l${diagonal} ${diagonal}m0 ${reverse}l${reverse} ${diagonal}`;
}

const maxRadius = 14; // Of a seat, in pixels; also the space above the outermost row.
const roundTenth = (value: number) => Math.round(value * 10) / 10; // Finer than any screen.

export const barHeight = 12; // Height in pixels of a bar of votes.

/** Returns the votes of a group as a bar, `scale` pixels per vote; `at` is the index of the group, -1 in a legend. */
export function groupBar(
  { seats }: { seats: Partial<GroupSeats['seats']> },
  { at, colour, x = margin + 20, y, scale }: { at: number; colour: string; x?: number; y: number; scale: number },
) {
  const rim = outlineColour(colour);
  let startX = x;
  return seatStates
    .map((state) => {
      const length = (seats[state] ?? 0) * scale;
      startX += length;
      if (length === 0) return '';
      return `<rect class="votes" data-group="${at}" data-state="${state}" x="${round(startX - length + 1)}" y="${y + 1}" width="${round(Math.max(1, length - 2))}" height="${barHeight - 2}" ${barStyles[state](rim)} stroke="${rim}" stroke-width="1.5" vector-effect="non-scaling-stroke"/>`;
    })
    .join('');
}

const barStyles: Record<SeatState, (rim: string) => string> = {
  for: (rim) => `fill="${rim}"`,
  against: () => `fill="${paper}"`,
  abstention: (rim) => `fill="${rim}" fill-opacity="0.35"`,
  non_voting: () => 'fill="none" stroke-dasharray="2 2"',
  unrecorded: () => 'fill="none" stroke-opacity="0.35"',
};
