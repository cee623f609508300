import { guessNames } from '../../language/guess-name.ts';
import { nameWords } from '../../language/name.ts';
import type { Candidate, NameMatch, WayToMatch } from '../../language/named-candidate.ts';
import { namesWithin, type TypedWord, typedWords } from '../../language/names-within.ts';
import { byName } from '../../language/near-miss.ts';
import { partyShare } from '../../language/party-name.ts';
import { matchNames } from '../../language/resolve-name.ts';
import { isStopWord } from '../../language/stop-words.ts';
import type { Mirror } from '../mirror.ts';
import { type NamedKind, namedKinds } from './name-known.ts';
import { type NameSource, nameSource } from './name-source.ts';

/**
 * A record that a query names: `matched` is the way in which it does (`within` for a name among other words), `score` how
 * surely, from 0 to 1, and `taken` the words of the query that are its name.
 */
export type RankedName = {
  kind: NamedKind;
  key: string;
  name: string;
  matched: WayToMatch | 'within';
  score: number;
  taken: string[];
};

/** The names that were found, the surest first, and the words of the query that are part of none of them. */
export type FoundNames = { names: RankedName[]; rest: string[] };

/** Among which kinds, how many names at most, and whether one that is only nearly meant is wanted; by default it is. */
export type NameSearch = {
  kinds?: readonly NamedKind[] | undefined;
  limit: number;
  areGuessed?: boolean | undefined;
};

/** How sure each way to match is; words and beginnings grow with what they cover of the name. */
const sureness: Record<WayToMatch, number> = {
  key: 1,
  'short-name': 0.98,
  exact: 0.97,
  acronym: 0.95,
  'former-name': 0.93,
  words: 0.7,
  forms: 0.68,
  prefix: 0.5,
  initials: 0.45,
  sound: 0.42,
  typo: 0.42,
};

/**
 * Returns whom and what a query names: the whole of it if that is a name (typed in any way that `resolveName` knows),
 * else whom all of it may have meant (ways `initials`, `sound`, `typo`), else the names among its words ("merlin retraites").
 * The surest come first, among equals living parties, then those of whom more is known. Words that say nothing of a subject never make a name.
 */
export function searchNames(
  mirror: Mirror,
  query: string,
  { kinds = namedKinds, limit, areGuessed = true }: NameSearch,
): FoundNames {
  const words = typedWords(query);
  const texts = words.map(({ text }) => text);
  if (words.length === 0 || saysNothing(words)) return { names: [], rest: texts };
  const sources = kinds.map((kind) => ({ kind, source: nameSource(mirror, kind, query) }));
  const sure = sources.flatMap(({ kind, source }) => ranked(kind, matchNames(query, source.named()), texts));
  if (sure.length > 0) return { names: best(sure, limit), rest: [] };
  const near = !areGuessed
    ? []
    : sources.flatMap(({ kind, source }) => ranked(kind, guessNames(query, source.near()), texts));
  if (near.length > 0 || words.length === 1)
    return { names: best(near, limit), rest: near.length > 0 ? [] : texts };
  const within = widest(sources.flatMap((each) => amongWords(words, each)));
  return { names: best(within, limit), rest: restOf(words, within) };
}

type Ranked = Omit<RankedName, 'key' | 'name'> & { candidate: Candidate; from: number; to: number };

function ranked(kind: NamedKind, found: NameMatch[], taken: string[]): Ranked[] {
  return found.map(({ candidate, way, words, slips }) => ({
    kind,
    candidate,
    matched: way,
    score: round(sureness[way] + covered(words, candidate, way) - slips * 0.05),
    taken,
    from: 0,
    to: taken.length,
  }));
}

function amongWords(
  words: readonly TypedWord[],
  { kind, source }: { kind: NamedKind; source: NameSource },
): Ranked[] {
  return namesWithin(words, source.within(words)).map(({ candidate, from, to, sureness }) => ({
    kind,
    candidate,
    matched: 'within' as const,
    score: round(sureness * 0.75),
    taken: words.slice(from, to).map(({ text }) => text),
    from,
    to,
  }));
}

/**
 * Who is looked for by the surname comes before those who have it as a part of theirs, and these before those with such a
 * first name; a party comes the sooner the more of its name is said.
 */
function covered(asked: readonly string[], { name, surname }: Candidate, way: WayToMatch): number {
  if (way === 'forms') return 0.2 * partyShare(asked, nameWords(name));
  if (way !== 'words' && way !== 'prefix') return 0;
  const joined = asked.join('');
  if (surname === undefined)
    return 0.2 * Math.min(1, joined.length / Math.max(1, nameWords(name).join('').length));
  if (joined === surname || asked.includes(surname)) return 0.2;
  return asked.some((word) => word.length > 2 && surname.includes(word)) ? 0.1 : 0;
}

function best(found: Ranked[], limit: number): RankedName[] {
  // How much is known is looked up for those alone who may be among the first.
  const least = found.map(({ score }) => score).sort((a, b) => b - a)[limit - 1] ?? 0;
  return found
    .filter(({ score }) => score >= least)
    .sort(
      (a, b) =>
        b.score - a.score ||
        preferenceOf(b) - preferenceOf(a) ||
        knownOf(b) - knownOf(a) ||
        byName(a.candidate, b.candidate),
    )
    .slice(0, limit)
    .map(({ kind, candidate: { key, name }, matched, score, taken }) => ({
      kind,
      key,
      name,
      matched,
      score,
      taken,
    }));
}

/** A name that is part of another one's words is left out: Emmanuel, where Emmanuel Merlin is named. */
function widest(found: Ranked[]): Ranked[] {
  const isWider = (a: Ranked, b: Ranked) => a.from <= b.from && b.to <= a.to && a.to - a.from > b.to - b.from;
  return found.filter((each) => !found.some((other) => isWider(other, each)));
}

/** A living party comes before a group of its name. */
function preferenceOf({ candidate: { preference = 0 } }: Ranked): number {
  return preference;
}

function knownOf({ candidate: { known = 0 } }: Ranked): number {
  return known;
}

function restOf(words: readonly TypedWord[], found: Ranked[]): string[] {
  return words
    .filter((_, at) => !found.some(({ from, to }) => from <= at && at < to))
    .map(({ text }) => text);
}

function saysNothing(words: readonly TypedWord[]): boolean {
  const isAcronym = words.length === 1 && /^\p{Lu}{2,}$/u.test(words[0]!.text);
  return !isAcronym && words.every(({ parts }) => parts.every(isStopWord));
}

function round(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 1000) / 1000;
}
