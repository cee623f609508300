import { fold } from '../../language/fold.ts';
import { nameWords } from '../../language/name.ts';
import { editDistance } from '../../language/near-miss.ts';
import { asks, parseQuery, type Query } from '../../language/query.ts';
import { soundKey } from '../../language/sound.ts';
import { stem } from '../../language/stem.ts';
import type { Document } from '../../model/document.ts';
import type { Kind } from '../../model/kinds.ts';
import { similarNames } from '../../names/lookup.ts';
import { isOrdinaryWord } from '../../names/within.ts';
import type { Mirror } from '../mirror.ts';
import { inOneView } from '../transaction.ts';
import { endRemark, remarksOf, type SearchAnswer, type SearchFilter, type SearchManner } from './answer.ts';
import { type Authors, authorsOf } from './authors.ts';
import { matchedIds, sumOf } from './counting.ts';
import { searchScope } from './filters.ts';
import { groupsRemark } from './groups-instead.ts';
import { namedHits, textHits } from './hit.ts';
import { type FoundName, foundNames } from './names.ts';
import { type Hit, resultPage } from './page.ts';
import {
  isFewer,
  isFoundAsTyped,
  type RelaxedSearch,
  relaxationSteps,
  searchRelaxing,
  totalOf,
  withoutWords,
} from './relaxation.ts';
import type { Scope } from './scope.ts';
import { semanticSearch } from './semantic-search.ts';
import { type Correction, createSpellingMemory, nearWordsOf } from './spelling.ts';
import { wordOfToken, writtenAs } from './written-words.ts';

/** `fulltext` needs all words, `semantic` searches by meaning, `fallback` needs all words or, if no text has them, any. */
type SearchWay = 'fulltext' | 'semantic' | 'fallback';

const few = 3;

/** With fewer full matches of a sentence, matches of any word follow. */
const enough = 20;

/** Guessed names listed before texts with corrected spelling. */
const mostGuessed = 5;

/** The best matches of a query over several kinds: records that it names, then records found by `searchRelaxing`. */
export function searchWords(mirror: Mirror, filter: SearchFilter): SearchAnswer {
  return inOneView(mirror, () => answerOf(mirror, filter));
}

function answerOf(mirror: Mirror, filter: SearchFilter): SearchAnswer {
  const { query, scope } = searchScope(mirror, parseQuery(filter.query), filter);
  const areGuessed = !isPlainWord(mirror, query, scope);
  const names = query.terms.length > 0 ? foundNames(mirror, query, { scope, areGuessed }) : [];
  const typed = names.filter(({ isSure }) => isSure);
  const isQuestion = asks(filter.query, query);
  const spelling = createSpellingMemory();
  const searched = relaxedFor(mirror, query, {
    scope,
    isQuestion,
    // Several words close to a name mean that name, not other words close to these.
    isFound: typed.length > 0 || (query.terms.length > 1 && names.length > 0),
    isGuessed: names.length > 0,
    anyWord: filter.anyWord === true,
    spelling,
    least: isQuestion ? enough : leastFor(names, filter),
    authors: authorsOf(mirror, query, { scope, names }),
  });
  const sure = namedBySlips(mirror, { searched, query, scope }) ?? typed;
  const isFew = isFewer(searched.steps, few);
  const named = sure.length > 0 ? sure : guessed(names, { isFew, searched, query });
  const isBegin = filter.cursor === undefined;
  const shown = isBegin ? named.slice(0, filter.limit) : [];
  const { hits, nextCursor } = resultPage(mirror, {
    steps: searched.steps,
    query: searched.query,
    wanted: {
      limit: filter.limit - shown.length,
      cursor: filter.cursor,
      excludedIds: new Set(named.map(({ id }) => id)),
      allCopies: filter.allCopies === true,
    },
  });
  const counts = countsOf(mirror, { searched, named, scope });
  const corrections = isFew && !sure.some(isWhole) ? nearWordsOf(mirror, query, spelling) : [];
  return {
    items: [...namedHits(shown, query.terms, filter), ...textHits(hits, searched.query.terms, filter)],
    total: sumOf(Object.values(counts)),
    nextCursor,
    counts,
    relaxed: searched.steps.length === 0 ? null : searched.relaxed,
    corrected: correctedIn(searched, { hits, named: shown, asked: filter.query }),
    suggestions:
      isFew || searched.corrected.length > 0 ? suggestionsFor(mirror, { query, named, corrections }) : [],
    remarks: [
      ...remarksOf(query, scope),
      ...groupsRemark(mirror, scope.parties ?? []),
      ...(nextCursor === null ? endRemark(counts) : []),
    ],
  };
}

/** True for a single lower-case word that many records contain as typed: no similar name is guessed. */
function isPlainWord(mirror: Mirror, query: Query, scope: Scope): boolean {
  const [term, another] = query.terms;
  return (
    term !== undefined &&
    another === undefined &&
    /^\p{Ll}/u.test(term.text) &&
    isFoundAsTyped(mirror, query, scope)
  );
}

/** True if the whole query is the name, without misspelling. */
function isWhole({ matched }: FoundName): boolean {
  return matched === 'key' || matched === 'exact' || matched === 'former-name';
}

/** The records named when corrected words are read as misspelt names; null if none of them is one. */
function namedBySlips(
  mirror: Mirror,
  { searched: { corrected }, query, scope }: { searched: RelaxedSearch; query: Query; scope: Scope },
): FoundName[] | null {
  if (corrected.length === 0 || query.terms.length < 2) return null;
  const slips = new Map(corrected.map(({ from, to }) => [from, to]));
  const found = foundNames(mirror, query, { scope, areGuessed: false, slips });
  return found.some(({ taken }) => taken.some((word) => slips.has(word))) ? found : null;
}

type RelaxationRequest = Omit<Parameters<typeof searchRelaxing>[2], 'scope'>;

/** Runs the relaxing search; if the query names authors, each step lists their records first. */
function relaxedFor(
  mirror: Mirror,
  query: Query,
  { scope, authors, ...asked }: RelaxationRequest & { scope: Scope; authors: Authors | null },
): RelaxedSearch {
  if (authors === null) return searchRelaxing(mirror, query, { ...asked, scope });
  const { words, by } = authors;
  // The named people are listed anyway: the other words go through all relaxation steps.
  const own = searchRelaxing(mirror, withoutWords(query, words), {
    ...asked,
    isFound: false,
    scope: { ...scope, ...by },
  });
  const whole = own.steps.filter(({ matched }) => matched !== 'any-word');
  const said = totalOf(whole.flatMap(({ found }) => found)) ?? Number.POSITIVE_INFINITY;
  const others = searchRelaxing(mirror, query, {
    ...asked,
    isFound: said > 0,
    scope: { ...scope, except: [...(scope.except ?? []), by] },
    named: words,
    least: Math.max(0, (asked.least ?? 1) - said),
  });
  const steps = [...own.steps, ...others.steps];
  const isCorrected = own.corrected.length > 0;
  return {
    query: isCorrected ? own.query : others.query,
    corrected: isCorrected ? own.corrected : others.corrected,
    steps: relaxationSteps.flatMap((step) => steps.filter(({ matched }) => matched === step)),
    relaxed: own.relaxed ?? others.relaxed,
  };
}

/** Matches below which any word suffices; 0 for a name, whose single words are not searched. */
function leastFor(names: readonly FoundName[], { isSentence }: SearchFilter): number {
  if (names.some(({ matched }) => matched !== 'within')) return 0;
  return isSentence ? enough : 1;
}

/** The best matches of a search mode, with the mode that was actually used. */
export function searchBy(mirror: Mirror, by: SearchWay, filter: SearchFilter): SearchManner & SearchAnswer {
  const found = by === 'semantic' ? semanticSearch(mirror, filter) : null;
  if (found !== null && 'items' in found) return found;
  const isSentence = by !== 'fulltext';
  return {
    mode: 'fulltext',
    method: 'words',
    fallback: isSentence,
    ...searchWords(mirror, { ...filter, isSentence }),
    ...found,
  };
}

/**
 * The guessed names to list: all if little was found; else those that sound like the query if the correction does not;
 * else those spelled like the correction, or the first ones for capitalised words.
 */
function guessed(
  names: FoundName[],
  { isFew, searched, query }: { isFew: boolean; searched: RelaxedSearch; query: Query },
): FoundName[] {
  // Words that texts contain as typed are no name with two mistakes: marine marchande, not Marie Marchand.
  const isTyped = query.terms.length > 1 && searched.steps.some(({ matched }) => matched === 'words');
  if (isFew) return isTyped ? names.filter(({ score }) => score > ofTwoSlips) : names;
  const tokens = searched.corrected.map(({ to }) => to);
  const isCapital = query.terms.every(({ text }) => /^\p{Lu}/u.test(text));
  // A surname may share its token with a similar word: Balladin, Balladine.
  const alike = isCapital
    ? query.terms.flatMap(({ prose }) => prose).filter((token) => !isOrdinaryWord(token))
    : [];
  const isHeard = searched.corrected.some(({ from, to }) => soundKey(fold(from)) === soundKey(to));
  const isNext = isHeard || query.terms.length > 1 || names[0]?.matched !== 'sound';
  const heard = isNext ? [] : names.filter(({ matched }) => matched === 'sound');
  if (tokens.length > 0 && heard.length > 0) return heard.slice(0, mostGuessed);
  const spelled = names.filter(({ name }) =>
    nameWords(name).some((word) =>
      [word, stem(word)].some((form) => tokens.includes(form) || alike.includes(form)),
    ),
  );
  return spelled.length > 0 || tokens.length === 0 || !isCapital ? spelled : names.slice(0, mostGuessed);
}

/** Score of a name with two mistakes. */
const ofTwoSlips = 0.34;

type Answered = { searched: RelaxedSearch; named: FoundName[]; scope: Scope };

/** Matches per kind, named records included. */
function countsOf(mirror: Mirror, { searched: { steps }, named, scope }: Answered): SearchAnswer['counts'] {
  return Object.fromEntries(
    scope.kinds.map((kind) => {
      const found = steps.flatMap((step) => step.found.filter((each) => each.kind === kind));
      const ids = named.filter(({ record }) => record === kind).map(({ id }) => id);
      const held = ids.length === 0 ? [] : found.map((each) => matchedIds(mirror, each));
      const beyond = ids.filter((id) => !held.some((ids) => ids.has(id))).length;
      return [kind.name, sumOf([totalOf(found), beyond])];
    }),
  );
}

/** Corrections as the records spell them. */
function correctedIn(
  { corrected, steps }: RelaxedSearch,
  { hits, named, asked }: { hits: Hit[]; named: FoundName[]; asked: string },
): Correction[] {
  const [name, another] = named.filter(({ isSure }) => !isSure);
  if (name && !another && steps.length === 0 && ['sound', 'typo'].includes(name.matched))
    return [{ from: asked.trim(), to: name.name }];
  const records = [...named.map(({ record: kind, document }) => ({ kind, document })), ...hits];
  return corrected.map(({ from, to }) => ({ from, to: writtenIn(records, to, from) }));
}

/** A token as the records write it, in the form nearest to what was typed. */
function writtenIn(records: { kind: Kind; document: Document }[], token: string, typed: string): string {
  const asked = fold(typed).replace(/^.*'/, '');
  let nearest = { form: token, steps: Number.POSITIVE_INFINITY };
  let looked = 0;
  for (const { kind, document } of records) {
    if (looked === mostRead) break;
    const form = writtenAs(token, kind, document);
    if (form === null) continue;
    looked += 1;
    const steps = editDistance(asked, fold(form), mostSteps);
    if (steps < nearest.steps) nearest = { form, steps };
  }
  return nearest.form;
}

/** Records read for a spelling, and the greatest edit distance compared. */
const [mostRead, mostSteps] = [3, 6];

function suggestionsFor(
  mirror: Mirror,
  { query, named, corrections }: { query: Query; named: FoundName[]; corrections: Correction[] },
): SearchAnswer['suggestions'] {
  const text = query.terms.map((term) => term.text).join(' ');
  const near =
    named.length > 0 ? named.filter(({ isSure }) => !isSure) : similarNames(mirror, text.slice(0, 200), 5);
  const people = near.slice(0, 5).map(({ key, name }) => ({ slug: key, full_name: name }));
  return [...people, ...corrections.map(({ to }) => ({ word: wordOfToken(mirror, to) }))];
}
