import { NotFoundError, nearMissHint, UsageError } from '../errors.ts';
import type { NamedKind } from '../names/database.ts';
import { type Phrase, say } from '../words/speech.ts';

/** JSON Schema of the values that `read` accepts. */
export type Schema = { [keyword: string]: unknown };

/** What a parameter's value names if it is no record: a word that records have in a field, such as a topic. */
export type ValueKind = 'topic' | 'chamber' | 'department' | 'ballot type' | 'ballot result' | 'entity type';

/** What a parameter's value names, such as a politician; names are resolved before a question is answered. */
export type ReferenceKind = NamedKind | ValueKind;

/** True for references to records (politicians, parties); the others are words such as a topic. */
export const isRecordReference = (names: ReferenceKind): names is NamedKind =>
  names === 'politician' || names === 'party';

/** A parameter as a command's flag: name, character, placeholder, aliases; `isFile` if it names a file of values. */
export type Flag = { name?: string; char?: string; helpValue?: string; aliases?: string[]; isFile?: true };

/** A parameter of a question, described once for every surface. */
export type Parameter<Value = unknown> = {
  /** A phrase without a full stop, for help; starts a sentence of the API description. */
  description: string;
  schema: Schema;
  /** Parses the text, or several if `isList`; throws a BadValueError. */
  read(texts: string[]): Value;
  /** The value if the parameter is absent. */
  fallback: Value;
  isRequired?: boolean;
  isList?: boolean;
  /** True for a path part, which is an argument of a command. */
  isPathPart?: boolean;
  /** The only surface that accepts it; null or absent for all. */
  surface?: 'cli' | 'http' | null;
  /** What the value names; null for a value that is used as it is. */
  names: ReferenceKind | null;
  /** Returns the names of voting parties and groups in a value; null for parameters without such names. */
  groupNamesIn: ((value: unknown) => string[]) | null;
  /** True if a short name matches every party and group that bears it: a group has one record per legislature. */
  matchesAllBearers?: boolean;
  /** True if a party's name resolves to its groups, and to the party only if it has none. */
  prefersGroups?: boolean;
  /** True if the service's own endpoint lacks it. */
  isBeyondInterface?: boolean;
  /** True if it receives each query parameter that the question lacks: `year=2025` as the text `?year=2025`. */
  takesRemaining?: true;
  /** Format in which the answer repeats the parsed value (`yesterday` as a day, `7d` as a moment); absent if not. */
  echoFormat?: 'date' | 'datetime';
  /** Normalises alternative spellings on the command line (`Promises` for promise). */
  normalise?: (word: string) => string;
  /** True for a filter by kinds: an unknown word is a NotFoundError. */
  isKindFilter?: true;
  flag: Flag;
};

/** Parameters by name, in the service's spelling. */
export type Parameters = Record<string, Parameter>;

/** The values of parameters, by name. */
export type Values<Ps> = { [Name in keyof Ps]: Ps[Name] extends Parameter<infer Value> ? Value : never };

/** True for a value that restricts an answer: not undefined, null, false, an empty text or an empty list. */
export const isSetValue = (value: unknown): boolean => value !== false && `${value ?? ''}` !== '';

/** An invalid value; the message is a predicate, such as `must be at most 100`; `near` lists similar valid words. */
export class BadValueError extends Error {
  readonly near: string[];
  readonly userText: Phrase;

  constructor(message: Phrase, near: string[] = []) {
    super(`${message}`);
    this.userText = message;
    this.near = near;
  }
}

/** An invalid value with the name of its parameter. */
export type BadParameter = { parameter: string; userText: Phrase; near?: string[] };

type InputValues = Record<string, string | string[] | undefined>;

/** Parses values by parameter name: `values`, with fallbacks for absent or invalid ones, and all `errors`. */
export function readValues<Ps extends Parameters>(parameters: Ps, input: InputValues) {
  const errors: BadParameter[] = [];
  const entries = Object.entries(parameters).map(([name, parameter]) => {
    const value = parameter.takesRemaining ? collectRemaining(parameters, name, input) : input[name];
    if (value === undefined) {
      if (parameter.isRequired) errors.push({ parameter: name, userText: say`is required` });
      return [name, parameter.fallback] as const;
    }
    try {
      if (Array.isArray(value) && !parameter.isList && value.length > 1)
        throw new BadValueError(say`must be given only once`);
      return [name, parameter.read([value].flat())] as const;
    } catch (error) {
      if (!(error instanceof BadValueError)) throw error;
      errors.push({ parameter: name, userText: error.userText, near: error.near });
      return [name, parameter.fallback] as const;
    }
  });
  const values: Record<string, unknown> = Object.fromEntries(entries);
  // `changes` accepts `since=last`, the last fill of the mirror, whose day is not known here.
  if (input.since && input.until && String(values.since) > String(values.until) && values.since !== 'last')
    errors.push({ parameter: 'until', userText: say`is before \`since\`: the period is empty` });
  return { values: values as Values<Ps>, errors };
}

function collectRemaining(parameters: Parameters, name: string, input: InputValues) {
  const otherEntries = Object.entries(input).filter(([key]) => !Object.hasOwn(parameters, key));
  const otherTexts = otherEntries.flatMap(([key, value]) => [value ?? []].flat().map((text) => `?${key}=${text}`));
  const texts = [...[input[name] ?? []].flat(), ...otherTexts];
  return texts.length > 0 ? texts : undefined;
}

/** Returns the texts in the parameter's canonical spelling, lists split at commas; unchanged without `normalise`. */
export function normaliseInput({ normalise, isList }: Parameter, input: string[]): string[] {
  if (!normalise) return input;
  const words = isList ? input.flatMap((text) => text.split(',')) : input;
  return words.map((word) => normalise(word.trim()));
}

/** Parses a user's texts by parameter name; throws a UsageError or a NotFoundError for the first invalid one. */
export function parseUserInput<Ps extends Parameters>(parameters: Ps, input: Record<string, unknown>): Values<Ps> {
  const inputEntries = Object.entries(input).map(([name, value]) => {
    const texts = value === undefined ? undefined : [value].flat().map(String);
    const parameter = parameters[name];
    return [name, texts && parameter ? normaliseInput(parameter, texts) : texts];
  });
  const { values, errors } = readValues(parameters, Object.fromEntries(inputEntries));
  if (errors.length > 0) throw invalidFlagError(parameters, errors);
  return values;
}

/** The error of the first invalid flag or argument: a NotFoundError for an unknown kind, else a UsageError. */
export function invalidFlagError(parameters: Parameters, [first]: BadParameter[]): UsageError | NotFoundError {
  const { parameter: name, userText, near = [] } = first!;
  const parameter = parameters[name]!;
  const flag = flagName(name, parameter);
  const dashes = parameter.isPathPart ? '' : flag.length === 1 ? '-' : '--';
  const message = say`${`${dashes}${flag}`} ${userText}`;
  const hint = nearMissHint(near);
  return parameter.isKindFilter ? new NotFoundError(message, hint) : new UsageError(message, hint);
}

/** Returns the name of a parameter on the command line, without dashes. */
export function flagName(name: string, { flag, isPathPart }: Parameter): string {
  return isPathPart ? name : (flag.name ?? name.replaceAll('_', '-'));
}
