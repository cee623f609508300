import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  BadTargetError,
  BrokenInstallError,
  ConfigurationError,
  errorTable,
  exitCodes,
  HemicycleError,
  LockedError,
  NoMirrorError,
  tooManyFiles,
} from '../errors.ts';
import { errorJson } from '../format/json.ts';
import { sanitiseText, shellLine } from '../format/sanitise.ts';
import { codeOf, reasonOf } from '../format/sink.ts';
import { type Phrase, type Speech, say, verbatim } from '../words/speech.ts';
import { readManifest } from './manifest.ts';
import { usageErrorOf } from './usage-error.ts';

const jsonFlags = { json: { type: 'boolean' }, format: { type: 'string' } } as const;

/** Prints an error on stderr, as one JSON object with `--json` or `--format json`, and sets the exit code. */
export async function writeError(error: Error, argv: string[], { root, speech }: { root: string; speech: Speech }) {
  const knownError = toHemicycleError(error);
  process.exitCode = knownError.exit;
  if (knownError.proposals.length > 0) {
    const { addProposalsWithResults } = await import('./advice.ts');
    await addProposalsWithResults(knownError, readManifest(root));
  }
  const { json, format } = parseArgs({ args: argv, options: jsonFlags, strict: false }).values;
  if (json || format === 'json') {
    process.stderr.write(`${errorJson(knownError).trimEnd()}\n`);
    return;
  }
  const { message, hint } = knownError.describe(speech);
  process.stderr.write(
    `${speech.say`Error: ${sanitiseText(abbreviate(message))}`}\n${hint ? `${sanitiseText(hint)}\n` : ''}`,
  );
  if (argv.includes('--debug') && knownError.exit === exitCodes.unexpected) process.stderr.write(`${error.stack}\n`);
}

const maxMessageLength = 4000; // of a longer message, only its start and end are shown

function abbreviate(message: string): string {
  if (message.length <= maxMessageLength) return message;
  return `${message.slice(0, 200).toWellFormed()}…${message.slice(-200).toWellFormed()}`;
}

/** Converts any error to a HemicycleError; an unforeseen one is reported as a bug of the program. */
export function toHemicycleError(error: Error): HemicycleError {
  if (error instanceof HemicycleError) return error;
  const knownError = systemErrorOf(error) ?? usageErrorOf(error);
  if (knownError) return knownError;
  return new HemicycleError(
    errorTable.unexpected,
    verbatim(error.message),
    say`this is a bug in Hemicycle; --debug shows where`,
    error,
  );
}

/** Node's error codes for a program file that cannot be loaded. */
const loadErrorCodes = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED']);

const fileErrorCodes = new Set(
  'EACCES EPERM EROFS ENOENT ENOTDIR EISDIR EEXIST ENAMETOOLONG ELOOP ENOSPC EDQUOT EFBIG EIO EBUSY'.split(' '),
);

/** Translates an error that the machine or the installation caused; null for any other error. */
function systemErrorOf(error: Error & { path?: unknown; code?: string }): HemicycleError | null {
  const { message, stack = '' } = error;
  if (/\bE[MN]FILE\b|too many open files/i.test(message))
    return new ConfigurationError(tooManyFiles.reason, tooManyFiles.hint);
  if (loadErrorCodes.has(error.code ?? '')) return new BrokenInstallError(missingPartText(message), error);
  // A SyntaxError raised by Node's module loader means a damaged program file.
  if (error instanceof SyntaxError && /^.*\n.*node:internal\/modules\//.test(stack))
    return new BrokenInstallError(say`a part of it is damaged (${message})`, error);
  const code = codeOf(error);
  if (code === null || !fileErrorCodes.has(code) || typeof error.path !== 'string') return null;
  return new BadTargetError(
    error.path,
    reasonOf(error),
    say`nothing was written there; check its permissions, or choose another location (HOME, XDG_DATA_HOME, XDG_CONFIG_HOME, --db)`,
  );
}

function missingPartText(message: string): Phrase {
  const [, kind, name] = /Cannot find (module|package) '([^']+)'/.exec(message) ?? [];
  if (name === undefined) return verbatim(message.split('\n')[0]!);
  // `require` reports a missing package as a module too.
  return kind === 'package' || !/^[./]/.test(name) ? say`the package ${name} is missing` : say`${name} is missing`;
}

const correctableExits: number[] = [exitCodes.usage, exitCodes.notFound, exitCodes.ambiguous];

/** Adds corrected command lines to the error, in tiers, best first; for a locked or missing mirror, a helpful flag. */
export async function addAdvice(error: Error, command: { root: string; id: string; argv: string[]; flags: object }) {
  const { root, id, argv, flags } = command;
  if (error instanceof HemicycleError && correctableExits.includes(error.exit)) {
    const { correctedLines } = await import('./unknown-command.ts');
    const line = [...id.split(':'), ...argv];
    const differsFromTyped = (proposal: string[]) => proposal.toSorted().join() !== line.toSorted().join();
    error.propose(...correctedLines([line], readManifest(root)).map((tier) => tier.filter(differsFromTyped)));
  }
  if (error instanceof LockedError && 'wait-lock' in flags) error.withRemark(say`use \`--wait-lock 5m\` to wait`);
  if (error instanceof NoMirrorError && !argv.some((word) => /^--db(=|$)/.test(word))) {
    const demoPath = join(dirname(error.path), 'demo/mirror.db');
    const line = shellLine(['hemicycle', ...id.split(':'), ...argv, '--db', demoPath]);
    if (existsSync(demoPath)) error.withRemark(say`with the demo data: \`${line}\``);
  }
}
