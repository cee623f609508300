import {
  agreementIndex,
  emptyPositionTable,
  largerSide,
  type PositionTable,
  statedStance,
  votesCastIn,
  votesOf,
} from '../../model/agreement.ts';
import { type Ballot, isNonAttached } from '../../model/ballot.ts';
import { membersOf } from '../../model/seats.ts';
import type { Mirror } from '../mirror.ts';
import { type BallotChoice, eachBallot } from './ballots.ts';

/** A group by its requested name, with the slugs that it has in ballots. */
export type NamedGroup = { asked: string; groups: readonly string[] };

/** A group, and another one or the side with more votes (null). */
export type Pair = { one: NamedGroup; other: NamedGroup | null };

/** Comparison of two groups over a choice of ballots; `agreement` is `same / n`, null if n is 0. */
export type Comparison = {
  group: string;
  other: string;
  agreement: number | null;
  /** Ballots in which the position of both is stated. */
  n: number;
  same: number;
  /** Excluded ballots: one of both is not listed, or has no stated position. */
  not_listed: number;
  no_position: number;
  positions: PositionTable;
};

/** Compares pairs over the ballots of a choice, by the positions that the source states. */
export function comparisons(mirror: Mirror, choice: BallotChoice, pairs: readonly Pair[]): Comparison[] {
  const compared = pairs.map((pair) => ({
    pair,
    found: {
      group: pair.one.asked,
      other: pair.other?.asked ?? 'majority',
      agreement: null,
      n: 0,
      same: 0,
      not_listed: 0,
      no_position: 0,
      positions: emptyPositionTable(),
    } as Comparison,
  }));
  for (const ballot of eachBallot(mirror, choice))
    for (const { pair, found } of compared) countPair(ballot, pair, found);
  return compared.map(({ found }) => ({ ...found, agreement: found.n === 0 ? null : found.same / found.n }));
}

function countPair(ballot: Ballot, { one, other }: Pair, found: Comparison): void {
  const votes = votesOf(ballot, one.groups);
  const others = other === null ? null : votesOf(ballot, other.groups);
  if (votes === null || (other !== null && others === null)) {
    found.not_listed += 1;
    return;
  }
  const [stance, otherStance] = [
    statedStance(votes),
    other === null ? largerSide(ballot) : statedStance(others),
  ];
  if (stance === null || otherStance === null) {
    found.no_position += 1;
    return;
  }
  found.n += 1;
  if (stance === otherStance) found.same += 1;
  found.positions[stance][otherStance] += 1;
}

/** Cohesion and participation of a group over a choice of ballots. */
export type Cohesion = {
  group: string;
  name: string | null;
  /** Ballots of the choice that list it. */
  ballots: number;
  /** The mean Agreement Index over the ballots in which any of it voted, and their number. */
  agreement_index: number | null;
  n: number;
  /** The same without the ballots of three voters or fewer, in which an index says little. */
  agreement_index_over_3: number | null;
  n_over_3: number;
  /** Excluded: ballots without a vote of the group, and with unpublished counts. */
  no_vote: number;
  not_published: number;
  /** Share of the ballots that list it in which any of it voted. */
  presence: number | null;
  /** Mean share of its members that voted or abstained, over ballots with stated members. */
  participation: number | null;
  n_participation: number;
};

type Sums = Omit<Cohesion, 'agreement_index' | 'agreement_index_over_3' | 'presence' | 'participation'> & {
  index: number;
  indexOver3: number;
  took: number;
};

const fewVoters = 3;

/** Sort orders of groups: by name or as requested; least united first. */
export const cohesionSorts = ['name', 'dissent'] as const;

/**
 * Cohesion of the requested groups, or of every group of the ballots. Non-attached members are not counted as a group.
 * Several slugs requested under one name make one line.
 */
export function cohesions(
  mirror: Mirror,
  choice: BallotChoice,
  { asked, sort = 'name' }: { asked: readonly NamedGroup[]; sort?: (typeof cohesionSorts)[number] },
): Cohesion[] {
  const sums = new Map<string, Sums>(asked.map(({ asked: name }) => [name, noSums(name)]));
  const nameOfSlug = new Map(asked.flatMap(({ asked: name, groups }) => groups.map((slug) => [slug, name])));
  for (const ballot of eachBallot(mirror, choice)) {
    for (const votes of ballot.votes_by_party) {
      if (votes.party === null || isNonAttached(votes)) continue;
      const group = asked.length === 0 ? votes.party : nameOfSlug.get(votes.party);
      if (group === undefined) continue;
      const held = sums.get(group) ?? noSums(group);
      sums.set(group, held);
      held.name = votes.party_name ?? held.name;
      count(held, { cast: votesCastIn(votes), members: membersOf(votes), index: agreementIndex(votes) });
    }
  }
  const found = [...sums.values()].map(cohesionOf);
  const named = asked.length > 0 ? found : found.sort((a, b) => (a.group < b.group ? -1 : 1));
  return sort === 'name' ? named : named.sort((a, b) => unity(a) - unity(b));
}

/** Groups without an index sort last. */
const unity = ({ agreement_index: index }: Cohesion) => index ?? 2;

const noSums = (group: string): Sums => ({
  group,
  name: null,
  ballots: 0,
  n: 0,
  n_over_3: 0,
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

function cohesionOf({ index, indexOver3, took, ...sums }: Sums): Cohesion {
  const mean = (sum: number, n: number) => (n === 0 ? null : sum / n);
  return {
    ...sums,
    agreement_index: mean(index, sums.n),
    agreement_index_over_3: mean(indexOver3, sums.n_over_3),
    presence: mean(sums.n, sums.ballots - sums.not_published),
    participation: mean(took, sums.n_participation),
  };
}
