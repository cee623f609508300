import { parseQuery, type Query } from '../../language/query.ts';
import type { Mirror } from '../mirror.ts';
import { decodeCursor, encodeCursor } from '../page.ts';
import { kindOfRecord } from '../record.ts';
import { copyToken } from '../word-index/index-entry.ts';
import { indexParts } from '../word-index/search-index.ts';
import { remarksOf, type SearchAnswer, type SearchFilter, type SearchManner } from './answer.ts';
import { sameText } from './copies.ts';
import { matchingSql } from './counting.ts';
import { inTokensOf, matchExpression } from './expression.ts';
import { scopeOf } from './filters.ts';
import { namedHits, textHits } from './hit.ts';
import { searchByMeaning } from './meaning.ts';
import { foundNames } from './names.ts';
import { type Hit, readHits } from './page.ts';
import { type Correction, spellings } from './spelling.ts';
import { wordOfToken } from './written-words.ts';

/** How many records are ranked by meaning, before copies of one text are put together. */
const mostRanked = 300;

/** More words than that are a sentence, and whoever it mentions is not whom it asks for. */
const mostOfName = 4;

const order = 'semantic';

/**
 * The records that come nearest to what a query means, behind whom it names surely; only why it cannot be told, where a model
 * was to be used and could not be.
 */
export function semanticSearch(
  mirror: Mirror,
  filter: SearchFilter,
): (SearchManner & SearchAnswer) | { trouble: string | null } {
  const { query, scope } = scopeOf(mirror, parseQuery(filter.query), filter);
  const { text, corrected } = spelled(mirror, query);
  const { method, ranked, trouble } = searchByMeaning(mirror, text, {
    scope,
    // Copies of a text come after one another, and are one hit.
    limit: Math.max(mostRanked, filter.limit),
    settings: filter.meaning ?? { thesaurus: null },
  });
  if (ranked === null) return { trouble };
  const wanted = corrected.length === 0 ? query : parseQuery(text);
  const named = query.terms.length > mostOfName ? [] : foundNames(mirror, query, { scope, areGuessed: true });
  const sure = named.filter(({ isSure }) => isSure);
  const apart = new Set([...sure.map(({ id }) => id), ...excluded(mirror, query, ranked)]);
  const begin = filter.cursor === undefined ? 0 : decodeCursor(order, filter.cursor)[1];
  const shown = begin === 0 ? sure.slice(0, filter.limit) : [];
  const left = ranked.filter(({ id }) => !apart.has(id));
  const { hits, next } = meaningHits(mirror, left, {
    begin,
    limit: filter.limit - shown.length,
    allCopies: filter.allCopies === true,
  });
  const items = [...namedHits(shown, query.terms, filter), ...textHits(hits, wanted.terms, filter)];
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
    relaxed: null,
    corrected,
    suggestions: [],
    remarks: remarksOf(query, scope),
  };
}

/** What is asked for as a text, each word that no record has in the spelling of a near one that some have. */
function spelled(mirror: Mirror, query: Query): { text: string; corrected: Correction[] } {
  const [likeliest] = spellings(mirror, inTokensOf(mirror, query));
  const corrected = (likeliest?.corrections ?? []).map(({ from, to }) => ({
    from,
    to: wordOfToken(mirror, to),
  }));
  const written = new Map(corrected.map(({ from, to }) => [from, to]));
  return { text: query.terms.map(({ text }) => written.get(text) ?? text).join(' '), corrected };
}

/** Those of some records that hold what a query says must not be there. */
function excluded(mirror: Mirror, query: Query, ranked: readonly { id: number }[]): number[] {
  const { without } = inTokensOf(mirror, query);
  const match = matchExpression({ terms: without, without: [] }, 'OR');
  if (match === null || ranked.length === 0) return [];
  const ids = ranked.map(({ id }) => id);
  return indexParts(mirror).flatMap((part) =>
    mirror
      .column<number>(`SELECT rowid ${matchingSql(' AND +rowid IN (SELECT value FROM json_each(?))', part)}`)
      .all(match, Math.min(...ids), Math.max(...ids), JSON.stringify(ids)),
  );
}

/**
 * The records by meaning from a place on as hits, and the place behind them, null at the end; of those with one text the
 * first stands for all, with the number of the others, unless all copies are wanted.
 */
function meaningHits(
  mirror: Mirror,
  ranked: readonly { id: number; score: number }[],
  { begin, limit, allCopies }: { begin: number; limit: number; allCopies: boolean },
): { hits: Hit[]; next: number | null } {
  const hits: Hit[] = [];
  const seen = new Set<string>();
  for (const [place, { id, score }] of ranked.entries()) {
    if (allCopies && place < begin) continue;
    const kind = kindOfRecord(id);
    const [hit] = readHits(mirror, [{ id, relevance: -score, kind }], { matched: 'meaning' }) as [Hit];
    const token = allCopies ? null : copyToken(kind, hit.document);
    if (token !== null && seen.has(token)) continue;
    if (hits.length === limit) return { hits, next: place };
    if (token !== null) seen.add(token);
    if (place < begin) continue;
    const copies = token === null ? 0 : Math.max(0, sameText(mirror, kind, token).length - 1);
    hits.push({ ...hit, copies });
  }
  return { hits, next: null };
}
