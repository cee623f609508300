import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { BadMirrorError, diskFull, tooManyFiles } from '../errors.ts';
import { type Phrase, say } from '../words/speech.ts';
import { fileIdentity } from './file-state.ts';
import type { Mirror } from './mirror.ts';

/** Throws a BadMirrorError if the written file was deleted, moved or replaced; SQLite would keep writing to it. */
export function refuseReplacedFile({ path, file: openedFile, database }: Mirror): void {
  if (database.memory) return;
  let reason = say`is another file now: it was replaced while it was written`;
  let cause: unknown;
  try {
    const currentFile = fileIdentity(path);
    if (currentFile === openedFile) return;
    if (currentFile === '') reason = say`is gone: it was deleted, moved or unmounted while it was written`;
  } catch (error) {
    reason = say`can no longer be reached (${(error as Error).message})`;
    cause = error;
  }
  throw new BadMirrorError(path, reason, replacedFileHint, cause);
}

const replacedFileHint = say`this run saved to the previous file; restore it, or run the same command again to fill the new one`;

/** Reason why a file or its folder cannot be written; null if both can. */
export function whyUnwritable(path: string): Phrase | null {
  try {
    accessSync(dirname(path), constants.W_OK);
    if (existsSync(path)) accessSync(path, constants.W_OK);
    return null;
  } catch (error) {
    return say`cannot be written: it is read-only (${(error as { code?: string }).code})`;
  }
}

/** Files that SQLite opens for a database: itself, -wal, -shm, and the folder. */
const filesPerMirror = 4;

/** A BadMirrorError if the limit of open files is reached, tested by opening some; else null. */
export function openFilesError(path: string, cause: unknown): BadMirrorError | null {
  const descriptors: number[] = [];
  using _ = { [Symbol.dispose]: () => descriptors.forEach(closeSync) };
  try {
    while (descriptors.length < filesPerMirror) descriptors.push(openSync(dirname(path), 'r'));
    return null;
  } catch (error) {
    const isFileLimit = /^E[MN]FILE$/.test((error as { code?: string }).code ?? '');
    return isFileLimit ? new BadMirrorError(path, tooManyFiles.reason, tooManyFiles.hint, cause) : null;
  }
}

/** Turns an error of SQLite into a BadMirrorError with a reason and a hint; returns other errors unchanged. */
export function asMirrorError(path: string, error: unknown): unknown {
  // A SuppressedError: the error in `suppressed` is the cause of the later one, which closing the file threw.
  if (error instanceof Error && 'suppressed' in error) return asMirrorError(path, error.suppressed);
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return error;
  const entry = sqliteReasons.find(([prefix]) => code.startsWith(prefix));
  const [, reason, hint = null] = entry ?? [code, (error as Error).message];
  const isOpenFailure = code.startsWith('SQLITE_CANTOPEN');
  const limitError = isOpenFailure ? openFilesError(path, error) : null;
  if (limitError) return limitError;
  const unwritableReason = isOpenFailure ? whyUnwritable(path) : null;
  return new BadMirrorError(path, unwritableReason ?? say`${reason} (${code})`, hint, error);
}

/** True for an error of SQLite about its file, not about a statement or a value. */
export const isFileError = (error: unknown): boolean =>
  sqliteReasons.some(([prefix]) => String((error as { code?: unknown }).code).startsWith(prefix));

/** Reasons, and hints other than the default, by prefix of SQLite's error codes. */
const sqliteReasons: [code: string, reason: Phrase, hint?: Phrase][] = [
  ['SQLITE_NOTADB', say`is not an SQLite file`],
  ['SQLITE_CORRUPT', say`is damaged`],
  ['SQLITE_READONLY', say`cannot be written: it is read-only`],
  ['SQLITE_CANTOPEN', say`cannot be opened`],
  ['SQLITE_FULL', diskFull.reason, diskFull.hint],
  ['SQLITE_IOERR', say`the disk refused to read or write`],
  ['SQLITE_BUSY', say`is being written by another program`],
];
