import { type Ballot, type Counts, countFields, type PartyVotes } from '../model/ballot.ts';
import { membersOf } from '../model/seats.ts';
import { isOneSided } from './group-position.ts';

/** Votes recorded for a group, declared non-voters included; null if the source leaves out one of the counts. */
export function recordedVotes(counts: Counts): number | null {
  return countFields.reduce<number | null>((sum, field) => {
    const count = counts[field];
    return sum === null || count === null ? null : sum + count;
  }, 0);
}

/** Members without a recorded vote: absent, delegation not used, or not published; null if unknown. */
export function withoutRecordedVote(votes: PartyVotes): number | null {
  const members = membersOf(votes);
  const recorded = recordedVotes(votes);
  return members === null || recorded === null || recorded > members ? null : members - recorded;
}

/** Members of all groups, and those without a recorded vote; null unless known for every group. */
export function electorateOf({ votes_by_party: groups }: Ballot) {
  const electorate = { members: 0, noVoteRecorded: 0 };
  for (const votes of groups) {
    const missing = withoutRecordedVote(votes);
    if (missing === null) return null;
    electorate.members += membersOf(votes)!;
    electorate.noVoteRecorded += missing;
  }
  return groups.length === 0 ? null : electorate;
}

/**
 * Turnout, 0 to 1: members who voted for, against or abstained. Only for the Assemblée, since delegates cast the votes
 * of whole groups in the Sénat, and not where only votes for are recorded; null if members or counts are not stated.
 */
export function turnoutOf(ballot: Ballot): number | null {
  // Members who did not vote for a motion of censure did not abstain from a vote: they cannot vote otherwise.
  const electorate = ballot.chamber === 'AN' && !isOneSided(ballot) ? electorateOf(ballot) : null;
  if (electorate === null || electorate.members === 0) return null;
  const declared = ballot.votes_by_party.reduce((sum, { non_voting: count }) => sum + count!, 0);
  return (electorate.members - electorate.noVoteRecorded - declared) / electorate.members;
}
