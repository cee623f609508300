import { nameWords } from '../language/name.ts';
import { once } from '../language/once.ts';
import { partiesOf } from '../model/affiliation.ts';
import { type Document, textOf } from '../model/document.ts';
import { kindOf } from '../model/kinds.ts';
import { isRelative, parseDayRange } from '../model/moment.ts';
import { type NameDatabase, type NamedKind, namedKinds, readRecord } from './database.ts';
import { placeName } from './department.ts';
import { candidatesIn, resolveSlug } from './lookup.ts';
import type { RankedName } from './names-in-text.ts';
import { findByShortName } from './rules.ts';
import { searchNames } from './search.ts';
import { nameSource } from './source.ts';
import { bareName, isTitle } from './title.ts';

/** Optional facts that a list gives beside a name. */
export type DeclaredFacts = {
  /** Slug, name or short name of a party or group. */
  party?: string | undefined;
  /** Name or code. */
  department?: string | undefined;
  /** Number of the constituency in its department, among other words. */
  constituency?: string | undefined;
  /** Day, month or year of birth: 1971, 1971-01, 16/01/1971. */
  born?: string | undefined;
  /** Day, month or year to which `party` applies. */
  date?: string | undefined;
};

/** The facts that are compared; the date only selects the party of that time. */
export const comparedFacts = ['party', 'department', 'constituency', 'born'] as const;

const recordFields = { department: 'department', constituency: 'constituency_number', born: 'birth_date' } as const;
export type ComparedFact = (typeof comparedFacts)[number];

/** A name from an external list, with the facts that the list gives. */
export type NameQuery = {
  name: string;
  kinds?: readonly NamedKind[] | undefined;
  /** True if an exact day of birth that only one namesake has selects that namesake. */
  birthDecides?: boolean | undefined;
} & DeclaredFacts;

/** A possible match with a `score` of 0 to 100; a fact that the record lacks neither agrees nor differs. */
export type NameCandidate = {
  kind: NamedKind;
  slug: string;
  name: string;
  score: number;
  matchKind: RankedName['matchKind'];
  agrees: ComparedFact[];
  differs: ComparedFact[];
  /** True if the match needs no review; never for homonyms. */
  match: boolean;
};

/** Match kinds of a whole name, or of an alternative to it. */
const wholeNameKinds = new Set<RankedName['matchKind']>(['key', 'short-name', 'exact', 'acronym', 'former-name']);

/** Longest name in UTF-16 units; anything longer is prose. */
const maxNameLength = 500;

const maxCompared = 25;

/** Returns the records that a name may refer to, likeliest first, `limit` at most; none for over 500 characters. */
export function matchName(db: NameDatabase, nameQuery: NameQuery, limit: number): NameCandidate[] {
  // `match` needs one record only with that whole name, or with that day of birth, and no fact that differs.
  if (nameQuery.name.length > maxNameLength) return [];
  const query = withTrailingParty(db, nameQuery);
  const { names } = searchNames(db, query.name, { kinds: query.kinds ?? namedKinds, limit: maxCompared });
  // A single matching surname among several words is too weak: the other words may name another person.
  const strongNames = names.filter(({ matchKind, matchedWords }) => matchKind !== 'within' || matchedWords.length > 1);
  const matches = [...strongNames, ...homonymsOf(db, query.name, strongNames)];
  const wholeMatches = matches.filter(({ matchKind }) => wholeNameKinds.has(matchKind));
  const onlyMatch = wholeMatches.length === 1 ? wholeMatches[0]! : null;
  const isUnique = onlyMatch !== null && addsNoWord(query.name, onlyMatch.name) && isAlone(onlyMatch, matches);
  const compare = createComparison(db, query);
  const keyByBirth = query.birthDecides ? namesakeBornOn(db, query, wholeMatches) : null;
  const candidates = matches.map((each): NameCandidate => {
    const { agrees, differs } = compare(each);
    const isDecided = isUnique || each.key === keyByBirth;
    // Each agreeing fact halves the uncertainty.
    const uncertainty = (1 - each.score) * 0.5 ** agrees.length;
    return {
      kind: each.kind,
      slug: each.key,
      name: each.name,
      score: Math.round((1 - uncertainty) * differencePenalty ** differs.length * 1000) / 10,
      matchKind: each.matchKind,
      agrees,
      differs,
      match: isDecided && wholeNameKinds.has(each.matchKind) && differs.length === 0,
    };
  });
  // The sort is stable: equal scores keep their order.
  return candidates.sort((a, b) => b.score - a.score).slice(0, limit);
}

/** Matches a party in brackets or after a dash at the end of a name. */
const trailingParty = /^(.*\S)\s*(?:\(([^()]+)\)|\[([^[\]]+)\]|\s[-–—]\s(.+?))\s*$/su;

/** Returns the query with a trailing party moved from the name to `party`; unchanged if the text names no party. */
function withTrailingParty(db: NameDatabase, query: NameQuery): NameQuery {
  const [, name, ...ends] = trailingParty.exec(query.name) ?? [];
  const party = ends.find((each) => each !== undefined)?.trim();
  if (name === undefined || party === undefined || resolvePartyKeys(db, party).size === 0) return query;
  return { ...query, name, party: query.party?.trim() ? query.party : party };
}

/** Key of the only namesake born on that day; null if there is none, or if a namesake lacks an exact day. */
function namesakeBornOn(db: NameDatabase, { born = '' }: NameQuery, matches: readonly RankedName[]): string | null {
  const days = parseDays(born);
  if (!days || days[0] !== days[1] || matches.some(({ kind }) => kind !== 'politician')) return null;
  const dayOf = ({ kind, key }: RankedName) => textOf(readRecord(db, kindOf(kind), key) ?? {}, 'birth_date');
  const birthDays = matches.map((each) => parseDays(dayOf(each) ?? ''));
  if (birthDays.some((each) => !each || each[0] !== each[1])) return null;
  const [namesake, ...otherMatches] = matches.filter((_, at) => birthDays[at]![0] === days[0]);
  return namesake && otherMatches.length === 0 ? namesake.key : null;
}

/** True if parentheses after a name add no unknown word, which could indicate a namesake missing from the mirror. */
function addsNoWord(query: string, name: string): boolean {
  const knownWords = new Set(nameWords(name));
  const extraWords = nameWords(query.slice(bareName(query).length));
  return extraWords.every((word) => knownWords.has(word) || isTitle(word));
}

/** True if no other match has the same name apart from parentheses after it. */
function isAlone({ name }: RankedName, matches: RankedName[]): boolean {
  return matches.filter((each) => sortedWords(bareName(each.name)) === sortedWords(name)).length < 2;
}

const sortedWords = (name: string): string => nameWords(name).sort().join(' ');

/** Homonyms of the only whole-name match that a title in the query excluded, with lower scores. */
function homonymsOf(db: NameDatabase, query: string, matches: RankedName[]): RankedName[] {
  const [first, ...otherMatches] = matches.filter(({ matchKind }) => wholeNameKinds.has(matchKind));
  if (first === undefined || otherMatches.length > 0) return [];
  // A slug has no homonyms, and without a title in the query, the search already returned them.
  if (first.matchKind === 'key' || sortedWords(query) === sortedWords(first.name)) return [];
  const { names } = searchNames(db, first.name, { kinds: [first.kind], limit: maxCompared });
  const isAnother = ({ matchKind, key }: RankedName) => ['key', 'exact'].includes(matchKind) && key !== first.key;
  return names.filter(isAnother).map((each) => ({ ...each, score: each.score * differencePenalty }));
}

const differencePenalty = 0.6;

/** Creates a function that compares the query's facts with a match; it resolves the party once. */
function createComparison(db: NameDatabase, query: NameQuery) {
  const providedFacts = comparedFacts.filter((fact) => (query[fact] ?? '').trim() !== '');
  const parties = once(() => resolvePartyKeys(db, query.party!));
  /** True if a fact agrees with the record; null if the record lacks it, or the party's date is unreadable. */
  const agreesOn = (fact: ComparedFact, document: Document): boolean | null => {
    if (fact === 'party') {
      const days = parseDays(query.date);
      if ((query.date ?? '').trim() !== '' && !days) return null;
      return agreesOnParty(db, partiesOf(document, days?.[0] ?? null, days?.[1]), parties());
    }
    const storedValue = textOf(document, recordFields[fact]);
    if (storedValue === null) return null;
    if (fact === 'department') return agreesOnDepartment(storedValue, query.department!);
    if (fact === 'constituency') return agreesOnNumber(storedValue, query.constituency!);
    const born = parseDays(storedValue);
    const days = parseDays(query.born);
    return born && days && days[0] <= born[0] && born[1] <= days[1];
  };
  return ({ kind, key }: RankedName): Pick<NameCandidate, 'agrees' | 'differs'> => {
    if (providedFacts.length === 0 || kind === 'party') return { agrees: [], differs: [] };
    const document = readRecord(db, kindOf(kind), key) ?? {};
    const verdicts = providedFacts.map((fact) => ({ fact, agrees: agreesOn(fact, document) }));
    const factsOf = (verdict: boolean) => verdicts.filter(({ agrees }) => agrees === verdict).map(({ fact }) => fact);
    return { agrees: factsOf(true), differs: factsOf(false) };
  };
}

/** True if a party or group is in both lists; null if the record has none of the kind (party, group) of the query's. */
function agreesOnParty(db: NameDatabase, own: readonly string[], queryParties: ReadonlySet<string>): boolean | null {
  if (own.some((slug) => queryParties.has(slug))) return true;
  const isGroup = (slug: string) => textOf(readRecord(db, kindOf('party'), slug) ?? {}, 'chamber') !== null;
  const queryHasGroups = new Set([...queryParties].map(isGroup));
  return own.some((slug) => queryHasGroups.has(isGroup(slug))) ? false : null;
}

/** Keys of every party and group that a text may refer to; empty if there is none. */
function resolvePartyKeys(db: NameDatabase, written: string): Set<string> {
  if (written.length > maxNameLength) return new Set();
  const bearers = findByShortName(written, nameSource(db, 'party', written).byAllWords());
  const resolution = resolveSlug(db, 'party', written.trim());
  const candidates = resolution.match === 'none' ? [] : candidatesIn(resolution);
  return new Set([...bearers, ...candidates].map(({ key }) => key));
}

/** True if two names or codes mean one department; null for an unknown code. */
function agreesOnDepartment(stored: string, written: string): boolean | null {
  const name = placeName(written);
  return name === placeName(stored) || (/^\p{L}{3}/u.test(name) ? false : null);
}

/** True if the last numbers of two texts are equal; null if a text has none. */
function agreesOnNumber(stored: string, written: string): boolean | null {
  const [own, other] = [stored, written].map((text) => text.match(/\d+/g)?.at(-1));
  return own === undefined || other === undefined ? null : Number(own) === Number(other);
}

/** First and last day of a day, month or year; null for a relative date or any other text. */
function parseDays(written = ''): [first: string, last: string] | null {
  return isRelative(written) ? null : parseDayRange(written, 0);
}
