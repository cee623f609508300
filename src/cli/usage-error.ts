import { meantHint, UsageError } from '../errors.ts';
import { nearWords } from '../language/near-miss.ts';
import { type Phrase, type Speech, say, saying, type UserText } from '../words/speech.ts';
import type { Command } from './oclif.ts';

/** An error that oclif throws for a command line that it cannot parse. */
type ParseError = Error & { oclif?: { exit?: number }; code?: string; flags?: unknown };

/** oclif's English messages about flags and arguments. */
const parseMessages: ((...values: (string | Phrase)[]) => Phrase)[] = [
  (flag) => say`Nonexistent flag: ${flag}`,
  (flags) => say`Nonexistent flags: ${flags}`,
  (given) => say`Unexpected argument: ${given}`,
  (all) => say`Unexpected arguments: ${all}`,
  (list) => say`Missing 1 required arg:\n${list}`,
  (count, list) => say`Missing ${count} required args:\n${list}`,
  (given, options) => say`Expected ${given} to be one of: ${options}`,
  (given) => say`Expected an integer but received: ${given}`,
  (least, given) => say`Expected an integer greater than or equal to ${least} but received: ${given}`,
  (most, given) => say`Expected an integer less than or equal to ${most} but received: ${given}`,
  (flag) => say`Flag ${flag} can only be specified once`,
  (flag) => say`Flag ${flag} expects a value`,
  (flag, options) => say`Flag ${flag} expects one of these values: ${options}`,
  (reason) => say`The following error occurred:\n${reason}`,
  (reasons) => say`The following errors occurred:\n${reasons}`,
  (flag, other) => say`${flag} cannot also be provided when using ${other}`,
  (flag, others) => say`All of the following must be provided when using ${flag}: ${others}`,
];

/** Translates a message of oclif; an unknown one stays in English. */
function messageTold(message: string): UserText {
  for (const told of parseMessages) {
    const pattern = new RegExp(`^${told('(.*)', '(.*)')}$`, 's');
    const [, ...parts] = pattern.exec(message) ?? [];
    if (parts.length > 0) return told(...parts.map((part) => (part.includes('  ') ? linesTold(part) : part)));
  }
  return message;
}

/** Translates indented lines that each hold a message, or a name and its meaning. */
function linesTold(text: string): Phrase {
  const told = (line: string, speech: Speech) => {
    const [, name, space, meaning] = /^(\S+)( {2,})(.*)$/.exec(line) ?? [];
    if (meaning !== undefined) return `${name}${space}${speech.word(meaning)}`;
    const [indent = ''] = /^ */.exec(line) ?? [];
    return indent + speech.tell(messageTold(line.slice(indent.length)));
  };
  return saying((speech) =>
    text
      .split('\n')
      .map((line) => told(line, speech))
      .join('\n'),
  );
}

/** Turns an error of oclif into a UsageError that suggests near flags or values; null for any other error. */
export function usageErrorOf(error: ParseError, command?: typeof Command): UsageError | null {
  // Load errors of oclif have an exit code too, but also a `code`.
  if (error.oclif?.exit === undefined || error.code !== undefined) return null;
  // oclif's note warns of flags that take all that follows; ours take one value each time.
  const message = error.message.split(/\nSee more help|\n\nNote: --/)[0]!;
  const near = Array.isArray(error.flags) ? nearFlags(error.flags, command) : nearOptions(message);
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
