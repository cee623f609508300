import { votesCastIn } from '../model/agreement.ts';
import { type Ballot, countFields, type PartyVotes } from '../model/ballot.ts';
import { differingCounts } from '../model/contradiction.ts';
import type { Document } from '../model/document.ts';
import { groupSize, totalSize } from '../model/seats.ts';
import { isOneSided } from './group-position.ts';

/** Number of members without a recorded vote, for any reason; null if unpublished, or if votes exceed members. */
export function countWithoutRecordedVote(votes: PartyVotes): number | null {
  const counts = [groupSize(votes), ...countFields.map((field) => votes[field])];
  if (counts.includes(null)) return null;
  const remainder = counts.reduce((remaining, count) => remaining! - count!)!; // members minus all votes
  return remainder < 0 ? null : remainder;
}

/** Number of members of all groups, and of those without a recorded vote; both null unless known for every group. */
export function electorateOf(ballot: Ballot) {
  const counts = ballot.votes_by_party.map(countWithoutRecordedVote);
  if (counts.length === 0 || counts.includes(null)) return { members: null, no_vote_recorded: null };
  return { members: totalSize(ballot), no_vote_recorded: counts.reduce((sum, count) => sum! + count!) };
}

/** The source's totals, with the electorate (see `electorateOf`) unless the sums of the groups contradict them. */
export const totalRow = (ballot: Ballot): Document => ({
  ...ballot.totals,
  ...(differingCounts(ballot).length === 0 ? electorateOf(ballot) : {}),
});

/** Share of members, 0 to 1, who voted for, against or abstained; null for the Sénat, if unknown or one-sided. */
export function turnoutOf(ballot: Ballot): number | null {
  const { members } = electorateOf(ballot);
  // In the Sénat, delegates cast the votes of whole groups.
  if (ballot.chamber !== 'AN' || isOneSided(ballot) || !members) return null;
  // With `members`, no count of a group is null: see `electorateOf`.
  return ballot.votes_by_party.reduce((sum, votes) => sum + votesCastIn(votes)!, 0) / members;
}
