import { type Ballot, countFields, type PartyVotes } from '../model/ballot.ts';
import { differingCounts } from '../model/contradiction.ts';
import type { Document } from '../model/document.ts';
import { groupSize } from '../model/seats.ts';
import { isOneSided } from './group-position.ts';

/** Number of members without a recorded vote, for any reason; null if unpublished, or if votes exceed members. */
export function countWithoutRecordedVote(votes: PartyVotes): number | null {
  const counts = [groupSize(votes), ...countFields.map((field) => votes[field])];
  if (counts.includes(null)) return null;
  const remainder = counts.reduce((remaining, count) => remaining! - count!)!; // members minus all votes
  return remainder < 0 ? null : remainder;
}

/** Number of members of all groups, and of those without a recorded vote; both null unless known for every group. */
export function electorateOf({ votes_by_party: groups }: Ballot) {
  const withoutVoteCounts = groups.map(countWithoutRecordedVote);
  if (groups.length === 0 || withoutVoteCounts.includes(null)) return { members: null, no_vote_recorded: null };
  const sum = (counts: (number | null)[]) => counts.reduce<number>((total, count) => total + count!, 0);
  return { members: sum(groups.map(groupSize)), no_vote_recorded: sum(withoutVoteCounts) };
}

/** The source's totals, with the electorate (see `electorateOf`) unless the sums of the groups contradict them. */
export const totalRow = (ballot: Ballot): Document => ({
  ...ballot.totals,
  ...(differingCounts(ballot).length === 0 ? electorateOf(ballot) : {}),
});

/** Share of members, 0 to 1, who voted for, against or abstained; null for the Sénat, if unknown or one-sided. */
export function turnoutOf(ballot: Ballot): number | null {
  const { members, no_vote_recorded: withoutVoteCount } = electorateOf(ballot);
  // In the Sénat, delegates cast the votes of whole groups.
  if (ballot.chamber !== 'AN' || isOneSided(ballot) || !members) return null;
  // With `members`, no count of a group is null: see `electorateOf`.
  const declaredNonVoting = ballot.votes_by_party.reduce((sum, { non_voting: count }) => sum + count!, 0);
  return (members - withoutVoteCount - declaredNonVoting) / members;
}
