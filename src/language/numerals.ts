import { fold } from './fold.ts';

const units =
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf'.split(
    ' ',
  );
const tens = ['', '', 'vingt', 'trente', 'quarante', 'cinquante', 'soixante', 'soixante'];
const signs: [number, string][] = [
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

/** Largest number read as an ordinal, and largest written in Roman figures. */
const [mostOrdinal, mostRoman] = [100, 39];

/** Words for powers of ten, largest first. */
const scales: readonly (readonly [number, string])[] = [
  [10 ** 9, 'milliard'],
  [10 ** 6, 'million'],
  [1000, 'mille'],
  [100, 'cent'],
];
const scaleValues = new Map(scales.slice(0, 3).map(([value, word]) => [word, value]));

/** Returns a whole number below 10^18 in French words, with hyphens up to a hundred; null for others. */
export function cardinal(number: number): string | null {
  if (!Number.isInteger(number) || number < 0 || number >= 10 ** 18) return null;
  if (number < 100) return upToHundred(number);
  const [value, word] = scales.find(([each]) => number >= each)!;
  const many = Math.floor(number / value);
  const rest = number % value;
  const ends = many > 1 && (value >= 10 ** 6 || (value === 100 && rest === 0));
  // Before mille, cent and vingt lose their s: quatre-vingt mille.
  const times = value === 1000 ? cardinal(many)!.replace(/(?<=cent|vingt)s$/, '') : cardinal(many)!;
  return [
    ...(many > 1 || value >= 10 ** 6 ? [times] : []),
    ends ? `${word}s` : word,
    ...(rest > 0 ? [cardinal(rest)!] : []),
  ].join(' ');
}

function upToHundred(number: number): string {
  if (number < 20) return units[number]!;
  if (number >= 80) return number === 80 ? 'quatre-vingts' : `quatre-vingt-${units[number - 80]}`;
  const ten = Math.floor(number / 10);
  const rest = number - 10 * Math.min(ten, 6);
  const unit = ten < 7 ? rest % 10 : rest;
  if (unit === 0) return tens[ten]!;
  return `${tens[ten]}-${unit === 1 || unit === 11 ? 'et-' : ''}${units[unit]}`;
}

/**
 * Returns the French ordinals of a number from 1 to 100, masculine first if there are two; none for others.
 */
export function ordinals(number: number): string[] {
  if (number === 1) return ['premier', 'première'];
  const word = number > mostOrdinal || number < 1 ? null : cardinal(number);
  if (word === null) return [];
  const stem = word
    .replace(/e$|(?<=vingt)s$/, '')
    .replace(/cinq$/, 'cinqu')
    .replace(/neuf$/, 'neuv');
  return [`${stem}ième`, ...(number === 2 ? ['second', 'seconde'] : [])];
}

/** Returns a number of 1 to 39 in Roman figures, or null. */
export function roman(number: number): string | null {
  if (!Number.isInteger(number) || number < 1 || number > mostRoman) return null;
  let [left, written] = [number, ''];
  for (const [value, sign] of signs) for (; left >= value; left -= value) written += sign;
  return written;
}

/** Consecutive words of a query that make one number, and its value: "cinquante mille" is 50,000. */
export type QueryNumber = { from: number; to: number; value: number; isFigures: boolean };

/** The number words that are no scale. */
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
    const scale = scaleValues.get((words[from + 1] ?? '').replace(/s$/, ''));
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
    (part) => part === 'et' || part === 'cent' || part === 'une' || scaleValues.has(part) || small.has(part),
  );
}

/**
 * The value of words that are the normal spelling of a number, else null: "vingt quatre" is one, "vingt dix"
 * is not.
 */
function numberIn(parts: readonly string[]): number | null {
  let [whole, below] = [0, 0];
  for (const part of parts) {
    const scale = scaleValues.get(part);
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
  return plainly(parts) === plainly(partsOf(fold(cardinal(value) ?? '').split(' '))) ? value : null;
}

function plainly(parts: readonly string[]): string {
  return parts
    .map((part) => (part === 'une' ? 'un' : part))
    .filter((part) => part !== 'et')
    .join(' ');
}

/** Spellings of a number: in figures, in figures before "millions" or "milliards", and in words. */
type Writings = { figures: string[]; scaled: string[]; words: string[] };

/** Returns how a number is written in figures, in figures before "million" or "milliard", and in words. */
export function writingsOf(value: number): Writings {
  const scale = value >= 10 ** 9 ? 10 ** 9 : value >= 10 ** 6 ? 10 ** 6 : null;
  const many = scale === null ? null : String(value / scale).replace('.', ',');
  const isShort = many !== null && many.length <= 6;
  const word = scale === 10 ** 9 ? 'milliard' : 'million';
  const short = scale === 10 ** 9 ? ['Md€', 'Mds€'] : ['M€'];
  const said = value >= 10 ** 9 && value % 10 ** 9 !== 0 ? null : cardinal(value);
  return {
    figures: Number.isInteger(value) ? [String(value)] : [],
    scaled: isShort ? [`${many} ${word}`, ...short.map((sign) => `${many} ${sign}`)] : [],
    words: said === null ? [] : [said],
  };
}
