import { AmbiguousNameError, NotFoundError } from '../errors.ts';
import { fold } from '../language/fold.ts';
import { nearWords } from '../language/near-miss.ts';
import { chamberIfNamed, chamberOf } from '../model/ballot.ts';
import { findKind } from '../model/kinds.ts';
import { placeName } from '../names/department.ts';
import {
  findFilterSlug,
  findFilterSlugs,
  findGroupIn,
  findSlug,
  isUsedSlug,
  type KeyedName,
  nearSlugs,
  slugsIn,
} from '../names/lookup.ts';
import type { Mirror } from '../store/mirror.ts';
import { enumerationValues } from '../store/records/ballots.ts';
import { topicNames } from '../store/records/topics.ts';
import { distinctValues } from '../store/rows.ts';
import { refuseWithheld } from '../store/tombstones.ts';
import { say, wordPhrase } from '../words/speech.ts';
import { isRecordReference, type Parameters, type ValueKind, type Values } from './parameter.ts';

/** For each kind of value that is no record, such as a topic, a function that lists its values in the mirror. */
export const valueListers: Record<ValueKind, (mirror: Mirror) => readonly string[]> = {
  topic: topicNames,
  chamber: (mirror) => distinctValues(mirror, 'politician', 'chamber'),
  department: (mirror) => distinctValues(mirror, 'politician', 'department'),
  'ballot type': (mirror) => enumerationValues(mirror, 'type'),
  'ballot result': (mirror) => enumerationValues(mirror, 'result'),
  'entity type': (mirror) => distinctValues(mirror, 'audit', 'entity_type'),
};

/** Functions that return the canonical form of a value in any spelling; undefined for an unknown value. */
const canonicalisers: { [name in ValueKind]?: (text: string) => string | undefined } = {
  'entity type': (text) => findKind(text)?.name,
  chamber: (text) => chamberOf(text) ?? undefined,
  department: placeName,
};

/** Returns the values with names resolved to slugs or stored words; throws a NotFoundError or an AmbiguousNameError. */
export function resolveNames<Ps extends Parameters>(mirror: Mirror, parameters: Ps, values: Values<Ps>) {
  const resolvedValues: Record<string, unknown> = { ...values };
  const chamber = chamberIfNamed(resolvedValues.chamber);
  for (const reference of referenceValues(parameters, values))
    resolvedValues[reference.name] = withParameterFault(reference.name, () => resolveName(mirror, reference, chamber));
  return resolvedValues as Values<Ps>;
}

/** Resolves an input to a stored word or to slugs; a party with a chamber to its group there, if it has one. */
function resolveName(mirror: Mirror, { input, referenceKind, parameter }: ReferenceValue, chamber: unknown): string {
  const { isPathPart, matchesAllBearers, prefersGroups } = parameter;
  if (!isRecordReference(referenceKind)) return findValue(valueListers[referenceKind](mirror), referenceKind, input);
  refuseWithheld(mirror, referenceKind, input);
  const findSlugsNamed = (name: string) => findFilterSlugs(mirror, referenceKind, name, prefersGroups);
  if (matchesAllBearers) return [...new Set(slugsIn(input).flatMap(findSlugsNamed))].join(',');
  if (isPathPart) return findSlug(mirror, referenceKind, input);
  const groupInChamber = referenceKind === 'party' && chamber ? findGroupIn(mirror, chamber, input) : undefined;
  return groupInChamber ?? findFilterSlug(mirror, referenceKind, input);
}

/** Returns the mirror's value that matches; null if it has no values at all. Throws a NotFoundError for no match. */
export function resolveValue(mirror: Mirror, valueKind: ValueKind, input: string): string | null {
  const storedValues = valueListers[valueKind](mirror);
  return storedValues.length === 0 ? null : findValue(storedValues, valueKind, input);
}

/** Returns the parameter of each value that the mirror lacks, with near misses. */
export function unknownNames(mirror: Mirror, parameters: Parameters, values: Record<string, unknown>) {
  return referenceValues(parameters, values).flatMap(({ name, input, referenceKind, parameter }) => {
    if (isRecordReference(referenceKind)) {
      const slugs = parameter.matchesAllBearers ? slugsIn(input) : [input];
      const unknown = slugs.filter((slug) => !isUsedSlug(mirror, referenceKind, slug));
      return unknown.map((slug) => ({ parameter: name, near: nearSlugs(mirror, referenceKind, slug) }));
    }
    const storedValues = valueListers[referenceKind](mirror);
    return storedValues.includes(input) ? [] : [{ parameter: name, near: nearValues(storedValues, input) }];
  });
}

/** Runs a lookup; its NotFoundError or AmbiguousNameError gets `parameter` as fault, and quotes `input` if given. */
export function withParameterFault<Result>(parameter: string | null, lookup: () => Result, input?: string): Result {
  try {
    return lookup();
  } catch (error) {
    const isNotFound = error instanceof NotFoundError;
    if (!isNotFound && !(error instanceof AmbiguousNameError)) throw error;
    // Null removes the fault of a NotFoundError, which makes it an HTTP 404 instead of 422.
    if (parameter === null) throw isNotFound ? Object.assign(error, { fault: null }) : error;
    const inputText = input === undefined ? '' : say` for "${input}"`;
    throw error.withFault(
      parameter,
      isNotFound ? say`matches no record${inputText}` : say`matches several records${inputText}`,
    );
  }
}

type ReferenceValue = ReturnType<typeof referenceValues>[number];

/** Parameters whose value names a record or a stored word, each with its name and the input text. */
function referenceValues(parameters: Parameters, values: Record<string, unknown>) {
  return Object.entries(parameters).flatMap(([name, parameter]) => {
    const input = values[name];
    const referenceKind = parameter.names;
    return typeof input === 'string' && referenceKind !== null ? [{ name, input, referenceKind, parameter }] : [];
  });
}

/** Finds a value as written, folded, then in canonical form; throws a NotFoundError with near misses. */
function findValue(values: readonly string[], valueKind: ValueKind, input: string): string {
  const foldText = (text: string) => fold(text).trim();
  const canonicalise = (text: string) => canonicalisers[valueKind]?.(text);
  const canonicalInput = canonicalise(input);
  const matchingValue =
    values.find((value) => value === input) ??
    values.find((value) => foldText(value) === foldText(input)) ??
    (canonicalInput === undefined ? undefined : values.find((value) => canonicalise(value) === canonicalInput));
  if (matchingValue !== undefined) return matchingValue;
  const message = say`no ${wordPhrase(valueKind)} is called "${input}" in the mirror`;
  const shortList = values.slice(0, maxListedValues).join(', ');
  const moreCount = values.length - maxListedValues;
  const list = moreCount > 0 ? say`${shortList} and ${moreCount} more` : shortList;
  const hint = values.length === 1 ? say`there is ${list}` : say`there are ${list}`;
  throw new NotFoundError(message, values.length === 0 ? null : hint, nearValues(values, input));
}

function nearValues(values: readonly string[], input: string): KeyedName[] {
  return nearWords(input, values).map((value) => ({ key: value, name: value }));
}

const maxListedValues = 12;
