import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { BadMirrorError, NoMirrorError } from '../errors.ts';
import { say } from '../words/speech.ts';
import { fileBytes, fileState } from './file-state.ts';
import { applicationId, newestVersion } from './migrations.ts';

/** Schema version in the file's header, 0 for none. Throws a NoMirrorError, or a BadMirrorError if foreign or newer. */
export function readSchemaVersion(path: string): number {
  // Read without SQLite, so that a foreign file stays untouched.
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
  if (header.readUInt32BE(68) !== applicationId)
    throw new BadMirrorError(path, say`is an SQLite file, but not a mirror`);
  const version = header.readUInt32BE(60);
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

/** Consistent bytes and state of a file; null if a program, whose log is beside it, may be writing. */
export function readStableFile(path: string): { bytes: Buffer; state: string } | null {
  const state = stableFileState(path);
  if (state === null) return null;
  try {
    const bytes = readFileSync(path);
    // Two writes within one tick of the file system's clock have one time.
    const isRecent = Date.now() - statSync(path).mtimeMs < 2000;
    if (isRecent && !readFileSync(path).equals(bytes)) return null;
    return stableFileState(path) === state ? { bytes, state } : null;
  } catch (error) {
    throw new BadMirrorError(path, say`cannot be read (${(error as Error).message})`, null, error);
  }
}

/** Text that changes with the file; null while a log has changes. */
export const stableFileState = (path: string): string | null => (hasLog(path) ? null : fileState(path) || null);

/** True if a log beside the file has content. */
export const hasLog = (path: string): boolean =>
  ['-wal', '-journal'].some((ending) => fileBytes(`${path}${ending}`) > 0);
