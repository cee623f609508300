import { dayText } from '../words/figures.ts';
import { fold } from './fold.ts';
import { once } from './once.ts';
import { isStopWord } from './stop-words.ts';

const units = `zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize
  dix-sept dix-huit dix-neuf`.split(/\s+/);
const tens = ['', '', 'vingt', 'trente', 'quarante', 'cinquante', 'soixante', 'soixante'];
const romanSigns = Object.entries({ X: 10, IX: 9, V: 5, IV: 4, I: 1 });

/** Largest number with ordinals, and largest number in Roman numerals. */
const maxOrdinal = 99;
const maxRoman = 39;

/** The French words for an integer from 0 to 99. */
function cardinal(number: number): string {
  if (number < 20) return units[number]!;
  if (number >= 80) return number === 80 ? 'quatre-vingts' : `quatre-vingt-${units[number - 80]}`;
  const ten = Math.floor(number / 10);
  const unit = number - 10 * Math.min(ten, 6); // 70 to 79 count on from 60
  if (unit === 0) return tens[ten]!;
  return `${tens[ten]}-${unit === 1 || unit === 11 ? 'et-' : ''}${units[unit]}`;
}

/** The French ordinals of a number from 1 to 99, masculine first; empty for any other number. */
export function ordinals(number: number): string[] {
  if (number === 1) return ['premier', 'première'];
  if (number > maxOrdinal || number < 1) return [];
  const stem = cardinal(number)
    .replace(/e$|(?<=vingt)s$/, '')
    .replace(/cinq$/, 'cinqu')
    .replace(/neuf$/, 'neuv');
  return [`${stem}ième`, ...(number === 2 ? ['second', 'seconde'] : [])];
}

/** Returns an integer from 1 to 39 in Roman numerals; null for any other number. */
export function roman(number: number): string | null {
  if (!Number.isInteger(number) || number < 1 || number > maxRoman) return null;
  let remaining = number;
  let numeral = '';
  for (const [sign, value] of romanSigns) for (; remaining >= value; remaining -= value) numeral += sign;
  return numeral;
}

/** A word of a query and its neighbours, folded; and the word and the next one as typed. */
type WordContext = { word: string; next: string; previous: string; typed: { word: string; next: string } };
const numbersTo99 = Array.from({ length: 99 }, (_, at) => at + 1);
/** Numbers by their folded words; without the cardinal `un`, which is mostly the article. */
const numbersByWord = once(() => ({
  ordinals: new Map(numbersTo99.flatMap((number) => ordinals(number).map((word) => [fold(word), number] as const))),
  cardinals: new Map(numbersTo99.slice(1).map((number) => [fold(cardinal(number)), number] as const)),
}));

/** Numbers by lower-case Roman numeral. */
const romans = new Map(numbersTo99.slice(0, maxRoman).map((number) => [roman(number)!.toLowerCase(), number]));

const isContentWord = (word: string) => /^\p{L}{3,}$/u.test(word) && !isStopWord(word);

/** Each returns other notations of the word, or of it and a neighbour; empty if the rule does not apply. */
const rules: ((context: WordContext) => string[])[] = [
  // premier janvier, article 1er, 1ère lecture, XXIe siècle, 5e République
  ({ typed, word, next, previous }) => {
    const number = ordinalOf(typed.word, word, next);
    if (number === null) return [];
    const words = ordinals(number);
    const forms = [`${number}e`, ...(roman(number) ? [`${roman(number)}e`, `${roman(number)}ème`] : []), ...words];
    // Words and Roman numerals are rewritten only beside a noun; digits also alone.
    return [
      ...(/^\d/.test(word) ? words : []),
      ...(isContentWord(next) ? forms.map((form) => `${form} ${typed.next}`) : []),
      ...(/^(?:article|alinea|titre|livre)$/.test(previous) ? forms.map((form) => `${previous} ${form}`) : []),
    ];
  },
  // 35 heures, trente-cinq heures
  ({ typed, word, next }) => {
    const other =
      numbersByWord().cardinals.get(word) ?? (/^(?:[2-9]|[1-9]\d)$/.test(word) ? cardinal(Number(word)) : null);
    return other === null || !isContentWord(next) ? [] : [`${other} ${typed.next}`];
  },
  // 49.3
  ({ word }) => {
    const [, article, part] = /^(\d{1,3})[.-](\d)$/.exec(word) ?? [];
    return article === undefined ? [] : [`${article} alinéa ${part}`, `${article} al ${part}`];
  },
  // 31/12/2025
  ({ word }) => {
    const [, day = '', month = '', year] = /^(\d{1,2})[/.](0?[1-9]|1[0-2])[/.](\d{4})$/.exec(word) ?? [];
    return year === undefined ? [] : [dayText(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, 'fr')];
  },
];

/** The value of an ordinal in digits, words or Roman numerals (XXIe; before siècle also xxi); else null. */
function ordinalOf(typed: string, word: string, next: string): number | null {
  const [, figures] = /^(\d{1,2})(?:ers?|e?res?|i?e?mes?|e|nde?|d)$/.exec(word) ?? [];
  if (figures !== undefined) return Number(figures);
  const [, letters = '', ending] = /^([ivx]+)(i?e?me|e?re|er|e)?$/.exec(word) ?? [];
  const isBeforePeriod = /^(?:siecles?|republique)$/.test(next);
  const hasCapitals = /^[IVX]+/.exec(typed)?.[0].length === letters.length;
  const isRoman = letters !== '' && (isBeforePeriod || (ending !== undefined && hasCapitals));
  return (isRoman ? romans.get(letters) : numbersByWord().ordinals.get(word.replace(/s$/, ''))) ?? null;
}

/** Returns for each word other notations of the number or date that begins there (49.3: 49 alinéa 3); usually none. */
export function otherNotations(typedWords: readonly string[]): string[][] {
  const trimmedWords = typedWords.map((each) => each.replace(/^[^\p{L}\p{N}€%]+|[^\p{L}\p{N}€%]+$/gu, ''));
  const words = trimmedWords.map(fold);
  return trimmedWords.map((each, at) => {
    const typed = { word: each, next: trimmedWords[at + 1] ?? '' };
    const context: WordContext = { word: words[at]!, next: words[at + 1] ?? '', previous: words[at - 1] ?? '', typed };
    return [...new Set(rules.flatMap((rule) => rule(context)))].filter((text) => text !== '' && text !== each);
  });
}
