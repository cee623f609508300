import { fold, truncateToken } from './fold.ts';
import { isStopWord } from './stop-words.ts';

/** The folded particles (de, le, …) that may precede or begin a surname. */
export const particles: ReadonlySet<string> = new Set(
  'de d du des le la les l van von der den di da del della'.split(' '),
);

const movedParticle = /^(de\s+|d'\s*)(?=.)/;

/** Returns the key that sorts a person by code unit in French order (NF Z44-001): surname, first name, particle. */
export function nameSortKey(name: string, lastName?: string | null, firstName?: string | null): string {
  // "Anne de La Brande" gives "labrande anne de": only de and d' move to the end; Le, La, Du and Des stay in front.
  const last = lastName || removePart(name, firstName) || guessSurname(name);
  const first = firstName || removePart(name, last);
  const surname = fold(last).trim();
  const particle = movedParticle.exec(surname)?.[0] ?? '';
  return [surname.slice(particle.length), fold(first), particle]
    .map((part) => part.replace(/[^\p{L}\p{N}\p{M}]+/gu, ''))
    .filter(Boolean)
    .join(' ');
}

/** The name without a part at its end or start; empty if the part is missing or at neither. */
function removePart(name: string, removedPart: string | null | undefined): string {
  const whole = name.trim();
  const part = removedPart?.trim();
  if (!part) return '';
  if (whole.endsWith(part)) return whole.slice(0, -part.length).trim();
  return whole.startsWith(part) ? whole.slice(part.length).trim() : '';
}

/** The words in capitals if some but not all are, else all from the first particle on, else all but the first word. */
function guessSurname(name: string): string {
  const words = name.trim().split(/\s+/);
  const capitals = words.filter(isInCapitals);
  if (capitals.length > 0 && capitals.length < words.length) return capitals.join(' ');
  const from = words.map((word) => fold(word)).findIndex((word) => particles.has(word) || /^[dl]'/.test(word));
  return words.slice(from === -1 ? Math.min(1, words.length - 1) : from).join(' ');
}

function isInCapitals(word: string): boolean {
  return /\p{L}[^\p{L}]*\p{L}/u.test(word) && word === word.toUpperCase() && word !== word.toLowerCase();
}

/** Words that the index joins to the next one. */
const leadingWords = new Set([...particles, ...'el al ben bou mac mc saint sainte st ste'.split(' ')]);

/** Returns the index tokens of a name: its parts, then joined parts, so that "Le Roc", "LE-ROC" and "leroc" match. */
export function nameTokens(name: string): string[] {
  // Parts are joined around apostrophes and hyphens, between neighbouring words, and from a particle to its word.
  // Nothing is elided, stemmed or dropped.
  const words = splitName(name);
  const parts = words.flat(2).map(truncateToken);
  const joinedTokens = new Set([...words.flatMap(joinWithinWord), ...joinNeighbours(words)].map(truncateToken));
  for (const part of parts) joinedTokens.delete(part);
  return [...parts, ...joinedTokens];
}

/** Returns the tokens of a name joined by spaces, the form that the full-text index takes. */
export const analyseName = (name: string): string => nameTokens(name).join(' ');

/** Returns the folded parts of a name in order ("Jean-Paul D'Orme" gives jean, paul, d, orme), nothing joined. */
export const nameWords = (name: string): string[] =>
  (fold(name).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map(truncateToken);

/** Returns the words, with each particle joined to the word after it: marine, lepen. */
export function withJoinedParticles(words: readonly string[]): string[] {
  return words.flatMap((_, at) => (at > 0 && leadingWords.has(words[at - 1]!) ? [] : [joinParticles(words.slice(at))]));
}

/** A name as words (split at spaces) of groups (split at hyphens and other marks) of parts (split at apostrophes). */
function splitName(name: string): string[][][] {
  const words = fold(name).split(/\s+/);
  const groupsByWord = words.map((word) => word.match(/[\p{L}\p{N}\p{M}']+/gu) ?? []);
  return groupsByWord
    .filter(({ length }) => length > 0)
    .map((groups) => groups.map((group) => group.split("'").filter(Boolean)));
}

function joinWithinWord(word: string[][]): string[] {
  return [...word, word.flat()].filter((parts) => parts.length > 1).map((parts) => parts.join(''));
}

function joinNeighbours(words: string[][][]): string[] {
  const wholes = words.map((word) => word.flat().join(''));
  return wholes.slice(0, -1).flatMap((word, at) => {
    const pair = word + wholes[at + 1];
    return leadingWords.has(word) ? [pair, joinParticles(wholes.slice(at, at + 5))] : [pair];
  });
}

/** The particles that the words begin with, joined to the next word. */
function joinParticles(words: string[]): string {
  const mainIndex = words.findIndex((word) => !leadingWords.has(word));
  return words.slice(0, mainIndex === -1 ? words.length : mainIndex + 1).join('');
}

const maxParts = 8;

/** The initials of a name: of all parts, of all but particles, and of all but stop words (jlm, vge, pdlc). */
export function initialsOf(parts: readonly string[]): string[] {
  const firstParts = parts.slice(0, maxParts);
  const mainParts = firstParts.filter((part) => !particles.has(part));
  const contentParts = parts.filter((part) => !isStopWord(part)).slice(0, maxParts);
  return [...new Set([firstParts, mainParts, contentParts].map(firstLetters))].filter((letters) => letters.length > 1);
}

/** True for two or three letters that are the initials of the first parts: "jl" for jean, luc, merlin. */
export function matchesInitials(letters: string, parts: readonly string[]): boolean {
  if (letters.length < 2 || letters.length > 3) return false;
  return firstLetters(parts.slice(0, maxParts)).startsWith(letters);
}

const firstLetters = (parts: readonly string[]): string => parts.map((part) => part[0]).join('');
