import type { Query } from '../../language/query.ts';
import { type KindName, kindOf } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { findMatches, sumOf } from './counting.ts';
import {
  matchExpression,
  neighbourExpressions,
  passageExpression,
  withAcronyms,
  withIndexTokens,
  withLongForms,
} from './expression.ts';
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

/** What matches all words of a query: an expression, how it matches, and phrases that rank its matches higher. */
type Row = { matchKind: SearchMatchKind; match: string; beside?: readonly string[] };

/** The readings of a query, closest first, and the query in other forms of its verbs; null without such a form. */
function readingsOf(mirror: Mirror, originalQuery: Query): { rows: Row[]; inForms: Query | null } {
  const indexQuery = withIndexTokens(mirror, originalQuery);
  const typed = withLongForms(mirror, indexQuery);
  const shortened = withAcronyms(mirror, typed);
  const inForms = withFamilies(mirror, typed, 'verb');
  const rows: [SearchMatchKind, string | null, Query | null][] = [
    ['words', passageExpression(indexQuery), null],
    ['words', shortened && matchExpression(shortened), shortened],
    ['words', matchExpression(typed), typed],
    ['family', inForms && matchExpression(inForms), null],
  ];
  return {
    rows: rows.flatMap(([matchKind, match, query]) =>
      match === null ? [] : [{ matchKind, match, beside: query ? neighbourExpressions(query) : [] }],
    ),
    inForms,
  };
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
  const { rows, inForms } = readingsOf(mirror, originalQuery);
  const steps = rows.flatMap(({ matchKind, match, beside = [] }, at) => {
    const before = rows.slice(0, at).map((row) => ` NOT (${row.match})`);
    return stepOf(mirror, matchKind, { match: `(${match})${before.join('')}`, scope, beside });
  });
  const isInForms = steps.some(({ matchKind }) => matchKind === 'family');
  return { steps, query: isInForms ? inForms! : originalQuery, corrected: [] };
}

/** The condition on `id` for records of kinds, or of some, that match the words of a filter as in a search. */
export function wordsSql(mirror: Mirror, q: string, kindNames: readonly KindName[], scanned = kindNames): Sql {
  const kinds = kindNames.map(kindOf);
  const reading = readQuery(mirror, q, kinds);
  const { filters, ...query } = reading.query;
  // A list has parameters in place of the filters of a search.
  const terms = [...query.terms, ...filters.flatMap(({ isExcluded, asWords }) => (isExcluded ? [] : asWords))];
  const { rows } = readingsOf(mirror, { ...query, filters, terms });
  const match = rows.length === 0 ? null : rows.map((row) => `(${row.match})`).join(' OR ');
  if (match === null && reading.condition === undefined) return { sql: q.trim() === '' ? '1' : '0', parameters: [] };
  return conditionSql(mirror, match, { ...reading, kinds: scanned.map(kindOf) });
}
