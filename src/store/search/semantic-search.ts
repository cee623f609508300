import { parseQuery, type Query } from '../../language/query.ts';
import type { Mirror } from '../mirror.ts';
import { decodeCursor, encodeCursor } from '../page.ts';
import { kindOfRecord } from '../record.ts';
import { textHash } from '../word-index/index-entry.ts';
import { remarksOf, type SearchAnswer, type SearchFilter, type SearchManner } from './answer.ts';
import { authorsOf } from './authors.ts';
import { excludedAmong } from './counting.ts';
import { inTokensOf } from './expression.ts';
import { searchScope } from './filters.ts';
import { hitsOfNames, textHits } from './hit.ts';
import { type MeaningAnswer, searchByMeaning } from './meaning.ts';
import { type NameHit, searchNameHits } from './names.ts';
import { type Hit, readHit, sameText, withCopies } from './page.ts';
import { withoutWords } from './relaxation.ts';
import type { Scope } from './scope.ts';
import { asWritten, type Correction, spellings } from './spelling.ts';
import { isWidened } from './word-ranking.ts';

/** Records ranked by meaning before copies are merged. */
const mostRanked = 300;

/** Longest query that is read as a name, in words; a sentence merely mentions names. */
const mostOfName = 4;

const order = 'semantic';

/** Records that a query names, then records by meaning; only `trouble` if a model could not be used. */
export function semanticSearch(
  mirror: Mirror,
  filter: SearchFilter,
): (SearchManner & SearchAnswer) | { trouble: string | null } {
  const { query, scope } = searchScope(mirror, parseQuery(filter.query), filter);
  const { written, corrected } = spelled(mirror, query);
  const names = searchNameHits(mirror, query, { scope });
  const { method, ranked, trouble } = rankedFor(mirror, written, { scope, names, filter });
  if (ranked === null) return { trouble };
  const sure = query.terms.length > mostOfName ? [] : names.filter(({ isSure }) => isSure);
  const apart = new Set([...sure.map(({ id }) => id), ...excludedAmong(mirror, inTokensOf(mirror, query), ranked)]);
  const begin = filter.cursor === undefined ? 0 : decodeCursor(order, filter.cursor)[1];
  const shown = begin === 0 ? sure.slice(0, filter.limit) : [];
  const remainingRecords = ranked.filter(({ id }) => !apart.has(id));
  const { hits, next } = meaningHits(mirror, remainingRecords, {
    begin,
    limit: filter.limit - shown.length,
    allCopies: filter.allCopies === true,
  });
  const items = [...hitsOfNames(shown, query.terms), ...textHits(hits, written.terms)];
  const isWhole = begin === 0 && next === null && ranked.length < mostRanked;
  const count = (kind: string) => (isWhole ? items.filter(({ type }) => type === kind).length : null);
  return {
    mode: 'semantic',
    method,
    fallback: false,
    trouble,
    items,
    total: isWhole ? items.length : null,
    nextCursor: next === null ? null : encodeCursor(order, ['', next]),
    counts: Object.fromEntries(scope.kinds.map(({ name }) => [name, count(name)])),
    near: null,
    corrected,
    suggestions: [],
    remarks: remarksOf(query, scope),
  };
}

/** Share of an author's best score from which the author's texts are listed first. */
const leastOfAuthor = 0.5;

function rankedFor(
  mirror: Mirror,
  query: Query,
  { scope, names, filter }: { scope: Scope; names: readonly NameHit[]; filter: SearchFilter },
): MeaningAnswer {
  const ranking = (meaningQuery: Query, among: Scope) =>
    searchByMeaning(mirror, meaningQuery, {
      scope: among,
      // Copies of a text rank side by side and become one hit.
      limit: Math.max(mostRanked, filter.limit),
      vector: filter.vector ?? null,
    });
  const authors = authorsOf(mirror, query, { scope, names });
  if (authors === null) return ranking(query, scope);
  const { words, by } = authors;
  const otherAnswer = ranking(query, { ...scope, except: [...(scope.except ?? []), by] });
  const rankedOfAuthors = ranking(withoutWords(query, words), { ...scope, ...by }).ranked;
  if (otherAnswer.ranked === null || rankedOfAuthors === null) return otherAnswer;
  const near = rankedOfAuthors.filter(({ score }) => score >= leastOfAuthor * rankedOfAuthors[0]!.score);
  return { ...otherAnswer, ranked: [...near, ...otherAnswer.ranked] };
}

/** Corrects unknown words to similar indexed ones, except everyday words with an expansion, which texts may lack. */
function spelled(mirror: Mirror, query: Query): { written: Query; corrected: Correction[] } {
  const tokenQuery = inTokensOf(mirror, query);
  const terms = tokenQuery.terms.filter(({ text }) => !isWidened(text));
  const [likeliest] = spellings(mirror, { ...tokenQuery, terms });
  const corrected = asWritten(mirror, likeliest?.corrections ?? []);
  if (corrected.length === 0) return { written: query, corrected };
  const writings = new Map(corrected.map(({ from, to }) => [from, to]));
  const text = query.terms.map((term) => writings.get(term.text) ?? term.text).join(' ');
  return { written: parseQuery(text), corrected };
}

/** A page of ranked records as hits, and the next rank (null at the end); copies are merged unless `allCopies`. */
function meaningHits(
  mirror: Mirror,
  ranked: readonly { id: number; score: number }[],
  { begin, limit, allCopies }: { begin: number; limit: number; allCopies: boolean },
): { hits: Hit[]; next: number | null } {
  const hits: Hit[] = [];
  const shownHashes = new Set<number>();
  for (const [rank, { id, score }] of ranked.entries()) {
    if (allCopies && rank < begin) continue;
    const kind = kindOfRecord(id);
    const hit = readHit(mirror, { id, relevance: -score, kind }, 'meaning');
    const hash = allCopies ? null : textHash(kind, hit.document);
    if (hash !== null && shownHashes.has(hash)) continue;
    if (hits.length === limit) return { hits, next: rank };
    if (hash !== null) shownHashes.add(hash);
    if (rank < begin) continue;
    const copyIds = hash === null ? [] : sameText(mirror, kind, hash).filter((each) => each !== id);
    hits.push(withCopies(mirror, hit, copyIds));
  }
  return { hits, next: null };
}
