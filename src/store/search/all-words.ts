import type { Query } from '../../language/query.ts';
import { type KindName, kindOf } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { findMatches, sumOf } from './counting.ts';
import { matchExpression, neighbourExpressions, withIndexTokens, withLongForms } from './expression.ts';
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

/** The query in the index's tokens, with the long forms of its short words, and also with the forms of its verbs. */
function readingsOf(mirror: Mirror, originalQuery: Query): { typed: Query; inForms: Query | null } {
  const typed = withLongForms(mirror, withIndexTokens(mirror, originalQuery));
  return { typed, inForms: withFamilies(mirror, typed, 'verb') };
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
  const { typed, inForms } = readingsOf(mirror, originalQuery);
  const match = matchExpression(typed);
  const forms =
    inForms === null ? [] : stepOf(mirror, 'family', { match: `(${matchExpression(inForms)}) NOT (${match})`, scope });
  const steps = [...stepOf(mirror, 'words', { match, scope, beside: neighbourExpressions(typed) }), ...forms];
  return { steps, query: forms.length > 0 ? inForms! : originalQuery, corrected: [] };
}

/** The condition on `id` for records of kinds, or of some, that match the words of a filter as in a search. */
export function wordsSql(mirror: Mirror, q: string, kindNames: readonly KindName[], scanned = kindNames): Sql {
  const kinds = kindNames.map(kindOf);
  const reading = readQuery(mirror, q, kinds);
  const { filters, ...query } = reading.query;
  // A list has parameters in place of the filters of a search.
  const terms = [...query.terms, ...filters.flatMap(({ isExcluded, asWords }) => (isExcluded ? [] : asWords))];
  const { typed, inForms } = readingsOf(mirror, { ...query, filters, terms });
  const match = matchExpression(inForms ?? typed);
  if (match === null && reading.condition === undefined) return { sql: q.trim() === '' ? '1' : '0', parameters: [] };
  return conditionSql(mirror, match, { ...reading, kinds: scanned.map(kindOf) });
}
