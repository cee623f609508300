import { fold } from './fold.ts';
import { countedIn, ordinals, type QueryNumber, roman, writingsOf } from './numerals.ts';
import { isStopWord } from './stop-words.ts';

/** A word of a query with its neighbours, folded; `typed` has some of them with their accents. */
type WordContext = {
  word: string;
  next: string;
  afterNext: string;
  last: string;
  beforeLast: string;
  typed: { word: string; next: string };
};
type Rule = (place: WordContext) => string[];

const upTo100 = Array.from({ length: 100 }, (_, at) => at + 1);
const ordinalWords = new Map(
  upTo100.flatMap((number) => ordinals(number).map((word) => [fold(word), number] as const)),
);
const romans = new Map(upTo100.slice(0, 39).map((number) => [roman(number)!.toLowerCase(), number]));

const months = 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(
  ' ',
);
/** The months as folded words, from January. */
export const foldedMonths = months.map(fold);

/** Prefixes of science and law that are written with a hyphen, with a space, or joined. */
const beginning =
  /^(agro|anti|auto|bio|co|cyber|eco|electro|euro|extra|geo|hydro|infra|inter|intra|macro|medico|micro|mini|multi|neo|outre|photo|pluri|poly|psycho|radio|semi|socio|super|techno|tele|thermo|ultra|video)$/;
/** Many words begin with two such letters without a prefix: cotes, command. */
const begun = new RegExp(`(?!co.{0,4}$)${beginning.source.slice(0, -1)}(\\p{L}{3,})$`, 'u');

/** Short forms of one word that no rule of endings relates. */
const sameWords = ['vu vus', 'lu lus', 'nu nus', 'dû dus due', 'pris prise'].map((line) => line.split(' '));

const isNumber = (word: string) => /^\d{1,4}$/.test(word);
const isHours = (word: string) => /^h(?:eures?)?$/.test(word);
const isUnit = (word: string) => /^[a-z]{1,3}[23]?$/.test(word) && !isStopWord(word);
const isAlinea = (word: string) => /^al(?:ineas?)?$/.test(word);
const isMoney = (word: string) => /^(?:(?:d')?euros?|€)$/.test(word);
const tells = (word: string) => /^\p{L}{3,}$/u.test(word) && !isStopWord(word);

/** Abbreviations before a number. */
const shortened = [
  ['article', 'articles', 'art'],
  ['alinea', 'alineas', 'al'],
];

/** Units written as signs or words after a number. */
const units = [
  'ha hectare',
  'km kilometre',
  'kg kilo kilogramme',
  't tonne',
  'mw megawatt',
  'gw gigawatt',
  'twh terawattheure',
].map((line) => line.split(' '));

/** A word with the two words after it, before it, or on both sides. */
function threesOf({
  word,
  next,
  afterNext,
  last,
  beforeLast,
}: Omit<WordContext, 'typed'>): [string, string, string][] {
  return [
    [word, next, afterNext],
    [last, word, next],
    [beforeLast, last, word],
  ];
}

function timesOf(hour: string, minutes: string): string[] {
  return [`${hour}h${minutes}`, `${hour} h ${minutes}`, `${hour} heures ${minutes}`, `${hour}:${minutes}`];
}

function datesOf(first: string, month: number, year: string): string[] {
  const name = months[month - 1];
  if (name === undefined) return [];
  const day = String(Number.parseInt(first, 10));
  const [days, ofMonth] = [day, String(month)].map((each) => each.padStart(2, '0'));
  return [
    `${day} ${name} ${year}`,
    `${days}/${ofMonth}/${year}`,
    `${days}.${ofMonth}.${year}`,
    `${year}-${ofMonth}-${days}`,
  ];
}

const rules: Rule[] = [
  // premier janvier, article 1er, 1ère lecture, XXIe siècle, 5e République
  ({ typed, word, next, last }) => {
    const number = ordinalOf(typed.word, word, next);
    if (number === null) return [];
    const figures = [`${number}e`, ...(roman(number) ? [`${roman(number)}e`, `${roman(number)}ème`] : [])];
    const alone = /^\d/.test(word) ? ordinals(number) : [];
    const all = [...figures, ...ordinals(number)];
    return [
      ...alone,
      ...all.flatMap((each) => (tells(next) ? [`${each} ${typed.next}`] : [])),
      ...all.flatMap((each) => (/^(?:article|alinea|titre|livre)$/.test(last) ? [`${last} ${each}`] : [])),
    ];
  },
  // 49.3, 49 alinéa 3
  ({ word, ...beside }) => {
    const [, article, part] = /^(\d{1,3})[.-](\d)$/.exec(word) ?? [];
    if (article !== undefined) return [`${article} alinéa ${part}`, `${article} al ${part}`];
    return threesOf({ word, ...beside }).flatMap(([one, between, other]) =>
      isNumber(one) && isAlinea(between) && isNumber(other)
        ? [`${one}.${other}`, `${one} alinéa ${other}`, `${one} al ${other}`]
        : [],
    );
  },
  // article 12, art. 12
  ({ word, next }) => {
    const others = shortened.find((each) => each.includes(word));
    return others && /^\d/.test(next) ? others.map((each) => `${each} ${next}`) : [];
  },
  // 14h30, 14 h 30, 14:30
  ({ word, ...beside }) => {
    const [, hour, minutes] = /^(\d{1,2})[h:](\d{2})$/.exec(word) ?? [];
    if (hour !== undefined) return timesOf(hour, minutes!);
    return threesOf({ word, ...beside }).flatMap(([one, between, other]) =>
      /^\d{1,2}$/.test(one) && isHours(between) && /^\d{2}$/.test(other) ? timesOf(one, other) : [],
    );
  },
  // 35h, 35 heures
  ({ word, next, last }) => {
    const glued = /^(\d{1,3})h$/.exec(word)?.[1];
    const hours =
      glued ?? (isNumber(word) && isHours(next) ? word : isHours(word) && isNumber(last) ? last : null);
    return hours === null ? [] : [`${hours}h`, `${hours} h`, `${hours} heures`];
  },
  // 31/12/2025, 31 décembre 2025, 2025-12-31
  ({ word, ...beside }) => {
    const [, day, month, year] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(word) ?? [];
    const [, fourDigits, ofYear, ofMonth] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(word) ?? [];
    if (day !== undefined) return datesOf(day, Number(month), year!);
    if (fourDigits !== undefined) return datesOf(ofMonth!, Number(ofYear), fourDigits);
    return threesOf({ word, ...beside }).flatMap(([first, named, last]) =>
      /^\d{1,2}(?:er)?$/.test(first) && /^\d{4}$/.test(last)
        ? datesOf(first, foldedMonths.indexOf(named) + 1, last)
        : [],
    );
  },
  // 10 M€, 3 Mds €: millions d'euros, milliards d'euros
  ({ word, next }) => {
    const [, short, sign] = /^(m|md|mds)(€?)$/.exec(word) ?? [];
    if (short === undefined || !(sign || isMoney(next))) return [];
    return short === 'm' ? ['millions euros'] : ['milliards euros', 'Md€', 'Mds€'];
  },
  ({ word, last }) => (/^(?:eur|euros?|€)$/.test(word) && /\d$/.test(last) ? ['EUR', 'euros'] : []),
  // 10 ha, 10 hectares
  ({ word, last }) => {
    const others = units.find((each) => each.includes(word.replace(/s$/, '')));
    return others && /\d$/.test(last) ? others.map((each) => `${last} ${each}`) : [];
  },
  // 20 %, 20 pour cent
  ({ word, next, last }) => {
    const isShare = (word === 'pour' && next === 'cent') || (word === 'cent' && last === 'pour');
    if (word === '%') return ['pour cent'];
    return isShare || /^pour-?cents?$/.test(word) ? ['%'] : [];
  },
  // numéro 12, no 12, as n° 12
  ({ word, next }) => (/^(?:no|numero)$/.test(word) && /^\d/.test(next) ? [next] : []),
  // covid19, A 69
  ({ word, next, last }) => {
    const [, letters, digits] = /^([a-z]+)-?(\d{1,4})$/.exec(word) ?? [];
    if (letters !== undefined) return [`${letters} ${digits}`, `${letters}${digits}`];
    if (/^[a-z]{1,6}$/.test(word) && isNumber(next)) return [`${word}${next}`];
    return isNumber(word) && /^[a-z]{1,6}$/.test(last) ? [`${last}${word}`] : [];
  },
  // 20kg, 100 m²
  ({ word, next, last }) => {
    const [, number, unit] = /^(\d+(?:[.,]\d+)?)([a-z]{1,3}[23]?(?:\/[a-z])?)$/.exec(word) ?? [];
    if (number !== undefined) return ordinalOf(word, word, '') === null ? [`${number} ${unit}`] : [];
    if (isNumber(word) && isUnit(next)) return [`${word}${next}`];
    return isNumber(last) && isUnit(word) ? [`${last}${word}`] : [];
  },
  // coconstruction, télé travail
  ({ word, next, last, typed }) => {
    if (beginning.test(word) && tells(next)) return [word + typed.next];
    if (beginning.test(last) && tells(word)) return [last + typed.word];
    const [, first, rest] = begun.exec(word) ?? [];
    return first === undefined ? [] : [`${first} ${typed.word.slice(-rest!.length)}`];
  },
  // St Denis, entr'aide
  ({ word, next }) => (/^ste?$/.test(word) && tells(next) ? [word === 'st' ? 'saint' : 'sainte'] : []),
  ({ word }) => (/^\p{L}{3,}'\p{L}+$/u.test(word) ? [word.replace("'", '')] : []),
  ({ typed }) => sameWords.flatMap((forms) => (forms.includes(typed.word.toLowerCase()) ? forms : [])),
];

/**
 * The value of an ordinal in figures, words or Roman numerals; lower-case Roman numerals count only before
 * siècle.
 */
export function ordinalOf(typed: string, word: string, next: string): number | null {
  const [, figures] = /^(\d{1,2})(?:ers?|e?res?|i?e?mes?|e|nde?|d)$/.exec(word) ?? [];
  if (figures !== undefined) return Number(figures);
  const [, letters = '', ending] = /^([ivx]+)(i?e?me|e?re|er|e)?$/.exec(word) ?? [];
  const isOfTime = /^(?:siecles?|republique)$/.test(next);
  const isRoman = letters !== '' && (ending !== undefined || isOfTime);
  const isWritten = /^[IVX]+/.exec(typed)?.[0].length === letters.length || isOfTime;
  return (isRoman && isWritten ? romans.get(letters) : ordinalWords.get(word.replace(/s$/, ''))) ?? null;
}

/** Years are not spelled out in words. */
const isYear = (word: string) => /^[12]\d{3}$/.test(word);

/**
 * Other spellings of a number in a query: dix ans, 10 ans; cinquante mille, 50000; 1,5 million, 1500000. A
 * number alone is unselective and each extra word costs a walk, so it comes with its unit, or alone if it has
 * few words.
 */
function otherNumbers(
  { from, to, value, isFigures }: QueryNumber,
  bare: readonly string[],
  words: readonly string[],
): string[] {
  if (value <= 1 || (words[from] === 'cent' && words[from - 1] === 'pour')) return [];
  const { figures, scaled, words: said } = writingsOf(value);
  const next = words[to] ?? '';
  const isShare = next === '%' || (next === 'pour' && words[to + 1] === 'cent');
  const told = isMoney(next) ? 'euros' : tells(next) ? bare[to]! : null;
  const isScaled = isFigures && to - from > 1;
  const isLong = isScaled || partsIn(words.slice(from, to).join(' ')) > 1;
  const scales = scaled.filter((each) => !each.endsWith('€') || isMoney(next));
  const inWords = said.flatMap((each) => {
    if (isShare) return [`${each} pour cent`];
    if (isYear(words[from]!) && !isScaled) return [];
    if (told !== null && !isScaled) return [`${each} ${told}`];
    // Excluded: quatre-vingt also begins quatre-vingt-dix.
    return value !== 80 && partsIn(each) > 1 && partsIn(each) <= mostInWords ? [each] : [];
  });
  const inFigures = figures.flatMap((each) => {
    if (isShare) return [`${each} %`, `${each} pour cent`];
    if (told !== null) return [`${each} ${told}`];
    return isLong ? [each] : [];
  });
  return isFigures && !isScaled
    ? [...(isShare ? inFigures : []), ...scales, ...inWords]
    : [...inFigures, ...scales, ...(isFigures ? inWords : [])];
}

const mostInWords = 3;
const partsIn = (number: string) => number.split(/[ -]/).length;

/**
 * Returns for each word of a query the other spellings of its number, date, unit or prefix, judged with its
 * neighbours (dix ans: 10 ans; 49 alinéa 3: 49.3; télé travail: télétravail); mostly none. A record with such
 * a spelling satisfies that word alone, not the rest of the query.
 */
export function otherWritings(typed: readonly string[]): string[][] {
  const bare = typed.map((each) => each.replace(/^[^\p{L}\p{N}€%]+|[^\p{L}\p{N}€%]+$/gu, ''));
  const words = bare.map(fold);
  const numbers = countedIn(words);
  return bare.map((each, at) => {
    const [beforeLast = '', last = ''] = [words[at - 2], words[at - 1]];
    const [word = '', next = '', afterNext = ''] = words.slice(at, at + 3);
    const beside = { word: each, next: bare[at + 1] ?? '' };
    const number = numbers.find(({ from, to }) => from <= at && at < to);
    const found = [
      ...(number ? otherNumbers(number, bare, words) : []),
      ...rules.flatMap((rule) => rule({ word, next, afterNext, last, beforeLast, typed: beside })),
    ];
    return [...new Set(found)].filter((writing) => writing !== '' && writing !== each);
  });
}
