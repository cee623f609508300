import { initialsOf, matchesInitials, nameWords, withJoinedParticles } from '../language/name.ts';
import type { Candidate, ParsedName } from './candidate.ts';
import { byName, type KeyedName, nearness } from './nearness.ts';
import { matchedNameShare, mayNamePeople } from './party-name.ts';
import { type NameReading, nameReadings } from './title.ts';

/** How a name may match, most certain first, with base scores; the score of some also depends on the share matched. */
export const baseScores = {
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
export type MatchKind = keyof typeof baseScores;
const matchKinds = Object.keys(baseScores);

/** A candidate, how it matched, the words of the query that match it, and its `distance` from them, 0 if exact. */
export type NameMatch = { candidate: Candidate; matchKind: MatchKind; words: readonly string[]; distance: number };

/** Longest single word read as an acronym, which never matches as a prefix. */
const longestAcronym = 3;

/** Fewest letters read as the initials of a party's name. */
const minInitials = 4;

/** Most words of a query that may be rotated, its last words first. */
const maxRotatedWords = 16;

type CandidateTest = (candidate: Candidate) => boolean;
type Rule = { matchKind: MatchKind; test: (words: readonly string[], input: string) => CandidateTest };

const exactRule: Rule = { matchKind: 'exact', test: (words) => hasWholeName(words, ({ parsedName }) => [parsedName]) };
const wordRules: Rule[] = [
  { matchKind: 'words', test: hasWords },
  { matchKind: 'forms', test: hasForms },
];
const prefixRule: Rule = { matchKind: 'prefix', test: hasPrefixes };

/** The rules that resolve names, most certain first; part of a name matches current parties and groups first. */
const rules: Rule[] = [
  { matchKind: 'key', test: (_words, input) => hasKey(input.trim()) },
  { matchKind: 'short-name', test: hasShortName },
  // One word (socialiste) matches the whole name of an ended party or group only by the later `exactRule`.
  { ...exactRule, test: (words, input) => (words.length > 1 ? exactRule : currentOnly(exactRule)).test(words, input) },
  { matchKind: 'exact', test: (words) => hasWholeName(words, ({ parsedWithoutAcronym }) => parsedWithoutAcronym) },
  { matchKind: 'acronym', test: hasAcronym },
  { matchKind: 'former-name', test: (words) => hasWholeName(words, ({ parsedFormerNames }) => parsedFormerNames) },
  ...wordRules.map(currentOnly),
  exactRule,
  currentOnly(prefixRule),
  ...wordRules,
  prefixRule,
];

/** Every candidate that matches the query, each by its most certain rule, in the reading that matches best. */
export function matchNames(input: string, candidates: readonly Candidate[]): NameMatch[] {
  return matchesByRule(input, candidates).flat();
}

/** Candidates of the most certain rule; if it is a word rule, current parties whose whole name matches replace them. */
export function mostCertainMatches(input: string, candidates: readonly Candidate[]): Candidate[] {
  const matchesOfRules = matchesByRule(input, candidates);
  const [mostCertain = []] = matchesOfRules;
  const isByWords = ({ matchKind }: NameMatch) => wordRules.some((rule) => rule.matchKind === matchKind);
  const isWholeParty = ({ candidate, words }: NameMatch) =>
    isParty(candidate) && !hasEnded(candidate) && matchedNameShare(words, candidate.parsedName.parts) === 1;
  // By any word rule, as the most certain one may match only longer names.
  const matchesByWords = mostCertain.some(isByWords) ? matchesOfRules.flat().filter(isByWords) : [];
  const wholeParties = matchesByWords.filter(isWholeParty);
  return (wholeParties.length > 0 ? wholeParties : mostCertain).map(({ candidate }) => candidate);
}

/** Matches of the reading with the most certain match: a list per rule, most certain first; each candidate once. */
function matchesByRule(input: string, candidates: readonly Candidate[]): NameMatch[][] {
  const readings = nameReadings(input);
  const matchesOf = ({ matchKind, test }: Rule, reading: NameReading): NameMatch[] => {
    const tested = candidates.filter(test(reading.words, input));
    // Drop candidates whose known gender contradicts the title, unless none would remain.
    const fitting = tested.filter(({ gender }) => reading.gender === null || !gender || gender === reading.gender);
    const matching = fitting.length > 0 ? fitting : tested;
    const isShort = matchKind === 'short-name' || matchKind === 'acronym';
    // Of parties and groups with one short name, only the preferred match: parties, and those that have not ended.
    const maxPreference = isShort ? Math.max(...matching.map(({ preference = 0 }) => preference)) : null;
    const chosen = matching.filter(({ preference = 0 }) => maxPreference === null || preference === maxPreference);
    return chosen.map((candidate) => ({ candidate, matchKind, words: reading.words, distance: 0 }));
  };
  for (const [at, rule] of rules.entries())
    for (const reading of readings) {
      const firstMatches = matchesOf(rule, reading);
      if (firstMatches.length === 0) continue;
      const visitedCandidates = new Set<Candidate>();
      return [firstMatches, ...rules.slice(at + 1).map((other) => matchesOf(other, reading))].map((matches) =>
        matches.filter(({ candidate }) => !visitedCandidates.has(candidate) && visitedCandidates.add(candidate)),
      );
    }
  return [];
}

/** Every candidate with exactly that short name. */
export function findByShortName(shortName: string, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(hasShortName(nameWords(shortName)));
}

const isParty = ({ surname }: Candidate) => surname === undefined; // also true for groups
/** True for a party or group that has ended; false for politicians. */
export const hasEnded = ({ preference }: Pick<Candidate, 'preference'>): boolean => preference === 0;

/** Restricts a rule to politicians, and to parties and groups that have not ended. */
function currentOnly({ matchKind, test }: Rule): Rule {
  const ifCurrent = (matches: CandidateTest) => (each: Candidate) => !hasEnded(each) && matches(each);
  return { matchKind, test: (...query) => ifCurrent(test(...query)) };
}

function hasKey(slug: string): CandidateTest {
  return ({ key }) => key === slug || key === slug.toLowerCase();
}

function hasShortName(words: readonly string[]): CandidateTest {
  return ({ shortNameParts }) => shortNameParts.length > 0 && words.join('') === shortNameParts.join('');
}

/** Tests for an acronym from texts and, in capitals, for initials of a party's name or their prefix (CRCE). */
function hasAcronym(words: readonly string[], input: string): CandidateTest {
  const letters = words.join('');
  const areInitials = letters.length >= minInitials && /^\p{Lu}+$/u.test(input.trim());
  const hasInitials = ({ parts }: ParsedName) => initialsOf(parts).some((each) => each.startsWith(letters));
  return (candidate) =>
    (candidate.acronyms ?? []).includes(letters) ||
    (areInitials && isParty(candidate) && hasInitials(candidate.parsedName));
}

/** Tests for all parts of a name in any order; spaces are ignored if they are in order or rotated (LEROC Anne). */
function hasWholeName(words: readonly string[], namesOf: (candidate: Candidate) => ParsedName[]): CandidateTest {
  const starts = words.length > maxRotatedWords ? [0] : words.keys();
  const rotations = new Set(Array.from(starts, (at) => [...words.slice(at), ...words.slice(0, at)].join('')));
  const sorted = words.toSorted().join(' ');
  const isName = ({ parts }: ParsedName) =>
    rotations.has(parts.join('')) || (parts.length > 0 && parts.toSorted().join(' ') === sorted);
  return (candidate) => namesOf(candidate).some(isName);
}

function hasWords(words: readonly string[]): CandidateTest {
  return ({ parsedName, parsedFormerNames }) =>
    words.length > 0 &&
    [parsedName, ...parsedFormerNames].some(({ tokens }) => words.every((word) => tokens().includes(word)));
}

/** Tests for a popular form of a party's name: les insoumis, le groupe socialiste. */
function hasForms(words: readonly string[], input: string): CandidateTest {
  // A lower-case word that cannot mean people is no party name: rivages is not Pour le Rivage.
  if (/^\s*\p{Ll}+\s*$/u.test(input) && !mayNamePeople(input)) return () => false;
  const hasForm = ({ parts }: ParsedName) => matchedNameShare(words, parts) > 0;
  return (candidate) => isParty(candidate) && [candidate.parsedName, ...candidate.parsedFormerNames].some(hasForm);
}

/** Tests whether each word is a prefix of a word of the name, or initials of consecutive words (JL Merlin). */
function hasPrefixes(words: readonly string[]): CandidateTest {
  if (words.length === 0 || (words.length === 1 && words[0]!.length <= longestAcronym)) return () => false;
  // A letter abbreviates only a word that no full word of the query matches: Anne M. is not Luc Anne-Vatel.
  const fullWords = words.filter(({ length }) => length > 1);
  const isUnmatched = (part: string) => !fullWords.some((other) => part.startsWith(other));
  const isPrefixMatch = (word: string, { parts, tokens }: ParsedName) =>
    word.length === 1
      ? parts.some((part) => part.startsWith(word) && isUnmatched(part))
      : tokens().some((token) => token.startsWith(word)) || (words.length > 1 && matchesInitials(word, parts));
  return ({ parsedName, parsedFormerNames }) =>
    [parsedName, ...parsedFormerNames].some((name) => words.every((word) => isPrefixMatch(word, name)));
}

/** Keys and names of candidates, without duplicate keys. */
export function distinctNames(candidates: readonly KeyedName[]): KeyedName[] {
  return [...new Map(candidates.map(({ key, name }) => [key, { key, name }])).values()];
}

/** Shortest particle and word, joined, in which a mistake is allowed. */
const minJoinedLength = 6;

/** Returns guesses for a query without a match, likeliest first; they may be suggested, never chosen. */
export function guessNames(input: string, candidates: readonly Candidate[]): NameMatch[] {
  // Longer short names (LFI-NFP for LFI), names with these initials, and similar names.
  for (const { words } of nameReadings(input)) {
    const letters = words.join('');
    const areLetters = words.length === 1 || words.every((word) => word.length === 1);
    const mayBeInitials = areLetters && letters.length > 1 && letters.length < 9;
    const nearnessTo = createNearnessTest(words);
    const guesses = candidates.flatMap((candidate) => {
      const { parsedName, shortNameParts } = candidate;
      const likenesses: (Pick<NameMatch, 'matchKind' | 'distance'> | null | false)[] = [
        words.length === 1 && words[0] === shortNameParts[0] && { matchKind: 'prefix', distance: 0 },
        mayBeInitials && initialsOf(parsedName.parts).includes(letters) && { matchKind: 'initials', distance: 0 },
        nearnessTo(parsedName.parts),
      ];
      return likenesses.flatMap((likeness): NameMatch[] => (likeness ? [{ candidate, words, ...likeness }] : []));
    });
    if (guesses.length > 0) return guesses.sort((a, b) => a.distance - b.distance || byCertainty(a, b));
  }
  return [];
}

/** Creates a test of likeness to a name: collapses tripled letters, and also tries particles joined (Le Penn). */
function createNearnessTest(words: readonly string[]): (parts: string[]) => ReturnType<typeof nearness> {
  const reducedWords = words.map((word) => word.replace(/(\p{L})\1{2,}/gu, '$1$1'));
  const joined = withJoinedParticles(reducedWords);
  const isJoined = joined.length < reducedWords.length && joined.every(({ length }) => length >= minJoinedLength);
  return (parts) => nearness(reducedWords, parts) ?? (isJoined ? nearness(joined, parts) : null);
}

function byCertainty(a: NameMatch, b: NameMatch): number {
  return (
    matchKinds.indexOf(a.matchKind) - matchKinds.indexOf(b.matchKind) ||
    (b.candidate.countReferences?.() ?? 0) - (a.candidate.countReferences?.() ?? 0) ||
    byName(a.candidate, b.candidate)
  );
}
