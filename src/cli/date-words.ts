import { namesRecentDays, parseDay } from '../model/moment.ts';

/** Words before a date, with their flag (`ballots depuis 2025`). */
const dateWordFlags = new Map(Object.entries({ since: 'since', depuis: 'since', until: 'until' }));

const takesDate = (word: string) => dateWordFlags.has(word) || /^--(?:since|until|as-of|depuis|jusqu\S*)$/.test(word);

const isDate = (text: string) => parseDay(text, Date.now(), 'start') !== null;

/** Command and arguments, with each date of 2 to 4 words joined to one: `--since mars 2025`, `le mois dernier`. */
export function joinDateWords([...words]: readonly string[]): string[] {
  for (let at = 1; at < words.length; at += 1) {
    const isDatePhrase = takesDate(words[at - 1]!) ? isDate : namesRecentDays; // `mars 2025` alone may be a query
    const phrases = [4, 3, 2].map((length) => words.slice(at, at + length));
    const dateWords = phrases.find((each) => isDatePhrase(each.join(' '))) ?? [];
    if (dateWords.length > 1) words.splice(at, dateWords.length, dateWords.join(' '));
  }
  return words;
}

/** The first date without a flag (`depuis 2025`, `hier`): index `at`, `length` in words, flags, text; null if none. */
export function findDateWords(words: readonly string[]) {
  for (const [at, word] of words.entries()) {
    const flag = dateWordFlags.get(word);
    const nextWord = words[at + 1] ?? '';
    if (flag && isDate(nextWord)) return { at, length: 2, flags: [flag], text: nextWord };
    const isFlagValue = words[at - 1]?.startsWith('-');
    if (!isFlagValue && namesRecentDays(word)) return { at, length: 1, flags: ['since', 'until'], text: word };
  }
  return null;
}
