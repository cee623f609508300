import { AmbiguousNameError, NotFoundError } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import { fold } from '../language/fold.ts';
import { nameWords } from '../language/name.ts';
import { isStopWord } from '../language/stop-words.ts';
import { staysOf } from '../model/affiliation.ts';
import { isNonAttached } from '../model/ballot.ts';
import { slugOf, textOf } from '../model/document.ts';
import { kindOf } from '../model/kinds.ts';
import { findGroups } from '../names/lookup.ts';
import { partyFacts } from '../names/party-groups.ts';
import { searchNames } from '../names/search.ts';
import type { Mirror } from '../store/mirror.ts';
import { readRecord } from '../store/record.ts';
import { listBallots, votingGroups } from '../store/records/ballots.ts';
import { type Phrase, say } from '../words/speech.ts';

/** A period of a person in a group that voted; null days for one without dates. */
type GroupTerm = { party: string; first: string | null; last: string | null };

const voteWord = /^(?:vot(?:es?|ee?s?|ed|ing|er|ent|ait)|scrutins?|ballots?)$/;
const questionWord =
  /^(?:how|did|does|do|has|have|was|were|what|which|comment|quel(?:le)?s?|position|contre|pour|for|against|about|on|of)$/;

const mostPeople = 3;
const mostTerms = 3;

/**
 * One sentence for a text that asks how a person voted: only votes of groups are published, and commands list those of
 * the person's groups. Empty for other texts. `isOfVotes`: a full name, or a surname alone, needs no word like "vote".
 */
export function individualVoteNotes(mirror: Mirror, text: string, isOfVotes = false): Phrase[] {
  const words = text.split(/[\s?!«»"“”,;:]+/u).filter((word) => word !== '');
  const otherWords = words.filter((word) => !voteWord.test(fold(word)));
  const hasVoteWord = otherWords.length < words.length;
  if (!hasVoteWord && !isOfVotes) return [];
  const query = otherWords.join(' ').slice(0, 200);
  const search = { kinds: ['politician'], limit: 2 * mostPeople, areGuessed: false } as const;
  const { names, remainingWords } = searchNames(mirror, query, search);
  const subject = subjectIn(remainingWords);
  const isClear = hasVoteWord || subject === null;
  const people = names
    .filter(({ key, matchedWords }) => hasSurname(mirror, key, matchedWords) && (isClear || matchedWords.length > 1))
    .slice(0, mostPeople);
  if (people.length === 0) return [];
  const groups = partyFacts(mirror);
  const lines = people.flatMap(({ key, name }) =>
    termsOf(mirror, key, subject).map(
      ([term, words]) => `${groups.get(term.party)?.name ?? term.party} (${name}), \`${commandOf(term, words)}\``,
    ),
  );
  if (lines.length > 0)
    return [say`the service publishes votes by group only, never by person; those of the group: ${lines.join('; ')}`];
  const { name } = people[0]!;
  return [say`the service publishes votes by group only, never by person; this mirror has none of a group of ${name}`];
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
function subjectIn(words: readonly string[]): string | null {
  const isContent = (word: string) => nameWords(word).some((part) => !isStopWord(part) && !questionWord.test(part));
  const first = words.findIndex(isContent);
  return first < 0 ? null : words.slice(first, words.findLastIndex(isContent) + 1).join(' ');
}

/** True if the words contain the surname: a first name alone identifies nobody. */
function hasSurname(mirror: Mirror, slug: string, matchedWords: readonly string[]): boolean {
  const politician = readRecord(mirror, kindOf('politician'), slug) ?? {};
  const surname = textOf(politician, 'last_name') ?? textOf(politician, 'full_name')?.split(' ').at(-1) ?? '';
  const typed = matchedWords.flatMap((word) => nameWords(word));
  return nameWords(surname).some((part) => part.length > 2 && typed.includes(part));
}

/** The latest terms with ballots on the subject, each with the words to search; else the latest term without words. */
function termsOf(mirror: Mirror, slug: string, subject: string | null): [GroupTerm, string | null][] {
  const politician = readRecord(mirror, kindOf('politician'), slug) ?? {};
  const dated = staysOf(politician).toReversed();
  const group = slugOf(politician.group);
  const isDated = group === null || dated.some(({ party }) => party === group);
  const terms: GroupTerm[] = [...(isDated ? [] : [{ party: group, first: null, last: null }]), ...dated]
    .filter(({ party }) => votingGroups(mirror).has(party))
    .filter(({ party }) => !isNonAttached({ party, party_name: partyFacts(mirror).get(party)?.name ?? null }));
  const votingTerms = terms.values().filter(({ first, last }) => {
    const filter = { q: subject ?? undefined, since: first ?? undefined, until: last ?? undefined };
    return listBallots(mirror, { ...filter, voted: [], sort: 'date', limit: 1 }).items.length > 0;
  });
  const chosen = [...votingTerms.take(mostTerms)].map((term): [GroupTerm, string | null] => [term, subject]);
  return chosen.length > 0 ? chosen : terms.slice(0, 1).map((term) => [term, null]);
}

const commandOf = ({ party, first, last }: GroupTerm, words: string | null): string => {
  const flags = Object.entries({ '--group': party, '-q': words, '--since': first, '--until': last });
  return shellLine(['hemicycle', 'ballots', ...flags.flatMap(([flag, value]) => (value ? [flag, value] : []))]);
};
