import { statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileBytes } from '../store/file-state.ts';
import { dataSize, type Phrase, say } from '../words/speech.ts';

/** Bytes that any sync needs at least, for downloads and its log. */
export const minFreeBytes = 50_000_000;

/** Size of a first mirror of a country with two chambers, with its write-ahead log. */
const firstMirrorBytes = 150_000_000;

/** Bytes that a sync needs (the mirror's present or expected size), free bytes, and the folder measured. */
export function diskSpaceFor(db: string, neededBytes = fileBytes(db) || firstMirrorBytes) {
  let folder = dirname(resolve(db));
  while (folder !== dirname(folder) && !statSync(folder, { throwIfNoEntry: false })) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  return { needed: Math.max(minFreeBytes, neededBytes), free: bavail * bsize, folder };
}

/** Space for an import: three times the content; compressed files count eight times their size. */
export function diskSpaceForFiles(db: string, paths: string[]) {
  const contents = paths.map((path) => fileBytes(path) * (/\.(gz|zst|parquet)$/.test(path) ? 8 : 1));
  return diskSpaceFor(db, 3 * contents.reduce((sum, bytes) => sum + bytes, 0));
}

/** A warning if fewer bytes are free than a run needs, else null. */
export function lowSpaceWarning({ needed, free, folder }: ReturnType<typeof diskSpaceFor>): Phrase | null {
  if (free >= needed) return null;
  const [freeText, neededText] = [free, needed].map(dataSize);
  return say`${folder} has ${freeText!} free, and this may need ${neededText!}; if space runs out, saved data is kept`;
}
