import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { BadMirrorError, diskFull } from '../errors.ts';
import { say, verbatim } from '../words/speech.ts';
import { fileBytes } from './file-state.ts';
import { type Mirror, whileOpen } from './mirror.ts';
import { asMirrorError, openFilesError, whyUnwritable } from './mirror-errors.ts';
import { migrate } from './schema.ts';

/** Creates an empty mirror, atomically: under a temporary name, renamed once it is complete on disk without a log. */
export function createMirror(path: string, open: (path: string) => Mirror): void {
  const temporaryPath = `${path}.new`;
  using _ = { [Symbol.dispose]: () => removeDatabase(temporaryPath) };
  try {
    removeDatabase(temporaryPath);
    whileOpen(open(temporaryPath), (mirror) => {
      migrate(mirror);
      // Copies the log into the file here, because closing would hide errors.
      const [result] = mirror.database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number; log: number }[];
      const readNumber = (pragma: string) => mirror.database.pragma(pragma, { simple: true }) as number;
      const isFlushed = fileBytes(mirror.path) === readNumber('page_count') * readNumber('page_size');
      if (result?.busy !== 0 || !isFlushed) throw new BadMirrorError(mirror.path, say`is incomplete`);
    });
    syncToDisk(temporaryPath);
    // Another process may have created one meanwhile.
    if (fileBytes(path) > 0) return;
    removeDatabase(path);
    renameSync(temporaryPath, path);
    syncToDisk(dirname(path));
  } catch (error) {
    throw asCreationError(path, error);
  }
}

/** Removes a database and its logs, which would be applied to the next file of that name. */
function removeDatabase(path: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}

function syncToDisk(path: string): void {
  const file = openSync(path, 'r');
  using _ = { [Symbol.dispose]: () => closeSync(file) };
  fsyncSync(file);
}

function asCreationError(path: string, error: unknown): unknown {
  if (error instanceof BadMirrorError) {
    const reason = whyUnwritable(path) ?? verbatim(error.message);
    return openFilesError(path, error) ?? new BadMirrorError(path, reason, null, error);
  }
  const mirrorError = asMirrorError(path, error);
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (mirrorError instanceof BadMirrorError || syscall === undefined) return mirrorError;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const reason = whyUnwritable(path) ?? (isFull ? diskFull.reason : say`cannot be made (${message})`);
  return new BadMirrorError(path, reason, isFull ? diskFull.hint : null, error);
}
