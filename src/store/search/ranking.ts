import { type Kind, kinds, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { kindOfRecord } from '../record.ts';
import { indexedRecords, indexParts } from '../word-index/search-index.ts';
import { idfOf } from './accumulators.ts';
import { idsOf, type KindFound, type KindMatches, matchingSql } from './counting.ts';

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

/** The first results behind a place; null for the beginning. */
export type ResultWindow = { after: ResultCursor | null; limit: number };

/**
 * How a hit was found: by name; by all words as typed or of the same
 * families; with corrected spelling; on the legislative file that texts with all words are about; by any word; or by meaning.
 */
export type Matched = 'name' | 'words' | 'family' | 'corrected' | 'file' | 'any-word' | 'meaning';

/** The relaxation steps, strictest first. */
export const relaxationSteps: readonly Matched[] = ['words', 'family', 'corrected', 'file', 'any-word'];

/** One relaxation step with its matches per kind, and the best of them behind a place. */
export type Step = { matched: Matched; found: KindFound[]; best: (window: ResultWindow) => Match[] };

/**
 * The best matches of all kinds after a place, best first, then newest first. Each of the expressions `beside` that one
 * matches, too, counts as one more word.
 */
export function bestMatches(
  mirror: Mirror,
  found: readonly KindMatches[],
  { after, limit, beside = [] }: ResultWindow & { beside?: readonly string[] },
): Match[] {
  const behind = after === null ? '' : ' WHERE relevance > ? OR (relevance = ? AND id < ?)';
  const place = after === null ? [] : [after.relevance, after.relevance, after.id];
  const known = { records: indexedRecords(mirror) };
  return indexParts(mirror)
    .flatMap((part, at) => {
      const matched = found.filter(({ total }) => total !== 0);
      if (matched[0] === undefined) return [];
      const { match, scope } = matched[0];
      const ranges = matched.map(({ kind, from }) => ({ kind, from: from[at]! }));
      const matching = matchingSql(mirror, { part, match, scope, ranges, isScanned: true });
      // As a word of the query it would cost more: bm25 counts the records of each in the whole index.
      const more = beside.flatMap((phrase) => {
        const ids = idsOf(mirror, { part, match: phrase, scope, ranges });
        return ids.length === 0 ? [] : [[idfOf(known, ids.length), JSON.stringify(ids)]];
      });
      const score = `bm25(search, ${weights})${' - ? * (rowid IN (SELECT value FROM json_each(?)))'.repeat(more.length)}`;
      // One statement for all kinds: bm25 first counts the records of each word, the slowest part.
      return mirror
        .sql<ResultCursor>(
          `SELECT * FROM (SELECT rowid AS id, ${score} AS relevance ${matching.sql})${behind}
           ORDER BY relevance, id DESC LIMIT ?`,
        )
        .all(...more.flat(), ...matching.parameters, ...place, limit);
    })
    .map((each) => ({ ...each, kind: kindOfRecord(each.id) }))
    .sort((one, other) => one.relevance - other.relevance || other.id - one.id)
    .slice(0, limit);
}

/** The matches without records that did not exist yet when the past is read. */
export function validMatches<Each extends { id: number }>(mirror: Mirror, matches: Each[]): Each[] {
  if (mirror.pastOf === null) return matches;
  return matches.filter(({ id }) => mirror.sql('SELECT 1 FROM record WHERE id = ?').get(id) !== undefined);
}
