import { parseQuery, type Query } from '../../language/query.ts';
import type { Mirror } from '../mirror.ts';
import { decodeCursor, encodeCursor } from '../page.ts';
import { kindOfRecord } from '../record.ts';
import { textHash } from '../word-index/index-entry.ts';
import { remarksOf, type SearchAnswer, type SearchFilter, type SearchMethod } from './answer.ts';
import { authorsOf } from './authors.ts';
import { findExcluded } from './counting.ts';
import { withIndexTokens } from './expression.ts';
import { searchScope } from './filters.ts';
import { nameHits, textHits } from './hit.ts';
import { type MeaningAnswer, searchByMeaning } from './meaning.ts';
import { type NameHit, searchNameHits } from './names.ts';
import { type Hit, readHit, readSameTextIds, withCopies } from './page.ts';
import { withoutWords } from './relaxation.ts';
import type { Scope } from './scope.ts';
import { type Correction, findSpellings, inRecordSpelling } from './spelling.ts';

/** Records ranked by meaning before copies are merged. */
const mostRanked = 300;

/** Longest query that is read as a name, in words; a sentence merely mentions names. */
const maxNameWords = 4;

const cursorName = 'semantic';

/** Records that a query names, then records by meaning; only `trouble` if a model could not be used. */
export function semanticSearch(
  mirror: Mirror,
  filter: SearchFilter,
): (SearchMethod & SearchAnswer) | { trouble: string | null } {
  const { query, scope } = searchScope(mirror, parseQuery(filter.query), filter);
  const { spelledQuery, corrected } = correctSpelling(mirror, query);
  const names = searchNameHits(mirror, query, { scope });
  const { method, rankedRecords: ranked, trouble } = rankByMeaning(mirror, spelledQuery, { scope, names, filter });
  if (ranked === null) return { trouble };
  const sure = query.terms.length > maxNameWords ? [] : names.filter(({ isSure }) => isSure);
  const apart = new Set([...sure.map(({ id }) => id), ...findExcluded(mirror, withIndexTokens(mirror, query), ranked)]);
  const firstRank = filter.cursor === undefined ? 0 : decodeCursor(cursorName, filter.cursor)[1];
  const shownNames = firstRank === 0 ? sure.slice(0, filter.limit) : [];
  const remainingRecords = ranked.filter(({ id }) => !apart.has(id));
  const { hits, next } = readHitPage(mirror, remainingRecords, {
    firstRank,
    limit: filter.limit - shownNames.length,
    allCopies: filter.allCopies === true,
  });
  const items = [...nameHits(shownNames, query.terms), ...textHits(hits, spelledQuery.terms)];
  const isComplete = firstRank === 0 && next === null && ranked.length < mostRanked;
  const count = (kind: string) => (isComplete ? items.filter(({ type }) => type === kind).length : null);
  return {
    mode: 'semantic',
    method,
    fallback: false,
    trouble,
    items,
    total: isComplete ? items.length : null,
    nextCursor: next === null ? null : encodeCursor(cursorName, ['', next]),
    counts: Object.fromEntries(scope.kinds.map(({ name }) => [name, count(name)])),
    near: null,
    corrected,
    suggestions: [],
    remarks: remarksOf(query, scope),
  };
}

/** Share of an author's best score from which the author's texts are listed first. */
const minAuthorScore = 0.5;

function rankByMeaning(
  mirror: Mirror,
  query: Query,
  { scope, names, filter }: { scope: Scope; names: readonly NameHit[]; filter: SearchFilter },
): MeaningAnswer {
  const rank = (meaningQuery: Query, among: Scope) =>
    searchByMeaning(mirror, meaningQuery, {
      scope: among,
      // Copies of a text rank side by side and become one hit.
      limit: Math.max(mostRanked, filter.limit),
      vector: filter.vector ?? null,
    });
  const authors = authorsOf(mirror, query, { scope, names });
  if (authors === null) return rank(query, scope);
  const { words, authorScope } = authors;
  const otherAnswer = rank(query, { ...scope, except: [...(scope.except ?? []), authorScope] });
  const rankedOfAuthors = rank(withoutWords(query, words), { ...scope, ...authorScope }).rankedRecords;
  if (otherAnswer.rankedRecords === null || rankedOfAuthors === null) return otherAnswer;
  const authorRecords = rankedOfAuthors.filter(({ score }) => score >= minAuthorScore * rankedOfAuthors[0]!.score);
  return { ...otherAnswer, rankedRecords: [...authorRecords, ...otherAnswer.rankedRecords] };
}

/** Corrects unknown words to similar indexed ones. */
function correctSpelling(mirror: Mirror, query: Query): { spelledQuery: Query; corrected: Correction[] } {
  const [likeliest] = findSpellings(mirror, withIndexTokens(mirror, query));
  const corrected = inRecordSpelling(mirror, likeliest?.corrections ?? []);
  if (corrected.length === 0) return { spelledQuery: query, corrected };
  const spellingsByWord = new Map(corrected.map(({ from, to }) => [from, to]));
  const text = query.terms.map((term) => spellingsByWord.get(term.text) ?? term.text).join(' ');
  return { spelledQuery: parseQuery(text), corrected };
}

/** A page of ranked records as hits, and the next rank (null at the end); copies are merged unless `allCopies`. */
function readHitPage(
  mirror: Mirror,
  rankedRecords: readonly { id: number; score: number }[],
  { firstRank, limit, allCopies }: { firstRank: number; limit: number; allCopies: boolean },
): { hits: Hit[]; next: number | null } {
  const hits: Hit[] = [];
  const shownHashes = new Set<number>();
  for (const [rank, { id, score }] of rankedRecords.entries()) {
    if (allCopies && rank < firstRank) continue;
    const kind = kindOfRecord(id);
    const hit = readHit(mirror, { id, relevance: -score, kind }, 'meaning');
    const hash = allCopies ? null : textHash(kind, hit.document);
    if (hash !== null && shownHashes.has(hash)) continue;
    if (hits.length === limit) return { hits, next: rank };
    if (hash !== null) shownHashes.add(hash);
    if (rank < firstRank) continue;
    const copyIds = hash === null ? [] : readSameTextIds(mirror, kind, hash).filter((each) => each !== id);
    hits.push(withCopies(mirror, hit, copyIds));
  }
  return { hits, next: null };
}
