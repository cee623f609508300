import { AmbiguousNameError, NotFoundError } from '../errors.ts';
import { type Stance, stanceOf, stances } from '../model/ballot.ts';
import { column, nonNull, present } from '../model/columns.ts';
import type { Document } from '../model/document.ts';
import type { KeyedName } from '../names/lookup.ts';
import type { Mirror } from '../store/mirror.ts';
import { resolveBallotKeys } from '../store/records/ballot-lookup.ts';
import { searchTexts, textKey, type VotedText, votedTexts } from '../store/records/ballot-texts.ts';
import type { ChosenBallot } from '../store/records/ballots.ts';
import { type Phrase, say, saying } from '../words/speech.ts';
import { naming } from './names.ts';
import { BadValueError } from './parameter.ts';
import { filter, several } from './parameter-kinds.ts';

/** A ballot of somebody's own list as it is written: its reference, and what the list states of it. */
export type ListedBallot = ChosenBallot & { reference: string };

/** Somebody's own list of ballots, and who chose them. */
export const selectionChoice = {
  ballots: several('only these ballots, each by id, number or address; REF=for states the direction of a list', {
    pattern: '\\S',
    example: 'VAL1V4,AN:VAL1V11=against',
    most: 5000,
    flag: { helpValue: 'FILE', isFile: true },
    read: readListed,
  }),
  author: filter('who chose those ballots, as told with every figure', { flag: { helpValue: 'NAME' } }),
};

/** What an answer over a list of ballots says of it. */
export const selectionColumn = column.json(
  'selection',
  'The list of ballots that the answer is over; absent where none was given.',
  {
    inside: {
      fields: [
        column.integer('ballots', 'Number of ballots in the list, each counted once.', nonNull),
        column.text('author', 'Who chose them, where that was stated.', present),
      ],
    },
  },
);

/** A reference with the direction that a list states, as in `AN:8434=for`; throws a BadValueError for no position. */
function readListed(text: string): ListedBallot {
  const [, reference = '', direction] = /^(.*?)(?:=([^=]*))?$/su.exec(text)!;
  // The address of a ballot may hold an equals sign.
  const isAddress = /^https?:/.test(text) && stanceOf(direction ?? null) === null;
  return isAddress
    ? { reference: text, direction: null, reason: null }
    : { reference: reference.trim(), direction: parseDirection(direction), reason: null };
}

/** A direction as people write it; null for none; throws a BadValueError for what is no position. */
export function parseDirection(text: string | undefined): Stance | null {
  if (text === undefined || text.trim() === '') return null;
  const stance = stanceOf(text);
  if (stance === null) throw new BadValueError(say`must state a direction that is one of ${stances.join(', ')}`);
  return stance;
}

/** The ballots of a list by key, each once; throws a NotFoundError or an AmbiguousNameError for a reference. */
export function chosenBallots(mirror: Mirror, ballots: readonly ListedBallot[]) {
  if (ballots.length === 0) return undefined;
  const keyOf = (reference: string) => {
    const [only, ...otherBallots] = resolveBallotKeys(mirror, reference);
    if (otherBallots.length > 0) throw new AmbiguousNameError(reference, [only!, ...otherBallots], 'id');
    if (only) return only.key;
    throw new NotFoundError(
      say`no ballot of the mirror is meant by "${reference}"`,
      say`a list names each by id, number or address; \`hemicycle ballots -q WORD\` finds them`,
    );
  };
  return new Map(
    ballots.map(({ reference, direction, reason }) => [
      naming('ballots', () => keyOf(reference), reference),
      { direction, reason },
    ]),
  );
}

type Selected = { ballots: readonly ListedBallot[]; author?: string | undefined };

/** What a list of ballots is, to be told beside every figure; nothing where none was given. */
export function selectionOf(mirror: Mirror, { ballots, author }: Selected): { selection?: Document } {
  const chosen = chosenBallots(mirror, ballots);
  return chosen === undefined ? {} : { selection: { ballots: chosen.size, author: author ?? null } };
}

/** The same as a note for people. */
export function selectionNotes(mirror: Mirror, selected: Selected): Phrase[] {
  const { selection } = selectionOf(mirror, selected);
  return selection === undefined ? [] : [selectionPhrase(selection)];
}

/** A list of ballots as people are told of it: its size, and its author if stated. */
export function selectionPhrase({ ballots, author }: Document): Phrase {
  const size = saying((speech) => speech.count(Number(ballots), 'ballot'));
  return author === null
    ? say`over a list of ${size}; who chose them is not stated`
    : say`over a list of ${size}, chosen by ${String(author)}`;
}

/** The text that a name or words of it mean; throws a NotFoundError, or an AmbiguousNameError with the texts. */
export function resolveVotedText(mirror: Mirror, textName: string): VotedText {
  const texts = votedTexts(mirror);
  const key = textKey(textName);
  const exact = texts.get(key);
  if (exact) return exact;
  const all = [...texts.values()];
  const phrased = key === '' ? [] : all.filter((text) => ` ${text.key} `.includes(` ${key} `));
  const words = key.split(' ');
  const hasAll = (text: VotedText) => words.every((word) => text.key.split(' ').includes(word));
  const candidates = phrased.length > 0 ? phrased : key === '' ? [] : all.filter(hasAll);
  const matches = candidates.length > 0 ? candidates : searchTexts(mirror, textName);
  if (matches.length === 1) return matches[0]!;
  if (matches.length > 1)
    throw new AmbiguousNameError(textName, matches.slice(0, mostListed).map(describeText), say`name`);
  throw new NotFoundError(
    say`no text with ballots is called "${textName}" in the mirror`,
    say`\`hemicycle ballots -q WORD\` finds ballots by words of their titles`,
  );
}

const mostListed = 12;

const describeText = ({ names, ballots }: VotedText): KeyedName => ({ key: names[0]!, name: `(${ballots})` });

/** A text as an answer names it, and what its ballots are grouped by. */
export const groupingOf = ({ names: [first, ...otherNames], from }: VotedText): Document => ({
  text: first!,
  grouped_by: from.join(', '),
  also_spelt: otherNames.join('; ') || null,
});

/** The same in sentences. */
export function groupingPhrases({ text, grouped_by: by, also_spelt: otherNames }: Document): Phrase[] {
  return [
    by === 'title'
      ? say`grouped by the name of the text in their titles: ${String(text)}`
      : by === 'dossier'
        ? say`grouped by the legislative file that they state: ${String(text)}`
        : say`grouped by the legislative file that they state, else by the name of the text in their titles: ${String(text)}`,
    ...(otherNames === null ? [] : [say`also spelt: ${String(otherNames)}`]),
    say`a ballot that names the text otherwise is not among them`,
  ];
}
