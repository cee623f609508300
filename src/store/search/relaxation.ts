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
 * How a hit was found: by name; by all words as typed, with other accents or spellings (`accents`), or of the same
 * families; with corrected spelling; by any word; or by meaning.
 */
export type Matched = 'name' | 'words' | 'accents' | 'family' | 'corrected' | 'any-word' | 'meaning';

/** The relaxation steps, strictest first. */
export const relaxationSteps: readonly Matched[] = ['words', 'accents', 'family', 'corrected', 'any-word'];

/** One relaxation step with its matches per kind. */
export type Step = { matched: Matched; found: KindMatches[] };

/** Result of a relaxing search: the steps with matches, in order, the query as searched, and its corrections. */
export type RelaxedSearch = {
  steps: Step[];
  query: Query;
  relaxed: 'any-word' | null;
  corrected: Correction[];
};

/** The number of matches; null if not all were counted. */
export function totalOf(found: KindMatches[]): number | null {
  return sumOf(found.map(({ total }) => total));
}

/** How far a query may be relaxed: with fewer than `least` matches, any word suffices. */
type RelaxationLimits = {
  scope: Scope;
  isFound: boolean;
  /** True if it may be a name, which has no word family. */
  isGuessed: boolean;
  anyWord: boolean;
  least?: number | undefined;
  /** True for a question: words such as `qui propose`, `quelles mesures` need not match. */
  isQuestion?: boolean | undefined;
  /** Words that name records already listed; none of them suffices alone. */
  named?: readonly string[] | undefined;
  spelling: SpellingMemory;
};

/**
 * Searches all words as typed (with both readings of words without accents). Each further step runs only if nothing was
 * found so far: other accents, words of the same families, corrected spelling of unknown words, and any significant word.
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
  const anyOf: AnyOf = (wanted, found = null) => {
    const any = expressionOfAny(withoutWords(wanted, named), isQuestion);
    return look('any-word', any === null || found === null ? any : `(${any}) NOT (${found})`);
  };
  if (anyWord) return { ...plain, steps: anyOf(query), relaxed: 'any-word' };
  const typed = matchExpression(query, 'AND', 'typed');
  const readings = matchExpression(query, 'AND', 'readings');
  const words = look('words', typed);
  const accented = typed === readings ? [] : look('accents', `(${readings}) NOT (${typed})`);
  const steps = [...words, ...accented];
  const wider = (searched: RelaxedSearch, all: string | null) =>
    // Any word of a family would match too much; a misspelt word is not searched as typed.
    widened(searched, { query: searched.corrected.length > 0 ? searched.query : query, all, least, anyOf });
  if (isFound) return wider({ ...plain, steps }, readings);
  if (steps.length > 0) {
    // A word with a distinguishing accent has its own family: marché, not that of marche.
    const isToldApart = query.terms.some(({ prose }) => prose.some((token) => token !== fold(token)));
    const isWidened = !isGuessed && !isToldApart && isFewer(steps, tooFew);
    // A word with matches is only extended by forms of its verb: not franc by français.
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
  // No record has the joined words.
  if (apart !== null) return searchRelaxing(mirror, apart, limits);
  const further = relaxFurther(mirror, { asked, query: every, look, anyOf, isGuessed, spelling });
  return further.relaxed === null ? wider(further, matchExpression(further.query, 'AND')) : further;
}

/** True if enough records contain all words as typed. */
export function isFoundAsTyped(mirror: Mirror, asked: Query, scope: Scope): boolean {
  const typed = matchExpression(inTokensOf(mirror, asked), 'AND', 'typed');
  return typed !== null && !isFewer([{ matched: 'words', found: findMatches(mirror, typed, scope) }], tooFew);
}

/** With fewer matches, words of the family are searched too. */
const tooFew = 10;

/** True if the counted matches are fewer than `least`. */
export function isFewer(steps: readonly Step[], least: number): boolean {
  const total = totalOf(steps.flatMap(({ found }) => found));
  return total !== null && total < least;
}

/** Adds a step for records with any word if too few have all of them. */
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

/** Searches any significant word of a query, excluding the matches of another expression. */
type AnyOf = (wanted: Query, found?: string | null) => Step[];

type RelaxationContext = {
  spelling: SpellingMemory;
  isGuessed: boolean;
  asked: Query;
  query: Query;
  look: Look;
  anyOf: AnyOf;
};

/** The query without some of its words, as typed. */
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

/** The matches of the first spelling that has any; null if none has. */
function inSpelling(spelled: readonly Spelled[], look: RelaxationContext['look']): RelaxedSearch | null {
  for (const { query, corrections } of spelled) {
    const steps = look('corrected', matchExpression(query, 'AND'));
    if (steps.length > 0) return { steps, query, relaxed: null, corrected: corrections };
  }
  return null;
}

/** True if every correction is another form of the typed verb: votèrent is no misspelling of voter. */
function isForm({ corrected }: RelaxedSearch): boolean {
  return corrected.every(({ from, to }) =>
    verbsOf(from).some(({ isSure, forms }) => isSure && forms().includes(to)),
  );
}

/**
 * True if a correction is more likely than a relative: its records outnumber those of the family by its likeness
 * (environement: environnement, not environs).
 */
function isLikelier({ steps, corrected }: RelaxedSearch, related: readonly Step[]): boolean {
  const slips = corrected.map(({ from, to }) => likenessOf(fold(from).replace(/^.*'/, ''), to));
  const [spelled, family] = [steps, related].map((each) => totalOf(each.flatMap(({ found }) => found)));
  return family !== null && (spelled === null || Math.min(...slips) * spelled! > family!);
}

/**
 * Weight of a correction against a family: high for a long word that sounds alike or has the same letters (connection,
 * fonctionement); 0 if it is not one edit away.
 */
function likenessOf(typed: string, token: string): number {
  const isHeard = respellings(typed).some((each) => stem(each) === token);
  if (typed.length >= leastSure && (isHeard || haveSameLetters(stem(typed), token))) return ofSure;
  return isHeard || [typed, stem(typed)].some((form) => editDistance(form, fold(token), 1) <= 1) ? 2 : 0;
}

const [leastSure, ofSure] = [7, 20];

/** The expression for any significant word; of a question only in texts, since names are listed separately. */
function expressionOfAny(query: Query, isQuestion: boolean): string | null {
  const wanted = significant(query, isQuestion);
  const match = matchExpression(wanted, 'OR');
  return match === null || !isQuestion || wanted.terms.length < 2 ? match : `{title body about} : (${match})`;
}

/** True for a sign after a number. */
const isSign = (text: string) => /^[%€]$/.test(text);

/** The query without stop words, and for a question without asking words and actions; unchanged if none remain. */
function significant(query: Query, isQuestion: boolean): Query {
  const isInsignificant = isQuestion ? isAskingWord : isStopWord;
  const terms = query.terms.filter(
    ({ text, phrase }) => phrase || !(isSign(text) || isInsignificant(fold(text).replace(/[^a-z-]/g, ''))),
  );
  const subjects = isQuestion ? terms.filter(({ text }) => !isActionWord(text)) : terms;
  const kept = subjects.length > 1 ? subjects : terms;
  return { ...query, terms: kept.length > 0 ? kept : query.terms };
}
