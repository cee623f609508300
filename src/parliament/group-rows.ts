import { dissentOf } from '../model/agreement.ts';
import {
  type Ballot,
  ballotKey,
  countFields,
  countFieldsOf,
  integerOf,
  isNonAttached,
  type PartyVotes,
  readBallot,
  stanceOf,
} from '../model/ballot.ts';
import { flatTotalColumns } from '../model/columns.ts';
import { type Document, isDocument, type Json } from '../model/document.ts';
import { keyOf } from '../model/facets.ts';
import { kindOf } from '../model/kinds.ts';
import { groupSize } from '../model/seats.ts';
import { ballotDerivedColumns, groupDerivedColumns } from './derived-columns.ts';
import { countWithoutRecordedVote, electorateOf, turnoutOf } from './electorate.ts';
import { groupPosition, isOneSided } from './group-position.ts';
import { type Nature, titleFactsOf } from './nature.ts';

/** Values derived from a ballot, by column; the caller gives its nature, which other ballots may decide. */
export const derivedOfBallot = (ballot: Ballot, nature: Nature | null) => ({
  nature,
  text_kind: titleFactsOf(ballot).textKind,
  one_sided: isOneSided(ballot),
  ...electorateOf(ballot),
  turnout: turnoutOf(ballot),
});

/** Values derived from a group's votes, by column; `position` keeps the source's word if it is the counted position. */
export function derivedOfGroup(votes: PartyVotes, isBallotOneSided: boolean) {
  const position = groupPosition(votes, isBallotOneSided);
  const isGroup = !isNonAttached(votes) && (votes.party ?? votes.party_name) !== null;
  return {
    position: stanceOf(votes.position) === position ? votes.position : position,
    stated_position: votes.position,
    no_vote_recorded: countWithoutRecordedVote(votes),
    dissent: isBallotOneSided || !isGroup ? null : dissentOf(votes),
  };
}

/** Values derived from a ballot and, under `groups`, from the votes of each group, without fields of the record. */
export function derivedOfRecord(document: Document, nature: Nature | null): Document {
  const ballot = readBallot(document);
  const derived = derivedOfBallot(ballot, nature);
  const groupOf = (votes: PartyVotes) => ({ party: votes.party, ...derivedOfGroup(votes, derived.one_sided) });
  return { ...derived, groups: ballot.votes_by_party.map(groupOf) };
}

/** Columns of the ballot in tables with several rows per ballot. */
export const repeatedColumns = ['ballot', 'chamber', 'scrutin_id', 'date', 'title', 'result'];

/** Columns of a ballot as a table with one row per group; derived ones last. */
export const groupRowColumns = [
  ...repeatedColumns,
  'party',
  'party_name',
  'members',
  ...countFields.map((name) => `votes_${name}`),
  'position',
  ...groupDerivedColumns.map(({ name }) => name),
];

/** One row per group with the ballot's fields; without counts that it does not record if `omitsUnrecorded`. */
export function groupRows(document: Document, omitsUnrecorded = false): Document[] {
  const wholeBallot = readBallot(document);
  const { votes_by_party, totals: _totals, ...ballot } = wholeBallot;
  const isBallotOneSided = isOneSided(wholeBallot);
  const shownCountFields = omitsUnrecorded ? countFieldsOf(wholeBallot) : countFields;
  return votes_by_party.map((votes) => ({
    ballot: ballotKey(ballot),
    ...ballot,
    party: votes.party,
    party_name: votes.party_name,
    members: groupSize(votes),
    ...Object.fromEntries(shownCountFields.map((name) => [`votes_${name}`, votes[name]])),
    ...derivedOfGroup(votes, isBallotOneSided),
  }));
}

const flatNames = flatTotalColumns.map(({ name }) => name);

/** Fields with numbers that sources publish as text; a value with leading zeros stays text. */
const numberFields = ['number', 'legislature'];

const numberOf = (value: Json | undefined) => {
  const number = integerOf(value);
  return number !== null && String(number) === value ? number : value;
};

/** The totals of a ballot as flat columns, else values that the source's `totals` have under their names; or null. */
export function flatTotalsOf(document: Document, { totals }: Pick<Ballot, 'totals'>): Document {
  const counts: Document = totals ?? {};
  const sourceTotals = isDocument(document.totals) ? document.totals : {};
  return Object.fromEntries(
    flatNames.map((name) => [name, integerOf(counts[name.replace(/^votes_/, '')]) ?? integerOf(sourceTotals[name])]),
  );
}

/** A ballot with its key, its totals as flat columns, its numbers as numbers, and the derived columns at the end. */
export function withFlatTotals(document: Document, nature: Nature | null): Document {
  const ballot = readBallot(document);
  const parsedNumbers = numberFields.filter((name) => name in document).map((name) => [name, numberOf(document[name])]);
  return {
    ballot: keyOf(kindOf('ballot'), document),
    ...document,
    ...Object.fromEntries(parsedNumbers),
    ...flatTotalsOf(document, ballot),
    // A field of the source keeps its name.
    ...Object.fromEntries(Object.entries(derivedOfBallot(ballot, nature)).filter(([name]) => !(name in document))),
  };
}

const droppedNames = ['ballot', ...flatNames];
const derivedNames = ballotDerivedColumns.map(({ name }) => name);

/** The inverse of `withFlatTotals`: restores `totals` and numbers as text, and drops derived values. */
export function withoutFlatTotals(row: Document): Document {
  if (!('votes_for' in row)) return row;
  const columns = Object.entries(row);
  // Derived columns are the last ones; a field of that name before them is the source's.
  const lastSourceIndex = columns.findLastIndex(([name]) => !derivedNames.includes(name));
  const otherColumns = columns
    .filter(([name], at) => at <= lastSourceIndex && !droppedNames.includes(name))
    .map(([name, value]) => [name, numberFields.includes(name) && value !== null ? String(value) : value!] as const);
  if (isDocument(row.totals)) return Object.fromEntries(otherColumns);
  const totalNames = flatNames.filter((name) => (row[name] ?? null) !== null);
  const totals = totalNames.map((name) => [name.replace(/^votes_/, ''), row[name]!] as const);
  return Object.fromEntries([...otherColumns, ['totals', totalNames.length > 0 ? Object.fromEntries(totals) : null]]);
}
