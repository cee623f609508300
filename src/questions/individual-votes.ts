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

/** A person, the words to search, and the days that the question names. */
type PersonalVote = { key: string; name: string; q: string | undefined; days: ReturnType<typeof splitDays>['days'] };

const voteWord = /^(?:vot(?:es?|ee?s?|ed|ing|er|ent|ait)|scrutins?|ballots?)$/;
const questionWord =
  /^(?:how|did|does|do|has|have|was|were|what|which|who|the|comment|quel(?:le)?s?|position|contre|pour|for|against|about|on|of|deputes?|senateurs?|groupes?)$/;

/** What members of a group are called: les socialistes, les insoumis. */
const membersWord = /(?:istes?|cains?|soumis|crates?)$/;

const maxPeople = 3;
const maxTerms = 3;

/** Subjects on which a Prime Minister is named as head of the government, unless a text asks how the person voted. */
const governmentWord = /\bcensure|\bconfiance|\bconfidence|\b49[-. ]\d/iu;
const personalVote = /(?<!\p{L})(?:vot(?:é|ed|ait|ent|er)|how|did|comment)(?!\p{L})/iu;

/** A note for a text that asks how a person or group voted, with commands for the votes of the groups; else none. */
export function individualVoteNotes(mirror: Mirror, text: string, isOfVotes = false): Remark[] {
  const words = text.split(/[\s?!«»"“”,;:]+/u).filter((word) => word !== '');
  const otherWords = words.filter((word) => !voteWord.test(fold(word)));
  const hasVoteWord = otherWords.length < words.length;
  // With `isOfVotes`, a full name or a surname alone needs no word such as "vote".
  if (!hasVoteWord && !isOfVotes) return [];
  const query = otherWords.join(' ').slice(0, 200);
  const search = { kinds: ['politician'], limit: 2 * maxPeople, allowsGuesses: false } as const;
  const groupNotes = hasVoteWord ? groupVoteNotes(mirror, query) : null;
  if (groupNotes !== null) return groupNotes;
  const { names, remainingWords } = searchNames(mirror, query, search);
  const { words: subjectWords, days } = splitSubject(remainingWords);
  const q = subjectIn(subjectWords);
  const isClear = hasVoteWord || q === undefined;
  const people = names
    .filter(({ matchedWords }) => (isClear || matchedWords.length > 1) && !isNameOfLaw(otherWords, matchedWords))
    .filter(({ key, matchedWords }) => hasSurname(mirror, key, matchedWords))
    .slice(0, maxPeople)
    .map(({ key, name, matchedWords: [first] }) => ({ key, name, q, days, first }));
  const subject = { label: q ?? '', filters: { q } };
  if (people.length === 0)
    return q !== undefined && !isOfVotes && personalVote.test(text) && hasBallots(mirror, subject)
      ? [noteOf(say`the votes on this subject`, [subject])]
      : [];
  // A motion "de" or "contre" a person is against the government.
  const isAgainst = people.some(({ first }) => /^(?:d[eu]|contre|against|of)$/i.test(wordBefore(otherWords, first!)));
  const isOfGovernment = governmentWord.test(q ?? '') && (isAgainst || !personalVote.test(text));
  const ofTerms = isOfGovernment ? people.flatMap((person) => premierLinks(mirror, person)) : [];
  if (ofTerms.length > 0)
    return [noteOf(say`ballots in the days as Prime Minister that the biography states`, ofTerms)];
  const links = people.flatMap((person) => groupLinks(mirror, person));
  if (links.length > 0)
    return [noteOf(say`the service publishes votes by group only, never by person; those of the group`, links)];
  const { name } = people[0]!;
  return [say`the service publishes votes by group only, never by person; no such vote here is of a group of ${name}`];
}

/** A note for words that name a group and a subject, none without ballots on it; null without a group or subject. */
function groupVoteNotes(mirror: Mirror, query: string): Remark[] | null {
  const search = { limit: maxPeople, allowsGuesses: false };
  const { names, remainingWords } = searchNames(mirror, query, search);
  const party = names.find(({ kind }) => kind === 'party');
  const voters = (word: string) => ifResolved(() => findGroups(mirror, word, votingGroups(mirror))) ?? [];
  const members = remainingWords.filter((word) => membersWord.test(fold(word)) && voters(word).length > 0).slice(0, 1);
  const groupWords = party?.matchedWords ?? members;
  if (groupWords.length === 0) return null;
  const isOther = (word: string) => !groupWords.includes(word);
  // A name may be that of a law (loi Veil), or of a Prime Minister beside the subject (la censure de Veil).
  const links = [query.split(' '), remainingWords].map((words) => ({
    label: groupWords.join(' '),
    filters: { group: party?.key ?? groupWords[0], q: subjectIn(words.filter(isOther)) },
  }));
  if (links.every(({ filters }) => filters.q === undefined)) return null;
  const link = links.find((each) => each.filters.q !== undefined && hasBallots(mirror, each));
  return link ? [noteOf(say`the votes on this subject`, [link])] : [];
}

/** The words and days of a subject; a year that belongs to a name before it (budget 2025) is no period. */
function splitSubject(words: string[]): ReturnType<typeof splitDays> {
  const split = splitDays(words);
  const year = words.findIndex((word) => /^20\d\d$/.test(word));
  const isWholeYear = split.days?.map((day) => day.slice(4)).join() === '-01-01,-12-31';
  const hasName = subjectIn(words.slice(Math.max(0, year - 1), year)) !== undefined;
  return isWholeYear && hasName ? { words, days: null } : split;
}

function noteOf(sentence: Phrase, links: BallotLink[]): Remark {
  const lines = links.map(({ label, filters: { group, q, since, until } }) => {
    const flags = Object.entries({ '--group': group, '-q': q, '--since': since, '--until': until });
    const line = ['hemicycle', 'ballots', ...flags.flatMap(([flag, value]) => (value ? [flag, value] : []))];
    return `${label}, \`${shellLine(line)}\``;
  });
  return Object.assign(say`${sentence}: ${clauses(lines)}`, { sentence, links });
}

/** The slugs of the voting groups that a name means; an error about a person's name leads to the person's groups. */
export function findVoters(mirror: Mirror, name: string): string[] {
  try {
    return findGroups(mirror, name, votingGroups(mirror));
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof AmbiguousNameError)
      for (const note of individualVoteNotes(mirror, name, true)) error.withRemark(note);
    throw error;
  }
}

/** The words about something else than persons and votes, without question words at both ends. */
function subjectIn(words: readonly string[]): string | undefined {
  const isContent = (word: string) => nameWords(word).some((part) => !isStopWord(part) && !questionWord.test(part));
  const first = words.findIndex(isContent);
  return first < 0 ? undefined : words.slice(first, words.findLastIndex(isContent) + 1).join(' ');
}

/** True if the words contain the surname: a first name alone identifies nobody. */
function hasSurname(mirror: Mirror, slug: string, matchedWords: readonly string[]): boolean {
  const politician = readRecord(mirror, kindOf('politician'), slug) ?? {};
  const surname = textOf(politician, 'last_name') ?? textOf(politician, 'full_name')?.split(' ').at(-1) ?? '';
  const typedWords = matchedWords.flatMap((word) => nameWords(word));
  return nameWords(surname).some((part) => part.length > 2 && typedWords.includes(part));
}

/** Refuses a filter for a figure of non-attached members, who are no group. */
export function refuseNonAttached(mirror: Mirror, parameter: string, { requestedName, groups }: ResolvedGroups): void {
  if (!groups.every((party) => isNonAttachedIn(mirror, party))) return;
  throw new UsageError(
    say`"${requestedName}" are non-attached members, not a group: they have no position, cohesion or dissent`,
    say`give a group, or none for all groups`,
  ).withFault(parameter, say`contains non-attached members, as "${requestedName}"`);
}

const isNonAttachedIn = (mirror: Mirror, party: string) =>
  isNonAttached({ party, party_name: partyFacts(mirror).get(party)?.name ?? null });

/** A politician's term in a group that voted; null days where no affiliation states them. */
export type GroupTerm = { party: string; first: string | null; last: string | null };

/** Terms in groups that voted, newest first, each until the next in any chamber; undated, the group of the profile. */
export function groupTerms(mirror: Mirror, politician: Document): GroupTerm[] {
  const isVoter = ({ party }: { party: string }) => votingGroups(mirror).has(party);
  const seats = staysOf(politician).filter((each) => isVoter(each) || partyFacts(mirror).get(each.party)?.chamber);
  const dated = seats.map(({ party, first, last }): GroupTerm => {
    const next = Date.parse(seats.find((each) => each.first > first)?.first ?? '');
    const dayBefore = Number.isNaN(next) ? null : new Date(next - dayMs).toISOString().slice(0, 10);
    return { party, first, last: [last, dayBefore].filter((day) => day !== null).sort()[0] ?? null };
  });
  const group = slugOf(politician.group ?? null);
  const isDated = group === null || dated.some(({ party }) => party === group);
  return [...(isDated ? [] : [{ party: group, first: null, last: null }]), ...dated.toReversed()].filter(
    (each) => isVoter(each) && !isNonAttachedIn(mirror, each.party),
  );
}

/** Links to the person's latest groups with ballots on the subject in its days; else to the latest without words. */
function groupLinks(mirror: Mirror, { key, name, q, days }: PersonalVote): BallotLink[] {
  const politician = readRecord(mirror, kindOf('politician'), key) ?? {};
  const links = groupTerms(mirror, politician).map(({ party, first, last }) => ({
    label: `${partyFacts(mirror).get(party)?.name ?? party} (${name})`,
    filters: { group: party, q, ...daysWithin([first, last], days) },
  }));
  const isAnswering = (each: BallotLink) => hasBallots(mirror, each);
  const answering = links.values().filter(isAnswering).take(maxTerms).toArray();
  if (answering.length > 0) return answering;
  const withoutWords = links.map((each) => ({ ...each, filters: { ...each.filters, q: undefined } }));
  return withoutWords.filter(isAnswering).slice(0, 1);
}

/** A link to the ballots on the subject while the person was Prime Minister; empty if that is unknown or has none. */
function premierLinks(mirror: Mirror, { key, name, q, days }: PersonalVote): BallotLink[] {
  const term = premierDays(readRecord(mirror, kindOf('politician'), key) ?? {});
  const link = { label: name, filters: { q, ...daysWithin(term, days) } };
  return term !== null && hasBallots(mirror, link) ? [link] : [];
}

/** The days that a term and a question have in common; open ends are undefined. */
function daysWithin(term: readonly (string | null)[] | null, days: PersonalVote['days']) {
  const [firsts, lasts] = [0, 1].map((at) => [term?.[at], days?.[at]].filter((day) => typeof day === 'string').sort());
  return { since: firsts!.at(-1), until: lasts![0] };
}

const hasBallots = (mirror: Mirror, { filters: { q, since, until } }: BallotLink): boolean =>
  listBallots(mirror, { q, since, until, voted: [], sort: 'date', limit: 1 }).items.length > 0;
