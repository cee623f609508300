import { fold } from '../../language/fold.ts';
import { analyseLexeme } from '../../language/prose.ts';
import { isStopWord } from '../../language/stop-words.ts';

/** A word of a text: its position (UTF-16 units), original form (`written`), compared form and token. */
type Word = { start: number; end: number; written: string; spelling: string; token: string };

/** A word of a quotation; `isOpen`: in brackets, matches any; `isAfterGap`: after an omission mark (`[…]`). */
type QuotedWord = Word & { isOpen: boolean; isAfterGap: boolean };

/** A quotation as words, and as texts between its omission marks. */
export type Quotation = { words: QuotedWord[]; parts: string[] };

/** Differing words of the quotation and of the text at one point; empty for the one that lacks words there. */
export type Difference = { quoted: string; said: string };

const wordPattern = /[\p{L}\p{M}\p{N}]+['’]?|[%€]/gu;
const omissionPattern = /\[\s*(?:…|\.{3})?\s*\]|\(\s*(?:…|\.{3})\s*\)|…|\.{3}/gu;
/** Private-use characters that replace an omission mark, and that precede a word in brackets. */
const gapMark = '\ue000';
const bracketMark = '\ue001';

/** Parses a quotation as an article prints it. */
export function readQuotation(text: string): Quotation {
  const markedText = text
    .replace(/[\ue000\ue001]/g, ' ')
    .replace(omissionPattern, gapMark)
    .replace(/\[([^\]]{1,100})\]/g, (_, inside: string) => inside.replace(wordPattern, `${bracketMark}$&`));
  const parts = markedText.split(gapMark);
  const words = parts.flatMap((part, partIndex) =>
    wordsOf(part).map((word, at) => {
      return { ...word, isOpen: part[word.start - 1] === bracketMark, isAfterGap: partIndex > 0 && at === 0 };
    }),
  );
  return { words, parts: parts.map((part) => part.replaceAll(bracketMark, '')) };
}

const maxWords = 100_000;

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(wordPattern).take(maxWords)].map(({ 0: original, index }) => ({
    start: index,
    end: index + original.length,
    written: original,
    spelling: spellingOf(original),
    token: analyseLexeme(original.replace(/['’]$/, '')) || fold(original),
  }));

/** The form of a word for comparison: without case and typography; accents count except on a capital. */
function spellingOf(original: string): string {
  const word = original.normalize('NFC').replace('’', "'").replaceAll('œ', 'oe').replaceAll('Œ', 'Oe');
  const lower = word.toLowerCase();
  return /^\p{Lu}/u.test(word) ? fold(word[0]!) + lower.slice(1) : lower;
}

/** Matches pronouns of any grammatical person, which an article changes in reported speech. */
const pronounPattern =
  /^(?:je|j'|tu|il|elle|on|nous|vous|ils|elles|me|m'|te|t'|se|s'|moi|toi|lui|leur|eux|mon|ma|mes|ton|ta|tes|son|sa|ses|notre|nos|votre|vos|leurs)$/;

/** Cost of a text's word in place of a quoted one: 0 if equal, 0.25 for another form or person, else 1. */
function substitutionCost(quotedWord: QuotedWord, textWord: Word): number {
  if (quotedWord.isOpen || quotedWord.spelling === textWord.spelling) return 0;
  if (quotedWord.token === textWord.token) return 0.25;
  return pronounPattern.test(quotedWord.spelling) && pronounPattern.test(textWord.spelling) ? 0.25 : 1;
}

/** Steps of an alignment: both words match or replace each other, the text lacks one, the quotation lacks one. */
const alignedStep = 0;
const omittedStep = 1;
const addedStep = 2;

/** Maximum number of words of a text that one omission mark may replace. */
const maxGap = 300;

/** The passage of a text nearest to a quotation by edit distance (`cost`), with its differences; null without words. */
export function nearestPassage({ words: quotedWords }: Quotation, text: string) {
  const textWords = wordsOf(text);
  const width = textWords.length + 1;
  if (textWords.length === 0 || quotedWords.length === 0) return null;
  // A row per quoted word, a column per word of the text; a passage may start at any column.
  const steps = new Uint8Array((quotedWords.length + 1) * width);
  const gaps = quotedWords.map(({ isAfterGap }) => (isAfterGap ? new Uint32Array(width) : null));
  let previousCosts = new Float32Array(width);
  for (const [row, word] of quotedWords.entries()) {
    const gap = gaps[row];
    if (gap) previousCosts = skipGap(previousCosts, gap);
    const costs = new Float32Array(width);
    costs[0] = row + 1;
    steps[(row + 1) * width] = omittedStep;
    for (let at = 1; at < width; at += 1) {
      const alignCost = previousCosts[at - 1]! + substitutionCost(word, textWords[at - 1]!);
      const omitCost = previousCosts[at]! + (word.isOpen ? 0.1 : 1);
      const addCost = costs[at - 1]! + (word.isOpen ? 0.1 : 1);
      const cost = Math.min(alignCost, omitCost, addCost);
      costs[at] = cost;
      steps[(row + 1) * width + at] = cost === alignCost ? alignedStep : cost === omitCost ? omittedStep : addedStep;
    }
    previousCosts = costs;
  }
  let bestEnd = 0;
  for (let at = 1; at < width; at += 1) if (previousCosts[at]! < previousCosts[bestEnd]!) bestEnd = at;
  return { ...traceAlignment(quotedWords, textWords, { steps, gaps, end: bestEnd }), cost: previousCosts[bestEnd]! };
}

/** Costs after skipping up to `maxGap` words; `gapStarts` receives the offset at which each skip began. */
function skipGap(costs: Float32Array, gapStarts: Uint32Array): Float32Array<ArrayBuffer> {
  const leastCosts = new Float32Array(costs.length);
  let best = 0;
  for (let at = 0; at < costs.length; at += 1) {
    if (costs[at]! <= costs[best]! || at - best > maxGap) best = at;
    leastCosts[at] = costs[best]!;
    gapStarts[at] = best;
  }
  return leastCosts;
}

type AlignmentTrace = { steps: Uint8Array; gaps: (Uint32Array | null)[]; end: number };

/** Follows the steps back from `end`: the passage, its equal content words, and its differences. */
function traceAlignment(quotedWords: QuotedWord[], textWords: Word[], { steps, gaps, end }: AlignmentTrace) {
  const width = textWords.length + 1;
  const pairs: (Difference & { isSame: boolean })[] = [];
  let quotedIndex = quotedWords.length;
  let at = end;
  let contentWords = 0;
  let start = end;
  while (quotedIndex > 0) {
    const step = steps[quotedIndex * width + at]!;
    const word = quotedWords[quotedIndex - 1]!;
    const textWord = textWords[at - 1];
    const isSame = step === alignedStep && substitutionCost(word, textWord!) === 0;
    if (isSame && !word.isOpen && !isStopWord(fold(word.written))) contentWords += 1;
    pairs.push({
      quoted: step === addedStep ? '' : word.written,
      said: step === omittedStep ? '' : textWord!.written,
      isSame: isSame || word.isOpen,
    });
    if (step !== omittedStep) {
      at -= 1;
      start = at;
    }
    if (step === addedStep) continue;
    quotedIndex -= 1;
    const gap = gaps[quotedIndex];
    if (!gap) continue;
    if (gap[at]! < at) pairs.push({ quoted: '', said: '', isSame: true });
    at = gap[at]!;
  }
  const last = textWords[Math.max(start, end - 1)]!;
  const differences = differencesOf(pairs.reverse());
  return { start: textWords[start]?.start ?? 0, end: last.end, contentWords, differences };
}

function differencesOf(pairs: (Difference & { isSame: boolean })[]): Difference[] {
  const joinWords = (one: string, other: string) => (/['’]$/.test(one) ? one + other : `${one} ${other}`.trim());
  const differences: Difference[] = [];
  for (const [at, { quoted, said, isSame }] of pairs.entries()) {
    if (isSame) continue;
    const startsDifference = at === 0 || pairs[at - 1]!.isSame;
    const last = startsDifference ? { quoted: '', said: '' } : differences.pop()!;
    differences.push({ quoted: joinWords(last.quoted, quoted), said: joinWords(last.said, said) });
  }
  return differences;
}
