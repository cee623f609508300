import { nameWords } from '../language/name.ts';
import type { Candidate, ReadName } from './candidate.ts';
import { beginsParts } from './initials.ts';
import type { KeyedName } from './nearness.ts';
import { partyShare } from './party-name.ts';
import { addressedNames, type NameReading, plainNames } from './title.ts';

/** How a name was found, the surest way first. */
export const waysToMatch = [
  'key',
  'short-name',
  'exact',
  'acronym',
  'former-name',
  'words',
  'forms',
  'prefix',
  'initials',
  'sound',
  'typo',
] as const;
export type WayToMatch = (typeof waysToMatch)[number];

/** A candidate, how a query names it and by which words; `slips` are how many letters are others than in the name. */
export type NameMatch = { candidate: Candidate; way: WayToMatch; words: readonly string[]; slips: number };

/** A single word as short as that is an acronym: it is never taken for the beginning of another word. */
const longestAcronym = 3;

/** No name of more words is written with its last ones first. */
const mostTurned = 16;

type Test = (candidate: Candidate) => boolean;
type Rule = { way: WayToMatch; test: (reading: NameReading, input: string) => Test };

/** The rules by which names are resolved, the surest first. */
const rules: Rule[] = [
  { way: 'key', test: (_reading, input) => hasKey(input.trim()) },
  {
    way: 'short-name',
    test:
      ({ words }) =>
      ({ short }) =>
        short.length > 0 && isJoined(words, short),
  },
  { way: 'exact', test: ({ words }) => isWhole(words, ({ own }) => [own]) },
  { way: 'exact', test: ({ words }) => isWhole(words, ({ bare }) => bare) },
  {
    way: 'acronym',
    test:
      ({ words }) =>
      ({ acronyms = [] }) =>
        acronyms.includes(words.join('')),
  },
  { way: 'former-name', test: ({ words }) => isWhole(words, ({ former }) => former) },
  { way: 'words', test: ({ words }) => hasWords(words) },
  { way: 'forms', test: ({ words }) => hasForms(words) },
  { way: 'prefix', test: ({ words }) => hasBeginnings(words) },
];

/** The rules for what is left of a name without the words around it: never its beginnings. */
const plainRules = rules.filter(({ way }) => !['key', 'forms', 'prefix'].includes(way));

/**
 * Returns every candidate that a query names, each by the surest way in which it does. Of the readings of a query (as it is,
 * then without titles) the one counts that names anything most surely.
 */
export function matchNames(input: string, candidates: Iterable<Candidate>): NameMatch[] {
  const all = [...candidates];
  const found = matchesBy(rules, addressedNames(input), { input, all });
  return found.length > 0 ? found.flat() : plainlyNamed(input, all);
}

/**
 * Returns those whom a query names in the surest way: the key itself; the short name (of several with one preference nobody
 * chooses); the whole name, whatever its accents, hyphens, spaces and order of words, then that of a party without its last
 * acronym; an acronym that texts use; a former name; all words as whole words of the name; of a party, as forms of most of
 * these (les insoumis); all words as beginnings of its words. Where none finds anything, the whole words once more without what
 * leads to a name, or to an acronym (d'Anne Merlin, le groupe PP).
 */
export function surestMatches(input: string, candidates: Iterable<Candidate>): Candidate[] {
  const query = { input, all: [...candidates] };
  const found = matchesBy(rules, addressedNames(input), query);
  const [surest = []] = found.length > 0 ? found : matchesBy(plainRules, plainNames(input), query);
  return surest.map(({ candidate }) => candidate);
}

type Sought = { input: string; all: readonly Candidate[] };

/** The matches of the surest reading by rule, each candidate once; the first list is that of the surest rule. */
function matchesBy(
  by: readonly Rule[],
  readings: readonly NameReading[],
  { input, all }: Sought,
): NameMatch[][] {
  const matchesOf = ({ way, test }: Rule, reading: NameReading): NameMatch[] => {
    const found = asAddressed(reading, all.filter(test(reading, input)));
    const chosen = way === 'short-name' || way === 'acronym' ? preferred(found) : found;
    return chosen.map((candidate) => ({ candidate, way, words: reading.words, slips: 0 }));
  };
  for (const [at, rule] of by.entries())
    for (const reading of readings) {
      const surest = matchesOf(rule, reading);
      if (surest.length === 0) continue;
      const known = new Set<Candidate>();
      return [surest, ...by.slice(at + 1).map((other) => matchesOf(other, reading))].map((matches) =>
        matches.filter(({ candidate }) => !known.has(candidate) && known.add(candidate)),
      );
    }
  return [];
}

/**
 * Who bears the whole name of several words that a query is without what leads to it and without particles, or a surname
 * that is written there with a particle and a capital (Le Merle, who is Lemerle); sure as words are.
 */
function plainlyNamed(input: string, all: readonly Candidate[]): NameMatch[] {
  const isCapital = /(?:^|[\s'’-])\p{Lu}\S*\s*$/u.test(input);
  const typed = nameWords(input);
  for (const { words } of plainNames(input)) {
    const [word = '', another] = words;
    const isMeant =
      another === undefined
        ? ({ surname }: Candidate) => isCapital && !typed.includes(word) && surname === word
        : isWhole(words, ({ own }) => [own]);
    const found = all.filter((each) => each.surname !== undefined && isMeant(each));
    if (found.length > 0) return found.map((candidate) => ({ candidate, way: 'words', words, slips: 0 }));
  }
  return [];
}

/** Every candidate that bears exactly that short name. */
export function bearersOf(shortName: string, candidates: Iterable<Candidate>): Candidate[] {
  const words = nameWords(shortName);
  return [...candidates].filter(({ short }) => short.length > 0 && isJoined(words, short));
}

/** Nobody is called Madame of whom it is known that he is a man; where all are, the title says nothing. */
function asAddressed({ gender }: NameReading, found: Candidate[]): Candidate[] {
  const fitting = found.filter((each) => gender === null || !each.gender || each.gender === gender);
  return fitting.length > 0 ? fitting : found;
}

function preferred(found: Candidate[]): Candidate[] {
  const most = Math.max(...found.map(({ preference = 0 }) => preference));
  return found.filter(({ preference = 0 }) => preference === most);
}

function hasKey(slug: string): Test {
  return ({ key }) => key === slug || key === slug.toLowerCase();
}

function isJoined(words: readonly string[], parts: readonly string[]): boolean {
  return words.join('') === parts.join('');
}

/** Spaces may be anywhere or nowhere when the order is the name's own or turned (LEROC Anne); else words must be. */
function isWhole(words: readonly string[], namesOf: (candidate: Candidate) => ReadName[]): Test {
  const starts = words.length > mostTurned ? [0] : words.keys();
  const turned = new Set(Array.from(starts, (at) => [...words.slice(at), ...words.slice(0, at)].join('')));
  const sorted = words.toSorted().join(' ');
  const isName = ({ parts }: ReadName) =>
    turned.has(parts.join('')) || (parts.length > 0 && parts.toSorted().join(' ') === sorted);
  return (candidate) => namesOf(candidate).some(isName);
}

function hasWords(words: readonly string[]): Test {
  return ({ own, former }) =>
    words.length > 0 && [own, ...former].some(({ tokens }) => words.every((word) => tokens.includes(word)));
}

/** A party by what people call it: les insoumis, le groupe socialiste. */
function hasForms(words: readonly string[]): Test {
  return ({ surname, own, former }) =>
    surname === undefined && [own, ...former].some(({ parts }) => partyShare(words, parts) > 0);
}

/** Every word begins a word of the name, or is the first letters of some that follow each other (JL Merlin). */
function hasBeginnings(words: readonly string[]): Test {
  const isAcronym = words.length === 1 && words[0]!.length <= longestAcronym;
  if (words.length === 0 || isAcronym) return () => false;
  // A letter stands for a word that nothing else begins: Anne M. is no Luc Anne-Vatel, nor is Martin M. Luc Martin.
  const others = words.filter(({ length }) => length > 1);
  const isLeft = (part: string) => !others.some((other) => part.startsWith(other));
  const begins = (word: string, { parts, tokens }: ReadName) =>
    word.length === 1
      ? parts.some((part) => part.startsWith(word) && isLeft(part))
      : tokens.some((token) => token.startsWith(word)) || (words.length > 1 && beginsParts(word, parts));
  return ({ own, former }) => [own, ...former].some((name) => words.every((word) => begins(word, name)));
}

/** Keys and names of candidates, each key once. */
export function distinctNames(candidates: readonly KeyedName[]): KeyedName[] {
  return [...new Map(candidates.map(({ key, name }) => [key, { key, name }])).values()];
}
