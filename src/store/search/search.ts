import { fold } from '../../language/fold.ts';
import type { Query } from '../../language/query.ts';
import { isAskingWord, isStopWord } from '../../language/stop-words.ts';
import { partiesByNickname, similarNames } from '../../names/lookup.ts';
import { amount, type Phrase, say } from '../../words/speech.ts';
import type { Mirror } from '../mirror.ts';
import { readSnapshot } from '../transaction.ts';
import { indexedKinds } from '../word-index/search-index.ts';
import { type SearchResult, type StepTrace, searchAllWords } from './all-words.ts';
import { endRemark, queryRemarks, type SearchAnswer, type SearchFilter, type SearchMethod } from './answer.ts';
import { findAuthors, roleInterpretations } from './authors.ts';
import { sumOf } from './counting.ts';
import { addLongForms, otherNameInterpretations, textOfTerms } from './expression.ts';
import { requestedKinds, resolveScope } from './filters.ts';
import { nameHits, textHits } from './hit.ts';
import { type NameHit, searchNameHits } from './name-hits.ts';
import { partyRemarks } from './party-remarks.ts';
import { hasFewerMatches, type Step, stepOfAllRecords, totalOf } from './ranking.ts';
import { readQuery } from './reading.ts';
import { loosestRelaxation, searchRelaxed } from './relaxation.ts';
import { readResultPage } from './result-page.ts';
import { isNarrowed, type Scope } from './scope.ts';
import { semanticSearch } from './semantic-search.ts';
import { findLikelierWords, spellAsInRecords } from './spelling.ts';
import { anyWordStep, findByAnyWord, type RelaxationOptions, type StepDescription } from './steps.ts';

/** `semantic` searches by meaning, the others by words: `fallback` if a search by meaning was requested. */
type SearchMode = 'fulltext' | 'semantic' | 'fallback';

/** `notBy`: the query's words that name politicians, if no record of theirs but some of others match; else null. */
type AuthoredSearch = SearchResult & { notBy: string | null };

/** A page of a full-text search: records that the query names, then matches; near matches if there are few or none. */
function searchWords(mirror: Mirror, filter: SearchFilter): SearchAnswer {
  const request = readRequest(mirror, filter);
  const { reading, query, scope, certainNames, listsAll } = request;
  const { textSearch, listedNames } = searchNamesAndTexts(mirror, request);
  const { items, nextCursor } = pageOf(mirror, request, { textSearch, names: listedNames });
  const counts = countsOf(textSearch.steps, listedNames, scope);
  const isUnanswered = textSearch.steps.length + listedNames.length === 0 && !isNarrowed(scope);
  const isFirstPage = filter.cursor === undefined && filter.limit > 0;
  const lacksMatches = isUnanswered || (certainNames.length === 0 && isSparse(mirror, request, textSearch.steps));
  const nearMatches = isFirstPage && lacksMatches ? findNearMatches(mirror, request, textSearch) : null;
  const notBy = textSearch.notBy ?? nearMatches?.notBy;
  const corrections = nearMatches?.corrections ?? [];
  const { steps } = isUnanswered && nearMatches !== null ? nearMatches : textSearch; // for suggestions
  const shownNames = nearMatches?.names ?? listedNames;
  const trace = [...textSearch.trace, ...((!listsAll && nearMatches?.trace) || [])];
  return {
    items,
    total: sumOf(Object.values(counts)),
    nextCursor,
    counts,
    near: nearMatches?.near ?? null,
    corrected: spellAsInRecords(mirror, corrections),
    suggestions: suggestionsFor(mirror, request, { steps, shownNames, isCorrected: corrections.length > 0 }),
    interpretations: [
      ...reading.interpretations,
      ...otherNameInterpretations(mirror, query),
      ...(request.authors ? [request.authors.interpretation] : []),
      ...roleInterpretations(listedNames),
    ],
    remarks: [
      ...(listsAll ? query.remarks : queryRemarks(query, scope)),
      ...(notBy ? [say`no text by ${notBy} matches the other words: the texts listed or suggested are by others`] : []),
      ...partyRemarks(mirror, scope),
      ...(nextCursor === null ? endRemark(counts) : []),
      ...(filter.explain ? explanation(trace) : []),
    ],
  };
}

/** A search as read: query and scope, and the authors and records that the query names. */
type WordSearchRequest = ReturnType<typeof readRequest>;

function readRequest(mirror: Mirror, filter: SearchFilter) {
  const kinds = requestedKinds(filter);
  const reading = readQuery(mirror, filter.query, kinds, filter.types ? kinds : [...indexedKinds]);
  const types = (reading.kinds ?? kinds).map(({ name }) => name);
  const { query, scope } = resolveScope(mirror, reading.query, { ...filter, types, condition: reading.condition });
  const nameCandidates = query.terms.length > 0 ? searchNameHits(mirror, query, { scope }) : [];
  const authors = findAuthors(mirror, query, scope, nameCandidates);
  const certainNames = nameCandidates.filter(({ isSure }) => isSure);
  // A key, ballot number or date alone lists its records.
  const listsAll = reading.condition !== undefined && query.terms.length === 0;
  return { filter, reading, query, scope, authors, certainNames, listsAll };
}

/** The records that match all words of a query, and those that it names. */
function searchNamesAndTexts(mirror: Mirror, request: WordSearchRequest) {
  const { reading, query, scope, certainNames, listsAll } = request;
  const textSearch: AuthoredSearch = listsAll
    ? { query, steps: stepOfAllRecords(mirror, scope), corrections: [], trace: [], notBy: null }
    : searchByAuthors(request, (queryPart, { scope: partScope }) => searchAllWords(mirror, queryPart, partScope));
  // A name that is only part of the query counts only if texts match the whole query.
  const listedNames = namesToList(certainNames.filter((name) => textSearch.steps.length > 0 || isWhole(name, query)));
  const readingTrace = reading.step ? [{ step: reading.step, total: totalOf(textSearch.steps) }] : [];
  const nameTrace = listsAll ? [] : [{ step: nameStep, total: listedNames.length }];
  return { textSearch: { ...textSearch, trace: [...readingTrace, ...nameTrace, ...textSearch.trace] }, listedNames };
}

/** The step that lists records by name (garde des sceaux), before the steps for words. */
export const nameStep: StepDescription = { name: 'name', purpose: say`people and parties that the query names` };

const nearNameStep = { name: 'near-name', purpose: say`people and parties with a similar name` }; // jeane

/** A remark for each step that was run, in order, with its number of results. */
const explanation = (trace: readonly StepTrace[]): Phrase[] =>
  trace.map(({ step, total, author }) => {
    const results = total === null ? say`more results than are counted` : amount(total, 'result');
    return say`step ${step.name}${author ? say`, author ${author}` : ''}: ${results} (${step.purpose})`;
  });

/** One page: on the first the records that the query names, then the hits of the steps; and the next cursor. */
function pageOf(
  mirror: Mirror,
  { query, filter }: Pick<WordSearchRequest, 'query' | 'filter'>,
  { textSearch, names }: { textSearch: SearchResult; names: readonly NameHit[] },
) {
  const { limit, cursor, allCopies = false } = filter;
  const shown = cursor === undefined ? names.slice(0, limit) : [];
  const excludedIds = new Set(names.map(({ id }) => id));
  const pageRequest = { limit: limit - shown.length, cursor, excludedIds, allCopies };
  const page = readResultPage(mirror, textSearch.steps, pageRequest);
  const items = [...nameHits(shown, query.terms), ...textHits(page.hits, textSearch.query.terms)];
  return { items, nextCursor: page.nextCursor };
}

/** Below `sparseThreshold` matches of a sentence, records with some of its words are suggested. */
const sparseThreshold = 20;
const minWordsOfSentence = 3;

/** True if a sentence has few matches, but some, in a search that nothing else restricts. */
function isSparse(mirror: Mirror, { query, scope }: WordSearchRequest, steps: readonly Step[]): boolean {
  const isFew = steps.length > 0 && hasFewerMatches(steps, sparseThreshold) && !isNarrowed(scope);
  if (!isFew || query.terms.some(({ phrase, prefix }) => phrase || prefix)) return false;
  return addLongForms(mirror, query).terms.length >= minWordsOfSentence;
}

/** Near matches: with few matches, records with any word; with none, similar names or records of a relaxed search. */
function findNearMatches(mirror: Mirror, request: WordSearchRequest, textSearch: AuthoredSearch) {
  const { query, scope, certainNames } = request;
  const isUnmatched = textSearch.steps.length === 0;
  // Several words similar to a name mean that name: they are not searched as misspelt words.
  const guessesNames = isUnmatched && certainNames.length === 0 && query.terms.length > 0;
  const guessedNames = guessesNames ? searchNameHits(mirror, query, { scope, allowsGuesses: true }) : [];
  const resemblesName = query.terms.length > 1 && guessedNames.some(({ matchKind }) => matchKind !== 'within');
  const searchNear = (): AuthoredSearch => {
    if (isUnmatched) return searchByAuthors(request, (queryPart, options) => searchRelaxed(mirror, queryPart, options));
    const steps = findByAnyWord(mirror, query, { scope, earlierSteps: textSearch.steps, requiresWord: true });
    return { ...textSearch, steps, trace: [{ step: anyWordStep, total: totalOf(steps) }] };
  };
  const nearResult = resemblesName ? { ...textSearch, trace: [] } : searchNear();
  const trace = [...(guessesNames ? [{ step: nearNameStep, total: guessedNames.length }] : []), ...nearResult.trace];
  const names = certainNames.length > 0 ? namesToList(certainNames) : guessedNames.slice(0, maxSuggested);
  const { items } = pageOf(mirror, request, { textSearch: nearResult, names });
  const total = sumOf(Object.values(countsOf(nearResult.steps, names, scope)));
  const near = items.length === 0 ? null : { relaxed: loosestRelaxation(nearResult.steps), total, items };
  return { ...nearResult, trace, names, near };
}

/** True if a name, or its prefix, is the whole query apart from stop words and asking words. */
const isWhole = ({ matchKind, matchedWords }: NameHit, { terms }: Query): boolean =>
  matchKind !== 'within' ||
  terms.every(({ text }) => matchedWords.includes(text) || isAskingWord(text) || isStopWord(fold(text)));

/** Most prefix matches listed before texts, most similar names, and most suggestions. */
const maxSuggested = 5;

/** Names to list before texts: full matches, then prefixes. */
function namesToList(names: readonly NameHit[]): NameHit[] {
  const prefixNames = names.filter(({ matchKind }) => matchKind === 'prefix');
  return [...names.filter((name) => !prefixNames.includes(name)), ...prefixNames.slice(0, maxSuggested)];
}

/** Searches records by authors named in the query (`own`) for its other words, then all others for all its words. */
function searchByAuthors(
  { query, scope, authors }: WordSearchRequest,
  search: (query: Query, options: RelaxationOptions) => SearchResult,
): AuthoredSearch {
  if (authors === null) return { ...search(query, { scope }), notBy: null };
  const { authorScope, subject, interpretation } = authors;
  // Records of the authors are wanted in any case, so all relaxation steps apply to them.
  const own = search(subject, { scope: { ...scope, ...authorScope }, isOwn: true });
  const otherScope = { ...scope, excludedAuthors: [...(scope.excludedAuthors ?? []), authorScope] };
  const other = search(query, { scope: otherScope });
  const hasPoliticians = authorScope.politicians && scope.kinds.some((kind) => kind.search.about.length > 0);
  const notBy = hasPoliticians && own.steps.length === 0 && other.steps.length > 0 ? interpretation.words : null;
  const trace = [...own.trace.map((each) => ({ ...each, author: interpretation.words })), ...other.trace];
  return { ...(own.corrections.length > 0 ? own : other), steps: [...own.steps, ...other.steps], trace, notBy };
}

/** A page of a search in a mode; one by words with the reason (`trouble`) if the model could not be used. */
export function searchInMode(mirror: Mirror, mode: SearchMode, filter: SearchFilter): SearchMethod & SearchAnswer {
  const semanticAnswer = mode === 'semantic' ? semanticSearch(mirror, filter) : null;
  if (semanticAnswer !== null && 'items' in semanticAnswer) return semanticAnswer;
  const failure = semanticAnswer && { trouble: semanticAnswer.trouble };
  const wordsAnswer = readSnapshot(mirror, () => searchWords(mirror, filter));
  return { mode: 'fulltext', method: 'words', fallback: mode !== 'fulltext', ...wordsAnswer, ...failure };
}

/** Total by kind, null if not all were counted; a record that matches by name and by words counts once. */
function countsOf(steps: readonly Step[], names: readonly NameHit[], scope: Scope): SearchAnswer['counts'] {
  return Object.fromEntries(
    scope.kinds.map((kind) => {
      const kindMatches = steps.flatMap((step) => step.matchesByKind.filter((each) => each.kind === kind));
      const ids = names.filter((name) => name.kind === kind.name).map(({ id }) => id);
      const unmatchedCount = ids.filter((id) => !kindMatches.some((each) => each.ids().has(id))).length;
      return [kind.name, sumOf([...kindMatches.map(({ total }) => total), unmatchedCount])];
    }),
  );
}

const suggestionOf = ({ key, name }: { key: string; name: string }) => ({ slug: key, full_name: name });

/** Below this number of matches, similar names and words are suggested. */
const suggestionThreshold = 3;

/** Match kinds of names that need no suggestion of other words. */
const exactMatchKinds: ReadonlySet<string> = new Set(['key', 'exact', 'former-name', 'prefix']);

/** The parties of a nickname; else, for few matches or after a correction, similar names and words; else empty. */
function suggestionsFor(
  mirror: Mirror,
  { query, filter, certainNames }: WordSearchRequest,
  { steps, shownNames, isCorrected }: { steps: readonly Step[]; shownNames: NameHit[]; isCorrected: boolean },
): SearchAnswer['suggestions'] {
  const parties = partiesByNickname(mirror, filter.query).slice(0, maxSuggested);
  const isFew = hasFewerMatches(steps, suggestionThreshold);
  if (parties.length > 0 || !(isFew || isCorrected)) return parties.map(suggestionOf);
  const text = textOfTerms(query.terms).slice(0, 200);
  const similarHits =
    shownNames.length > 0 ? shownNames.filter(({ isSure }) => !isSure) : similarNames(mirror, text, maxSuggested);
  const hasExactName = certainNames.some(({ matchKind }) => exactMatchKinds.has(matchKind));
  const words = isFew && !hasExactName ? spellAsInRecords(mirror, findLikelierWords(mirror, query)) : [];
  return [...similarHits.slice(0, maxSuggested).map(suggestionOf), ...words.map(({ to }) => ({ word: to }))];
}
