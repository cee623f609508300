import { readFileSync, statSync } from 'node:fs';
import { BadTargetError, ConfigurationError, UsageError } from '../errors.ts';
import { durationMs, momentOf, pastMoment } from '../model/moment.ts';
import { dayForms } from '../questions/time-bounds.ts';
import { type Phrase, say } from '../words/speech.ts';
import { Flags, switchFlag, valueFlag } from './oclif.ts';

export const maxAgeFlag = valueFlag('fail if the mirror is older than this (90s, 30m, 12h, 7d)', 'DURATION');

export const headerFlag = Flags.boolean({
  description: 'print column names in the first line (--no-header: omit them)',
  allowNo: true,
  default: true,
});

export const acceptClockFlag = switchFlag(
  'trust the clock of this machine, even if the service or the mirror disagrees',
);

export const asOfFlag = valueFlag(
  'state of the mirror at this date: 2026-11-01 (its end, in Paris), a time, or 7d ago',
  'DATE',
);

/** The flag `--timeout` of commands that run a statement of the user. */
export const timeoutFlag = valueFlag('time after which the statement is stopped (90s, 30m)', 'DURATION', {
  default: '5m',
});

/** Parses a flag to milliseconds; throws a UsageError for an invalid duration. */
export function parseDurationFlag(flag: string, text: string): number {
  const ms = durationMs(text);
  if (ms !== null) return ms;
  throw new UsageError(say`${flag} "${text}" is not a duration`, say`write 90s, 30m, 12h or 7d`);
}

/** Parses a date to a moment (ISO 8601) at the start or end of a day, with `parseDay` to a day; throws a UsageError. */
export function parseMomentFlag(flag: string, text: string, edge: 'start' | 'end', parse: typeof momentOf = momentOf) {
  const moment = parse(text, Date.now(), edge);
  if (moment !== null) return moment;
  throw new UsageError(say`${flag} "${text}" is not a date`, say`write ${dayForms}, or a date and time`);
}

/** Like `parseMomentFlag`, but throws a UsageError for a future moment too. */
export function parsePastFlag(flag: string, text: string, edge: 'start' | 'end'): string {
  const moment = pastMoment(parseMomentFlag(flag, text, edge), Date.now());
  if (moment !== null) return moment;
  throw new UsageError(say`${flag} "${text}" is in the future`);
}

/** Text of a file, or of stdin for `-`; throws a UsageError that mentions `name` if it is unreadable. */
export function readTextFile(path: string, name = path): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw new UsageError(say`${name} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Returns the name if it matches the pattern; else throws a UsageError with `message`. */
export function parseName(name: string, pattern: RegExp, message: Phrase): string {
  if (pattern.test(name)) return name;
  const hyphenatedName = name.trim().replace(/\s+/g, '-');
  if (pattern.test(hyphenatedName)) throw new UsageError(message, say`with hyphens it is one: ${hyphenatedName}`);
  const hint = say`use at most 64 letters, digits, dots, hyphens and underscores, starting with a letter or digit`;
  throw new UsageError(message, hint);
}

/** Throws a BadTargetError if the output would overwrite its source mirror. */
export function refuseMirrorAsTarget(path: string, db: string): void {
  const file = statSync(path, { throwIfNoEntry: false });
  const mirror = statSync(db, { throwIfNoEntry: false });
  if (file && mirror && file.dev === mirror.dev && file.ino === mirror.ino)
    throw new BadTargetError(path, say`it is the mirror itself`);
}

/** ISO 8601 moment of SOURCE_DATE_EPOCH, null if unset; throws a ConfigurationError if it is no number. */
export function parseSourceDate(epoch: string | undefined): string | null {
  if (!epoch) return null;
  if (!/^\d{1,11}$/.test(epoch))
    throw new ConfigurationError(say`SOURCE_DATE_EPOCH "${epoch}" is not a number of seconds since 1970`);
  return new Date(Number(epoch) * 1000).toISOString();
}

/** The flag `--pager` of commands whose output may exceed one screen. */
export const pagerFlag = Flags.boolean({
  description: 'show long output in a pager (HEMICYCLE_PAGER, PAGER); --no-pager disables it',
  allowNo: true,
  helpGroup: 'OUTPUT',
});
