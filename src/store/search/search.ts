import { nameWords } from '../../language/name.ts';
import { parseQuery, type Query } from '../../language/query.ts';
import { stem } from '../../language/stem.ts';
import { isAskingWord } from '../../language/stop-words.ts';
import { partiesByNickname, similarNames } from '../../names/lookup.ts';
import { isOrdinaryWord } from '../../names/within.ts';
import { say } from '../../words/speech.ts';
import type { Mirror } from '../mirror.ts';
import { readSnapshot } from '../transaction.ts';
import { endRemark, remarksOf, type SearchAnswer, type SearchFilter, type SearchManner } from './answer.ts';
import { type Authors, authorsOf } from './authors.ts';
import { sumOf } from './counting.ts';
import { searchScope } from './filters.ts';
import { partyRemarks } from './groups-instead.ts';
import { hitsOfNames, textHits } from './hit.ts';
import { type NameHit, searchNameHits } from './names.ts';
import { resultPage } from './page.ts';
import { relaxationSteps } from './ranking.ts';
import { isFewer, type RelaxedSearch, searchRelaxing, totalOf, withoutWords } from './relaxation.ts';
import type { Scope } from './scope.ts';
import { semanticSearch } from './semantic-search.ts';
import { asWritten, type Correction, nearWordsOf } from './spelling.ts';

/** `fulltext` needs all words; `semantic` matches by meaning; `fallback` needs all words or, if none match, any. */
type SearchMode = 'fulltext' | 'semantic' | 'fallback';

/** Below `few` matches, other spellings are suggested; below `enough` of all words, matches of any word follow. */
const few = 3;
const enough = 20;

/** The best matches of a query over several kinds: records that it names, then matches of `searchRelaxing`. */
export function searchWords(mirror: Mirror, filter: SearchFilter): SearchAnswer {
  return readSnapshot(mirror, () => {
    const answer = answerOf(mirror, filter);
    const correctedQuery = withNameCorrections(mirror, filter, answer);
    if (correctedQuery === null) return answer;
    const { items, ...answerFields } = answerOf(mirror, { ...filter, query: correctedQuery });
    const marked = items.map((hit) => (hit.matched === 'name' ? { ...hit, matched: 'corrected' as const } : hit));
    return { ...answerFields, items: marked, corrected: answer.corrected };
  });
}

/** The corrected query if it names an author, whose records then come first; else null. */
function withNameCorrections(mirror: Mirror, filter: SearchFilter, { corrected }: SearchAnswer): string | null {
  const words = corrected.filter(({ from }) => from !== filter.query.trim());
  if (words.length === 0) return null;
  const correctedQuery = words.reduce((text, { from, to }) => text.replace(from, to), filter.query);
  const { query, scope } = searchScope(mirror, parseQuery(correctedQuery), filter);
  const isOfName = (word: string) => words.some(({ to }) => to === word);
  const hasCorrectedName = searchNameHits(mirror, query, { scope }).some(({ matchedWords }) =>
    matchedWords.some(isOfName),
  );
  return hasCorrectedName ? correctedQuery : null;
}

function answerOf(mirror: Mirror, filter: SearchFilter): SearchAnswer {
  const { query, scope } = searchScope(mirror, parseQuery(filter.query), filter);
  const names = query.terms.length > 0 ? searchNameHits(mirror, query, { scope }) : [];
  const typed = names.filter(({ isSure }) => isSure);
  // Several words close to a name mean that name, not other words close to these.
  const isNear = typed.length === 0 && query.terms.length > 1;
  const near = isNear ? searchNameHits(mirror, query, { scope, areGuessed: true }) : [];
  const searched = relaxedFor(mirror, query, {
    scope,
    namesRecords: typed.length + near.length > 0,
    least: isOfWhole([...typed, ...near]) ? 0 : enough,
    authors: authorsOf(mirror, query, { scope, names }),
  });
  const isFew = isFewer(searched.steps, few);
  const isElse = searched.steps.length === 0 && areHalves(typed, query);
  const all = isElse ? [] : typed.length > 0 ? typed : isNear ? near : nearNames(mirror, { searched, query, scope });
  const listedNames = namesToList(all, { searched, query });
  const isBegin = filter.cursor === undefined;
  const shown = isBegin ? listedNames.slice(0, filter.limit) : [];
  const { hits, nextCursor } = resultPage(mirror, searched.steps, {
    limit: filter.limit - shown.length,
    cursor: filter.cursor,
    excludedIds: new Set(listedNames.map(({ id }) => id)),
    allCopies: filter.allCopies === true,
  });
  const counts = countsOf({ searched, listedNames, scope });
  const called = (isElse ? typed : partiesByNickname(mirror, filter.query)).slice(0, mostNear).map(asSuggestion);
  const corrections = isFew && !typed.some(isWhole) ? nearWordsOf(mirror, query) : [];
  return {
    items: [...hitsOfNames(shown, query.terms), ...textHits(hits, searched.query.terms)],
    total: sumOf(Object.values(counts)),
    nextCursor,
    counts,
    relaxed: searched.steps.length === 0 ? null : searched.relaxed,
    corrected: correctedIn(mirror, searched, { shownNames: shown, typedQuery: filter.query }),
    suggestions:
      called.length === 0 && (isFew || searched.corrected.length > 0)
        ? suggestionsFor(mirror, { query, listedNames, corrections })
        : called,
    remarks: [
      ...remarksOf(query, scope),
      ...(searched.notBy
        ? [say`no text by ${searched.notBy} contains any of the other words: the results are by others`]
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

/** True if the whole query is the name or its beginning, so that no other spelling is needed. */
function isWhole({ matchKind }: NameHit): boolean {
  return matchKind === 'key' || matchKind === 'exact' || matchKind === 'former-name' || matchKind === 'prefix';
}

/** True if a two-word query with capitals matches every name by one word only: not a match unless texts contain it. */
const areHalves = (names: readonly NameHit[], { terms }: Query): boolean =>
  names.length > 0 &&
  terms.length === 2 &&
  isCapital({ terms }) &&
  names.every(({ matchKind, matchedWords }) => matchKind === 'within' && matchedWords.length === 1);

/** True if a name uses all words of the query, so that single words are not searched. */
const isOfWhole = (names: readonly NameHit[]): boolean => names.some(({ matchKind }) => matchKind !== 'within');

/** True if texts contain all words as typed. */
const isTyped = ({ steps }: RelaxedSearch): boolean => steps.some(({ matchKind }) => matchKind === 'words');

type Request = { searched: RelaxedSearch; query: Query; scope: Scope };

function nearNames(mirror: Mirror, { searched, query, scope }: Request): NameHit[] {
  return query.terms.length > 0 && !isTyped(searched) ? searchNameHits(mirror, query, { scope, areGuessed: true }) : [];
}

const isCapital = ({ terms }: Pick<Query, 'terms'>): boolean => terms.every(({ text }) => /^\p{Lu}/u.test(text));

/** Most prefix matches listed before texts with the word as typed, and before other texts; most similar names. */
const mostBesideTexts = 5;
const mostBegun = 10;
const mostNear = 5;

/** Names to list before texts: full matches, then prefixes; else similar ones that corrections do not contradict. */
function namesToList(names: readonly NameHit[], { searched, query }: Pick<Request, 'searched' | 'query'>): NameHit[] {
  const certainNames = names.filter(({ isSure, matchKind }) => isSure || matchKind === 'within');
  if (certainNames.length > 0) {
    const prefixNames = certainNames.filter(({ matchKind }) => matchKind === 'prefix');
    const most = isTyped(searched) ? mostBesideTexts : mostBegun;
    return [...certainNames.filter((name) => !prefixNames.includes(name)), ...prefixNames.slice(0, most)];
  }
  const near = names.slice(0, mostNear);
  if (searched.steps.length === 0) return near;
  const isOfQuery = query.terms.length > 1 || isCapital(query);
  if (!isTyped(searched) && isOfQuery) return near;
  // A surname may share its token with a similar word: Balladin, Balladine.
  const typed = isCapital(query) ? query.terms.flatMap(({ prose }) => prose) : [];
  const tokens = [...searched.corrected.map(({ to }) => to), ...typed.filter((token) => !isOrdinaryWord(token))];
  return near.filter(({ name }) =>
    nameWords(name).some((word) => tokens.includes(word) || tokens.includes(stem(word))),
  );
}

/** A relaxing search; `notBy` names the authors if only records of other authors match. */
type AuthoredSearch = RelaxedSearch & { notBy?: string | null };

/** Runs the relaxing search; if the query names authors, their matches of all words come first. */
function relaxedFor(
  mirror: Mirror,
  query: Query,
  { scope, authors, ...limits }: Parameters<typeof searchRelaxing>[2] & { authors: Authors | null },
): AuthoredSearch {
  if (authors === null) return searchRelaxing(mirror, query, { ...limits, scope });
  const { words, by } = authors;
  // The authors are listed anyway: the other words go through all relaxation steps.
  const own = searchRelaxing(mirror, subjectQuery(query, words), {
    ...limits,
    namesRecords: false,
    isOwn: true,
    scope: { ...scope, ...by },
  });
  const whole = own.steps.filter(({ matchKind }) => matchKind !== 'any-word');
  const authorTotal = totalOf(whole.flatMap(({ matchesByKind }) => matchesByKind)) ?? Number.POSITIVE_INFINITY;
  const otherSearch = searchRelaxing(mirror, query, {
    ...limits,
    namesRecords: authorTotal > 0,
    scope: { ...scope, except: [...(scope.except ?? []), by] },
    nameWords: words,
    least: authorTotal > 0 ? 0 : limits.least,
  });
  const areAuthors = by.politicians && scope.kinds.some((kind) => kind.search.about.length > 0);
  const remainingSteps = [...own.steps, ...otherSearch.steps].filter((each) => !whole.includes(each));
  return {
    ...(own.corrected.length > 0 ? own : otherSearch),
    steps: [
      ...whole,
      ...relaxationSteps.flatMap((step) => remainingSteps.filter(({ matchKind }) => matchKind === step)),
    ],
    relaxed: own.relaxed ?? otherSearch.relaxed,
    notBy: areAuthors && own.steps.length === 0 && otherSearch.steps.length > 0 ? words.join(' ') : null,
  };
}

/** The query without names and asking words such as `pense` or `propose`; asking words stay if nothing else is left. */
function subjectQuery(query: Query, names: readonly string[]): Query {
  const remainingQuery = withoutWords(query, names);
  const terms = remainingQuery.terms.filter(({ text, phrase }) => phrase || !isAskingWord(text));
  return terms.length > 0 ? { ...remainingQuery, terms } : remainingQuery;
}

/** The best matches of a search mode, with the mode that was actually used. */
export function searchBy(mirror: Mirror, by: SearchMode, filter: SearchFilter): SearchManner & SearchAnswer {
  const semanticAnswer = by === 'semantic' ? semanticSearch(mirror, filter) : null;
  if (semanticAnswer !== null && 'items' in semanticAnswer) return semanticAnswer;
  return {
    mode: 'fulltext',
    method: 'words',
    fallback: by !== 'fulltext',
    ...searchWords(mirror, filter),
    ...semanticAnswer,
  };
}

function countsOf({
  searched: { steps },
  listedNames,
  scope,
}: Omit<Request, 'query'> & { listedNames: NameHit[] }): SearchAnswer['counts'] {
  return Object.fromEntries(
    scope.kinds.map((kind) => {
      const kindMatches = steps.flatMap((step) => step.matchesByKind.filter((each) => each.kind === kind));
      const ids = listedNames.filter(({ record }) => record === kind).map(({ id }) => id);
      const beyond = ids.filter((id) => !kindMatches.some((each) => each.ids.has(id))).length;
      return [kind.name, sumOf([totalOf(kindMatches), beyond])];
    }),
  );
}

function correctedIn(
  mirror: Mirror,
  { corrected, steps }: RelaxedSearch,
  { shownNames, typedQuery }: { shownNames: NameHit[]; typedQuery: string },
): Correction[] {
  const [name, another] = shownNames.filter(({ matchKind }) => matchKind === 'sound' || matchKind === 'typo');
  if (name && !another && steps.length === 0) return [{ from: typedQuery.trim(), to: name.name }];
  return asWritten(mirror, corrected);
}

const asSuggestion = ({ key, name }: { key: string; name: string }) => ({ slug: key, full_name: name });

function suggestionsFor(
  mirror: Mirror,
  { query, listedNames, corrections }: { query: Query; listedNames: NameHit[]; corrections: Correction[] },
): SearchAnswer['suggestions'] {
  const text = query.terms.map((term) => term.text).join(' ');
  const near =
    listedNames.length > 0 ? listedNames.filter(({ isSure }) => !isSure) : similarNames(mirror, text.slice(0, 200), 5);
  const people = near.slice(0, 5).map(asSuggestion);
  return [...people, ...asWritten(mirror, corrections).map(({ to }) => ({ word: to }))];
}
