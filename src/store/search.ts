import { nameWords } from '../language/name.ts';
import { parseQuery, type Query } from '../language/query.ts';
import type { Document } from '../model/document.ts';
import type { Kind, KindName } from '../model/kinds.ts';
import { type MeaningSettings, searchByMeaning } from './meaning.ts';
import { meaningHits } from './meaning-page.ts';
import type { Mirror } from './mirror.ts';
import { similarNames } from './name-lookup.ts';
import { namedHit, type SearchHit, textHit } from './search-hit.ts';
import { type Climb, climb, type Step, totalOf } from './search-ladder.ts';
import { type FoundName, foundNames } from './search-names.ts';
import { type Hit, pageOf } from './search-page.ts';
import { numbersOf, sumOf } from './search-ranking.ts';
import { type Scope, scopeOf } from './search-scope.ts';
import { type Correction, nearWordsOf, writtenAs } from './spelling.ts';

export type SearchFilter = {
  query: string;
  /** Kinds to search; the service's four by default. */
  types?: KindName[] | undefined;
  topic?: string | undefined;
  limit: number;
  cursor?: string | undefined;
  /** True to match any word instead of all of them. */
  anyWord?: boolean | undefined;
  /** What a search by meaning goes by. */
  meaning?: MeaningSettings | undefined;
  /** True where it is a sentence, few of whose words a text needs to hold: the hits are as many as are asked for. */
  isSentence?: boolean | undefined;
  /** True to tell every copy of a text, not one that stands for all. */
  allCopies?: boolean | undefined;
  /** True to say of each hit why it stands where it does. */
  explain?: boolean | undefined;
};

/** `total` and `counts` are null where there are more matches than are counted. */
export type SearchAnswer = {
  items: SearchHit[];
  total: number | null;
  nextCursor: string | null;
  counts: Record<string, number | null>;
  relaxed: 'any-word' | null;
  corrected: Correction[];
  suggestions: ({ slug: string; full_name: string } | { word: string })[];
  remarks: string[];
};

/** `fulltext` finds all words, `semantic` what means about the same, and `fallback` all of them or, where no text holds all, any. */
export type SearchWay = 'fulltext' | 'semantic' | 'fallback';

const few = 3;

/** How many names are told before texts that hold another spelling of the word. */
const mostGuessed = 5;

/** How many records are ranked by meaning, before copies of one text are put together. */
const mostRanked = 300;

/** More words than that are a sentence, and whoever it mentions is not whom it asks for. */
const mostOfName = 4;

/**
 * The best matches of a query over several kinds: whom it names, then the records that hold its words; where none does, what
 * `climb` finds then, and says so.
 */
export function search(mirror: Mirror, filter: SearchFilter): SearchAnswer {
  const { query, scope } = scopeOf(mirror, parseQuery(filter.query), filter);
  const names = query.terms.length > 0 ? foundNames(mirror, query, scope) : [];
  const sure = names.filter(({ isSure }) => isSure);
  const climbed = climb(mirror, query, {
    scope,
    // Several words that are nearly a name are that name, rather than others that are nearly they.
    isFound: sure.length > 0 || (query.terms.length > 1 && names.length > 0),
    isGuessed: names.length > 0,
    anyWord: filter.anyWord === true,
    least: leastFor(names, filter),
  });
  const isFew = isFewer(climbed.steps, few);
  const named = sure.length > 0 ? sure : guessed(names, { isFew, climbed, query });
  const isBegin = filter.cursor === undefined;
  const shown = isBegin ? named.slice(0, filter.limit) : [];
  const { hits, nextCursor } = pageOf(mirror, {
    steps: climbed.steps,
    query: climbed.query,
    wanted: {
      limit: filter.limit - shown.length,
      cursor: filter.cursor,
      without: new Set(named.map(({ id }) => id)),
      allCopies: filter.allCopies === true,
    },
  });
  const counts = countsOf(mirror, { climbed, named, scope });
  const corrections = isFew ? nearWordsOf(mirror, query) : [];
  return {
    items: [
      ...shown.map((name) => namedHit(name, query.terms, filter)),
      ...hits.map((hit) => textHit(hit, climbed.query.terms, filter)),
    ],
    total: sumOf(Object.values(counts)),
    nextCursor,
    counts,
    relaxed: climbed.steps.length === 0 ? null : climbed.relaxed,
    corrected: correctedIn(climbed, { hits, named: shown, asked: filter.query }),
    suggestions:
      isFew || climbed.corrected.length > 0 ? suggestionsFor(mirror, { query, named, corrections }) : [],
    remarks: remarksOf(query),
  };
}

/** A name is answered by whom it names: texts that hold one of its words are others. */
function leastFor(names: readonly FoundName[], { isSentence, limit }: SearchFilter): number {
  if (names.some(({ matched }) => matched !== 'within')) return 0;
  return isSentence ? limit : 1;
}

/** How was searched. */
export type SearchManner = {
  mode: 'fulltext' | 'semantic';
  method: 'words' | 'lexical-expansion' | 'embeddings';
  fallback: boolean;
  /** Why it was not searched otherwise, or what else whoever runs the program should know. */
  trouble?: string | null;
};

/** The best matches in one of the ways to search, and which way that was. */
export function searchBy(mirror: Mirror, by: SearchWay, filter: SearchFilter): SearchManner & SearchAnswer {
  if (by === 'semantic') return meant(mirror, filter);
  const isSentence = by === 'fallback';
  return {
    mode: 'fulltext',
    method: 'words',
    fallback: isSentence,
    ...search(mirror, { ...filter, isSentence }),
  };
}

function meant(mirror: Mirror, filter: SearchFilter): SearchManner & SearchAnswer {
  const settings = filter.meaning ?? { thesaurus: null };
  const { query, scope } = scopeOf(mirror, parseQuery(filter.query), filter);
  const text = query.terms.map((term) => term.text).join(' ');
  const { method, ranked, trouble } = searchByMeaning(mirror, text, {
    scope,
    // Copies of a text come after one another, and are one hit.
    limit: Math.max(mostRanked, filter.limit),
    settings,
  });
  if (ranked === null) return { ...searchBy(mirror, 'fallback', filter), trouble };
  const { limit, allCopies = false } = filter;
  const named = query.terms.length > mostOfName ? [] : foundNames(mirror, query, scope);
  const sure = named.filter(({ isSure }) => isSure).slice(0, limit);
  const known = new Set(sure.map(({ id }) => id));
  const { hits, isWhole } = meaningHits(
    mirror,
    ranked.filter(({ id }) => !known.has(id)),
    { limit: limit - sure.length, allCopies },
  );
  const items = [
    ...sure.map((name) => namedHit(name, query.terms, filter)),
    ...hits.map((hit) => textHit(hit, query.terms, filter)),
  ];
  const total = isWhole && ranked.length < mostRanked ? items.length : null;
  const counts = Object.fromEntries(
    scope.kinds.map(({ name }) => [
      name,
      total === null ? null : items.filter(({ type }) => type === name).length,
    ]),
  );
  return {
    ...{ mode: 'semantic', method, fallback: false, trouble, items, total, nextCursor: null, counts },
    ...{ relaxed: null, corrected: [], suggestions: [], remarks: remarksOf(query) },
  };
}

/**
 * Whom a word may have meant, where little was found by the word itself, or by the spelling of that name; and the first of
 * them where only another spelling of a word with a capital letter was found.
 */
function guessed(
  names: FoundName[],
  { isFew, climbed, query }: { isFew: boolean; climbed: Climb; query: Query },
): FoundName[] {
  if (isFew) return names;
  const tokens = climbed.corrected.map(({ to }) => to);
  const spelled = names.filter(({ name }) => nameWords(name).some((word) => tokens.includes(word)));
  const isNameLike = tokens.length > 0 && query.terms.every(({ text }) => /^\p{Lu}/u.test(text));
  return spelled.length > 0 || !isNameLike ? spelled : names.slice(0, mostGuessed);
}

function isFewer(steps: readonly Step[], least: number): boolean {
  const total = totalOf(steps.flatMap(({ found }) => found));
  return total !== null && total < least;
}

type Answered = { climbed: Climb; named: FoundName[]; scope: Scope };

/** How many of each kind were found, whom the query names among them. */
function countsOf(mirror: Mirror, { climbed: { steps }, named, scope }: Answered): SearchAnswer['counts'] {
  return Object.fromEntries(
    scope.kinds.map((kind) => {
      const found = steps.flatMap((step) => step.found.filter((each) => each.kind === kind));
      const ids = named.filter(({ record }) => record === kind).map(({ id }) => id);
      const held = ids.length === 0 ? [] : found.map((each) => numbersOf(mirror, each));
      const beyond = ids.filter((id) => !held.some((numbers) => numbers.has(id))).length;
      return [kind.name, sumOf([totalOf(found), beyond])];
    }),
  );
}

function remarksOf({ terms, filters, without, remarks }: Query): string[] {
  const isEmpty = terms.length === 0 && filters.length + without.length > 0;
  return isEmpty
    ? [...remarks, 'there is no word to look for: what is left out and filters find nothing alone']
    : remarks;
}

/** What was corrected, in words as records have them. */
function correctedIn(
  { corrected }: Climb,
  { hits, named, asked }: { hits: Hit[]; named: FoundName[]; asked: string },
): Correction[] {
  const [name, another] = named.filter(({ isSure }) => !isSure);
  if (name && !another && hits.length === 0 && ['sound', 'typo'].includes(name.matched))
    return [{ from: asked.trim(), to: name.name }];
  const records = [...named.map(({ record: kind, document }) => ({ kind, document })), ...hits];
  return corrected.map(({ from, to }) => ({ from, to: writtenIn(records, to) }));
}

function writtenIn(records: { kind: Kind; document: Document }[], token: string): string {
  for (const { kind, document } of records) {
    const written = writtenAs(token, kind, document);
    if (written !== null) return written;
  }
  return token;
}

function suggestionsFor(
  mirror: Mirror,
  { query, named, corrections }: { query: Query; named: FoundName[]; corrections: Correction[] },
): SearchAnswer['suggestions'] {
  const text = query.terms.map((term) => term.text).join(' ');
  const near = named.length > 0 ? named : similarNames(mirror, text.slice(0, 200), 5);
  const people = near.slice(0, 5).map(({ key, name }) => ({ slug: key, full_name: name }));
  return [...people, ...corrections.map(({ to }) => ({ word: to }))];
}
