import { nearWords } from '../language/near-miss.ts';
import { type Chamber, chamberOf, chambers } from '../model/ballot.ts';
import { findKind } from '../model/kinds.ts';
import { momentOf } from '../model/moment.ts';
import { say } from '../words/speech.ts';
import { BadValueError, type Parameter, type Schema } from './parameter.ts';

type More = Partial<Pick<Parameter, 'names' | 'isEveryBearer' | 'flag' | 'surface' | 'meant'>> & {
  example?: string;
};

/** Longest filter, and longest query. */
const longest = { filter: 500, query: 2000 };

/** Longest part of a path that names a record; a router may refuse others at once. */
export const longestPlace = longest.filter;

/** A parameter with what most have in common. */
function parameter<Value>(
  description: string,
  schema: Schema,
  rest: Pick<Parameter<Value>, 'read' | 'fallback'> & Partial<Parameter<Value>>,
  { example, ...more }: More = {},
): Parameter<Value> {
  return {
    description,
    schema: {
      ...schema,
      ...(example === undefined ? {} : { examples: [rest.isList ? example.split(',') : example] }),
    },
    isRequired: false,
    isList: false,
    isPlace: false,
    surface: null,
    meant: null,
    names: null,
    isEveryBearer: false,
    flag: {},
    ...rest,
    ...more,
  };
}

function text(
  written: string,
  { minLength = 0, maxLength }: { minLength?: number; maxLength: number },
): string {
  if (written.includes('\0')) throw new BadValueError(say`must not contain the character U+0000`);
  if (written.length < minLength) throw new BadValueError(say`must not be empty`);
  // A schema counts characters, a string the units that they take.
  if (written.length > maxLength && [...written].length > maxLength)
    throw new BadValueError(say`must be at most ${maxLength} characters long`);
  return written;
}

/** Words to look for, all of which may be left out. */
export function words(description: string, more: More = {}): Parameter<string | undefined> {
  const bounds = { maxLength: longest.query };
  return parameter<string | undefined>(
    description,
    { type: 'string', ...bounds },
    { read: ([first]) => text(first!, bounds), fallback: undefined },
    more,
  );
}

/** What is searched for; white space alone is nothing. */
export function query(description: string, more: More = {}): Parameter<string> {
  const bounds = { minLength: 1, maxLength: longest.query };
  const read = ([first]: string[]) => {
    if (first!.trim() === '') throw new BadValueError(say`must not be empty`);
    return text(first!, bounds);
  };
  const schema = { type: 'string', ...bounds, pattern: '\\S' };
  return parameter<string>(description, schema, { read, fallback: '', isRequired: true }, more);
}

/** A filter that must not be empty where it is given. */
export function filter(description: string, more: More = {}): Parameter<string | undefined> {
  const bounds = { minLength: 1, maxLength: longest.filter };
  return parameter<string | undefined>(
    description,
    { type: 'string', ...bounds },
    { read: ([first]) => text(first!, bounds), fallback: undefined },
    more,
  );
}

/** The part of a path that names a record. */
export function place(description: string, more: More = {}): Parameter<string> {
  const bounds = { maxLength: longest.filter };
  return parameter<string>(
    description,
    { type: 'string', ...bounds },
    // Whatever stands in a path is looked for: what cannot be a key is of no record.
    { read: ([first]) => first!, fallback: '', isRequired: true, isPlace: true },
    more,
  );
}

/** How many: from 1 to what the interface allows in one answer. A command line may ask for more, page by page. */
export function count(maximum: number, description: string, more: More = {}): Parameter<number> {
  const schema = { type: 'integer', minimum: 1, maximum, default: 20 };
  return parameter<number>(description, schema, { read: integerReader(schema), fallback: 20 }, more);
}

/** A whole number that may be left out. */
export function integer(
  description: string,
  bounds: { minimum: number; maximum?: number },
  more: More = {},
): Parameter<number | undefined> {
  const schema = { type: 'integer', ...bounds };
  return parameter<number | undefined>(
    description,
    schema,
    { read: integerReader(schema), fallback: undefined },
    more,
  );
}

/** Reads a whole number within bounds. */
export function integerReader({ minimum, maximum }: { minimum: number; maximum?: number }) {
  return ([written]: string[]) => {
    if (!/^-?\d{1,15}$/.test(written!)) throw new BadValueError(say`must be a whole number`);
    return within(Number(written), minimum, maximum);
  };
}

function within(value: number, minimum: number, maximum = Number.POSITIVE_INFINITY): number {
  if (value < minimum) throw new BadValueError(say`must be at least ${minimum}`);
  if (value > maximum) throw new BadValueError(say`must be at most ${maximum}`);
  return value;
}

/** A share between 0 and 1, also written in per cent. */
export function share(description: string, more: More = {}): Parameter<number | undefined> {
  const read = ([written]: string[]) => {
    const found = /^(\d{1,3}(?:\.\d{1,6})?)(%?)$/.exec(written!.trim().replace(',', '.'));
    if (!found) throw new BadValueError(say`must be a share such as 0.2 or 20%`);
    return within(Number(found[1]) / (found[2] ? 100 : 1), 0, 1);
  };
  const schema = { type: 'number', minimum: 0, maximum: 1 };
  return parameter<number | undefined>(description, schema, { read, fallback: undefined }, more);
}

/** One of a few words; `fallback` where none is given. */
export function choice<const Words extends readonly string[], Fallback extends Words[number] | undefined>(
  options: Words,
  description: string,
  { fallback, ...more }: More & { fallback: Fallback },
): Parameter<Words[number] | Fallback> {
  return parameter<Words[number] | Fallback>(
    description,
    { type: 'string', enum: [...options], ...(fallback === undefined ? {} : { default: fallback }) },
    { read: ([first]) => oneOf(options, first!), fallback },
    more,
  );
}

/** True or false; false where it is not given. */
export function truth(description: string, more: More = {}): Parameter<boolean> {
  return parameter<boolean>(
    description,
    { type: 'boolean', default: false },
    { read: ([first]) => oneOf(['true', 'false'], first!) === 'true', fallback: false },
    more,
  );
}

/** Some of a few words, with commas between or given again and again. */
export function choices<const Words extends readonly string[]>(
  options: Words,
  description: string,
  more: More = {},
): Parameter<Words[number][] | undefined> {
  const items = { type: 'string', enum: [...options] };
  return parameter<Words[number][] | undefined>(
    description,
    { type: 'array', items, minItems: 1, examples: [options.slice(0, 2)] },
    {
      read: (texts) => split(texts).map((word) => oneOf(options, word)),
      fallback: undefined,
      isList: true,
    },
    more,
  );
}

/** A chamber, in any way that it is written. */
export function chamberChoice<Fallback extends Chamber | undefined>(fallback: Fallback) {
  return choice(chambers, 'AN for the Assemblée nationale, Senat for the Sénat', {
    fallback,
    meant: (word) => chamberOf(word) ?? word,
  });
}

/** The name of the kind of record that a word means, in the singular or the plural; the word where it means none. */
export function kindWord(word: string): string {
  return findKind(word)?.name ?? word;
}

/** Several values, each read by `read`; with commas between or given again and again. */
export function several<Value>(
  description: string,
  { read, pattern, ...more }: More & { read: (text: string) => Value; pattern: string },
): Parameter<Value[]> {
  const items = { type: 'string', minLength: 1, maxLength: longest.filter, pattern };
  return parameter<Value[]>(
    description,
    { type: 'array', items, minItems: 1, maxItems: 20 },
    {
      read(texts) {
        const parts = split(texts);
        if (parts.length > 20) throw new BadValueError(say`must be at most 20 values`);
        return parts.map((part) => read(text(part, { minLength: 1, maxLength: longest.filter })));
      },
      fallback: [],
      isList: true,
    },
    more,
  );
}

/** The token that continues a list. */
export const cursor: Parameter<string | undefined> = {
  ...filter('go on where a list ended (its next_cursor), with the same filters and sort'),
  schema: { type: 'string', minLength: 1, maxLength: 2000 },
  read: ([first]) => text(first!, { minLength: 1, maxLength: 2000 }),
};

/** A day, a moment, or how long ago; `edge` says which end of a day is meant. ISO 8601 once it is read. */
export function moment(
  edge: 'start' | 'end',
  description: string,
  more: More = {},
): Parameter<string | undefined> {
  const read = ([written]: string[]) => {
    // To the second, so that who asks twice in one asks for the same.
    const nowMs = Math.floor(Date.now() / 1000) * 1000;
    const at = momentOf(text(written!, { maxLength: 100 }), nowMs, edge);
    if (at === null) throw new BadValueError(say`must be a date: 2026-11-01, 2026-11-01T08:00:00Z, or 7d`);
    return at;
  };
  const schema = { type: 'string', minLength: 1, maxLength: 100 };
  return parameter<string | undefined>(
    description,
    schema,
    { read, fallback: undefined },
    { example: '2026-11-01', flag: { helpValue: 'DATE' }, ...more },
  );
}

/** A day of a record, `YYYY-MM-DD` once it is read. */
export function day(
  edge: 'start' | 'end',
  description: string,
  more: More = {},
): Parameter<string | undefined> {
  const whole = moment(edge, description, more);
  return { ...whole, read: (texts) => whole.read(texts)?.slice(0, 10) };
}

function oneOf<const Words extends readonly string[]>(options: Words, word: string): Words[number] {
  const found = options.find((option) => option === word);
  if (found === undefined)
    throw new BadValueError(say`must be one of ${options.join(', ')}`, nearWords(word, options));
  return found;
}

function split(texts: string[]): string[] {
  return texts.flatMap((each) => each.split(',')).map((part) => part.trim());
}
