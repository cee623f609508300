import { parseQuery, type QueryTerm } from '../language/query.ts';
import { snippet } from '../language/snippet.ts';
import { type Document, textOf } from '../model/document.ts';
import { titleOf } from '../model/facets.ts';
import type { Kind, KindName } from '../model/kinds.ts';
import { askedKinds, type MeaningSettings, searchByMeaning } from './meaning.ts';
import type { Mirror } from './mirror.ts';
import { similarNames } from './name-lookup.ts';
import { documentOf, kindOfRecord, recordRange } from './record.ts';
import { type IndexPart, indexOfNow, indexParts } from './search-index.ts';

export type SearchFilter = {
  query: string;
  /** Kinds to search; the service's four by default. */
  types?: KindName[] | undefined;
  topic?: string | undefined;
  limit: number;
  /** True to match any word instead of all of them. */
  anyWord?: boolean | undefined;
  /** What a search by meaning goes by. */
  meaning?: MeaningSettings | undefined;
};

/** One hit: `slug` for politicians and parties, `id` for the rest; a higher score is a better match. */
export type SearchHit = {
  type: KindName;
  slug?: string;
  id?: string;
  title: string;
  snippet: string;
  score: number;
  politician?: string | null;
  date?: string | null;
};

/** `total` is null when there are more matches than are counted. */
export type SearchAnswer = {
  items: SearchHit[];
  total: number | null;
  suggestions: { slug: string; full_name: string }[];
};

/** `fulltext` finds all words, `semantic` what means about the same, and `fallback` all of them or, where no text holds all, any. */
export type SearchWay = 'fulltext' | 'semantic' | 'fallback';

/** How much a word counts in a name, a title, a text, and as the author of a text. */
const weights = '10.0, 4.0, 1.0, 2.0';
const countedAtMost = 10_000;

/** The best matches of a query over several kinds; names that look alike are suggested when nothing matches. */
export function search(mirror: Mirror, filter: SearchFilter): SearchAnswer {
  const terms = parseQuery(filter.query);
  const match = matchExpression(terms, filter.anyWord ? 'OR' : 'AND');
  if (match === null) return { items: [], total: 0, suggestions: [] };
  const found = askedKinds(filter).map((kind) => hitsOf(mirror, kind, match, filter));
  const best = found
    .flatMap(({ hits }) => hits)
    .sort((a, b) => a.relevance - b.relevance || b.id - a.id)
    .slice(0, filter.limit);
  const total = found.some(({ total }) => total === null)
    ? null
    : found.reduce((sum, each) => sum + each.total!, 0);
  const suggestions = total === 0 ? similarNames(mirror, filter.query.slice(0, 200), 5) : [];
  return {
    items: best.map((hit) => hitOf(mirror, hit, terms)),
    total,
    suggestions: suggestions.map(({ key, name }) => ({ slug: key, full_name: name })),
  };
}

/** The best matches in one of the ways to search, and which way that was. */
export function searchBy(mirror: Mirror, by: SearchWay, filter: SearchFilter): SearchManner & SearchAnswer {
  if (by === 'semantic') return meant(mirror, filter);
  const way = { mode: 'fulltext', method: 'words', fallback: by === 'fallback' } as const;
  const strict = search(mirror, filter);
  // Few texts hold every word of a sentence: where none does, those with most of the words are answered.
  if (by === 'fulltext' || strict.items.length > 0) return { ...way, ...strict };
  return { ...way, ...search(mirror, { ...filter, anyWord: true }) };
}

/** How was searched. */
export type SearchManner = {
  mode: 'fulltext' | 'semantic';
  method: 'words' | 'lexical-expansion' | 'embeddings';
  fallback: boolean;
  /** Why it was not searched otherwise, or what else whoever runs the program should know. */
  trouble?: string | null;
};

function meant(mirror: Mirror, filter: SearchFilter): SearchManner & SearchAnswer {
  const settings = filter.meaning ?? { thesaurus: null };
  const { method, hits, trouble } = searchByMeaning(mirror, filter.query, { ...filter, settings });
  if (hits === null) return { ...searchBy(mirror, 'fallback', filter), trouble };
  const terms = parseQuery(filter.query);
  const items = hits.map(({ id, score }) =>
    hitOf(mirror, { id, relevance: -score, kind: kindOfRecord(id) }, terms),
  );
  const total = hits.length < filter.limit ? hits.length : null;
  return { mode: 'semantic', method, fallback: false, trouble, items, total, suggestions: [] };
}

/**
 * The FTS5 expression for a query, or null when no word is left. Every token stands in quotes, so that nothing
 * a person types is read as syntax; each word may match as prose or as a part of a name.
 */
export function matchExpression(terms: QueryTerm[], operator: 'AND' | 'OR'): string | null {
  // A word that is written again finds nothing more, and costs as much again.
  const parts = new Set(terms.map(termExpression).filter((part) => part !== null));
  return parts.size === 0 ? null : [...parts].join(` ${operator} `);
}

function termExpression({ prose, name, nameJoined, prefix }: QueryTerm): string | null {
  const star = prefix ? ' *' : '';
  const alternatives = [
    prose.length > 0 ? `{title body} : (${quoted(prose)}${star})` : null,
    name.length > 0
      ? `{name about} : (${name.map((word) => `"${word}"`).join(' AND ')}${name.length === 1 ? star : ''})`
      : null,
    nameJoined && nameJoined !== name.join('') ? `{name about} : ("${nameJoined}")` : null,
    nameJoined && name.length > 1 ? `{name about} : ("${nameJoined}"${star})` : null,
  ].filter((part) => part !== null);
  return alternatives.length === 0 ? null : `(${alternatives.join(' OR ')})`;
}

/** Several tokens of one word or phrase must follow each other. */
function quoted(tokens: string[]): string {
  return `"${tokens.join(' ')}"`;
}

type Ranked = { id: number; relevance: number; kind: Kind };

/**
 * The entries of a part of the index that match an expression, between two numbers, and perhaps only those on a topic.
 */
export function matchingSql(isOnTopic: boolean, part: IndexPart = indexOfNow): string {
  // Without the plus SQLite looks up each record of the topic in the index by itself, with the whole query each time.
  const onTopic = isOnTopic ? ' AND +rowid IN (SELECT id FROM record WHERE topic = ?)' : '';
  return `FROM ${part.table} WHERE search MATCH ? AND rowid BETWEEN ? AND ?${onTopic}${part.isValid}`;
}

function hitsOf(
  mirror: Mirror,
  kind: Kind,
  match: string,
  filter: SearchFilter,
): { hits: Ranked[]; total: number | null } {
  const parts = indexParts(mirror).map((part) => hitsIn(mirror, part, { kind, match, filter }));
  return {
    hits: parts.flatMap(({ hits }) => hits),
    total: parts.some(({ total }) => total === null)
      ? null
      : parts.reduce((sum, { total }) => sum + total!, 0),
  };
}

function hitsIn(
  mirror: Mirror,
  part: IndexPart,
  { kind, match, filter }: { kind: Kind; match: string; filter: SearchFilter },
): { hits: Ranked[]; total: number | null } {
  const { first, last } = recordRange(kind);
  const { topic, limit } = filter;
  const matching = matchingSql(topic !== undefined, part);
  const parameters = topic === undefined ? [] : [topic];
  const newest = mirror
    .sql<{ total: number; lowest: number | null }>(
      `SELECT count(*) AS total, min(rowid) AS lowest FROM (SELECT rowid ${matching} ORDER BY rowid DESC LIMIT ${countedAtMost + 1})`,
    )
    .get(match, first, last, ...parameters)!;
  if (newest.total === 0) return { hits: [], total: 0 };
  const isCapped = newest.total > countedAtMost;
  const from = isCapped ? newest.lowest! : first;
  const hits = mirror
    .sql<{ id: number; relevance: number }>(
      `SELECT rowid AS id, bm25(search, ${weights}) AS relevance ${matching} ORDER BY relevance, rowid DESC LIMIT ?`,
    )
    .all(match, from, last, ...parameters, limit);
  return { hits: hits.map((hit) => ({ ...hit, kind })), total: isCapped ? null : newest.total };
}

function hitOf(mirror: Mirror, { id, relevance, kind }: Ranked, terms: QueryTerm[]): SearchHit {
  const stored = mirror
    .sql<{ key: string; row: string | null; detail: string | null }>(
      'SELECT key, row, detail FROM record WHERE id = ?',
    )
    .get(id)!;
  const document = documentOf(stored);
  return {
    type: kind.name,
    ...(kind.keyField === 'slug' ? { slug: stored.key } : { id: stored.key }),
    title: titleOf(kind, document),
    snippet: snippet(bodyOf(kind, document), terms),
    score: Math.round(-relevance * 1000) / 1000,
    ...(kind.search.about.length > 0
      ? { politician: textOf(document, 'politician'), date: textOf(document, 'date') }
      : {}),
  };
}

function bodyOf(kind: Kind, document: Document): string {
  const fields = [...kind.search.body, ...kind.search.title];
  return fields.map((field) => textOf(document, field)).find((text) => text !== null) ?? '';
}
