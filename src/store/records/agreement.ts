import { byCodeUnit } from '../../language/fold.ts';
import { agreementIndex, emptyPositionTable, largerSide, votesCastIn, votesOf } from '../../model/agreement.ts';
import { type Ballot, ballotKey, chambers, isNonAttached, type PartyVotes, type Stance } from '../../model/ballot.ts';
import { slugOf } from '../../model/document.ts';
import { groupSize } from '../../model/seats.ts';
import { groupPosition, isFew, isOneSided, oneSidedPosition } from '../../parliament/group-position.ts';
import { readCached } from '../cached.ts';
import type { Mirror } from '../mirror.ts';
import { type BallotChoice, readBallots } from './ballots.ts';

/** A requested name of a group, with all slugs that ballots give it. */
export type ResolvedGroups = { requestedName: string; groups: readonly string[] };

/** Sides that are no group: `majority`, the side with more votes; `direction`, the position in a user's list. */
export const virtualSides = ['majority', 'direction'] as const;
export type VirtualSide = (typeof virtualSides)[number];

export type Pair = { one: ResolvedGroups; other: ResolvedGroups | VirtualSide };

/** Ways to split ballots into parts with their own figures. */
export const ballotParts = ['month', 'session', 'topic'] as const;
export type BallotPart = (typeof ballotParts)[number];

/** Comparison of two groups over the ballots of one chamber; `agreement` is `same / n`, null if n is 0. */
export type Comparison = PartLabel & ReturnType<typeof createComparison>;

/** The month, session or topic; absent if the ballots are not split. */
type PartLabel = { part?: string | null };

/** Chamber of a row that sums both chambers, which is only given on request. */
export const sumOfChambers = 'AN+Senat';
export const rowChambers = [...chambers, sumOfChambers] as const;
type RowChamber = (typeof rowChambers)[number];

/** Options of a figure: how ballots are split, and whether a row sums both chambers. */
export type FigureOptions = { by?: BallotPart | undefined; isSummed?: boolean };

type PairOptions = FigureOptions & { pairs: readonly Pair[] };

/** Compares pairs by counted positions: per pair a row for each chamber, and for each part if `by` is given. */
export const comparePairs = (mirror: Mirror, choice: BallotChoice, options: PairOptions): Comparison[] =>
  rowsByPart(readBallots(mirror, choice), options.by, () => createPairAggregator(choice, options));

/** Figures of a part: adds ballots one by one, tells whether any was counted, and returns the rows. */
type Aggregator<Row> = { add(ballot: Ballot): void; isCounted(): boolean; rows(): Row[] };

function createPairAggregator(choice: BallotChoice, { pairs, isSummed = false }: PairOptions): Aggregator<Comparison> {
  const comparedPairs = pairs.map((pair) => ({ pair, rows: new Map<RowChamber, Comparison>() }));
  return {
    add(ballot) {
      const oneSided = isOneSided(ballot);
      for (const { pair, rows } of comparedPairs)
        for (const chamber of rowChambersOf(ballot, isSummed)) {
          const comparison = readCached(rows, chamber, { compute: () => createComparison(pair, chamber) });
          countPair(ballot, { ...pair, choice, oneSided }, comparison);
        }
    },
    isCounted: () => comparedPairs.some(({ rows }) => rows.values().some(({ n }) => n > 0)),
    rows: () =>
      comparedPairs.flatMap(({ pair, rows }) =>
        comparedChambers(rows, pair).map((comparison) => ({
          ...comparison,
          agreement: comparison.n === 0 ? null : comparison.same / comparison.n,
          few: isFew(comparison.n),
        })),
      ),
  };
}

/** The agreement of each pair of groups, and the cohesion of each group, from one scan of all ballots. */
export function readGroupFigures(mirror: Mirror, groups: readonly ResolvedGroups[]) {
  const pairs = groups.flatMap((one, at) => groups.slice(at + 1).map((other) => ({ one, other })));
  const agreement = createPairAggregator({ voted: [], subject: [] }, { pairs });
  const cohesion = createCohesionAggregator({ requestedGroups: groups });
  for (const ballot of readBallots(mirror, { voted: [], subject: [] })) {
    agreement.add(ballot);
    cohesion.add(ballot);
  }
  return { pairs: agreement.rows(), cohesions: cohesion.rows() };
}

const rowChambersOf = ({ chamber }: Ballot, isSummed: boolean): RowChamber[] =>
  isSummed ? [chamber, sumOfChambers] : [chamber];

/** Rows of the chambers with ballots that list both sides (not `not_listed`); if none do, one row without figures. */
function comparedChambers(rows: ReadonlyMap<RowChamber, Comparison>, pair: Pair): Comparison[] {
  const all = rowChambers.flatMap((chamber) => rows.get(chamber) ?? []);
  const listedRows = dropRedundantSum(all.filter(({ n, no_position, one_sided }) => n + no_position + one_sided > 0));
  return listedRows.length > 0 ? listedRows : [all[0] ?? createComparison(pair, null)];
}

/** Drops the row of both chambers if only one chamber has a row, which it would repeat. */
function dropRedundantSum<Row extends { chamber: RowChamber | null }>(rows: Row[]): Row[] {
  const ofChambers = rows.filter(({ chamber }) => chamber !== sumOfChambers);
  return ofChambers.length > 1 ? rows : ofChambers;
}

/** Figures of ballots per part: months and sessions chronologically, topics by name. */
function rowsByPart<Row>(
  ballots: Iterable<Ballot>,
  by: BallotPart | undefined,
  createAggregator: () => Aggregator<Row>,
): (PartLabel & Row)[] {
  const aggregators = new Map<string | null, Aggregator<Row>>(by === undefined ? [[null, createAggregator()]] : []);
  for (const ballot of ballots) {
    const part =
      by === 'month' ? (/^\d{4}-\d\d/.exec(ballot.date ?? '')?.[0] ?? null) : slugOf((by && ballot[by]) ?? null);
    readCached(aggregators, part, { compute: createAggregator }).add(ballot);
  }
  const parts = [...aggregators];
  const sortKey = ([part]: (typeof parts)[number]) => part ?? '\u{10ffff}'; // ballots without a topic come last
  if (by === 'topic') parts.sort((one, other) => byCodeUnit(sortKey(one), sortKey(other)));
  // Months and sessions before the first with a counted ballot are omitted.
  const firstCounted = parts.findIndex(([, aggregator]) => aggregator.isCounted());
  const shownParts = by === 'topic' ? parts : parts.slice(Math.max(0, firstCounted));
  return shownParts.flatMap(([part, aggregator]) => aggregator.rows().map((row) => ({ ...(by && { part }), ...row })));
}

const createComparison = ({ one, other }: Pair, chamber: RowChamber | null) => ({
  chamber,
  group: one.requestedName,
  /** Names in the newest ballot of the chamber that has them. */
  group_name: null as string | null,
  other: typeof other === 'string' ? other : other.requestedName,
  other_name: null as string | null,
  agreement: null as number | null,
  /** Ballots in which both have a position. */
  n: 0,
  same: 0,
  /** Excluded ballots: one of the two is not listed or has no position, or only votes for are recorded. */
  not_listed: 0,
  no_position: 0,
  one_sided: 0,
  few: false,
  positions: emptyPositionTable(),
});

function countPair(
  ballot: Ballot,
  { one, other, choice, oneSided }: Pair & { choice: BallotChoice; oneSided: boolean },
  comparison: Comparison,
): void {
  const votes = votesOf(ballot, one.groups);
  const otherVotes = typeof other === 'string' ? null : votesOf(ballot, other.groups);
  if (votes === null || (typeof other !== 'string' && otherVotes === null)) {
    comparison.not_listed += 1;
    return;
  }
  comparison.group_name = votes.party_name ?? comparison.group_name;
  comparison.other_name = otherVotes?.party_name ?? comparison.other_name;
  if (oneSided) comparison.one_sided += 1;
  if (oneSided && !choice.oneSided) return;
  const positionIn = (group: PartyVotes | null) => (oneSided ? oneSidedPosition(group) : groupPosition(group, false));
  const position = positionIn(votes);
  const otherPosition = typeof other === 'string' ? stanceOfSide(ballot, other, choice) : positionIn(otherVotes);
  if (position === null || otherPosition === null) {
    comparison.no_position += 1;
    return;
  }
  comparison.n += 1;
  if (position === otherPosition) comparison.same += 1;
  if (position !== 'not for' && otherPosition !== 'not for') comparison.positions[position][otherPosition] += 1;
}

function stanceOfSide(ballot: Ballot, side: VirtualSide, { chosen }: BallotChoice): Stance | null {
  return side === 'majority' ? largerSide(ballot) : (chosen?.get(ballotKey(ballot))?.direction ?? null);
}

/** Cohesion and participation of a group over a choice of ballots. */
export type Cohesion = PartLabel & ReturnType<typeof cohesionOf> & { not_listed: number };

type Sums = ReturnType<typeof createSums>;

const fewVoters = 3; // an index of so few voters means little

/** Sort orders of groups: `name`, by name or as requested; `dissent`, least united first. */
export const cohesionSorts = ['name', 'dissent'] as const;

/** Cohesion of the requested groups, or of every group, a row per chamber; slugs of one name are summed. */
export const computeCohesions = (mirror: Mirror, choice: BallotChoice, options: CohesionOptions): Cohesion[] =>
  rowsByPart(readBallots(mirror, choice), options.by, () => createCohesionAggregator(options));

function createCohesionAggregator(options: CohesionOptions): Aggregator<Cohesion> {
  const { requestedGroups, sort = 'name', isSummed = false } = options;
  const nameOfSlug = new Map(
    requestedGroups.flatMap(({ requestedName: name, groups }) => groups.map((slug) => [slug, name])),
  );
  const sums = new Map<string, Sums>();
  const ballotsIn = new Map<RowChamber, number>(); // also of both chambers
  return {
    add(ballot) {
      const oneSided = isOneSided(ballot);
      for (const chamber of rowChambersOf(ballot, true)) ballotsIn.set(chamber, (ballotsIn.get(chamber) ?? 0) + 1);
      for (const votes of ballot.votes_by_party) {
        if (votes.party === null || isNonAttached(votes)) continue;
        const group = requestedGroups.length === 0 ? votes.party : nameOfSlug.get(votes.party);
        if (group === undefined) continue;
        for (const chamber of rowChambersOf(ballot, isSummed)) {
          const key = JSON.stringify([group, chamber]);
          const groupSums = readCached(sums, key, { compute: () => createSums(group, chamber) });
          groupSums.name = votes.party_name ?? groupSums.name;
          count(groupSums, ballot, { votes, oneSided });
        }
      }
    },
    isCounted: () => sums.size > 0,
    rows() {
      const rows = inRequestedOrder([...sums.values()], requestedGroups).map((groupSums) => ({
        ...cohesionOf(groupSums),
        not_listed: (ballotsIn.get(groupSums.chamber ?? sumOfChambers) ?? 0) - groupSums.ballots,
      }));
      // Groups without an index, which is 0 to 1, come last.
      return sort === 'name' ? rows : rows.sort((a, b) => (a.agreement_index ?? 2) - (b.agreement_index ?? 2));
    },
  };
}

/** Sums in the requested order, empty ones for a group without a ballot; by slug if no groups were requested. */
function inRequestedOrder(sums: Sums[], requestedGroups: readonly ResolvedGroups[]): Sums[] {
  const rank = ({ chamber }: Sums) => rowChambers.indexOf(chamber!);
  sums.sort((a, b) => byCodeUnit(a.group, b.group) || rank(a) - rank(b));
  if (requestedGroups.length === 0) return sums;
  return requestedGroups.flatMap(({ requestedName }) => {
    const rows = dropRedundantSum(sums.filter(({ group }) => group === requestedName));
    return rows.length > 0 ? rows : [createSums(requestedName, null)];
  });
}

/** The requested groups (empty: all), their sort order, and how ballots are split. */
type CohesionOptions = FigureOptions & {
  requestedGroups: readonly ResolvedGroups[];
  sort?: (typeof cohesionSorts)[number];
};

const createSums = (group: string, chamber: RowChamber | null) => ({
  group,
  chamber,
  name: null as string | null,
  /** Ballots of the choice that list the group. */
  ballots: 0,
  n: 0,
  n_over_3: 0,
  /** Excluded ballots: without a vote of the group, with unpublished counts, and with votes for alone. */
  no_vote: 0,
  not_published: 0,
  one_sided: 0,
  n_participation: 0,
  index: 0, // sums over the ballots counted above
  indexOver3: 0, // over ballots with more than `fewVoters` voters
  turnout: 0,
});

function count(sums: Sums, { chamber }: Ballot, { votes, oneSided }: { votes: PartyVotes; oneSided: boolean }): void {
  const cast = votesCastIn(votes);
  const index = agreementIndex(votes);
  sums.ballots += 1;
  if (oneSided) sums.one_sided += 1;
  else if (cast === null) sums.not_published += 1;
  else if (index === null) sums.no_vote += 1;
  if (oneSided || cast === null) return;
  const members = groupSize(votes);
  // In the Sénat, delegates cast the votes of whole groups: their number is no turnout.
  if (chamber === 'AN' && members !== null && members > 0 && cast <= members) {
    sums.n_participation += 1;
    sums.turnout += cast / members;
  }
  if (index === null) return;
  sums.n += 1;
  sums.index += index;
  if (cast <= fewVoters) return;
  sums.n_over_3 += 1;
  sums.indexOver3 += index;
}

function cohesionOf({ index, indexOver3, turnout, ...sums }: Sums) {
  const mean = (sum: number, n: number) => (n === 0 ? null : sum / n);
  const withVotes = mean(sums.n, sums.ballots - sums.not_published - sums.one_sided);
  return {
    ...sums,
    /** Mean Agreement Index over the `n` ballots in which any member voted. */
    agreement_index: mean(index, sums.n),
    /** The same without ballots with at most `fewVoters` voters. */
    agreement_index_over_3: mean(indexOver3, sums.n_over_3),
    few: isFew(sums.n),
    /** Mean share of members that voted or abstained, over ballots of the Assemblée with a known number of members. */
    participation: mean(turnout, sums.n_participation),
    /** Share of the counted ballots that list the group in which any member voted. */
    ballots_with_votes: withVotes,
    /** The former name of `ballots_with_votes`, for one release. */
    presence: withVotes,
  };
}
