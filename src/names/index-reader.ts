import { byCodeUnit } from '../language/fold.ts';
import { editDistance } from '../language/near-miss.ts';
import { isStopWord } from '../language/stop-words.ts';
import type { NameDatabase } from './database.ts';
import { nameKey, slipKeys } from './name-keys.ts';
import { forgiven, leastLong, leastOfLong, leastSure, nearness } from './nearness.ts';

/** A word with as many names as that tells too little to be worth reading them all, where others tell more. */
export const many = 500;

/** The records that the index of names holds under a key. */
export function recordsAt(db: NameDatabase, key: string): number[] {
  return db.column<number>('SELECT record FROM name_index WHERE key = ?').all(key);
}

/** Those that it holds under any key that begins so, `limit` at most. */
export function begunWith(db: NameDatabase, key: string, limit: number): number[] {
  return db
    .column<number>('SELECT DISTINCT record FROM name_index WHERE key >= ? AND key < ? LIMIT ?')
    .all(key, `${key}\u{10ffff}`, limit);
}

/** True for a word that may be the first letters of a few. */
export function isOfInitials({ length }: string): boolean {
  return length === 2 || length === 3;
}

/** Longer short names, and initials. */
export function recordsGuessed(db: NameDatabase, words: string[]): number[] {
  const joined = words.join('');
  return [nameKey.short(joined), nameKey.initials(joined)].flatMap((key) => recordsAt(db, key));
}

/** The records that most words of a query, or all of it, are nearly words of. */
export function recordsNear(db: NameDatabase, words: string[]): number[] {
  const hits = new Map<number, number>();
  const count = (ids: Iterable<number>, by: number) => {
    for (const id of new Set(ids)) hits.set(id, (hits.get(id) ?? 0) + by);
  };
  for (const word of new Set(words)) {
    const areInitials = words.length > 1 && isOfInitials(word) && !isStopWord(word);
    count([...recordsNearWord(db, word), ...(areInitials ? recordsOfInitials(db, word) : [])], 1);
  }
  if (words.length > 1) count(recordsNearWord(db, words.join('')), words.length);
  const most = Math.max(0, ...hits.values());
  return [...hits].filter(([, each]) => each === most).map(([id]) => id);
}

/** Whose first letters those are; none where they are of very many. */
function recordsOfInitials(db: NameDatabase, letters: string): number[] {
  const found = begunWith(db, nameKey.initials(letters), many);
  return found.length < many ? found : [];
}

function recordsNearWord(db: NameDatabase, word: string): number[] {
  if (word.length < leastSure) return [];
  return [...new Set([word, ...wordsNear(db, word)])].flatMap((each) => recordsAt(db, nameKey.word(each)));
}

/** The words of names that are nearly one: a slip leaves its beginning or its end as it is, or it sounds alike. */
export function wordsNear(db: NameDatabase, word: string): string[] {
  const keys = slipKeys(word);
  if (keys === null) return [];
  const alike = db.column<string>('SELECT word FROM name_word WHERE sound = ?').all(keys.sound);
  const slips = forgiven(word);
  if (slips === 0) return /\d/.test(word) ? [] : alike;
  const kept = slips < 2 ? Math.floor((word.length - 1) / 2) : Math.floor(word.length / 3);
  const among = (
    column: 'word' | 'reversed',
    beginning: string,
    [shortest, longest] = [word.length - slips, word.length + slips],
  ) =>
    db
      .column<string>(
        `SELECT word FROM name_word WHERE ${column} >= ? AND ${column} < ? AND length(word) BETWEEN ? AND ?`,
      )
      .all(beginning, `${beginning}\u{10ffff}`, shortest, longest);
  const begunOrEnded = [
    ...among('word', word.slice(0, kept)),
    ...among('reversed', keys.reversed.slice(0, kept)),
  ];
  const near = begunOrEnded.filter((each) => editDistance(word, each, slips) <= slips);
  if (word.length >= leastOfLong && (slips < 2 || near.length + alike.length === 0)) {
    // Two slips that leave the first letter alone may be anywhere behind it.
    const long = among('word', word[0]!, [Math.max(leastLong, word.length - 2), word.length + 2]);
    near.push(...long.filter((each) => editDistance(word, each, 2) <= 2));
  }
  return [...near, ...alike];
}

/** Words that one nearly is, each once and the nearest first. */
export function nearestFirst(word: string, near: readonly string[]): string[] {
  return [...new Set(near)]
    .map((each) => ({ each, near: nearness([word], [each]) }))
    .filter(({ near }) => near !== null)
    .sort((a, b) => a.near!.slips - b.near!.slips || byCodeUnit(a.each, b.each))
    .map(({ each }) => each);
}
