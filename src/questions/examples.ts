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

/** Returns an example with results in this mirror, preferably the schema's; null for none; undefined to keep it. */
export function findExample(mirror: Mirror, question: Question, name: string): string | null | undefined {
  const { names, isPathPart, schema } = question.parameters[name]!;
  const example = [schema.examples].flat(2)[0];
  if (typeof example !== 'string') return undefined;
  if (names !== null && !isRecordReference(names)) {
    const values = mirror.readOnce(`example ${names}`, () => valueListers[names](mirror));
    return values.includes(example) ? example : (values[0] ?? null);
  }
  const [group = '', position] = example.split(':'); // `voted` has values GROUP:POSITION
  const groupName = name === 'voted' || name === 'group' ? groupOrFirst(mirror, group) : null;
  if (name === 'voted') return groupName && `${groupName}:${position}`;
  if (name === 'ballots') return firstKey(mirror, kindOf('ballot'));
  if (name === 'text') return textExample(mirror, example);
  // `compare` requires two groups, or one and `majority`.
  if (name === 'group') return groupName && schema.minItems === 2 ? `${groupName},majority` : groupName;
  // Other values that name no record (words, days, saved questions) are valid in any mirror.
  if (names === null && (!isPathPart || question.runsStatement)) return undefined;
  return names === null ? pathExample(mirror, question, example) : keyOrFirst(mirror, kindOf(names), example);
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
    const isResolved = ifResolved(() => findGroups(mirror, example, groups)) !== undefined;
    return isResolved ? example : ([...groups].sort()[0] ?? null);
  });
