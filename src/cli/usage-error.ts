import { meantHint, UsageError } from '../errors.ts';
import { nearWords } from '../language/near-miss.ts';
import { type Phrase, say, saying, type UserText } from '../words/speech.ts';
import type { Command } from './oclif.ts';

/** An error that oclif throws for a command line that it cannot parse. */
type ParseError = Error & { oclif?: { exit?: number }; code?: string; flags?: unknown };

/** oclif's English messages about flags and arguments; `list` holds lines of names and their meanings. */
const parseMessages: [RegExp, (parts: (string | Phrase)[]) => Phrase][] = [
  [/^Nonexistent flag: (.*)$/, ([flag]) => say`Nonexistent flag: ${flag}`],
  [/^Nonexistent flags: (.*)$/, ([flags]) => say`Nonexistent flags: ${flags}`],
  [/^Unexpected argument: (.*)$/s, ([argument]) => say`Unexpected argument: ${argument}`],
  [/^Unexpected arguments: (.*)$/s, ([all]) => say`Unexpected arguments: ${all}`],
  [/^Missing 1 required arg:\n(.*)$/s, ([list]) => say`Missing 1 required arg:\n${list}`],
  [/^Missing (\d+) required args:\n(.*)$/s, ([count, list]) => say`Missing ${count} required args:\n${list}`],
  [
    /^Expected (.*) to be one of: (.*)$/s,
    ([given, options]) => say`Expected ${given} to be one of: ${options}`,
  ],
  [/^Expected an integer but received: (.*)$/s, ([given]) => say`Expected an integer but received: ${given}`],
  [
    /^Expected an integer greater than or equal to (-?\d+) but received: (.*)$/s,
    ([least, given]) => say`Expected an integer greater than or equal to ${least} but received: ${given}`,
  ],
  [
    /^Expected an integer less than or equal to (-?\d+) but received: (.*)$/s,
    ([most, given]) => say`Expected an integer less than or equal to ${most} but received: ${given}`,
  ],
  [/^Flag (\S+) can only be specified once$/, ([flag]) => say`Flag ${flag} can only be specified once`],
  [/^Flag (\S+) expects a value$/, ([flag]) => say`Flag ${flag} expects a value`],
  [
    /^Flag (\S+) expects one of these values: (.*)$/,
    ([flag, options]) => say`Flag ${flag} expects one of these values: ${options}`,
  ],
  [/^The following error occurred:\n(.*)$/s, ([reason]) => say`The following error occurred:\n${reason}`],
  [/^The following errors occurred:\n(.*)$/s, ([reasons]) => say`The following errors occurred:\n${reasons}`],
  [
    /^( *)(\S+) cannot also be provided when using (\S+)$/,
    ([space, flag, other]) => say`${space}${flag} cannot also be provided when using ${other}`,
  ],
  [
    /^( *)All of the following must be provided when using (\S+): (.*)$/,
    ([space, flag, others]) =>
      say`${space}All of the following must be provided when using ${flag}: ${others}`,
  ],
];

/** Translates a message of oclif; an unknown one stays in English. */
function messageTold(message: string): UserText {
  for (const [pattern, told] of parseMessages) {
    const [, ...parts] = pattern.exec(message) ?? [];
    if (parts.length > 0) return told(parts.map((part) => (part.includes('  ') ? linesTold(part) : part)));
  }
  return message;
}

/** Translates lines that each hold a message, or a name and its meaning. */
function linesTold(text: string): Phrase {
  return saying((speech) =>
    text
      .split('\n')
      .map((line) => {
        const [, name, space, meaning] = /^(\S+)( {2,})(.*)$/.exec(line) ?? [];
        return meaning === undefined
          ? speech.tell(messageTold(line))
          : `${name}${space}${speech.word(meaning)}`;
      })
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
