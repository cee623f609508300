import { byCodeUnit } from '../language/fold.ts';
import { beginsParts, nameWords } from '../language/name.ts';
import { editDistance } from '../language/near-miss.ts';
import { soundKey } from '../language/sound.ts';

/** The key of a record, and its name. */
export type KeyedName = { key: string; name: string };

/** The candidates with a name similar to the query, nearest first, `limit` at most; see `nearness`. */
export function nearMisses(query: string, candidates: Iterable<KeyedName>, limit = 5): KeyedName[] {
  const words = nameWords(query);
  const matches: { candidate: KeyedName; slips: number }[] = [];
  for (const candidate of candidates) {
    const near = nearness(words, nameWords(candidate.name));
    if (near !== null) matches.push({ candidate, slips: near.slips });
  }
  return matches
    .sort((a, b) => a.slips - b.slips || byName(a.candidate, b.candidate))
    .slice(0, limit)
    .map(({ candidate: { key, name } }) => ({ key, name }));
}

/** Orders by folded name, then by key, both by code unit. */
export function byName(a: KeyedName, b: KeyedName): number {
  return byCodeUnit(nameWords(a.name).join(' '), nameWords(b.name).join(' ')) || byCodeUnit(a.key, b.key);
}

/** How similar words are to a name: `slips` is the sort order; `sound` if all differences sound alike. */
export type Nearness = { matchKind: 'sound' | 'typo'; slips: number };

/** Returns how similar words are to a name with these parts, word by word or all joined; null if they are not. */
export function nearness(words: readonly string[], parts: readonly string[]): Nearness | null {
  // Allowed: one mistake from 5 letters (from 3 beside an exact word); two from 9, or from 7 against a part of 9 with
  // the same first letter; none in a word with a digit; any number if the words sound alike. One letter matches a part
  // that begins with it; two or three beside other words match initials (JL).
  if (words.length > 12 || parts.length === 0 || words.every((word) => word.length === 1)) return null;
  const joined = words.join('');
  const whole = wordNearness(joined, parts.join(''), forgiven(joined));
  const pairs = parts.slice(1).map((part, at) => parts[at] + part);
  const tokens = [...parts, ...pairs];
  const isSure = words.some(
    (word) => (word.length >= leastSure && tokens.includes(word)) || areInitials(word, words, parts),
  );
  let sum: Nearness | null = { matchKind: 'sound', slips: 0 };
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

/** Shortest words in which a mistake is allowed: alone, and beside an exact word of the name. */
export const leastForgiven = 5;
export const leastSure = 3;

const leastHeard = 4;

const mostHeard = 4;

/** Cost of a misspelling that sounds alike, which therefore sorts first; and of a letter that abbreviates a word. */
const unheard = 0.75;
const initial = 0.25;

function added(sum: Nearness, next: Nearness | null): Nearness | null {
  if (next === null) return null;
  const isHeard = sum.matchKind === 'typo' || next.matchKind === 'typo';
  return { matchKind: isHeard ? 'typo' : 'sound', slips: sum.slips + next.slips };
}

type Parts = { parts: readonly string[]; tokens: readonly string[]; least: number };

function nearest(word: string, { parts, tokens, least }: Parts): Nearness | null {
  if (word.length === 1 && parts.some((part) => part.startsWith(word)))
    return { matchKind: 'sound', slips: parts.includes(word) ? 0 : initial };
  let best: Nearness | null = null;
  for (const token of tokens) {
    const near = wordNearness(word, token, Math.max(forgiven(word, least), forgivenIn(word, token)));
    if (near !== null && (best === null || near.slips < best.slips)) best = near;
  }
  return best;
}

function wordNearness(word: string, token: string, max: number): Nearness | null {
  if (word === token) return { matchKind: 'sound', slips: 0 };
  if (/[0-9]/.test(token)) return null;
  const isHeard = word.length >= leastHeard && soundsAlike(word, token);
  // A short word may only lack silent letters: Atal, Attal.
  if (max === 0) return isHeard && word.length < token.length ? { matchKind: 'sound', slips: unheard } : null;
  const distance = editDistance(word, token, isHeard ? mostHeard : max);
  if (isHeard) return { matchKind: 'sound', slips: distance > 1 ? 1 + distance * 0.05 : unheard };
  return distance > max || token.length < leastSure ? null : { matchKind: 'typo', slips: distance };
}

/** Number of mistakes allowed in a word: 0 below `least` letters, 1, or 2 from 9 letters. */
export function forgiven(word: string, least = leastForgiven): number {
  if (word.length < least || /[0-9]/.test(word)) return 0;
  return word.length < 9 ? 1 : 2;
}

/** Shortest word that may lack two letters of a long one, and the shortest such long word. */
export const leastOfLong = 7;
export const leastLong = 9;

/** Mistakes allowed by the length of the name's word, for a query word that lacks letters. */
function forgivenIn(word: string, token: string): number {
  const isOfLong = word.length >= leastOfLong && token.length >= leastLong && word[0] === token[0];
  return isOfLong && !/[0-9]/.test(word) ? 2 : 0;
}

/** First letters that may sound alike; words whose first letters are in no common group are not compared. */
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
