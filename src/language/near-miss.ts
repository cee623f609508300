import { editDistance } from './edit-distance.ts';
import { nameWords } from './name.ts';

export { editDistance };

/** Something with a name by which people look for it, and the key by which the mirror knows it. */
export type Named = { key: string; name: string };

type Sought = { words: string[]; whole: string };

/**
 * Returns the candidates whose name is nearly the query, nearest first and then by name, `limit` at most. Every
 * word of the query must be nearly a word of the name, or all of it nearly the whole name: one mistake is
 * forgiven from 5 letters and two from 9, none where there is a digit.
 */
export function nearMisses(query: string, candidates: Iterable<Named>, limit = 5): Named[] {
  const words = nameWords(query);
  if (words.length === 0 || words.length > 12) return [];
  const sought = { words, whole: words.join('') };
  const found: { candidate: Named; distance: number }[] = [];
  for (const candidate of candidates) {
    const distance = nameDistance(sought, candidate.name);
    if (distance !== Infinity) found.push({ candidate, distance });
  }
  return found
    .sort((a, b) => a.distance - b.distance || byName(a.candidate, b.candidate))
    .slice(0, limit)
    .map(({ candidate: { key, name } }) => ({ key, name }));
}

/** Orders by folded name and then by key, by code unit. */
export function byName(a: Named, b: Named): number {
  return compare(nameWords(a.name).join(' '), nameWords(b.name).join(' ')) || compare(a.key, b.key);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function nameDistance({ words, whole }: Sought, name: string): number {
  const parts = nameWords(name);
  const least = wordDistance(whole, parts.join(''));
  const pairs = parts.slice(1).map((part, at) => parts[at] + part);
  let sum = 0;
  for (const word of words) {
    sum += Math.min(nearest(word, parts), nearest(word, pairs));
    if (sum >= least) return least;
  }
  return sum;
}

function nearest(word: string, tokens: string[]): number {
  let least = Infinity;
  for (const token of tokens) least = Math.min(least, wordDistance(word, token));
  return least;
}

function wordDistance(word: string, token: string): number {
  if (word === token) return 0;
  const max = forgiven(word);
  if (max === 0) return Infinity;
  if (Math.abs(word.length - token.length) > max || /[0-9]/.test(token)) return Infinity;
  const distance = editDistance(word, token, max);
  return distance > max ? Infinity : distance;
}

function forgiven(word: string): number {
  if (word.length < 5 || /[0-9]/.test(word)) return 0;
  return word.length < 9 ? 1 : 2;
}
