import { cutToken } from './cut-token.ts';
import { fold, stripInvisible } from './fold.ts';
import { lexemes } from './lexeme.ts';
import { numberAtom } from './number-atom.ts';
import { stem } from './stem.ts';

const maxLexemeLength = 256;
const maxRemembered = 200_000;
const remembered = new Map<string, string>();

const elision = /^(?:'|(?:[ldjmtsnc]|(?:jus|lors|puis|quoi)?qu)')+/;
const outsideWord = /[^\p{L}\p{N}\p{M}]+/u;

/** Returns the tokens of French prose in order, each of a-z, 0-9, "_" or beyond ASCII, of 64 characters at most. */
export function proseTokens(text: string): string[] {
  const analysed = analyseProse(text);
  return analysed === '' ? [] : analysed.split(' ');
}

/** Returns the tokens of French prose joined by one space, as the full-text index takes them. */
export function analyseProse(text: string): string {
  const words = lexemes(stripInvisible(text));
  let analysed = '';
  for (const word of words) {
    const tokens = analyseLexeme(word);
    if (tokens !== '') analysed += analysed === '' ? tokens : ` ${tokens}`;
  }
  return analysed;
}

/** Returns the tokens, joined by one space, of one lexeme (often one token, none for a mere sign); remembers them. */
export function analyseLexeme(written: string): string {
  const known = remembered.get(written);
  if (known !== undefined) return known;
  const word = written.slice(0, maxLexemeLength);
  const tokens = lexemes(fold(word)).map(foldedTokens).filter(Boolean).join(' ');
  if (remembered.size >= maxRemembered) remembered.clear();
  if (word.length === written.length) remembered.set(detached(word), tokens);
  return tokens;
}

function foldedTokens(word: string): string {
  if (/^n°s?$/.test(word)) return '';
  const tokens = /^[0-9]/.test(word) ? numberAtom(word).split(' ') : wordTokens(word);
  return tokens.map(cutToken).filter(Boolean).join(' ');
}

function wordTokens(word: string): string[] {
  return word
    .replaceAll('.', '')
    .replace(/aujourd'hui/g, 'aujourdhui')
    .replace(elision, '')
    .split(outsideWord)
    .map(stem);
}

/** A substring keeps the whole text it was cut from in memory; as a key that stays, it must not. */
function detached(text: string): string {
  return ` ${text}`.slice(1);
}
