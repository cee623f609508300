import { verbsOf } from '../../language/conjugation.ts';
import { fold } from '../../language/fold.ts';
import { editDistance } from '../../language/near-miss.ts';
import { type Query, withWordsApart } from '../../language/query.ts';
import { respellings } from '../../language/respelling.ts';
import { stem } from '../../language/stem.ts';
import { isActionWord, isAskingWord, isStopWord } from '../../language/stop-words.ts';
import type { Mirror } from '../mirror.ts';
import { findMatches, type KindMatches, sumOf } from './counting.ts';
import { inTokensOf, matchExpression, withHeldSpellings } from './expression.ts';
import { withFamilies } from './families.ts';
import type { Scope } from './scope.ts';
import {
  type Correction,
  haveSameLetters,
  type Spelled,
  type SpellingMemory,
  spellings,
} from './spelling.ts';

/**
 * How a hit was found: by its name; by all words as typed, with other accents or as others write them, or others of their families; in another
 * spelling; by any word; or by what it means.
 */
export type Matched = 'name' | 'words' | 'accents' | 'family' | 'corrected' | 'any-word' | 'meaning';

/** The relaxation steps, from the strictest on. */
export const relaxationSteps: readonly Matched[] = ['words', 'accents', 'family', 'corrected', 'any-word'];

/** One relaxation step: what it looked for, and what it found of each kind. */
export type Step = { matched: Matched; found: KindMatches[] };

/**
 * How a query was answered: the steps that found anything, in order; the query as it was looked for; what was done to it.
 */
export type RelaxedSearch = {
  steps: Step[];
  query: Query;
  relaxed: 'any-word' | null;
  corrected: Correction[];
};

/** What was found in all steps, null where it was not all counted. */
export function totalOf(found: KindMatches[]): number | null {
  return sumOf(found.map(({ total }) => total));
}

/** How far a query may be relaxed: with fewer than `least` matches, any of its words is enough. */
type RelaxationLimits = {
  scope: Scope;
  isFound: boolean;
  /** True where it may be a name: words of its family are other words then. */
  isGuessed: boolean;
  anyWord: boolean;
  least?: number | undefined;
  /** True for a sentence that asks: of `qui propose`, `quelles mesures` no text needs to hold anything. */
  isQuestion?: boolean | undefined;
  /** Words of the query that are names of whom is told already: any of the others is enough, none of these. */
  named?: readonly string[] | undefined;
  spelling: SpellingMemory;
};

/**
 * Looks for all words as they were typed (with both readings of what lacks accents); and, each only where nothing was found
 * by then, by other accents, by words of the same families, in another spelling of words that no record has, and by any word
 * that says something.
 */
export function searchRelaxing(mirror: Mirror, asked: Query, limits: RelaxationLimits): RelaxedSearch {
  const { scope, isFound, isGuessed, anyWord, least = 1, isQuestion = false, named = [], spelling } = limits;
  const every = inTokensOf(mirror, asked);
  const query = withHeldSpellings(mirror, every);
  const look: Look = (matched, match) => {
    if (match === null) return [];
    const found = findMatches(mirror, match, scope);
    return found.some(({ total }) => total !== 0) ? [{ matched, found }] : [];
  };
  const plain = { query: asked, relaxed: null, corrected: [] };
  const anyExpression = (wanted: Query) => expressionOfAny(wanted, isQuestion);
  const anyOf: AnyOf = (wanted, found = null) => {
    const any = anyExpression(withoutWords(wanted, named));
    return look('any-word', any === null || found === null ? any : `(${any}) NOT (${found})`);
  };
  if (anyWord) return { ...plain, steps: anyOf(query), relaxed: 'any-word' };
  const typed = matchExpression(query, 'AND', 'typed');
  const readings = matchExpression(query, 'AND', 'readings');
  const words = look('words', typed);
  const accented = typed === readings ? [] : look('accents', `(${readings}) NOT (${typed})`);
  const steps = [...words, ...accented];
  const wider = (searched: RelaxedSearch, all: string | null) =>
    // Any word of a family would be too many; a slip is not looked for as it was typed.
    widened(searched, { query: searched.corrected.length > 0 ? searched.query : query, all, least, anyOf });
  if (isFound) return wider({ ...plain, steps }, readings);
  if (steps.length > 0) {
    // What an accent tells apart in the index has its own family: marché not that of marche.
    const isToldApart = query.terms.some(({ prose }) => prose.some((token) => token !== fold(token)));
    const isWidened = !isGuessed && !isToldApart && isFewer(steps, tooFew);
    // A word that some hold is not a noun that others of its family hold: franc, français.
    const families = isWidened ? withFamilies(mirror, query, 'verb') : null;
    if (families === null) return wider({ ...plain, steps }, readings);
    const all = matchExpression(families, 'AND');
    return wider(
      { ...plain, query: families, steps: [...steps, ...look('family', `(${all}) NOT (${readings})`)] },
      all,
    );
  }
  const accents = matchExpression(query, 'AND', 'accents');
  const other = accents === readings ? [] : look('accents', accents);
  if (other.length > 0) return wider({ ...plain, steps: other }, accents);
  const apart = withWordsApart(asked);
  // Nothing has them together.
  if (apart !== null) return searchRelaxing(mirror, apart, limits);
  const further = relaxFurther(mirror, { asked, query: every, look, anyOf, isGuessed, spelling });
  return further.relaxed === null ? wider(further, matchExpression(further.query, 'AND')) : further;
}

/** True where all words are found as they were typed in so many records that no others are looked for. */
export function isFoundAsTyped(mirror: Mirror, asked: Query, scope: Scope): boolean {
  const typed = matchExpression(inTokensOf(mirror, asked), 'AND', 'typed');
  return typed !== null && !isFewer([{ matched: 'words', found: findMatches(mirror, typed, scope) }], tooFew);
}

/** Hits of a word that are too few for the words of its family not to be looked for, too. */
const tooFew = 10;

/** True where all that was found in some steps was counted, and is less than so many. */
export function isFewer(steps: readonly Step[], least: number): boolean {
  const total = totalOf(steps.flatMap(({ found }) => found));
  return total !== null && total < least;
}

/** Adds the records that hold any word to those that hold all of a sentence, where these are too few. */
function widened(
  searched: RelaxedSearch,
  { query, all, least, anyOf }: { query: Query; all: string | null; least: number; anyOf: AnyOf },
): RelaxedSearch {
  if (!isFewer(searched.steps, least) || query.terms.length < 2) return searched;
  const more = anyOf(query, searched.steps.length === 0 ? null : all);
  return more.length === 0
    ? searched
    : { ...searched, steps: [...searched.steps, ...more], relaxed: 'any-word' };
}

type Look = (matched: Matched, match: string | null) => Step[];

/** Looks for any word of a query that says something, in what was not found by an expression before. */
type AnyOf = (wanted: Query, found?: string | null) => Step[];

type RelaxationContext = {
  spelling: SpellingMemory;
  isGuessed: boolean;
  asked: Query;
  query: Query;
  look: Look;
  anyOf: AnyOf;
};

/** The query without some of its words, as they were typed. */
export function withoutWords(query: Query, words: readonly string[]): Query {
  return { ...query, terms: query.terms.filter(({ text }) => !words.includes(text)) };
}

function relaxFurther(
  mirror: Mirror,
  { asked, query, look, anyOf, isGuessed, spelling }: RelaxationContext,
): RelaxedSearch {
  const families = isGuessed ? null : withFamilies(mirror, query, 'family');
  const related = families === null ? [] : look('family', matchExpression(families, 'AND'));
  const spelled = spellings(mirror, query, spelling);
  const other = inSpelling(spelled, look);
  const isSlip = other && !isForm(other) && isLikelier(other, related);
  if (families !== null && related.length > 0 && !isSlip)
    return { steps: related, query: families, relaxed: null, corrected: [] };
  if (other) return other;
  const [likeliest] = spelled;
  const steps = query.terms.length < 2 ? [] : anyOf(likeliest?.query ?? query);
  if (steps.length === 0) return { steps, query: asked, relaxed: null, corrected: [] };
  const { query: wanted, corrections } = likeliest ?? { query: asked, corrections: [] };
  return { steps, query: wanted, relaxed: 'any-word', corrected: corrections };
}

/** What the first of some spellings finds that finds anything; null where none does. */
function inSpelling(spelled: readonly Spelled[], look: RelaxationContext['look']): RelaxedSearch | null {
  for (const { query, corrections } of spelled) {
    const steps = look('corrected', matchExpression(query, 'AND'));
    if (steps.length > 0) return { steps, query, relaxed: null, corrected: corrections };
  }
  return null;
}

/** True where what a word may be a slip for is another form of a verb that it surely is of: votèrent is no mistake for voter. */
function isForm({ corrected }: RelaxedSearch): boolean {
  return corrected.every(({ from, to }) =>
    verbsOf(from).some(({ isSure, forms }) => isSure && forms().includes(to)),
  );
}

/**
 * True where a word is rather a slip than another one of a family: what it may be a slip for is in many records, beside those
 * of the whole family (environement for environnement, not for environs; votèrent for voter, not for voteront).
 */
function isLikelier({ steps, corrected }: RelaxedSearch, related: readonly Step[]): boolean {
  const slips = corrected.map(({ from, to }) => likenessOf(fold(from).replace(/^.*'/, ''), to));
  const [spelled, family] = [steps, related].map((each) => totalOf(each.flatMap(({ found }) => found)));
  return family !== null && (spelled === null || Math.min(...slips) * spelled! > family!);
}

/**
 * How many times as many records a family must have as the token that a word may be a slip for, to be likelier: very many
 * where the word is long and sounds like it or has its letters, doubled or not (connection, fonctionement); 0 for no slip.
 */
function likenessOf(typed: string, token: string): number {
  const isHeard = respellings(typed).some((each) => stem(each) === token);
  if (typed.length >= leastSure && (isHeard || haveSameLetters(stem(typed), token))) return ofSure;
  return isHeard || [typed, stem(typed)].some((form) => editDistance(form, fold(token), 1) <= 1) ? 2 : 0;
}

const [leastSure, ofSure] = [7, 20];

/** The expression for any word of a query that says something: of a question in what records say, for whom it names is told apart. */
function expressionOfAny(query: Query, isQuestion: boolean): string | null {
  const wanted = telling(query, isQuestion);
  const match = matchExpression(wanted, 'OR');
  return match === null || !isQuestion || wanted.terms.length < 2 ? match : `{title body about} : (${match})`;
}

/** True for the sign behind a number, which says nothing of a subject. */
const isSign = (text: string) => /^[%€]$/.test(text);

/**
 * The query without the words that say nothing of a subject; of a question without those that say nothing of what it is
 * about, nor what is to be done to that. Without any of these it stays as it is.
 */
function telling(query: Query, isQuestion: boolean): Query {
  const saysNothing = isQuestion ? isAskingWord : isStopWord;
  const terms = query.terms.filter(
    ({ text, phrase }) => phrase || !(isSign(text) || saysNothing(fold(text).replace(/[^a-z-]/g, ''))),
  );
  const subjects = isQuestion ? terms.filter(({ text }) => !isActionWord(text)) : terms;
  const kept = subjects.length > 1 ? subjects : terms;
  return { ...query, terms: kept.length > 0 ? kept : query.terms };
}
