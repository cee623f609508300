import { AmbiguousNameError, NotFoundError } from '../errors.ts';
import { fold } from '../language/fold.ts';
import { editDistance } from '../language/near-miss.ts';
import { chamberOf } from '../model/ballot.ts';
import { findKind } from '../model/kinds.ts';
import {
  findFilterSlug,
  findFilterSlugs,
  findSlug,
  isUsedSlug,
  type KeyedName,
  type NamedKind,
  nearSlugs,
  slugsIn,
} from '../names/lookup.ts';
import { nearMisses } from '../names/nearness.ts';
import type { Mirror } from '../store/mirror.ts';
import { ballotWords } from '../store/records/ballots.ts';
import { placeName } from '../store/records/politicians.ts';
import { topicNames } from '../store/records/topics.ts';
import { distinctValues } from '../store/rows.ts';
import { refuseWithheld } from '../store/tombstones.ts';
import { say, wordPhrase } from '../words/speech.ts';
import { isRecordName, type Parameter, type Parameters, type ReferenceKind, type Values } from './parameter.ts';
import type { Absent } from './question.ts';

/** Existing values of filters that reference no records. */
export const valuesOf: Record<Exclude<ReferenceKind, NamedKind>, (mirror: Mirror) => string[]> = {
  topic: topicNames,
  chamber: (mirror) => distinctValues(mirror, 'politician', 'chamber'),
  department: (mirror) => distinctValues(mirror, 'politician', 'department'),
  'ballot type': (mirror) => ballotWords(mirror, 'type'),
  'ballot result': (mirror) => ballotWords(mirror, 'result'),
  'entity type': (mirror) => distinctValues(mirror, 'audit', 'entity_type'),
};

const sameWord: { [name in ReferenceKind]?: (text: string) => string | undefined } = {
  'entity type': (text) => findKind(text)?.name,
  chamber: (text) => chamberOf(text) ?? undefined,
  department: placeName,
};

/** Resolves names to slugs or the service's words; throws a NotFoundError or an AmbiguousNameError. */
export function resolveNames<Ps extends Parameters>(mirror: Mirror, parameters: Ps, values: Values<Ps>) {
  const resolved: Record<string, unknown> = { ...values };
  for (const [name, written] of nameValues(parameters, values)) {
    resolved[name] = naming(name, () => resolve(mirror, parameters[name]!, written));
  }
  return resolved as Values<Ps>;
}

function resolve(mirror: Mirror, { names, isPlace, isEveryBearer }: Parameter, written: string): string {
  if (names === null) return written;
  if (!isRecordName(names)) return findValue(valuesOf[names](mirror), names, written);
  refuseWithheld(mirror, names, written);
  if (isEveryBearer)
    return [...new Set(slugsIn(written).flatMap((each) => findFilterSlugs(mirror, names, each)))].join(',');
  return isPlace ? findSlug(mirror, names, written) : findFilterSlug(mirror, names, written);
}

/** The mirror's value that matches a filter; null if the mirror has no such values. */
export function resolveValue(mirror: Mirror, names: Exclude<ReferenceKind, NamedKind>, written: string): string | null {
  const knownValues = valuesOf[names](mirror);
  return knownValues.length === 0 ? null : findValue(knownValues, names, written);
}

/** Parameters with unknown names, each with near misses. */
export function unknownNames(mirror: Mirror, parameters: Parameters, values: Record<string, unknown>) {
  return nameValues(parameters, values).flatMap(([parameter, written]) => {
    const { isEveryBearer } = parameters[parameter]!;
    const names = parameters[parameter]!.names!;
    if (isRecordName(names)) {
      const slugs = isEveryBearer ? slugsIn(written) : [written];
      const unknown = slugs.filter((slug) => !isUsedSlug(mirror, names, slug));
      return unknown.map((slug) => ({ parameter, near: nearSlugs(mirror, names, slug) }));
    }
    const knownValues = valuesOf[names](mirror);
    return knownValues.includes(written) ? [] : [{ parameter, near: nearValues(knownValues, written) }];
  });
}

/** Runs a lookup; errors name the parameter as the fault. `written` is the name if the parameter may have several. */
export function naming<Result>(parameter: string, look: () => Result, written: string | null = null): Result {
  try {
    return look();
  } catch (error) {
    const isNone = error instanceof NotFoundError;
    if (!isNone && !(error instanceof AmbiguousNameError)) throw error;
    const by = written === null ? '' : say` for "${written}"`;
    throw error.withFault(parameter, isNone ? say`matches no record${by}` : say`matches several records${by}`);
  }
}

/** Error details of a missing profile. */
export function noProfile(mirror: Mirror, kind: NamedKind, slug: string): Absent {
  return {
    message: `${slug} is not in the mirror`,
    hint: null,
    detail: `No ${kind} has that slug.`,
    near: nearSlugs(mirror, kind, slug),
    suggestion: ({ key, name }) => ({ slug: key, [kind === 'politician' ? 'full_name' : 'name']: name }),
  };
}

function nameValues(parameters: Parameters, values: Record<string, unknown>) {
  return Object.entries(parameters).flatMap(([name, { names }]) => {
    const written = values[name];
    return typeof written === 'string' && names !== null ? [[name, written] as const] : [];
  });
}

/** Ignores case and accents, then tries `sameWord`; throws a NotFoundError with near misses. */
function findValue(values: string[], names: ReferenceKind, input: string): string {
  const plain = (text: string) => fold(text).trim();
  const wordOf = (text: string) => sameWord[names]?.(text);
  const word = wordOf(input);
  const match =
    values.find((value) => value === input) ??
    values.find((value) => plain(value) === plain(input)) ??
    (word === undefined ? undefined : values.find((value) => wordOf(value) === word));
  if (match !== undefined) return match;
  throw new NotFoundError(
    say`no ${wordPhrase(names)} is called "${input}" in the mirror`,
    values.length === 0
      ? null
      : values.length === 1
        ? say`there is ${listed(values)}`
        : say`there are ${listed(values)}`,
    nearValues(values, input),
  );
}

function nearValues(values: string[], input: string): KeyedName[] {
  const keyedValues = values.map((value) => ({ key: value, name: value }));
  const near = nearMisses(input, keyedValues);
  // Short names of people often differ by one letter; filters have few values.
  const isNear = ({ name }: KeyedName) => editDistance(fold(input), fold(name), 1) === 1;
  return near.length > 0 || input.length < 3 ? near : keyedValues.filter(isNear).slice(0, 5);
}

function listed(values: string[]): string {
  const shown = values.slice(0, 12).join(', ');
  return values.length > 12 ? `${shown} and ${values.length - 12} more` : shown;
}
