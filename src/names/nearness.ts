import { byCodeUnit } from '../language/fold.ts';
import { matchesInitials, nameWords } from '../language/name.ts';
import { editDistance } from '../language/near-miss.ts';
import { soundKey } from '../language/sound.ts';

/** The key and name of a record. */
export type KeyedName = { key: string; name: string };

/** Compares by folded name, then by key, both by code unit; a candidate has its folded name already. */
export function byName(a: SortedName, b: SortedName): number {
  return byCodeUnit(foldedName(a), foldedName(b)) || byCodeUnit(a.key, b.key);
}

type SortedName = KeyedName & { parsedName?: { parts: string[] } };

const foldedName = ({ name, parsedName }: SortedName) => (parsedName?.parts ?? nameWords(name)).join(' ');

/** How similar words are to a name: `sound` if all differences sound alike; `distance` grows with each difference. */
export type Nearness = { matchKind: 'sound' | 'typo'; distance: number };

/** Returns how similar words are to a name with these parts, word by word or all joined; null if they are not. */
export function nearness(words: readonly string[], parts: readonly string[]): Nearness | null {
  // One letter matches a part that begins with it; two or three letters match initials if there are other words (JL).
  if (words.length > 12 || parts.length === 0 || words.every((word) => word.length === 1)) return null;
  const joined = words.join('');
  const joinedNearness = wordNearness(joined, parts.join(''), allowedMistakes(joined));
  const pairs = parts.slice(1).map((part, at) => parts[at] + part);
  const tokens = [...parts, ...pairs];
  const hasExactWord = words.some(
    (word) => (word.length >= minLengthBesideExact && tokens.includes(word)) || areInitials(word, words, parts),
  );
  const minLength = hasExactWord ? minLengthBesideExact : minFuzzyLength;
  let sum: Nearness | null = { matchKind: 'sound', distance: 0 };
  for (const word of words) {
    if (areInitials(word, words, parts)) continue;
    sum = addNearness(sum, nearestToken(word, { parts, tokens, minLength }));
    if (sum === null || (joinedNearness !== null && sum.distance >= joinedNearness.distance)) return joinedNearness;
  }
  return sum;
}

/** True for initials of consecutive parts, in a query that also has a word of 4 letters or more. */
function areInitials(word: string, words: readonly string[], parts: readonly string[]): boolean {
  return matchesInitials(word, parts) && words.some(({ length }) => length >= minSoundLength);
}

/** Fewest letters of a word in which a mistake is allowed: alone, and beside a word that is exactly in the name. */
export const minFuzzyLength = 5;
export const minLengthBesideExact = 3;

/** Fewest letters of a word that is compared by sound, and the highest edit distance computed for homophones. */
const minSoundLength = 4;
const maxSoundDistance = 4;

/** Distance of a word that sounds alike (more if several letters differ), and of a letter that abbreviates a word. */
const soundAlikeCost = 0.75;
const initialCost = 0.25;

function addNearness(sum: Nearness, next: Nearness | null): Nearness | null {
  if (next === null) return null;
  const isTypo = sum.matchKind === 'typo' || next.matchKind === 'typo';
  return { matchKind: isTypo ? 'typo' : 'sound', distance: sum.distance + next.distance };
}

type NameParts = { parts: readonly string[]; tokens: readonly string[]; minLength: number };

function nearestToken(word: string, { parts, tokens, minLength }: NameParts): Nearness | null {
  if (word.length === 1 && parts.some((part) => part.startsWith(word)))
    return { matchKind: 'sound', distance: parts.includes(word) ? 0 : initialCost };
  let best: Nearness | null = null;
  for (const token of tokens) {
    const tokenNearness = wordNearness(word, token, allowedMistakes(word, minLength));
    if (tokenNearness !== null && (best === null || tokenNearness.distance < best.distance)) best = tokenNearness;
  }
  return best;
}

function wordNearness(word: string, token: string, maxMistakes: number): Nearness | null {
  if (word === token) return { matchKind: 'sound', distance: 0 };
  if (/[0-9]/.test(token)) return null;
  const isHomophone = word.length >= minSoundLength && soundsAlike(word, token);
  // A short word may only lack silent letters: Atal, Attal.
  if (maxMistakes === 0 && !(isHomophone && word.length < token.length)) return null;
  if (maxMistakes === 0) return { matchKind: 'sound', distance: soundAlikeCost };
  const distance = editDistance(word, token, isHomophone ? maxSoundDistance : maxMistakes);
  if (isHomophone) return { matchKind: 'sound', distance: distance > 1 ? 1 + distance * 0.05 : soundAlikeCost };
  return distance > maxMistakes || token.length < minLengthBesideExact ? null : { matchKind: 'typo', distance };
}

/** Number of mistakes allowed in a word: 0 if it is too short or has a digit, 2 from 9 letters on, else 1. */
export function allowedMistakes(word: string, minLength = minFuzzyLength): number {
  if (word.length < minLength || /[0-9]/.test(word)) return 0;
  return word.length < 9 ? 1 : 2;
}

function soundsAlike(word: string, token: string): boolean {
  if (Math.abs(word.length - token.length) > 4) return false;
  const sound = soundKey(word);
  return sound.length >= 3 && sound === soundKey(token);
}
