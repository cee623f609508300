import { nameWords, particles } from '../language/name.ts';
import { once } from '../language/once.ts';
import { isStopWord } from '../language/stop-words.ts';
import type { Candidate } from './candidate.ts';
import type { NamedKind } from './database.ts';
import type { MatchKind } from './rules.ts';
import surnameWords from './surname-words.json' with { type: 'json' };
import { isTitle, withoutArticleOfAcronym } from './title.ts';

/** A record that a query names: how (`within`: among other words), its score (0 to 1), and the words that match. */
export type RankedName = {
  kind: NamedKind;
  key: string;
  name: string;
  matchKind: MatchKind | 'within';
  score: number;
  matchedWords: string[];
  /** True if the words are a role of the person, not a name. */
  isRole?: true;
};

/** A ranked name with its candidate and its range of words [from, to). */
export type RankedCandidate = Omit<RankedName, 'key' | 'name'> & { candidate: Candidate; from: number; to: number };

type KindSource = {
  kind: NamedKind;
  source: { bySomeWords(words: readonly TypedWord[]): Candidate[]; isFirstName(word: string): boolean };
};

/** A word of a query as typed, with its folded parts. */
export type TypedWord = { text: string; parts: string[] };

/** Returns the first 24 words of a query that may belong to a name, split at white space. */
export function typedWords(query: string): TypedWord[] {
  return query
    .split(/\s+/)
    .map(withoutArticleOfAcronym)
    .map((text) => ({ text, parts: nameWords(text) }))
    .filter(({ parts }) => parts.length > 0)
    .slice(0, 24);
}

/** Returns names among the words of a query ("le logement selon Anne Merlin"), and the texts of the other words. */
export function namesAmong(words: readonly TypedWord[], sources: readonly KindSource[]) {
  // See `scoreOf` for the rules. A match within a longer one is dropped.
  const allMatches = sources.flatMap(({ kind, source }) =>
    source.bySomeWords(words).flatMap((candidate) => findBestRun(words, candidate, kind) ?? []),
  );
  const contains = (a: RankedCandidate, b: RankedCandidate) =>
    a.from <= b.from && b.to <= a.to && a.to - a.from > b.to - b.from;
  const longestMatches = allMatches.filter((each) => !allMatches.some((other) => contains(other, each)));
  const matches = dropPartialNames(words, longestMatches, sources);
  const remaining = words.filter((_, at) => !matches.some(({ from, to }) => from <= at && at < to));
  return { matches, remainingWords: remaining.map(({ text }) => text) };
}

/** Drops one-word matches of people whose word is the first name or the surname of a person without a match. */
function dropPartialNames(words: readonly TypedWord[], matches: RankedCandidate[], sources: readonly KindSource[]) {
  const people = sources.find(({ kind }) => kind === 'politician')?.source;
  const isFirstName = (at: number) => words[at] !== undefined && people?.isFirstName(words[at].parts.at(-1)!) === true;
  const isPartOfMatch = (at: number) => matches.some(({ from, to }) => to - from > 1 && from <= at && at < to);
  const isParticle = ({ parts }: TypedWord) => parts.every((part) => particles.has(part));
  const isPartOfOther = ({ kind, from, to }: RankedCandidate) => {
    const nameWordsOfMatch = words.slice(from, to).filter((word) => !isParticle(word));
    if (kind !== 'politician' || nameWordsOfMatch.length > 1) return false;
    const previous = words.findLastIndex((word, at) => at < from && !isParticle(word));
    const next = words.findIndex((word, at) => at >= to && !isParticle(word));
    // A capitalised word, or a capital or Roman numeral alone, continues a name.
    const isBeforeUnknown = /^\p{Lu}(?:\p{Ll}|[IVX]*$)/u.test(words[next]?.text ?? '') && !isPartOfMatch(next);
    if (isBeforeUnknown && isFirstName(from)) return true; // the first name of another person
    return isFirstName(previous) && !isPartOfMatch(previous); // or the surname
  };
  return matches.filter((each) => !isPartOfOther(each));
}

/** The run of words that matches a candidate with the highest score, the first of equals; null if none does. */
function findBestRun(queryWords: readonly TypedWord[], candidate: Candidate, kind: NamedKind): RankedCandidate | null {
  const tokens = new Set(candidate.parsedName.tokens());
  const words = queryWords.map((word) => withoutElision(word, tokens));
  const whole = candidate.parsedName.parts.toSorted().join(' ');
  const short = candidate.shortNameParts.join('');
  let bestRun: { from: number; to: number; runScore: number } | null = null;
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 1; to <= words.length; to += 1) {
      const run = words.slice(from, to);
      const parts = run.flatMap((word) => word.parts);
      // A word that is in no name of the candidate ends the run.
      if (!parts.every((part) => tokens.has(part)) && parts.join('') !== short && !isAcronymOf(candidate, parts)) break;
      // "Saint Denis" is a place; a surname with Saint matches by both words.
      if (/^(?:saint|st)e?$/.test(words[from - 1]?.parts.at(-1) ?? '')) break;
      const runScore = scoreOf({ run, parts, from }, { candidate, whole, short });
      if (runScore > (bestRun?.runScore ?? 0)) bestRun = { from, to, runScore };
    }
  }
  if (bestRun === null) return null;
  const { from, to, runScore } = bestRun;
  const matchedWords = queryWords.slice(from, to).map(({ text }) => text);
  return { kind, candidate, matchKind: 'within', score: inThousandths(runScore * 0.75), matchedWords, from, to };
}

type Run = { run: readonly TypedWord[]; parts: string[]; from: number };
/** A candidate with the sorted words of its name (`whole`), and its short name without spaces (`short`). */
type SearchedName = { candidate: Candidate; whole: string; short: string };

/** Score of a run: 1 whole name, 0.95 short name, 0.9 acronym or first name and surname, 0.8 surname; else 0. */
function scoreOf({ run, parts, from }: Run, { candidate, whole, short }: SearchedName): number {
  const joined = parts.join('');
  const isIgnored = (part: string) => isStopWord(part) || (isTitle(part) && joined !== short);
  if (parts.every(isIgnored) && !isWrittenAsAcronym(run)) return 0;
  if (parts.length > 1 && parts.toSorted().join(' ') === whole) return 1;
  if (joined === short && (short.length > 3 || !isStopWord(short))) return 0.95;
  const { surname } = candidate;
  if (isAcronymOf(candidate, parts)) return 0.9;
  if (surname === undefined) return 0;
  const isFirst = (part: string) => !surname.includes(part) && !particles.has(part);
  const isFullName = parts.some((part) => part.length > 2 && surname.includes(part)) && parts.some(isFirst);
  if (isFullName && joined !== surname) return 0.9;
  return joined === surname && (parts.length > 1 || isWrittenAsName(run[0]!, from)) ? 0.8 : 0;
}

/** The word without a leading elision that is no part of the name: d'Anne gives Anne, d'Ormesaye stays. */
function withoutElision(word: TypedWord, tokens: ReadonlySet<string>): TypedWord {
  const { text, parts } = word;
  if (parts.length < 2 || !isElided(text) || tokens.has(parts[0]!)) return word;
  return { text: text.replace(elision, ''), parts: parts.slice(1) };
}

/** True for a word with a leading elision: d'Anne, qu’Anne. */
export const isElided = (text: string): boolean => elision.test(text);

const elision = /^[^\p{L}]*(?:[cdjlmnst]|qu)['’ʼ]/iu;

const isAcronymOf = ({ acronyms = [] }: Candidate, parts: string[]): boolean => acronyms.includes(parts.join(''));

/** True for a word of 3 letters or more that is no ordinary word, or is capitalised: in full, if it is the first. */
function isWrittenAsName({ text, parts }: TypedWord, at: number): boolean {
  const [word = ''] = parts;
  if (word.length < 3) return false;
  return !ordinaryWords().has(word) || (/^\p{Lu}/u.test(text) && (at > 0 || text === text.toUpperCase()));
}

/** True for words in capitals, with or without points. */
export function isWrittenAsAcronym(run: readonly TypedWord[]): boolean {
  return run.every(({ text }) => /^[\p{Lu}\p{N}.&-]{2,}$/u.test(text));
}

const ordinaryWords = once(() => new Set(surnameWords.flatMap((line) => line.split(' '))));

/** The score limited to 0 to 1 and rounded to thousandths. */
export const inThousandths = (score: number): number => Math.round(Math.min(1, Math.max(0, score)) * 1000) / 1000;
