import { byCodeUnit } from '../language/fold.ts';
import { isStopWord } from '../language/stop-words.ts';
import type { Candidate } from './candidate.ts';
import { type NameDatabase, type NamedKind, namedKinds } from './database.ts';
import {
  inThousandths,
  isElided,
  isWrittenAsAcronym,
  namesAmong,
  type RankedCandidate,
  type RankedName,
  typedWords,
} from './names-in-text.ts';
import { byName } from './nearness.ts';
import { groupsByParty, latestGroupsFirst, partyFacts } from './party-groups.ts';
import { matchedNameShare, parsePartyQualifiers } from './party-name.ts';
import { roleHolders } from './roles.ts';
import { baseScores, guessNames, hasEnded, type MatchKind, matchNames, type NameMatch } from './rules.ts';
import { nameSource } from './source.ts';

/** Kinds to search, maximum number of names, and whether guesses (`initials`, `sound`, `typo`) are returned. */
export type NameSearch = {
  kinds?: readonly NamedKind[] | undefined;
  limit: number;
  allowsGuesses?: boolean | undefined; // default: true
};

/** Returns the records that match the query, best first; `remainingWords` are the words outside any name. */
export function searchNames(db: NameDatabase, query: string, options: NameSearch) {
  const { kinds = namedKinds, limit, allowsGuesses = true } = options;
  // The first search with a result decides: a role, the whole query, a party with a chamber or year, guesses, and names
  // among the words ("merlin retraites"). Of equal scores, current parties come first, then the most referenced.
  const words = typedWords(query);
  const texts = words.map(({ text }) => text);
  const isAcronym = words.length === 1 && isWrittenAsAcronym(words);
  const areStopWords = !isAcronym && words.every(({ parts }) => parts.every(isStopWord));
  if (words.length === 0 || areStopWords) return { names: [], remainingWords: texts };
  const politiciansWithRole = kinds.includes('politician') ? roleHolders(db, query) : [];
  if (politiciansWithRole.length > 0) return { names: politiciansWithRole.slice(0, limit), remainingWords: [] };
  const sources = kinds.map((kind) => ({ kind, source: nameSource(db, kind, query) }));
  const sure = sources.flatMap(({ kind, source }) => rankMatches(kind, matchNames(query, source.byAllWords()), texts));
  if (sure.length > 0) return { names: bestNames(sure, limit), remainingWords: [] };
  const partyMatches = kinds.includes('party') ? searchQualifiedParties(db, query) : [];
  if (partyMatches.length > 0) {
    const ordered = rankMatches('party', partyMatches, texts).map((each, at) => ({ ...each, score: 1 - at / 1000 }));
    return { names: bestNames(ordered, limit), remainingWords: [] }; // the scores keep their order
  }
  const guesses = !allowsGuesses
    ? []
    : sources.flatMap(({ kind, source }) => rankMatches(kind, guessNames(query, source.bySimilarWords()), texts));
  if (guesses.length > 0) return { names: bestNames(guesses, limit), remainingWords: [] };
  if (words.length === 1 && !isElided(query)) return { names: [], remainingWords: texts };
  const partialMatch = namesAmong(words, sources);
  return { names: bestNames(partialMatch.matches, limit), remainingWords: partialMatch.remainingWords };
}

/** The parties and groups that a query names with a chamber or a year: PS sénat, LR 2018; empty without either. */
function searchQualifiedParties(db: NameDatabase, query: string): NameMatch[] {
  const qualifiedName = parsePartyQualifiers(query);
  if (qualifiedName === null) return [];
  const { remainingText, chamber, year } = qualifiedName;
  const matchesOfName = (text: string) =>
    matchNames(text, nameSource(db, 'party', text).byAllWords()).filter(({ matchKind }) => matchKind !== 'prefix');
  const partyMatches = matchesOfName(remainingText);
  const groups = latestGroupsFirst(partyMatches.flatMap(({ candidate }) => groupsByParty(db).get(candidate.key) ?? []));
  const all = [...groups.flatMap(({ slug }) => matchesOfName(slug)), ...partyMatches];
  const factsOf = ({ candidate }: NameMatch) => partyFacts(db).get(candidate.key);
  const startDate = (match: NameMatch) => factsOf(match)?.start_date ?? '';
  const hasQualifiers = (match: NameMatch) => {
    const isOfYear =
      year === null || (startDate(match).slice(0, 4) <= year && year <= (factsOf(match)?.end_date || '9999'));
    return isOfYear && (chamber === null || factsOf(match)?.chamber === chamber);
  };
  const qualifiedMatches = all.filter(
    (each, at) => hasQualifiers(each) && at === all.findIndex(({ candidate }) => candidate.key === each.candidate.key),
  );
  // Among several of one year, the latest comes first: LR 2018.
  qualifiedMatches.sort((one, other) => byCodeUnit(startDate(other), startDate(one)));
  const currentMatches = year === null ? qualifiedMatches.filter(({ candidate }) => !hasEnded(candidate)) : [];
  return currentMatches.length > 0 ? currentMatches : qualifiedMatches;
}

function rankMatches(kind: NamedKind, matches: NameMatch[], matchedWords: string[]): RankedCandidate[] {
  return matches.map(({ candidate, matchKind, words, distance }) => ({
    kind,
    candidate,
    matchKind,
    score: inThousandths(baseScores[matchKind] + coverageBonus(words, candidate, matchKind) - distance * 0.05),
    matchedWords,
    from: 0,
    to: matchedWords.length,
  }));
}

/** Score bonus: most for the whole surname, less for a part; for a party (no `surname`), by the share of its name. */
function coverageBonus(words: readonly string[], { parsedName, surname }: Candidate, matchKind: MatchKind): number {
  if (matchKind === 'forms') return 0.2 * matchedNameShare(words, parsedName.parts);
  const joined = words.join('');
  const isByWords = matchKind === 'words' || matchKind === 'prefix';
  if (surname === undefined) {
    if (matchKind === 'initials') return 0;
    return (isByWords ? 0.2 : 0.02) * Math.min(1, joined.length / Math.max(1, parsedName.parts.join('').length));
  }
  if (!isByWords) return 0;
  if (joined === surname || words.includes(surname))
    return words.every((word) => parsedName.parts.includes(word)) ? 0.2 : 0.195; // less if a word matches inexactly
  return words.some((word) => word.length > 2 && surname.includes(word)) ? 0.1 : 0;
}

const endedPenalty = 0.25;

/** The score by which names are sorted; lower for ended parties and groups, and for parties among other words. */
function sortScore({ kind, score, candidate, matchKind }: RankedCandidate): number {
  // Beside a person, a party only qualifies the person.
  if (matchKind === 'within') return kind === 'party' ? score - 1 : score;
  return score - (hasEnded(candidate) && matchKind !== 'key' ? endedPenalty : 0);
}

function bestNames(matches: RankedCandidate[], limit: number): RankedName[] {
  // References are counted only for matches that may be among the first; -1 is the lowest possible score.
  const minSortScore = matches.map(sortScore).sort((a, b) => b - a)[limit - 1] ?? -1;
  const sorted = matches
    .filter((each) => sortScore(each) >= minSortScore)
    .sort(
      (a, b) =>
        sortScore(b) - sortScore(a) ||
        // A current party precedes a group of the same name.
        (b.candidate.preference ?? 0) - (a.candidate.preference ?? 0) ||
        (b.candidate.countReferences?.() ?? 0) - (a.candidate.countReferences?.() ?? 0) ||
        byName(a.candidate, b.candidate),
    );
  let maxScore = 1; // returned scores never rise down the list, though `sortScore` and ties also decide the order
  return sorted.slice(0, limit).map(({ kind, candidate: { key, name }, matchKind, score, matchedWords }) => {
    maxScore = Math.min(maxScore, score);
    return { kind, key, name, matchKind, score: maxScore, matchedWords };
  });
}
