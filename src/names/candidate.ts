import { nameTokens, nameWords } from '../language/name.ts';
import type { Named } from './nearness.ts';
import { withoutAcronym } from './party-name.ts';
import { type AddressedName, addressedNames, type Gender, plainNames } from './title.ts';

/** Something that a name may mean. */
export type Candidate = Named & {
  shortName?: string | null;
  /** Decides between those of one short name, the highest first. */
  preference?: number;
  /** Short names that texts use for it. */
  acronyms?: readonly string[];
  /** Names that it bore before. */
  formerNames?: readonly string[];
  gender?: Gender | null;
  /** The folded surname without spaces, by which it is sorted; none for what is no person. */
  surname?: string;
  /** The parties and groups of a person, by slug. */
  parties?: readonly string[];
  /** How much is known of it, by which guesses that are equally near are put in order. */
  known?: number;
};

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

/** A candidate whose names were taken apart. */
export type Read = {
  candidate: Candidate;
  name: ReadName;
  /** The name of a party without the acronym that follows it. */
  bare: ReadName[];
  short: string[];
  acronyms: string[];
  former: ReadName[];
};

/** The folded parts of a name, and every word by which it is looked for. */
export type ReadName = { parts: string[]; tokens: string[] };
/** What was typed, and one reading of its words. */
export type Asked = { input: string; words: string[]; gender: Gender | null };

/** The readings of what was typed for a name, the fullest first. */
export function readingsOf(input: string): Asked[] {
  return addressedNames(input).map(({ words, gender }: AddressedName) => ({ input, words, gender }));
}

/** The readings of what names nobody in any of these, and may do without the words around a name. */
export function plainReadings(input: string): Asked[] {
  return plainNames(input).map((words) => ({ input, words, gender: null }));
}

/** Who is compared with one name after another is read once. */
const readBefore = new WeakMap<Candidate, Read>();

/** The names of a candidate, taken apart. */
export function readCandidate(candidate: Candidate): Read {
  const known = readBefore.get(candidate);
  if (known !== undefined) return known;
  const { name, surname, shortName, acronyms = [], formerNames = [] } = candidate;
  const bare = surname === undefined ? withoutAcronym(name) : name;
  const read = {
    candidate,
    name: readName(name, surname),
    bare: bare === name ? [] : [readName(bare)],
    short: shortName ? nameWords(shortName) : [],
    acronyms: acronyms.map((acronym) => nameWords(acronym).join('')),
    former: formerNames.map((former) => readName(former)),
  };
  readBefore.set(candidate, read);
  return read;
}

/** A surname of several words is a word of its name too (lerocbrun). */
function readName(name: string, surname?: string): ReadName {
  let tokens: string[] | undefined;
  return {
    parts: nameWords(name),
    get tokens() {
      tokens ??= surname ? [...nameTokens(name), surname] : nameTokens(name);
      return tokens;
    },
  };
}

/** The candidate that was taken apart. */
export const toCandidate = ({ candidate }: Read): Candidate => candidate;

/** Whether what was asked for names a candidate. */
export type Test = (read: Read) => boolean;
