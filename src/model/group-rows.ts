import { ballotKey, countFields, integerOf, readBallot, readBallotFacts } from './ballot.ts';
import { flatTotals } from './columns.ts';
import { type Document, isDocument, textOf } from './document.ts';
import { keyOf } from './facets.ts';
import { kindOf } from './kinds.ts';
import { membersOf } from './seats.ts';

/** Columns of a ballot as a table with one row per group, in which the ballot's fields repeat. */
export const groupRowColumns = [
  'ballot',
  'chamber',
  'scrutin_id',
  'date',
  'title',
  'result',
  'party',
  'party_name',
  'members',
  ...countFields.map((name) => `votes_${name}`),
  'position',
];

/** One row per group of a ballot, with the ballot's fields repeated. */
export function groupRows(document: Document): Document[] {
  const { votes_by_party, totals: _totals, ...ballot } = readBallot(document);
  return votes_by_party.map(
    (votes): Document => ({
      ballot: ballotKey(ballot),
      ...ballot,
      party: votes.party,
      party_name: votes.party_name,
      members: membersOf(votes),
      ...Object.fromEntries(countFields.map((name) => [`votes_${name}`, votes[name]])),
      position: textOf(votes as Document, 'position'),
    }),
  );
}

const flatNames = flatTotals.map(({ name }) => name);

/** Numbers that sources publish as text. */
const numberFields = ['number', 'legislature'];

/** A ballot with its key, its totals as flat columns, and its numbers as numbers. */
export function withFlatTotals(document: Document): Document {
  const totals: Document = readBallotFacts(document).totals ?? {};
  const sourceTotals = isDocument(document.totals) ? document.totals : {};
  const totalColumns = flatNames.map((name) => [
    name,
    totals[name.replace(/^votes_/, '')] ?? integerOf(sourceTotals[name]) ?? null,
  ]);
  const parsedNumbers = numberFields
    .filter((name) => name in document)
    .map((name) => [name, integerOf(document[name]) ?? document[name]]);
  return {
    ballot: keyOf(kindOf('ballot'), document),
    ...document,
    ...Object.fromEntries([...parsedNumbers, ...totalColumns]),
  };
}

/** The inverse of `withFlatTotals`: restores `totals` and numbers as text. */
export function withoutFlatTotals(row: Document): Document {
  if (!('votes_for' in row)) return row;
  const otherColumns = Object.entries(row)
    .filter(([name]) => name !== 'ballot' && !flatNames.includes(name))
    .map(([name, value]) => [name, numberFields.includes(name) && value !== null ? String(value) : value!] as const);
  if (isDocument(row.totals)) return Object.fromEntries(otherColumns);
  const statedColumns = flatNames.filter((name) => (row[name] ?? null) !== null);
  const totals = statedColumns.map((name) => [name.replace(/^votes_/, ''), row[name]!] as const);
  return Object.fromEntries([
    ...otherColumns,
    ['totals', statedColumns.length > 0 ? Object.fromEntries(totals) : null],
  ]);
}
