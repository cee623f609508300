import { type Ballot, countFields, type PartyVotes } from '../model/ballot.ts';
import { differingCounts } from '../model/contradiction.ts';
import type { Document } from '../model/document.ts';
import { membersOf } from '../model/seats.ts';
import { isOneSided } from './group-position.ts';

/** Number of members without a recorded vote, for any reason; null if unpublished, or if votes exceed members. */
export function countWithoutRecordedVote(votes: PartyVotes): number | null {
  const counts = [membersOf(votes), ...countFields.map((field) => votes[field])];
  if (counts.includes(null)) return null;
  const missing = counts.reduce((members, count) => members! - count!)!;
  return missing < 0 ? null : missing;
}

/** Number of members of all groups, and of those without a recorded vote; both null unless known for every group. */
export function electorateOf({ votes_by_party: groups }: Ballot) {
  const missing = groups.map(countWithoutRecordedVote);
  if (groups.length === 0 || missing.includes(null)) return { members: null, no_vote_recorded: null };
  const sum = (counts: (number | null)[]) => counts.reduce<number>((total, count) => total + count!, 0);
  return { members: sum(groups.map(membersOf)), no_vote_recorded: sum(missing) };
}

/** The source's totals, with the electorate (see `electorateOf`) unless the sums of the groups contradict them. */
export const totalRow = (ballot: Ballot): Document => ({
  ...ballot.totals,
  ...(differingCounts(ballot).length === 0 ? electorateOf(ballot) : {}),
});

/** Share of members, 0 to 1, who voted for, against or abstained; null for the Sénat, if unknown or one-sided. */
export function turnoutOf(ballot: Ballot): number | null {
  const { members, no_vote_recorded: missing } = electorateOf(ballot);
  // In the Sénat, delegates cast the votes of whole groups.
  if (ballot.chamber !== 'AN' || isOneSided(ballot) || !members) return null;
  const declaredNonVoting = ballot.votes_by_party.reduce((sum, { non_voting: count }) => sum + count!, 0);
  return (members - missing - declaredNonVoting) / members;
}
