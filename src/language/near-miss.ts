import { fold } from './fold.ts';
import { nameWords } from './name.ts';

/** Returns the optimal string alignment distance of two words in UTF-16 units; `max + 1` once it exceeds `max`. */
export function editDistance(a: string, b: string, max: number): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let last: number[] = [];
  for (let at = 0; at <= b.length; at += 1) last.push(at);
  let current: number[] = [];
  let beforeLast: number[] = [];
  let leastOfLast = 0;
  for (let row = 1; row <= a.length; row += 1) {
    // Only cells at most `max` from the diagonal can be within the limit.
    const start = Math.max(1, row - max);
    const end = Math.min(b.length, row + max);
    const letter = a.charCodeAt(row - 1);
    let least = start === 1 && row <= max ? row : max + 1;
    current[start - 1] = least;
    for (let at = start; at <= end; at += 1) {
      let steps = last[at - 1]! + (letter === b.charCodeAt(at - 1) ? 0 : 1);
      const isSwap =
        row > 1 && at > 1 && letter === b.charCodeAt(at - 2) && a.charCodeAt(row - 2) === b.charCodeAt(at - 1);
      if (isSwap) steps = Math.min(steps, beforeLast[at - 2]! + 1);
      steps = Math.min(steps, last[at]! + 1, current[at - 1]! + 1);
      current[at] = steps;
      if (steps < least) least = steps;
    }
    current[end + 1] = max + 1;
    // A swap refers to the row before the last, so both rows must exceed the limit.
    if (least > max && leastOfLast > max) return max + 1;
    leastOfLast = least;
    [last, current, beforeLast] = [current, beforeLast, last];
  }
  return Math.min(last[b.length]!, max + 1);
}

/** Up to 3 words similar to a text, nearest first: one mistake from 3 letters, two from 6, or the text as a prefix. */
export function nearWords(written: string, words: readonly string[]): string[] {
  const foldedQuery = fold(written).trim();
  const max = foldedQuery.length < 3 ? 0 : foldedQuery.length < 6 ? 1 : 2;
  const distanceTo = (word: string) => {
    const distance = editDistance(foldedQuery, fold(word), max);
    const beginsSo = () => [fold(word), ...nameWords(word)].some((part) => part.startsWith(foldedQuery));
    const isPrefix = distance > max && foldedQuery.length >= 2 && beginsSo();
    return isPrefix ? max : distance;
  };
  return [...new Set(words)]
    .map((word) => ({ word, distance: distanceTo(word) }))
    .filter(({ distance }) => distance <= max)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ word }) => word);
}
