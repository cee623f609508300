import type { Query } from '../../language/query.ts';
import { type Kind, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { kindOfRecord } from '../record.ts';
import { type IndexPart, indexParts, rowidRangeSql } from '../word-index/search-index.ts';
import { expressionsOf } from './expression.ts';
import { fewMembers, memberSql, type Scope } from './scope.ts';

const countLimit = 10_000;

/** Above the counting limit, only this many matches over all kinds are ranked: the newest of each kind. */
const rankLimit = 5000;

/** Matches of a kind: the total (null if not all were counted) and the ranked ids. */
export type KindResult = { kind: Kind; total: number | null; ids: ReadonlySet<number> };

/** Matches of a kind for an FTS5 expression; `from` has the first ranked rowid for each index table. */
export type KindMatches = KindResult & { match: string; scope: Scope; from: number[] };

/** Kinds of a scope in an index table, each from a rowid; `isScanned` if bm25 ranks them. */
type MatchRequest = {
  part: IndexPart;
  match: string;
  scope: Scope;
  ranges: readonly { kind: Kind; from: number }[];
  isScanned?: boolean;
};

/** The FROM clause for the matching records of an index table, in one scan over all ranges. */
export function matchingSql(mirror: Mirror, { part, match, scope, ranges, isScanned }: MatchRequest): Sql {
  const memberIds = fewMembers(mirror, scope);
  const ids = memberIds?.filter((id) => ranges.some(({ kind }) => kindOfRecord(id) === kind));
  if (ids !== undefined) return amongSql(part, { match, ids, isScanned });
  const rangeConditions = ranges.map(({ kind, from }) => ({
    bounds: [from, recordRange(kind).last],
    condition: memberSql(mirror, scope, kind),
  }));
  // The unary plus keeps SQLite from running one index scan for each range.
  const rangeSql = rangeConditions.map(({ condition }) => `(+rowid BETWEEN ? AND ?${condition.sql})`).join(' OR ');
  const allBounds = rangeConditions.flatMap(({ bounds }) => bounds);
  return {
    sql: `FROM ${part.table} WHERE search MATCH ? AND ${rowidRangeSql} AND (${rangeSql})${part.condition}`,
    parameters: [
      match,
      Math.min(...allBounds),
      Math.max(...allBounds),
      ...rangeConditions.flatMap(({ bounds, condition }) => [...bounds, ...condition.parameters]),
    ],
  };
}

/** As `matchingSql` for few records: looks each up, but not under bm25, which would recount every word per record. */
function amongSql(
  { table, condition }: IndexPart,
  { match, ids, isScanned = false }: { match: string; ids: readonly number[]; isScanned?: boolean | undefined },
): Sql {
  const idSql = `${isScanned ? '+' : ''}rowid IN (SELECT value FROM json_each(?))`;
  return {
    sql: `FROM ${table} WHERE search MATCH ? AND ${idSql}${condition}`,
    parameters: [match, JSON.stringify(ids)],
  };
}

/** Finds the matches per kind. Up to 10,000 are counted; above that, only the newest are ranked. */
export function findMatches(mirror: Mirror, match: string, scope: Scope): KindMatches[] {
  if (scope.kinds.length === 0) return [];
  const parts = indexParts(mirror);
  const idsIn = (part: IndexPart, kinds: readonly Kind[], order = '') => {
    const ranges = kinds.map((kind) => ({ kind, from: recordRange(kind).first }));
    return readMatchIds(mirror, { part, match, scope, ranges }, `${order} LIMIT ${countLimit + 1}`);
  };
  // One scan for all kinds suffices for nearly all searches.
  const idsByPart = parts.map((part) => idsIn(part, scope.kinds));
  const isComplete = idsByPart.every(({ length }) => length <= countLimit);
  const byKind = Map.groupBy(isComplete ? idsByPart.flat() : [], kindOfRecord);
  const idsPerKind = scope.kinds.map((kind) => {
    const ids = isComplete ? [byKind.get(kind) ?? []] : parts.map((part) => idsIn(part, [kind], 'ORDER BY rowid DESC'));
    return { kind, ids, isCut: ids.map(({ length }) => length > countLimit) };
  });
  const rankLimitPerKind = Math.ceil(rankLimit / idsPerKind.flatMap(({ isCut }) => isCut.filter(Boolean)).length);
  return idsPerKind.map(({ kind, ids, isCut }) => {
    const rankedIds = ids.map((each, at) => (isCut[at] ? each.slice(0, rankLimitPerKind) : each));
    const total = isCut.includes(true) ? null : rankedIds.flat().length;
    const from = parts.map((_, at) => (isCut[at] ? rankedIds[at]!.at(-1)! : recordRange(kind).first));
    return { kind, total, match, scope, from, ids: new Set(rankedIds.flat()) };
  });
}

/** Ids of matching records. One JSON text is faster than rows. */
export function readMatchIds(mirror: Mirror, request: MatchRequest, limit = ''): number[] {
  const { sql, parameters } = matchingSql(mirror, request);
  const ids = mirror.column<string>(`SELECT json_group_array(rowid) FROM (SELECT rowid ${sql} ${limit})`);
  return JSON.parse(ids.get(...parameters)!);
}

/** The sum; null if one of them is unknown. */
export function sumOf(totals: (number | null)[]): number | null {
  return totals.reduce((sum, total) => (sum === null || total === null ? null : sum + total), 0);
}

/** Ids of those records that contain a word excluded by the query. */
export function findExcluded(
  mirror: Mirror,
  { excluded }: Query,
  records: readonly { id: number }[],
): ReadonlySet<number> {
  const match = expressionsOf(excluded).join(' OR ');
  if (match === '' || records.length === 0) return new Set();
  const ids = records.map(({ id }) => id);
  const queries = indexParts(mirror).map((part) => amongSql(part, { match, ids, isScanned: true }));
  return new Set(
    queries.flatMap(({ sql, parameters }) => mirror.column<number>(`SELECT rowid ${sql}`).all(...parameters)),
  );
}
