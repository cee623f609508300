import { nearWords } from '../language/near-miss.ts';
import { type Chamber, chamberIfNamed, chambers } from '../model/ballot.ts';
import { findKindByWord } from '../model/kinds.ts';
import { say } from '../words/speech.ts';
import { BadValueError, type Parameter, type Parameters, type Schema } from './parameter.ts';

/** Optional properties of a parameter; `example` becomes the schema's example. */
export type ParameterOptions = Partial<Omit<Parameter, 'description' | 'schema' | 'read' | 'fallback'>> & {
  example?: string;
};

const maxLengths = { filter: 500, query: 2000 };

/** Maximum length of a path part that names a record; a router may refuse longer ones. */
export const maxPathLength = maxLengths.filter;

type Definition<Value> = Pick<Parameter<Value>, 'description' | 'schema' | 'read' | 'fallback'> & ParameterOptions;

function parameter<Value>({ schema, example, ...definition }: Definition<Value>): Parameter<Value> {
  const examples = example !== undefined && { examples: [definition.isList ? example.split(',') : example] };
  return { names: null, groupNamesIn: null, flag: {}, ...definition, schema: { ...schema, ...examples } };
}

type TextBounds = { minLength?: number; maxLength: number };

/** Returns the text if it is within bounds; throws a BadValueError otherwise. */
export function checkText(input: string, { minLength = 0, maxLength }: TextBounds): string {
  if (input.includes('\0')) throw new BadValueError(say`must not contain the character U+0000`);
  if (input.length < minLength) throw new BadValueError(say`must not be empty`);
  // A schema counts code points, a string UTF-16 units.
  if (input.length > maxLength && [...input].length > maxLength)
    throw new BadValueError(say`must be at most ${maxLength} characters long`);
  return input;
}

/** Returns an optional parameter with one value; the value is undefined if the parameter is absent. */
export function optionalParameter<Value>(
  description: string,
  schema: Schema,
  read: (input: string) => Value,
  options?: ParameterOptions,
): Parameter<Value | undefined> {
  return parameter({ description, schema, read: ([input]) => read(input!), fallback: undefined, ...options });
}

const optionalText =
  (bounds: TextBounds) =>
  (description: string, options?: ParameterOptions): Parameter<string | undefined> =>
    optionalParameter(description, { type: 'string', ...bounds }, (input) => checkText(input, bounds), options);

const maxWords = 100; // in one filter, since each is looked up separately

/** Search words, `-q` on the command line; may be empty. */
export function optionalWords(description: string, options?: ParameterOptions): Parameter<string | undefined> {
  const bounds = { maxLength: maxLengths.query };
  const pattern = `^\\s*(?:\\S+(?:\\s+|$)){0,${maxWords}}$`;
  const read = (input: string) => {
    if (input.trim().split(/\s+/).length <= maxWords) return checkText(input, bounds);
    throw new BadValueError(say`must be at most ${maxWords} words`);
  };
  const flag = { name: 'query', char: 'q' };
  return optionalParameter(description, { type: 'string', ...bounds, pattern }, read, { flag, ...options });
}

/** A filter; not empty if given. */
export const filter = optionalText({ minLength: 1, maxLength: maxLengths.filter });

/** A filter by parties and groups, each by slug or short name. */
export const partyFilter = filter('slug of a party or group, or several, comma-separated', {
  example: 'alliance-des-rivages',
  names: 'party',
  matchesAllBearers: true,
});

/** A filter by parliamentary groups; a party's name resolves to its groups if it has any. */
export const groupFilter = {
  ...partyFilter,
  description: 'parliamentary group: its members now, or records of its members on their day',
  prefersGroups: true,
};

/** Returns the parameters marked as absent from the service's own API (`isBeyondInterface`). */
export function beyondInterface<Ps extends Parameters>(parameters: Ps): Ps {
  const markedEntries = Object.entries(parameters).map(([name, each]) => [name, { ...each, isBeyondInterface: true }]);
  return Object.fromEntries(markedEntries) as Ps;
}

/** Required search words; white space alone is an error. */
export function requiredWords(description: string, options: ParameterOptions = {}): Parameter<string> {
  const bounds = { minLength: 1, maxLength: maxLengths.query };
  const read = ([first]: string[]) => {
    if (first!.trim() === '') throw new BadValueError(say`must not be empty`);
    return checkText(first!, bounds);
  };
  const schema = { type: 'string', ...bounds, pattern: '\\S' };
  return parameter<string>({ description, schema, read, fallback: '', isRequired: true, ...options });
}

/** A path part that names a record. */
export function pathParameter(description: string, options: ParameterOptions = {}): Parameter<string> {
  const schema = { type: 'string', maxLength: maxLengths.filter };
  // Any text is looked up: an impossible key matches no record.
  const read = ([first]: string[]) => first!;
  return parameter<string>({ description, schema, read, fallback: '', isRequired: true, isPathPart: true, ...options });
}

type LimitOptions = ParameterOptions & { defaultLimit?: number };

/** Number of items, from 1 to the maximum of one response; commands read further pages for more. */
export function itemLimit(maximum: number, description: string, { defaultLimit = 20, ...more }: LimitOptions = {}) {
  const schema = { type: 'integer', minimum: 1, maximum, default: defaultLimit };
  const read = integerReader(schema);
  return parameter<number>({ description, schema, read, fallback: defaultLimit, flag: { char: 'n' }, ...more });
}

/** An optional integer. */
export function integerParameter(description: string, bounds: NumberBounds) {
  const read = integerReader(bounds);
  return optionalParameter(description, { type: 'integer', ...bounds }, (input) => read([input]));
}

type NumberBounds = { minimum: number; maximum?: number };

/** Returns a function that parses an integer and throws a BadValueError for other text or a value out of bounds. */
export function integerReader({ minimum, maximum }: NumberBounds) {
  return ([input]: string[]) => {
    if (!/^-?\d{1,15}$/.test(input!)) throw new BadValueError(say`must be a whole number`);
    return checkRange(Number(input), minimum, maximum);
  };
}

function checkRange(value: number, minimum: number, maximum = Number.POSITIVE_INFINITY): number {
  if (value < minimum) throw new BadValueError(say`must be at least ${minimum}`);
  if (value > maximum) throw new BadValueError(say`must be at most ${maximum}`);
  return value;
}

/** Parses a share between 0 and 1, or in per cent; throws a BadValueError for other text. */
export function readShare(input: string): number {
  const match = /^(?<number>\d{1,3}(?:\.\d{1,6})?)(?<percent>%?)$/.exec(input.trim().replace(',', '.'));
  if (!match) throw new BadValueError(say`must be a share such as 0.2 or 20%`);
  const { number, percent } = match.groups!;
  return checkRange(Number(number) / (percent ? 100 : 1), 0, 1);
}

/** One of the allowed words; `fallback` if absent. */
export function singleChoice<const Words extends readonly string[], Fallback extends Words[number] | undefined>(
  allowedWords: Words,
  description: string,
  { fallback, ...otherOptions }: ParameterOptions & { fallback: Fallback } = { fallback: undefined as Fallback },
): Parameter<Words[number] | Fallback> {
  const schema = { type: 'string', enum: [...allowedWords], ...(fallback === undefined ? {} : { default: fallback }) };
  const read = ([first]: string[]) => parseChoice(allowedWords, first!);
  return parameter<Words[number] | Fallback>({ description, schema, read, fallback, ...otherOptions });
}

type TruthOptions = ParameterOptions & { fallback?: boolean };

/** A boolean, false by default. */
export function truth(description: string, { fallback = false, ...more }: TruthOptions = {}): Parameter<boolean> {
  const read = ([first]: string[]) => parseChoice(['true', 'false'], first!) === 'true';
  return parameter<boolean>({ description, schema: { type: 'boolean', default: fallback }, read, fallback, ...more });
}

/** Several of the allowed words, comma-separated or repeated; undefined if absent. */
export function choices<const Words extends readonly string[]>(
  allowedWords: Words,
  description: string,
  options: ParameterOptions = {},
): Parameter<Words[number][] | undefined> {
  const items = { type: 'string', enum: [...allowedWords] };
  const schema = { type: 'array', items, minItems: 1, examples: [allowedWords.slice(0, 2)] };
  const read = (texts: string[]) => splitList(texts).map((word) => parseChoice(allowedWords, word));
  return parameter({ description, schema, read, fallback: undefined, isList: true, ...options });
}

/** A chamber, in any spelling; `fallback` if absent. */
export function chamberChoice<Fallback extends Chamber | undefined>(fallback: Fallback) {
  return singleChoice(chambers, 'AN for the Assemblée nationale, Senat for the Sénat', {
    fallback,
    normalise: chamberIfNamed,
  });
}

/** The kind's name for a word that a user types; other words are returned unchanged. */
export const normaliseKindWord = (word: string): string => findKindByWord(word)?.name ?? word;

/** Options of a filter by kinds of record: words are normalised, and an unknown one is a NotFoundError. */
export const ofKinds = { normalise: normaliseKindWord, isKindFilter: true } as const;

type ListOptions<Value> = ParameterOptions & { read: (text: string) => Value; pattern: string; maxItems?: number };

/** Several values, comma-separated or repeated, each parsed by `read`. */
export function listParameter<Value>(description: string, options: ListOptions<Value>): Parameter<Value[]> {
  const { read, pattern, maxItems = 20, ...otherOptions } = options;
  const items = { type: 'string', minLength: 1, maxLength: maxLengths.filter, pattern };
  const schema = { type: 'array', items, minItems: 1, maxItems };
  const readAll = (texts: string[]) => {
    const parts = splitList(texts);
    if (parts.length > maxItems) throw new BadValueError(say`must be at most ${maxItems} values`);
    return parts.map((part) => read(checkText(part, { minLength: 1, maxLength: maxLengths.filter })));
  };
  return parameter<Value[]>({ description, schema, read: readAll, fallback: [], isList: true, ...otherOptions });
}

/** Values by name, each written `name=value`, repeated; `?name=value` comes from the query string of a URL. */
export function assignments(description: string, options: ParameterOptions = {}) {
  const bounds = { maxLength: maxLengths.query };
  const schema = { type: 'array', items: { type: 'string', pattern: '^\\w+=', ...bounds } };
  const read = (texts: string[]) => {
    // Ignore query parameters whose names are no words, since no statement has such a parameter.
    const assignmentTexts = texts
      .flatMap((text) => text.split(/,(?=\w+=)/))
      .filter((text) => !/^\?(?!\w+=)/.test(text));
    const assignment = /^(?<name>\??\w+)=(?<value>.*)$/s;
    const pairs = assignmentTexts.map((text) => assignment.exec(checkText(text, bounds))?.groups);
    if (pairs.includes(undefined)) throw new BadValueError(say`must be written name=value`);
    return Object.fromEntries(pairs.map((pair) => [pair!.name, pair!.value]));
  };
  return parameter<Record<string, string>>({ description, schema, read, fallback: {}, isList: true, ...options });
}

/** The keyset cursor that continues a list. */
export const cursor = optionalText({ minLength: 1, maxLength: 2000 })(
  'cursor of the next page (next_cursor), with the same filters and sort',
);

function parseChoice<const Words extends readonly string[]>(allowedWords: Words, word: string): Words[number] {
  const match = allowedWords.find((option) => option === word);
  if (match === undefined)
    throw new BadValueError(say`must be one of ${allowedWords.join(', ')}`, nearWords(word, allowedWords));
  return match;
}

const splitList = (texts: string[]): string[] => texts.flatMap((each) => each.split(',')).map((part) => part.trim());
