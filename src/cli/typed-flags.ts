import { namesRecentDays, parseDay } from '../model/moment.ts';

/** Words before a date, with their flag (`ballots depuis 2025`). */
const dayFlags = new Map([
  ['since', 'since'],
  ['depuis', 'since'],
  ['until', 'until'],
]);

const isDayWord = (word: string) => dayFlags.has(word) || /^--(?:since|until|as-of|depuis|jusqu\S*)$/.test(word);

const isDayText = (text: string) => parseDay(text, Date.now(), 'start') !== null;

/** The arguments with the words of a date joined: `--since mars 2025`, `le mois dernier`. */
export function joinDayWords([...words]: readonly string[]): string[] {
  for (let at = 1; at < words.length; at += 1) {
    const isDay = isDayWord(words[at - 1]!) ? isDayText : namesRecentDays;
    const phrases = [4, 3, 2].map((length) => words.slice(at, at + length));
    const days = phrases.find((each) => isDay(each.join(' '))) ?? [];
    if (days.length > 1) words.splice(at, days.length, days.join(' '));
  }
  return words;
}

/** The first words about days that are no value of a flag, with their flags: `depuis 2025`, `le mois dernier`. */
export function findDays(words: readonly string[]) {
  for (const [at, word] of words.entries()) {
    const [flag, next = ''] = [dayFlags.get(word), words[at + 1]];
    if (flag && isDayText(next)) return { at, length: 2, flags: [flag], text: next };
    const isValue = words[at - 1]?.startsWith('-');
    if (!isValue && namesRecentDays(word)) return { at, length: 1, flags: ['since', 'until'], text: word };
  }
  return null;
}
