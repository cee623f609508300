import { readBallot } from './ballot.ts';
import { type Document, textOf } from './document.ts';
import { membersOf } from './seats.ts';

/** Columns of the votes of one ballot as a table: a row for each group, what is said of the ballot in each. */
export const groupRowColumns = [
  'chamber',
  'scrutin_id',
  'date',
  'title',
  'result',
  'party',
  'party_name',
  'members',
  'votes_for',
  'votes_against',
  'votes_abstention',
  'votes_non_voting',
  'position',
];

/** A ballot as a row for each group that its source names, with its own fields in each; null is what is not stated. */
export function groupRows(document: Document): Document[] {
  const { votes_by_party, totals: _totals, ...ballot } = readBallot(document);
  return votes_by_party.map(
    (votes): Document => ({
      ...ballot,
      party: votes.party,
      party_name: votes.party_name,
      members: membersOf(votes),
      votes_for: votes.for,
      votes_against: votes.against,
      votes_abstention: votes.abstention,
      votes_non_voting: votes.non_voting,
      position: textOf(votes as Document, 'position'),
    }),
  );
}
