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
export type Searched = { steps: Step[]; query: Query; corrected: Correction[] };

/** The number of matches; null if not all were counted. */
export const totalOf = (steps: readonly Step[]): number | null =>
  sumOf(steps.flatMap(({ matchesByKind }) => matchesByKind.map(({ total }) => total)));

/** The readings of a query that need all its words, closest first; the last may be in its verb forms. */
function readingsOf(mirror: Mirror, query: Query) {
  const typed = withLongForms(mirror, query);
  const readings: [SearchMatchKind, Query | null][] = [
    ['words', asPassage(query)],
    ['words', withAcronyms(mirror, typed)],
    ['words', typed],
    ['family', withFamilies(mirror, typed, 'verb')],
  ];
  return readings.flatMap(([matchKind, reading]) => {
    const match = reading && matchExpression(reading);
    return match === null ? [] : [{ matchKind, match, query: reading! }];
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

/** The records that contain all words of a query, as typed and then in other forms of its verbs: what matches it. */
export function searchAllWords(mirror: Mirror, originalQuery: Query, scope: Scope): Searched {
  let before = '';
  let searched = originalQuery;
  const steps = readingsOf(mirror, originalQuery).flatMap(({ matchKind, match, query }) => {
    const beside = matchKind === 'words' ? neighbourExpressions(query) : [];
    const newSteps = stepOf(mirror, matchKind, { match: `(${match})${before}`, scope, beside });
    before += ` NOT (${match})`;
    if (matchKind === 'family' && newSteps.length > 0) searched = query;
    return newSteps;
  });
  return { steps, query: searched, corrected: [] };
}

/** The condition on `id` for records of kinds, or of some, that match the words of a filter as in a search. */
export function wordsSql(mirror: Mirror, q: string, kindNames: readonly KindName[], scanned = kindNames): Sql {
  const kinds = kindNames.map(kindOf);
  const reading = readQuery(mirror, q, kinds);
  const { filters, ...query } = reading.query;
  // A list has parameters in place of the filters of a search.
  const terms = [...query.terms, ...filters.flatMap(({ isExcluded, asWords }) => (isExcluded ? [] : asWords))];
  const readings = readingsOf(mirror, { ...query, filters, terms });
  const match = readings.length === 0 ? null : readings.map((each) => `(${each.match})`).join(' OR ');
  if (match === null && reading.condition === undefined) return { sql: q.trim() === '' ? '1' : '0', parameters: [] };
  return conditionSql(mirror, match, { ...reading, kinds: scanned.map(kindOf) });
}
