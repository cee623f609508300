import { fold } from '../../language/fold.ts';
import { analyseLexeme } from '../../language/prose.ts';
import { isStopWord } from '../../language/stop-words.ts';

/** A word of a text: its position (UTF-16 units), its form for comparison, and its token. */
type Word = { start: number; end: number; written: string; spelling: string; token: string };

/** A word of a quotation; `isOpen` in brackets, `isAfterGap` after an omission mark (`[…]`). */
type QuotedWord = Word & { isOpen: boolean; isAfterGap: boolean };

/** A quotation as words; reads an article's guillemets, brackets and omission marks. */
export type Quotation = { words: QuotedWord[]; parts: string[] };

/** Words of the quotation and of the text at one point; one is empty if only the other has words there. */
export type Difference = { quoted: string; said: string };

/** The passage of a text nearest to a quotation; `cost` adds up to 1 for each different word, 0 if all are equal. */
export type Passage = ReturnType<typeof traced> & { cost: number };

const wordOf = /[\p{L}\p{M}\p{N}]+['’]?|[%€]/gu;
const omission = /\[\s*(?:…|\.{3})?\s*\]|\(\s*(?:…|\.{3})\s*\)|…|\.{3}/gu;
const gapMark = '\ue000';
const openMark = '\ue001';

/** Parses a quotation as an article prints it. */
export function readQuotation(text: string): Quotation {
  const marked = text
    .replace(/[\ue000\ue001]/g, ' ')
    .replace(omission, gapMark)
    .replace(/\[([^\]]{1,100})\]/g, (_, inside: string) => inside.replace(wordOf, `${openMark}$&`));
  const words: QuotedWord[] = [];
  const parts = marked.split(gapMark);
  for (const part of parts) {
    let isAfterGap = words.length > 0;
    for (const word of wordsOf(part)) {
      words.push({ ...word, isOpen: part[word.start - 1] === openMark, isAfterGap });
      isAfterGap = false;
    }
  }
  return { words, parts: parts.map((part) => part.replaceAll(openMark, '')) };
}

const mostWords = 100_000;

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: written, index } of text.matchAll(wordOf)) {
    words.push({
      start: index,
      end: index + written.length,
      written,
      spelling: spellingOf(written),
      token: analyseLexeme(written.replace(/['’]$/, '')) || fold(written),
    });
    if (words.length === mostWords) break;
  }
  return words;
}

/** The form of a word for comparison: without case and typography; accents count except on a capital. */
function spellingOf(written: string): string {
  const word = written.normalize('NFC').replace('’', "'").replaceAll('œ', 'oe').replaceAll('Œ', 'Oe');
  const lower = word.toLowerCase();
  return /^\p{Lu}/u.test(word) ? fold(word[0]!) + lower.slice(1) : lower;
}

/** Grammatical persons that an article changes in reported speech. */
const persons = new Set(
  "je j' tu il elle on nous vous ils elles me m' te t' se s' moi toi lui leur eux mon ma mes ton ta tes son sa ses notre nos votre vos leurs".split(
    ' ',
  ),
);

function costOf(quoted: QuotedWord, textWord: Word): number {
  if (quoted.isOpen || quoted.spelling === textWord.spelling) return 0;
  if (quoted.token === textWord.token) return 0.25;
  return persons.has(quoted.spelling) && persons.has(textWord.spelling) ? 0.25 : 1;
}

const aligned = 0;
const omitted = 1;
const added = 2;

/** Most words of a text that one omission mark may replace. */
const longestGap = 300;

/** The passage of a text nearest to a quotation, by the cost of changed words; null without words. */
export function nearestPassage({ words: quoted }: Quotation, text: string): Passage | null {
  const textWords = wordsOf(text);
  const width = textWords.length + 1;
  if (textWords.length === 0 || quoted.length === 0) return null;
  const steps = new Uint8Array((quoted.length + 1) * width);
  const gaps = quoted.map(({ isAfterGap }) => (isAfterGap ? new Uint32Array(width) : null));
  let above = new Float32Array(width);
  for (const [row, word] of quoted.entries()) {
    const gap = gaps[row];
    if (gap) above = withGap(above, gap);
    const costs = new Float32Array(width);
    costs[0] = row + 1;
    steps[(row + 1) * width] = omitted;
    for (let at = 1; at < width; at += 1) {
      const least = above[at - 1]! + costOf(word, textWords[at - 1]!);
      const leftOut = above[at]! + (word.isOpen ? 0.1 : 1);
      const more = costs[at - 1]! + (word.isOpen ? 0.1 : 1);
      const cost = Math.min(least, leftOut, more);
      costs[at] = cost;
      steps[(row + 1) * width + at] = cost === least ? aligned : cost === leftOut ? omitted : added;
    }
    above = costs;
  }
  let best = 0;
  for (let at = 1; at < width; at += 1) if (above[at]! < above[best]!) best = at;
  return { ...traced(quoted, textWords, { steps, gaps, end: best }), cost: above[best]! };
}

/** Costs after skipping any number of words; `from` receives the offset at which each skip began. */
function withGap(costs: Float32Array, from: Uint32Array): Float32Array<ArrayBuffer> {
  const least = new Float32Array(costs.length);
  let best = 0;
  for (let at = 0; at < costs.length; at += 1) {
    if (costs[at]! <= costs[best]! || at - best > longestGap) best = at;
    least[at] = costs[best]!;
    from[at] = best;
  }
  return least;
}

type Trace = { steps: Uint8Array; gaps: (Uint32Array | null)[]; end: number };

function traced(quoted: QuotedWord[], textWords: Word[], { steps, gaps, end }: Trace) {
  const width = textWords.length + 1;
  const pairs: (Difference & { isSame: boolean })[] = [];
  let row = quoted.length;
  let at = end;
  let contentWords = 0;
  let start = end;
  while (row > 0) {
    const step = steps[row * width + at]!;
    const word = quoted[row - 1]!;
    const textWord = textWords[at - 1];
    const isSame = step === aligned && costOf(word, textWord!) === 0;
    if (isSame && !word.isOpen && !isStopWord(fold(word.written))) contentWords += 1;
    pairs.push({
      quoted: step === added ? '' : word.written,
      said: step === omitted ? '' : textWord!.written,
      isSame: isSame || word.isOpen,
    });
    if (step !== omitted) {
      at -= 1;
      start = at;
    }
    if (step === added) continue;
    row -= 1;
    const gap = gaps[row];
    if (!gap) continue;
    if (gap[at]! < at) pairs.push({ quoted: '', said: '', isSame: true });
    at = gap[at]!;
  }
  const last = textWords[Math.max(start, end - 1)]!;
  const differences = differencesOf(pairs.reverse());
  return { start: textWords[start]?.start ?? 0, end: last.end, contentWords, differences };
}

function differencesOf(pairs: (Difference & { isSame: boolean })[]): Difference[] {
  const joined = (one: string, other: string) => (/['’]$/.test(one) ? one + other : `${one} ${other}`.trim());
  const differences: Difference[] = [];
  for (const [at, { quoted, said, isSame }] of pairs.entries()) {
    if (isSame) continue;
    const isNew = at === 0 || pairs[at - 1]!.isSame;
    const last = isNew ? { quoted: '', said: '' } : differences.pop()!;
    differences.push({ quoted: joined(last.quoted, quoted), said: joined(last.said, said) });
  }
  return differences;
}
