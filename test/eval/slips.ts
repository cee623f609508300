import type { Random } from '../helpers/random.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** A word with one slip of a hand in it, behind its first letter: a letter dropped, doubled, swapped with the next or changed. */
export function slipIn(word: string, random: Random): string {
  const at = 1 + random.integer(Math.max(1, word.length - 2));
  const before = word.slice(0, at);
  const letter = word[at] ?? '';
  const after = word.slice(at + 1);
  const slipped = [
    before + after,
    before + letter + letter + after,
    before + (after[0] ?? '') + letter + after.slice(1),
    before + random.pick([...letters]) + after,
  ][random.integer(4)]!;
  return slipped === word ? before + after : slipped;
}
