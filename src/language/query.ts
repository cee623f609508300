import { type Phrase, say } from '../words/speech.ts';
import { distinguishedTokensOf, otherSpellings } from './accents.ts';
import { isLinkWord } from './acronym.ts';
import { fold, truncateToken } from './fold.ts';
import { nameWords } from './name.ts';
import { otherNotations } from './number-notations.ts';
import { proseTokens } from './prose.ts';
import { stemsOfPrefix } from './stem.ts';
import { isStopWord } from './stop-words.ts';

const maxTerms = 32;
const maxTokensOfTerm = 32;
/** More than any real hyphenated word has; the search reads every record with each token. */
const maxTokensOfWord = 12;
const maxQueryLength = 10_240;
const shortestPrefix = 3;
const quotes = /[“”„«»‹›]/g;
/** Ligatures and full-width letters, which some programs write instead of plain letters. */
const compatibleLetters = /[\ufb00-\ufb06\uff01-\uff5e]/g;

const number = String.raw`(?<![^\s"])\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3}(?!\d))+[^\s"]*`;
const filterNames = 'type|party|politician|since|until';
/** A filter with its value, a phrase, a number in groups of three digits, or any run without a space. */
const queryPart = new RegExp(
  String.raw`(?<![^\s])(-)?(${filterNames}):(\s*)(?:"([^"]+)"|(?!-|(?:${filterNames}):)([^\s"]+))|(?:(?<![^\s])(-))?"([^"]*)"(\*?)|${number}|[^\s"]+`,
  'gi',
);
/** A run with a phrase, a number in groups of three digits, or any run without a space. */
const typedPart = new RegExp(String.raw`[^\s"]*"[^"]*"|${number}|[^\s"]+`, 'g');
const filterStart = new RegExp(`^-?(?:${filterNames}):`, 'i');
const emptyFilter = new RegExp(`${filterStart.source}$`, 'i');

/** One word or phrase of a query, as written and as tokens. */
export type QueryTerm = {
  text: string;
  /** Prose tokens, at least one; of a prefix, only the last is a prefix. */
  prose: string[];
  /** Alternative tokens: omitted accents or other spellings (10 for dix). */
  readings: string[][];
  /** Acronyms, long forms or other names of the term; their tokens are among the readings. */
  otherNames?: readonly string[];
  /** Folded parts of the text as a name, and these joined. */
  name: string[];
  nameJoined: string;
  phrase: boolean;
  prefix: boolean;
};

/** A filter as typed, included or excluded; if its value resolves to nothing, `asWords` are searched instead. */
export type QueryFilter = {
  name: 'type' | 'party' | 'politician' | 'since' | 'until';
  value: string;
  isExcluded: boolean;
  asWords: QueryTerm[];
};

/** How words of a query were read, if not as words; `values` are slugs, keys, days, kinds or words, by `as`. */
export type Interpretation = {
  words: string;
  as: 'author' | 'role' | 'reference' | 'period' | 'kind' | 'exclusion' | 'other-name';
  values: readonly string[];
  /** Names of the authors or role holders. */
  names?: readonly string[];
};

/** A parsed query: included and excluded terms, filters, and a remark for each rejected part. */
export type Query = { terms: QueryTerm[]; excluded: QueryTerm[]; filters: QueryFilter[]; remarks: Phrase[] };

/** Parses a query into at most 32 terms, with up to 32 tokens per phrase and 12 per word; never throws. */
export function parseQuery(query: string): Query {
  // Syntax: words, "phrases", excluded -words and -"phrases", prefixes* of at least three letters, and the filters
  // `type:`, `party:`, `politician:`, `since:` and `until:`, which a minus excludes. Between words, AND in capitals is
  // dropped, NOT excludes the next word, and OR is rejected. An unpaired quote is ignored, except in -"words, which
  // excludes everything after it. Terms without tokens are dropped, and text beyond 10,240 characters is ignored.
  const parsed: Query = { terms: [], excluded: [], filters: [], remarks: [] };
  const parts = [...balanceQuotes(normaliseQuery(query.slice(0, maxQueryLength))).matchAll(queryPart)];
  const isAllCapitals = parts.every(([written]) => written === written.toUpperCase());
  let isNegated = false;
  for (const [at, match] of parts.entries()) {
    if (parsed.terms.length + parsed.excluded.length >= maxTerms) break;
    const canBeOperator = !isAllCapitals && at > 0 && at < parts.length - 1;
    const operator = canBeOperator ? operators.get(match[0]) : undefined;
    if (isNegated && operator === undefined && isStopWord(fold(match[0]))) continue; // SAUF le budget
    if (operator === 'or') addRemark(parsed, say`OR was ignored: all words are searched`);
    else if (operator === undefined) addPart(parsed, match, isNegated);
    isNegated = operator === 'not' || (operator === 'and' && isNegated);
  }
  const notations = otherNotations(parsed.terms.map(({ text, phrase, prefix }) => (phrase || prefix ? '' : text)));
  return { ...parsed, terms: parsed.terms.map((term, at) => withReadings(term, notations[at]!)) };
}

/** The query with plain words quoted, so that none is interpreted; filters, exclusions and link words are kept. */
export function quoteWords(query: string): string {
  const isKept = (part: string) => /^-|"/.test(part) || filterStart.test(part) || isLinkWord(fold(part));
  return balanceQuotes(query).replace(typedPart, (part) => (isKept(part) ? part : part.replace(/[^*]+/, '"$&"')));
}

/** Words in capitals that other search engines read as operators between words, and `sauf` as people write it. */
const operators = new Map([
  ['AND', 'and'],
  ['ET', 'and'],
  ['OR', 'or'],
  ['OU', 'or'],
  ['NOT', 'not'],
  ['SAUF', 'not'],
  ['sauf', 'not'],
]);

/** The term with the tokens of other spellings or synonyms as further readings, without duplicates. */
export function withReadings(term: QueryTerm, spellings: string[]): QueryTerm {
  const { prose, readings } = term;
  return { ...term, readings: [...readings, ...distinctTokens(spellings, [prose, ...readings])] };
}

function addPart(parsed: Query, match: RegExpMatchArray, isNegated: boolean): void {
  const [written, minusBeforeFilter, filter, space, quotedValue, plainValue, minus, quoted, star] = match;
  if (filter !== undefined) {
    const value = (quotedValue ?? plainValue!).trim();
    const words = space === '' ? [written.replaceAll('"', ' ')] : [filter, value]; // `party: x` is two words
    const asWords = words
      .map((word) => readTerm(word, quotedValue !== undefined))
      .filter(({ prose }) => prose.length > 0);
    const name = filter.toLowerCase() as QueryFilter['name'];
    if (parsed.filters.length < maxTerms && asWords.length > 0)
      parsed.filters.push({ name, value, isExcluded: isNegated || minusBeforeFilter !== undefined, asWords });
    return;
  }
  if (emptyFilter.test(written)) addRemark(parsed, say`${written} was ignored: it has no value`);
  else if (quoted !== undefined) addTerm(parsed, readTerm(`${quoted}${star}`, true), isNegated || minus !== undefined);
  else {
    const { index = 0, input = '' } = match;
    const isExcluded = /^-[^\s-]/.test(written) && (index === 0 || /\s/.test(input[index - 1]!));
    addTerm(parsed, readTerm(isExcluded ? written.slice(1) : written, false), isNegated || isExcluded);
  }
}

function addTerm(parsed: Query, term: QueryTerm, isExcluded: boolean): void {
  if (term.prose.length === 0) return;
  const lastToken = term.prose.at(-1)!;
  if (!term.prefix || lastToken.length >= shortestPrefix || /\d/.test(lastToken))
    (isExcluded ? parsed.excluded : parsed.terms).push(term);
  else addRemark(parsed, say`"${term.text}*" was ignored: a prefix needs ${shortestPrefix} letters`);
}

function addRemark({ remarks }: Query, remark: Phrase): void {
  if (!remarks.some((each) => `${each}` === `${remark}`)) remarks.push(remark);
}

function readTerm(written: string, phrase: boolean): QueryTerm {
  const text = written.trim().replace(/\*+$/, '').trim();
  const prefix = written.trimEnd().endsWith('*');
  const maxTokens = phrase ? maxTokensOfTerm : maxTokensOfWord;
  const name = nameWords(text).slice(0, maxTokens);
  const whole = proseTokens(text).slice(0, maxTokens);
  // The last token as typed, since the stem of an unfinished word would be wrong.
  const lastTyped = prefix ? /[a-z]+$/.exec(fold(text))?.[0] : undefined;
  const prose = lastTyped === undefined ? whole : [...whole.slice(0, -1), truncateToken(lastTyped)];
  const accentSpellings = text.length > 200 ? [] : otherSpellings(text);
  const alternatives = distinctTokens([...(prefix ? [text] : []), ...accentSpellings], [prose]);
  const readings = prefix ? withPrefixReadings(alternatives, prose, text) : alternatives;
  return { text, prose, readings, name, nameJoined: truncateToken(name.join('')), phrase, prefix };
}

/** Adds tokens that lack a prefix, of words that begin with it (nationau*: national for nationaux; pech*: pêche). */
function withPrefixReadings(readings: string[][], prose: string[], text: string): string[][] {
  const typed = /[\p{L}\p{M}]+$/u.exec(text)?.[0] ?? '';
  if (typed.length < shortestPrefix) return readings;
  const knownTokens = new Set(readings.map((tokens) => tokens.at(-1)));
  const otherTokens = [...stemsOfPrefix(prose.at(-1)!), ...distinguishedTokensOf(typed)];
  const newTokens = otherTokens.filter((token) => !knownTokens.has(token));
  return [...readings, ...newTokens.map((token) => [...prose.slice(0, -1), token])];
}

function distinctTokens(spellings: string[], knownReadings: string[][]): string[][] {
  const readings = spellings.map((spelling) => proseTokens(spelling).slice(0, maxTokensOfTerm));
  const readingsByText = new Map(readings.map((tokens) => [tokens.join(' '), tokens]));
  for (const tokens of [[], ...knownReadings]) readingsByText.delete(tokens.join(' '));
  return [...readingsByText.values()];
}

/** Normalises letters and units, and restores apostrophes typed as spaces: aujourd hui, prix de l eau. */
function normaliseQuery(query: string): string {
  return (
    query
      .replace(compatibleLetters, (letter) => letter.normalize('NFKC'))
      .replace(/(?<=\d)\s*pour[\s-]?cents?(?![\p{L}\p{N}])/giu, ' %')
      // 49 alinéa 3 is also written 49.3.
      .replace(/(?<=(?<![^\s"])\d{1,3}),?\s+al(?:in[ée]a|\.)?\s*(?=\d(?![^\s"]))/giu, '.')
      .replace(/(?<=\p{L}{2})[/;|&+=](?=\p{L}{2})/gu, ' ')
      // A hashtag is split where words begin in it: #FinDeVie, #PLF2026.
      .replace(/(?<![^\s"])#(\p{L}[\p{L}\p{N}]*)/gu, (_, words: string) =>
        words.replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})/gu, ' '),
      )
      // A number directly before % or €.
      .replace(/(?<![^\s"])\d[\d.,]*(?=[%€])/g, '$& ')
      .replace(/(?<![\p{L}\p{N}])(aujourd)\s+(?=hui(?![\p{L}\p{N}]))/giu, "$1'")
      // An elided word and a space before a vowel.
      .replace(
        /(?<![\p{L}\p{N}'’.-])([cdjlns]|(?:jus|lors|puis|quoi)?qu) +(?=[aeiouyhàâäéèêëîïôöùûœæ]\p{L})/giu,
        (match, elided: string, at: number) => {
          // A capital elsewhere than at the start is a letter: vitamine D.
          return at > 0 && /^\p{Lu}$/u.test(elided) ? match : `${elided}'`;
        },
      )
  );
}

/** Unifies quotation marks; closes an unpaired -", and drops any other unpaired mark. */
function balanceQuotes(query: string): string {
  const plain = query.replace(quotes, '"');
  const parts = plain.split('"');
  if (parts.length % 2 === 1) return plain;
  const beforeLast = plain.slice(0, plain.lastIndexOf('"'));
  return /(?<![^\s])-$/.test(beforeLast) ? `${plain}"` : `${beforeLast} ${parts.at(-1)}`;
}
