import { parseQuery } from '../language/query.ts';
import { type Ballot, type Chamber, marginOf, readBallot, type Stance } from '../model/ballot.ts';
import type { Document } from '../model/document.ts';
import { kindOf } from '../model/kinds.ts';
import { type BallotIndex, ballotIndex, type Coded, dayNumber } from './ballot-index.ts';
import type { Mirror } from './mirror.ts';
import { decodeCursor, encodeCursor, type Page } from './page.ts';
import { documentOf, recordRange } from './record.ts';
import { matchExpression } from './search.ts';
import { matchingRecords } from './search-index.ts';

export const ballotSorts = ['date', 'margin'] as const;
export type BallotSort = (typeof ballotSorts)[number];

/** The position that one of some parties or groups took: several slugs are those of one short name over the years. */
export type Voted = { asked: string; groups: string[]; stance: Stance };

export type BallotFilter = {
  /** Words in the title or the legislative file. */
  q?: string | undefined;
  chamber?: Chamber | undefined;
  /** First and last day, `YYYY-MM-DD`. */
  since?: string | undefined;
  until?: string | undefined;
  result?: string | undefined;
  type?: string | undefined;
  topic?: string | undefined;
  /** All must hold. */
  voted: Voted[];
  /** Decided by so many votes at most. */
  margin?: number | undefined;
  /** Some group of which at least that share, 0 to 1, voted otherwise than most of it. */
  dissent?: number | undefined;
  sort: BallotSort;
  limit: number;
  cursor?: string | undefined;
};

/** A page of ballots, newest first or closest first; each without its votes by party but for the groups asked about. */
export function listBallots(mirror: Mirror, filter: BallotFilter): Page {
  const index = ballotIndex(mirror);
  const matching = matchingPlaces(mirror, index, filter);
  const positionOf = (place: number): [number, number] => [
    filter.sort === 'margin' ? index.margins[place]! : index.days[place]!,
    index.numbers[place]!,
  ];
  const ordered = filter.sort === 'margin' ? matching.sort(byMargin(index)) : matching.reverse();
  const from = filter.cursor === undefined ? 0 : placeAfter(ordered, positionOf, filter);
  const shown = ordered.slice(from, from + filter.limit);
  const last = shown.at(-1);
  const hasMore = from + shown.length < ordered.length;
  return {
    items: shown.map((place) => itemOf(mirror, index.numbers[place]!, filter.voted)),
    total: ordered.length,
    nextCursor:
      hasMore && last !== undefined
        ? encodeCursor(`ballots ${filter.sort}`, position(positionOf(last)))
        : null,
  };
}

/** The values that ballots have there, each once, in the order of words. */
export function ballotWords(mirror: Mirror, name: Coded): string[] {
  return ballotIndex(mirror)
    .coded(name)
    .words.filter((word) => word !== '')
    .sort();
}

/** The places of the ballots that a filter admits, oldest first. */
function matchingPlaces(mirror: Mirror, index: BallotIndex, filter: BallotFilter): number[] {
  const tests = testsOf(mirror, index, filter);
  const places: number[] = [];
  for (let place = 0; place < index.size; place++) {
    if (tests.every((test) => test(place))) places.push(place);
  }
  return places;
}

type Test = (place: number) => boolean;

function testsOf(mirror: Mirror, index: BallotIndex, filter: BallotFilter): Test[] {
  const { since, until, margin, dissent, voted, sort } = filter;
  const tests: Test[] = [];
  for (const name of ['chamber', 'result', 'type', 'topic'] as const) {
    const word = filter[name];
    if (word === undefined) continue;
    const { codes, words } = index.coded(name);
    const code = words.indexOf(word);
    tests.push(code > 0 ? (place) => codes[place] === code : () => false);
  }
  const { days, margins, dissents } = index;
  if (since !== undefined) tests.push(atLeast(days, dayNumber(since)));
  if (until !== undefined) {
    const last = dayNumber(until);
    // A ballot without a day was held at none that is known.
    tests.push((place) => days[place]! <= last && days[place]! > 0);
  }
  if (margin !== undefined) tests.push((place) => margins[place]! >= 0 && margins[place]! <= margin);
  // What was decided by nobody knows how many votes has no place in that order.
  else if (sort === 'margin') tests.push(atLeast(margins, 0));
  if (dissent !== undefined) tests.push(atLeast(dissents, dissent));
  for (const { groups, stance } of voted) {
    const columns = groups.map((group) => index.stance(group, stance));
    tests.push((place) => columns.some((column) => column[place] === 1));
  }
  const found = wordsTest(mirror, index, filter.q);
  return found ? [...tests, found] : tests;
}

function atLeast(column: Int32Array | Float32Array, least: number): Test {
  // 0.2 is a little more than 0.2 in 32 bits.
  const bound = column instanceof Float32Array ? Math.fround(least) : least;
  return (place) => column[place]! >= bound;
}

function wordsTest(mirror: Mirror, index: BallotIndex, q: string | undefined): Test | null {
  if (q === undefined || q.trim() === '') return null;
  const match = matchExpression(parseQuery(q), 'AND');
  if (match === null) return () => false;
  const kind = kindOf('ballot');
  const { first } = recordRange(kind);
  const found = new Set(matchingRecords(mirror, kind, match).map((id) => id - first));
  return (place) => found.has(index.numbers[place]!);
}

function byMargin({ margins, days, numbers }: BallotIndex): (one: number, other: number) => number {
  return (one, other) =>
    margins[one]! - margins[other]! || days[other]! - days[one]! || numbers[other]! - numbers[one]!;
}

/** Where a list goes on behind its cursor: behind the ballot that it names, or behind where that would stand. */
function placeAfter(
  ordered: number[],
  positionOf: (place: number) => [number, number],
  { sort, cursor }: BallotFilter,
): number {
  const [value, number] = decodeCursor(`ballots ${sort}`, cursor!);
  const named = ordered.findIndex((place) => positionOf(place)[1] === number);
  if (named >= 0) return named + 1;
  const isBehind = (place: number) => {
    const [own, ownNumber] = positionOf(place);
    if (own !== Number(value)) return sort === 'margin' ? own > Number(value) : own < Number(value);
    return ownNumber < number;
  };
  const next = ordered.findIndex(isBehind);
  return next < 0 ? ordered.length : next;
}

function position([value, number]: [number, number]): (string | number)[] {
  return [String(value), number];
}

function itemOf(mirror: Mirror, number: number, voted: Voted[]): string {
  const stored = mirror
    .sql<{ row: string | null; detail: string | null }>('SELECT row, detail FROM record WHERE id = ?')
    .get(recordRange(kindOf('ballot')).first + number)!;
  return JSON.stringify(summaryOf(readBallot(documentOf(stored)), voted));
}

/** A ballot in a list: all that it says but its votes by party, of which only those asked about are told. */
function summaryOf(ballot: Ballot, voted: Voted[]): Document {
  const { votes_by_party: votes, ...summary } = ballot;
  const groups = voted.flatMap(({ groups }) =>
    votes.filter(({ party }) => party !== null && groups.includes(party)),
  );
  return {
    ...summary,
    margin: marginOf(ballot),
    ...(voted.length === 0 ? {} : { voted: [...new Set(groups)] }),
  };
}
