import { fold } from './fold.ts';
import words from './stop-words.json' with { type: 'json' };

const wordSet = (lines: readonly string[]) => new Set(lines.flatMap((line) => line.split(' ')));

/** French stop words, folded; dropped only where a search accepts any of several words. */
const stopWords = wordSet(words.stop);

/** True for a folded stop word. */
export const isStopWord = (word: string): boolean => stopWords.has(word);

const askingWords = wordSet(words.asking);

/** True for a word, as written, that carries no information about the subject of a question. */
export function isAskingWord(written: string): boolean {
  const word = fold(written);
  return isStopWord(word) || askingWords.has(word);
}
