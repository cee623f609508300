import { months } from '../words/figures.ts';
import { fold } from './fold.ts';
import { once } from './once.ts';
import { isStopWord } from './stop-words.ts';

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

/** Largest number read as an ordinal, and largest number written in Roman numerals. */
const maxOrdinal = 99;
const maxRoman = 39;

/** The French words for an integer from 0 to 99. */
function cardinal(number: number): string {
  if (number < 20) return units[number]!;
  if (number >= 80) return number === 80 ? 'quatre-vingts' : `quatre-vingt-${units[number - 80]}`;
  const ten = Math.floor(number / 10);
  const remainder = number - 10 * Math.min(ten, 6);
  const unit = ten < 7 ? remainder % 10 : remainder;
  if (unit === 0) return tens[ten]!;
  return `${tens[ten]}-${unit === 1 || unit === 11 ? 'et-' : ''}${units[unit]}`;
}

/** The French ordinals of a number from 1 to 99, masculine first; empty for any other number. */
export function ordinals(number: number): string[] {
  if (number === 1) return ['premier', 'première'];
  if (number > maxOrdinal || number < 1) return [];
  const word = cardinal(number);
  const stem = word
    .replace(/e$|(?<=vingt)s$/, '')
    .replace(/cinq$/, 'cinqu')
    .replace(/neuf$/, 'neuv');
  return [`${stem}ième`, ...(number === 2 ? ['second', 'seconde'] : [])];
}

/** Returns an integer from 1 to 39 in Roman numerals; null for any other number. */
export function roman(number: number): string | null {
  if (!Number.isInteger(number) || number < 1 || number > maxRoman) return null;
  let remaining = number;
  let written = '';
  for (const [value, sign] of signs) for (; remaining >= value; remaining -= value) written += sign;
  return written;
}

/** A word of a query and its neighbours, folded; `typed` has the word and the next one as typed. */
type WordContext = {
  word: string;
  next: string;
  afterNext: string;
  last: string;
  beforeLast: string;
  typed: { word: string; next: string };
};
const upTo100 = Array.from({ length: 99 }, (_, at) => at + 1);
/** Numbers by their folded words. */
const numbersByWord = once(() => ({
  ordinals: new Map(upTo100.flatMap((number) => ordinals(number).map((word) => [fold(word), number] as const))),
  cardinals: new Map(upTo100.slice(1).map((number) => [fold(cardinal(number)), number] as const)),
}));

const cardinalOf = (word: string): number | undefined => numbersByWord().cardinals.get(word);

const romans = new Map(upTo100.slice(0, 39).map((number) => [roman(number)!.toLowerCase(), number]));

const foldedMonths = months.fr.map(fold);

const isNumber = (word: string) => /^\d{1,4}$/.test(word);
const isHours = (word: string) => /^h(?:eures?)?$/.test(word);
const isAlinea = (word: string) => /^al(?:ineas?)?$/.test(word);
const isContentWord = (word: string) => /^\p{L}{3,}$/u.test(word) && !isStopWord(word);

function triplesOf({ word, next, afterNext, last, beforeLast }: WordContext): [string, string, string][] {
  return [
    [word, next, afterNext],
    [last, word, next],
    [beforeLast, last, word],
  ];
}

function datesOf(dayText: string, month: number, year: string): string[] {
  const name = months.fr[month - 1];
  if (name === undefined) return [];
  const day = String(Number.parseInt(dayText, 10));
  const [paddedDay, paddedMonth] = [day, String(month)].map((each) => each.padStart(2, '0'));
  return [
    `${day} ${name} ${year}`,
    `${paddedDay}/${paddedMonth}/${year}`,
    `${paddedDay}.${paddedMonth}.${year}`,
    `${year}-${paddedMonth}-${paddedDay}`,
  ];
}

const rules: ((context: WordContext) => string[])[] = [
  // premier janvier, article 1er, 1ère lecture, XXIe siècle, 5e République
  ({ typed, word, next, last }) => {
    const number = ordinalOf(typed.word, word, next);
    if (number === null) return [];
    const digitNumber = [`${number}e`, ...(roman(number) ? [`${roman(number)}e`, `${roman(number)}ème`] : [])];
    const alone = /^\d/.test(word) ? ordinals(number) : [];
    const all = [...digitNumber, ...ordinals(number)];
    return [
      ...alone,
      ...all.flatMap((each) => (isContentWord(next) ? [`${each} ${typed.next}`] : [])),
      ...all.flatMap((each) => (/^(?:article|alinea|titre|livre)$/.test(last) ? [`${last} ${each}`] : [])),
    ];
  },
  // 35 heures, trente-cinq heures
  ({ typed, word, next }) => {
    const other = cardinalOf(word) ?? (/^(?:[2-9]|[1-9]\d)$/.test(word) ? cardinal(Number(word)) : null);
    return other === null || !isContentWord(next) ? [] : [`${other} ${typed.next}`];
  },
  // 49.3, 49 alinéa 3
  (context) => {
    const [, article, part] = /^(\d{1,3})[.-](\d)$/.exec(context.word) ?? [];
    if (article !== undefined) return [`${article} alinéa ${part}`, `${article} al ${part}`];
    return triplesOf(context).flatMap(([one, between, other]) =>
      isNumber(one) && isAlinea(between) && isNumber(other)
        ? [`${one}.${other}`, `${one} alinéa ${other}`, `${one} al ${other}`]
        : [],
    );
  },
  // 35h, 35 heures
  ({ word, next, last }) => {
    const glued = /^(\d{1,3})h$/.exec(word)?.[1];
    const hours = glued ?? (isNumber(word) && isHours(next) ? word : isHours(word) && isNumber(last) ? last : null);
    return hours === null ? [] : [`${hours}h`, `${hours} h`, `${hours} heures`];
  },
  // 31/12/2025, 31 décembre 2025, 2025-12-31
  (context) => {
    const { word } = context;
    const [, day, month, year] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(word) ?? [];
    const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(word) ?? [];
    if (day !== undefined) return datesOf(day, Number(month), year!);
    if (isoYear !== undefined) return datesOf(isoDay!, Number(isoMonth), isoYear);
    return triplesOf(context).flatMap(([first, monthName, last]) =>
      /^\d{1,2}(?:er)?$/.test(first) && /^\d{4}$/.test(last)
        ? datesOf(first, foldedMonths.indexOf(monthName) + 1, last)
        : [],
    );
  },
  // 20 %, 20 pour cent
  ({ word, next, last }) => {
    const isShare = (word === 'pour' && next === 'cent') || (word === 'cent' && last === 'pour');
    const of = /^\d/.test(last) ? [`${last} ${word === '%' ? 'pour cent' : '%'}`] : [];
    if (word === '%') return ['pour cent', ...of];
    return isShare || /^pour-?cents?$/.test(word) ? ['%', ...of] : [];
  },
  // covid19, A 69
  ({ word, next, last }) => {
    const [, letters, digits] = /^([a-z]+)-?(\d{1,4})$/.exec(word) ?? [];
    if (letters !== undefined) return [`${letters} ${digits}`, `${letters}${digits}`];
    if (/^[a-z]{1,6}$/.test(word) && isNumber(next)) return [`${word}${next}`];
    return isNumber(word) && /^[a-z]{1,6}$/.test(last) ? [`${last}${word}`] : [];
  },
];

/** The value of an ordinal in digits, words or Roman numerals; lower-case numerals only before siècle or république. */
function ordinalOf(typed: string, word: string, next: string): number | null {
  const [, figures] = /^(\d{1,2})(?:ers?|e?res?|i?e?mes?|e|nde?|d)$/.exec(word) ?? [];
  if (figures !== undefined) return Number(figures);
  const [, letters = '', ending] = /^([ivx]+)(i?e?me|e?re|er|e)?$/.exec(word) ?? [];
  const isOfTime = /^(?:siecles?|republique)$/.test(next);
  const isRoman = letters !== '' && (ending !== undefined || isOfTime);
  const isWritten = /^[IVX]+/.exec(typed)?.[0].length === letters.length || isOfTime;
  return (isRoman && isWritten ? romans.get(letters) : numbersByWord().ordinals.get(word.replace(/s$/, ''))) ?? null;
}

/** Returns other spellings of the number, date, unit or prefix at each word (49 alinéa 3: 49.3); usually none. */
export function otherWritings(typed: readonly string[]): string[][] {
  // Each is an alternative to that word only, judged with its neighbours (télé travail: télétravail).
  const bare = typed.map((each) => each.replace(/^[^\p{L}\p{N}€%]+|[^\p{L}\p{N}€%]+$/gu, ''));
  const words = bare.map(fold);
  return bare.map((each, at) => {
    const [beforeLast = '', last = ''] = [words[at - 2], words[at - 1]];
    const [word = '', next = '', afterNext = ''] = words.slice(at, at + 3);
    const typedWords = { word: each, next: bare[at + 1] ?? '' };
    const candidates = rules.flatMap((rule) => rule({ word, next, afterNext, last, beforeLast, typed: typedWords }));
    return [...new Set(candidates)].filter((writing) => writing !== '' && writing !== each);
  });
}

const countedNoun =
  /^(?:%|€|(?:d')?euros?|ans?|annees?|annuites?|trimestres?|mois|semaines?|jours?|h|heures?|km(?:\/h)?|ha|hectares?|tonnes?|[mgt]w|twh|tiers|quarts|m|mds?|m€|mds?€|millions?|milliards?|republique|siecles?)$/;

const figures = /^(?:\d{1,3}(?:[ .]\d{3})+|\d{1,12})(?:,\d{1,3})?$|^\d{1,9}\.\d{1,2}$/;

/** Ranges of words that form a quantity or date: 500 euros, 5e république, 7 octobre 2023, article 40. */
export function quantitiesIn(typed: readonly string[]): { from: number; to: number; isDay: boolean }[] {
  const words = typed.map(fold);
  const quantities: { from: number; to: number; isDay: boolean }[] = [];
  const isCounted = (at: number) => countedNoun.test(words[at] ?? '');
  for (let from = 0; from < words.length; ) {
    let to = endOfNumber(from);
    const isArticle = /^art(?:icle|\.)?$/.test(words[from]!) && /^\d/.test(words[from + 1] ?? '');
    if (isArticle && !isCounted(from + 2)) to = from + 2;
    else if (to > from) {
      if (words[to] === 'pour' && words[to + 1] === 'cent') to += 2;
      while (isCounted(to)) to += 1;
    }
    const isDay = foldedMonths.includes(words[to] ?? '');
    if (isDay) to += /^\d{4}$/.test(words[to + 1] ?? '') ? 2 : 1;
    if (to > from + 1 && !/^al(?:ineas?)?$/.test(words[to] ?? '')) quantities.push({ from, to, isDay });
    from = Math.max(from + 1, to);
  }
  return quantities;

  function endOfNumber(at: number): number {
    if (figures.test(words[at]!) || cardinalOf(words[at]!) !== undefined) return at + 1;
    return ordinalOf(typed[at]!, words[at]!, words[at + 1] ?? '') === null ? at : at + 1;
  }
}
