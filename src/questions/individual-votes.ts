import { AmbiguousNameError, NotFoundError, UsageError } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import { fold } from '../language/fold.ts';
import { nameWords } from '../language/name.ts';
import { isStopWord } from '../language/stop-words.ts';
import { staysOf } from '../model/affiliation.ts';
import { isNonAttached } from '../model/ballot.ts';
import { type Document, slugOf, textOf } from '../model/document.ts';
import { kindOf } from '../model/kinds.ts';
import { dayMs, splitDays } from '../model/moment.ts';
import { findGroups, ifResolved } from '../names/lookup.ts';
import { partyFacts } from '../names/party-groups.ts';
import { searchNames } from '../names/search.ts';
import { isNameOfLaw, wordBefore } from '../names/title.ts';
import { premierDays } from '../parliament/premiership.ts';
import type { Mirror } from '../store/mirror.ts';
import { readRecord } from '../store/record.ts';
import type { ResolvedGroups } from '../store/records/agreement.ts';
import { listBallots, votingGroups } from '../store/records/ballots.ts';
import { clauses, type Phrase, say } from '../words/speech.ts';
import type { BallotLink, Remark } from './question.ts';

/** A person whose votes a text asks for, with the words of the subject and the days that the text names. */
type PersonVoteQuery = { key: string; name: string; q: string | undefined; days: ReturnType<typeof splitDays>['days'] };

/** Matches a folded word for voting or a ballot. */
const voteWordPattern = /^(?:vot(?:es?|ee?s?|ed|ing|er|ent|ait)|scrutins?|ballots?)$/;
/** Matches a folded word that belongs to the question, not to its subject. */
const questionWord =
  /^(?:how|did|does|do|has|have|was|were|what|which|who|the|comment|quel(?:le)?s?|position|contre|pour|for|against|about|on|of|deputes?|senateurs?|groupes?)$/;

/** Matches names for members of a group, such as "socialistes" or "insoumis". */
const membersWordPattern = /(?:istes?|cains?|soumis|crates?)$/;

const maxPeople = 3;
const maxTerms = 3; // linked terms of one person

/** Matches subjects on which a Prime Minister is named as head of the government. */
const governmentPattern = /\bcensure|\bconfiance|\bconfidence|\b49[-. ]\d/iu;

/** Matches texts that ask how somebody voted. */
const howVotedPattern = /(?<!\p{L})(?:vot(?:é|ed|ait|ent|er)|how|did|comment)(?!\p{L})/iu;

/**
 * Returns a note for a text that asks how a person or group voted, with commands that list those ballots; else none.
 * A text without a word such as "vote" must filter ballots (`isAboutBallots`), by two words of a name or one alone.
 */
export function individualVoteNotes(mirror: Mirror, text: string, isAboutBallots = false): Remark[] {
  const words = text.split(/[\s?!«»"“”,;:]+/u).filter((word) => word !== '');
  const otherWords = words.filter((word) => !voteWordPattern.test(fold(word)));
  const hasVoteWord = otherWords.length < words.length;
  if (!hasVoteWord && !isAboutBallots) return [];
  const query = otherWords.join(' ').slice(0, 200);
  const groupNotes = hasVoteWord ? groupVoteNotes(mirror, query) : null;
  if (groupNotes !== null) return groupNotes;
  const search = { kinds: ['politician'], limit: 2 * maxPeople, allowsGuesses: false } as const;
  const { names, remainingWords } = searchNames(mirror, query, search);
  const { words: subjectWords, days } = splitSubject(remainingWords);
  const q = extractSubject(subjectWords);
  const isSurnameEnough = hasVoteWord || q === undefined;
  const people = names
    .filter(({ matchedWords }) => isSurnameEnough || matchedWords.length > 1)
    .filter(({ matchedWords }) => !isNameOfLaw(otherWords, matchedWords))
    .filter(({ key, matchedWords }) => hasSurname(mirror, key, matchedWords))
    .slice(0, maxPeople)
    .map(({ key, name, matchedWords: [first] }) => ({ key, name, q, days, first }));
  const asksForVote = howVotedPattern.test(text);
  if (people.length === 0) {
    if (isAboutBallots || !asksForVote || q === undefined) return [];
    const subject = { label: q, filters: { q } };
    return hasBallots(mirror, subject) ? [createNote(say`the votes on this subject`, [subject])] : [];
  }
  // "censure contre X" and "censure X" concern the government of X; "how X voted on the censure", the vote of X.
  const isAgainst = people.some(({ first }) => /^(?:d[eu]|contre|against|of)$/i.test(wordBefore(otherWords, first!)));
  const concernsGovernment = governmentPattern.test(q ?? '') && (isAgainst || !asksForVote);
  const termLinks = concernsGovernment ? people.flatMap((person) => premierLinks(mirror, person)) : [];
  if (termLinks.length > 0)
    return [createNote(say`ballots in the days as Prime Minister that the biography states`, termLinks)];
  const links = people.flatMap((person) => groupLinks(mirror, person));
  if (links.length > 0)
    return [createNote(say`the service publishes votes by group only, never by person; those of the group`, links)];
  const { name } = people[0]!;
  return [say`the service publishes votes by group only, never by person; no such vote here is of a group of ${name}`];
}

/** Returns a note for words that name a group and a subject, none without ballots; null if either is not named. */
function groupVoteNotes(mirror: Mirror, query: string): Remark[] | null {
  const { names, remainingWords } = searchNames(mirror, query, { limit: maxPeople, allowsGuesses: false });
  const party = names.find(({ kind }) => kind === 'party');
  const votersOf = (word: string) => ifResolved(() => findGroups(mirror, word, votingGroups(mirror))) ?? [];
  const memberWord = remainingWords.find((word) => membersWordPattern.test(fold(word)) && votersOf(word).length > 0);
  const groupWords = party?.matchedWords ?? (memberWord === undefined ? [] : [memberWord]);
  if (groupWords.length === 0) return null;
  const isSubjectWord = (word: string) => !groupWords.includes(word);
  // First with names of people, which may name a law (loi Veil), then without them (la censure de Veil).
  const links = [query.split(' '), remainingWords].map((words) => ({
    label: groupWords.join(' '),
    filters: { group: party?.key ?? groupWords[0], q: extractSubject(words.filter(isSubjectWord)) },
  }));
  if (links.every(({ filters }) => filters.q === undefined)) return null;
  const link = links.find((each) => each.filters.q !== undefined && hasBallots(mirror, each));
  return link ? [createNote(say`the votes on this subject`, [link])] : [];
}

/** Splits words into those of a subject and days; a year after a subject word (budget 2025) stays a word. */
function splitSubject(words: string[]): ReturnType<typeof splitDays> {
  const splitWords = splitDays(words);
  const yearIndex = words.findIndex((word) => /^20\d\d$/.test(word));
  const isWholeYear = splitWords.days?.map((day) => day.slice(4)).join() === '-01-01,-12-31';
  const followsSubject = extractSubject(words.slice(Math.max(0, yearIndex - 1), yearIndex)) !== undefined;
  return isWholeYear && followsSubject ? { words, days: null } : splitWords;
}

/** Returns a note with the command for each link; pages use `sentence` and `links`. */
function createNote(sentence: Phrase, links: BallotLink[]): Remark {
  const lines = links.map(({ label, filters: { group, q, since, until } }) => {
    const flags = Object.entries({ '--group': group, '-q': q, '--since': since, '--until': until });
    const line = ['hemicycle', 'ballots', ...flags.flatMap(([flag, value]) => (value ? [flag, value] : []))];
    return `${label}, \`${shellLine(line)}\``;
  });
  return Object.assign(say`${sentence}: ${clauses(lines)}`, { sentence, links });
}

/** Returns the slugs of the voting groups that a name matches; an error for a person's name notes their groups. */
export function findVoters(mirror: Mirror, name: string): string[] {
  try {
    return findGroups(mirror, name, votingGroups(mirror));
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof AmbiguousNameError)
      for (const note of individualVoteNotes(mirror, name, true)) error.withRemark(note);
    throw error;
  }
}

/** Returns the words between the first and the last that are no question words or stop words; undefined if none. */
function extractSubject(words: readonly string[]): string | undefined {
  const isContent = (word: string) => nameWords(word).some((part) => !isStopWord(part) && !questionWord.test(part));
  const first = words.findIndex(isContent);
  return first < 0 ? undefined : words.slice(first, words.findLastIndex(isContent) + 1).join(' ');
}

/** True if the words contain a part of the surname, since a first name alone identifies nobody. */
function hasSurname(mirror: Mirror, slug: string, matchedWords: readonly string[]): boolean {
  const politician = readRecord(mirror, kindOf('politician'), slug) ?? {};
  const surname = textOf(politician, 'last_name') ?? textOf(politician, 'full_name')?.split(' ').at(-1) ?? '';
  const typedWords = matchedWords.flatMap((word) => nameWords(word));
  return nameWords(surname).some((part) => part.length > 2 && typedWords.includes(part));
}

/** Throws a UsageError if a parameter names only non-attached members, who are no group. */
export function refuseNonAttached(mirror: Mirror, parameter: string, { requestedName, groups }: ResolvedGroups): void {
  if (!groups.every((party) => isNonAttachedIn(mirror, party))) return;
  throw new UsageError(
    say`"${requestedName}" are non-attached members, not a group: they have no position, cohesion or dissent`,
    say`give a group, or none for all groups`,
  ).withFault(parameter, say`contains non-attached members, as "${requestedName}"`);
}

const isNonAttachedIn = (mirror: Mirror, party: string) =>
  isNonAttached({ party, party_name: partyFacts(mirror).get(party)?.name ?? null });

/** A politician's term in a group that voted: first and last day, null if no affiliation states them. */
export type GroupTerm = { party: string; first: string | null; last: string | null };

/** Returns terms in groups that voted, newest first and without overlap; that of the profile's group may lack days. */
export function groupTerms(mirror: Mirror, politician: Document): GroupTerm[] {
  const isVoter = ({ party }: { party: string }) => votingGroups(mirror).has(party);
  const stays = staysOf(politician).filter((each) => isVoter(each) || partyFacts(mirror).get(each.party)?.chamber);
  const datedTerms = stays.map(({ party, first, last }): GroupTerm => {
    const nextMs = Date.parse(stays.find((each) => each.first > first)?.first ?? '');
    const dayBeforeNext = Number.isNaN(nextMs) ? null : new Date(nextMs - dayMs).toISOString().slice(0, 10);
    return { party, first, last: [last, dayBeforeNext].filter((day) => day !== null).sort()[0] ?? null };
  });
  const group = slugOf(politician.group ?? null);
  const hasUndatedGroup = group !== null && !datedTerms.some(({ party }) => party === group);
  const undatedTerms = hasUndatedGroup ? [{ party: group, first: null, last: null }] : [];
  const terms = [...undatedTerms, ...datedTerms.toReversed()];
  return terms.filter((each) => isVoter(each) && !isNonAttachedIn(mirror, each.party));
}

/** Links to ballots on the subject during the person's latest terms; without any, to all ballots of the latest term. */
function groupLinks(mirror: Mirror, { key, name, q, days }: PersonVoteQuery): BallotLink[] {
  const politician = readRecord(mirror, kindOf('politician'), key) ?? {};
  const links = groupTerms(mirror, politician).map(({ party, first, last }) => ({
    label: `${partyFacts(mirror).get(party)?.name ?? party} (${name})`,
    filters: { group: party, q, ...daysWithin([first, last], days) },
  }));
  const hasAnswer = (each: BallotLink) => hasBallots(mirror, each);
  const subjectLinks = links.values().filter(hasAnswer).take(maxTerms).toArray();
  if (subjectLinks.length > 0) return subjectLinks;
  const linksWithoutWords = links.map((each) => ({ ...each, filters: { ...each.filters, q: undefined } }));
  return linksWithoutWords.filter(hasAnswer).slice(0, 1);
}

/** Returns a link to ballots on the subject while the person was Prime Minister; empty without such days or ballots. */
function premierLinks(mirror: Mirror, { key, name, q, days }: PersonVoteQuery): BallotLink[] {
  const term = premierDays(readRecord(mirror, kindOf('politician'), key) ?? {});
  const link = { label: name, filters: { q, ...daysWithin(term, days) } };
  return term !== null && hasBallots(mirror, link) ? [link] : [];
}

/** Returns the days that a term and a text have in common; open ends are undefined. */
function daysWithin(term: readonly (string | null)[] | null, days: PersonVoteQuery['days']) {
  const sortedDays = (at: 0 | 1) => [term?.[at], days?.[at]].filter((day) => typeof day === 'string').sort();
  return { since: sortedDays(0).at(-1), until: sortedDays(1)[0] };
}

const hasBallots = (mirror: Mirror, { filters: { q, since, until } }: BallotLink): boolean =>
  listBallots(mirror, { q, since, until, voted: [], sort: 'date', limit: 1 }).items.length > 0;
