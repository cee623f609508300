import { sanitiseLine, shellLine } from '../format/sanitise.ts';
import { flagName, type Parameter, type Parameters } from '../questions/parameter.ts';
import { integerReader } from '../questions/parameter-kinds.ts';
import type { Question } from '../questions/question.ts';
import frenchFlags from './french-flags.json' with { type: 'json' };
import { splitCommand } from './manifest.ts';
import { argument, examples, Flags, type Interfaces, listFlag, optionalArgument, switchFlag } from './oclif.ts';

const frenchAliases: Record<string, string[]> = frenchFlags;

/** oclif flags for a question's parameters, without positional and HTTP-only ones; `--all` for a list with pages. */
export function flagsOf({ parameters }: { parameters: Parameters }): Interfaces.FlagInput {
  const entries = Object.entries(parameters).filter(([, { isPathPart, surface }]) => !isPathPart && surface !== 'http');
  const flags = entries.map(([name, parameter]) => {
    const flag = flagName(name, parameter);
    const aliases = [...(parameter.flag.aliases ?? []), ...(frenchAliases[flag] ?? [])];
    return [flag, { ...flagOf(parameter), ...(aliases.length > 0 && { aliases }) }];
  });
  return { ...Object.fromEntries(flags), ...('cursor' in parameters ? { all: switchFlag('list all items') } : {}) };
}

function flagOf(parameter: Parameter) {
  const { schema, isList, flag, normalise } = parameter;
  const { name: _, isFile, ...flagProperties } = flag;
  const { enum: options } = (schema.items ?? {}) as { enum?: string[] };
  const optionsText = isList && options ? ` (${options.join(', ')})` : '';
  const common = {
    description: `${descriptionForCommand(parameter)}${optionsText}`,
    ...(flagProperties as { char?: 'q' }),
  };
  if (isFile)
    return Flags.string({ ...common, description: 'only the ballots in this file: one reference per line, or CSV' });
  if (schema.type === 'boolean') return Flags.boolean(common);
  if (isList) return Flags.string({ ...common, multiple: true, multipleNonGreedy: true });
  return Flags.string({
    ...common,
    ...(schema.default === undefined ? {} : { default: String(schema.default) }),
    // Values with alternative spellings are checked after normalisation.
    ...(Array.isArray(schema.enum) && !normalise ? { options: schema.enum as string[] } : {}),
  });
}

/** The description of a parameter for the command line, where a person may type a name instead of a slug. */
const descriptionForCommand = ({ description }: Parameter) => description.replace(/^slug of/, 'slug or name of');

/** oclif arguments for a question's positional parameters, in order. */
export function argsOf({ parameters }: { parameters: Parameters }, { isRequired = true } = {}): Interfaces.ArgInput {
  const createArgument = isRequired ? argument : optionalArgument;
  const positionals = Object.entries(parameters).filter(([, { isPathPart }]) => isPathPart);
  return Object.fromEntries(positionals.map(([name, each]) => [name, createArgument(descriptionForCommand(each))]));
}

export const examplesOf = (...questions: Question[]) => examples(...questions.flatMap((each) => each.examples));

/** The shell-quoted command for the whole list: with `--limit TOTAL`, or `--all` after a cursor or without a total. */
export function fullListCommand(command: string, argv: readonly string[], total: number | null): string {
  const isContinuation = argv.some((word) => word.startsWith('--cursor'));
  const limitFlags = total === null || isContinuation ? ['--all'] : ['--limit', String(total)];
  const isLimitFlag = (word = '') => ['--limit', '-n', '-k'].includes(word);
  const otherArguments = argv.filter(
    (word, at) => !isLimitFlag(word) && !isLimitFlag(argv[at - 1]) && !/^(--limit=|-[nk].)/.test(word),
  );
  const end = otherArguments.includes('--') ? otherArguments.indexOf('--') : otherArguments.length;
  const words = [...otherArguments.slice(0, end), ...limitFlags, ...otherArguments.slice(end)];
  return shellLine(['hemicycle', ...command.split(':'), ...words]);
}

/** The shell-quoted command to publish: without common flags, --format and --card, and with file names for paths. */
export function publicCommand(command: string, argv: readonly string[], flags: Interfaces.FlagInput): string {
  const publicWords = splitCommand(argv, flags).flatMap(({ flag, words }) => {
    if (flag && (flag.helpGroup === 'COMMON' || flag === flags.format || flag === flags.card)) return [];
    const isFile = flag?.type === 'option' && flag.helpValue === 'FILE';
    return isFile ? words.map((word) => word.replace(/^(--[\w-]+=)?.*[/\\]/s, '$1')) : words;
  });
  return sanitiseLine(shellLine(['hemicycle', ...command.split(':'), ...publicWords]));
}

/** The parameters, without the maximum of integers: a command reads as many pages as it needs. */
export function withoutUpperBounds<Ps extends Parameters>(parameters: Ps): Ps {
  const entries = Object.entries(parameters).map(([name, each]) => {
    const hasMaximum = each.schema.type === 'integer' && each.schema.maximum !== undefined;
    return [name, hasMaximum ? { ...each, read: integerReader({ minimum: 1 }) } : each];
  });
  return Object.fromEntries(entries) as Ps;
}

/** The flags of an SQL statement's parameters (`--the_slug`, `--the-slug` for `:the_slug`), except `ownFlags`. */
export function sqlParameterFlags(names: readonly string[], ownFlags: Interfaces.FlagInput): Interfaces.FlagInput {
  const flags = names.map((name) => [name, { ...listFlag('', 'VALUE'), aliases: [name.replaceAll('_', '-')] }]);
  return Object.fromEntries(flags.filter(([name]) => !Object.hasOwn(ownFlags, String(name))));
}

/** The values of an SQL statement's parameters as `NAME=VALUE`: `assigned`, then the flags; undefined if none. */
export function sqlAssignments(flags: Record<string, unknown>, names: readonly string[], assigned: unknown) {
  const texts = names.flatMap((name) => [flags[name] ?? []].flat().map((value) => `${name}=${value}`));
  const assignments = [...[assigned ?? []].flat(), ...texts];
  return assignments.length > 0 ? assignments : undefined;
}
