import { meantHint, UsageError } from '../errors.ts';
import { say, type UserText } from '../words/speech.ts';

/** A JSON Schema; it documents what `read` takes. */
export type Schema = { [keyword: string]: unknown };

/** What a value names; such a value is looked up before a question is answered. */
export type Named = 'politician' | 'party' | 'topic' | 'ballot type' | 'ballot result' | 'entity type';

/** How a parameter stands at a command line: its name where it has another one there, and what help shows. */
export type Flag = { name?: string; char?: string; helpValue?: string };

/** One thing that can be said in a question, described once for every surface. */
export type Parameter<Value = unknown> = {
  /** A phrase without its full stop, as it stands in help; a sentence for the API begins with it. */
  description: string;
  schema: Schema;
  /** Reads what was written: one text, or several where `isList`. Throws a BadValueError. */
  read(texts: string[]): Value;
  /** The value where nothing was written. */
  fallback: Value;
  isRequired: boolean;
  isList: boolean;
  /** True for a part of the path, and for an argument of a command. */
  isPlace: boolean;
  /** Where it can be said, if not everywhere. */
  surface: 'cli' | 'http' | null;
  names: Named | null;
  /** True where a short name means every party and group that bears it: texts are filed under those of their legislature. */
  isEveryBearer: boolean;
  /** The word that a person means by another spelling (`Promises` for promise): for a command line, which takes them. */
  meant: ((word: string) => string) | null;
  flag: Flag;
};

/** Parameters by name, in the service's spelling. */
export type Parameters = Record<string, Parameter>;

/** The values of parameters. */
export type Values<Ps> = { [Name in keyof Ps]: Ps[Name] extends Parameter<infer Value> ? Value : never };

/** What is wrong with a value: `must be at most 100`. */
export class BadValueError extends Error {
  /** Values that may have been meant. */
  readonly near: string[];
  /** The same in any language. */
  readonly said: UserText;

  constructor(message: UserText, near: string[] = []) {
    super(`${message}`);
    this.said = message;
    this.near = near;
  }
}

/** A bad value by the name of its parameter. */
export type BadParameter = { parameter: string; message: string; said: UserText; near?: string[] };

/** Reads what was given for some parameters, and all that is wrong with it. */
export function readValues<Ps extends Parameters>(
  parameters: Ps,
  given: Record<string, string | string[] | undefined>,
): { values: Values<Ps>; errors: BadParameter[] } {
  const errors: BadParameter[] = [];
  const entries = Object.entries(parameters).map(([name, each]) => {
    const written = given[name];
    if (written === undefined) {
      if (each.isRequired) errors.push({ parameter: name, message: 'is required', said: say`is required` });
      return [name, each.fallback] as const;
    }
    try {
      if (Array.isArray(written) && !each.isList && written.length > 1)
        throw new BadValueError(say`must be given only once`);
      return [name, each.read([written].flat())] as const;
    } catch (error) {
      if (!(error instanceof BadValueError)) throw error;
      errors.push({ parameter: name, message: error.message, said: error.said, near: error.near });
      return [name, each.fallback] as const;
    }
  });
  return { values: Object.fromEntries(entries) as Values<Ps>, errors };
}

/** What was written, in the words that the parameter takes. */
export function meantBy({ meant, isList }: Parameter, written: string[]): string[] {
  if (!meant) return written;
  const words = isList ? written.flatMap((text) => text.split(',')) : written;
  return words.map((word) => meant(word.trim()));
}

/** A UsageError that says what is wrong with the first bad flag or argument. */
export function badFlag(parameters: Parameters, [first]: BadParameter[]): UsageError {
  const { parameter: name, said, near = [] } = first!;
  const typed = flagName(name, parameters[name]!);
  const dashes = parameters[name]!.isPlace ? '' : typed.length === 1 ? '-' : '--';
  return new UsageError(say`${`${dashes}${typed}`} ${said}`, meantHint(near));
}

/** The name of a parameter at a command line: of an argument it is its own. */
export function flagName(name: string, { flag, isPlace }: Parameter): string {
  return isPlace ? name : (flag.name ?? name.replaceAll('_', '-'));
}
