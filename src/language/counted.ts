import { fold } from './fold.ts';
import { cardinal } from './numerals.ts';

/** Consecutive words of a query that make one number, and its value: "cinquante mille" is 50,000. */
export type QueryNumber = { from: number; to: number; value: number; isFigures: boolean };

const scales = new Map([
  ['mille', 1000],
  ['million', 10 ** 6],
  ['milliard', 10 ** 9],
]);
const small = new Map(
  [...Array.from({ length: 17 }, (_, number) => number), 20, 30, 40, 50, 60].map(
    (number) => [fold(cardinal(number)!), number] as const,
  ),
);

const figures = /^(?:\d{1,3}(?:[ .]\d{3})+|\d{1,12})(?:,\d{1,3})?$|^\d{1,9}\.\d{1,2}$/;
const grouped = /^\d{1,3}(?:[ .]\d{3})+(?:,|$)/;

/** Most words in one number: twice the length of mille neuf cent quatre vingt dix sept. */
const longest = 12;

/** Returns the numbers among the folded words of a query: the longest at each position, never overlapping. */
export function countedIn(words: readonly string[]): QueryNumber[] {
  const found: QueryNumber[] = [];
  for (let from = 0; from < words.length; ) {
    const counted = countedFrom(words, from);
    if (counted) found.push(counted);
    from = counted?.to ?? from + 1;
  }
  return found;
}

function countedFrom(words: readonly string[], from: number): QueryNumber | null {
  const first = figuresOf(words[from]!);
  if (first !== null) {
    const scale = scales.get((words[from + 1] ?? '').replace(/s$/, ''));
    // Numbers from a billion millions on are skipped: a double would hold them inexactly.
    const value = scale === undefined ? first : Number((first * scale).toFixed(3));
    return { from, to: from + (scale === undefined ? 1 : 2), value, isFigures: true };
  }
  let last = from;
  while (last < words.length && last - from < longest && isNumberWord(words[last]!)) last += 1;
  for (let to = last; to > from; to -= 1) {
    if (words[to - 1] === 'et') continue;
    const value = numberIn(partsOf(words.slice(from, to)));
    if (value !== null) return { from, to, value, isFigures: false };
  }
  return null;
}

function figuresOf(word: string): number | null {
  if (!figures.test(word)) return null;
  return Number((grouped.test(word) ? word.replace(/[ .]/g, '') : word).replace(',', '.'));
}

function partsOf(words: readonly string[]): string[] {
  return words
    .flatMap((word) => word.split('-'))
    .map((part) => (/^(?:cents|vingts|milli\w*s)$/.test(part) ? part.slice(0, -1) : part));
}

function isNumberWord(word: string): boolean {
  return partsOf([word]).every(
    (part) => part === 'et' || part === 'cent' || part === 'une' || scales.has(part) || small.has(part),
  );
}

/**
 * The value of words that are the normal spelling of a number, else null: "vingt quatre" is one, "vingt dix"
 * is not.
 */
function numberIn(parts: readonly string[]): number | null {
  let [whole, below] = [0, 0];
  for (const part of parts) {
    const scale = scales.get(part);
    if (part === 'et') continue;
    if (scale !== undefined) {
      // mille milliards
      if (below === 0 && whole > 0 && whole < scale) whole *= scale;
      else whole += Math.max(1, below) * scale;
      below = 0;
    } else if (part === 'cent') below = Math.max(1, below) * 100;
    else if (part === 'vingt' && below % 100 === 4) below += 76;
    else below += part === 'une' ? 1 : small.get(part)!;
  }
  const value = whole + below;
  return plainly(parts) === plainly(partsOf(fold(inWords(value) ?? '').split(' '))) ? value : null;
}

function plainly(parts: readonly string[]): string {
  return parts
    .map((part) => (part === 'une' ? 'un' : part))
    .filter((part) => part !== 'et')
    .join(' ');
}

/** A number in words, including thousands of millions. */
function inWords(value: number): string | null {
  const [milliards, rest] = [Math.floor(value / 10 ** 9), value % 10 ** 9];
  if (milliards === 0) return cardinal(value);
  return `${cardinal(milliards)} milliard${rest === 0 ? '' : ` ${cardinal(rest)}`}`;
}

/** Spellings of a number: in figures, in figures before "millions" or "milliards", and in words. */
export type Writings = { figures: string[]; scaled: string[]; words: string[] };

/** Returns how a number is written in figures, in figures before "million" or "milliard", and in words. */
export function writingsOf(value: number): Writings {
  const scale = value >= 10 ** 9 ? 10 ** 9 : value >= 10 ** 6 ? 10 ** 6 : null;
  const many = scale === null ? null : String(value / scale).replace('.', ',');
  const isShort = many !== null && many.length <= 6;
  const word = scale === 10 ** 9 ? 'milliard' : 'million';
  const short = scale === 10 ** 9 ? ['Md€', 'Mds€'] : ['M€'];
  const said = value >= 10 ** 9 && value % 10 ** 9 !== 0 ? null : inWords(value);
  return {
    figures: Number.isInteger(value) ? [String(value)] : [],
    scaled: isShort ? [`${many} ${word}`, ...short.map((sign) => `${many} ${sign}`)] : [],
    words: said === null ? [] : [said],
  };
}
