import { nameWords } from '../../language/name.ts';
import { parseQuery, type Query } from '../../language/query.ts';
import { stem } from '../../language/stem.ts';
import { isAskingWord } from '../../language/stop-words.ts';
import { nicknamedParties, similarNames } from '../../names/lookup.ts';
import { isOrdinaryWord } from '../../names/within.ts';
import { say } from '../../words/speech.ts';
import type { Mirror } from '../mirror.ts';
import { inOneView } from '../transaction.ts';
import { endRemark, remarksOf, type SearchAnswer, type SearchFilter, type SearchManner } from './answer.ts';
import { type Authors, authorsOf } from './authors.ts';
import { sumOf } from './counting.ts';
import { searchScope } from './filters.ts';
import { partyRemarks } from './groups-instead.ts';
import { namedHits, textHits } from './hit.ts';
import { type FoundName, foundNames } from './names.ts';
import { resultPage } from './page.ts';
import { relaxationSteps } from './ranking.ts';
import { isFewer, type RelaxedSearch, searchRelaxing, totalOf, withoutWords } from './relaxation.ts';
import type { Scope } from './scope.ts';
import { semanticSearch } from './semantic-search.ts';
import { asWritten, type Correction, nearWordsOf } from './spelling.ts';

/** `fulltext` needs all words, `semantic` searches by meaning, `fallback` needs all words or, if no text has them, any. */
type SearchWay = 'fulltext' | 'semantic' | 'fallback';

/** With few matches other spellings are suggested; with fewer than enough of all words, those of any follow. */
const [few, enough] = [3, 20];

/** The best matches of a query over several kinds: records that it names, then records found by `searchRelaxing`. */
export function searchWords(mirror: Mirror, filter: SearchFilter): SearchAnswer {
  return inOneView(mirror, () => {
    const answer = answerOf(mirror, filter);
    const meant = namedByCorrections(mirror, filter, answer);
    if (meant === null) return answer;
    const { items, ...said } = answerOf(mirror, { ...filter, query: meant });
    const marked = items.map((hit) =>
      hit.matched === 'name' ? { ...hit, matched: 'corrected' as const } : hit,
    );
    return { ...said, items: marked, corrected: answer.corrected };
  });
}

/** The query with its corrections, if these make it name somebody: what they said comes first (retraites Mélanchon). */
function namedByCorrections(
  mirror: Mirror,
  filter: SearchFilter,
  { corrected }: SearchAnswer,
): string | null {
  const words = corrected.filter(({ from }) => from !== filter.query.trim());
  if (words.length === 0) return null;
  const meant = words.reduce((text, { from, to }) => text.replace(from, to), filter.query);
  const { query, scope } = searchScope(mirror, parseQuery(meant), filter);
  const isOfName = (word: string) => words.some(({ to }) => to === word);
  const named = foundNames(mirror, query, { scope }).some(({ taken }) => taken.some(isOfName));
  return named ? meant : null;
}

function answerOf(mirror: Mirror, filter: SearchFilter): SearchAnswer {
  const { query, scope } = searchScope(mirror, parseQuery(filter.query), filter);
  const names = query.terms.length > 0 ? foundNames(mirror, query, { scope }) : [];
  const typed = names.filter(({ isSure }) => isSure);
  // Several words close to a name mean that name, not other words close to these.
  const isNear = typed.length === 0 && query.terms.length > 1;
  const near = isNear ? foundNames(mirror, query, { scope, areGuessed: true }) : [];
  const searched = relaxedFor(mirror, query, {
    scope,
    isFound: typed.length + near.length > 0,
    least: isOfWhole([...typed, ...near]) ? 0 : enough,
    authors: authorsOf(mirror, query, { scope, names }),
  });
  const isFew = isFewer(searched.steps, few);
  const isElse = searched.steps.length === 0 && areHalves(typed, query);
  const all = isElse
    ? []
    : typed.length > 0
      ? typed
      : isNear
        ? near
        : nearNames(mirror, { searched, query, scope });
  const named = namesToList(all, { searched, query });
  const isBegin = filter.cursor === undefined;
  const shown = isBegin ? named.slice(0, filter.limit) : [];
  const { hits, nextCursor } = resultPage(mirror, searched.steps, {
    limit: filter.limit - shown.length,
    cursor: filter.cursor,
    excludedIds: new Set(named.map(({ id }) => id)),
    allCopies: filter.allCopies === true,
  });
  const counts = countsOf({ searched, named, scope });
  const called = (isElse ? typed : nicknamedParties(mirror, filter.query))
    .slice(0, mostNear)
    .map(asSuggestion);
  const corrections = isFew && !typed.some(isWhole) ? nearWordsOf(mirror, query) : [];
  return {
    items: [...namedHits(shown, query.terms), ...textHits(hits, searched.query.terms)],
    total: sumOf(Object.values(counts)),
    nextCursor,
    counts,
    relaxed: searched.steps.length === 0 ? null : searched.relaxed,
    corrected: correctedIn(mirror, searched, { named: shown, asked: filter.query }),
    suggestions:
      called.length === 0 && (isFew || searched.corrected.length > 0)
        ? suggestionsFor(mirror, { query, named, corrections })
        : called,
    remarks: [
      ...remarksOf(query, scope),
      ...(searched.notBy
        ? [say`no text by ${searched.notBy} holds any of the other words: what follows is by others`]
        : []),
      ...partyRemarks(
        mirror,
        scope.parties ?? [],
        scope.kinds.map(({ name }) => name),
      ),
      ...(nextCursor === null ? endRemark(counts) : []),
    ],
  };
}

/** True if the whole query is the name, or begins it: another spelling of it need not be looked for. */
function isWhole({ matched }: FoundName): boolean {
  return matched === 'key' || matched === 'exact' || matched === 'former-name' || matched === 'prefix';
}

/** True if one word names each of them beside a capital that no text holds: Simone Signoret is no Ms Simone. */
const areHalves = (names: readonly FoundName[], { terms }: Query): boolean =>
  names.length > 0 &&
  terms.length === 2 &&
  isCapital({ terms }) &&
  names.every(({ matched, taken }) => matched === 'within' && taken.length === 1);

/** True if names take all words of the query: its single words are not searched. */
const isOfWhole = (names: readonly FoundName[]): boolean => names.some(({ matched }) => matched !== 'within');

/** True if texts hold all words as typed. */
const isTyped = ({ steps }: RelaxedSearch): boolean => steps.some(({ matched }) => matched === 'words');

type Request = { searched: RelaxedSearch; query: Query; scope: Scope };

/** Names that resemble a single word which no text holds as typed. */
function nearNames(mirror: Mirror, { searched, query, scope }: Request): FoundName[] {
  return query.terms.length > 0 && !isTyped(searched)
    ? foundNames(mirror, query, { scope, areGuessed: true })
    : [];
}

const isCapital = ({ terms }: Pick<Query, 'terms'>): boolean =>
  terms.every(({ text }) => /^\p{Lu}/u.test(text));

/** Beginnings listed before texts that hold the word as typed, and before others; and names that resemble the query. */
const [mostBesideTexts, mostBegun, mostNear] = [5, 10, 5];

/**
 * The names to list before the texts: those that the query states, then those that it begins. Of names that only
 * resemble it, those that texts with a correction of it do not contradict.
 */
function namesToList(
  names: readonly FoundName[],
  { searched, query }: Pick<Request, 'searched' | 'query'>,
): FoundName[] {
  const stated = names.filter(({ isSure, matched }) => isSure || matched === 'within');
  if (stated.length > 0) {
    const begun = stated.filter(({ matched }) => matched === 'prefix');
    const most = isTyped(searched) ? mostBesideTexts : mostBegun;
    return [...stated.filter((name) => !begun.includes(name)), ...begun.slice(0, most)];
  }
  const near = names.slice(0, mostNear);
  if (searched.steps.length === 0) return near;
  const isOfQuery = query.terms.length > 1 || isCapital(query);
  if (!isTyped(searched) && isOfQuery) return near;
  // A surname may share its token with a similar word: Balladin, Balladine.
  const typed = isCapital(query) ? query.terms.flatMap(({ prose }) => prose) : [];
  const tokens = [
    ...searched.corrected.map(({ to }) => to),
    ...typed.filter((token) => !isOrdinaryWord(token)),
  ];
  return near.filter(({ name }) =>
    nameWords(name).some((word) => tokens.includes(word) || tokens.includes(stem(word))),
  );
}

/** A relaxing search, and the names of people of whom it found nothing where others say it. */
type AuthoredSearch = RelaxedSearch & { notBy?: string | null };

/** Runs the relaxing search; if the query names authors, what they say in all its words comes first. */
function relaxedFor(
  mirror: Mirror,
  query: Query,
  { scope, authors, ...asked }: Parameters<typeof searchRelaxing>[2] & { authors: Authors | null },
): AuthoredSearch {
  if (authors === null) return searchRelaxing(mirror, query, { ...asked, scope });
  const { words, by } = authors;
  // The named people are listed anyway: the other words go through all relaxation steps.
  const own = searchRelaxing(mirror, askedOf(query, words), {
    ...asked,
    isFound: false,
    isOwn: true,
    scope: { ...scope, ...by },
  });
  const whole = own.steps.filter(({ matched }) => matched !== 'any-word');
  const said = totalOf(whole.flatMap(({ found }) => found)) ?? Number.POSITIVE_INFINITY;
  const others = searchRelaxing(mirror, query, {
    ...asked,
    isFound: said > 0,
    scope: { ...scope, except: [...(scope.except ?? []), by] },
    named: words,
    least: said > 0 ? 0 : asked.least,
  });
  const areAuthors = by.politicians && scope.kinds.some((kind) => kind.search.about.length > 0);
  const rest = [...own.steps, ...others.steps].filter((each) => !whole.includes(each));
  return {
    ...(own.corrected.length > 0 ? own : others),
    steps: [...whole, ...relaxationSteps.flatMap((step) => rest.filter(({ matched }) => matched === step))],
    relaxed: own.relaxed ?? others.relaxed,
    notBy: areAuthors && own.steps.length === 0 && others.steps.length > 0 ? words.join(' ') : null,
  };
}

/** What is asked of somebody who is named: neither the name nor words such as `pense`, `propose`, unless nothing else is. */
function askedOf(query: Query, names: readonly string[]): Query {
  const others = withoutWords(query, names);
  const terms = others.terms.filter(({ text, phrase }) => phrase || !isAskingWord(text));
  return terms.length > 0 ? { ...others, terms } : others;
}

/** The best matches of a search mode, with the mode that was actually used. */
export function searchBy(mirror: Mirror, by: SearchWay, filter: SearchFilter): SearchManner & SearchAnswer {
  const found = by === 'semantic' ? semanticSearch(mirror, filter) : null;
  if (found !== null && 'items' in found) return found;
  return {
    mode: 'fulltext',
    method: 'words',
    fallback: by !== 'fulltext',
    ...searchWords(mirror, filter),
    ...found,
  };
}

/** Matches per kind, named records included. */
function countsOf({
  searched: { steps },
  named,
  scope,
}: Omit<Request, 'query'> & { named: FoundName[] }): SearchAnswer['counts'] {
  return Object.fromEntries(
    scope.kinds.map((kind) => {
      const found = steps.flatMap((step) => step.found.filter((each) => each.kind === kind));
      const ids = named.filter(({ record }) => record === kind).map(({ id }) => id);
      const beyond = ids.filter((id) => !found.some((each) => each.ids.has(id))).length;
      return [kind.name, sumOf([totalOf(found), beyond])];
    }),
  );
}

/** Corrections as the records spell them. */
function correctedIn(
  mirror: Mirror,
  { corrected, steps }: RelaxedSearch,
  { named, asked }: { named: FoundName[]; asked: string },
): Correction[] {
  const [name, another] = named.filter(({ matched }) => matched === 'sound' || matched === 'typo');
  if (name && !another && steps.length === 0) return [{ from: asked.trim(), to: name.name }];
  return asWritten(mirror, corrected);
}

const asSuggestion = ({ key, name }: { key: string; name: string }) => ({ slug: key, full_name: name });

function suggestionsFor(
  mirror: Mirror,
  { query, named, corrections }: { query: Query; named: FoundName[]; corrections: Correction[] },
): SearchAnswer['suggestions'] {
  const text = query.terms.map((term) => term.text).join(' ');
  const near =
    named.length > 0 ? named.filter(({ isSure }) => !isSure) : similarNames(mirror, text.slice(0, 200), 5);
  const people = near.slice(0, 5).map(asSuggestion);
  return [...people, ...asWritten(mirror, corrections).map(({ to }) => ({ word: to }))];
}
