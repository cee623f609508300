import { fold } from '../../language/fold.ts';
import type { Query } from '../../language/query.ts';
import { isAskingWord, isStopWord } from '../../language/stop-words.ts';
import { partiesByNickname, similarNames } from '../../names/lookup.ts';
import { amount, type Phrase, say } from '../../words/speech.ts';
import type { Mirror } from '../mirror.ts';
import { readSnapshot } from '../transaction.ts';
import { indexedKinds } from '../word-index/search-index.ts';
import { type SearchResult, type StepTrace, searchAllWords } from './all-words.ts';
import { endRemark, remarksOf, type SearchAnswer, type SearchFilter, type SearchMethod } from './answer.ts';
import { type Authors, authorsOf, rolesIn } from './authors.ts';
import { sumOf } from './counting.ts';
import { otherNamesIn, withLongForms } from './expression.ts';
import { requestedKinds, searchScope } from './filters.ts';
import { partyRemarks } from './groups-instead.ts';
import { nameHits, textHits } from './hit.ts';
import { type NameHit, searchNameHits } from './names.ts';
import { resultPage } from './page.ts';
import { hasFewerMatches, listedStep, type Step, totalOf } from './ranking.ts';
import { readQuery } from './reading.ts';
import { relaxedIn, searchRelaxed } from './relaxation.ts';
import { isNarrowed, type Scope } from './scope.ts';
import { semanticSearch } from './semantic-search.ts';
import { findLikelierWords, inRecordSpelling } from './spelling.ts';
import { anyWordStep, findAnyWord, type RelaxationLimits, type StepDescription } from './steps.ts';

/** `fulltext` needs all words; `semantic` matches by meaning; `fallback` needs all words or, if none match, any. */
type SearchMode = 'fulltext' | 'semantic' | 'fallback';

/** The best matches of a query over several kinds: records that it names, then what matches; beside it what is near. */
export function searchWords(mirror: Mirror, filter: SearchFilter): SearchAnswer {
  return readSnapshot(mirror, () => runSearch(mirror, filter));
}

function runSearch(mirror: Mirror, filter: SearchFilter): SearchAnswer {
  const requested = requestedKinds(filter);
  const reading = readQuery(mirror, filter.query, requested, filter.types ? requested : [...indexedKinds]);
  const types = (reading.kinds ?? requested).map(({ name }) => name);
  const { query, scope } = searchScope(mirror, reading.query, { ...filter, types, condition: reading.condition });
  const names = query.terms.length > 0 ? searchNameHits(mirror, query, { scope }) : [];
  const typedNames = names.filter(({ isSure }) => isSure);
  const request = { query, scope, filter, authors: authorsOf(mirror, query, scope, names) };
  const isListed = reading.condition !== undefined && query.terms.length === 0;
  const textSearch = isListed
    ? { query, steps: listedStep(mirror, scope), corrected: [], trace: [], notBy: null }
    : searchInParts(request, (part, limits) => searchAllWords(mirror, part, limits.scope));
  // Part of a query names a record only if texts contain all of it.
  const listedNames = namesToList(typedNames.filter((name) => textSearch.steps.length > 0 || isWhole(name, query)));
  const { items, nextCursor } = pageOf(mirror, request, { textSearch, names: listedNames });
  const counts = countsOf(textSearch.steps, listedNames, scope);
  const isAnswered = textSearch.steps.length + listedNames.length > 0 || isNarrowed(scope);
  const isFirst = filter.cursor === undefined && filter.limit > 0;
  const lacksMatches = !isAnswered || (typedNames.length === 0 && isSparse(mirror, request, textSearch.steps));
  const nearRequest = { ...request, typed: typedNames, matched: textSearch };
  const relaxed = isFirst && lacksMatches ? nearTo(mirror, nearRequest) : null;
  const notBy = textSearch.notBy ?? relaxed?.notBy;
  const corrected = relaxed?.corrected ?? [];
  const { steps } = isAnswered ? textSearch : (relaxed ?? textSearch);
  const readingTrace = reading.step ? [{ step: reading.step, total: totalOf(textSearch.steps) }] : [];
  const nameTrace = { step: nameStep, total: listedNames.length };
  const trace = isListed ? readingTrace : [...readingTrace, nameTrace, ...textSearch.trace, ...(relaxed?.trace ?? [])];
  const shownNames = relaxed?.names ?? listedNames;
  return {
    items,
    total: sumOf(Object.values(counts)),
    nextCursor,
    counts,
    near: relaxed?.near ?? null,
    corrected: inRecordSpelling(mirror, corrected),
    suggestions: suggestionsFor(mirror, request, { steps, typedNames, shownNames, isCorrected: corrected.length > 0 }),
    interpretations: [
      ...reading.interpretations,
      ...otherNamesIn(mirror, query),
      ...(request.authors ? [request.authors.interpretation] : []),
      ...rolesIn(listedNames),
    ],
    remarks: [
      ...(isListed ? query.remarks : remarksOf(query, scope)),
      ...(notBy ? [say`no text by ${notBy} matches the other words: the texts listed or suggested are by others`] : []),
      ...partyRemarks(mirror, scope),
      ...(nextCursor === null ? endRemark(counts) : []),
      ...(filter.explain ? explanation(trace) : []),
    ],
  };
}

/** The step that lists records by name, before those that match words. */
export const nameStep: StepDescription = {
  name: 'name',
  purpose: say`people and parties that the query names`,
  example: 'garde des sceaux',
};

const nearNameStep = { name: 'near-name', purpose: say`people and parties with a similar name`, example: 'jeane' };

/** A line for each step that was run, in order, with its number of results. */
const explanation = (trace: readonly StepTrace[]): Phrase[] =>
  trace.map(({ step, total, by }) => {
    const results = total === null ? say`more results than are counted` : amount(total, 'result');
    return say`step ${step.name}${by ? say`, author ${by}` : ''}: ${results} (${step.purpose})`;
  });

/** The names on the first page, then the hits of the steps. */
function pageOf(
  mirror: Mirror,
  { query, filter }: Pick<Request, 'query' | 'filter'>,
  { textSearch, names }: { textSearch: SearchResult; names: readonly NameHit[] },
) {
  const { limit, cursor, allCopies = false } = filter;
  const shown = cursor === undefined ? names.slice(0, limit) : [];
  const excludedIds = new Set(names.map(({ id }) => id));
  const page = resultPage(mirror, textSearch.steps, { limit: limit - shown.length, cursor, excludedIds, allCopies });
  const items = [...nameHits(shown, query.terms), ...textHits(page.hits, textSearch.query.terms)];
  return { items, nextCursor: page.nextCursor };
}

/** Below `sparseThreshold` matches of a sentence, records with some of its words are suggested. */
const sparseThreshold = 20;
const minWordsOfSentence = 3;

function isSparse(mirror: Mirror, { query, scope }: Request, steps: readonly Step[]): boolean {
  const isFew = steps.length > 0 && hasFewerMatches(steps, sparseThreshold) && !isNarrowed(scope);
  if (!isFew || query.terms.some(({ phrase, prefix }) => phrase || prefix)) return false;
  return withLongForms(mirror, query).terms.length >= minWordsOfSentence;
}

/** What resembles a query: beside few matches, records with any word; else names, then hits of a relaxed search. */
function nearTo(mirror: Mirror, request: Request & { typed: NameHit[]; matched: AuthoredSearch }) {
  const { query, scope, typed, matched } = request;
  const isUnmatched = matched.steps.length === 0;
  // Several words close to a name mean that name, not other words close to these.
  const isGuessed = isUnmatched && typed.length === 0 && query.terms.length > 0;
  const guessed = isGuessed ? searchNameHits(mirror, query, { scope, allowsGuesses: true }) : [];
  const isName = query.terms.length > 1 && guessed.some(({ matchKind }) => matchKind !== 'within');
  const searchNear = (): AuthoredSearch => {
    if (isUnmatched) return searchInParts(request, (part, limits) => searchRelaxed(mirror, part, limits));
    const steps = findAnyWord(mirror, query, { scope, before: matched.steps, requiresWord: true });
    return { ...matched, steps, trace: [{ step: anyWordStep, total: totalOf(steps) }] };
  };
  const searched = isName ? { ...matched, trace: [] } : searchNear();
  const trace = [...(isGuessed ? [{ step: nearNameStep, total: guessed.length }] : []), ...searched.trace];
  const names = typed.length > 0 ? namesToList(typed) : guessed.slice(0, mostNear);
  const { items } = pageOf(mirror, request, { textSearch: searched, names });
  const total = sumOf(Object.values(countsOf(searched.steps, names, scope)));
  const near = items.length === 0 ? null : { relaxed: relaxedIn(searched.steps), total, items };
  return { ...searched, trace, names, near };
}

/** True if the query is the name or its beginning, beside words of asking. */
const isWhole = ({ matchKind, matchedWords }: NameHit, { terms }: Query): boolean =>
  matchKind !== 'within' ||
  terms.every(({ text }) => matchedWords.includes(text) || isAskingWord(text) || isStopWord(fold(text)));

type Request = { query: Query; scope: Scope; authors: Authors | null; filter: SearchFilter };

/** Most prefix matches listed before texts, most similar names, and most suggestions. */
const mostNear = 5;

/** Names to list before texts: full matches, then prefixes. */
function namesToList(names: readonly NameHit[]): NameHit[] {
  const prefixNames = names.filter(({ matchKind }) => matchKind === 'prefix');
  return [...names.filter((name) => !prefixNames.includes(name)), ...prefixNames.slice(0, mostNear)];
}

type AuthoredSearch = SearchResult & { notBy: string | null };

/** Searches in parts if the query names authors: first their records; `notBy` names them if only others match. */
function searchInParts(
  { query, scope, authors }: Request,
  search: (query: Query, limits: RelaxationLimits) => SearchResult,
): AuthoredSearch {
  if (authors === null) return { ...search(query, { scope }), notBy: null };
  const { authorScope, subject, interpretation } = authors;
  // The authors are listed anyway: the other words go through all relaxation steps.
  const ownLimits = { scope: { ...scope, ...authorScope }, isOwn: true };
  const own = search(subject, ownLimits);
  const other = search(query, { scope: { ...scope, except: [...(scope.except ?? []), authorScope] } });
  const hasPoliticians = authorScope.politicians && scope.kinds.some((kind) => kind.search.about.length > 0);
  const notBy = hasPoliticians && own.steps.length === 0 && other.steps.length > 0 ? interpretation.words : null;
  const trace = [...own.trace.map((each) => ({ ...each, by: interpretation.words })), ...other.trace];
  return { ...(own.corrected.length > 0 ? own : other), steps: [...own.steps, ...other.steps], trace, notBy };
}

/** The best matches of a search mode, with the mode that was actually used. */
export function searchInMode(mirror: Mirror, mode: SearchMode, filter: SearchFilter): SearchMethod & SearchAnswer {
  const semanticAnswer = mode === 'semantic' ? semanticSearch(mirror, filter) : null;
  if (semanticAnswer !== null && 'items' in semanticAnswer) return semanticAnswer;
  const wordsAnswer = searchWords(mirror, filter);
  return { mode: 'fulltext', method: 'words', fallback: mode !== 'fulltext', ...wordsAnswer, ...semanticAnswer };
}

function countsOf(steps: readonly Step[], names: readonly NameHit[], scope: Scope): SearchAnswer['counts'] {
  return Object.fromEntries(
    scope.kinds.map((kind) => {
      const kindMatches = steps.flatMap((step) => step.matchesByKind.filter((each) => each.kind === kind));
      const ids = names.filter(({ record }) => record === kind).map(({ id }) => id);
      const unmatchedCount = ids.filter((id) => !kindMatches.some((each) => each.ids().has(id))).length;
      return [kind.name, sumOf([...kindMatches.map(({ total }) => total), unmatchedCount])];
    }),
  );
}

const suggestionOf = ({ key, name }: { key: string; name: string }) => ({ slug: key, full_name: name });

/** Below `suggestionThreshold` matches, names and words that resemble the query are suggested. */
const suggestionThreshold = 3;

/** Matches of a name that need no other spelling. */
const exactKinds: ReadonlySet<string> = new Set(['key', 'exact', 'former-name', 'prefix']);

type Matches = { steps: readonly Step[]; typedNames: NameHit[]; shownNames: NameHit[]; isCorrected: boolean };

/** The parties of a nickname; else, beside few matches or a correction, names and words that resemble the query. */
function suggestionsFor(
  mirror: Mirror,
  { query, filter }: Pick<Request, 'query' | 'filter'>,
  { steps, typedNames, shownNames, isCorrected }: Matches,
): SearchAnswer['suggestions'] {
  const parties = partiesByNickname(mirror, filter.query).slice(0, mostNear);
  const isFew = hasFewerMatches(steps, suggestionThreshold);
  if (parties.length > 0 || !(isFew || isCorrected)) return parties.map(suggestionOf);
  const text = query.terms.map((term) => term.text).join(' ');
  const near =
    shownNames.length > 0 ? shownNames.filter(({ isSure }) => !isSure) : similarNames(mirror, text.slice(0, 200), 5);
  const hasExactName = typedNames.some(({ matchKind }) => exactKinds.has(matchKind));
  const words = isFew && !hasExactName ? inRecordSpelling(mirror, findLikelierWords(mirror, query)) : [];
  return [...near.slice(0, 5).map(suggestionOf), ...words.map(({ to }) => ({ word: to }))];
}
