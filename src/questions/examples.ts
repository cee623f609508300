import { type Kind, type KindName, kindOf } from '../model/kinds.ts';
import { findGroups, ifResolved } from '../names/lookup.ts';
import { textKey } from '../parliament/text-key.ts';
import type { Mirror } from '../store/mirror.ts';
import { holds } from '../store/record.ts';
import { votedTexts } from '../store/records/ballot-texts.ts';
import { votingGroups } from '../store/records/ballots.ts';
import { firstKey } from '../store/records/reference.ts';
import { valuesOf } from './names.ts';
import { isRecordName } from './parameter.ts';
import type { Question } from './question.ts';

/** An example value in this mirror, preferably the described one; null if none, undefined without references. */
export function exampleIn(mirror: Mirror, question: Question, name: string): string | null | undefined {
  const { names, isPlace, schema } = question.parameters[name]!;
  const written = [schema.examples].flat(2)[0];
  if (typeof written !== 'string') return undefined;
  if (names !== null && !isRecordName(names)) {
    const values = valuesOf[names](mirror);
    return values.includes(written) ? written : (values[0] ?? null);
  }
  const [group = '', position] = written.split(':');
  const groupName = name === 'voted' || name === 'group' ? groupIn(mirror, group) : null;
  if (name === 'voted') return groupName && `${groupName}:${position}`;
  if (name === 'ballots') return firstKey(mirror, kindOf('ballot'));
  if (name === 'text') return textIn(mirror, written);
  if (name === 'group') return groupName && schema.minItems === 2 ? `${groupName},majority` : groupName;
  if (names === null && (!isPlace || question.runsStatement)) return undefined;
  return names === null ? placeIn(mirror, question, written) : keyIn(mirror, kindOf(names), written);
}

function keyIn(mirror: Mirror, kind: Kind, written: string): string | null {
  return holds(mirror, kind.name, written) ? written : firstKey(mirror, kind);
}

/** A path part is the key of a record of the default kind, or the id of a ballot. */
function placeIn(mirror: Mirror, question: Question, written: string): string | null {
  const { kind, chamber: house } = question.parameters;
  if (house === undefined) return keyIn(mirror, kindOf(kind!.fallback as KindName), written);
  const chamber = `${house.fallback}:`;
  const key = keyIn(mirror, kindOf('ballot'), `${chamber}${written}`);
  return key?.startsWith(chamber) ? key.slice(chamber.length) : null;
}

function textIn(mirror: Mirror, written: string): string | null {
  const texts = [...votedTexts(mirror).values()];
  const matchingText = texts.find(({ keys }) => keys.some((key) => key.includes(textKey(written))));
  return matchingText ? written : (texts[0]?.names[0] ?? null);
}

function groupIn(mirror: Mirror, written: string): string | null {
  const groups = votingGroups(mirror);
  const isResolved = ifResolved(() => findGroups(mirror, written, groups)) !== undefined;
  return isResolved ? written : ([...groups].sort()[0] ?? null);
}
