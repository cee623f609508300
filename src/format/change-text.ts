import { topicText } from '../language/topic-text.ts';
import { type Ballot, isNonAttached, type PartyVotes, readBallot, stanceOf, stances } from '../model/ballot.ts';
import { countsPhrase, outcomeSentence } from '../model/ballot-sentence.ts';
import { type Contradiction, contradictionPhrase } from '../model/contradiction.ts';
import { type Document, documentsIn, isDocument, textOf } from '../model/document.ts';
import { findKind } from '../model/kinds.ts';
import { isOneSided, supportOfPosition } from '../parliament/group-position.ts';
import { derivedOfGroup } from '../parliament/group-rows.ts';
import { type Noun, nouns } from '../words/nouns.ts';
import { capitalise, clauses, figure, type Speech, say } from '../words/speech.ts';
import { sanitiseLine, sanitiseProse } from './sanitise.ts';

const maxExcerptLength = 400; // Characters.
const minExcerptLength = 100; // A shorter excerpt is cut after a word, not after a sentence.

/** Returns a text on one line; one over 400 characters is cut after a sentence, otherwise after a word. */
export function excerptOf(text: string): string {
  const line = sanitiseLine(text);
  if (line.length <= maxExcerptLength) return line;
  const prefix = line.slice(0, maxExcerptLength);
  const [sentences = ''] = /^.*[.!?…»](?= \p{Lu})/u.exec(prefix) ?? [];
  return `${sentences.length >= minExcerptLength ? sentences : prefix.replace(/\s+\S*$/, '')} […]`;
}

/** Returns a change type, such as `edited`, in words: a noun if there is one, as French inflects adjectives. */
export function changeTypeText(changeType: string, speech: Speech): string {
  return changeType in nouns ? speech.noun(1, changeType as Noun) : speech.word(changeType);
}

const recordIn = ({ record }: Document) => (isDocument(record) ? record : {});

/** The name or slug of the person whom a changed record is about; null for a politician’s own record. */
const personIn = (change: Document) =>
  change.kind === 'politician' ? null : (textOf(recordIn(change), 'person') ?? textOf(change, 'politician'));

const maxShownFields = 3;

/** Returns a headline: `Withdrawn: promise of Océane Bruyèvre, “Des trains”`; without a change type, the record. */
export function changeHeadline(change: Document, speech: Speech): string {
  const [changeType = '', kind = '', key = ''] = ['change', 'kind', 'key'].map((field) => textOf(change, field) ?? '');
  const title = textOf(change, 'title') ?? key;
  const person = personIn(change);
  // The title names a person or party; for what is no record, such as a `silence`, it is a message.
  const isTitleEnough = findKind(kind) === undefined || kind === 'politician' || kind === 'party';
  const about = person === null ? speech.word(kind) : `${speech.word(kind)} ${speech.ofName(person)}`;
  const fields = documentsIn(change.fields).map(({ field }) => speech.field(String(field)));
  const edited = changeType === 'edited' && fields.length > 0 ? ` (${fields.slice(0, maxShownFields).join(', ')})` : '';
  const subject = isTitleEnough ? `${title}${edited}` : `${about}${edited}, ${speech.quoted(excerptOf(title))}`;
  if (changeType === '') return sanitiseProse(capitalise(subject));
  return sanitiseProse(speech.say`${capitalise(changeTypeText(changeType, speech))}: ${subject}`);
}

const maxShownGroups = 3;

/** Returns a subject line: `Withdrawn: 2 promises of Océane Bruyèvre`; `total` includes unlisted changes. */
export function changesSubject(changes: readonly Document[], total: number, speech: Speech): string {
  const [firstChange] = changes;
  if (firstChange && total === 1) return changeHeadline(firstChange, speech);
  const groups = [...Map.groupBy(changes, ({ change, kind }) => `${change} ${kind}`).values()];
  const shownGroups = groups.slice(0, maxShownGroups);
  const otherCount = total - shownGroups.reduce((sum, { length }) => sum + length, 0);
  const parts = [
    ...shownGroups.map((group) => groupText(group, speech)),
    ...(otherCount > 0 && shownGroups.length > 0 ? [speech.say`and ${speech.number(otherCount)} more`] : []),
  ];
  const [first = speech.count(total, 'change'), ...otherParts] = parts;
  return sanitiseProse(capitalise(speech.render(clauses([first, ...otherParts]))));
}

function groupText(group: readonly Document[], speech: Speech): string {
  const [{ change: changeType, kind } = {}] = group;
  const countText = speech.count(group.length, String(kind) in nouns ? (kind as Noun) : 'record');
  const [person, ...otherPersons] = new Set(group.map(personIn));
  const subject = person && otherPersons.length === 0 ? `${countText} ${speech.ofName(person)}` : countText;
  return speech.say`${changeTypeText(String(changeType), speech)}: ${subject}`;
}

/** Returns a note on a reported withdrawal of a record listed again, or on a reused slug; null for other changes. */
export function withdrawalText(change: Document, speech: Speech): string | null {
  const formerKey = textOf(change, 'former_key');
  if (change.change === 'withdrawn' && formerKey !== null)
    return speech.say`the slug ${formerKey} was given to another person; the record is now ${textOf(change, 'key')!}`;
  const withdrawnAt = textOf(change, 'withdrawn_at');
  if (withdrawnAt === null) return null;
  const day = speech.day(withdrawnAt.slice(0, 10));
  if (documentsIn(change.fields).length > 0)
    return speech.say`was reported as withdrawn on ${day}; listed again, edited`;
  return speech.say`was reported as withdrawn on ${day}, in error: listed again, unchanged`;
}

/** Returns lines: withdrawal note, votes, text; chamber, day, topic, party; contradiction, else a ballot’s result. */
export function changeFacts(change: Document, speech: Speech): string[] {
  const record = recordIn(change);
  const { contradiction } = change;
  const [text, date, topic, party] = ['text', 'date', 'topic', 'party'].map((field) => textOf(record, field));
  const about = [textOf(record, 'chamber'), date ? speech.day(date) : null, topic ? topicText(topic) : null, party];
  const showsText = text && text !== textOf(change, 'title');
  const ballot = change.kind === 'ballot' && record.votes_by_party ? readBallot(record) : null;
  const ballotFacts = ballot ? [speech.render(outcomeSentence(ballot)), ...positionLines(ballot, speech)] : [];
  const voteTexts = documentsIn(change.voted).map((group) => {
    const { party_name, party, position, ...counts } = group as PartyVotes;
    const positionText = position ?? speech.say`No position stated`;
    return speech.say`${party_name ?? party ?? ''}: ${positionText} (${countsPhrase(counts)})`;
  });
  const lines = [
    withdrawalText(change, speech) ?? '',
    ...voteTexts,
    ...(showsText ? [speech.quoted(excerptOf(text))] : []),
    about.filter(Boolean).join(' · '),
    ...(isDocument(contradiction) ? [speech.render(contradictionPhrase(contradiction as Contradiction))] : ballotFacts),
  ];
  return lines.filter((line) => line !== '').map(sanitiseProse);
}

/** Returns a change as sentences: headline and facts, each with a full stop. */
export function changeSentence(change: Document, speech: Speech): string {
  const parts = [changeHeadline(change, speech), ...changeFacts(change, speech)];
  return parts.map((part) => (/[.!?…]\s?[”»]?$/.test(part) ? part : `${part}.`)).join(' ');
}

/** Returns the groups of a ballot with their votes, a line per position: for, against, abstention, not stated. */
export function positionLines(ballot: Ballot, speech: Speech): string[] {
  const isBallotOneSided = isOneSided(ballot);
  const groups = ballot.votes_by_party.filter((votes) => !isNonAttached(votes));
  // The stated position; in a one-sided ballot, `for` if over half of the members voted for.
  const byPosition = Map.groupBy(groups, (votes) => derivedOfGroup(votes, isBallotOneSided).position);
  // Where only votes for are recorded, the other groups took no position.
  if (isBallotOneSided) byPosition.delete(null);
  const rank = (position: string | null) => [...stances, null].indexOf(stanceOf(position));
  return [...byPosition]
    .sort(([one], [other]) => rank(one) - rank(other))
    .map(([position, groupVotes]) => {
      const groupTexts = groupVotes.map((votes) => {
        const support = supportOfPosition(votes);
        const stance = stanceOf(votes.position);
        // Votes for the stated position, of the members if their number is stated; without such votes, all counts.
        const counts = stance && votes[stance] !== null ? speech.count(votes[stance], 'vote') : countsPhrase(votes);
        const figures = support ? say`${figure(support.votes)} of ${figure(support.members)}` : counts;
        return speech.say`${votes.party_name ?? votes.party ?? ''} (${figures})`;
      });
      const label = position ? capitalise(speech.word(stanceOf(position) ?? position)) : speech.say`No position stated`;
      return speech.say`${label}: ${clauses(groupTexts)}`;
    });
}
