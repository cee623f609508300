import { say } from '../words/speech.ts';
import { type Ballot, type Counts, type PartyVotes, type Stance, stances } from './ballot.ts';
import { isMotionOfCensure } from './heading.ts';

/** Agreement Index of a group, 0 (even three-way split) to 1; null if nobody voted or a count is not published. */
export function agreementIndex(counts: Counts): number | null {
  // See `agreementFormula`, with Y, N and A for votes for, against and abstaining. A single voter always gives 1.
  const castVotes = votesCastIn(counts);
  if (castVotes === null || castVotes === 0) return null;
  const maxCount = Math.max(counts.for!, counts.against!, counts.abstention!);
  return (maxCount - (castVotes - maxCount) / 2) / castVotes;
}

/** The formula of the Agreement Index, shown with every figure. */
export const agreementFormula = say`AI = (max(Y,N,A) - ((Y+N+A) - max(Y,N,A)) / 2) / (Y+N+A) of each ballot, then the mean (Hix, Noury and Roland 2005)`;

/** Share of a group's voters, 0 to 1, outside its largest side; null if nobody voted or a count is not published. */
export function dissentOf(counts: Counts): number | null {
  const voters = votesCastIn(counts);
  if (voters === null || voters === 0) return null;
  return 1 - Math.max(counts.for!, counts.against!, counts.abstention!) / voters;
}

/** Sum of votes for, against and abstaining; null if one of these counts is not published. */
export function votesCastIn({ for: votesFor, against, abstention }: Counts): number | null {
  return votesFor === null || against === null || abstention === null ? null : votesFor + against + abstention;
}

/** Votes of the first group in the ballot with any of these slugs (groups can share a name); null if none has. */
export function votesOf(ballot: Ballot, slugs: readonly string[]): PartyVotes | null {
  return ballot.votes_by_party.find(({ party }) => party !== null && slugs.includes(party)) ?? null;
}

/** The side with more votes in the whole chamber, not always the outcome; null for a tie or unpublished counts. */
export function largerSide(ballot: Ballot): Stance | null {
  // A motion of censure counts no votes against; other ballots may require another majority.
  const { totals } = ballot;
  if (isMotionOfCensure(ballot) || typeof totals?.for !== 'number' || typeof totals.against !== 'number') return null;
  if (totals.for === totals.against) return null;
  return totals.for > totals.against ? 'for' : 'against';
}

/** Creates a table of the number of ballots per pair of positions, `table[one][other]`, with all counts 0. */
export function emptyPositionTable() {
  const row = () => Object.fromEntries(stances.map((stance) => [stance, 0])) as Record<Stance, number>;
  return Object.fromEntries(stances.map((stance) => [stance, row()])) as Record<Stance, Record<Stance, number>>;
}
