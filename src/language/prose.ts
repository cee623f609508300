import { isAscii, isLetters, markAccents } from './accents.ts';
import { fold, stripInvisible, truncateToken } from './fold.ts';
import { stem } from './stem.ts';

/** Pattern of a character that a word may contain; similar characters are unified later, by folding. */
const wordCharacter = String.raw`[^\s!-&(-/:-@\[-_{-~«»“”„…•·°º№€\u2010-\u2015]`;
const latinLetter = '[A-Za-zÀ-ɏ]';
const elidedPrefix = "(?:[A-Za-z]|[Qq]u)['’]";
const dash = String.raw`[-\u2010-\u2013]`;
const thinSpace = String.raw`[ \u00a0\u2009\u202f]`;
const number = String.raw`(?:\d{1,3}(?:${thinSpace}\d{3}(?!\d)){1,5}|\d+)`;

/** Alternatives in order of priority at the start of a word; repetitions are bounded, so that time is linear. */
const lexemePatterns = [
  // Fast path for nearly all words: no alternative below begins with three letters.
  `${latinLetter}{3}${wordCharacter}*`,
  // 49.3, 50 000, 1er, 20h30
  `${number}(?:(?:[.,]|${dash})${number}){0,15}${wordCharacter}*`,
  // the n° of n° 12
  '[Nn][°º]s?|№',
  // the d' of d'1,5 milliard
  String.raw`${elidedPrefix}(?=\d)`,
  // the L of L123-4, also written L. 123-4
  String.raw`(?:[LRDAlrda]|[Ll][Oo])(?=\d{3}|\d{1,2}${dash}\d)`,
  // S.M.I.C., l'O.N.U.
  `(?:${elidedPrefix})?${latinLetter}(?:\\.${latinLetter}){1,15}(?!${latinLetter})`,
  `${wordCharacter}+`,
  // the signs of 50 % and 50 000 €; not of an address (%20)
  '%(?![0-9A-F]{2})|€',
];
const anyLexeme = new RegExp(lexemePatterns.join('|'), 'g');

/** Returns the words, numbers and abbreviations of a text in order, as written, with elisions. */
export const lexemes = (text: string): string[] => text.match(anyLexeme) ?? [];

const numberParts = /^([0-9]+(?:[., -][0-9]+)*)(.*)$/s;
const ordinalSuffix = /^(?:ers?|e?res?|e|es|i?emes?|nde?s?)$/;
const groupedByPoints = /^[1-9][0-9]{0,2}(?:\.[0-9]{3})+$/;
const yearRange = /^((?:1[5-9]|20)[0-9]{2})-((?:1[5-9]|20)[0-9]{2})$/;

/** Tokens of a folded number, space-separated: "49-3" and "49,3" give 49_3, "1er" 1, "50 000" 50000, "20h30" 20h30. */
export function numberTokens(folded: string): string {
  const [, written = '', suffix = ''] = numberParts.exec(folded) ?? [];
  const number = normaliseNumber(written.replace(/\s/g, ''));
  if (suffix === '' || ordinalSuffix.test(suffix)) return number;
  return `${number}${suffix.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')}`.trim();
}

function normaliseNumber(number: string): string {
  const [, from, to] = yearRange.exec(number) ?? [];
  if (from !== undefined && to !== undefined && from < to) return `${from} ${to}`; // 2017-2022 is two tokens
  if (groupedByPoints.test(number)) return number.replaceAll('.', '');
  return number.replace(/[^0-9]+/g, '_');
}

const maxLexemeLength = 256;
const elision = /^(?:'|(?:[ldjmtsnc]|(?:jus|lors|puis|quoi)?qu)')+/;
const nonWordCharacters = /[^\p{L}\p{N}\p{M}]+/u;
/** ASCII variant: a pattern over all Unicode letters takes long to compile. */
const nonWordAscii = /[^A-Za-z0-9]+/;

/** Returns the tokens of French prose in order: a-z, 0-9, "_" and non-ASCII characters, of at most 64 UTF-16 units. */
export const proseTokens = (text: string): string[] => proseText(text).split(' ').filter(Boolean);

/** Returns the tokens of French prose, separated by spaces. */
export const proseText = (text: string): string =>
  lexemes(stripInvisible(text)).map(analyseLexeme).filter(Boolean).join(' ');

/** Returns the first token of a word; the folded word if it has none. */
export const firstToken = (word: string): string => proseTokens(word)[0] ?? fold(word);

const tokenCache = new Map<string, string>();
const maxCached = 200_000;

/** The tokens of one lexeme, cached, joined by spaces: usually one; empty for a lone punctuation mark. */
export function analyseLexeme(written: string): string {
  const cachedTokens = tokenCache.get(written);
  if (cachedTokens !== undefined) return cachedTokens;
  const word = written.slice(0, maxLexemeLength);
  const tokens = tokensOfWord(word);
  if (tokenCache.size >= maxCached) tokenCache.clear();
  // As a long-lived key, a slice would keep the whole source text in memory: this copies it.
  if (word.length === written.length) tokenCache.set(` ${word}`.slice(1), tokens);
  return tokens;
}

function tokensOfWord(word: string): string {
  const foldedWord = fold(markAccents(word));
  // Fast path for nearly all lexemes: one word, changed only by rules for endings.
  if (isLetters(word)) return truncateToken(stem(foldedWord));
  return lexemes(foldedWord).map(tokensOfFolded).filter(Boolean).join(' ');
}

/** Tokens for signs after a number; the euro sign has the same token as the word. */
const tokensForSigns: Record<string, string> = { '%': 'pourcent', '€': stem('euro') };

function tokensOfFolded(word: string): string {
  if (/^n°s?$/.test(word)) return '';
  const signTokens = tokensForSigns[word];
  if (signTokens !== undefined) return signTokens;
  const tokens = /^[0-9]/.test(word) ? numberTokens(word).split(' ') : wordTokens(word);
  return tokens.map(truncateToken).filter(Boolean).join(' ');
}

function wordTokens(word: string): string[] {
  return word
    .replaceAll('.', '')
    .replace(/aujourd'hui/g, 'aujourdhui')
    .replace(elision, '')
    .split(isAscii(word) ? nonWordAscii : nonWordCharacters)
    .map(stem);
}
