import { hemicycle } from '../drawing/hemicycle.ts';
import type { Ballot } from '../model/ballot.ts';
import { hasSeats, type SeatState, seatStates } from '../model/seats.ts';
import {
  defs,
  drawnOf,
  type PictureContext,
  type SeatMark,
  seatsFrame,
  seatsOfAll,
  titlesOf,
} from './ballot-svg.ts';
import { onPage, paper, pictureText, rimOf, round, width } from './svg.ts';

/** The seats of a ballot alone for a page (see `onPage`), one element of the class `seats` for each group and state; null where none can be shown. */
export function seatsSvg(ballot: Ballot, context: PictureContext): string | null {
  const drawn = drawnOf(ballot, context);
  const { groups, colours, id } = drawn;
  if (!hasSeats(ballot, context.order)) return null;
  const count = seatsOfAll(groups);
  const { radius, height } = seatsFrame(count);
  const parts: string[] = [];
  let at = 0;
  for (const [group, { seats }] of groups.entries())
    for (const state of seatStates) {
      if (seats[state] === 0) continue;
      const d = placesOf(count, state === 'non_voting' ? 'cross' : 'dot')
        .slice(at, at + seats[state])
        .join('');
      at += seats[state];
      const pattern = `${id}-stripes-${group}`;
      const drawing = drawingOf(d, `${id}-${group}-${state}`, {
        radius,
        colour: colours[group]!,
        state,
        pattern,
      });
      parts.push(
        `<g class="seats" data-group="${group}" data-state="${state}" data-seats="${seats[state]}">${drawing}</g>`,
      );
    }
  return onPage(pictureText({ ...titlesOf(drawn), id, defs: defs(drawn), height, parts }));
}

/** Draws seats as round caps of zero-length lines, overlaid for rims. */
function drawingOf(
  d: string,
  id: string,
  { radius, colour, state, pattern }: Omit<SeatMark, 'x' | 'y'>,
): string {
  const rim = rimOf(colour);
  const line = Math.max(0.8, radius * 0.28);
  if (state === 'non_voting')
    return `<path d="${d}" fill="none" stroke="${rim}" stroke-width="${round(line)}"/>`;
  const within = 2 * (radius - line);
  const fills: Partial<Record<SeatState, [paint: string, across: number]>> = {
    for: [colour, 2 * radius - 2],
    against: [paper, within],
    abstention: [`url(#${pattern})`, within],
  };
  const fill = fills[state];
  const use = (paint: string, across: number) =>
    `<use href="#${id}" stroke="${paint}" stroke-width="${tenth(across)}"/>`;
  const uses = `${use(rim, fill ? 2 * radius : 0.64 * radius)}${fill ? use(...fill) : ''}`;
  return `<defs><path id="${id}" d="${d}" stroke-linecap="round"/></defs>${uses}`;
}

type SeatForm = 'dot' | 'cross';

/** Path commands of all seats of a chamber, cached by size. */
function placesOf(count: number, form: SeatForm): string[] {
  const known = placesBySize[form].get(count);
  if (known) return known;
  const { outer, radius } = seatsFrame(count);
  const arm = radius * 0.6;
  const [far, back] = [tenth(2 * arm), tenth(-2 * arm)];
  const written = (x: number, y: number) =>
    form === 'dot'
      ? `M${tenth(x)} ${tenth(y)}h.01`
      : `M${tenth(x - arm)} ${tenth(y - arm)}l${far} ${far}m0 ${back}l${back} ${far}`;
  const places = hemicycle(count).seats.map(({ x, y }) =>
    written(width / 2 + x * outer, outer + 14 - y * outer),
  );
  if (placesBySize[form].size >= mostSizes) placesBySize[form].clear();
  placesBySize[form].set(count, places);
  return places;
}

/** Cached sizes, 40 kB each. */
const mostSizes = 128;
const placesBySize: Record<SeatForm, Map<number, string[]>> = { dot: new Map(), cross: new Map() };

/** Rounds to one decimal: finer than any screen. */
const tenth = (value: number) => Math.round(value * 10) / 10;
