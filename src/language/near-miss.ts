import { fold } from './fold.ts';
import { nameWords } from './name.ts';

/** Returns the optimal string alignment distance of two words in UTF-16 units; `max + 1` once it exceeds `max`. */
export function editDistance(a: string, b: string, max: number): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let previousRow: number[] = [];
  for (let at = 0; at <= b.length; at += 1) previousRow.push(at);
  let currentRow: number[] = [];
  let rowBeforePrevious: number[] = [];
  let previousRowMin = 0;
  for (let row = 1; row <= a.length; row += 1) {
    // Only cells at most `max` from the diagonal can be within the limit.
    const start = Math.max(1, row - max);
    const end = Math.min(b.length, row + max);
    const letter = a.charCodeAt(row - 1);
    let rowMin = start === 1 && row <= max ? row : max + 1;
    currentRow[start - 1] = rowMin;
    for (let at = start; at <= end; at += 1) {
      let steps = previousRow[at - 1]! + (letter === b.charCodeAt(at - 1) ? 0 : 1);
      const isTransposition =
        row > 1 && at > 1 && letter === b.charCodeAt(at - 2) && a.charCodeAt(row - 2) === b.charCodeAt(at - 1);
      if (isTransposition) steps = Math.min(steps, rowBeforePrevious[at - 2]! + 1);
      steps = Math.min(steps, previousRow[at]! + 1, currentRow[at - 1]! + 1);
      currentRow[at] = steps;
      if (steps < rowMin) rowMin = steps;
    }
    currentRow[end + 1] = max + 1;
    // A transposition reads the row before the previous one, so both rows must exceed the limit.
    if (rowMin > max && previousRowMin > max) return max + 1;
    previousRowMin = rowMin;
    [previousRow, currentRow, rowBeforePrevious] = [currentRow, rowBeforePrevious, previousRow];
  }
  return Math.min(previousRow[b.length]!, max + 1);
}

/** Up to 3 words similar to a text, nearest first: one mistake from 3 letters, two from 6, or the text as a prefix. */
export function nearWords(text: string, words: readonly string[]): string[] {
  const foldedQuery = fold(text).trim();
  const max = foldedQuery.length < 3 ? 0 : foldedQuery.length < 6 ? 1 : 2;
  const distanceTo = (word: string) => {
    const distance = editDistance(foldedQuery, fold(word), max);
    const startsWithQuery = () => [fold(word), ...nameWords(word)].some((part) => part.startsWith(foldedQuery));
    return distance > max && foldedQuery.length >= 2 && startsWithQuery() ? max : distance;
  };
  return [...new Set(words)]
    .map((word) => ({ word, distance: distanceTo(word) }))
    .filter(({ distance }) => distance <= max)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ word }) => word);
}
