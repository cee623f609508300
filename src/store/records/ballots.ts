import { fold } from '../../language/fold.ts';
import { dissentOf } from '../../model/agreement.ts';
import {
  type Ballot,
  ballotKey,
  type Chamber,
  chambers,
  isNonAttached,
  marginOf,
  type PartyVotes,
  readBallot,
  type Stance,
} from '../../model/ballot.ts';
import type { Document } from '../../model/document.ts';
import { kindOf, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { JsonPage } from '../page.ts';
import { documentAt } from '../record.ts';
import { type BallotIndex, ballotIndex, type Coded, dayNumber } from '../saving/ballot-index.ts';
import { type BallotsByWords, ballotsWanted, type WantedWords } from '../search/ballots-by-words.ts';
import { type BallotSort, type BallotTest, ballotOrder } from './ballot-orders.ts';
import { nameOfText, textKey } from './ballot-texts.ts';
import { groupFacts } from './parties.ts';

/** A position of a group whose short name may have had several slugs. */
export type Voted = { requestedName: string; groups: string[]; stance: Stance };

/** A ballot of a user's list: the position and reason given there. */
export type ChosenBallot = { direction: Stance | null; reason: string | null };

/** Filter of ballots: `chosen` by key, all of `voted` must match; results include the votes of `reportedGroups`. */
export type BallotFilter = WantedWords & {
  chamber?: Chamber | undefined;
  /** First and last day, `YYYY-MM-DD`. */
  since?: string | undefined;
  until?: string | undefined;
  result?: string | undefined;
  type?: string | undefined;
  topic?: string | undefined;
  /** Key of the text voted on. */
  text?: string | undefined;
  chosen?: ReadonlyMap<string, ChosenBallot> | undefined;
  voted: Voted[];
  reportedGroups?: readonly string[];
  /** Maximum margin in votes, and minimum dissent of any group (0 to 1). */
  margin?: number | undefined;
  dissent?: number | undefined;
  sort: BallotSort;
  limit: number;
  cursor?: string | undefined;
};

/** A page of ballots, newest or closest first, with votes of the requested groups only, and how words were relaxed. */
export function listBallots(mirror: Mirror, filter: BallotFilter): JsonPage & Omit<BallotsByWords, 'places'> {
  const index = ballotIndex(mirror);
  const words = ballotsWanted(mirror, filter);
  const { limit } = filter;
  const { compare, isBehind, cursorAt } = ballotOrder(index, { ...filter, words });
  const tests = testsOf(mirror, index, { ...filter, words });
  const page: number[] = [];
  let total = 0;
  for (let offset = index.size - 1; offset >= 0; offset--) {
    if (!passes(tests, offset)) continue;
    total += 1;
    if (isBehind(offset)) insert(page, offset, { compare, most: limit + 1 });
  }
  const hasMore = page.length > limit;
  const shown = page.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map((offset) => JSON.stringify(summaryOf(ballotAt(mirror, index.numbers[offset]!), filter))),
    total,
    nextCursor: hasMore && last !== undefined ? cursorAt(last) : null,
    relaxed: words?.relaxed ?? null,
    corrected: words?.corrected ?? [],
  };
}

/** The filters of a list without paging: selects the ballots from which a figure is computed. */
export type BallotChoice = Omit<BallotFilter, 'sort' | 'limit' | 'cursor'>;

/** Yields every ballot of a choice, oldest first. */
export function* eachBallot(mirror: Mirror, choice: BallotChoice): Generator<Ballot> {
  const index = ballotIndex(mirror);
  const words = ballotsWanted(mirror, choice);
  const tests = testsOf(mirror, index, { ...choice, words, sort: 'date', limit: 0 });
  for (let offset = 0; offset < index.size; offset++)
    if (passes(tests, offset)) yield ballotAt(mirror, index.numbers[offset]!);
}

const passes = (tests: BallotTest[], offset: number): boolean => tests.every((test) => test(offset));

/** Inserts an offset in order and keeps the first `most`. */
function insert(
  page: number[],
  offset: number,
  { compare, most }: { compare: (one: number, other: number) => number; most: number },
): void {
  if (page.length === most && compare(offset, page[most - 1]!) >= 0) return;
  let at = page.length;
  while (at > 0 && compare(offset, page[at - 1]!) < 0) at -= 1;
  page.splice(at, 0, offset);
  if (page.length > most) page.pop();
}

/** Slugs of parties and groups with a declared position in any ballot. */
export const votingGroups = (mirror: Mirror): Set<string> => new Set(ballotIndex(mirror).parties);

/** Distinct values of a field of ballots, sorted. */
export function ballotWords(mirror: Mirror, name: Coded): string[] {
  return ballotIndex(mirror)
    .coded(name)
    .words.filter((word) => word !== '')
    .sort();
}

function testsOf(
  mirror: Mirror,
  index: BallotIndex,
  filter: BallotFilter & { words: BallotsByWords | null },
): BallotTest[] {
  const { since, until, margin, dissent, voted, sort } = filter;
  const tests: BallotTest[] = [];
  for (const name of ['chamber', 'result', 'type', 'topic'] as const) {
    const word = filter[name];
    if (word === undefined) continue;
    const { codes, words } = index.coded(name);
    // Chambers vary case and accents.
    const folded = fold(word);
    const isMatch = words.map((each, code) => code > 0 && fold(each) === folded);
    tests.push((offset) => isMatch[codes[offset]!]!);
  }
  if (filter.text !== undefined) {
    const { codes, words } = index.coded('text');
    const isMatch = words.map((word) => textKey(nameOfText(word)) === filter.text);
    tests.push((offset) => isMatch[codes[offset]!]!);
  }
  if (filter.chosen !== undefined) {
    const numbers = numbersOf(mirror, filter.chosen.keys());
    tests.push((offset) => numbers.has(index.numbers[offset]!));
  }
  const { days, margins, dissents } = index;
  if (since !== undefined) tests.push(atLeast(days, dayNumber(since)));
  if (until !== undefined) {
    const last = dayNumber(until);
    // Ballots without a day match no range.
    tests.push((offset) => days[offset]! <= last && days[offset]! > 0);
  }
  if (margin !== undefined) tests.push((offset) => margins[offset]! >= 0 && margins[offset]! <= margin);
  // Ballots without a known margin have no rank.
  else if (sort === 'margin') tests.push(atLeast(margins, 0));
  if (dissent !== undefined) tests.push(atLeast(dissents, dissent));
  for (const { groups, stance } of voted) {
    const columns = groups.map((group) => index.stance(group, stance));
    tests.push((offset) => columns.some((column) => column[offset] === 1));
  }
  const { words } = filter;
  if (words === null) return tests;
  const { first } = recordRange(kindOf('ballot'));
  return [...tests, (offset) => words.places.has(index.numbers[offset]! + first)];
}

function numbersOf(mirror: Mirror, keys: Iterable<string>): Set<number> {
  const id = mirror.column<number>("SELECT id FROM record WHERE kind = 'ballot' AND key = ?");
  return new Set([...keys].map((key) => id.get(key)! - recordRange(kindOf('ballot')).first));
}

function atLeast(column: Int32Array | Float32Array, least: number): BallotTest {
  // Rounded because the column has 32-bit values.
  const bound = column instanceof Float32Array ? Math.fround(least) : least;
  return (offset) => column[offset]! >= bound;
}

const ballotAt = (mirror: Mirror, number: number): Ballot =>
  readBallot(documentAt(mirror, recordRange(kindOf('ballot')).first + number));

/** A ballot in a list; its votes by party only include requested and dissenting groups. */
function summaryOf(ballot: Ballot, { voted, reportedGroups = [], dissent, chosen }: BallotFilter): Document {
  const { votes_by_party: votes, ...summary } = ballot;
  const slugs = [...voted.flatMap(({ groups }) => groups), ...reportedGroups];
  const groups = slugs.flatMap((slug) => votes.filter(({ party }) => party === slug));
  const dissents = (group: PartyVotes) => !isNonAttached(group) && (dissentOf(group) ?? -1) >= dissent!;
  return {
    ...summary,
    margin: marginOf(ballot),
    ...chosen?.get(ballotKey(ballot)),
    ...(slugs.length === 0 ? {} : { voted: [...new Set(groups)] }),
    ...(dissent === undefined ? {} : { dissenting: votes.filter(dissents) }),
  };
}

/** A group that voted recently, with its chambers and a short label. */
export type VotingGroup = { slug: string; chambers: Chamber[]; label: string };

/** Newest ballots per chamber that define its present groups. */
const lately = 20;

/** Groups listed by the newest ballots of each chamber, in their order. */
export function groupsVotingLately(mirror: Mirror): VotingGroup[] {
  const index = ballotIndex(mirror);
  const { codes, words } = index.coded('chamber');
  const remainingBallots = new Map(chambers.map((chamber) => [words.indexOf(chamber), lately]));
  const groups = new Map<string, { chambers: Chamber[]; name: string | null }>();
  for (let offset = index.size - 1; offset >= 0 && [...remainingBallots.values()].some((most) => most > 0); offset--) {
    const most = remainingBallots.get(codes[offset]!) ?? 0;
    if (most === 0) continue;
    const { chamber, votes_by_party: votes } = ballotAt(mirror, index.numbers[offset]!);
    if (votes.length === 0) continue;
    remainingBallots.set(codes[offset]!, most - 1);
    for (const { party, party_name: name } of votes) {
      if (party === null) continue;
      const group = groups.get(party) ?? { chambers: [], name };
      if (!group.chambers.includes(chamber)) group.chambers.push(chamber);
      groups.set(party, group);
    }
  }
  const facts = groupFacts(mirror, [...groups.keys()]);
  return [...groups].map(([slug, { name, ...where }]) => ({
    slug,
    ...where,
    label: facts.get(slug)?.shortName ?? name ?? slug,
  }));
}
