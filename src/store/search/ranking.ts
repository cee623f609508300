import { type Kind, kinds } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { kindOfRecord, recordRange } from '../record.ts';
import { wordsOf } from './expression.ts';
import { memberSql, type Scope } from './scope.ts';
import { type IndexPart, indexOfNow, indexParts, isBetween } from './search-index.ts';
import { byRelevance, type Place, rankBySegments } from './segment-ranking.ts';
import { statisticsOf } from './statistics.ts';

export type { Place } from './segment-ranking.ts';

const ownTitles = kinds.filter(({ name }) => name === 'content' || name === 'ballot');

/**
 * How much a word counts in a name, in what a record shares with many others, in its own words, and in the name of whom
 * it is of: bm25 in that order. The title of a debate and an author decide only where nothing else does.
 */
const [ofName, ofOwnTitle, ofTitle, ofText, ofAuthor] = [10, 0.3, 0.1, 1, 0.1];
const weights = `${ofName}, CASE WHEN ${ownTitles
  .map(recordRange)
  .map(({ first, last }) => `rowid BETWEEN ${first} AND ${last}`)
  .join(' OR ')} THEN ${ofOwnTitle} ELSE ${ofTitle} END, ${ofText}, ${ofAuthor}`;

function weightsOf(kind: Kind): number[] {
  return [ofName, ownTitles.some(({ name }) => name === kind.name) ? ofOwnTitle : ofTitle, ofText, ofAuthor];
}

const countedAtMost = 10_000;

/** Where more match than are counted, that many of them are ranked, of all kinds together: the newest of each. */
const rankedAtMost = 5000;

/** What matches an expression in a part of the index: how many (null if not all were counted), and from which number on. */
type Matches = { part: IndexPart; total: number | null; from: number };

/** One match: the number of its record, and bm25, which is lower for a better match. */
export type Match = { id: number; relevance: number; kind: Kind };

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

/** Counts what matches, 10,000 at most of a kind: where there are more, the newest are what is ranked. */
export function findMatches(mirror: Mirror, match: string, scope: Scope): Found[] {
  const { kinds: among, ...rest } = scope;
  const asked = JSON.stringify([match, among.map(({ name }) => name), rest]);
  return statisticsOf(mirror).counted(asked, () => countedMatches(mirror, match, scope));
}

function countedMatches(mirror: Mirror, match: string, scope: Scope): Found[] {
  const found = match.includes('" *')
    ? countTogether(mirror, match, scope)
    : scope.kinds.map((kind) => countMatches(mirror, kind, match, scope));
  const capped = found.flatMap(({ parts }) => parts.filter(({ total }) => total === null)).length;
  return capped === 0 ? found : found.map((each) => newestOf(mirror, each, Math.ceil(rankedAtMost / capped)));
}

/** Narrows what was not all counted to the newest so many. */
function newestOf(mirror: Mirror, found: Found, most: number): Found {
  const { kind, match, scope } = found;
  const { first, last } = recordRange(kind);
  const condition = memberSql(mirror, scope, kind);
  const parts = found.parts.map((matches) => {
    if (matches.total !== null) return matches;
    const from = mirror
      .column<number>(
        `SELECT rowid ${matchingSql(condition.sql, matches.part)} ORDER BY rowid DESC LIMIT 1 OFFSET ?`,
      )
      .get(match, first, last, ...condition.parameters, most - 1);
    return { ...matches, from: from ?? matches.from };
  });
  return { ...found, parts };
}

function countMatches(mirror: Mirror, kind: Kind, match: string, scope: Scope): Found {
  const { first, last } = recordRange(kind);
  if (!isHeld(mirror, kind))
    return {
      kind,
      match,
      scope,
      total: 0,
      parts: indexParts(mirror).map((part) => ({ part, total: 0, from: first })),
    };
  const condition = memberSql(mirror, scope, kind);
  const parts = indexParts(mirror).map((part) => {
    const total = mirror
      .column<number>(
        `SELECT count(*) FROM (SELECT 1 ${matchingSql(condition.sql, part)} LIMIT ${countedAtMost + 1})`,
      )
      .get(match, first, last, ...condition.parameters)!;
    return { part, total: total > countedAtMost ? null : total, from: first };
  });
  return { kind, match, scope, total: sumOf(parts.map(({ total }) => total)), parts };
}

/** The same of all kinds at once: all records with a beginning are brought together each time, before any is told. */
function countTogether(mirror: Mirror, match: string, scope: Scope): Found[] {
  const parts = indexParts(mirror);
  const all = scope.kinds.map((kind): Found => {
    const { first } = recordRange(kind);
    return {
      kind,
      match,
      scope,
      total: null,
      parts: parts.map((part) => ({ part, total: null, from: first })),
    };
  });
  const totals = parts.map((_, at) => {
    const { sql, parameters } = matchingIn(mirror, all, at)!;
    const counted = mirror
      .sql<{ first: number; total: number }>(
        `SELECT min(rowid) AS first, count(*) AS total ${sql} GROUP BY rowid >> 40`,
      )
      .all(...parameters);
    return new Map(counted.map(({ first, total }) => [kindOfRecord(first), total]));
  });
  return all.map((found) => {
    const own = found.parts.map((each, at) => {
      const total = totals[at]!.get(found.kind) ?? 0;
      return { ...each, total: total > countedAtMost ? null : total };
    });
    return { ...found, parts: own, total: sumOf(own.map(({ total }) => total)) };
  });
}

/** True unless the mirror has nothing of a kind: to learn that of a beginning or a phrase takes as long as to count it. */
function isHeld(mirror: Mirror, kind: Kind): boolean {
  if (mirror.pastOf !== null) return true;
  const { first, last } = recordRange(kind);
  return mirror.sql('SELECT 1 FROM record WHERE id BETWEEN ? AND ? LIMIT 1').get(first, last) !== undefined;
}

/** The sum, or null if one of them is not known. */
export function sumOf(totals: (number | null)[]): number | null {
  return totals.some((total) => total === null)
    ? null
    : totals.reduce<number>((sum, total) => sum + total!, 0);
}

/** The best matches behind a place, of all kinds, the best first and the newest first among equals. */
export function bestMatches(
  mirror: Mirror,
  found: readonly Found[],
  { after, limit }: { after: Place | null; limit: number },
): Match[] {
  const quick = rankedQuickly(mirror, found, { after, limit });
  if (quick !== null) return quick.map((each) => ({ ...each, kind: kindOfRecord(each.id) }));
  const behind = after === null ? '' : ' WHERE relevance > ? OR (relevance = ? AND id < ?)';
  const place = after === null ? [] : [after.relevance, after.relevance, after.id];
  return indexParts(mirror)
    .flatMap((_, at) => {
      const { sql, parameters } = rankingSql(mirror, found, at);
      if (sql === '') return [];
      return mirror
        .sql<Place>(`SELECT * FROM (${sql})${behind} ORDER BY relevance, id DESC LIMIT ?`)
        .all(...parameters, ...place, limit);
    })
    .map((each) => ({ ...each, kind: kindOfRecord(each.id) }))
    .sort(byRelevance)
    .slice(0, limit);
}

/** So few matches FTS5 has ranked before the segments of the index are found. */
const leastRanked = 10;

/** What has one word, or its form in names, ranked without bm25 of FTS5; null for what has not, and for few. */
function rankedQuickly(
  mirror: Mirror,
  found: readonly Found[],
  wanted: { after: Place | null; limit: number },
): ReturnType<typeof rankBySegments> {
  const words = wordsOf(found[0]?.match ?? '');
  // Of a mirror that is written to, some of the index may still be in memory.
  if (words === null || !mirror.readonly || mirror.pastOf !== null) return null;
  const matching = matchingIn(mirror, found, 0);
  if (matching === null) return null;
  const capped = found.filter(({ total }) => total === null).length;
  const ranked = sumOf(found.map(({ total }) => total ?? Math.ceil(rankedAtMost / capped)))!;
  if (ranked < leastRanked) return null;
  const ranges = found.flatMap(({ kind, total, parts: [part] }) =>
    total === 0 ? [] : [{ from: part!.from, last: recordRange(kind).last, weights: weightsOf(kind) }],
  );
  const isScoped = found.some(({ kind, scope }) => memberSql(mirror, scope, kind).sql !== '');
  return rankBySegments(mirror, { words, ranges, ranked, isPart: capped > 0, isScoped, matching }, wanted);
}

/**
 * What was found in one part of the index, ranked by one reading for all kinds: bm25 counts first in how many records each
 * word stands, and of a word that most records have that takes longer than all else.
 */
function rankingSql(mirror: Mirror, found: readonly Found[], at: number): Sql {
  const matching = matchingIn(mirror, found, at);
  if (matching === null) return { sql: '', parameters: [] };
  const { sql, parameters } = matching;
  return { sql: `SELECT rowid AS id, bm25(search, ${weights}) AS relevance ${sql}`, parameters };
}

/** What was found in one part of the index, of all kinds together; null for nothing. */
function matchingIn(mirror: Mirror, found: readonly Found[], at: number): Sql | null {
  const ranges = found.flatMap(({ kind, scope, parts }) => {
    const { part, from, total } = parts[at]!;
    const { last } = recordRange(kind);
    return total === 0 ? [] : [{ part, from, last, condition: memberSql(mirror, scope, kind) }];
  });
  const [first] = ranges;
  if (first === undefined) return null;
  // The plus keeps SQLite from reading each of the ranges by itself.
  const within = ranges.map(({ condition }) => `(+rowid BETWEEN ? AND ?${condition.sql})`).join(' OR ');
  const all = [Math.min(...ranges.map(({ from }) => from)), Math.max(...ranges.map(({ last }) => last))];
  return {
    sql: matchingSql(` AND (${within})`, first.part),
    parameters: [
      found[0]!.match,
      ...all,
      ...ranges.flatMap(({ from, last, condition }) => [from, last, ...condition.parameters]),
    ],
  };
}

/** How many of what is ranked have a token beside, and the newest of them; null for none. */
export function sharingToken(
  mirror: Mirror,
  { kind, match, scope, parts }: Found,
  token: string,
): { count: number; newest: number | null } {
  const { last } = recordRange(kind);
  const condition = memberSql(mirror, scope, kind);
  const shares = parts
    .filter(({ total }) => total !== 0)
    .map(
      ({ part, from }) =>
        mirror
          .sql<{ count: number; newest: number | null }>(
            `SELECT count(*) AS count, max(rowid) AS newest ${matchingSql(condition.sql, part)}`,
          )
          .get(`(${match}) AND "${token}"`, from, last, ...condition.parameters)!,
    );
  const newest = Math.max(...shares.map((share) => share.newest ?? -1));
  return { count: sumOf(shares.map(({ count }) => count))!, newest: newest === -1 ? null : newest };
}

/** The numbers of all that was found, as far as it was counted. */
export function numbersOf(mirror: Mirror, { kind, match, scope, parts }: Found): Set<number> {
  const { last } = recordRange(kind);
  const condition = memberSql(mirror, scope, kind);
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
