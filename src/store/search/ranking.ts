import { type Kind, kinds, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { kindOfRecord } from '../record.ts';
import { indexedRecords, indexParts } from '../word-index/search-index.ts';
import { idfOf } from './accumulators.ts';
import { idsOf, type KindMatches, type KindResult, matchingSql } from './counting.ts';

/** Keyset cursor into ranked matches. */
export type ResultCursor = { relevance: number; id: number };

const descriptiveTitleKinds = kinds.filter(({ hasDescriptiveTitle }) => hasDescriptiveTitle);

/** bm25 column weights: name, title (higher if telling), text, author. A debate's title and the author only break ties. */
const [ofName, ofDescriptiveTitle, ofTitle, ofText, ofAuthor] = [10, 0.3, 0.1, 1, 0.1];
const weights = `${ofName}, CASE WHEN ${descriptiveTitleKinds
  .map(recordRange)
  .map(({ first, last }) => `rowid BETWEEN ${first} AND ${last}`)
  .join(' OR ')} THEN ${ofDescriptiveTitle} ELSE ${ofTitle} END, ${ofText}, ${ofAuthor}`;

/** One match: record id and bm25, where lower is better. */
export type Match = { id: number; relevance: number; kind: Kind };

/**
 * How a hit was found: by name; by all words as typed or of the same
 * families; with corrected spelling; on the legislative file that texts with all words are about; by any word; or by meaning.
 */
export type Matched = 'name' | 'words' | 'family' | 'corrected' | 'file' | 'any-word' | 'meaning';

/** The relaxation steps, strictest first. */
export const relaxationSteps: readonly Matched[] = ['words', 'family', 'corrected', 'file', 'any-word'];

/** One relaxation step: its matches per kind, and these in order of rank, after a cursor (null: from the first). */
export type Step = {
  matchKind: Matched;
  matchesByKind: KindResult[];
  ranked: (after: ResultCursor | null) => Iterable<Match>;
};

/**
 * Yields the matches of all kinds after a cursor, best first, then newest first, from one statement. Each of the expressions
 * `beside` that a match also contains counts as one more word.
 */
export function* rankedMatches(
  mirror: Mirror,
  matchesByKind: readonly KindMatches[],
  { after, beside = [] }: { after: ResultCursor | null; beside?: readonly string[] },
): Generator<Match> {
  const nonEmptyMatches = matchesByKind.filter(({ total }) => total !== 0);
  if (nonEmptyMatches[0] === undefined) return;
  const { match, scope } = nonEmptyMatches[0];
  const corpus = { records: indexedRecords(mirror) };
  const scored = indexParts(mirror).map((part, at): Sql => {
    const ranges = nonEmptyMatches.map(({ kind, from }) => ({ kind, from: from[at]! }));
    const matching = matchingSql(mirror, { part, match, scope, ranges, isScanned: true });
    // As a word of the query it would cost more: bm25 counts the records of each in the whole index.
    const more = beside.flatMap((phrase) => {
      const ids = idsOf(mirror, { part, match: phrase, scope, ranges });
      return ids.length === 0 ? [] : [[idfOf(corpus, ids.length), JSON.stringify(ids)]];
    });
    const score = `bm25(search, ${weights})${' - ? * (rowid IN (SELECT value FROM json_each(?)))'.repeat(more.length)}`;
    return {
      sql: `SELECT rowid AS id, ${score} AS relevance ${matching.sql}`,
      parameters: [...more.flat(), ...matching.parameters],
    };
  });
  const behind = after === null ? '' : ' WHERE relevance > ? OR (relevance = ? AND id < ?)';
  const cursorParameters = after === null ? [] : [after.relevance, after.relevance, after.id];
  // One statement for all kinds: bm25 first counts the records of each word, the slowest part. It has no LIMIT, since only
  // the reader knows which matches are copies. A second ranking costs more than the sort of all matches.
  const statement = mirror.sql<ResultCursor>(
    `SELECT * FROM (${scored.map(({ sql }) => sql).join(' UNION ALL ')})${behind} ORDER BY relevance, id DESC`,
  );
  const parameters = [...scored.flatMap((each) => each.parameters), ...cursorParameters];
  for (const each of statement.iterate(...parameters)) yield { ...each, kind: kindOfRecord(each.id) };
}

/** The matches without records that did not exist yet when the past is read. */
export function validMatches<Each extends { id: number }>(mirror: Mirror, matches: Each[]): Each[] {
  if (mirror.pastOf === null) return matches;
  return matches.filter(({ id }) => mirror.sql('SELECT 1 FROM record WHERE id = ?').get(id) !== undefined);
}
