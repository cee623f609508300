import { type Ballot, countFields, type PartyVotes } from '../model/ballot.ts';
import { differingCounts } from '../model/contradiction.ts';
import type { Document } from '../model/document.ts';
import { membersOf } from '../model/seats.ts';
import { isOneSided } from './group-position.ts';

/** Members without a recorded vote: absent, delegation not used, or not published; null if a count is not stated. */
export function countWithoutRecordedVote(votes: PartyVotes): number | null {
  const counts = [membersOf(votes), ...countFields.map((field) => votes[field])];
  if (counts.includes(null)) return null;
  const missing = counts.reduce((members, count) => members! - count!)!;
  return missing < 0 ? null : missing;
}

/** Members of all groups, and those without a recorded vote; both null unless known for every group. */
export function electorateOf({ votes_by_party: groups }: Ballot) {
  const missing = groups.map(countWithoutRecordedVote);
  if (groups.length === 0 || missing.includes(null)) return { members: null, no_vote_recorded: null };
  const sum = (counts: (number | null)[]) => counts.reduce<number>((total, count) => total + count!, 0);
  return { members: sum(groups.map(membersOf)), no_vote_recorded: sum(missing) };
}

/** Returns the source's totals; adds members and members without a recorded vote if the sums of groups match them. */
export const totalRow = (ballot: Ballot): Document => ({
  ...ballot.totals,
  ...(differingCounts(ballot).length === 0 ? electorateOf(ballot) : {}),
});

/** Turnout, 0 to 1, of members who voted for, against or abstained; null outside the AN, if unknown or one-sided. */
export function turnoutOf(ballot: Ballot): number | null {
  const { members, no_vote_recorded: missing } = electorateOf(ballot);
  // In the Sénat, delegates cast the votes of whole groups.
  if (ballot.chamber !== 'AN' || isOneSided(ballot) || !members) return null;
  const declaredNonVoting = ballot.votes_by_party.reduce((sum, { non_voting: count }) => sum + count!, 0);
  return (members - missing - declaredNonVoting) / members;
}
