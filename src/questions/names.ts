import { AmbiguousNameError, NotFoundError } from '../errors.ts';
import { fold } from '../language/fold.ts';
import { findKind } from '../model/kinds.ts';
import {
  findFilterSlug,
  findFilterSlugs,
  findSlug,
  isNamedSlug,
  type KeyedName,
  type NamedKind,
  nearSlugs,
  slugsIn,
} from '../names/lookup.ts';
import { nearMisses } from '../names/nearness.ts';
import type { Mirror } from '../store/mirror.ts';
import { auditTypes } from '../store/records/audit.ts';
import { ballotWords } from '../store/records/ballots.ts';
import { topicNames } from '../store/records/topics.ts';
import { say, wordPhrase } from '../words/speech.ts';
import type { Named, Parameter, Parameters, Values } from './parameter.ts';
import type { Absent } from './question.ts';

/** The values that exist of what is no record. */
export const valuesOf: Record<Exclude<Named, NamedKind>, (mirror: Mirror) => string[]> = {
  topic: topicNames,
  'ballot type': (mirror) => ballotWords(mirror, 'type'),
  'ballot result': (mirror) => ballotWords(mirror, 'result'),
  'entity type': auditTypes,
};

/** The words that a person writes for a value beside its own, in a form in which they are equal. */
const sameWord: { [name in Named]?: (text: string) => string | undefined } = {
  'entity type': (text) => findKind(text)?.name,
};

/**
 * The values with every name in the place of which a slug, or the word of the service, belongs. Throws a NotFoundError
 * with near misses for a name of nothing, and an AmbiguousNameError for one of several.
 */
export function resolveNames<Ps extends Parameters>(
  mirror: Mirror,
  parameters: Ps,
  values: Values<Ps>,
): Values<Ps> {
  const resolved: Record<string, unknown> = { ...values };
  for (const [name, written] of namedValues(parameters, values)) {
    resolved[name] = naming(name, () => resolve(mirror, parameters[name]!, written));
  }
  return resolved as Values<Ps>;
}

function resolve(mirror: Mirror, { names, isPlace, isEveryBearer }: Parameter, written: string): string {
  if (names === null) return written;
  if (!isRecordName(names))
    return findValue(valuesOf[names](mirror), written, { what: names, sameWord: sameWord[names] });
  if (isEveryBearer)
    return [...new Set(slugsIn(written).flatMap((each) => findFilterSlugs(mirror, names, each)))].join(',');
  return isPlace ? findSlug(mirror, names, written) : findFilterSlug(mirror, names, written);
}

/** The value that a person means among those that the mirror holds; null where it holds none that could tell. */
export function valueMeant(mirror: Mirror, names: Exclude<Named, NamedKind>, written: string): string | null {
  const known = valuesOf[names](mirror);
  return known.length === 0 ? null : findValue(known, written, { what: names, sameWord: sameWord[names] });
}

/** What the filters that name nothing may have meant, by parameter; empty where each names something. */
export function unknownNames(
  mirror: Mirror,
  parameters: Parameters,
  values: Record<string, unknown>,
): { parameter: string; near: KeyedName[] }[] {
  return namedValues(parameters, values).flatMap(([parameter, written]) => {
    const { isEveryBearer } = parameters[parameter]!;
    const names = parameters[parameter]!.names!;
    if (isRecordName(names)) {
      const slugs = isEveryBearer ? slugsIn(written) : [written];
      const unknown = slugs.filter((slug) => !isNamedSlug(mirror, names, slug));
      return unknown.map((slug) => ({ parameter, near: nearSlugs(mirror, names, slug) }));
    }
    const known = valuesOf[names](mirror);
    return known.includes(written) ? [] : [{ parameter, near: nearValues(known, written) }];
  });
}

/**
 * Looks a name up; where it names nothing, or several records, the error blames the parameter. `written` is the name where
 * the parameter may hold several.
 */
export function naming<Result>(parameter: string, look: () => Result, written: string | null = null): Result {
  try {
    return look();
  } catch (error) {
    if (error instanceof NotFoundError)
      throw error.withFault(
        parameter,
        written === null ? say`names nothing` : say`names nothing by "${written}"`,
      );
    if (error instanceof AmbiguousNameError)
      throw error.withFault(
        parameter,
        written === null ? say`names several records` : say`names several records by "${written}"`,
      );
    throw error;
  }
}

/** What is told of a profile that is not there. */
export function noProfile(mirror: Mirror, kind: NamedKind, slug: string): Absent {
  const nameField = kind === 'politician' ? 'full_name' : 'name';
  return {
    message: `${slug} is not in the mirror`,
    hint: null,
    detail: `No ${kind} has that slug.`,
    near: nearSlugs(mirror, kind, slug),
    suggestion: ({ key, name }) => ({ slug: key, [nameField]: name }),
  };
}

function namedValues<Ps extends Parameters>(parameters: Ps, values: Values<Ps>): [string, string][] {
  const named: [string, string][] = [];
  for (const name in parameters) {
    const written = (values as Record<string, unknown>)[name];
    if (typeof written === 'string' && parameters[name]!.names !== null) named.push([name, written]);
  }
  return named;
}

/** True for what is a record: a politician or a party. */
export function isRecordName(names: Named): names is NamedKind {
  return names === 'politician' || names === 'party';
}

/**
 * The one of some values that a person means, whatever its case and accents, or as `sameWord` makes words equal; throws a
 * NotFoundError with near ones, in which `what` names the kind of value.
 */
function findValue(
  values: string[],
  input: string,
  {
    what,
    sameWord = () => undefined,
  }: { what: string; sameWord?: ((text: string) => string | undefined) | undefined },
): string {
  const plain = (text: string) => fold(text).trim();
  const word = sameWord(input);
  const found =
    values.find((value) => value === input) ??
    values.find((value) => plain(value) === plain(input)) ??
    (word === undefined ? undefined : values.find((value) => sameWord(value) === word));
  if (found !== undefined) return found;
  throw new NotFoundError(
    say`no ${wordPhrase(what)} is called "${input}" in the mirror`,
    nearValues(values, input),
    values.length === 0
      ? null
      : values.length === 1
        ? say`there is ${listed(values)}`
        : say`there are ${listed(values)}`,
  );
}

/** The values that are nearly one that is not among them, 5 at most. */
function nearValues(values: string[], input: string): KeyedName[] {
  return nearMisses(
    input,
    values.map((value) => ({ key: value, name: value })),
  );
}

function listed(values: string[]): string {
  const shown = values.slice(0, 12).join(', ');
  return values.length > 12 ? `${shown} and ${values.length - 12} more` : shown;
}
