import { parseQuery, type Query } from '../../language/query.ts';
import { isSubjectWord } from '../../language/subjects.ts';
import type { Mirror } from '../mirror.ts';
import { queryRemarks, type SearchAnswer, type SearchFilter, type SearchMethod } from './answer.ts';
import { findExcluded } from './counting.ts';
import { resolveScope } from './filters.ts';
import { nameHits, textHits } from './hit.ts';
import { searchByMeaning } from './meaning.ts';
import { searchNameHits } from './name-hits.ts';
import { rankedStep } from './ranking.ts';
import { readResultPage } from './result-page.ts';
import { findSpelling, spellAsInRecords } from './spelling.ts';

/** Most records ranked by meaning, before copies are merged. */
const maxRanked = 300;

/** Longest query that is read as a name, in words; a sentence merely mentions names. */
const maxNameWords = 4;

/** Records that a query names, then records by meaning; `{ trouble }` alone if the model could not be used. */
export function semanticSearch(
  mirror: Mirror,
  filter: SearchFilter,
): (SearchMethod & SearchAnswer) | { trouble: string | null } {
  const { query, scope } = resolveScope(mirror, parseQuery(filter.query), filter);
  const { spelledQuery, corrected } = correctSpelling(mirror, query);
  const names = searchNameHits(mirror, query, { scope });
  // Copies of a text rank side by side and become one hit.
  const rankingOptions = { scope, limit: Math.max(maxRanked, filter.limit), vector: filter.vector ?? null };
  const { method, rankedRecords, trouble } = searchByMeaning(mirror, spelledQuery, rankingOptions);
  if (rankedRecords === null) return { trouble };
  const certainNames = query.terms.length > maxNameWords ? [] : names.filter(({ isSure }) => isSure);
  const excludedIds = new Set([...certainNames.map(({ id }) => id), ...findExcluded(mirror, query, rankedRecords)]);
  const { limit, cursor, allCopies = false } = filter;
  const shownNames = cursor === undefined ? certainNames.slice(0, limit) : [];
  const isTruncated = rankedRecords.length >= maxRanked;
  const steps = rankedStep('meaning', rankedRecords, { kinds: scope.kinds, isTruncated });
  const request = { limit: limit - shownNames.length, cursor, cursorName: 'semantic', excludedIds, allCopies };
  const { hits, nextCursor } = readResultPage(mirror, steps, request);
  const items = [...nameHits(shownNames, query.terms), ...textHits(hits, spelledQuery.terms)];
  const isComplete = cursor === undefined && nextCursor === null && !isTruncated;
  const count = (kind: string) => (isComplete ? items.filter(({ type }) => type === kind).length : null);
  return {
    mode: 'semantic',
    method,
    fallback: false,
    trouble,
    items,
    total: isComplete ? items.length : null,
    nextCursor,
    counts: Object.fromEntries(scope.kinds.map(({ name }) => [name, count(name)])),
    near: null,
    corrected,
    suggestions: [],
    remarks: queryRemarks(query, scope),
  };
}

/** Corrects unknown words to similar indexed ones, except words of a subject, which texts may lack. */
function correctSpelling(mirror: Mirror, query: Query) {
  const terms = query.terms.filter(({ text }) => !isSubjectWord(text));
  const corrected = spellAsInRecords(mirror, findSpelling(mirror, { ...query, terms })?.corrections ?? []);
  const spellings = new Map(corrected.map(({ from, to }) => [from, to]));
  const words = query.terms.map(({ text }) => spellings.get(text) ?? text);
  return { spelledQuery: corrected.length === 0 ? query : parseQuery(words.join(' ')), corrected };
}
