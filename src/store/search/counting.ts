import type { Query } from '../../language/query.ts';
import { type Kind, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { kindOfRecord } from '../record.ts';
import { type IndexPart, indexParts, isBetween } from '../word-index/search-index.ts';
import { expressionsOf } from './expression.ts';
import { fewMembers, memberSql, type Scope } from './scope.ts';

const countedAtMost = 10_000;

/** Above the counting limit, only this many matches over all kinds are ranked: the newest of each kind. */
const rankedAtMost = 5000;

/** The records of a kind that were found: their number, null if there are more than are ranked, and the ranked ids. */
export type KindFound = { kind: Kind; total: number | null; ids: ReadonlySet<number> };

/** The records of a kind that match an FTS5 expression; for each index table the first rowid that is ranked. */
export type KindMatches = KindFound & { match: string; scope: Scope; from: number[] };

/** Kinds of a scope in an index table, each from a rowid on; `isRanked` where bm25 ranks them. */
type Matching = {
  part: IndexPart;
  match: string;
  scope: Scope;
  ranges: readonly { kind: Kind; from: number }[];
  isRanked?: boolean;
};

/** The FROM clause for the records of an index table that match an expression, in one scan over all ranges. */
export function matchingSql(mirror: Mirror, { part, match, scope, ranges, isRanked }: Matching): Sql {
  const few = fewMembers(mirror, scope);
  // Few are looked up one by one, but for bm25, which would count the records of each word for each of them.
  if (few !== null)
    return {
      sql: `FROM ${part.table} WHERE search MATCH ? AND ${isRanked ? '+' : ''}rowid IN (SELECT value FROM json_each(?))${part.isValid}`,
      parameters: [match, JSON.stringify(few)],
    };
  const within = ranges.map(({ kind, from }) => ({
    bounds: [from, recordRange(kind).last],
    condition: memberSql(mirror, scope, kind),
  }));
  // The unary plus keeps SQLite from running one index scan for each range.
  const any = within.map(({ condition }) => `(+rowid BETWEEN ? AND ?${condition.sql})`).join(' OR ');
  const all = within.flatMap(({ bounds }) => bounds);
  return {
    sql: `FROM ${part.table} WHERE search MATCH ? AND ${isBetween} AND (${any})${part.isValid}`,
    parameters: [
      match,
      Math.min(...all),
      Math.max(...all),
      ...within.flatMap(({ bounds, condition }) => [...bounds, ...condition.parameters]),
    ],
  };
}

/** Finds the matches per kind, up to 10,000 are counted; above that, only the newest are ranked. */
export function findMatches(mirror: Mirror, match: string, scope: Scope): KindMatches[] {
  if (scope.kinds.length === 0) return [];
  const parts = indexParts(mirror);
  const matching = (part: IndexPart, kinds: readonly Kind[]): Matching => ({
    part,
    match,
    scope,
    ranges: kinds.map((kind) => ({ kind, from: recordRange(kind).first })),
  });
  const found = parts.map((part) => idsOf(mirror, matching(part, scope.kinds), counting));
  if (found.every(({ length }) => length <= countedAtMost)) {
    const byKind = Map.groupBy(found.flat(), kindOfRecord);
    return scope.kinds.map((kind) => {
      const ids = new Set(byKind.get(kind));
      return { kind, total: ids.size, ids, match, scope, from: parts.map(() => recordRange(kind).first) };
    });
  }
  const counted = scope.kinds.map((kind) => {
    const ids = parts.map((part) => idsOf(mirror, matching(part, [kind]), `ORDER BY rowid DESC ${counting}`));
    return { kind, ids, isCut: ids.map(({ length }) => length > countedAtMost) };
  });
  const most = Math.ceil(rankedAtMost / counted.flatMap(({ isCut }) => isCut.filter(Boolean)).length);
  return counted.map(({ kind, ids, isCut }) => {
    const ranked = ids.map((each, at) => (isCut[at] ? each.slice(0, most) : each));
    const total = isCut.includes(true) ? null : ranked.flat().length;
    const from = ranked.map((each, at) => (isCut[at] ? each.at(-1)! : recordRange(kind).first));
    return { kind, total, ids: new Set(ranked.flat()), match, scope, from };
  });
}

const counting = `LIMIT ${countedAtMost + 1}`;

/** Ids of matching records. One JSON text is faster than rows. */
export function idsOf(mirror: Mirror, matching: Matching, limit = ''): number[] {
  const { sql, parameters } = matchingSql(mirror, matching);
  const ids = mirror.column<string>(`SELECT json_group_array(rowid) FROM (SELECT rowid ${sql} ${limit})`);
  return JSON.parse(ids.get(...parameters)!);
}

/** The sum; null if one of them is unknown. */
export function sumOf(totals: (number | null)[]): number | null {
  return totals.reduce((sum, total) => (sum === null || total === null ? null : sum + total), 0);
}

/** Ids of those records that hold a word which a query leaves out. */
export function excludedAmong(
  mirror: Mirror,
  { excluded }: Query,
  records: readonly { id: number }[],
): ReadonlySet<number> {
  const match = expressionsOf(excluded).join(' OR ');
  if (match === '' || records.length === 0) return new Set();
  const ids = records.map(({ id }) => id);
  const found = indexParts(mirror).flatMap(({ table, isValid }) =>
    mirror
      .column<number>(
        `SELECT rowid FROM ${table} WHERE search MATCH ? AND ${isBetween}
         AND +rowid IN (SELECT value FROM json_each(?))${isValid}`,
      )
      .all(match, Math.min(...ids), Math.max(...ids), JSON.stringify(ids)),
  );
  return new Set(found);
}
