import { statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { dataSize, type Phrase, say } from '../words/speech.ts';

/** Bytes that any sync needs besides the mirror, for downloads and its log. */
export const leastFree = 50_000_000;

/** Size of a first mirror of a country with two chambers, with its write-ahead log. */
const firstBytes = 150_000_000;

const bytesOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Bytes that a sync needs (the mirror's present or expected size), free bytes, and the folder measured. */
export function roomFor(db: string, needed = bytesOf(db) || firstBytes) {
  let folder = dirname(resolve(db));
  while (folder !== dirname(folder) && !statSync(folder, { throwIfNoEntry: false })) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  return { needed: Math.max(leastFree, needed), free: bavail * bsize, folder };
}

/** Space for an import: three times the content; compressed files count eight times their size. */
export function roomForFiles(db: string, paths: string[]) {
  const contents = paths.map((path) => bytesOf(path) * (/\.(gz|parquet)$/.test(path) ? 8 : 1));
  return roomFor(db, 3 * contents.reduce((sum, bytes) => sum + bytes, 0));
}

/** A warning if fewer bytes are free than a run needs, else null. */
export function lackOfRoom({ needed, free, folder }: ReturnType<typeof roomFor>): Phrase | null {
  if (free >= needed) return null;
  const [has, needs] = [free, needed].map(dataSize);
  return say`${folder} has ${has!} free, and this may need ${needs!}; if space runs out, saved data is kept`;
}
