import { type Kind, kinds } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { kindOfRecord, recordRange } from '../record.ts';
import { indexParts } from '../word-index/search-index.ts';
import { type Found, matchingIn, rankedAtMost, sumOf } from './counting.ts';
import { wordsOf } from './expression.ts';
import { memberSql } from './scope.ts';
import { byRelevance, type Place, rankBySegments } from './segment-ranking.ts';

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

/** One match: the number of its record, and bm25, which is lower for a better match. */
export type Match = { id: number; relevance: number; kind: Kind };

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
const leastRanked = 100;

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
