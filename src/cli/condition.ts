import {
  BadTargetError,
  BrokenInstallError,
  ConfigurationError,
  type HemicycleError,
  tooManyFiles,
} from '../errors.ts';
import { codeOf, reasonOf } from '../format/sink.ts';
import { say, type UserText } from '../words/speech.ts';

/** Error codes of Node when a part of the program cannot be loaded. */
const lost = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED']);

/** System error codes for files that cannot be opened, read or written. */
const refused = new Set(
  'EACCES EPERM EROFS ENOENT ENOTDIR EISDIR EEXIST ENAMETOOLONG ELOOP ENOSPC EDQUOT EFBIG EIO EBUSY'.split(
    ' ',
  ),
);

/** Translates an error that the machine or the installation caused; null for any other error. */
export function conditionOf(error: Error & { path?: unknown }): HemicycleError | null {
  const { message, stack = '' } = error;
  if (/\bE[MN]FILE\b/.test(message)) return new ConfigurationError(tooManyFiles.reason, tooManyFiles.hint);
  if (lost.has((error as { code?: string }).code ?? ''))
    return new BrokenInstallError(lossOf(message), error);
  // A SyntaxError raised by Node's module loader means a damaged program file.
  if (error instanceof SyntaxError && /^.*\n.*node:internal\/modules\//.test(stack))
    return new BrokenInstallError(say`a part of it is damaged (${message})`, error);
  // Unknown commands are reported elsewhere: this one is listed, but its file exports no command.
  const [, empty] = /^command (\S+) not found$/.exec(message) ?? [];
  if (empty) return new BrokenInstallError(say`the command ${empty.replaceAll(':', ' ')} is empty`, error);
  const code = codeOf(error);
  if (code === null || !refused.has(code) || typeof error.path !== 'string') return null;
  return new BadTargetError(
    error.path,
    reasonOf(error),
    say`nothing was written there; check who may read and write it, or name another place (HOME, XDG_DATA_HOME, XDG_CONFIG_HOME, --db)`,
  );
}

function lossOf(message: string): UserText {
  const [, kind, name] = /Cannot find (module|package) '([^']+)'/.exec(message) ?? [];
  if (name === undefined) return message.split('\n')[0]!;
  // `require` calls a missing package a module too.
  return kind === 'package' || !/^[./]/.test(name)
    ? say`the package ${name} is missing`
    : say`${name} is missing`;
}
