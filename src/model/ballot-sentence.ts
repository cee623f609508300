import { figure, type Phrase, say, saying } from '../words/speech.ts';
import { votesCastIn } from './agreement.ts';
import { type Ballot, type Counts, isMotionOfCensure, readBallotFacts } from './ballot.ts';
import { countsApart } from './contradiction.ts';
import type { Document } from './document.ts';
import { membersOfAll } from './seats.ts';

/** What the source states of a ballot, as a sentence without a verb where it states no result. */
export function ballotSentence(ballot: Ballot): Phrase {
  const voters = ballot.totals && votesCastIn(ballot.totals);
  const members = membersOfAll(ballot);
  const turnout =
    voters !== null && members !== null && voters <= members && !isMotionOfCensure(ballot)
      ? say`; ${figure(voters)} of ${figure(members)} members listed voted or abstained`
      : '';
  const groups = ballot.votes_by_party.length === 0 ? say`; the votes of groups are not published` : '';
  const sums = otherSums(ballot);
  return say`${outcomeSentence(ballot)}${turnout}${groups}${sums === null ? '' : say`; the groups add up to other numbers than the totals of the source: ${sums}`}`;
}

/** Counts whose group sum differs from the total, or null; both are the source's. */
function otherSums(ballot: Ballot): Phrase | null {
  const differing = countsApart(ballot);
  if (differing.length === 0) return null;
  return saying(({ word }) =>
    differing
      .map(({ name, sum, total }) => `${word(name.replace('_', ' '))} ${sum} (${word('total')} ${total})`)
      .join(', '),
  );
}

/** The result as the source words it, and the counts; of a motion of censure only the votes for it. */
export function outcomeSentence(ballot: Document): Phrase {
  const { result, totals, required } = readBallotFacts(ballot);
  const counts = !totals
    ? say`no counts published`
    : isMotionOfCensure(ballot)
      ? votesOfCensure(totals.for, required)
      : countsPhrase(totals);
  return result === null ? counts : say`${result.slice(0, 1).toUpperCase() + result.slice(1)}: ${counts}`;
}

function votesOfCensure(votesFor: number | null, required: number | null): Phrase {
  const votes = votesFor === null ? say`(not stated)` : figure(votesFor);
  return required === null
    ? say`${votes} for (the number required is not stated)`
    : say`${votes} for of ${figure(required)} required`;
}

/** Those counts that are stated; a 0 of those who did not vote is left out. */
export function countsPhrase({ for: votesFor, against, abstention, non_voting: nonVoting }: Counts): Phrase {
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
