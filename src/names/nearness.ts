import { byCodeUnit } from '../language/fold.ts';
import { nameWords } from '../language/name.ts';
import { editDistance } from '../language/near-miss.ts';
import { soundKey } from '../language/sound.ts';
import { beginsParts } from './initials.ts';

/** Something with a name by which people look for it, and the key by which the mirror knows it. */
export type KeyedName = { key: string; name: string };

/**
 * Returns the candidates whose name is nearly the query, nearest first and then by name, `limit` at most; see `nearness`.
 */
export function nearMisses(query: string, candidates: Iterable<KeyedName>, limit = 5): KeyedName[] {
  const words = nameWords(query);
  const found: { candidate: KeyedName; slips: number }[] = [];
  for (const candidate of candidates) {
    const near = nearness(words, nameWords(candidate.name));
    if (near !== null) found.push({ candidate, slips: near.slips });
  }
  return found
    .sort((a, b) => a.slips - b.slips || byName(a.candidate, b.candidate))
    .slice(0, limit)
    .map(({ candidate: { key, name } }) => ({ key, name }));
}

/** Orders by folded name and then by key, by code unit. */
export function byName(a: KeyedName, b: KeyedName): number {
  return byCodeUnit(nameWords(a.name).join(' '), nameWords(b.name).join(' ')) || byCodeUnit(a.key, b.key);
}

/** How near words are to a name: `slips` orders, `sound` is told where all that differs sounds alike. */
export type Nearness = { way: 'sound' | 'typo'; slips: number };

/**
 * Returns how nearly some words are a name of these parts, or null. Every word must be nearly a part of it, or all of them
 * nearly the whole: one mistake is forgiven from 5 letters (from 3 beside a word without one) and two from 9, or from 7
 * for a part of 9 with the same first letter, none where there is a digit, and any where the words sound alike; a single
 * letter stands for a part that it begins, and two or three beside other words for the first parts (JL).
 */
export function nearness(words: readonly string[], parts: readonly string[]): Nearness | null {
  if (words.length > 12 || parts.length === 0 || words.every((word) => word.length === 1)) return null;
  const joined = words.join('');
  const whole = wordNearness(joined, parts.join(''), forgiven(joined));
  const pairs = parts.slice(1).map((part, at) => parts[at] + part);
  const tokens = [...parts, ...pairs];
  const isSure = words.some(
    (word) => (word.length >= leastSure && tokens.includes(word)) || areInitials(word, words, parts),
  );
  let sum: Nearness | null = { way: 'sound', slips: 0 };
  for (const word of words) {
    if (areInitials(word, words, parts)) continue;
    sum = added(sum, nearest(word, { parts, tokens, least: isSure ? leastSure : leastForgiven }));
    if (sum === null || (whole !== null && sum.slips >= whole.slips)) return whole;
  }
  return sum;
}

function areInitials(word: string, words: readonly string[], parts: readonly string[]): boolean {
  return beginsParts(word, parts) && words.some(({ length }) => length >= leastHeard);
}

/** The shortest words in which a mistake is forgiven: alone, and beside a word of the name that has none. */
export const [leastForgiven, leastSure] = [5, 3];

/** The shortest word that may be written as it sounds. */
const leastHeard = 4;

/** Words that sound alike are told apart by so many letters at most. */
const mostHeard = 4;

/** What a slip counts that is not heard, so that it goes before others; and a letter that stands for a word. */
const [unheard, initial] = [0.75, 0.25];

function added(sum: Nearness, next: Nearness | null): Nearness | null {
  if (next === null) return null;
  const isHeard = sum.way === 'typo' || next.way === 'typo';
  return { way: isHeard ? 'typo' : 'sound', slips: sum.slips + next.slips };
}

type Parts = { parts: readonly string[]; tokens: readonly string[]; least: number };

function nearest(word: string, { parts, tokens, least }: Parts): Nearness | null {
  if (word.length === 1 && parts.some((part) => part.startsWith(word)))
    return { way: 'sound', slips: parts.includes(word) ? 0 : initial };
  let best: Nearness | null = null;
  for (const token of tokens) {
    const near = wordNearness(word, token, Math.max(forgiven(word, least), forgivenIn(word, token)));
    if (near !== null && (best === null || near.slips < best.slips)) best = near;
  }
  return best;
}

/** How near a word is to one of a name, or null, where so many mistakes are forgiven. */
function wordNearness(word: string, token: string, max: number): Nearness | null {
  if (word === token) return { way: 'sound', slips: 0 };
  if (/[0-9]/.test(token)) return null;
  const isHeard = word.length >= leastHeard && soundsAlike(word, token);
  // In a short word only letters that are not heard may be missing: Atal, Attal.
  if (max === 0) return isHeard && word.length < token.length ? { way: 'sound', slips: unheard } : null;
  const distance = editDistance(word, token, isHeard ? mostHeard : max);
  if (isHeard) return { way: 'sound', slips: distance > 1 ? 1 + distance * 0.05 : unheard };
  return distance > max || token.length < leastSure ? null : { way: 'typo', slips: distance };
}

/** How many slips are forgiven in a word, where one is from `least` letters on. */
export function forgiven(word: string, least = leastForgiven): number {
  if (word.length < least || /[0-9]/.test(word)) return 0;
  return word.length < 9 ? 1 : 2;
}

/** The shortest word in which two slips are forgiven that left letters out of a long one, and that long one. */
export const [leastOfLong, leastLong] = [7, 9];

/** Where letters were left out, the name is what tells how long the word was meant to be. */
function forgivenIn(word: string, token: string): number {
  const isOfLong = word.length >= leastOfLong && token.length >= leastLong && word[0] === token[0];
  return isOfLong && !/[0-9]/.test(word) ? 2 : 0;
}

/** Letters with which words may begin that sound alike; for the rest two words are not looked at twice. */
const alike = ['ckqszx', 'gj', 'pf', 'iy', 'vw', 'aeo'];

function soundsAlike(word: string, token: string): boolean {
  if (Math.abs(word.length - token.length) > 4 || beginning(word) !== beginning(token)) return false;
  const sound = soundKey(word);
  return sound.length >= 3 && sound === soundKey(token);
}

function beginning(word: string): string {
  const first = word.replace(/^h/, '')[0] ?? '';
  return alike.find((letters) => letters.includes(first)) ?? first;
}
