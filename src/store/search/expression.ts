import { otherSpellings } from '../../language/accents.ts';
import { isLinkWord } from '../../language/acronym.ts';
import { fold } from '../../language/fold.ts';
import { proseText } from '../../language/prose.ts';
import { type Interpretation, parseQuery, type Query, type QueryTerm, withReadings } from '../../language/query.ts';
import shortForms from '../../language/short-forms.json' with { type: 'json' };
import { isStopWord } from '../../language/stop-words.ts';
import { acronymsByLongForm, longForms, longFormTokens } from '../../names/acronyms.ts';
import type { Mirror } from '../mirror.ts';
import { termsOf } from '../word-index/terms.ts';

/** The FTS5 expression of a query, null without words; tokens are quoted, so that none is read as syntax. */
export function matchExpression({ terms, excluded }: Pick<Query, 'terms' | 'excluded'>): string | null {
  const requiredExpression = expressionsOf(withoutLinkWords(terms)).join(' AND ');
  if (requiredExpression === '') return null;
  const excludedExpression = expressionsOf(excluded).join(' OR ');
  return excludedExpression === '' ? requiredExpression : `(${requiredExpression}) NOT (${excludedExpression})`;
}

/** The distinct expressions of terms; those without tokens have none. */
export function expressionsOf(terms: readonly QueryTerm[]): string[] {
  return [...new Set(terms.map(termExpression).filter((each) => each !== null))];
}

/** Drops link words beside content words (`loi de finances`); beside a single one they stay, to narrow the search. */
function withoutLinkWords(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  const contentTerms = terms.filter((term) => !isPlainWord(term) || !isLinkWord(fold(term.text)));
  return contentTerms.flatMap(({ prose }) => prose).length < 2 ? terms : contentTerms;
}

const isPlainWord = ({ phrase, prefix }: QueryTerm) => !phrase && !prefix;

/** Phrase expressions in `body` for successive content words, with link words between; a match adds to the rank. */
export function neighbourExpressions({ terms }: Query, isContent = (_term: QueryTerm) => true): string[] {
  const contentTerms = withoutLinkWords(terms);
  return contentTerms.slice(1).flatMap((next, at) => {
    const term = contentTerms[at]!;
    if (!isPlainWord(term) || !isPlainWord(next) || !isContent(term) || !isContent(next)) return [];
    const run = terms.slice(terms.indexOf(term), terms.indexOf(next) + 1);
    return [`{body} : ${phraseOfTokens(run.flatMap(({ prose }) => prose))}`];
  });
}

/** The expression for a term in titles, texts or names; null without tokens. */
function termExpression(term: QueryTerm): string | null {
  const { prose, readings, name, nameJoined, phrase, prefix } = term;
  const prefixMark = prefix ? ' *' : '';
  const isSameToken = prose.length === 1 && name.length === 1 && prose[0] === name[0];
  // Without a column filter FTS5 need not read position lists.
  if (isSameToken && readings.length === 0) return `("${prose[0]}"${prefixMark})`;
  // The words of a name match in any order, but not inside a phrase.
  const nameSequence = phrase ? phraseOfTokens(name) : name.map((word) => `"${word}"`).join(' AND ');
  const alternatives = [
    proseExpression(term),
    name.length > 0 ? `{name about} : (${nameSequence}${name.length === 1 ? prefixMark : ''})` : null,
    // The index truncates long tokens. Texts may write the words of a name as one.
    nameJoined && nameJoined !== name.join('') ? `{name about} : ("${nameJoined}")` : null,
    nameJoined && name.length > 1 ? `{name about} : ("${nameJoined}"${prefixMark})` : null,
  ].filter((part) => part !== null);
  return alternatives.length === 0 ? null : `(${alternatives.join(' OR ')})`;
}

/** The expression for a term in titles and texts only; null without tokens. */
export function proseExpression({ prose, readings, prefix }: QueryTerm): string | null {
  if (prose.length === 0) return null;
  const sequences = [`${phraseOfTokens(prose)}${prefix ? ' *' : ''}`, ...readings.map(phraseOfTokens)];
  return `{title body} : (${sequences.join(' OR ')})`;
}

/** The expression for tokens that follow each other. */
const phraseOfTokens = (tokens: string[]): string => `"${tokens.join(' ')}"`;

const maxAcronymLetters = 10;
/** Most long forms of an acronym that are searched. */
const maxLongForms = 3;
/** Longest run of words that `joinRuns` looks up. */
const maxRunWords = 12;
/** A long form of an acronym is not searched if the most frequent form has more than this many times its records. */
const maxRarityFactor = 20;

/** Most records per definition of an acronym; one that more records have is an ordinary word (AN, CAS). */
const maxRecordsPerDefinition = 200;

/** Long forms of everyday names (sécu) from short-forms.json, by the prose tokens of the name. */
const formsByShortName = new Map(Object.entries(shortForms).map(([shortForm, forms]) => [proseText(shortForm), forms]));

/** The texts of terms, separated by spaces. */
export const textOfTerms = (words: readonly QueryTerm[]) => words.map(({ text }) => text).join(' ');
const phraseOf = (words: readonly QueryTerm[]): QueryTerm => parseQuery(`"${textOfTerms(words)}"`).terms[0]!;

/** The query with the long forms of its short words and expressions (sécu, maison de retraite) and acronyms (PLFSS). */
export function addLongForms(mirror: Mirror, query: Query): Query {
  const { terms } = joinRuns(query, (run) => formsByShortName.get(proseText(textOfTerms(run))) ?? []);
  return {
    ...query,
    terms: terms.map((term) => {
      // Texts define long forms with accents; the list has these forms without.
      return withOtherNames(term, acronymForms(mirror, term), (name) => [name, ...otherSpellings(name)]);
    }),
  };
}

const withOtherNames = (term: QueryTerm, names: readonly string[], spellings = (name: string) => [name]): QueryTerm =>
  names.length === 0 ? term : { ...withReadings(term, names.flatMap(spellings)), otherNames: names };

/** Interpretations of the words that a search also matches by another name of the same thing. */
export function otherNameInterpretations(mirror: Mirror, query: Query): Interpretation[] {
  const expanded = addLongForms(mirror, query);
  const { terms } = joinLongForms(mirror, expanded) ?? expanded;
  return terms.flatMap(({ text, otherNames }) =>
    otherNames ? { words: text, as: 'other-name' as const, values: otherNames } : [],
  );
}

/** The other forms of a name that ends with a year ("loi de finances pour 2025" for "budget 2025"); may be empty. */
function yearlyFormsOf(run: readonly QueryTerm[]): string[] {
  const year = run.at(-1)!.text;
  const name = proseText(`${textOfTerms(run.slice(0, -1))} {year}`);
  const forms = /^20\d\d$/.test(year) ? formsByShortName.get(name) : undefined;
  return (forms ?? []).map((form) => form.replace('{year}', year));
}

/** Joins long forms of acronyms and names with a year to phrases, their other forms as readings; null if none. */
export function joinLongForms(mirror: Mirror, query: Query): Query | null {
  const joinedQuery = joinRuns(query, (run) => {
    const yearlyForms = yearlyFormsOf(run);
    if (yearlyForms.length > 0) return yearlyForms;
    const tokens = run.map(({ text }) => longFormTokens(text));
    if (run.length === 1 || tokens[0]!.length === 0 || tokens.at(-1)!.length === 0) return [];
    const definitions = acronymsByLongForm(mirror).get(tokens.flat().join(' ')) ?? [];
    return definitions.flatMap(({ short, records }) => (isOrdinaryWord(mirror, short, records) ? [] : short));
  });
  return joinedQuery.terms.length === query.terms.length ? null : joinedQuery;
}

/** True if an acronym is a stop word, or far more records have it as a word than define it. */
const isOrdinaryWord = (mirror: Mirror, short: string, definingRecords: number) =>
  isStopWord(short) || termsOf(mirror).countRecords(short) > maxRecordsPerDefinition * definingRecords;

/** Joins, from left to right, the longest run of plain words with forms by `formsOf` to a term with these readings. */
function joinRuns(query: Query, formsOf: (run: readonly QueryTerm[]) => readonly string[]): Query {
  const terms: QueryTerm[] = [];
  for (let at = 0; at < query.terms.length; ) {
    const remainingTerms = query.terms.slice(at, at + maxRunWords);
    const runs = remainingTerms.map((_, dropped) => remainingTerms.slice(0, remainingTerms.length - dropped));
    const forms = runs.map((run) => (run.every(isPlainWord) ? formsOf(run) : []));
    const runIndex = forms.findIndex(({ length }) => length > 0);
    // Runs are sorted longest first. If none has forms, `at(-1)` is the shortest: the single term.
    const run = runs.at(runIndex)!;
    terms.push(withOtherNames(run.length === 1 ? run[0]! : phraseOf(run), forms[runIndex] ?? []));
    at += run.length;
  }
  return { ...query, terms };
}

/** The most frequent long forms of an acronym, as folded words; empty if the term is none. */
function acronymForms(mirror: Mirror, { text, phrase, prefix }: QueryTerm): string[] {
  const isAcronym = text.length <= maxAcronymLetters && /^\p{L}{2,}$/u.test(text) && !isStopWord(fold(text));
  const forms = !isAcronym || phrase || prefix ? [] : longForms(mirror, text, 1);
  const [{ records = 0 } = {}] = forms;
  // In lower case, an ordinary word is no acronym: vie, but VIE.
  if (text !== text.toUpperCase() && isOrdinaryWord(mirror, fold(text), records)) return [];
  const frequentForms = forms.filter((form) => maxRarityFactor * form.records >= records).slice(0, maxLongForms);
  return frequentForms.map(({ long }) => long);
}

/** Fewest words of a query that is first searched as a passage, in this order. */
const minWordsOfPassage = 5;

/** The query as one phrase; null for fewer than five words, or with exclusions, phrases or prefixes. */
export function toPassage(query: Query): Query | null {
  const { terms, excluded } = query;
  const isPassage = terms.length >= minWordsOfPassage && terms.every(isPlainWord) && excluded.length === 0;
  return isPassage ? { ...query, terms: [phraseOf(terms)] } : null;
}
