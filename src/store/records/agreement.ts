import {
  agreementIndex,
  declaredStance,
  emptyPositionTable,
  largerSide,
  votesCastIn,
  votesOf,
} from '../../model/agreement.ts';
import { type Ballot, ballotKey, isNonAttached, type Stance } from '../../model/ballot.ts';
import { slugOf } from '../../model/document.ts';
import { membersOf } from '../../model/seats.ts';
import type { Mirror } from '../mirror.ts';
import { type BallotChoice, eachBallot } from './ballots.ts';

/** A group by its requested name, with its slugs in ballots. */
export type ResolvedGroups = { requestedName: string; groups: readonly string[] };

/** Sides that are no group: the one with more votes, and the position that a list of ballots gives. */
export const otherSides = ['majority', 'direction'] as const;
export type OtherSide = (typeof otherSides)[number];

/** A group and another group or side. */
export type Pair = { one: ResolvedGroups; other: ResolvedGroups | OtherSide };

/** Ways to split ballots into parts with their own figures. */
export const ballotParts = ['month', 'session', 'topic'] as const;
export type BallotPart = (typeof ballotParts)[number];

/** Comparison of two groups over a choice of ballots; `agreement` is `same / n`, null if n is 0. */
export type Comparison = Parted & ReturnType<typeof noComparison>;

/** The month, session or topic; absent if the ballots are not split. */
type Parted = { part?: string | null };

/** Compares pairs over the ballots of a choice, by the positions that the source declares. */
export function comparisons(
  mirror: Mirror,
  choice: BallotChoice,
  { pairs, by }: { pairs: readonly Pair[]; by?: BallotPart | undefined },
): Comparison[] {
  const parts = tallied(eachBallot(mirror, choice), by, {
    create: () => pairs.map((pair) => ({ pair, comparison: noComparison(pair) })),
    add(compared, ballot) {
      for (const { pair, comparison } of compared) countPair(ballot, { ...pair, choice }, comparison);
    },
    isCounted: (compared) => compared.some(({ comparison }) => comparison.n > 0),
  });
  return parts.flatMap(({ part, tally }) =>
    tally.map(({ comparison }) => ({
      ...part,
      ...comparison,
      agreement: comparison.n === 0 ? null : comparison.same / comparison.n,
    })),
  );
}

/** Tallies ballots per part: months and sessions chronologically, topics by name. */
function tallied<Tally>(
  ballots: Iterable<Ballot>,
  by: BallotPart | undefined,
  count: { create(): Tally; add(tally: Tally, ballot: Ballot): void; isCounted(tally: Tally): boolean },
): { part: Parted; tally: Tally }[] {
  const tallies = new Map<string | null, Tally>(by === undefined ? [[null, count.create()]] : []);
  for (const ballot of ballots) {
    const part = by === undefined ? null : partOf(ballot, by);
    const tally = tallies.get(part) ?? count.create();
    tallies.set(part, tally);
    count.add(tally, ballot);
  }
  const parts = [...tallies].map(([part, tally]) => ({ part: by === undefined ? {} : { part }, tally }));
  const name = ({ part: { part } }: (typeof parts)[number]) => part ?? '\u{10ffff}';
  if (by === 'topic') return parts.sort((one, other) => (name(one) < name(other) ? -1 : 1));
  const first = parts.findIndex(({ tally }) => count.isCounted(tally));
  return parts.slice(Math.max(0, first));
}

function partOf(ballot: Ballot, by: BallotPart): string | null {
  if (by === 'month') return /^\d{4}-\d\d/.exec(ballot.date ?? '')?.[0] ?? null;
  return slugOf(ballot[by] ?? null);
}

const noComparison = ({ one, other }: Pair) => ({
  group: one.requestedName,
  /** Names in the newest ballot that has them. */
  group_name: null as string | null,
  other: typeof other === 'string' ? other : other.requestedName,
  other_name: null as string | null,
  agreement: null as number | null,
  /** Ballots in which both have a declared position. */
  n: 0,
  same: 0,
  /** Excluded ballots: one of the two is not listed, or has no declared position. */
  not_listed: 0,
  no_position: 0,
  positions: emptyPositionTable(),
});

function countPair(
  ballot: Ballot,
  { one, other, choice }: Pair & { choice: BallotChoice },
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
  const stance = declaredStance(votes);
  const otherStance = typeof other === 'string' ? sideOf(ballot, other, choice) : declaredStance(otherVotes);
  if (stance === null || otherStance === null) {
    comparison.no_position += 1;
    return;
  }
  comparison.n += 1;
  if (stance === otherStance) comparison.same += 1;
  comparison.positions[stance][otherStance] += 1;
}

function sideOf(ballot: Ballot, side: OtherSide, { chosen }: BallotChoice): Stance | null {
  return side === 'majority' ? largerSide(ballot) : (chosen?.get(ballotKey(ballot))?.direction ?? null);
}

/** Cohesion and participation of a group over a choice of ballots. */
export type Cohesion = Parted & ReturnType<typeof cohesionOf>;

type Sums = ReturnType<typeof noSums>;

const fewVoters = 3;

/** Sort orders of groups: by name or as requested; least united first. */
export const cohesionSorts = ['name', 'dissent'] as const;

/** Cohesion of the requested groups, or of every group; slugs of one name are summed. */
export function cohesions(
  mirror: Mirror,
  choice: BallotChoice,
  { requestedGroups, sort = 'name', by }: CohesionOrder,
): Cohesion[] {
  const nameOfSlug = new Map(
    requestedGroups.flatMap(({ requestedName: name, groups }) => groups.map((slug) => [slug, name])),
  );
  const parts = tallied(eachBallot(mirror, choice), by, {
    create: () => new Map<string, Sums>(requestedGroups.map(({ requestedName: name }) => [name, noSums(name)])),
    add(sums, { votes_by_party: all }) {
      for (const votes of all) {
        if (votes.party === null || isNonAttached(votes)) continue;
        const group = requestedGroups.length === 0 ? votes.party : nameOfSlug.get(votes.party);
        if (group === undefined) continue;
        const groupSums = sums.get(group) ?? noSums(group);
        sums.set(group, groupSums);
        groupSums.name = votes.party_name ?? groupSums.name;
        count(groupSums, {
          cast: votesCastIn(votes),
          members: membersOf(votes),
          index: agreementIndex(votes),
        });
      }
    },
    isCounted: (sums) => [...sums.values()].some(({ ballots }) => ballots > 0),
  });
  return parts.flatMap(({ part, tally }) => {
    const results = [...tally.values()].map((sums) => ({ ...part, ...cohesionOf(sums) }));
    const sortedByName = requestedGroups.length > 0 ? results : results.sort((a, b) => (a.group < b.group ? -1 : 1));
    return sort === 'name' ? sortedByName : sortedByName.sort((a, b) => unity(a) - unity(b));
  });
}

/** The requested groups (empty: all), their sort order, and how ballots are split. */
type CohesionOrder = {
  requestedGroups: readonly ResolvedGroups[];
  sort?: (typeof cohesionSorts)[number];
  by?: BallotPart | undefined;
};

/** Groups without an index sort last. */
const unity = ({ agreement_index: index }: Cohesion) => index ?? 2;

const noSums = (group: string) => ({
  group,
  name: null as string | null,
  /** Ballots of the choice that list the group. */
  ballots: 0,
  n: 0,
  n_over_3: 0,
  /** Excluded ballots: without a vote of the group, and with unpublished counts. */
  no_vote: 0,
  not_published: 0,
  n_participation: 0,
  index: 0,
  indexOver3: 0,
  took: 0,
});

function count(
  sums: Sums,
  { cast, members, index }: { cast: number | null; members: number | null; index: number | null },
): void {
  sums.ballots += 1;
  if (cast === null) {
    sums.not_published += 1;
    return;
  }
  if (members !== null && members > 0 && cast <= members) {
    sums.n_participation += 1;
    sums.took += cast / members;
  }
  if (index === null) {
    sums.no_vote += 1;
    return;
  }
  sums.n += 1;
  sums.index += index;
  if (cast <= fewVoters) return;
  sums.n_over_3 += 1;
  sums.indexOver3 += index;
}

function cohesionOf({ index, indexOver3, took, ...sums }: Sums) {
  const mean = (sum: number, n: number) => (n === 0 ? null : sum / n);
  return {
    ...sums,
    /** Mean Agreement Index over the `n` ballots in which any member voted. */
    agreement_index: mean(index, sums.n),
    /** The same without ballots with at most three voters, whose index means little. */
    agreement_index_over_3: mean(indexOver3, sums.n_over_3),
    /** Share of the ballots that list the group in which any member voted. */
    presence: mean(sums.n, sums.ballots - sums.not_published),
    /** Mean share of members that voted or abstained, over ballots with a known number of members. */
    participation: mean(took, sums.n_participation),
  };
}
