import { type Ballot, type Counts, integerOf, isMotionOfCensure, type PartyVotes } from './ballot.ts';

/** State of a seat: its vote, or none recorded. */
export type SeatState = keyof Counts | 'unrecorded';

export const seatStates: readonly SeatState[] = ['for', 'against', 'abstention', 'non_voting', 'unrecorded'];

/** A group in a ballot with its seats counted by state. */
export type GroupSeats = ReturnType<typeof groupSeats>[number];

/** Name, short name and colour of a group from its record. */
export type GroupFacts = { name: string | null; shortName: string | null; colour: string | null };

/** Slugs of the groups listed from left to right by slug, short name or name; every group with that name counts. */
export function groupOrder(names: readonly string[], facts: ReadonlyMap<string, GroupFacts>): string[] {
  const normalise = (text: string | null) => text?.trim().toLowerCase();
  return names.flatMap((name) =>
    [...facts]
      .filter(([slug, group]) => [slug, group.shortName, group.name].some((own) => normalise(own) === normalise(name)))
      .map(([slug]) => slug),
  );
}

/** Groups of a ballot with their seats, those in `order` (slugs) first, then in source order. */
export function groupSeats(ballot: Ballot, order: readonly string[] = []) {
  // One seat per member, or per vote if no members are published; `unrecorded` has no recorded vote.
  const groups = ballot.votes_by_party.map((votes) => {
    const members = membersOf(votes);
    // Missing counts are 0 here and null in `votes`.
    const statedCounts = {
      for: votes.for ?? 0,
      against: isMotionOfCensure(ballot) ? 0 : (votes.against ?? 0),
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
export function membersOf(votes: PartyVotes): number | null {
  return integerOf((votes as { members?: number | string | null }).members ?? null);
}

/** Number of members of all groups; null unless published for every group. */
export function membersOfAll(ballot: Ballot): number | null {
  const members = ballot.votes_by_party.map(membersOf);
  if (members.length === 0 || members.some((count) => count === null)) return null;
  return members.reduce<number>((sum, count) => sum + count!, 0);
}

/** A seat: the index of its group, and its state. */
export type SeatOfGroup = { group: number; state: SeatState };

/** Seats in the order that fills a hemicycle: by group, then by state; equal seats share one object. */
export function seatsInOrder(groups: readonly Pick<GroupSeats, 'seats'>[]): Readonly<SeatOfGroup>[] {
  return groups.flatMap(({ seats }, group) =>
    seatStates.flatMap((state) => new Array<SeatOfGroup>(seats[state]).fill({ group, state })),
  );
}

/** The number of seats in each state that has any. */
export function seatTotals(groups: readonly Pick<GroupSeats, 'seats'>[]) {
  const totalOf = (state: SeatState) => groups.reduce((sum, { seats }) => sum + seats[state], 0);
  return seatStates.map((state) => ({ state, total: totalOf(state) })).filter(({ total }) => total > 0);
}

/** Display names of the states. */
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

/** True if the position of each group is known; a motion of censure also needs member counts. */
export function hasSeats(ballot: Ballot, order: readonly string[] = []): boolean {
  if (isMotionOfCensure(ballot) && membersOfAll(ballot) === null) return false;
  const seated = groupSeats(ballot).filter(({ size }) => size > 0);
  return seated.length > 0 && seated.every(({ votes }) => order.includes(votes.party ?? ''));
}

/** Votes and the required number; null unless both are published. `against` is null for a motion of censure. */
export function outcomeVotes(ballot: Ballot) {
  const { totals, required } = ballot;
  if (required === null || typeof totals?.for !== 'number') return null;
  if (isMotionOfCensure(ballot)) return { for: totals.for, against: null, required };
  return typeof totals.against === 'number' ? { for: totals.for, against: totals.against, required } : null;
}
