import type { Seat } from '../drawing/hemicycle.ts';
import type { Ballot } from '../model/ballot.ts';
import { hasSeats, type SeatState } from '../model/seats.ts';
import { defs, drawnOf, type PictureContext, type SeatMark, seatsLayout, titlesOf } from './ballot-svg.ts';
import { paper, pictureText, rimOf, round, width } from './svg.ts';

/**
 * The seats of a ballot alone, to stand beside words; null where none can be shown. Those of one group and state are one
 * element of the class `seats` with their number: a quarter of what one for each would take.
 */
export function seatsSvg(ballot: Ballot, context: PictureContext): string | null {
  const drawn = drawnOf(ballot, context);
  if (!hasSeats(ballot, drawn.groups)) return null;
  const layout = seatsLayout(drawn);
  const { marks, radius, height } = layout;
  const places = placesOf(layout);
  const parts: string[] = [];
  // Seats of one group and state stand beside each other, and are one object.
  for (let at = 0, end = 0; at < marks.length; at = end) {
    const { group, state } = marks[at]!;
    while (marks[end] === marks[at]) end += 1;
    const form = state === 'non_voting' ? 'cross' : 'dot';
    const d = places
      .slice(at, end)
      .map((place) => place[form])
      .join('');
    const colour = drawn.colours[group]!;
    const pattern = `${drawn.id}-stripes-${group}`;
    const drawing = drawingOf(d, `${drawn.id}-${group}-${state}`, { radius, colour, state, pattern });
    parts.push(
      `<g class="seats" data-group="${group}" data-state="${state}" data-seats="${end - at}">${drawing}</g>`,
    );
  }
  return pictureText({ ...titlesOf(drawn), id: drawn.id, defs: defs(drawn), height, parts });
}

/** Seats of one group and state as round ends of lines without length, the same places laid over each other for a rim. */
function drawingOf(
  d: string,
  id: string,
  { radius, colour, state, pattern }: Omit<SeatMark, 'x' | 'y'>,
): string {
  const rim = rimOf(colour);
  const line = Math.max(0.8, radius * 0.28);
  if (state === 'non_voting')
    return `<path d="${d}" fill="none" stroke="${rim}" stroke-width="${round(line)}"/>`;
  const [whole, within] = [2 * radius, 2 * (radius - line)];
  const layers: Record<Exclude<SeatState, 'non_voting'>, [paint: string, across: number][]> = {
    for: [
      [rim, whole],
      [colour, whole - 2],
    ],
    against: [
      [rim, whole],
      [paper, within],
    ],
    abstention: [
      [rim, whole],
      [`url(#${pattern})`, within],
    ],
    unrecorded: [[rim, 0.64 * radius]],
  };
  const uses = layers[state].map(
    ([paint, across]) => `<use href="#${id}" stroke="${paint}" stroke-width="${tenth(across)}"/>`,
  );
  return `<defs><path id="${id}" d="${d}" stroke-linecap="round"/></defs>${uses.join('')}`;
}

/** How a seat is written in a path: as a dot, and as a cross. */
type SeatPlace = { dot: string; cross: string };

/** The places of the seats of a chamber of that size: chambers have few sizes. */
function placesOf({ seats, outer, radius }: { seats: Seat[]; outer: number; radius: number }): SeatPlace[] {
  const known = placesBySize.get(seats.length);
  if (known) return known;
  const arm = radius * 0.6;
  const [far, back] = [tenth(2 * arm), tenth(-2 * arm)];
  const places = seats.map((seat) => {
    const [x, y] = [width / 2 + seat.x * outer, outer + 14 - seat.y * outer];
    return {
      dot: `M${tenth(x)} ${tenth(y)}h.01`,
      cross: `M${tenth(x - arm)} ${tenth(y - arm)}l${far} ${far}m0 ${back}l${back} ${far}`,
    };
  });
  if (placesBySize.size < mostSizes) placesBySize.set(seats.length, places);
  return places;
}

const mostSizes = 32;
const placesBySize = new Map<number, SeatPlace[]>();

/** A length to a tenth: finer than any screen shows it. */
const tenth = (value: number) => Math.round(value * 10) / 10;
