import type { Query } from '../../language/query.ts';
import { type KindName, kindOf } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { findMatches, sumOf } from './counting.ts';
import { asPassage, matchExpression, neighbourExpressions, withAcronyms, withLongForms } from './expression.ts';
import { withFamilies } from './families.ts';
import { type ResultCursor, rankMatches, type SearchMatchKind, type Step } from './ranking.ts';
import { conditionSql, readQuery } from './reading.ts';
import type { Scope } from './scope.ts';
import type { Correction } from './spelling.ts';

/** Result of a search: the steps with matches in order, the query as searched, and its corrections. */
export type SearchResult = { steps: Step[]; query: Query; corrected: Correction[] };

/** The number of matches; null if not all were counted. */
export const totalOf = (steps: readonly Step[]): number | null =>
  sumOf(steps.flatMap(({ matchesByKind }) => matchesByKind.map(({ total }) => total)));

/** Returns expressions that require all words of a query, closest first; the last allows other forms of its verbs. */
function interpretationsOf(mirror: Mirror, query: Query) {
  const expandedQuery = withLongForms(mirror, query);
  const interpretations: [SearchMatchKind, Query | null][] = [
    ['words', asPassage(query)],
    ['words', withAcronyms(mirror, expandedQuery)],
    ['words', expandedQuery],
    ['family', withFamilies(mirror, expandedQuery, 'verb')],
  ];
  return interpretations.flatMap(([matchKind, interpretation]) => {
    const match = interpretation && matchExpression(interpretation);
    return match === null ? [] : [{ matchKind, match, query: interpretation! }];
  });
}

/** A step with its matches, in a list; empty without matches. */
export function stepOf(
  mirror: Mirror,
  matchKind: SearchMatchKind,
  { match, scope, beside = [] }: { match: string | null; scope: Scope; beside?: readonly string[] },
): Step[] {
  if (match === null) return [];
  const matchesByKind = findMatches(mirror, match, scope);
  const ranked = (after: ResultCursor | null) => rankMatches(mirror, matchesByKind, { after, beside });
  return matchesByKind.some(({ total }) => total !== 0) ? [{ matchKind, match, matchesByKind, rankAfter: ranked }] : [];
}

/** Finds the records with all words of a query: first as typed, then also with other forms of its verbs. */
export function searchAllWords(mirror: Mirror, originalQuery: Query, scope: Scope): SearchResult {
  // Each step excludes the matches of the steps before it.
  let exclusions = '';
  let effectiveQuery = originalQuery;
  const steps = interpretationsOf(mirror, originalQuery).flatMap(({ matchKind, match, query }) => {
    const beside = matchKind === 'words' ? neighbourExpressions(query) : [];
    const newSteps = stepOf(mirror, matchKind, { match: `(${match})${exclusions}`, scope, beside });
    exclusions += ` NOT (${match})`;
    if (matchKind === 'family' && newSteps.length > 0) effectiveQuery = query;
    return newSteps;
  });
  return { steps, query: effectiveQuery, corrected: [] };
}

/** Returns a condition on `id`: records of `scannedKinds` that match a filter's words as in a search of `kindNames`. */
export function wordsSql(mirror: Mirror, q: string, kindNames: readonly KindName[], scannedKinds = kindNames): Sql {
  const kinds = kindNames.map(kindOf);
  const reading = readQuery(mirror, q, kinds);
  const { filters, ...query } = reading.query;
  // A list has parameters in place of the filters of a search.
  const terms = [...query.terms, ...filters.flatMap(({ isExcluded, asWords }) => (isExcluded ? [] : asWords))];
  const interpretations = interpretationsOf(mirror, { ...query, filters, terms });
  const match = interpretations.length === 0 ? null : interpretations.map((each) => `(${each.match})`).join(' OR ');
  if (match === null && reading.condition === undefined) return { sql: q.trim() === '' ? '1' : '0', parameters: [] };
  return conditionSql(mirror, match, { ...reading, kinds: scannedKinds.map(kindOf) });
}
