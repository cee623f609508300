import { fold } from '../../language/fold.ts';
import { nearTermsIn, type Seek } from '../../language/near-terms.ts';
import type { Query, QueryTerm } from '../../language/query.ts';
import { soundKey } from '../../language/sound.ts';
import { isKept, stem } from '../../language/stem.ts';
import { forgiven } from '../../names/nearness.ts';
import type { Mirror } from '../mirror.ts';
import { vocabularyOf } from '../word-index/search-index.ts';

/** A typed word and the token searched in its place. */
export type Correction = { from: string; to: string };

/** A query in another spelling, with the corrections. */
export type Spelled = { query: Query; corrections: Correction[] };

const mostTried = 5;

/** Index lookups per search; a long word with two mistakes takes a thousand. */
const mostSeeks = 2500;
const mostCounted = 1000;

/** Shortest words in which two mistakes are forgiven if similar, and in which letters may be missing. */
const [leastAlike, leastLeftOut] = [6, 7];

/** Shortest token proposed, and tokens with the same beginning tested for missing letters. */
const [leastRoot, mostLookedAt] = [4, 400];

/** Records below which a token may itself be misspelt. */
const leastHeld = 20;

/**
 * The query with each unknown word replaced by a near indexed one, likeliest first, at most 5; empty if there is nothing
 * to correct. One mistake is forgiven from 5 letters, two from 9, none in a word with a digit.
 */
export function spellings(mirror: Mirror, query: Query, memory: SpellingMemory): Spelled[] {
  const unknown = query.terms.filter((term) => isCorrectable(term) && !isKnown(mirror, term));
  const near = new Map(unknown.map((term) => [term, nearTokens(mirror, term, memory)] as const));
  const [first] = unknown.filter((term) => near.get(term)!.length > 0);
  if (first === undefined) return [];
  return near.get(first)!.map((token) => {
    const corrections: Correction[] = [];
    const terms = query.terms.map((term) => {
      const to = term === first ? token : near.get(term)?.[0];
      if (to === undefined) return term;
      corrections.push({ from: term.text, to });
      return asToken(term, to);
    });
    return { query: { ...query, terms }, corrections };
  });
}

/** For each word of a query the likeliest near one that ten times as many records have. */
export function nearWordsOf(mirror: Mirror, query: Query, memory: SpellingMemory): Correction[] {
  return query.terms.filter(isCorrectable).flatMap((term) => {
    const [token] = nearTokens(mirror, term, memory).filter((each) => each !== term.prose[0]);
    if (token === undefined || recordsWith(mirror, token) < 10 * recordsWith(mirror, term.prose[0]!))
      return [];
    return [{ from: term.text, to: token }];
  });
}

function isCorrectable({ prose, phrase, prefix, text }: QueryTerm): boolean {
  return prose.length === 1 && !phrase && !prefix && !isKept(prose[0]!) && forgiven(fold(text)) > 0;
}

/** The term as if another token, or two consecutive ones, had been typed. */
function asToken(term: QueryTerm, token: string): QueryTerm {
  const tokens = token.split(' ');
  return {
    ...term,
    prose: tokens,
    readings: [],
    otherAccents: [],
    name: tokens,
    nameJoined: tokens.join(''),
  };
}

function isKnown(mirror: Mirror, { prose, readings, name }: QueryTerm): boolean {
  const isHeld = (token: string) => recordsWith(mirror, token, 1) > 0;
  // All name tokens must be known: the elided d of d'habitation is in many names.
  return (
    prose.some(isHeld) ||
    readings.some((tokens) => tokens.every(isHeld)) ||
    (name.length > 0 && name.every(isHeld))
  );
}

function recordsWith(mirror: Mirror, token: string, limit = mostCounted): number {
  return mirror
    .column<number>('SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ?)')
    .get(`"${token}"`, limit)!;
}

/** Near tokens by word, lookups left, and terms: shared by the corrections and suggestions of one search. */
export type SpellingMemory = { left: number; near: Map<QueryTerm, string[]>; terms?: string[] };

/** Creates an empty memory for one search. */
export function createSpellingMemory(): SpellingMemory {
  return { near: new Map(), left: mostSeeks };
}

/** Indexed tokens near a word, likeliest first: few mistakes, same first letter, many records. */
function nearTokens(mirror: Mirror, term: QueryTerm, memory: SpellingMemory): string[] {
  const tokens = memory.near.get(term) ?? findNearTokens(mirror, term, memory);
  memory.near.set(term, tokens);
  return tokens;
}

function findNearTokens(mirror: Mirror, term: QueryTerm, budget: SpellingMemory): string[] {
  const typed = fold(term.text).replace(/^.*'/, '');
  const forms = [
    ...new Set([term.prose[0]!, ...term.readings.filter(({ length }) => length === 1).flat(), typed]),
  ];
  const all = new Map<string, number>();
  addNearest(all, { forms, typed, seekFrom: (beginning) => createSeek(mirror, beginning, budget) });
  // Rare tokens may be the same slip made by others (gouvernment).
  const isRare = [...all.keys()].every((token) => recordsWith(mirror, token, leastHeld) < leastHeld);
  if (isRare)
    for (const token of tokensWithMissingLetters(mirror, typed, budget))
      if (!all.has(token)) all.set(token, leftOut);
  const near = [...all]
    .map(([token, distance]) => ({ token, cost: costOf(mirror, { token, distance, typed }) }))
    .sort((a, b) => a.cost - b.cost || (a.token < b.token ? -1 : 1))
    .map(({ token }) => token);
  return near.slice(0, mostTried);
}

/** Distance of a word with missing letters. */
const leftOut = 1.5;

/** Indexed tokens of which a long word misses up to four letters (enviroment: environnement). */
function tokensWithMissingLetters(mirror: Mirror, typed: string, budget: SpellingMemory): string[] {
  if (forgiven(typed) < 2) return [];
  const seek = createSeek(mirror, typed.slice(0, leastRoot), budget);
  const [found, form]: [string[], string] = [[], stem(typed)];
  for (let term = seek(''), looked = 0; term !== undefined && looked < mostLookedAt; looked += 1) {
    if (term.length - form.length <= leastRoot && isSubsequence(form, term)) found.push(term);
    term = seek(`${term}\0`);
  }
  return found;
}

type NearTokenRequest = { forms: string[]; typed: string; seekFrom: (beginning: string) => Seek };

/**
 * Adds indexed tokens by edit distance: one mistake first; two only with the same first letter and if nothing was found,
 * since each mistake costs ten times as much. In a short word two are forgiven only if it sounds alike or shares letters.
 */
function addNearest(found: Map<string, number>, { forms, typed, seekFrom }: NearTokenRequest): void {
  // A wrong first letter is rare.
  const hasBegunAlike = () => [...found.keys()].some((term) => term[0] === typed[0]);
  const seek = (form: string, slips: number, isLike: (term: string) => boolean) => {
    for (const { term, distance } of nearTermsIn(seekFrom(slips === 1 ? '' : form[0]!), form, slips))
      if (!/^[_\d]/.test(term) && !found.has(term) && isLike(term)) found.set(term, distance);
  };
  for (const form of forms) {
    // A word without its ending is not a shorter one: otils, outil.
    const max = form.length < leastRoot ? 0 : forgiven(typed);
    for (let slips = 1; slips <= max && found.size === 0; slips += 1) seek(form, slips, () => true);
  }
  if (hasBegunAlike() || typed.length < leastAlike || forgiven(typed) === 0) return;
  const isLike = (term: string) =>
    forms.some(
      (form) => soundKey(form) === soundKey(term) || haveSameLetters(form, term) || isSubsequence(form, term),
    );
  for (const form of forms) seek(form, 2, isLike);
}

/** True if two words have the same letters, in any order; a letter doubled counts once. */
export function haveSameLetters(one: string, other: string): boolean {
  const [letters, others] = [one, other].map((word) => [...undoubled(word)].sort().join(''));
  return letters === others;
}

/** True if a long word is a subsequence of another. */
function isSubsequence(word: string, whole: string): boolean {
  if (word.length < leastLeftOut || word.length >= whole.length) return false;
  let at = 0;
  for (const letter of whole) if (letter === word[at]) at += 1;
  return at === word.length;
}

/** The word with each doubled letter once. */
function undoubled(word: string): string {
  return word.replace(/(.)\1+/g, '$1');
}

function costOf(
  mirror: Mirror,
  { token, distance, typed }: { token: string; distance: number; typed: string },
): number {
  const begunOtherwise = token[0] === typed[0] ? 0 : 1;
  // constitutionel: constitutionnel rather than constitution
  const isDoubled = undoubled(typed) === undoubled(token) ? 1 : 0;
  return distance * 2 + begunOtherwise - isDoubled - Math.log10(1 + recordsWith(mirror, token));
}

/** Seeks terms with a prefix in index order, within the budget. */
function createSeek(mirror: Mirror, beginning: string, memory: SpellingMemory): Seek {
  const statement = mirror.column<string>(`SELECT term FROM ${vocabularyOf(mirror)} WHERE term >= ? LIMIT 1`);
  memory.terms ??= termsOf(mirror);
  const { terms } = memory;
  return (from) => {
    if (memory.left === 0) return undefined;
    memory.left -= 1;
    const least = from < beginning ? beginning : from;
    const term = terms.length > 0 && least >= firstLetter ? firstFrom(terms, least) : statement.get(least);
    return term?.startsWith(beginning) ? term : undefined;
  };
}

const firstLetter = 'a';

/**
 * The indexed words in order; none for the first search that asks, since to read all takes as long as to walk once, nor
 * when the past is read.
 */
function termsOf(mirror: Mirror): string[] {
  const asked = mirror.readOnce('searches for near terms', () => ({ times: 0 }));
  asked.times += 1;
  if (asked.times === 1 || mirror.pastOf !== null) return [];
  const rows = `SELECT term FROM ${vocabularyOf(mirror, { type: 'row' })} WHERE term >= ?`;
  return mirror.readOnce('terms', () => mirror.column<string>(rows).all(firstLetter));
}

/** The first of some sorted terms at or behind another. */
function firstFrom(terms: readonly string[], least: string): string | undefined {
  let [from, to] = [0, terms.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (terms[middle]! < least) from = middle + 1;
    else to = middle;
  }
  return terms[from];
}
