import { nameWords, particles } from '../language/name.ts';
import { isStopWord } from '../language/stop-words.ts';
import type { Candidate } from './candidate.ts';
import surnameWords from './surname-words.json' with { type: 'json' };
import { articleOfAcronym, isTitle } from './title.ts';

/** A name found in a query: its word range [from, to) and its confidence from 0 to 1. */
export type NameWithin = { candidate: Candidate; from: number; to: number; sureness: number };

/** A word of a query as typed, with its folded parts. */
export type TypedWord = { text: string; parts: string[] };

/** Returns the words of a query that may belong to a name, split at white space. */
export function typedWords(query: string): TypedWord[] {
  return query
    .split(/\s+/)
    .map((written) => written.replace(articleOfAcronym, ''))
    .map((text) => ({ text, parts: nameWords(text) }))
    .filter(({ parts }) => parts.length > 0)
    .slice(0, 24);
}

const hyphen = /(?<=\p{Ll})[-–/](?=\p{Lu})/u;

/** True for capitalised words joined by a hyphen, as in a contest of two names: Merlin-Vatel. */
export function isCompound(text: string): boolean {
  return hyphen.test(text);
}

/** The words of a compound; each keeps the text of the whole. */
export function apartAtHyphens(word: TypedWord): TypedWord[] {
  if (!isCompound(word.text)) return [word];
  return word.text.split(hyphen).map((part) => ({ text: word.text, parts: nameWords(part) }));
}

/**
 * Returns the names among other words of a query ("merlin retraites", "le logement selon Anne Merlin"): a
 * whole name, a surname of three letters or more, a first name with part of the surname, or a short name. A
 * word of a longer surname counts if capitalised and nobody has it as a whole surname. Stop words, titles and
 * ordinary words not written as names never count.
 */
export function namesWithin(words: readonly TypedWord[], candidates: Iterable<Candidate>): NameWithin[] {
  const found: NameWithin[] = [];
  for (const candidate of candidates) {
    const best = bestWithin(words, candidate);
    if (best !== null) found.push(best);
  }
  const isSurer = (one: NameWithin, other: NameWithin) =>
    one.sureness > other.sureness && one.from <= other.from && other.to <= one.to;
  return found.filter((each) => each.sureness > halfSurname || !found.some((other) => isSurer(other, each)));
}

function bestWithin(typed: readonly TypedWord[], candidate: Candidate): NameWithin | null {
  const tokens = new Set(candidate.own.tokens);
  const words = typed.map((word) => withoutElision(word, tokens));
  const whole = nameWords(candidate.name).toSorted().join(' ');
  const short = nameWords(candidate.shortName ?? '').join('');
  let best: NameWithin | null = null;
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 1; to <= words.length; to += 1) {
      const run = words.slice(from, to);
      const parts = run.flatMap((word) => word.parts);
      const isOfName = parts.every((part) => tokens.has(part));
      if (!isOfName && parts.join('') !== short && !isAcronymOf(candidate, parts)) break;
      if (isOfSaint(words[from - 1])) break;
      const sureness = surenessOf({ run, parts, from, words }, { candidate, whole, short });
      if (sureness > (best?.sureness ?? 0)) best = { candidate, from, to, sureness };
    }
  }
  return best;
}

/**
 * True for the word before a saint's name: Saint Denis is a place. A surname with Saint matches by both
 * words.
 */
function isOfSaint(before: TypedWord | undefined): boolean {
  return /^(?:saint|st)e?$/.test(before?.parts.at(-1) ?? '');
}

type Run = { run: readonly TypedWord[]; parts: string[]; from: number; words: readonly TypedWord[] };
type Sought = { candidate: Candidate; whole: string; short: string };

function surenessOf({ run, parts, from, words }: Run, { candidate, whole, short }: Sought): number {
  const joined = parts.join('');
  if (parts.every((part) => isStopWord(part) || isTitle(part)) && !isWrittenAsAcronym(run)) return 0;
  if (parts.length > 1 && parts.toSorted().join(' ') === whole) return 1;
  if (joined === short && (short.length > 3 || !isStopWord(short))) return 0.95;
  const { surname } = candidate;
  if (isAcronymOf(candidate, parts)) return 0.9;
  if (surname === undefined) return joined === whole && isHalf(words, from) ? singleName : 0;
  const isFirst = (part: string) => !surname.includes(part) && !particles.has(part);
  const isFull = parts.some((part) => isPartOf(part, surname)) && parts.some(isFirst);
  if (isFull && joined !== surname) return 0.9;
  if (joined === surname && (parts.length > 1 || isName(run[0]!, from))) return 0.8;
  return parts.length === 1 && isPartOf(joined, surname) && isHalf(words, from) ? halfSurname : 0;
}

/** Confidence of a party's one-word name: it counts only next to a person. */
export const singleName = 0.5;

/** Confidence of one word of a longer surname, and its shortest length. */
const [halfSurname, leastHalf] = [0.79, 5];

/** True for a word capitalised as a name; the first word needs another capital to tell. */
function isHalf(words: readonly TypedWord[], at: number): boolean {
  const { text, parts } = words[at]!;
  const [word = ''] = parts;
  if (word.length < leastHalf || isOrdinaryWord(word) || places.has(word)) return false;
  const isCapital = (word: string) => /^\p{Lu}/u.test(word);
  return isCapital(text) && (at > 0 || words.some((other, place) => place > 0 && isCapital(other.text)));
}

/** A word without a leading elision that belongs to no name: Anne of d'Anne, all of d'Ormesaye. */
function withoutElision(word: TypedWord, tokens: ReadonlySet<string>): TypedWord {
  const { text, parts } = word;
  if (parts.length < 2 || !isElided(text) || tokens.has(parts[0]!)) return word;
  return { text: text.replace(elided, ''), parts: parts.slice(1) };
}

/** True for a word with a leading elision: d'Anne, qu’Anne. */
export function isElided(text: string): boolean {
  return elided.test(text);
}

const elided = /^[^\p{L}]*(?:[cdjlmnst]|qu)['’ʼ]/iu;

function isAcronymOf({ acronyms = [] }: Candidate, parts: string[]): boolean {
  return acronyms.includes(parts.join(''));
}

function isPartOf(part: string, surname: string): boolean {
  return part.length > 2 && surname.includes(part);
}

/**
 * A single word is a name if it is not an ordinary word, or if it is capitalised other than by sentence
 * position.
 */
function isName({ text, parts }: TypedWord, at: number): boolean {
  const [word = ''] = parts;
  if (word.length < 3 || places.has(word)) return false;
  return !isOrdinaryWord(word) || (/^\p{Lu}/u.test(text) && (at > 0 || text === text.toUpperCase()));
}

/** True for words in capitals, with or without points. */
export function isWrittenAsAcronym(run: readonly TypedWord[]): boolean {
  return run.every(({ text }) => /^[\p{Lu}\p{N}.&-]{2,}$/u.test(text));
}

const setOf = (lines: string[]) => new Set(lines.flatMap((line) => line.split(' ')));

/** Surnames that are also French words, and those that are also places, which are always capitalised. */
const [ordinary, places] = [setOf(surnameWords.ordinary), setOf(surnameWords.places)];

/** True for a folded surname that is also a French word: Petit, Blanc, Fort. */
export function isOrdinaryWord(word: string): boolean {
  return ordinary.has(word);
}
