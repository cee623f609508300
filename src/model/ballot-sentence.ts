import { figure, type Phrase, say, saying } from '../words/speech.ts';
import { votesCastIn } from './agreement.ts';
import { type Ballot, countFields, isMotionOfCensure } from './ballot.ts';
import { membersOfAll } from './seats.ts';

/**
 * The counts of a ballot as a sentence, with turnout if the number of members is stated, and with any difference between
 * totals and group sums.
 */
export function ballotSentence(ballot: Ballot): Phrase {
  const voters = ballot.totals && votesCastIn(ballot.totals);
  const members = membersOfAll(ballot);
  const turnout =
    voters !== null && members !== null && voters <= members && !isMotionOfCensure(ballot)
      ? say`; ${figure(voters)} of ${figure(members)} members voted or abstained`
      : '';
  const groups = ballot.votes_by_party.length === 0 ? say`; the votes of groups are not published` : '';
  const sums = otherSums(ballot);
  return say`${countSentence(ballot)}${turnout}${groups}${sums === null ? '' : say`; the groups add up to other numbers than the totals of the source: ${sums}`}`;
}

/** Counts whose group sum differs from the total, or null; both are the source's. */
export function otherSums({ totals, votes_by_party: groups }: Ballot): Phrase | null {
  const differing = countFields.flatMap((name) => {
    const total = totals?.[name] ?? null;
    const votes = groups.map((group) => group[name]).filter((count) => count !== null);
    if (total === null || votes.length === 0 || votes.length < groups.length) return [];
    const sum = votes.reduce((one, other) => one + other);
    return sum === total ? [] : [{ name, sum, total }];
  });
  if (differing.length === 0) return null;
  return saying(({ word }) =>
    differing
      .map(({ name, sum, total }) => `${word(name.replace('_', ' '))} ${sum} (${word('total')} ${total})`)
      .join(', '),
  );
}

/** The counts of a ballot as its source states them; only the votes for, if it is a motion of censure. */
export function countSentence(ballot: Ballot): Phrase {
  const { totals, required } = ballot;
  if (!totals) return say`no counts published`;
  if (isMotionOfCensure(ballot)) {
    const votes = totals.for ?? say`(not stated)`;
    return required === null
      ? say`for ${votes} (the number required is not stated)`
      : say`for ${votes} of ${required} required`;
  }
  const stated = countFields.filter((name) => typeof totals[name] === 'number');
  return saying(({ word }) =>
    stated.map((name) => `${word(name.replace('_', ' '))} ${totals[name]}`).join(', '),
  );
}
