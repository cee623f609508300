import { AmbiguousNameError, NotFoundError } from '../errors.ts';
import { proseText, proseTokens } from '../language/prose.ts';
import { type Stance, stanceOf, stances } from '../model/ballot.ts';
import { column, nonNull, present } from '../model/columns.ts';
import type { Document } from '../model/document.ts';
import { textKey } from '../parliament/text-key.ts';
import type { Mirror } from '../store/mirror.ts';
import { type Grouping, searchTexts, textNamed, type VotedText, votedTexts } from '../store/records/ballot-texts.ts';
import type { ChosenBallot } from '../store/records/ballots.ts';
import { resolveBallotKeys } from '../store/records/reference.ts';
import { type Phrase, say, saying } from '../words/speech.ts';
import { withParameterFault } from './names.ts';
import { BadValueError } from './parameter.ts';
import { filter, listParameter } from './parameter-kinds.ts';

/** A ballot of a user's list: its reference, direction and reason. */
export type ListedBallot = ChosenBallot & { reference: string };

/** Parameters for a user's list of ballots and the name of its author. */
export const selectionParameters = {
  ballots: listParameter('only these ballots, each by id, number or address; REF=for states the direction of a list', {
    pattern: '\\S',
    example: 'VAL1V4,AN:VAL1V11=against',
    maxItems: 5000,
    flag: { helpValue: 'FILE', isFile: true },
    read: parseListedBallot,
  }),
  author: filter('author of the list of ballots, shown with every figure', { flag: { helpValue: 'NAME' } }),
};

/** The column that describes the list of ballots behind an answer. */
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

/** Parses a reference such as `AN:8434=for`; throws a BadValueError for an invalid direction. */
function parseListedBallot(text: string): ListedBallot {
  const { reference = '', direction } = /^(?<reference>.*?)(?:=(?<direction>[^=]*))?$/su.exec(text)!.groups!;
  // The URL of a ballot may contain an equals sign.
  const isAddress = /^https?:/.test(text) && stanceOf(direction ?? null) === null;
  return isAddress
    ? { reference: text, direction: null, reason: null }
    : { reference: reference.trim(), direction: parseDirection(direction), reason: null };
}

/** Parses a direction; null if there is none. Throws a BadValueError for an invalid one. */
export function parseDirection(text: string | undefined): Stance | null {
  if (text === undefined || text.trim() === '') return null;
  const stance = stanceOf(text);
  if (stance === null) throw new BadValueError(say`must have a direction among ${stances.join(', ')}`);
  return stance;
}

/** Returns the ballots of a list by key, undefined for no list; throws a NotFoundError or an AmbiguousNameError. */
export function resolveBallots(mirror: Mirror, ballots: readonly ListedBallot[]) {
  if (ballots.length === 0) return undefined;
  const keyOf = (reference: string) => {
    const [only, ...otherBallots] = resolveBallotKeys(mirror, reference);
    if (otherBallots.length > 0) throw new AmbiguousNameError(reference, [only!, ...otherBallots], 'id');
    if (only) return only.key;
    throw new NotFoundError(
      say`no ballot in the mirror matches "${reference}"`,
      say`list each ballot by id, number or URL; to find ballots: \`hemicycle ballots -q WORD\``,
    );
  };
  const findKey = (reference: string) => withParameterFault('ballots', () => keyOf(reference), reference);
  return new Map(ballots.map(({ reference, ...choice }) => [findKey(reference), choice]));
}

type Selection = { ballots: readonly ListedBallot[]; author?: string | undefined };

/** Returns the field with the size and author of a list of ballots; empty without a list. */
export function selectionFields(mirror: Mirror, { ballots, author }: Selection): { selection?: Document } {
  const resolvedBallots = resolveBallots(mirror, ballots);
  return resolvedBallots === undefined ? {} : { selection: { ballots: resolvedBallots.size, author: author ?? null } };
}

/** Returns the note about a list of ballots; empty without a list. */
export function selectionNotes(mirror: Mirror, selectionValues: Selection): Phrase[] {
  const { selection } = selectionFields(mirror, selectionValues);
  return selection === undefined ? [] : [selectionPhrase(selection)];
}

/** Returns a phrase with the size of a list of ballots and its author, or that none is stated. */
export function selectionPhrase({ ballots, author }: Document): Phrase {
  const size = saying((speech) => speech.count(Number(ballots), 'ballot'));
  return author === null
    ? say`over a list of ${size}, without a stated author`
    : say`over a list of ${size}, chosen by ${String(author)}`;
}

/** Finds the voted text with a name, or that alone matches its words; throws a NotFoundError or AmbiguousNameError. */
export function resolveVotedText(mirror: Mirror, textName: string): VotedText {
  const exactMatch = textNamed(mirror, textName);
  if (exactMatch) return exactMatch;
  const words = proseTokens(textName);
  const texts = words.length === 0 ? [] : [...votedTexts(mirror).values()];
  const findTexts = (test: (key: string) => boolean) =>
    texts.filter(({ keys }) => keys.some((each) => test(` ${proseText(each)} `)));
  const nameKey = textKey(textName);
  // The first step with matches decides: the same spelling, the words in sequence, all words, a full-text search.
  const steps = [
    () => texts.filter(({ keys }) => keys.some((each) => ` ${each} `.includes(` ${nameKey} `))),
    () => findTexts((key) => key.includes(` ${words.join(' ')} `)),
    () => findTexts((key) => words.every((word) => key.includes(` ${word} `))),
    // Records on a text's file, such as amendments, are searched only for the name of a law: any file has other words.
    () => searchTexts(mirror, textName, /\blois?\b/i.test(textName) ? 'files' : 'none'),
  ];
  const matchesOfSteps = steps.values().map((step) => step());
  const matches = matchesOfSteps.find((each) => each.length > 0) ?? [];
  if (matches.length === 1) return matches[0]!;
  if (matches.length > 1) {
    const candidates = matches
      .slice(0, maxCandidates)
      .map(({ names, ballots }) => ({ key: names[0]!, name: `(${ballots})` }));
    throw new AmbiguousNameError(textName, candidates, say`name`).propose([['ballots', '-q', textName]]);
  }
  const nearTexts = searchTexts(mirror, textName, 'forms-and-files').slice(0, maxCandidates);
  const suggestions = nearTexts.map(({ names: [name] }) => ({ key: name!, name: name! }));
  const hint = say`to find ballots by words of their titles: \`hemicycle ballots -q WORD\``;
  // Other ballots or records may have the words. The last tier is suggested even without results: here it is empty.
  throw new NotFoundError(say`no text in the mirror’s ballots matches "${textName}"`, hint, suggestions).propose(
    [['ballots', '-q', textName]],
    [['search', textName]],
    [],
  );
}

const maxCandidates = 12;

/** Returns the title of a text, what groups its ballots, and its other spellings, as fields of an answer. */
export const groupingFields = ({ names: [first, ...otherNames], from }: VotedText): Document => ({
  text: first!,
  grouped_by: from.join(', '),
  also_spelt: otherNames.join('; ') || null,
});

const groupingNames: Record<Grouping, Phrase> = {
  dossier: say`by legislative file`,
  number: say`by the bill number in their titles`,
  title: say`by the text named in their titles`,
};

/** Returns the fields of `groupingFields` as phrases for people. */
export function groupingPhrases({ text, grouped_by: by, also_spelt: otherNames }: Document): Phrase[] {
  const groupings = String(by).split(', ') as Grouping[];
  const grouping = groupings.map((each) => groupingNames[each]).reduce((one, other) => say`${one}, otherwise ${other}`);
  return [
    say`grouped ${grouping}: ${String(text)}`,
    ...(otherNames === null ? [] : [say`other spellings: ${String(otherNames)}`]),
    say`ballots whose title names the text differently are missing`,
  ];
}
