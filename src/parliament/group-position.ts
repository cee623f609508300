import { type Ballot, isNonAttached, type PartyVotes, type Stance, stanceOf } from '../model/ballot.ts';
import { contradictionLines } from '../model/contradiction.ts';
import { isMotionOfCensure } from '../model/heading.ts';
import { groupSize } from '../model/seats.ts';
import { type Phrase, say } from '../words/speech.ts';
import { isDeletion, natureOf } from './nature.ts';

/** True for a ballot that records only votes for: a motion of censure, or one without other counts. */
export function isOneSided(ballot: Ballot): boolean {
  if (isMotionOfCensure(ballot)) return true;
  const counts = [ballot.totals, ...ballot.votes_by_party].filter((each) => each !== null);
  const hasVotesFor = counts.some(({ for: votesFor }) => votesFor !== null);
  return hasVotesFor && counts.every(({ against, abstention }) => against === null && abstention === null);
}

/** The counted position of a group: the stated one, or `majorityFor` if one-sided; null if none or non-attached. */
export function groupPosition(votes: PartyVotes | null, isBallotOneSided: boolean): Stance | null {
  if (votes === null || isNonAttached(votes)) return null;
  return isBallotOneSided ? majorityFor(votes) : stanceOf(votes.position);
}

/** `for` if over half of the members voted for; else, or if their number is unknown, null: none can vote against. */
function majorityFor(votes: PartyVotes): 'for' | null {
  const members = groupSize(votes);
  return members !== null && (votes.for ?? 0) * 2 > members ? 'for' : null;
}

/** Position in a one-sided ballot: `for`, or `not for`, which includes absence; null if members are not stated. */
export function oneSidedPosition(votes: PartyVotes | null): 'for' | 'not for' | null {
  if (votes === null || isNonAttached(votes)) return null;
  if (majorityFor(votes) === 'for') return 'for';
  return groupSize(votes) === null || votes.for === null ? null : 'not for';
}

/** Names the groups of a one-sided ballot without a position, as their size is not stated; null if there are none. */
function unknownPositionsNote(ballot: Ballot): Phrase | null {
  const groups = ballot.votes_by_party.filter((votes) => !isNonAttached(votes));
  const groupsWithoutSize = groups.filter((votes) => groupSize(votes) === null);
  if (!isOneSided(ballot) || groupsWithoutSize.length === 0) return null;
  if (groupsWithoutSize.length === groups.length)
    return say`The source states the members of no group: whether most of a group voted for is unknown, so none has a position; in brackets: as the source states.`;
  const names = groupsWithoutSize.map((votes) => votes.party_name ?? votes.party ?? '…').join(', ');
  return say`Whether most of these groups voted for is unknown, since the source does not state their members, so they have no position (in brackets: as the source states): ${names}.`;
}

const censureRule = say`For a motion of censure, only votes for are counted; it needs an absolute majority of all members.`;

/** Remarks on a ballot: a vote for it deletes something, only votes for count, unknown positions, contradictions. */
export const ballotRemarks = (ballot: Ballot): Phrase[] => [
  ...(isDeletion(ballot) ? [say`A vote for this amendment is a vote to delete the provision.`] : []),
  ...[unknownPositionsNote(ballot) ?? []].flat(),
  ...(isMotionOfCensure(ballot) ? [censureRule] : []),
  ...contradictionLines(ballot),
];

/** Number of votes for the stated position of a group, and of its members; null if the source lacks either. */
export function supportOfPosition(votes: PartyVotes): { votes: number; members: number } | null {
  const stance = isNonAttached(votes) ? null : stanceOf(votes.position);
  const members = groupSize(votes);
  const count = stance === null ? null : votes[stance];
  return members === null || count === null ? null : { votes: count, members };
}

/** As `supportOfPosition`; null if more than half of the members voted so, or in ballots where few members vote. */
export function minoritySupport(votes: PartyVotes, ballot: Ballot) {
  // In other ballots few members vote, so that almost every position would be one of a minority.
  const isComparable = isOneSided(ballot) || (ballot.chamber === 'AN' && natureOf(ballot) === 'whole');
  const support = isComparable ? supportOfPosition(votes) : null;
  return support !== null && support.votes * 2 <= support.members ? support : null;
}

/** A share over fewer ballots is shown with its number, not as a percentage. */
export const minBallots = 10;

/** True for a share over some ballots, but fewer than `minBallots`. */
export const isFew = (n: number): boolean => n > 0 && n < minBallots;
