import { fold } from './fold.ts';
import { nameWords } from './name.ts';

/**
 * Returns how many letters to add, drop, change or swap with their neighbour make one word of the other (optimal
 * string alignment), in UTF-16 units; `max + 1` as soon as it must be more than `max`.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  let leastOfLast = 0;
  for (let row = 1; row <= a.length; row += 1) {
    const current = nextRow({ a, b, row, max, last, beforeLast });
    const least = Math.min(...current);
    // A swap steps over one row, so both must be beyond help.
    if (least > max && leastOfLast > max) return max + 1;
    [beforeLast, last, leastOfLast] = [last, current, least];
  }
  return Math.min(last[b.length] ?? 0, max + 1);
}

type Step = { a: string; b: string; row: number; max: number; last: number[]; beforeLast: number[] };

/** One row of the table, filled only where the lengths differ by `max` at most. */
function nextRow({ a, b, row, max, last, beforeLast }: Step): number[] {
  const current = new Array<number>(b.length + 1).fill(max + 1);
  if (row <= max) current[0] = row;
  const end = Math.min(b.length, row + max);
  for (let at = Math.max(1, row - max); at <= end; at += 1) {
    const replaced = value(last, at - 1) + Number(a[row - 1] !== b[at - 1]);
    const swapped = isSwap(a, b, row, at) ? value(beforeLast, at - 2) + 1 : Infinity;
    current[at] = Math.min(replaced, swapped, value(last, at) + 1, value(current, at - 1) + 1);
  }
  return current;
}

function isSwap(a: string, b: string, row: number, at: number): boolean {
  return row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1];
}

function value(row: number[], at: number): number {
  return row[at] ?? Infinity;
}

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

/**
 * Returns those of a few words that somebody may have meant, the nearest first and then in their order, 3 at most: words
 * that are few are told apart by less, so that a mistake is forgiven from 3 letters and two from 6, and a word may be
 * left unfinished.
 */
export function nearWords(written: string, words: readonly string[]): string[] {
  const asked = fold(written).trim();
  const max = asked.length < 3 ? 0 : asked.length < 6 ? 1 : 2;
  const distanceTo = (word: string) => {
    const distance = editDistance(asked, fold(word), max);
    const isBegun = distance > max && asked.length >= 2 && fold(word).startsWith(asked);
    return isBegun ? max : distance;
  };
  return [...new Set(words)]
    .map((word) => ({ word, distance: distanceTo(word) }))
    .filter(({ distance }) => distance <= max)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ word }) => word);
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
