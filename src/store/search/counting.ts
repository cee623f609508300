import { once } from '../../language/once.ts';
import type { Query } from '../../language/query.ts';
import { type Kind, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { type IndexPart, indexParts, rowidRangeSql } from '../word-index/search-index.ts';
import { expressionsOf } from './expression.ts';
import { type Scope, scopeConditionSql } from './scope.ts';

const countLimit = 10_000; // per kind and index table

/** Number of newest matches ranked, in equal shares, over all lists (kind and index table) above `countLimit`. */
const rankLimit = 5000;

/** Matches of a kind: the total (null if not all were counted), and a function that returns the ranked ids. */
export type KindResult = { kind: Kind; total: number | null; ids: () => ReadonlySet<number> };

/** Matches of a kind for an FTS5 expression in a scope, and for each index table the first rowid that is ranked. */
export type KindMatches = KindResult & { match: string; scope: Scope; firstRankedRowids: number[] };

/** An index table to search, and the range of each kind: its records from a rowid on. */
type MatchRequest = { part: IndexPart; match: string; scope: Scope; ranges: readonly { kind: Kind; from: number }[] };

/** The FROM clause for the matching records of an index table, in one scan over all ranges. */
export function matchingSql(mirror: Mirror, { part, match, scope, ranges }: MatchRequest): Sql {
  // Without the unary plus, FTS5 would search once for each id of the scope.
  const scopeCondition = scopeConditionSql(mirror, scope, '+rowid');
  const bounds = ranges.flatMap(({ kind, from }) => [from, recordRange(kind).last]);
  const rangeSql = ranges.map(() => '+rowid BETWEEN ? AND ?').join(' OR ');
  return {
    sql: `FROM ${part.table} WHERE search MATCH ? AND ${rowidRangeSql} AND (${rangeSql})${scopeCondition.sql}${part.condition}`,
    parameters: [match, Math.min(...bounds), Math.max(...bounds), ...bounds, ...scopeCondition.parameters],
  };
}

/** Finds matches per kind; a kind over `countLimit` in an index table has total null, and only its newest ranked. */
export function findMatches(mirror: Mirror, match: string, scope: Scope): KindMatches[] {
  if (scope.kinds.length === 0) return [];
  const parts = indexParts(mirror);
  const idsIn = (part: IndexPart, kinds: readonly Kind[], order = '') =>
    readMatchIds(mirror, { part, match, scope, ranges: fullRanges(kinds) }, { order, maxIds: countLimit + 1 });
  // One scan of all kinds suffices for nearly all searches; over the limit, each kind is read alone, newest first.
  const idsByPart = parts.map((part) => idsIn(part, scope.kinds));
  const exceeds = (ids: readonly number[]) => ids.length > countLimit;
  const isComplete = !idsByPart.some(exceeds);
  const idsPerKind = scope.kinds.map((kind) => {
    const { first, last } = recordRange(kind);
    const ids = isComplete
      ? idsByPart.map((each) => each.filter((id) => id >= first && id <= last))
      : parts.map((part) => idsIn(part, [kind], 'ORDER BY rowid DESC'));
    return { kind, ids }; // `ids` by index table
  });
  const rankLimitPerList = Math.ceil(rankLimit / idsPerKind.flatMap(({ ids }) => ids.filter(exceeds)).length);
  return idsPerKind.map(({ kind, ids }) => {
    const rankedIds = ids.map((each) => (exceeds(each) ? each.slice(0, rankLimitPerList) : each));
    const total = ids.some(exceeds) ? null : rankedIds.flat().length;
    const firstRankedRowids = ids.map((each, at) => (exceeds(each) ? rankedIds[at]!.at(-1)! : recordRange(kind).first));
    // Most searches need only the number of matches.
    return { kind, total, match, scope, firstRankedRowids, ids: once(() => new Set(rankedIds.flat())) };
  });
}

const fullRanges = (kinds: readonly Kind[]) => kinds.map((kind) => ({ kind, from: recordRange(kind).first }));

/** Ids of matching records, by default in any order and all of them (-1). */
export function readMatchIds(mirror: Mirror, request: MatchRequest, { order = '', maxIds = -1 } = {}): number[] {
  const { sql, parameters } = matchingSql(mirror, request);
  return mirror.column<number>(`SELECT rowid ${sql} ${order} LIMIT ?`).all(...parameters, maxIds);
}

/** The sum of totals; null if one of them is null (not counted). */
export function sumOf(totals: (number | null)[]): number | null {
  return totals.reduce((sum, total) => (sum === null || total === null ? null : sum + total), 0);
}

/** Ids of those of the records that contain a word which the query excludes. */
export function findExcluded(mirror: Mirror, { excluded }: Query, records: readonly { id: number }[]): Set<number> {
  const match = expressionsOf(excluded).join(' OR ');
  if (match === '' || records.length === 0) return new Set();
  const ids = JSON.stringify(records.map(({ id }) => id));
  const queries = indexParts(mirror).map(({ table, condition }) =>
    mirror.column<number>(
      `SELECT rowid FROM ${table} WHERE search MATCH ? AND +rowid IN (SELECT value FROM json_each(?))${condition}`,
    ),
  );
  return new Set(queries.flatMap((query) => query.all(match, ids)));
}
