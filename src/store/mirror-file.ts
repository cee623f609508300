import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { BadMirrorError, NoMirrorError } from '../errors.ts';
import { say } from '../words/speech.ts';
import { fileBytes, fileState } from './file-state.ts';
import { applicationId, newestVersion } from './migrations.ts';

/** Schema version of a file, 0 if empty. Throws a NoMirrorError; a BadMirrorError if unreadable, foreign or newer. */
export function readSchemaVersion(path: string): number {
  // Without SQLite, so that a foreign file stays untouched: https://www.sqlite.org/fileformat.html#the_database_header
  const header = Buffer.alloc(72);
  let length = 0;
  try {
    const file = openSync(path, 'r');
    length = readSync(file, header, 0, 72, 0);
    closeSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new NoMirrorError(path);
    throw new BadMirrorError(path, say`cannot be read (${message})`, null, error);
  }
  if (length === 0) return 0;
  if (length < 72 || header.toString('latin1', 0, 15) !== 'SQLite format 3')
    throw new BadMirrorError(path, say`is not an SQLite file`);
  const storedApplicationId = header.readUInt32BE(68);
  if (storedApplicationId !== applicationId) throw new BadMirrorError(path, say`is an SQLite file, but not a mirror`);
  const version = header.readUInt32BE(60); // PRAGMA user_version
  refuseNewerSchema(path, version);
  return version;
}

/** True if an older program wrote the file; only `sync` and `import` migrate it. */
export function needsMigration(path: string): boolean {
  const version = existsSync(path) ? readSchemaVersion(path) : 0;
  return version > 0 && version < newestVersion;
}

/** Throws a BadMirrorError for a newer schema. */
export function refuseNewerSchema(path: string, version: number): void {
  if (version <= newestVersion) return;
  throw new BadMirrorError(
    path,
    say`was written by a newer Hemicycle (schema ${version}; this version supports ${newestVersion})`,
    say`update with \`npm i -g hemicycle\`; nothing was written`,
  );
}

/** Bytes of a file and their `stableFileState`; null if it has a log or changes: a program may be writing it. */
export function readStableFile(path: string): { bytes: Buffer; state: string } | null {
  const state = stableFileState(path);
  if (state === null) return null;
  try {
    const bytes = readFileSync(path);
    // Two writes within one tick of the file system's clock leave the same modification time.
    if (Date.now() - statSync(path).mtimeMs < 2000 && !readFileSync(path).equals(bytes)) return null;
    return stableFileState(path) === state ? { bytes, state } : null;
  } catch (error) {
    throw new BadMirrorError(path, say`cannot be read (${(error as Error).message})`, null, error);
  }
}

/** Text that changes with the file; null without a file, or while a log beside it has content. */
export const stableFileState = (path: string): string | null => (hasLog(path) ? null : fileState(path) || null);

/** True if a log beside the file has content. */
export const hasLog = (path: string) => ['-wal', '-journal'].some((suffix) => fileBytes(`${path}${suffix}`) > 0);
