import { type Kind, kinds, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { kindOfRecord } from '../record.ts';
import { indexParts } from '../word-index/search-index.ts';
import { type KindMatches, matchingIn } from './counting.ts';

/** Where a reading of matches stands: behind one of that relevance and number. */
export type ResultCursor = { relevance: number; id: number };

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

/** One match: the number of its record, and bm25, which is lower for a better match. */
export type Match = { id: number; relevance: number; kind: Kind };

/** The best matches behind a place, of all kinds, the best first and the newest first among equals. */
export function bestMatches(
  mirror: Mirror,
  found: readonly KindMatches[],
  { after, limit }: { after: ResultCursor | null; limit: number },
): Match[] {
  const behind = after === null ? '' : ' WHERE relevance > ? OR (relevance = ? AND id < ?)';
  const place = after === null ? [] : [after.relevance, after.relevance, after.id];
  return indexParts(mirror)
    .flatMap((_, at) => {
      const { sql, parameters } = rankingSql(mirror, found, at);
      if (sql === '') return [];
      return mirror
        .sql<ResultCursor>(`SELECT * FROM (${sql})${behind} ORDER BY relevance, id DESC LIMIT ?`)
        .all(...parameters, ...place, limit);
    })
    .map((each) => ({ ...each, kind: kindOfRecord(each.id) }))
    .sort(byRelevance)
    .slice(0, limit);
}

/**
 * What was found in one part of the index, ranked by one reading for all kinds: bm25 counts first in how many records each
 * word stands, and of a word that most records have that takes longer than all else.
 */
function rankingSql(mirror: Mirror, found: readonly KindMatches[], at: number): Sql {
  const matching = matchingIn(mirror, found, at);
  if (matching === null) return { sql: '', parameters: [] };
  const { sql, parameters } = matching;
  return { sql: `SELECT rowid AS id, bm25(search, ${weights}) AS relevance ${sql}`, parameters };
}

/** The better match first; the newer of two as good. */
export function byRelevance(one: ResultCursor, other: ResultCursor): number {
  return one.relevance - other.relevance || other.id - one.id;
}
