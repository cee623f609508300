import { editDistance } from '../language/near-miss.ts';
import { isStopWord } from '../language/stop-words.ts';
import { idBounds, kindOf } from '../model/kinds.ts';
import { longForms } from './acronyms.ts';
import { allCandidates, type Candidate, candidatesAmong } from './candidate.ts';
import type { NameDatabase, NamedKind } from './database.ts';
import { misspellingKeys, nameKey, unindexedRecordIds } from './name-index.ts';
import type { TypedWord } from './names-in-text.ts';
import { allowedMistakes, minLengthBesideExact } from './nearness.ts';
import { partyWords, wordForms } from './party-name.ts';
import { mostReferencedIds } from './reference-counts.ts';
import { nameReadings } from './title.ts';

/** A longer query is cut to this number of UTF-16 units, and its readings to `maxWords` words. */
const maxQueryLength = 500;
const maxWords = 16;

/** A word in at least this many names is unselective: other words restrict the candidates. */
const unselectiveCount = 500;

/** Most candidates read for a query of one unselective word. */
const maxCandidates = 100;

/** Returns readers of a query's candidates, and `isFirstName`; without a usable index, the readers return all. */
export function nameSource(db: NameDatabase, kind: NamedKind, query: string) {
  const unindexed = unindexedRecordIds(db, kind);
  if (unindexed === null) {
    // There is no index: a mirror of an earlier version has none until its next write.
    const all = () => db.readOnce(`names of ${kind}`, () => allCandidates(db, kind));
    return { byAllWords: all, bySimilarWords: all, bySomeWords: all, isFirstName: () => false };
  }
  const index = { db, kind };
  const readings = nameReadings(query.slice(0, maxQueryLength)).map(({ words }) => words.slice(0, maxWords));
  const readCandidates = (ids: Iterable<number>, acronyms: string[] = []) => {
    const meanings = kind === 'party' ? acronyms.map((short) => readAcronymMeaning(index, short)) : [];
    const all = [...ids, ...meanings.flatMap(({ namedIds }) => namedIds), ...unindexed];
    return candidatesAmong(db, kind, all).map((candidate) => addAcronyms(candidate, meanings));
  };
  const bySlug = db.column<number>('SELECT id FROM record WHERE kind = ? AND key = ?');
  return {
    /** Candidates whose names may contain all words of `query`, or whose key it is. */
    byAllWords: () =>
      readCandidates(
        [...bySlug.all(kind, query.trim()), ...readings.flatMap((words) => idsByName(index, words))],
        readings.map((words) => words.join('')),
      ),
    /** Candidates with the most words similar to those of `query`, or short for it. */
    bySimilarWords: () => readCandidates(readings.flatMap((words) => idsBySimilarWords(index, words))),
    /** Candidates named by some of the words of a text, which need not be `query`. */
    bySomeWords: (words: readonly TypedWord[]) =>
      readCandidates(
        idsBySomeWords(index, words),
        words.map(({ parts }) => parts.join('')),
      ),
    /** True for a folded word that is more often a first name than part of a surname. */
    isFirstName(word: string) {
      if (isStopWord(word)) return false;
      const surnameIds = idsByKeys(index, [nameKey.surname(word)], unselectiveCount);
      return surnameIds.length * 2 < idsByKeys(index, [nameKey.word(word)], unselectiveCount).length;
    },
  };
}

type Index = { db: NameDatabase; kind: NamedKind };

function idsByKeys({ db, kind }: Index, keys: readonly string[], limit = -1): number[] {
  if (keys.length === 0) return [];
  // A list of parameters is read three times as fast as JSON.
  const sql = `SELECT record FROM name_index WHERE key IN (${keys.map(() => '?').join()})
    AND record BETWEEN ? AND ? LIMIT ?`;
  return db.column<number>(sql).all(...keys, ...idBounds(kindOf(kind)), limit);
}

function idsByKeyPrefix({ db }: Index, key: string, limit: number): number[] {
  const sql = 'SELECT DISTINCT record FROM name_index WHERE key >= ? AND key < ? LIMIT ?';
  return db.column<number>(sql).all(key, `${key}\u{10ffff}`, limit);
}

/** Ids by whole and short name, by prefixes of every word and, for parties, by forms of the identifying word. */
function idsByName(index: Index, words: string[]): number[] {
  const joined = words.join('');
  if (joined === '') return [];
  // The index has whole names in one order, so try each rotation of the words.
  const rotations = words.map((_, at) => [...words.slice(at), ...words.slice(0, at)].join(''));
  const shortKey = nameKey.short(joined);
  const wholeNameIds = idsByKeys(index, [shortKey, ...rotations.map(nameKey.word)]);
  // A single unselective word: all records with it as short name, those with it as surname (if that is unselective too,
  // the most referenced), and the most referenced of all with it in their names.
  if (words.length === 1 && wholeNameIds.length >= unselectiveCount) {
    const mostReferenced = (ids: number[]) => mostReferencedIds(index.db, index.kind, { ids, maxIds: maxCandidates });
    const surnameIds = idsByKeys(index, [nameKey.surname(joined)]);
    const idsByShortName = idsByKeys(index, [shortKey]);
    const idsBySurname = surnameIds.length < unselectiveCount ? surnameIds : mostReferenced(surnameIds);
    return [...idsByShortName, ...idsBySurname, ...mostReferenced(wholeNameIds)];
  }
  const idsByWords = [...wholeNameIds, ...idsByPrefixes(index, words)];
  if (index.kind !== 'party') return idsByWords;
  // The first of `partyWords` identifies a party; its forms are singular, plural and genders.
  const [identifyingWord] = partyWords(words);
  const forms = identifyingWord === undefined ? [] : wordForms(identifyingWord);
  const idsByInitials = idsByKeyPrefix(index, nameKey.initials(joined), unselectiveCount);
  return [...idsByWords, ...idsByInitials, ...idsByKeys(index, forms.map(nameKey.word), unselectiveCount)];
}

/** Ids of records whose names have each selective word as a prefix; matching candidates checks the other words. */
function idsByPrefixes(index: Index, words: string[]): number[] {
  const idsByPrefix = (word: string, limit: number) => [
    ...idsByKeyPrefix(index, nameKey.word(word), limit),
    ...(words.length > 1 && hasLengthOfInitials(word) ? idsByKeyPrefix(index, nameKey.initials(word), limit) : []),
  ];
  const selectiveIds = words
    .map((word) => idsByPrefix(word, unselectiveCount))
    .filter(({ length }) => length < unselectiveCount);
  const [fewest, ...otherSets] = selectiveIds.sort((a, b) => a.length - b.length).map((list) => new Set(list));
  // If all words are unselective, search the longest one without a limit.
  if (fewest === undefined) return idsByPrefix(words.toSorted((a, b) => b.length - a.length)[0]!, -1);
  return [...fewest].filter((id) => otherSets.every((set) => set.has(id)));
}

const hasLengthOfInitials = ({ length }: string): boolean => length === 2 || length === 3;

/** Ids of records whose short name or initials equal the joined words, and of those with the most similar words. */
function idsBySimilarWords(index: Index, words: string[]): number[] {
  const similarWordCounts = new Map<number, number>();
  const count = (ids: Iterable<number>, increment: number) => {
    for (const id of new Set(ids)) similarWordCounts.set(id, (similarWordCounts.get(id) ?? 0) + increment);
  };
  const idsOfWord = (word: string) => {
    const similar = word.length < minLengthBesideExact ? [] : [word, ...similarWords(index.db, word)];
    return idsByKeys(index, similar.map(nameKey.word));
  };
  for (const word of new Set(words)) {
    const areInitials = words.length > 1 && hasLengthOfInitials(word) && !isStopWord(word);
    const idsByInitials = areInitials ? idsByKeyPrefix(index, nameKey.initials(word), unselectiveCount) : [];
    count([...idsOfWord(word), ...(idsByInitials.length < unselectiveCount ? idsByInitials : [])], 1);
  }
  const joined = words.join('');
  if (words.length > 1) count(idsOfWord(joined), words.length); // counts as all words
  const maxCount = Math.max(0, ...similarWordCounts.values());
  return [
    ...idsByKeys(index, [nameKey.short(joined), nameKey.initials(joined)]),
    ...[...similarWordCounts].filter(([, each]) => each === maxCount).map(([id]) => id),
  ];
}

/** Indexed words similar to a word: few mistakes and the same prefix or suffix, or the same sound. */
function similarWords(db: NameDatabase, word: string): string[] {
  const keys = misspellingKeys(word);
  if (keys === null) return [];
  const soundAlike = db.column<string>('SELECT word FROM name_word WHERE sound = ?').all(keys.sound);
  const maxMistakes = allowedMistakes(word);
  if (maxMistakes === 0) return /\d/.test(word) ? [] : soundAlike;
  const prefixLength = maxMistakes < 2 ? Math.floor((word.length - 1) / 2) : Math.floor(word.length / 3);
  const similarBy = (column: 'word' | 'reversed', beginning: string) =>
    db
      .column<string>(
        `SELECT word FROM name_word WHERE ${column} >= ? AND ${column} < ? AND length(word) BETWEEN ? AND ?`,
      )
      .all(beginning, `${beginning}\u{10ffff}`, word.length - maxMistakes, word.length + maxMistakes)
      .filter((each) => editDistance(word, each, maxMistakes) <= maxMistakes);
  const samePrefix = similarBy('word', word.slice(0, prefixLength));
  return [...samePrefix, ...similarBy('reversed', keys.reversed.slice(0, prefixLength)), ...soundAlike];
}

const longestAcronym = 10;
const articles = ['', 'la', 'le', 'les', 'l'];

/** An acronym, its long forms from texts, without spaces and with any article, and ids of records so named. */
function readAcronymMeaning(index: Index, short: string) {
  const isCandidate = short.length > 1 && short.length <= longestAcronym && !isStopWord(short);
  const longNames = isCandidate ? longForms(index.db, short).map(({ long }) => long) : [];
  const names = longNames.flatMap((long) => articles.map((article) => article + long.replaceAll(' ', '')));
  return { short, names: new Set(names), namedIds: idsByKeys(index, names.map(nameKey.word)) };
}

/** The candidate with the acronyms of which its name is a long form. */
function addAcronyms(candidate: Candidate, meanings: ReturnType<typeof readAcronymMeaning>[]): Candidate {
  const name = candidate.parsedName.parts.join('');
  const acronyms = meanings.filter(({ names }) => names.has(name)).map(({ short }) => short);
  return acronyms.length === 0 ? candidate : { ...candidate, acronyms };
}

/** Ids of records with a word as surname (party: as any word), or one to three consecutive words as short name. */
function idsBySomeWords(index: Index, words: readonly TypedWord[]): number[] {
  const parts = words.flatMap((word) => word.parts);
  // Keep stop words that are capitalised: they may be surnames (Vos).
  const contentParts = words.flatMap(({ text, parts }) =>
    /^\p{Lu}/u.test(text) ? parts : parts.filter((part) => !isStopWord(part)),
  );
  const key = index.kind === 'politician' ? nameKey.surname : nameKey.word;
  const runs = parts.flatMap((_, at) => [1, 2, 3].map((length) => parts.slice(at, at + length).join('')));
  const keys = new Set([...contentParts.map(key), ...runs.map(nameKey.short)]);
  return idsByKeys(index, [...keys]);
}
