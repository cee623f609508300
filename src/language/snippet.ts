import { fold } from './fold.ts';
import { analyseLexeme, lexemes } from './prose.ts';
import type { QueryTerm } from './query.ts';
import { isStopWord } from './stop-words.ts';

const maxScanned = 1_000_000;
const elision = /^(?:['’‘]|(?:[ldjmtsnc]|(?:jus|lors|puis|quoi)?qu)['’])+/i;
const closingApostrophes = /['’`]+$/;

/** An excerpt, the range of each match in it (UTF-16 units), and the number of distinct terms in the whole text. */
export type Excerpt = { text: string; offsets: [start: number, end: number][]; distinct: number };

type TextRange = { start: number; end: number };
type Hit = TextRange & { term: number };
type Word = { at: number; written: string; tokens: string };
type Finder = (source: string) => Hit[];
type TextToken = { token: string; word: Word };
/** Tokens of one term that must follow each other; of a prefix, the last token is a prefix. */
type TokenRun = { tokens: string[]; term: number; isPrefix: boolean };

/** The terms to mark: stop words only if there is no other word. */
export function termsToMark(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  const contentTerms = terms.filter(({ text, phrase }) => phrase || !isStopWord(fold(text)));
  return contentTerms.length > 0 ? contentTerms : terms;
}

/** Creates a function that returns the part of a text with the most terms, or the beginning if none matches. */
export function createExcerpter(terms: readonly QueryTerm[]): (text: string, maxChars: number) => Excerpt {
  // Equal parts: the most matches, then the earliest. White space becomes single spaces; cuts fall between words and
  // show "…". Words match by token ("retraites" matches "retraite"), phrases as a whole.
  const findHits = createFinder(termsToMark(terms));
  return (text, maxChars) => excerptOf(text, findHits, maxChars);
}

function excerptOf(text: string, find: Finder, maxChars: number): Excerpt {
  if (maxChars < 3) return { text: '…'.slice(0, maxChars), offsets: [], distinct: 0 };
  const scannedText = text.slice(0, maxScanned);
  // Tests first, since most texts already have only single spaces and replacing is slower.
  const source = /[^\S ]| {2}/.test(scannedText) ? scannedText.replace(/\s+/g, ' ').trim() : scannedText.trim();
  const hits = find(source);
  const isWhole = source.length <= maxChars;
  const bestRange = findBestRange(hits, maxChars - 2);
  const shownRange = isWhole ? { start: 0, end: source.length } : widenRange(source, bestRange, maxChars - 2);
  const isCutBefore = shownRange.start > 0;
  const isCutAfter = shownRange.end < source.length;
  const shift = (isCutBefore ? 1 : 0) - shownRange.start;
  return {
    text: `${isCutBefore ? '…' : ''}${source.slice(shownRange.start, shownRange.end)}${isCutAfter ? '…' : ''}`,
    offsets: visibleHits(hits, shownRange).map(({ start, end }) => [start + shift, end + shift]),
    distinct: new Set(hits.map(({ term }) => term)).size,
  };
}

/** Returns the text of an excerpt with a marker before and after each match. */
export function markMatches(
  { text, offsets }: Pick<Excerpt, 'text' | 'offsets'>,
  { open, close }: { open: string; close: string },
): string {
  let result = '';
  let from = 0;
  for (const [start, end] of offsets) {
    result += `${text.slice(from, start)}${open}${text.slice(start, end)}${close}`;
    from = end;
  }
  return result + text.slice(from);
}

/** Creates a function that finds words that match a term, and runs of words that match a term of several tokens. */
function createFinder(terms: readonly QueryTerm[]): Finder {
  const termByToken = new Map<string, number>();
  const prefixes: { token: string; term: number }[] = [];
  const runs: TokenRun[] = [];
  terms.forEach(({ prose, readings, prefix }, term) => {
    for (const [at, tokens] of [prose, ...readings].entries()) {
      const isPrefix = prefix && at === 0;
      if (tokens.length > 1) runs.push({ tokens, term, isPrefix });
      else if (isPrefix) prefixes.push({ token: tokens[0]!, term });
      else if (tokens.length === 1) termByToken.set(tokens[0]!, term);
    }
  });
  const termOf = (token: string) =>
    termByToken.get(token) ?? prefixes.find((prefix) => token.startsWith(prefix.token))?.term;
  const firstTerm = (tokens: string[]) => tokens.map(termOf).find((term) => term !== undefined);
  const termIn = ({ tokens }: Word) => (tokens.includes(' ') ? firstTerm(tokens.split(' ')) : termOf(tokens));
  return (source) => {
    const words = wordsOf(source);
    const hits: Hit[] = [];
    for (const word of words) {
      const term = termIn(word);
      if (term !== undefined) hits.push({ ...rangeOf(word), term });
    }
    const tokensOf = (word: Word) => word.tokens.split(' ').map((token) => ({ token, word }));
    const textTokens = runs.length === 0 ? [] : words.flatMap(tokensOf);
    const runHits = runs.flatMap((run) => findRun(textTokens, run));
    return runHits.length === 0 ? hits : [...hits, ...runHits].sort((a, b) => a.start - b.start || b.end - a.end);
  };
}

function wordsOf(source: string): Word[] {
  const words: Word[] = [];
  let from = 0;
  for (const written of lexemes(source)) {
    const at = source.indexOf(written, from);
    from = at + written.length;
    const tokens = analyseLexeme(written);
    if (tokens !== '') words.push({ at, written, tokens });
  }
  return words;
}

/** The range of a word without a leading elision or a trailing apostrophe; computed only for matches. */
function rangeOf({ at, written }: Word): TextRange {
  const start = at + (elision.exec(written)?.[0].length ?? 0);
  return { start, end: Math.max(start, at + written.length - (closingApostrophes.exec(written)?.[0].length ?? 0)) };
}

function findRun(textTokens: readonly TextToken[], { tokens, term, isPrefix }: TokenRun): Hit[] {
  const hits: Hit[] = [];
  for (let at = 0; at + tokens.length <= textTokens.length; at += 1) {
    const isRun = tokens.every((token, offset) => {
      const textToken = textTokens[at + offset]!.token;
      return isPrefix && offset === tokens.length - 1 ? textToken.startsWith(token) : textToken === token;
    });
    if (!isRun) continue;
    const { start } = rangeOf(textTokens[at]!.word);
    hits.push({ start, end: rangeOf(textTokens[at + tokens.length - 1]!.word).end, term });
  }
  return hits;
}

function visibleHits(hits: Hit[], { start, end }: TextRange): Hit[] {
  const visible: Hit[] = [];
  let from = start;
  for (const hit of hits) {
    if (hit.start < from || hit.end > end || hit.end <= hit.start) continue;
    visible.push(hit);
    from = hit.end;
  }
  return visible;
}

/** The range with most terms, then most hits, from the start of one hit to the end of another, of a limited length. */
function findBestRange(hits: Hit[], maxLength: number): TextRange {
  let best = { start: 0, end: 0, terms: 0, hits: 0 };
  let first = 0;
  for (const [last, { end }] of hits.entries()) {
    while (first < last && end - hits[first]!.start > maxLength) first += 1;
    const hitsInRange = hits.slice(first, last + 1);
    const terms = new Set(hitsInRange.map(({ term }) => term)).size;
    const isBetter = terms > best.terms || (terms === best.terms && hitsInRange.length > best.hits);
    if (isBetter) best = { start: hits[first]!.start, end, terms, hits: hitsInRange.length };
  }
  return best;
}

/** Extends a range on both sides to a limited length, and then reduces it to word boundaries. */
function widenRange(source: string, range: TextRange, maxLength: number): TextRange {
  const spare = Math.max(0, maxLength - (range.end - range.start));
  const before = Math.min(range.start, Math.floor(spare / 2));
  const start = Math.max(0, Math.min(range.start - before, source.length - maxLength));
  const end = Math.min(source.length, start + maxLength);
  return { start: startOfWord(source, start, range.start), end: endOfWord(source, end, range.end) };
}

/** Start of the first word from `start`, at most `maxStart`, where the first hit begins. */
function startOfWord(source: string, start: number, maxStart: number): number {
  if (start <= 0 || source[start - 1] === ' ') return start;
  const space = source.indexOf(' ', start);
  return space !== -1 && space < maxStart ? space + 1 : Math.max(start, maxStart);
}

/** End of the last word up to `end`, at least `minEnd`, where the last hit ends (0 without hits). */
function endOfWord(source: string, end: number, minEnd: number): number {
  if (end >= source.length || source[end] === ' ') return end;
  const space = source.lastIndexOf(' ', end);
  if (space > minEnd) return space;
  const cut = minEnd > 0 ? Math.min(minEnd, end) : end;
  return /[\ud800-\udbff]/.test(source[cut - 1] ?? '') ? cut - 1 : cut;
}
