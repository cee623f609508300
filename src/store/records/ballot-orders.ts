import { kindOf, recordRange } from '../../model/kinds.ts';
import { badCursor, decodeCursor, encodeCursor } from '../page.ts';
import type { BallotIndex } from '../saving/ballot-index.ts';
import type { BallotsByWords } from '../search/ballots-by-words.ts';

export const ballotSorts = ['date', 'oldest', 'margin'] as const;
export type BallotSort = (typeof ballotSorts)[number];

/** A test of an offset in the index. */
export type BallotTest = (offset: number) => boolean;

type Compare = (one: number, other: number) => number;

type BallotPosition = [value: string, number: number];

type Order = (index: BallotIndex) => { compare: Compare; behind: (position: BallotPosition) => BallotTest };

/** By day, newest (1) or oldest (-1) first; offsets in the index are ordered by day. */
const byDay =
  (sign: 1 | -1): Order =>
  ({ days, numbers }) => ({
    compare: (one, other) => sign * (other - one),
    behind:
      ([value, number]) =>
      (offset) =>
        sign * (days[offset]! - Number(value) || numbers[offset]! - number) < 0,
  });

const orders: Record<BallotSort, Order> = {
  date: byDay(1),
  oldest: byDay(-1),
  margin: ({ margins, numbers }) => {
    const compare: Compare = (one, other) => margins[one]! - margins[other]! || other - one;
    return {
      compare,
      behind: ([value, number]) => {
        const margin = Number(value);
        const last = numbers.indexOf(number);
        // The ballot was withdrawn or moved: repeat its whole margin.
        if (last < 0 || margins[last] !== margin) return (offset) => margins[offset]! >= margin;
        return (offset) => compare(offset, last) > 0;
      },
    };
  },
};

/** The order of a list: compares index offsets, tests for after the cursor, creates the cursor after an offset. */
export function ballotOrder(
  index: BallotIndex,
  { sort, words, cursor }: { sort: BallotSort; words: BallotsByWords | null; cursor?: string | undefined },
) {
  const { days, margins, numbers } = index;
  const order = words?.relaxed ? nearestFirst(words, orders[sort]) : orders[sort];
  const { compare, behind } = order(index);
  return {
    compare,
    isBehind: cursor === undefined ? () => true : behind(positionIn(cursor, sort)),
    cursorAt: (offset: number) =>
      encodeCursor(`ballots ${sort}`, [String(sort === 'margin' ? margins[offset]! : days[offset]!), numbers[offset]!]),
  };
}

/** Ballots with all words in the given order, then those with fewer words, best matches first. */
const nearestFirst =
  ({ places }: BallotsByWords, among: Order): Order =>
  (index) => {
    const { first } = recordRange(kindOf('ballot'));
    const rank = (offset: number) => places.get(index.numbers[offset]! + first) ?? 0;
    const { compare, behind } = among(index);
    return {
      compare: (one, other) => rank(one) - rank(other) || compare(one, other),
      behind(position) {
        const last = places.get(position[1] + first) ?? 0;
        const isAmong = behind(position);
        return (offset) => rank(offset) > last || (rank(offset) === last && isAmong(offset));
      },
    };
  };

function positionIn(cursor: string, sort: BallotSort): BallotPosition {
  const position = decodeCursor(`ballots ${sort}`, cursor);
  if (!/^\d+$/.test(position[0])) throw badCursor();
  return position;
}
