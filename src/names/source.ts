import { nameWords } from '../language/name.ts';
import { isStopWord } from '../language/stop-words.ts';
import { kindOf, recordRange } from '../model/kinds.ts';
import { longForms } from './acronyms.ts';
import type { Candidate } from './candidate.ts';
import { calledBy, candidatesAmong, candidatesOf, type NamedRecord } from './candidates.ts';
import type { NameDatabase, NamedKind } from './database.ts';
import {
  begunWith,
  isOfInitials,
  many,
  nearestFirst,
  recordsAt,
  recordsGuessed,
  recordsNear,
  wordsNear,
} from './index-reader.ts';
import { bestKnown } from './known.ts';
import { namesNotIndexed } from './name-index.ts';
import { nameKey } from './name-keys.ts';
import { formsOf, partyWords } from './party-name.ts';
import { addressedNames, plainNames } from './title.ts';
import type { TypedWord } from './within.ts';

/**
 * Who of a kind may be meant by a query, each list no shorter than what the rules of names find in all: by its words
 * (`named`), with slips (`near`), or by some of its words (`within`). Read from the index of names, or all names where
 * there is none.
 */
export type NameSource = {
  named(): Candidate[];
  near(): Candidate[];
  within(words: readonly TypedWord[]): Candidate[];
  /** The words of names that a folded word nearly is, the nearest first. */
  wordsNear(word: string): string[];
  /** True for a folded word that more have as a first name than as a word of their surname. */
  isFirstName(word: string): boolean;
};

/** Where the candidates for a query are read from. */
export function nameSource(db: NameDatabase, kind: NamedKind, query: string): NameSource {
  const unindexed = namesNotIndexed(db, kind);
  if (unindexed === null) {
    // A list of names asks a thousand times, and the mirror of an earlier program has no index until it is written to.
    const everyone = () => db.readOnce(`names of ${kind}`, () => candidatesOf(db, kind));
    const isFirstName = (word: string) => isMostlyFirst(everyone(), word);
    const allWords = () => [...new Set(everyone().flatMap(({ name }) => nameWords(name)))];
    return {
      named: everyone,
      near: everyone,
      within: everyone,
      wordsNear: (word) => nearestFirst(word, allWords()),
      isFirstName,
    };
  }
  const among = (ids: Iterable<number>, acronyms: Explained[]) =>
    candidatesAmong(db, kind, [...ids, ...acronyms.flatMap((each) => each.records), ...unindexed]).map(
      (candidate) => withAcronyms(candidate, acronyms),
    );
  const explained = (texts: string[]) => (kind === 'party' ? texts.map((text) => explainedAs(db, text)) : []);
  const readings = addressedNames(query.slice(0, longestQuery)).map(({ words }) => words.slice(0, mostWords));
  const plain = plainNames(query.slice(0, longestQuery));
  const asked = [...readings, ...plain].map((words) => words.join(''));
  return {
    named: () =>
      among(
        [
          ...readings.flatMap((words) => [
            ...recordsNamed(db, kind, words),
            ...(kind === 'party' ? partiesCalled(db, words) : []),
          ]),
          ...plain.flatMap((words) => recordsWithAll(db, words)),
        ],
        explained(asked),
      ),
    near: () =>
      among(
        readings.flatMap((words) => [...recordsGuessed(db, words), ...recordsNear(db, words)]),
        [],
      ),
    within: (words) =>
      among(recordsWithin(db, kind, words), explained(words.map(({ parts }) => parts.join('')))),
    wordsNear: (word) => nearestFirst(word, wordsNear(db, word)),
    isFirstName: (word) => isIndexedMostlyFirst(db, word),
  };
}

function isMostlyFirst(people: Candidate[], word: string): boolean {
  const bearers = people.filter(({ name }) => nameWords(name).includes(word));
  return bearers.filter(({ surname }) => !surname?.includes(word)).length * 2 > bearers.length;
}

function isIndexedMostlyFirst(db: NameDatabase, word: string): boolean {
  const count = db.column<number>('SELECT count(*) FROM (SELECT 1 FROM name_index WHERE key = ? LIMIT ?)');
  const [bearers, surnames] = [nameKey.word(word), nameKey.surname(word)].map((key) => count.get(key, many)!);
  return surnames! * 2 < bearers!;
}

/** What texts explain an acronym as: the joined words of its long forms, and the records of that name. */
type Explained = { short: string; names: Set<string>; records: number[] };

const longestAcronym = 10;
const articles = ['', 'la', 'le', 'les', 'l'];

function explainedAs(db: NameDatabase, short: string): Explained {
  if (short.length < 2 || short.length > longestAcronym || isStopWord(short))
    return { short, names: new Set(), records: [] };
  const longs = longForms(db, short).map(({ long }) => long.replaceAll(' ', ''));
  const names = longs.flatMap((long) => articles.map((article) => article + long));
  return {
    short,
    names: new Set(names),
    records: names.flatMap((name) => recordsAt(db, nameKey.word(name))),
  };
}

function withAcronyms(candidate: NamedRecord, explained: Explained[]): Candidate {
  if (explained.every(({ names }) => names.size === 0)) return candidate;
  const name = nameWords(candidate.name).join('');
  const acronyms = explained.filter(({ names }) => names.has(name)).map(({ short }) => short);
  return calledBy(candidate, acronyms);
}

const [longestQuery, mostWords] = [500, 16];

/** Of those who share one word that is all that was asked for, as many as may be among the first that are shown. */
const mostOfMany = 100;

/**
 * Whole names and short names; and names with every word as a word or a beginning. A given name alone names very many: only
 * those of that surname and the best known of the others come before all the rest.
 */
function recordsNamed(db: NameDatabase, kind: NamedKind, words: string[]): number[] {
  const joined = words.join('');
  if (joined === '') return [];
  const { first, last } = recordRange(kindOf(kind));
  const at = (key: string) => recordsAt(db, key).filter((id) => id >= first && id <= last);
  const whole = words.length === 1 ? at(nameKey.word(joined)) : [];
  if (whole.length >= many) {
    const surnames = at(nameKey.surname(joined));
    return [
      ...recordsAt(db, nameKey.short(joined)),
      ...(surnames.length < many ? surnames : bestKnown(db, kind, { ids: surnames, most: mostOfMany })),
      ...bestKnown(db, kind, { ids: whole, most: mostOfMany }),
    ];
  }
  const turned = words.map((_, at) => [...words.slice(at), ...words.slice(0, at)].join(''));
  const keys = [...turned.map(nameKey.word), nameKey.short(joined)];
  return [...keys.flatMap((key) => recordsAt(db, key)), ...recordsBegunBy(db, words)];
}

/** The records with each of some words as a word, or with all of them as a short name. */
function recordsWithAll(db: NameDatabase, words: string[]): number[] {
  const find = db.column<number>('SELECT record FROM name_index WHERE key = ? LIMIT ?');
  const lists = words.map((word) => find.all(nameKey.word(word), many));
  return [...recordsAt(db, nameKey.short(words.join(''))), ...inAll(lists)];
}

/** The parties with any form of the first telling word of those; the others are compared by who reads them. */
function partiesCalled(db: NameDatabase, words: string[]): number[] {
  const [word] = partyWords(words);
  if (word === undefined) return [];
  const { first, last } = recordRange(kindOf('party'));
  const find = db.column<number>(
    'SELECT record FROM name_index WHERE key = ? AND record BETWEEN ? AND ? LIMIT ?',
  );
  return formsOf(word).flatMap((form) => find.all(nameKey.word(form), first, last, many));
}

/** The records with a word that begins with each of those; words of very many names are left to who compares them. */
function recordsBegunBy(db: NameDatabase, words: string[]): number[] {
  const lists = words.map((word) => begunBy(db, word, { isAlone: words.length === 1, limit: many }));
  if (lists.some(tells)) return inAll(lists);
  const longest = words.toSorted((a, b) => b.length - a.length)[0]!;
  return begunBy(db, longest, { isAlone: words.length === 1, limit: -1 });
}

function tells({ length }: readonly number[]): boolean {
  return length < many;
}

/** What stands in all of some lists that tell something; none where none of them does. */
function inAll(lists: readonly number[][]): number[] {
  const [fewest = [], ...others] = lists.filter(tells).sort((a, b) => a.length - b.length);
  const sets = others.map((list) => new Set(list));
  return fewest.filter((id) => sets.every((set) => set.has(id)));
}

function begunBy(
  db: NameDatabase,
  word: string,
  { isAlone, limit }: { isAlone: boolean; limit: number },
): number[] {
  const from = (key: string) => begunWith(db, key, limit);
  const areInitials = !isAlone && isOfInitials(word);
  return [...new Set([...from(nameKey.word(word)), ...(areInitials ? from(nameKey.initials(word)) : [])])];
}

/** The records of which a word, or some that follow each other, may be the surname, the short name or, of a party, the name. */
function recordsWithin(db: NameDatabase, kind: NamedKind, words: readonly TypedWord[]): number[] {
  const parts = words.flatMap((word) => word.parts);
  // Vos is a surname, vos is not.
  const telling = words.flatMap(({ text, parts }) =>
    /^\p{Lu}/u.test(text) ? parts : parts.filter((part) => !isStopWord(part)),
  );
  const key = kind === 'politician' ? nameKey.surname : nameKey.word;
  const runs = parts.flatMap((_, at) => [1, 2, 3].map((length) => parts.slice(at, at + length).join('')));
  return [...new Set([...telling.map(key), ...runs.map(nameKey.short)])].flatMap((each) =>
    recordsAt(db, each),
  );
}
