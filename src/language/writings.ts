import { fold } from './fold.ts';
import { cardinal, ordinals, roman } from './numerals.ts';
import { isStopWord } from './stop-words.ts';

/** A word of a query and the words beside it, folded; and some of them as they were typed, for accents tell words apart. */
type Place = {
  word: string;
  next: string;
  afterNext: string;
  last: string;
  beforeLast: string;
  typed: { word: string; next: string };
};
type Rule = (place: Place) => string[];

const upTo100 = Array.from({ length: 100 }, (_, at) => at + 1);
const cardinals = new Map(
  [...upTo100.slice(1), 1000].map((number) => [fold(cardinal(number)!), String(number)]),
);
const ordinalWords = new Map(
  upTo100.flatMap((number) => ordinals(number).map((word) => [fold(word), number] as const)),
);
const romans = new Map(upTo100.slice(0, 39).map((number) => [roman(number)!.toLowerCase(), number]));

const months = 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(
  ' ',
);

/** What words of science and law begin with that are written with a hyphen behind it, with a space, or with neither. */
const beginning =
  /^(agro|anti|auto|bio|co|cyber|eco|electro|euro|extra|geo|hydro|infra|inter|intra|macro|medico|micro|mini|multi|neo|outre|photo|pluri|poly|psycho|radio|semi|socio|super|techno|tele|thermo|ultra|video)$/;
/** Two letters begin many words that are no such: cotes, command. */
const begun = new RegExp(`(?!co.{0,4}$)${beginning.source.slice(0, -1)}(\\p{L}{3,})$`, 'u');

/** Forms of one word that no rule of endings brings together, for they are too short. */
const sameWords = ['vu vus', 'lu lus', 'nu nus', 'dû dus due', 'pris prise'].map((line) => line.split(' '));

const isNumber = (word: string) => /^\d{1,4}$/.test(word);
const isHours = (word: string) => /^h(?:eures?)?$/.test(word);
const isAlinea = (word: string) => /^al(?:ineas?)?$/.test(word);
const isMoney = (word: string) => /^(?:d')?euros?$/.test(word);
const tells = (word: string) => /^\p{L}{3,}$/u.test(word) && !isStopWord(word);

const rules: Rule[] = [
  // dix ans, 10 ans; un milliard: a number tells something with what it counts
  ({ word, next, typed }) => {
    if (/^mil(?:lion|liard)s?$/.test(next) && /^(?:un|1)$/.test(word)) return [`1 ${next}`, `un ${next}`];
    const other = cardinals.get(word) ?? (isNumber(word) ? cardinal(Number(word)) : null);
    return other && Number(other) !== 1 && other !== 'un' && tells(next) ? [`${other} ${typed.next}`] : [];
  },
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
  ({ word, next, afterNext, last, beforeLast }) => {
    const [, article, part] = /^(\d{1,3})[.-](\d)$/.exec(word) ?? [];
    if (article !== undefined) return [`${article} alinéa ${part}`, `${article} al ${part}`];
    for (const [one, between, other] of [
      [word, next, afterNext],
      [last, word, next],
      [beforeLast, last, word],
    ] as const)
      if (isNumber(one) && isAlinea(between) && isNumber(other))
        return [`${one}.${other}`, `${one} alinéa ${other}`, `${one} al ${other}`];
    return [];
  },
  // 35h, 35 heures
  ({ word, next, last }) => {
    const glued = /^(\d{1,3})h$/.exec(word)?.[1];
    const hours =
      glued ?? (isNumber(word) && isHours(next) ? word : isHours(word) && isNumber(last) ? last : null);
    return hours === null ? [] : [`${hours}h`, `${hours} h`, `${hours} heures`];
  },
  // 31/12/2025
  ({ word }) => {
    const [, day, month, year] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(word) ?? [];
    const name = months[Number(month) - 1];
    return name === undefined ? [] : [`${Number(day)} ${name} ${year}`];
  },
  // 10 M€, 10 millions d'euros
  ({ word, next, last, beforeLast }) => {
    const [, short] = /^(m|md|mds)€$/.exec(word) ?? [];
    if (short !== undefined) return [short === 'm' ? 'millions euros' : 'milliards euros'];
    const isMillions = /^millions?$/.test(word) && isNumber(last) && isMoney(next);
    if (isMillions) return [`${last} M`];
    return isMoney(word) && /^millions?$/.test(last) && isNumber(beforeLast) ? [`${beforeLast} M`] : [];
  },
  // 20 pour cent, for nobody indexes a sign
  ({ word, next, last, beforeLast }) => {
    if (word === 'pour' && next === 'cent') return [last];
    if (word === 'cent' && last === 'pour') return [beforeLast];
    return /^pour-?cents?$/.test(word) ? [last] : [];
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

/** The number of an ordinal, in figures, words or Roman figures; small letters are these before siècle alone. */
function ordinalOf(typed: string, word: string, next: string): number | null {
  const [, figures] = /^(\d{1,2})(?:ers?|e?res?|i?e?mes?|e|nde?|d)$/.exec(word) ?? [];
  if (figures !== undefined) return Number(figures);
  const [, letters = '', ending] = /^([ivx]+)(i?e?me|e?re|er|e)?$/.exec(word) ?? [];
  const isOfTime = /^(?:siecles?|republique)$/.test(next);
  const isRoman = letters !== '' && (ending !== undefined || isOfTime);
  const isWritten = /^[IVX]+/.exec(typed)?.[0].length === letters.length || isOfTime;
  return (isRoman && isWritten ? romans.get(letters) : ordinalWords.get(word.replace(/s$/, ''))) ?? null;
}

/**
 * Returns for each word of a query in what other ways its number, date, unit or beginning is written beside the words that
 * stand there (dix ans: 10 ans; 49 alinéa 3: 49.3; télé travail: télétravail); mostly none. What holds the writing holds
 * what the word says, whatever else of the query it must hold.
 */
export function otherWritings(typed: readonly string[]): string[][] {
  const bare = typed.map((each) => each.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}€]+$/gu, ''));
  const words = bare.map(fold);
  return bare.map((each, at) => {
    const [beforeLast = '', last = ''] = [words[at - 2], words[at - 1]];
    const [word = '', next = '', afterNext = ''] = words.slice(at, at + 3);
    const beside = { word: each, next: bare[at + 1] ?? '' };
    const found = rules.flatMap((rule) => rule({ word, next, afterNext, last, beforeLast, typed: beside }));
    return [...new Set(found)].filter((writing) => writing !== '' && writing !== each);
  });
}
