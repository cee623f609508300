import { nameWords } from '../language/name.ts';
import { editDistance } from '../language/near-miss.ts';
import { isStopWord } from '../language/stop-words.ts';
import { idBounds, kindOf } from '../model/kinds.ts';
import { longForms } from './acronyms.ts';
import { allCandidates, type Candidate, candidatesAmong } from './candidate.ts';
import type { NameDatabase, NamedKind } from './database.ts';
import { nameKey, namesNotIndexed, slipKeys } from './name-index.ts';
import { forgiven, leastLong, leastOfLong, leastSure } from './nearness.ts';
import { partyWords, wordForms } from './party-name.ts';
import { mostReferencedIds } from './reference-counts.ts';
import { addressedNames } from './title.ts';
import type { TypedWord } from './within.ts';

/** Longest query in UTF-16 units, and most words of each of its readings. */
const longestQuery = 500;
const mostWords = 16;

/** A word in at least this many names is unselective: other words narrow the candidates down. */
const many = 500;

/** Most candidates read among those that share one unselective word; more than are ever shown. */
const mostOfMany = 100;

/** Returns the source of candidates for a query: the index, or all names without a readable index. */
export function nameSource(db: NameDatabase, kind: NamedKind, query: string) {
  // Candidates match all words, with misspellings (`near`), or some words (`within`).
  const unindexed = namesNotIndexed(db, kind);
  if (unindexed === null) return sourceOfAll(db, kind);
  const index = { db, kind };
  const wordsOf = ({ words }: { words: string[] }) => words.slice(0, mostWords);
  const text = query.slice(0, longestQuery);
  const addressed = addressedNames(text).map(wordsOf);
  const among = (ids: Iterable<number>, shorts: string[] = []) => {
    const explained = kind === 'party' ? shorts.map((short) => explainedAs(index, short)) : [];
    const all = [...ids, ...explained.flatMap(({ records }) => records), ...unindexed];
    return candidatesAmong(db, kind, all).map((candidate) => withAcronyms(candidate, explained));
  };
  // A slug may differ from the words of the name.
  const bySlug = db.column<number>('SELECT id FROM record WHERE kind = ? AND key = ?');
  return {
    byAllWords: () =>
      among(
        [...bySlug.all(kind, query.trim()), ...addressed.flatMap((words) => recordsByName(index, words))],
        addressed.map((words) => words.join('')),
      ),
    near: () => among(addressed.flatMap((words) => recordsNear(index, words))),
    within: (words: readonly TypedWord[]) =>
      among(
        recordsWithin(index, words),
        words.map(({ parts }) => parts.join('')),
      ),
    /** True for a folded word that is more often a first name than part of a surname. */
    isFirstName(word: string) {
      if (isStopWord(word)) return false;
      const surnames = recordsAt(index, [nameKey.surname(word)], many);
      return surnames.length * 2 < recordsAt(index, [nameKey.word(word)], many).length;
    },
  };
}

/** All names, cached; a mirror of an earlier version has no index until its next write. */
function sourceOfAll(db: NameDatabase, kind: NamedKind) {
  const all = (): Candidate[] => db.readOnce(`names of ${kind}`, () => allCandidates(db, kind));
  return { byAllWords: all, near: all, within: all, isFirstName: () => false };
}

type Index = { db: NameDatabase; kind: NamedKind };

function recordsAt({ db, kind }: Index, keys: readonly string[], limit = -1): number[] {
  const sql = `SELECT record FROM name_index WHERE key IN (SELECT value FROM json_each(?))
    AND record BETWEEN ? AND ? LIMIT ?`;
  return db.column<number>(sql).all(JSON.stringify(keys), ...idBounds(kindOf(kind)), limit);
}

function recordsFrom({ db }: Index, key: string, limit: number): number[] {
  const sql = 'SELECT DISTINCT record FROM name_index WHERE key >= ? AND key < ? LIMIT ?';
  return db.column<number>(sql).all(key, `${key}\u{10ffff}`, limit);
}

/** Records by whole and short name, by prefixes of every word and, for parties, by forms of the identifying word. */
function recordsByName(index: Index, words: string[]): number[] {
  const joined = words.join('');
  const [identifyingWord] = partyWords(words);
  if (joined === '') return [];
  const shorts = recordsAt(index, [nameKey.short(joined)]);
  const whole = words.length === 1 ? recordsAt(index, [nameKey.word(joined)]) : [];
  // For an unselective word, only records with that surname and the most referenced others are read.
  if (whole.length >= many) {
    const best = (ids: number[]) => mostReferencedIds(index.db, index.kind, { ids, most: mostOfMany });
    const surnames = recordsAt(index, [nameKey.surname(joined)]);
    return [...shorts, ...(surnames.length < many ? surnames : best(surnames)), ...best(whole)];
  }
  const turned = words.map((_, at) => [...words.slice(at), ...words.slice(0, at)].join(''));
  const initials = index.kind === 'party' ? recordsFrom(index, nameKey.initials(joined), many) : [];
  const forms = index.kind === 'party' && identifyingWord !== undefined ? wordForms(identifyingWord) : [];
  return [
    ...shorts,
    ...recordsAt(index, turned.map(nameKey.word)),
    ...recordsBegunBy(index, words),
    ...initials,
    ...recordsAt(index, forms.map(nameKey.word), many),
  ];
}

/** Records in which every word is a prefix; only selective words are checked here, the others by the rules. */
function recordsBegunBy(index: Index, words: string[]): number[] {
  const begunBy = (word: string, limit: number) => [
    ...recordsFrom(index, nameKey.word(word), limit),
    ...(words.length > 1 && isOfInitials(word) ? recordsFrom(index, nameKey.initials(word), limit) : []),
  ];
  const selectiveIds = words.map((word) => begunBy(word, many)).filter(({ length }) => length < many);
  const [fewest, ...otherSets] = selectiveIds.sort((a, b) => a.length - b.length).map((list) => new Set(list));
  if (fewest === undefined) return begunBy(words.toSorted((a, b) => b.length - a.length)[0]!, -1);
  return [...fewest].filter((id) => otherSets.every((set) => set.has(id)));
}

const isOfInitials = ({ length }: string): boolean => length === 2 || length === 3;

/** Records with a longer short name, with these initials, or with words similar to most or all of the query. */
function recordsNear(index: Index, words: string[]): number[] {
  const hits = new Map<number, number>();
  const count = (ids: Iterable<number>, by: number) => {
    for (const id of new Set(ids)) hits.set(id, (hits.get(id) ?? 0) + by);
  };
  const ofWord = (word: string) => {
    const near = word.length < leastSure ? [] : [word, ...wordsNear(index.db, word)];
    return recordsAt(index, near.map(nameKey.word));
  };
  for (const word of new Set(words)) {
    const areInitials = words.length > 1 && isOfInitials(word) && !isStopWord(word);
    const recordsByInitials = areInitials ? recordsFrom(index, nameKey.initials(word), many) : [];
    count([...ofWord(word), ...(recordsByInitials.length < many ? recordsByInitials : [])], 1);
  }
  const joined = words.join('');
  if (words.length > 1) count(ofWord(joined), words.length);
  const most = Math.max(0, ...hits.values());
  return [
    ...recordsAt(index, [nameKey.short(joined), nameKey.initials(joined)]),
    ...[...hits].filter(([, each]) => each === most).map(([id]) => id),
  ];
}

/** Words of names similar to a word: a misspelling keeps the prefix or the suffix, or sounds alike. */
function wordsNear(db: NameDatabase, word: string): string[] {
  const keys = slipKeys(word);
  if (keys === null) return [];
  const alike = db.column<string>('SELECT word FROM name_word WHERE sound = ?').all(keys.sound);
  const slips = forgiven(word);
  if (slips === 0) return /\d/.test(word) ? [] : alike;
  const prefixLength = slips < 2 ? Math.floor((word.length - 1) / 2) : Math.floor(word.length / 3);
  const among = (column: 'word' | 'reversed', beginning: string, most: number) =>
    db
      .column<string>(
        `SELECT word FROM name_word WHERE ${column} >= ? AND ${column} < ? AND length(word) BETWEEN ? AND ?`,
      )
      .all(beginning, `${beginning}\u{10ffff}`, word.length - most, word.length + most)
      .filter((each) => editDistance(word, each, most) <= most);
  const near = [
    ...among('word', word.slice(0, prefixLength), slips),
    ...among('reversed', keys.reversed.slice(0, prefixLength), slips),
  ];
  // Two mistakes after the first letter may be anywhere, so neither half is intact.
  const isLong = word.length >= leastOfLong && (slips < 2 || near.length + alike.length === 0);
  const long = isLong ? among('word', word[0]!, 2).filter(({ length }) => length >= leastLong) : [];
  return [...near, ...long, ...alike];
}

const longestAcronym = 10;
const articles = ['', 'la', 'le', 'les', 'l'];

/** An acronym, its long forms from texts as joined words, and the records with such a name. */
function explainedAs(index: Index, short: string) {
  const mayBe = short.length > 1 && short.length <= longestAcronym && !isStopWord(short);
  const longs = mayBe ? longForms(index.db, short) : [];
  const names = longs.flatMap((long) => articles.map((article) => article + long.replaceAll(' ', '')));
  return {
    short,
    names: new Set(names),
    records: recordsAt(index, names.map(nameKey.word)),
  };
}

function withAcronyms(candidate: Candidate, explained: ReturnType<typeof explainedAs>[]): Candidate {
  const name = nameWords(candidate.name).join('');
  const acronyms = explained.filter(({ names }) => names.has(name)).map(({ short }) => short);
  return acronyms.length === 0 ? candidate : { ...candidate, acronyms };
}

/** Records whose surname, short name or, for a party, name may be one word or several consecutive words. */
function recordsWithin(index: Index, words: readonly TypedWord[]): number[] {
  const parts = words.flatMap((word) => word.parts);
  // Capitalised, Vos is a surname; in lower case it is a stop word.
  const contentParts = words.flatMap(({ text, parts }) =>
    /^\p{Lu}/u.test(text) ? parts : parts.filter((part) => !isStopWord(part)),
  );
  const key = index.kind === 'politician' ? nameKey.surname : nameKey.word;
  const runs = parts.flatMap((_, at) => [1, 2, 3].map((length) => parts.slice(at, at + length).join('')));
  const keys = new Set([...contentParts.map(key), ...runs.map(nameKey.short)]);
  return recordsAt(index, [...keys]);
}
