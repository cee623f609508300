import { type Phrase, say } from '../words/speech.ts';
import { otherSpellings, toldApartFrom } from './accents.ts';
import { cutToken, fold } from './fold.ts';
import { nameWords } from './name.ts';
import { proseTokens } from './prose.ts';
import { stemsOfBeginning } from './stem.ts';
import { otherWritings } from './writings.ts';

const maxTerms = 32;
const maxTokensOfTerm = 32;
/** More than anybody writes with hyphens; each part costs a walk over all records that hold it. */
const maxTokensOfWord = 12;
const maxQueryLength = 10_240;
const shortestPrefix = 3;
const quotes = /[“”„«»‹›]/g;
/** Letters that some programs write as one, or twice as wide. */
const compatible = /[\ufb00-\ufb06\uff01-\uff5e]/g;

const number = String.raw`(?<![^\s"])\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3}(?!\d))+[^\s"]*`;
const filterNames = 'type|party|politician|since|until';
/** A filter with its value, a phrase, a number written in groups of three digits, or whatever has no space in it. */
const part = new RegExp(
  String.raw`(?<![^\s])(-)?(${filterNames}):(\s*)(?:"([^"]+)"|(?!-|(?:${filterNames}):)([^\s"]+))|(?<![^\s])(-)?"([^"]*)"(\*?)|${number}|[^\s"]+|"([^"]*)"(\*?)`,
  'gi',
);
const emptyFilter = new RegExp(`^-?(?:${filterNames}):$`, 'i');

/**
 * One word or phrase of a query: as typed, as prose indexes it (at least one token), as names do (its parts, and
 * these joined); a prefix is one of its last token in `prose`. `readings` are the tokens of what it may be where accents that tell
 * words apart were left out, or as others write it (10 for dix), `otherAccents` where some were typed.
 */
export type QueryTerm = {
  text: string;
  prose: string[];
  readings: string[][];
  otherAccents: string[][];
  name: string[];
  nameJoined: string;
  phrase: boolean;
  prefix: boolean;
};

/** A filter as it was typed, perhaps of what is left out; where its value names nothing, it is but words like others. */
export type QueryFilter = {
  name: 'type' | 'party' | 'politician' | 'since' | 'until';
  value: string;
  isExcluded: boolean;
  asWords: QueryTerm[];
};

/** What a person typed: what to find, what not to, among what, and what of it was refused, in sentences. */
export type Query = { terms: QueryTerm[]; without: QueryTerm[]; filters: QueryFilter[]; remarks: Phrase[] };

/** Words that stand together with a sign between them that ends one, perhaps of several: retraites/pensions. */
const together = /^[\p{L}\p{M}'’]{2,}(?:[/,;:|&+=][\p{L}\p{M}'’]{2,})+$/u;

/** Returns the query with such words each by itself, or null where it has none. */
export function withWordsApart(query: Query): Query | null {
  const areTogether = ({ text, phrase, prefix }: QueryTerm) => !phrase && !prefix && together.test(text);
  if (!query.terms.some(areTogether)) return null;
  const terms = query.terms.flatMap((term) =>
    areTogether(term) ? term.text.split(/[/,;:|&+=]/).map((word) => readTerm(word, false)) : [term],
  );
  return { ...query, terms: terms.filter(({ prose }) => prose.length > 0).slice(0, maxTerms) };
}

/**
 * Returns what a person typed, read: words, "phrases", -words and -"phrases" that must not be there, beginnings* of three
 * letters at least, and `type:`, `party:`, `politician:`, `since:` and `until:`, with a minus before them too. All else is words, AND, OR
 * and NOT too; a quote without its pair is ignored, but that of -"words, which all are left out; terms with nothing to look for are dropped. At most 32 terms come back, phrases of 32 tokens and words of 12,
 * from the first 10,240 characters; never throws.
 */
export function parseQuery(query: string): Query {
  const parsed: Query = { terms: [], without: [], filters: [], remarks: [] };
  for (const found of balanceQuotes(spelled(query.slice(0, maxQueryLength))).matchAll(part)) {
    if (parsed.terms.length + parsed.without.length >= maxTerms) break;
    addPart(parsed, found);
  }
  return { ...parsed, terms: withWritings(parsed.terms) };
}

/** The terms with other ways to write what some of them say together as readings: dix ans is 10 ans too. */
function withWritings(terms: QueryTerm[]): QueryTerm[] {
  const writings = otherWritings(terms.map(({ text, phrase, prefix }) => (phrase || prefix ? '' : text)));
  return terms.map((term, at) => {
    const { prose, readings, otherAccents } = term;
    const others = writings[at]!;
    if (others.length === 0) return term;
    return {
      ...term,
      readings: [...readings, ...distinctTokens(others, [prose, ...readings, ...otherAccents])],
    };
  });
}

function addPart(parsed: Query, found: RegExpMatchArray): void {
  const [written, not, filter, space, quotedValue, plainValue, minus, phrase, star, gluedPhrase, gluedStar] =
    found;
  if (filter !== undefined) {
    const value = (quotedValue ?? plainValue!).trim();
    const words = space === '' ? [written.replaceAll('"', ' ')] : [filter, value];
    addFilter(parsed, { filter, value, words, isExcluded: not !== undefined });
    return;
  }
  if (emptyFilter.test(written)) {
    addRemark(parsed, say`${written} was left out: nothing follows it`);
    return;
  }
  const quoted = phrase ?? gluedPhrase;
  if (quoted !== undefined) {
    const term = readTerm(quoted + (star ?? gluedStar ?? ''), true);
    addTerm(parsed, term, minus !== undefined);
    return;
  }
  const isExcluded = /^-[^\s-]/.test(written) && !isBehindWord(found);
  addTerm(parsed, readTerm(isExcluded ? written.slice(1) : written, false), isExcluded);
}

function isBehindWord({ index = 0, input = '' }: RegExpMatchArray): boolean {
  return index > 0 && !/\s/.test(input[index - 1]!);
}

function addFilter(
  parsed: Query,
  {
    filter,
    value,
    words,
    isExcluded,
  }: { filter: string; value: string; words: string[]; isExcluded: boolean },
): void {
  const name = filter.toLowerCase() as QueryFilter['name'];
  const asWords = words.map((word) => readTerm(word, false)).filter(({ prose }) => prose.length > 0);
  if (parsed.filters.length < maxTerms && asWords.length > 0)
    parsed.filters.push({ name, value, isExcluded, asWords });
}

function addTerm(parsed: Query, term: QueryTerm, isExcluded: boolean): void {
  if (term.prose.length === 0) return;
  const beginning = term.prose.at(-1)!;
  if (!term.prefix || beginning.length >= shortestPrefix || /\d/.test(beginning)) {
    (isExcluded ? parsed.without : parsed.terms).push(term);
    return;
  }
  addRemark(parsed, say`"${term.text}*" was left out: a beginning needs ${shortestPrefix} letters`);
}

function addRemark({ remarks }: Query, remark: Phrase): void {
  if (!remarks.some((each) => `${each}` === `${remark}`)) remarks.push(remark);
}

function readTerm(written: string, phrase: boolean): QueryTerm {
  const text = written.trim().replace(/\*+$/, '').trim();
  const prefix = written.trimEnd().endsWith('*');
  const most = phrase ? maxTokensOfTerm : maxTokensOfWord;
  const name = nameWords(text).slice(0, most);
  const whole = proseTokens(text).slice(0, most);
  const prose = prefix ? beginningOf(whole, text) : whole;
  const { added, changed } = text.length > 200 ? { added: [], changed: [] } : otherSpellings(text);
  const likewise = [...(prefix ? [text] : []), ...added, ...joined(text), ...parted(text)];
  const spelledOut = distinctTokens(likewise, [prose]);
  const readings = prefix ? withOtherBeginnings(spelledOut, prose, text) : spelledOut;
  return {
    text,
    prose,
    readings,
    otherAccents: distinctTokens(changed, [prose, ...readings]),
    name,
    nameJoined: cutToken(name.join('')),
    phrase,
    prefix,
  };
}

/** What is written with hyphens, without them: super-profits is superprofits too. */
function joined(text: string): string[] {
  return /^\p{L}+(?:-\p{L}+)+$/u.test(text) ? [text.replaceAll('-', '')] : [];
}

/** What is elided, without the word that it was written behind in one: pouvoird'achat is pouvoir d'achat too. */
function parted(text: string): string[] {
  return /^\p{L}{3,}[dlns]['’]\p{L}{2,}$/u.test(text) ? [text.replace(/[dlns]['’]/u, ' $&')] : [];
}

/** The tokens with the last one as it was typed: what begins a word has no ending to be taken off. */
function beginningOf(tokens: string[], text: string): string[] {
  const typed = /[a-z]+$/.exec(fold(text))?.[0];
  return typed === undefined ? tokens : [...tokens.slice(0, -1), cutToken(typed)];
}

/** What else begins so: words that their endings or accents alone give another token (nationau* national, pech* pêche). */
function withOtherBeginnings(readings: string[][], prose: string[], text: string): string[][] {
  const typed = /[\p{L}\p{M}]+$/u.exec(text)?.[0] ?? '';
  if (typed.length < shortestPrefix) return readings;
  const known = new Set(readings.map((tokens) => tokens.at(-1)));
  const others = [...stemsOfBeginning(prose.at(-1)!), ...toldApartFrom(typed)];
  return [
    ...readings,
    ...others.filter((token) => !known.has(token)).map((token) => [...prose.slice(0, -1), token]),
  ];
}

/** The tokens of each spelling, once each and without those that are known. */
function distinctTokens(spellings: string[], known: string[][]): string[][] {
  const seen = new Set(known.map((tokens) => tokens.join(' ')));
  return spellings
    .map((spelling) => proseTokens(spelling).slice(0, maxTokensOfTerm))
    .filter((tokens) => {
      const text = tokens.join(' ');
      if (text === '' || seen.has(text)) return false;
      seen.add(text);
      return true;
    });
}

const beforeHui = /(?<![\p{L}\p{N}])(aujourd)\s+(?=hui(?![\p{L}\p{N}]))/giu;
/** What is elided before a vowel; a capital stands for itself (vitamine D), but where a query begins. */
const beforeVowel =
  /(?<![\p{L}\p{N}'’.-])([cdjlns]|(?:jus|lors|puis|quoi)?qu) +(?=[aeiouyhàâäéèêëîïôöùûœæ]\p{L})/giu;

/** A number that a sign stands right behind: what it is of, and how much, are two words to look for. */
const beforeSign = /(?<![^\s"])\d[\d.,]*(?=[%€])/g;

/** What French writes with an apostrophe and people with a space in its place: aujourd hui, prix de l eau. */
function spelled(query: string): string {
  return query
    .replace(compatible, (letter) => letter.normalize('NFKC'))
    .replace(beforeSign, '$& ')
    .replace(beforeHui, "$1'")
    .replace(beforeVowel, (found, elided: string, at: number) => {
      const isLetter = at > 0 && /^\p{Lu}$/u.test(elided);
      return isLetter ? found : `${elided}'`;
    });
}

function balanceQuotes(query: string): string {
  const plain = query.replace(quotes, '"');
  const last = plain.lastIndexOf('"');
  const paired = (plain.split('"').length - 1) % 2 === 0;
  // What follows was not wanted, whatever was forgotten behind it.
  if (!paired && /(?<![^\s])-$/.test(plain.slice(0, last))) return `${plain}"`;
  return paired ? plain : `${plain.slice(0, last)} ${plain.slice(last + 1)}`;
}

/** Words that a question of French begins with, folded, without what is elided. */
const interrogatives = new Set(
  [
    'combien comment est-ce faut-il doit-on ou pourquoi quand que quel quelle quelles quels qui quid quoi',
  ].flatMap((line) => line.split(' ')),
);

/** True for a plain question, of at least three words, rather than words to look for. */
export function asks(written: string, { terms }: Query): boolean {
  if (terms.length < 3 || terms.some(({ phrase }) => phrase)) return false;
  return /\?\s*$/.test(written) || interrogatives.has(fold(terms[0]!.text).replace(/^qu['’]/, 'que'));
}
