import { fold } from '../../language/fold.ts';
import { analyseLexeme } from '../../language/prose.ts';
import { isStopWord } from '../../language/stop-words.ts';

/** A word of a text: its position (UTF-16 units), form in the text (`original`), compared form and token. */
type Word = { start: number; end: number; original: string; spelling: string; token: string };

/** A word of a quotation: `isWildcard` if in brackets, `isAfterGap` if an omission mark (`[…]`) precedes it. */
type QuotedWord = Word & { isWildcard: boolean; isAfterGap: boolean };

/** A quotation as words, and as texts between its omission marks. */
export type Quotation = { words: QuotedWord[]; parts: string[] };

/** Differing words of the quotation (`quoted`) and of the text (`said`) at one point; empty where one lacks words. */
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
      return { ...word, isWildcard: part[word.start - 1] === bracketMark, isAfterGap: partIndex > 0 && at === 0 };
    }),
  );
  return { words, parts: parts.map((part) => part.replaceAll(bracketMark, '')) };
}

const maxWords = 100_000;

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(wordPattern).take(maxWords)].map(({ 0: original, index }) => ({
    start: index,
    end: index + original.length,
    original,
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
  if (quotedWord.isWildcard || quotedWord.spelling === textWord.spelling) return 0;
  if (quotedWord.token === textWord.token) return 0.25;
  return pronounPattern.test(quotedWord.spelling) && pronounPattern.test(textWord.spelling) ? 0.25 : 1;
}

/** Steps of an alignment: match or substitution, deletion of a quoted word, insertion of a word of the text. */
const alignStep = 0;
const deleteStep = 1;
const insertStep = 2;

/** Maximum number of words of a text that one omission mark may replace. */
const maxGap = 300;

/** The passage nearest to a quotation: UTF-16 offsets, edit distance (`cost`) and differences; null without words. */
export function nearestPassage({ words: quotedWords }: Quotation, text: string) {
  const textWords = wordsOf(text);
  const width = textWords.length + 1;
  if (textWords.length === 0 || quotedWords.length === 0) return null;
  // A row per quoted word, a column per word of the text; a passage may start at any column.
  const steps = new Uint8Array((quotedWords.length + 1) * width);
  const gapStartsByRow = quotedWords.map(({ isAfterGap }) => (isAfterGap ? new Uint32Array(width) : null));
  let previousCosts = new Float32Array(width);
  for (const [row, word] of quotedWords.entries()) {
    const gapStarts = gapStartsByRow[row];
    if (gapStarts) previousCosts = skipGap(previousCosts, gapStarts);
    const costs = new Float32Array(width);
    costs[0] = row + 1;
    steps[(row + 1) * width] = deleteStep;
    for (let at = 1; at < width; at += 1) {
      const alignCost = previousCosts[at - 1]! + substitutionCost(word, textWords[at - 1]!);
      const deleteCost = previousCosts[at]! + (word.isWildcard ? 0.1 : 1);
      const insertCost = costs[at - 1]! + (word.isWildcard ? 0.1 : 1);
      const cost = Math.min(alignCost, deleteCost, insertCost);
      costs[at] = cost;
      steps[(row + 1) * width + at] = cost === alignCost ? alignStep : cost === deleteCost ? deleteStep : insertStep;
    }
    previousCosts = costs;
  }
  const cost = previousCosts.reduce((least, each) => Math.min(least, each));
  const endIndex = previousCosts.indexOf(cost);
  return { ...traceAlignment(quotedWords, textWords, { steps, gapStartsByRow, endIndex }), cost };
}

/** Costs after skipping up to `maxGap` words; `gapStarts` receives the column at which each skip began. */
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

type AlignmentTrace = { steps: Uint8Array; gapStartsByRow: (Uint32Array | null)[]; endIndex: number };

/** Follows the steps back from `endIndex`: the passage, its number of equal content words, and its differences. */
function traceAlignment(quotedWords: QuotedWord[], textWords: Word[], trace: AlignmentTrace) {
  const { steps, gapStartsByRow, endIndex } = trace;
  const width = textWords.length + 1;
  const pairs: (Difference & { isSame: boolean })[] = [];
  let quotedIndex = quotedWords.length;
  let textIndex = endIndex;
  let equalContentWordCount = 0;
  let startIndex = endIndex;
  while (quotedIndex > 0) {
    const step = steps[quotedIndex * width + textIndex]!;
    const word = quotedWords[quotedIndex - 1]!;
    const textWord = textWords[textIndex - 1];
    const isSame = step === alignStep && substitutionCost(word, textWord!) === 0;
    if (isSame && !word.isWildcard && !isStopWord(fold(word.original))) equalContentWordCount += 1;
    pairs.push({
      quoted: step === insertStep ? '' : word.original,
      said: step === deleteStep ? '' : textWord!.original,
      isSame: isSame || word.isWildcard,
    });
    if (step !== deleteStep) {
      textIndex -= 1;
      startIndex = textIndex;
    }
    if (step === insertStep) continue;
    quotedIndex -= 1;
    const gapStarts = gapStartsByRow[quotedIndex];
    if (!gapStarts) continue;
    if (gapStarts[textIndex]! < textIndex) pairs.push({ quoted: '', said: '', isSame: true }); // separates differences
    textIndex = gapStarts[textIndex]!;
  }
  const last = textWords[Math.max(startIndex, endIndex - 1)]!;
  const differences = differencesOf(pairs.reverse());
  return { start: textWords[startIndex]?.start ?? 0, end: last.end, equalContentWordCount, differences };
}

function differencesOf(pairs: (Difference & { isSame: boolean })[]): Difference[] {
  const joinWords = (one: string, other: string) => (/['’]$/.test(one) ? one + other : `${one} ${other}`.trim());
  const differences: Difference[] = [];
  for (const [at, { quoted, said, isSame }] of pairs.entries()) {
    if (isSame) continue;
    const last = at === 0 || pairs[at - 1]!.isSame ? { quoted: '', said: '' } : differences.pop()!;
    differences.push({ quoted: joinWords(last.quoted, quoted), said: joinWords(last.said, said) });
  }
  return differences;
}
