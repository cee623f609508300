import { meantHint, UsageError } from '../errors.ts';
import { nearWords } from '../language/near-miss.ts';
import { type Phrase, say, saying, type UserText } from '../words/speech.ts';
import type { Command } from './oclif.ts';

/** An error that oclif throws for a command line that it cannot parse. */
type ParseError = Error & { oclif?: { exit?: number }; code?: string; flags?: unknown };

/** What oclif says about flags and arguments, by its English message, and how this program says it. */
const parseMessages: [pattern: RegExp, told: (...values: string[]) => Phrase][] = [
  [/^Nonexistent flags?: (.*)$/s, (flags) => say`there is no flag ${flags} here`],
  [/^Parsing --(\S+) \s*(.*)$/s, (flag, message) => say`--${flag}: ${messageTold(message!)}`],
  [/^Missing required flag:? (?:--)?(\S+)$/, (flag) => say`--${flag} is missing`],
  [/^Unexpected arguments?: (.*)$/s, (given) => say`"${given}" is one word too many`],
  [
    /^Missing \d+ required args?:\n(\S+) {2}([^\n]*)/s,
    (name, meaning) => say`${name} is missing: ${saying((speech) => speech.word(meaning!))}`,
  ],
  [
    /^Expected --(\S+?)=(.*) to be one of: (.*)$/s,
    (flag, _, options) => say`--${flag} must be one of ${options}`,
  ],
  [/^Expected (.*) to be one of: (.*)$/s, (given, options) => say`${given} must be one of ${options}`],
  [/^Expected an integer but received: (.*)$/s, (given) => say`"${given}" must be a whole number`],
  [
    /^Expected an integer greater than or equal to (.*) but received: (.*)$/s,
    (least, given) => say`"${given}" must be at least ${least}`,
  ],
  [
    /^Expected an integer less than or equal to (.*) but received: (.*)$/s,
    (most, given) => say`"${given}" must be at most ${most}`,
  ],
  [/^Flag (.*) can only be specified once$/s, (flag) => say`${flag} must be given only once`],
  [/^Flag (.*) expects a value$/s, (flag) => say`${flag} needs a value`],
  [
    /^Flag (.*) expects one of these values: (.*)$/s,
    (flag, options) => say`${flag} must be one of ${options}`,
  ],
  [/^The following errors? occurred:\n(.*)$/s, (reasons) => linesTold(reasons!)],
  [
    /^(.*) cannot also be provided when using (.*)$/s,
    (flag, other) => say`${flag} does not go with ${other}`,
  ],
  [
    /^All of the following must be provided when using (.*): (.*)$/s,
    (flag, others) => say`${flag} needs ${others} beside it`,
  ],
];

/** A message of oclif in this program's words; an unknown one stays as it is. */
function messageTold(message: string): UserText {
  for (const [pattern, told] of parseMessages) {
    const [, ...parts] = pattern.exec(message) ?? [];
    if (parts.length > 0) return told(...parts.map(String));
  }
  return message;
}

function linesTold(text: string): Phrase {
  const lines = text.split('\n').map((line) => messageTold(line.trim()));
  return saying((speech) => lines.map((line) => speech.tell(line)).join('\n'));
}

/** Turns an error of oclif into a UsageError that suggests near flags or values; null for any other error. */
export function usageErrorOf(error: ParseError, command?: typeof Command): UsageError | null {
  // Load errors of oclif have an exit code too, but also a `code`.
  if (error.oclif?.exit === undefined || error.code !== undefined) return null;
  // oclif's note warns of flags that take all that follows; ours take one value each time.
  const message = error.message.split(/\nSee more help|\n\nNote: --/)[0]!;
  // A word alone may be a flag without its dashes.
  const [, word] = /^Unexpected argument: (\S+)$/.exec(message) ?? [];
  const unknown = Array.isArray(error.flags) ? error.flags : word === undefined ? null : [word];
  const near = unknown === null ? nearOptions(message) : nearFlags(unknown, command);
  return new UsageError(messageTold(message), meantHint(near) ?? say`see --help`);
}

function nearFlags(unknown: string[], command: typeof Command | undefined): string[] {
  const known = Object.entries({ ...command?.baseFlags, ...command?.flags });
  const names = known.flatMap(([name, flag]) => [
    name,
    ...('allowNo' in flag && flag.allowNo ? [`no-${name}`] : []),
  ]);
  const typed = unknown.map((flag) => flag.replace(/^-+/, '').replace(/=.*$/, ''));
  return typed
    .flatMap((flag) => nearWords(flag, [...names, 'help']))
    .map((name) => `${name.length > 1 ? '--' : '-'}${name}`);
}

/** oclif's error for a bad option holds neither the value nor the options; only its message names them. */
function nearOptions(message: string): string[] {
  const [, flag = '', value, options] = /^Expected (--[\w-]+=)?(.*) to be one of: (.*)$/.exec(message) ?? [];
  if (value === undefined || options === undefined) return [];
  return nearWords(value, options.split(', ')).map((option) => `${flag.replace('=', ' ')}${option}`);
}
