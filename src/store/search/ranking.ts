import { type Kind, kinds, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { kindOfRecord } from '../record.ts';
import { indexParts } from '../word-index/search-index.ts';
import { type KindMatches, matchingIn } from './counting.ts';

/** Keyset cursor into ranked matches. */
export type ResultCursor = { relevance: number; id: number };

const tellingTitles = kinds.filter(({ hasTellingTitle }) => hasTellingTitle);

/** bm25 column weights: name, title (higher if telling), text, author. A debate's title and the author only break ties. */
const [ofName, ofTellingTitle, ofTitle, ofText, ofAuthor] = [10, 0.3, 0.1, 1, 0.1];
const weights = `${ofName}, CASE WHEN ${tellingTitles
  .map(recordRange)
  .map(({ first, last }) => `rowid BETWEEN ${first} AND ${last}`)
  .join(' OR ')} THEN ${ofTellingTitle} ELSE ${ofTitle} END, ${ofText}, ${ofAuthor}`;

/** One match: record id and bm25, where lower is better. */
export type Match = { id: number; relevance: number; kind: Kind };

/** The best matches of all kinds after a place, best first, then newest first. */
export function bestMatches(
  mirror: Mirror,
  found: readonly KindMatches[],
  { after, limit }: { after: ResultCursor | null; limit: number },
): Match[] {
  const behind = after === null ? '' : ' WHERE relevance > ? OR (relevance = ? AND id < ?)';
  const place = after === null ? [] : [after.relevance, after.relevance, after.id];
  return indexParts(mirror)
    .flatMap((_, at) => {
      const matching = matchingIn(mirror, found, at);
      if (matching === null) return [];
      // One statement for all kinds: bm25 first counts the records of each word, the slowest part.
      return mirror
        .sql<ResultCursor>(
          `SELECT * FROM (SELECT rowid AS id, bm25(search, ${weights}) AS relevance ${matching.sql})${behind}
           ORDER BY relevance, id DESC LIMIT ?`,
        )
        .all(...matching.parameters, ...place, limit);
    })
    .map((each) => ({ ...each, kind: kindOfRecord(each.id) }))
    .sort((one, other) => one.relevance - other.relevance || other.id - one.id)
    .slice(0, limit);
}
