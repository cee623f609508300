import { type Kind, type KindName, kindOf } from '../model/kinds.ts';
import { findGroups, ifResolved } from '../names/lookup.ts';
import { textKey } from '../parliament/text-key.ts';
import type { Mirror } from '../store/mirror.ts';
import { hasRecord } from '../store/record.ts';
import { votedTexts } from '../store/records/ballot-texts.ts';
import { votingGroups } from '../store/records/ballots.ts';
import { firstKey } from '../store/records/reference.ts';
import { valueListers } from './names.ts';
import { isRecordReference } from './parameter.ts';
import type { Question } from './question.ts';

/** An example with results in this mirror; null if it has none; undefined if the schema's (or none) fits any mirror. */
export function findExample(mirror: Mirror, question: Question, name: string): string | null | undefined {
  const { names: referenceKind, isPathPart, schema } = question.parameters[name]!;
  const example = [schema.examples].flat(2)[0];
  if (typeof example !== 'string') return undefined;
  if (referenceKind !== null && !isRecordReference(referenceKind)) {
    const values = mirror.readOnce(`example ${referenceKind}`, () => valueListers[referenceKind](mirror));
    return values.includes(example) ? example : (values[0] ?? null);
  }
  const [group = '', position] = example.split(':'); // `voted` has values GROUP:POSITION
  const groupName = name === 'voted' || name === 'group' ? groupOrFirst(mirror, group) : null;
  if (name === 'voted') return groupName && `${groupName}:${position}`;
  if (name === 'ballots') return firstKey(mirror, kindOf('ballot'));
  if (name === 'text') return textExample(mirror, example);
  // `compare` requires two groups, or one and `majority`.
  if (name === 'group') return groupName && schema.minItems === 2 ? `${groupName},majority` : groupName;
  if (referenceKind !== null) return keyOrFirst(mirror, kindOf(referenceKind), example);
  const isFreeValue = !isPathPart || question.runsStatement; // words, days, the name of a saved question
  return isFreeValue ? undefined : pathExample(mirror, question, example);
}

const keyOrFirst = (mirror: Mirror, kind: Kind, example: string): string | null =>
  hasRecord(mirror, kind.name, example) ? example : firstKey(mirror, kind);

/** Returns a stored key for a path part: the id of a ballot in the default chamber, or a key of the default kind. */
function pathExample(mirror: Mirror, question: Question, example: string): string | null {
  const { kind, chamber: chamberParameter } = question.parameters;
  if (chamberParameter === undefined) return keyOrFirst(mirror, kindOf(kind!.fallback as KindName), example);
  const chamber = `${chamberParameter.fallback}:`;
  const key = keyOrFirst(mirror, kindOf('ballot'), `${chamber}${example}`);
  return key?.startsWith(chamber) ? key.slice(chamber.length) : null;
}

function textExample(mirror: Mirror, example: string): string | null {
  const texts = [...votedTexts(mirror).values()];
  const matchingText = texts.find(({ keys }) => keys.some((key) => key.includes(textKey(example))));
  return matchingText ? example : (texts[0]?.names[0] ?? null);
}

const groupOrFirst = (mirror: Mirror, example: string): string | null =>
  mirror.readOnce(`example group for ${example}`, () => {
    const groups = votingGroups(mirror);
    const namesGroup = ifResolved(() => findGroups(mirror, example, groups)) !== undefined;
    return namesGroup ? example : ([...groups].sort()[0] ?? null);
  });
