import { type Phrase, say } from '../words/speech.ts';
import { type Ballot, countFields, integerOf, type PartyVotes } from './ballot.ts';
import { isMotionOfCensure } from './heading.ts';

/** States of a seat: its vote, or `unrecorded`. */
export const seatStates = [...countFields, 'unrecorded'] as const;
export type SeatState = (typeof seatStates)[number];

/** A group in a ballot with its seats counted by state. */
export type GroupSeats = ReturnType<typeof groupSeats>[number];

/** Name, short name and colour of a group from its record. */
export type GroupFacts = { name: string | null; shortName: string | null; colour: string | null };

/** Slugs of the groups that `names` lists by slug, short name or name, in that order; a name may match several. */
export function groupOrder(names: readonly string[], facts: ReadonlyMap<string, GroupFacts>): string[] {
  const normalise = (text: string | null) => text?.trim().toLowerCase();
  return names.flatMap((name) =>
    [...facts]
      .filter(([slug, group]) => [slug, group.shortName, group.name].some((own) => normalise(own) === normalise(name)))
      .map(([slug]) => slug),
  );
}

/** Groups of a ballot with their seats by state, those in `order` (slugs) first, then in source order. */
export function groupSeats(ballot: Ballot, order: readonly string[] = []) {
  // One seat per member, or per vote if there are more votes or no members; `unrecorded`: without a recorded vote.
  const groups = ballot.votes_by_party.map((votes) => {
    const members = groupSize(votes);
    // Missing counts are 0 here and null in `votes`.
    const statedCounts = {
      for: votes.for ?? 0,
      against: isMotionOfCensure(ballot) ? 0 : (votes.against ?? 0), // only votes for a censure are recorded
      abstention: votes.abstention ?? 0,
      non_voting: votes.non_voting ?? 0,
    };
    const votedCount = Object.values(statedCounts).reduce((sum, value) => sum + value, 0);
    const size = Math.max(members ?? 0, votedCount);
    return { votes, members, seats: { ...statedCounts, unrecorded: size - votedCount }, size };
  });
  const rank = ({ votes }: (typeof groups)[number]) => {
    const at = order.indexOf(votes.party ?? '');
    return at < 0 ? order.length : at;
  };
  return groups.sort((a, b) => rank(a) - rank(b));
}

/** Published number of members of a group, or null. */
export function groupSize(votes: PartyVotes): number | null {
  return integerOf((votes as { members?: number | string | null }).members ?? null);
}

/** Number of members of all groups; null unless published for every group. */
export function totalSize(ballot: Ballot): number | null {
  const members = ballot.votes_by_party.map(groupSize);
  if (members.length === 0 || members.some((count) => count === null)) return null;
  return members.reduce<number>((sum, count) => sum + count!, 0);
}

/** A seat: the index of its group, and its state. */
export type SeatOfGroup = { group: number; state: SeatState };

/** How seats fill a hemicycle: by group in a known order of seats, or by vote, with groups together within each. */
export type SeatArrangement = 'group' | 'vote';

/** States from left to right where no order of seats is known. */
const statesByVote: readonly SeatState[] = ['for', 'abstention', 'non_voting', 'unrecorded', 'against'];

/** Numbers of equal adjacent seats (same group and state) in the order that fills a hemicycle, from left to right. */
export function seatRuns(groups: readonly Pick<GroupSeats, 'seats'>[], arrangement: SeatArrangement) {
  const seats: SeatOfGroup[] =
    arrangement === 'group'
      ? groups.flatMap((_, group) => seatStates.map((state) => ({ group, state })))
      : statesByVote.flatMap((state) => groups.map((_, group) => ({ group, state })));
  return seats
    .map((seat) => ({ ...seat, count: groups[seat.group]!.seats[seat.state] }))
    .filter(({ count }) => count > 0);
}

/** The number of seats in each state that has any. */
export function seatTotals(groups: readonly Pick<GroupSeats, 'seats'>[]) {
  const totalOf = (state: SeatState) => groups.reduce((sum, { seats }) => sum + seats[state], 0);
  return seatStates.map((state) => ({ state, total: totalOf(state) })).filter(({ total }) => total > 0);
}

export const seatStateNames: Record<SeatState, string> = {
  for: 'for',
  against: 'against',
  abstention: 'abstention',
  non_voting: 'declared non-voting',
  unrecorded: 'no vote recorded',
};

/** Label of a group: its short name, else its name or slug. */
export function groupLabel(votes: PartyVotes, facts: ReadonlyMap<string, GroupFacts>): string {
  const group = facts.get(votes.party ?? '');
  return group?.shortName ?? votes.party_name ?? group?.name ?? votes.party ?? '(no group stated)';
}

/** Returns `group` if `order` (slugs) has every group with seats, else `vote`; null (no picture) without members. */
export function seatArrangement(ballot: Ballot, order: readonly string[] = []): SeatArrangement | null {
  if (isMotionOfCensure(ballot) && totalSize(ballot) === null) return null;
  const seatedGroups = groupSeats(ballot).filter(({ size }) => size > 0);
  if (seatedGroups.length > 0 && seatedGroups.every(({ votes }) => order.includes(votes.party ?? ''))) return 'group';
  return seatedGroups.some(({ members }) => members !== null) ? 'vote' : null;
}

const seatingNotes: Record<SeatArrangement, Phrase> = {
  group: say`The publisher of this picture set the order of the groups, from left to right.`,
  vote: say`Arranged by vote, not by seat: for, abstention, declared non-voting, no vote recorded, against.`,
};

/** Caption of the picture of a ballot's seats; null if there is no picture. */
export function seatingNote(ballot: Ballot, order: readonly string[] = []): Phrase | null {
  const arrangement = seatArrangement(ballot, order);
  return arrangement && seatingNotes[arrangement];
}

/** Votes and the required number; null unless both are published. `against` is null for a motion of censure. */
export function outcomeVotes(ballot: Ballot) {
  const { totals, required } = ballot;
  if (required === null || typeof totals?.for !== 'number') return null;
  if (isMotionOfCensure(ballot)) return { for: totals.for, against: null, required };
  return typeof totals.against === 'number' ? { for: totals.for, against: totals.against, required } : null;
}
