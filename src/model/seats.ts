import { type Ballot, type Counts, integerOf, isMotionOfCensure, type PartyVotes } from './ballot.ts';

/** What a seat shows: how its member voted, or that no vote of it is recorded. */
export type SeatState = keyof Counts | 'unrecorded';

export const seatStates: readonly SeatState[] = ['for', 'against', 'abstention', 'non_voting', 'unrecorded'];

/** The seats of a group in a ballot: how many of each state. */
export type GroupSeats = {
  votes: PartyVotes;
  /** Members of the group as the source states them, or null. */
  members: number | null;
  /** How many of each state; those that are not stated are 0 here, and null in `votes`. */
  seats: Record<SeatState, number>;
  size: number;
};

/** What a picture of a ballot says of a group: its name, short name and colour as its record states them, or null. */
export type GroupFacts = { name: string | null; shortName: string | null; colour: string | null };

/**
 * The groups of a ballot with their seats, in the order of the source, or those of `order` (slugs) first. A group has as many
 * seats as members where these are stated, else as many as votes; a seat without a vote is `unrecorded`: absent,
 * delegated or unpublished, which no source tells apart.
 */
export function groupSeats(ballot: Ballot, order: readonly string[] = []): GroupSeats[] {
  const groups = ballot.votes_by_party.map((votes) => {
    const members = membersOf(votes);
    const stated = {
      for: votes.for ?? 0,
      // Of a motion of censure only the votes for it are counted.
      against: isMotionOfCensure(ballot) ? 0 : (votes.against ?? 0),
      abstention: votes.abstention ?? 0,
      non_voting: votes.non_voting ?? 0,
    };
    const counted = Object.values(stated).reduce((sum, value) => sum + value, 0);
    const size = Math.max(members ?? 0, counted);
    return { votes, members, seats: { ...stated, unrecorded: size - counted }, size };
  });
  const rank = ({ votes }: GroupSeats) => {
    const at = order.indexOf(votes.party ?? '');
    return at < 0 ? order.length : at;
  };
  return groups.sort((a, b) => rank(a) - rank(b));
}

/** The members of a group at that ballot, as its source states them, or null. */
export function membersOf(votes: PartyVotes): number | null {
  return integerOf((votes as { members?: number | string | null }).members ?? null);
}

/** The members of all groups of a ballot, or null where the source does not state those of each. */
export function membersOfAll(ballot: Ballot): number | null {
  const members = ballot.votes_by_party.map(membersOf);
  if (members.length === 0 || members.some((count) => count === null)) return null;
  return members.reduce<number>((sum, count) => sum + count!, 0);
}

/** A seat by the place of its group among the groups, and what it shows. */
export type SeatOfGroup = { group: number; state: SeatState };

/**
 * The seats of groups in the order in which a hemicycle is filled: group by group, in each the states in one order. Those of
 * one group and state are one object.
 */
export function seatsInOrder(groups: readonly Pick<GroupSeats, 'seats'>[]): Readonly<SeatOfGroup>[] {
  return groups.flatMap(({ seats }, group) =>
    seatStates.flatMap((state) => new Array<SeatOfGroup>(seats[state]).fill({ group, state })),
  );
}

/** What each state is called. */
export const seatStateNames: Record<SeatState, string> = {
  for: 'for',
  against: 'against',
  abstention: 'abstention',
  non_voting: 'non voting',
  unrecorded: 'no vote recorded',
};

/** How a group is called where there is little room: its short name, its name, or that the source states none. */
export function groupLabel(votes: PartyVotes, facts: ReadonlyMap<string, GroupFacts>): string {
  const known = facts.get(votes.party ?? '');
  return known?.shortName ?? votes.party_name ?? known?.name ?? votes.party ?? '(no group stated)';
}

/**
 * True where seats can be shown: without its members a motion of censure would be a chamber in which all are for it.
 */
export function hasSeats(ballot: Ballot, groups: readonly GroupSeats[]): boolean {
  if (isMotionOfCensure(ballot) && membersOfAll(ballot) === null) return false;
  return groups.some(({ size }) => size > 0);
}

/** The votes beside the number that was required; `against` is null for a motion of censure, where only those for it count. */
export type OutcomeVotes = { for: number; against: number | null; required: number };

/** What a picture shows of the majority that a source states; null where it states none, or not the votes that decide. */
export function outcomeVotes(ballot: Ballot): OutcomeVotes | null {
  const { totals, required } = ballot;
  if (required === null || typeof totals?.for !== 'number') return null;
  if (isMotionOfCensure(ballot)) return { for: totals.for, against: null, required };
  return typeof totals.against === 'number' ? { for: totals.for, against: totals.against, required } : null;
}
