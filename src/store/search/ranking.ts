import { type Kind, kinds, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { kindOfRecord } from '../record.ts';
import { countIndexedRecords, indexParts } from '../word-index/search-index.ts';
import { findMatches, type KindMatches, type KindResult, matchingSql, readMatchIds, sumOf } from './counting.ts';
import { type Scope, scopeConditionSql } from './scope.ts';

/** Keyset cursor into ranked matches. */
export type ResultCursor = { relevance: number; id: number };

/** bm25 weights of the index columns name, title (higher if descriptive), body, about; the lowest only break ties. */
const nameWeight = 10;
const descriptiveTitleWeight = 0.3;
const plainTitleWeight = 0.1;
const textWeight = 1;
const authorWeight = 0.1;
const weights = `${nameWeight}, CASE WHEN ${kinds
  .filter(({ hasDescriptiveTitle }) => hasDescriptiveTitle)
  .map(recordRange)
  .map(({ first, last }) => `rowid BETWEEN ${first} AND ${last}`)
  .join(' OR ')} THEN ${descriptiveTitleWeight} ELSE ${plainTitleWeight} END, ${textWeight}, ${authorWeight}`;

/** A match: id and kind of its record, and `relevance`, its bm25 score: lower is better. */
export type Match = { id: number; relevance: number; kind: Kind };

/** How a hit matched: by name, all words, words of one family, spelling, legislative file, some word, or meaning. */
export type SearchMatchKind = 'name' | 'words' | 'family' | 'corrected' | 'file' | 'any-word' | 'meaning';

/** A step of a search: its expression, its matches per kind, and a function that ranks those after a cursor or all. */
export type Step = {
  matchKind: SearchMatchKind;
  match: string;
  matchesByKind: KindResult[];
  rankAfter: (after: ResultCursor | null) => Iterable<Match>;
};

/** Yields matches of all kinds after a cursor, best, then newest first; a bonus expression counts as one more word. */
export function* rankMatches(
  mirror: Mirror,
  matchesByKind: readonly KindMatches[],
  { after, bonusExpressions = [] }: { after: ResultCursor | null; bonusExpressions?: readonly string[] },
): Generator<Match> {
  const nonEmptyMatches = matchesByKind.filter(({ total }) => total !== 0);
  if (nonEmptyMatches[0] === undefined) return;
  const { match, scope } = nonEmptyMatches[0];
  const corpus = { records: countIndexedRecords(mirror) };
  const scored = indexParts(mirror).map((part, at): Sql => {
    const ranges = nonEmptyMatches.map(({ kind, firstRankedRowids }) => ({ kind, from: firstRankedRowids[at]! }));
    const matching = matchingSql(mirror, { part, match, scope, ranges });
    // Cheaper than more query words: bm25 would count the records of each in the whole index.
    const bonusParameters = bonusExpressions.flatMap((phrase) => {
      const ids = readMatchIds(mirror, { part, match: phrase, scope, ranges });
      return ids.length === 0 ? [] : [[idfOf(corpus, ids.length), JSON.stringify(ids)]];
    });
    const score = `bm25(search, ${weights})${' - ? * (rowid IN (SELECT value FROM json_each(?)))'.repeat(bonusParameters.length)}`;
    return {
      sql: `SELECT rowid AS id, ${score} AS relevance ${matching.sql}`,
      parameters: [...bonusParameters.flat(), ...matching.parameters],
    };
  });
  const cursorCondition = after === null ? '' : ' WHERE relevance > ? OR (relevance = ? AND id < ?)';
  const cursorParameters = after === null ? [] : [after.relevance, after.relevance, after.id];
  // One statement for all kinds, since bm25 first counts the records of each word, the slowest part. No LIMIT: only the
  // reader knows which matches are copies, and a second ranking costs more than sorting all matches.
  const statement = mirror.sql<ResultCursor>(
    `SELECT * FROM (${scored.map(({ sql }) => sql).join(' UNION ALL ')})${cursorCondition} ORDER BY relevance, id DESC`,
  );
  const parameters = [...scored.flatMap((each) => each.parameters), ...cursorParameters];
  for (const each of statement.iterate(...parameters)) yield { ...each, kind: kindOfRecord(each.id) };
}

/** The total of matches of all steps; null if not all were counted. */
export const totalOf = (steps: readonly Step[]): number | null =>
  sumOf(steps.flatMap(({ matchesByKind }) => matchesByKind.map(({ total }) => total)));

/** True if all matches were counted and are fewer than `minMatches`. */
export function hasFewerMatches(steps: readonly Step[], minMatches: number): boolean {
  const total = totalOf(steps);
  return total !== null && total < minMatches;
}

/** A step with the matches of an expression, in a list; empty without matches. */
export function stepOf(
  mirror: Mirror,
  matchKind: SearchMatchKind,
  { match, scope, bonusExpressions = [] }: { match: string; scope: Scope; bonusExpressions?: readonly string[] },
): Step[] {
  const matchesByKind = findMatches(mirror, match, scope);
  const rankAfter = (after: ResultCursor | null) => rankMatches(mirror, matchesByKind, { after, bonusExpressions });
  return matchesByKind.some(({ total }) => total !== 0) ? [{ matchKind, match, matchesByKind, rankAfter }] : [];
}

/** A step with records that are already ranked, in a list; empty without records. */
export function rankedStep(
  matchKind: SearchMatchKind,
  hits: readonly { id: number; score: number }[],
  { kinds: scopeKinds, isTruncated }: { kinds: readonly Kind[]; isTruncated: boolean },
): Step[] {
  const matches = hits.map(({ id, score }): Match => ({ id, relevance: -score, kind: kindOfRecord(id) }));
  if (matches.length === 0) return [];
  const matchesByKind = scopeKinds.map((kind) => {
    const ids = new Set(matches.flatMap((each) => (each.kind === kind ? each.id : [])));
    return { kind, ids: () => ids, total: isTruncated ? null : ids.size };
  });
  const rankAfter = (after: ResultCursor | null) => {
    if (after === null) return matches;
    const last = matches.findIndex(({ id }) => id === after.id);
    // A sync may have removed the last match of a page.
    return last < 0 ? matches.filter(({ relevance }) => relevance > after.relevance) : matches.slice(last + 1);
  };
  return [{ matchKind, match: '', matchesByKind, rankAfter }];
}

const maxListed = 10_000;

/** A step with all records of a scope, up to 10,000, newest first, in a list; empty without records. */
export function stepOfAllRecords(mirror: Mirror, scope: Scope): Step[] {
  const { sql, parameters } = scopeConditionSql(mirror, scope, 'id');
  const select = `SELECT id, 1 AS score FROM record WHERE withdrawn IS NULL AND kind IN (SELECT value FROM json_each(?))
    ${sql} ORDER BY date DESC, id DESC LIMIT ${maxListed}`;
  const names = JSON.stringify(scope.kinds.map(({ name }) => name));
  const hits = mirror.sql<{ id: number; score: number }>(select).all(names, ...parameters);
  return rankedStep('name', hits, { kinds: scope.kinds, isTruncated: hits.length === maxListed });
}

/** The non-negative bm25 idf of a word that `records` of the corpus contain. */
export function idfOf(corpus: { records: number }, records: number): number {
  return Math.log(1 + (Math.max(0, corpus.records - records) + 0.5) / (records + 0.5));
}
