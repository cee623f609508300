import { nameTokens, nameWords } from '../language/name.ts';
import { soundKey } from '../language/sound.ts';
import { initialsOf } from './initials.ts';

/** The version of the rules below and of those they use: an index that was made by others is made anew. */
export const nameRules = 6;

/** Under what the index of names holds a record, told by the first letter. */
export const nameKey = {
  /** A part of a name, what parts make when joined, or all of it. */
  word: (text: string) => `w${text}`,
  /** A word of a surname. */
  surname: (text: string) => `n${text}`,
  initials: (text: string) => `i${text}`,
  /** A short name, or the first word of one. */
  short: (text: string) => `s${text}`,
};

/** What a record is called: the names that it bears or bore, its short names and its surname. */
export type Names = { names: readonly string[]; shortNames: readonly string[]; surname: string | undefined };

/** Returns the keys under which the index of names holds a record. */
export function nameKeys({ names, shortNames, surname }: Names): string[] {
  const keys = new Set<string>();
  if (surname) keys.add(nameKey.word(surname)).add(nameKey.surname(surname));
  for (const name of names) {
    const parts = nameWords(name);
    for (const letters of initialsOf(parts)) keys.add(nameKey.initials(letters));
    for (const token of wordsOf(name)) {
      keys.add(nameKey.word(token));
      if (surname?.includes(token)) keys.add(nameKey.surname(token));
    }
  }
  for (const shortName of shortNames) {
    const parts = nameWords(shortName);
    for (const text of [parts.join(''), parts[0] ?? '']) if (text !== '') keys.add(nameKey.short(text));
  }
  return [...keys];
}

/** Returns every word under which a name can be looked for: its tokens, and all of it joined. */
export function wordsOf(name: string): string[] {
  const whole = nameWords(name).join('');
  return [...new Set([...nameTokens(name), ...(whole === '' ? [] : [whole])])];
}

/** How a word is found that is written with a slip: from its beginning, from its end, by its sound; null for a short one. */
export function slipKeys(word: string): { word: string; reversed: string; sound: string } | null {
  return word.length < 4 ? null : { word, reversed: [...word].reverse().join(''), sound: soundKey(word) };
}
