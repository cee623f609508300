import { capitalise, figure, type Phrase, say, saying } from '../words/speech.ts';
import { votesCastIn } from './agreement.ts';
import { type Ballot, type Counts, isNonAttached, type PartyVotes, readBallot, stanceOf } from './ballot.ts';
import { differingCounts } from './contradiction.ts';
import type { Document, Json } from './document.ts';
import { isMotionOfCensure } from './heading.ts';
import { seatStateNames, totalSize } from './seats.ts';

/** A sentence on the result, turnout and groups of a ballot. */
export function ballotSentence(ballot: Ballot): Phrase {
  const voters = ballot.totals && votesCastIn(ballot.totals);
  const members = totalSize(ballot);
  // In the Sénat, delegates cast the votes of whole groups: their number is no turnout.
  const isTurnout = ballot.chamber === 'AN' && !isMotionOfCensure(ballot);
  const turnout =
    voters !== null && members !== null && voters <= members && isTurnout
      ? say`; ${figure(voters)} of ${figure(members)} members listed voted or abstained`
      : '';
  const groups = ballot.votes_by_party.length === 0 ? say`; the votes of groups are not published` : '';
  const differences = differingCounts(ballot);
  const sums = saying(({ word }) =>
    differences
      .map(({ name, sum, total }) => `${word(seatStateNames[name])} ${sum} (${word('total')} ${total})`)
      .join(', '),
  );
  return say`${outcomeSentence(ballot)}${turnout}${groups}${differences.length === 0 ? '' : say`; the sums of the groups differ from the totals of the source: ${sums}`}`;
}

/** The result as the source states it, and the counts; for a motion of censure only the votes for it. */
export function outcomeSentence(ballot: Document): Phrase {
  const { result, totals, required: requiredVotes } = readBallot(ballot);
  const counts = isMotionOfCensure(ballot) && totals ? votesOfCensure(totals.for, requiredVotes) : countsPhrase(totals);
  if (result === null && !totals) return counts;
  const outcome = result === null ? say`No result published` : (resultNames.get(result) ?? capitalise(result));
  return say`${outcome}: ${counts}`;
}

/** The results of both chambers in the reader's language; others stay in the source's words. */
const resultNames = new Map([
  ['adopté', say`Adopted`],
  ['rejeté', say`Rejected`],
]);

function votesOfCensure(votesFor: number | null, required: number | null): Phrase {
  const votes = votesFor === null ? say`(not stated)` : figure(votesFor);
  return required === null
    ? say`${votes} for (the number required is not stated)`
    : say`${votes} for of ${figure(required)} required`;
}

/** The position of a group as counted, else the stated one in brackets; null if it has none or is no group. */
export function positionText(votes: Document): string | null {
  const { position, stated_position: statedPosition } = votes as Record<string, string | null>;
  return isNonAttached(votes as PartyVotes) ? null : (position ?? (statedPosition ? `(${statedPosition})` : null));
}

/** States that `voted` of a ballot has none of the requested groups; null if it has one, or none were requested. */
export const unlistedGroupsPhrase = (voted: Json | undefined): Phrase | null =>
  Array.isArray(voted) && voted.length === 0 ? say`votes of the requested groups: not listed` : null;

/** The position and figures of a group: `for, 12 for, of 20 members`; brief: `for (12 for, of 20 members)`. */
export function positionPhrase(votes: Document, isBallotOneSided: boolean, isBrief = false): Phrase {
  const counts = votes as Counts;
  const countText = countsPhrase(isBallotOneSided ? { ...counts, against: null, abstention: null } : counts);
  const { members } = votes;
  const countWithNote = isBrief ? countText : say`${countText} (members not stated)`;
  const figures = typeof members === 'number' ? say`${countText}, of ${figure(members)} members` : countWithNote;
  const shownText = positionText(votes);
  if (shownText === null) return isNonAttached(votes as PartyVotes) ? figures : say`${say`(none)`}, ${figures}`;
  const position = saying(({ word }) => shownText.replace(/[^()]+/u, (text) => word(stanceOf(text) ?? text)));
  return isBrief ? say`${position} (${figures})` : say`${position}, ${figures}`;
}

/** The published counts, without a 0 of non-voters; `no counts published` if there are none. */
export function countsPhrase(counts: Counts | null): Phrase {
  const { for: votesFor = null, against = null, abstention = null, non_voting: nonVoting = null } = counts ?? {};
  return saying((speech) => {
    const parts = [
      votesFor !== null && speech.say`${figure(votesFor)} for`,
      against !== null && speech.say`${figure(against)} against`,
      abstention !== null && speech.count(abstention, 'abstention'),
      nonVoting && speech.count(nonVoting, 'non-voter'),
    ];
    return parts.filter(Boolean).join(', ') || speech.say`no counts published`;
  });
}
