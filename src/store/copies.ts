import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { orNull } from '../errors.ts';
import { documentsIn } from '../model/document.ts';
import { withLockFile } from './lock.ts';

/** A copy of the mirror's records that this program wrote. */
export type Copy = {
  /** An absolute path, the address of a folder in a bucket, or that of a database and its schema. */
  location: string;
  kind: CopyKind;
  written_at: string; // ISO 8601
  mark: string | null; // withholding state at its last check (`WithheldScanner.mark`); null before the first
};

export type CopyKind = 'export' | 'site' | 'lake' | 'postgres' | 'backup' | 'evidence' | 'dossier';

/** Path of the list of copies of a mirror. */
export const copiesPath = (mirrorPath: string): string => `${mirrorPath}.copies`;

/** The copies of a mirror, sorted by location; empty if the list is missing or damaged. */
export function readCopies(mirrorPath: string): Copy[] {
  const copies = orNull(() => documentsIn(JSON.parse(readFileSync(copiesPath(mirrorPath), 'utf8'))));
  return (copies ?? []) as unknown as Copy[];
}

/** Adds a written copy to the list, or replaces the entry of its location. */
export async function saveCopy(mirrorPath: string, copy: Copy): Promise<void> {
  await updateJsonFile(copiesPath(mirrorPath), () => {
    const copies = readCopies(mirrorPath).filter(({ location }) => location !== copy.location);
    return [...copies, copy].sort((one, other) => (one.location < other.location ? -1 : 1));
  });
}

/** Replaces a private JSON file atomically by the value that `change` returns, under a lock file. */
export async function updateJsonFile(path: string, change: () => unknown): Promise<void> {
  const replaceFile = async () => {
    writeFileSync(`${path}.new`, `${JSON.stringify(change(), null, 1)}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  };
  await withLockFile(`${path}.lock`, replaceFile, { lockedPath: path });
}
