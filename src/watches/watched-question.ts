import { parseArgs } from 'node:util';
import { UsageError } from '../errors.ts';
import { findKind, type KindName } from '../model/kinds.ts';
import { durationMs, isRelative } from '../model/moment.ts';
import { type ChangeValues, changeFilterParameters, changes } from '../questions/changes.ts';
import { flagName, type Parameters, parseUserInput, type Values } from '../questions/parameter.ts';
import { party } from '../questions/parties.ts';
import { politician } from '../questions/politicians.ts';
import type { Question } from '../questions/question.ts';
import { record } from '../questions/record.ts';
import { commandKinds, searchSemantic } from '../questions/search.ts';
import { questions } from '../questions/table.ts';
import { say } from '../words/speech.ts';

/** What a watch evaluates; `isTimeDependent`: the answer may change while the mirror does not. */
export type WatchedQuestion =
  | { asks: 'question'; question: Question; values: Values<Parameters>; isTimeDependent: boolean }
  /** All changes, or only those that `brief` lists. */
  | { asks: 'changes'; question: Question; values: ChangeValues; isTimeDependent: false }
  /** Whether no sync, or no record of a kind, arrived for `ms`. */
  | { asks: 'silence'; subject: 'sync' | KindName; ms: number; isTimeDependent: true }
  /** Intervals of the moderation log that no sync covered. */
  | { asks: 'gaps'; isTimeDependent: false };

/** Maximum rows of a watched answer; a longer one is refused. */
export const maxWatchedRows = 20_000;

const questionAliases: Record<string, Question> = { show: record };

/** Shorthands such as `politician NAME`: by first word, the words of the question that they stand for. */
const shorthands: Record<string, (name: string) => string[]> = {
  politician: (name) => ['changes', '--politician', name],
  party: (name) => ['changes', '--party', name],
  group: (name) => ['ballots', '--group', name],
};

/** Expands `politician NAME` and `party NAME` to a question of `changes`, `group NAME` to `ballots`; else no change. */
export function expandWords(words: readonly string[]): string[] {
  const [name = '', ...otherTokens] = words;
  const flagAt = otherTokens.findIndex((word) => word.startsWith('-'));
  const [tokens, flags] = flagAt < 0 ? [otherTokens, []] : [otherTokens.slice(0, flagAt), otherTokens.slice(flagAt)];
  // A plural works like the singular, if a name follows.
  const expand = shorthands[name] ?? (tokens.length > 0 ? shorthands[findKind(name)?.name ?? ''] : undefined);
  if (!expand) return [...words];
  if (tokens.length === 0) throw new UsageError(say`a watch on a ${name} needs its name`, say`as in \`${name} NAME\``);
  return [...expand(tokens.join(' ')), ...flags];
}

/** Questions that `watchableWords` omits: watched under another first word, or not at all. */
const unlistedQuestions: readonly Question[] = [...Object.values(questionAliases), politician, party, searchSemantic];

/** Parses the words of a question as after `hemicycle`; throws a UsageError if it is unknown or a word is invalid. */
export function parseWatch(expressionWords: readonly string[]): WatchedQuestion {
  const [name = '', ...otherTokens] = expandWords(expressionWords);
  if (name === 'silence') return parseSilence(otherTokens);
  if (name === 'gaps') {
    if (otherTokens.length > 0) throw unsupportedWordError(otherTokens[0]!, 'gaps');
    return { asks: 'gaps', isTimeDependent: false };
  }
  const question = questionAliases[name] ?? questions.find((each) => each.name === name);
  if (!question || question === searchSemantic)
    throw new UsageError(say`"${name}" cannot be watched`, say`one of ${watchableWords().join(', ')}`);
  const { flags, positionals } = splitFlags(question, otherTokens);
  // Like the command, search people unless types or a topic are given.
  const defaults = question.name === 'search' && flags.topic === undefined ? { type: [...commandKinds] } : {};
  const typedParameters = { ...defaults, ...flags, ...assignPositionals(question, positionals) };
  const values = parseUserInput(question.parameters, typedParameters);
  if (isAboutChanges(question)) {
    const entries = Object.entries(values).filter(([name]) => name in changeFilterParameters);
    return { asks: 'changes', question, values: Object.fromEntries(entries) as ChangeValues, isTimeDependent: false };
  }
  const isTimeDependent = Object.values(flags).some((texts) => texts.some(isRelative));
  const maxLimit = question.parameters.limit?.schema.maximum;
  const limit = typeof maxLimit === 'number' ? { limit: maxLimit } : {};
  return { asks: 'question', question, values: { ...values, ...limit }, isTimeDependent };
}

/** Names of the user-defined or built-in subjects in the parameter `subject` of a watch; empty for none. */
export function watchedSubjects(watched: WatchedQuestion): readonly string[] {
  return (watched as { values?: Partial<ChangeValues> }).values?.subject ?? [];
}

/** Every first word that a watch accepts. */
export function watchableWords(): string[] {
  const questionNames = questions.filter((question) => !unlistedQuestions.includes(question)).map(({ name }) => name);
  return [...questionNames, ...Object.keys(questionAliases), ...Object.keys(shorthands), 'silence', 'gaps'];
}

/** Returns values of flags by parameter, positionals, and all other words; throws a UsageError for a wrong flag. */
export function splitFlags(question: Question, words: string[]) {
  const ignoredNames = ['limit', 'cursor', ...(isAboutChanges(question) ? ['since', 'until'] : [])];
  const acceptedParameters = Object.entries(question.parameters).filter(
    ([name, { isPathPart, surface }]) => !isPathPart && surface !== 'http' && !ignoredNames.includes(name),
  );
  const optionEntries = acceptedParameters.map(([name, parameter]) => {
    const { char } = parameter.flag;
    const type = parameter.schema.type === 'boolean' ? 'boolean' : 'string';
    return [flagName(name, parameter), { type, multiple: true, ...(char ? { short: char } : {}) }] as const;
  });
  const options = Object.fromEntries(optionEntries);
  const config = { args: words, options, allowPositionals: true, strict: true, tokens: true } as const;
  let parsed: ReturnType<typeof parseArgs<typeof config>>;
  try {
    parsed = parseArgs(config);
  } catch (error) {
    // Messages of parseArgs quote the flag.
    const [word = ''] = /'([^']+)'/.exec((error as Error).message)?.[1]?.split(/[ ,]/) ?? [];
    const isValue = (error as { code?: string }).code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE';
    throw isValue ? new UsageError(say`${word} needs a value`) : unsupportedWordError(word, question.name);
  }
  const flagEntries = acceptedParameters.flatMap(([name, parameter]) => {
    const value = parsed.values[flagName(name, parameter)];
    return value === undefined ? [] : [[name, [value].flat().map(String)]];
  });
  const positionalIndexes = new Set(parsed.tokens.flatMap(({ kind, index }) => (kind === 'positional' ? [index] : [])));
  const flags: Record<string, string[]> = Object.fromEntries(flagEntries);
  const flagWords = words.filter((_, index) => !positionalIndexes.has(index));
  return { flags, positionals: parsed.positionals, flagWords };
}

/** True for questions about changes: a watch replaces their `since` and `until` by its own position. */
const isAboutChanges = ({ name }: Question) => name === 'changes' || name === 'brief';

function unsupportedWordError(word: string, name: string): UsageError {
  return new UsageError(
    say`a watch on ${name} does not accept ${word}`,
    say`a watch reads the whole result from the mirror, and remembers what it reported; for a start date, use \`--from DATE\` of \`watch add\``,
  );
}

/** Values of parameters from words without a flag; throws a UsageError if the question accepts none. */
function assignPositionals({ name, parameters }: Question, words: string[]): Record<string, string[]> {
  if (words.length === 0) return {};
  if (name === 'changes') return assignChangesWords(words);
  if (name === 'record') return assignRecordWords(words);
  const pathParts = Object.keys(parameters).filter((each) => parameters[each]!.isPathPart);
  if (pathParts.length > 0) {
    const last = pathParts.length - 1;
    return Object.fromEntries(
      pathParts.map((each, at) => [each, at === last ? [words.slice(at).join(' ')] : words.slice(at, at + 1)]),
    );
  }
  if (Object.keys(parameters)[0] === 'group') return { group: words }; // a question about groups
  if (parameters.q) return { q: [words.join(' ')] };
  throw unsupportedWordError(words[0]!, name);
}

/** Maps `changes politicians SLUG` to `--politician SLUG` (parties too), `changes promises` to `--kind promise`. */
function assignChangesWords([first = '', ...nameTokens]: string[]): Record<string, string[]> {
  const kind = findKind(first);
  if ((kind?.name === 'politician' || kind?.name === 'party') && nameTokens.length > 0)
    return { [kind.name]: [nameTokens.join(' ')] };
  if (kind && nameTokens.length === 0) return { kind: [kind.name] };
  throw unsupportedWordError(nameTokens[0] ?? first, 'changes');
}

/** The command line of a watch of changes, with flags for its words: `changes promises` is `changes --kind promise`. */
export function flagsForChangesWords([command = '', ...tokens]: readonly string[]): string[] {
  const { positionals, flagWords } = splitFlags(changes, tokens);
  const values = positionals.length === 0 ? {} : assignChangesWords(positionals);
  return [command, ...Object.entries(values).flatMap(([name, texts]) => [`--${name}`, ...texts]), ...flagWords];
}

/** Maps `KIND KEY` or `KIND:KEY` to `--kind` and `--key`; any other word is the key of a ballot. */
function assignRecordWords([first = '', second]: string[]): Record<string, string[]> {
  if (second !== undefined) return { kind: [first], key: [second] };
  const reference = /^(?<kind>[^:]+):(?<key>.+)$/s.exec(first)?.groups;
  const kind = reference && findKind(reference.kind!);
  return kind ? { kind: [kind.name], key: [reference.key!] } : { kind: ['ballot'], key: [first] };
}

function parseSilence(words: string[]): WatchedQuestion {
  const [word = '', length = '', ...otherTokens] = words;
  const ms = durationMs(length);
  const subject = word === 'sync' ? 'sync' : findKind(word)?.name;
  if (subject === undefined || ms === null || ms === 0 || otherTokens.length > 0)
    throw new UsageError(
      say`give \`sync\` or a kind of record, and a duration`,
      say`as in \`silence sync 2d\` or \`silence content 7d\``,
    );
  return { asks: 'silence', subject, ms, isTimeDependent: true };
}
