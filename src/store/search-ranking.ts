import type { Kind } from '../model/kinds.ts';
import type { Mirror } from './mirror.ts';
import { recordRange } from './record.ts';
import { type IndexPart, indexOfNow, indexParts, isBetween } from './search-index.ts';
import { type Scope, scopeSql } from './search-scope.ts';

/**
 * How much a word counts in a name, in what a record shares with many others, in its own words, and in the name of whom
 * it is of: bm25 in that order. The title of a debate and an author decide only where nothing else does.
 */
function weightsOf({ name }: Kind): string {
  const shared = name === 'content' || name === 'ballot' ? 0.3 : 0.1;
  return `10.0, ${shared}, 1.0, 0.1`;
}

const countedAtMost = 10_000;

/** What matches an expression in a part of the index: how many (null if not all were counted), and from which number on. */
type Matches = { part: IndexPart; total: number | null; from: number };

/** One match: the number of its record, and bm25, which is lower for a better match. */
export type Match = { id: number; relevance: number; kind: Kind };

/** Where a reading of matches stands: behind one of that relevance and number. */
export type Place = { relevance: number; id: number };

/** All that matches an expression among the records of a kind. */
export type Found = {
  kind: Kind;
  match: string;
  scope: Scope;
  total: number | null;
  parts: Matches[];
};

/** The records of a part of the index that match an expression, between two numbers, and within a scope. */
export function matchingSql(condition: string, part: IndexPart = indexOfNow): string {
  return `FROM ${part.table} WHERE search MATCH ? AND ${isBetween}${condition}${part.isValid}`;
}

/** Counts what matches, 10,000 at most of a kind: where there are more, the newest of them are what is ranked. */
export function findMatches(mirror: Mirror, kind: Kind, match: string, scope: Scope): Found {
  const { first, last } = recordRange(kind);
  const condition = scopeSql(scope, kind, 'rowid');
  const parts = indexParts(mirror).map((part) => {
    const { total, lowest } = mirror
      .sql<{ total: number; lowest: number | null }>(
        `SELECT count(*) AS total, min(rowid) AS lowest FROM (SELECT rowid ${matchingSql(condition.sql, part)}
         ORDER BY rowid DESC LIMIT ${countedAtMost + 1})`,
      )
      .get(match, first, last, ...condition.parameters)!;
    const isCapped = total > countedAtMost;
    return { part, total: isCapped ? null : total, from: isCapped ? lowest! : first };
  });
  return { kind, match, scope, total: sumOf(parts.map(({ total }) => total)), parts };
}

/** The sum, or null if one of them is not known. */
export function sumOf(totals: (number | null)[]): number | null {
  return totals.some((total) => total === null)
    ? null
    : totals.reduce<number>((sum, total) => sum + total!, 0);
}

/** The best matches behind a place, the best first and the newest first among equals. */
export function bestMatches(mirror: Mirror, found: Found, after: Place | null, limit: number): Match[] {
  const { kind, match, scope, parts } = found;
  const condition = scopeSql(scope, kind, 'rowid');
  const behind = after === null ? '' : ' WHERE relevance > ? OR (relevance = ? AND id < ?)';
  const place = after === null ? [] : [after.relevance, after.relevance, after.id];
  const { last } = recordRange(kind);
  return parts
    .filter(({ total }) => total !== 0)
    .flatMap(({ part, from }) =>
      mirror
        .sql<Place>(
          `SELECT * FROM (SELECT rowid AS id, bm25(search, ${weightsOf(kind)}) AS relevance ${matchingSql(condition.sql, part)})${behind}
           ORDER BY relevance, id DESC LIMIT ?`,
        )
        .all(match, from, last, ...condition.parameters, ...place, limit),
    )
    .map((each) => ({ ...each, kind }))
    .sort(byRelevance)
    .slice(0, limit);
}

/** The better match first; the newer of two as good. */
export function byRelevance(one: Place, other: Place): number {
  return one.relevance - other.relevance || other.id - one.id;
}

/** The numbers of all that was found, as far as it was counted. */
export function numbersOf(mirror: Mirror, { kind, match, scope, parts }: Found): Set<number> {
  const { last } = recordRange(kind);
  const condition = scopeSql(scope, kind, 'rowid');
  const numbers = new Set<number>();
  for (const { part, from, total } of parts) {
    if (total === 0) continue;
    const json = mirror
      .column<string>(`SELECT json_group_array(rowid) ${matchingSql(condition.sql, part)}`)
      .get(match, from, last, ...condition.parameters)!;
    for (const id of JSON.parse(json) as number[]) numbers.add(id);
  }
  return numbers;
}
