import {
  type Ballot,
  countSpellings,
  countsIn,
  groupsIn,
  integerOf,
  sourceOf,
  totalsFields,
  votesFieldOf,
} from './ballot.ts';
import { type Contradiction, createContradiction } from './contradiction.ts';
import { type Document, documentsIn, type Json } from './document.ts';

/** Counts of a ballot's record, and members of its groups, that are stated but no whole numbers: read as missing. */
export function oddCounts(document: Document, { votes_by_party }: Pick<Ballot, 'votes_by_party'>): Contradiction[] {
  const source = sourceOf(document);
  const votesField = votesFieldOf(source);
  const totals = totalsFields.filter((field) => field !== votesField).map((field) => source[field] ?? null);
  return [
    ...documentsIn(totals).flatMap((counts) => oddIn(counts, 'ballot')),
    ...groupsIn(votesField && source[votesField]).flatMap((group, at) => {
      const { party, party_name } = votes_by_party[at]!;
      return oddIn(countsIn(group), party ?? party_name ?? '');
    }),
  ];
}

function oddIn(counts: Document, origin: string): Contradiction[] {
  return Object.entries({ ...countSpellings, members: ['members'] }).flatMap(([field, names]) => {
    const values = names.map((name) => counts[name]).filter(isStated);
    if (values.length === 0 || values.some((value) => integerOf(value) !== null)) return [];
    return [createContradiction('count', field, [values[0]!, origin], ['no number', 'shown as missing'])];
  });
}

const isStated = (value: Json | undefined): boolean =>
  value !== null && value !== undefined && typeof value !== 'object' && String(value).trim() !== '';
