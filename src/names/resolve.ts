import { nameWords } from '../language/name.ts';
import {
  type Asked,
  type Candidate,
  type NameMatch,
  plainReadings,
  type Read,
  type ReadName,
  readCandidate,
  readingsOf,
  type Test,
  toCandidate,
  type WayToMatch,
} from './candidate.ts';
import { guessNames } from './guess.ts';
import { beginsParts } from './initials.ts';
import { byName, type Named } from './nearness.ts';
import { partyShare } from './party-name.ts';

const maxSuggestions = 5;

/** A single word as short as that is an acronym: it is never taken for the beginning of another word. */
const longestAcronym = 3;

/** No name of more words is written with its last ones first. */
const mostTurned = 16;

/** What a name stands for: one key, several candidates between which nobody may choose, or nothing but guesses. */
export type Resolution =
  | { match: 'one'; key: string }
  | { match: 'several'; candidates: Named[] }
  | { match: 'none'; suggestions: Named[] };

type Step = { way: WayToMatch; test: (asked: Asked) => (read: Read) => boolean };

/** The steps by which a name is resolved, in order. */
const steps: Step[] = [
  { way: 'key', test: keyTest },
  { way: 'short-name', test: shortNameTest },
  { way: 'exact', test: (asked) => wholeNameTest(asked, ({ name }) => [name]) },
  { way: 'exact', test: (asked) => wholeNameTest(asked, ({ bare }) => bare) },
  { way: 'acronym', test: acronymTest },
  { way: 'former-name', test: (asked) => wholeNameTest(asked, ({ former }) => former) },
  { way: 'words', test: wholeWordsTest },
  { way: 'forms', test: formsTest },
  { way: 'prefix', test: prefixTest },
];

/** The steps for what is left of a name without the words around it: never its beginnings. */
const plainSteps = steps.filter(({ way }) => !['key', 'forms', 'prefix'].includes(way));

/**
 * Returns what a person meant by a slug or a name. The first step that finds anything decides: the key itself; the
 * short name (of several with one preference nobody chooses); the whole name, whatever its accents, hyphens, spaces and
 * order of words, then that of a party without its last acronym; an acronym that texts use; a former name; all words as
 * whole words of the name; of a party, as forms of most of these (les insoumis); all words as beginnings of its words.
 * Each takes the text as it is, then without titles (M., la ministre); where none finds anything, the whole words once more
 * without what leads to a name, or to an acronym (d'Anne Merlin, le groupe PP). Near misses are only ever suggested (5 at most),
 * of those that `near` gives where it is given; candidates with the same key count once.
 */
export function resolveName(
  input: string,
  candidates: Iterable<Candidate>,
  near?: () => Iterable<Candidate>,
): Resolution {
  const all = [...candidates].map(readCandidate);
  const named =
    firstNamed(steps, readingsOf(input), all) ?? firstNamed(plainSteps, plainReadings(input), all);
  if (named !== null) return named;
  const guesses = guessNames(input, near?.() ?? all.map(toCandidate)).map(({ candidate }) => candidate);
  return { match: 'none', suggestions: distinct(guesses).slice(0, maxSuggestions) };
}

function firstNamed(steps: readonly Step[], readings: readonly Asked[], all: Read[]): Resolution | null {
  for (const step of steps) {
    for (const asked of readings) {
      const found = distinct(foundBy(step, asked, all));
      if (found.length > 1) return { match: 'several', candidates: found.sort(byName) };
      if (found[0] !== undefined) return { match: 'one', key: found[0].key };
    }
  }
  return null;
}

/**
 * Returns every candidate that a query names, each by the surest way in which it does. Of the readings of a query the one
 * counts that names anything most surely.
 */
export function matchNames(input: string, candidates: Iterable<Candidate>): NameMatch[] {
  const all = [...candidates].map(readCandidate);
  const readings = readingsOf(input);
  const names = (step: Step) => readings.find((asked) => foundBy(step, asked, all).length > 0);
  const surest = firstOf(steps, names);
  if (surest === undefined) return plainlyNamed(input, all);
  const found = new Map<Candidate, NameMatch>();
  for (const step of steps) {
    for (const candidate of foundBy(step, surest, all))
      if (!found.has(candidate))
        found.set(candidate, { candidate, way: step.way, words: surest.words, slips: 0 });
  }
  return [...found.values()];
}

/**
 * Who bears the whole name of several words that a query is without what leads to it and without particles, or a surname
 * that is written there with a particle and a capital (Le Merle, who is Lemerle); sure as words are.
 */
function plainlyNamed(input: string, all: Read[]): NameMatch[] {
  const people = all.filter(({ candidate }) => candidate.surname !== undefined);
  const isCapital = /(?:^|[\s'’-])\p{Lu}\S*\s*$/u.test(input);
  const typed = nameWords(input);
  return (
    firstOf(plainReadings(input), (asked) => {
      const [word, another] = asked.words;
      const isJoined = another === undefined && isCapital && !typed.includes(word!);
      const isNamed =
        another !== undefined
          ? wholeNameTest(asked, ({ name }) => [name])
          : ({ candidate }: Read) => isJoined && candidate.surname === word;
      const found = people.filter(isNamed);
      const matchOf = ({ candidate }: Read): NameMatch => ({
        candidate,
        way: 'words',
        words: asked.words,
        slips: 0,
      });
      return found.length > 0 ? found.map(matchOf) : undefined;
    }) ?? []
  );
}

/** The first thing that is found for any of some, in their order. */
function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined) {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Every candidate that bears exactly that short name. */
export function bearersOf(shortName: string, candidates: Iterable<Candidate>): Candidate[] {
  const [asked] = readingsOf(shortName);
  return [...candidates].map(readCandidate).filter(shortNameTest(asked!)).map(toCandidate);
}

function foundBy({ way, test }: Step, asked: Asked, all: Read[]): Candidate[] {
  const matching = all.filter(test(asked)).map(toCandidate);
  const addressed = asAddressed(asked, matching);
  return way === 'short-name' || way === 'acronym' ? preferred(addressed) : addressed;
}

/** Nobody is called Madame of whom it is known that he is a man; where all are, the title says nothing. */
function asAddressed({ gender }: Asked, found: Candidate[]): Candidate[] {
  if (gender === null) return found;
  const fitting = found.filter((each) => !each.gender || each.gender === gender);
  return fitting.length > 0 ? fitting : found;
}

function keyTest({ input }: Asked): Test {
  const slug = input.trim();
  return ({ candidate: { key } }) => key === slug || key === slug.toLowerCase();
}

function shortNameTest({ words }: Asked): Test {
  const short = words.join('');
  return (read) => short !== '' && read.short.join('') === short;
}

function acronymTest({ words }: Asked): Test {
  const short = words.join('');
  return ({ acronyms }) => short !== '' && acronyms.includes(short);
}

function preferred(found: Candidate[]): Candidate[] {
  const most = Math.max(...found.map(({ preference = 0 }) => preference));
  return found.filter(({ preference = 0 }) => preference === most);
}

/** Spaces may be anywhere or nowhere when the order is the name's own or turned (LEROC Anne); else words must be. */
function wholeNameTest({ words }: Asked, namesOf: (read: Read) => ReadName[]): Test {
  const starts = words.length > mostTurned ? [0] : words.keys();
  const turned = new Set(Array.from(starts, (at) => [...words.slice(at), ...words.slice(0, at)].join('')));
  const sorted = words.toSorted().join(' ');
  const isWhole = ({ parts }: ReadName) =>
    turned.has(parts.join('')) || (parts.length > 0 && parts.toSorted().join(' ') === sorted);
  return (read) => namesOf(read).some(isWhole);
}

function wholeWordsTest({ words }: Asked): Test {
  return ({ name, former }) =>
    words.length > 0 && [name, ...former].some(({ tokens }) => words.every((word) => tokens.includes(word)));
}

/** A party by what people call it: les insoumis, le groupe socialiste. */
function formsTest({ words }: Asked): Test {
  return ({ candidate: { surname }, name, former }) =>
    surname === undefined && [name, ...former].some(({ parts }) => partyShare(words, parts) > 0);
}

/** Every word begins a word of the name, or is the first letters of some that follow each other (JL Merlin). */
function prefixTest({ words }: Asked): Test {
  const isAcronym = words.length === 1 && words[0]!.length <= longestAcronym;
  if (words.length === 0 || isAcronym) return () => false;
  // A letter stands for a word that nothing else begins: Anne M. is no Luc Anne-Vatel, nor is Martin M. Luc Martin.
  const others = words.filter(({ length }) => length > 1);
  const isLeft = (part: string) => !others.some((other) => part.startsWith(other));
  const isBegunBy =
    ({ parts, tokens }: ReadName) =>
    (word: string) =>
      word.length === 1
        ? parts.some((part) => part.startsWith(word) && isLeft(part))
        : tokens.some((token) => token.startsWith(word)) || (words.length > 1 && beginsParts(word, parts));
  return ({ name, former }) => [name, ...former].some((each) => words.every(isBegunBy(each)));
}

function distinct(named: Candidate[]): Named[] {
  return [...new Map(named.map(({ key, name }) => [key, { key, name }])).values()];
}
