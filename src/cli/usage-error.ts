import type { Command } from '@oclif/core';
import { meantHint, UsageError } from '../errors.ts';
import { nearWords } from '../language/near-miss.ts';

/** What oclif throws where it cannot make sense of what was typed. */
type ParseError = Error & { oclif?: { exit?: number }; code?: string; flags?: unknown };

/**
 * An error of oclif (a flag that does not exist) as a UsageError with what may have been meant of the command's flags; null
 * for any other error.
 */
export function usageErrorOf(error: ParseError, command?: typeof Command): UsageError | null {
  // What oclif cannot load has an exit code too, and a code.
  if (error.oclif?.exit === undefined || error.code !== undefined) return null;
  const message = error.message.split('\nSee more help')[0]!;
  const near = Array.isArray(error.flags) ? nearFlags(error.flags, command) : nearOptions(message);
  return new UsageError(message, meantHint(near) ?? 'see --help');
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

/** The error of a value that is none of a flag's holds neither of them: only its message does. */
function nearOptions(message: string): string[] {
  const [, flag = '', value, options] = /^Expected (--[\w-]+=)?(.*) to be one of: (.*)$/.exec(message) ?? [];
  if (value === undefined || options === undefined) return [];
  return nearWords(value, options.split(', ')).map((option) => `${flag.replace('=', ' ')}${option}`);
}
