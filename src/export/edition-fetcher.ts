import { existsSync } from 'node:fs';
import { BadMirrorError, VerificationError } from '../errors.ts';
import { renameDurably, writeAtomically } from '../format/atomic-file.ts';
import { type EditionMark, editionMarkPath, readEditionMark } from '../store/edition-mark.ts';
import { takeLock } from '../store/lock.ts';
import { readSchemaVersion } from '../store/mirror-file.ts';
import { say } from '../words/speech.ts';
import { installCopy, mirrorEntryName, withBackup } from './backup.ts';
import { type BucketAccess, type BucketObject, withObject } from './bucket.ts';
import { withDownloadedFile } from './bucket-copy.ts';

/** Returns a function that installs a bucket's edition (backup) at `db` and returns its mark; null if unchanged. */
export function createEditionFetcher(location: string, db: string, access: BucketAccess) {
  let damagedTag = ''; // of a damaged archive, so that polling does not download it every minute
  const fetchEdition = async (object: BucketObject): Promise<EditionMark | null> => {
    const mark = readEditionMark(db);
    if (mark === null && existsSync(db))
      throw new BadMirrorError(db, say`is no edition but a mirror of its own`, say`choose another file with --db`);
    const isInstalled = mark?.location === location && existsSync(db);
    const skippedTag = damagedTag || (isInstalled ? mark.tag : ''); // of an edition not to download
    const installArchive = async (archive: string, tag: string) => {
      try {
        // The publisher may have replaced a damaged edition by the installed one: do not install it again.
        const newMark = isInstalled && tag === mark.tag ? null : await installEdition(archive, db, { location, tag });
        damagedTag = '';
        return newMark;
      } catch (error) {
        if (error instanceof VerificationError || error instanceof BadMirrorError) damagedTag = tag;
        throw error;
      }
    };
    return withDownloadedFile(object, installArchive, skippedTag);
  };
  return () =>
    withObject(location, access, async (object) => {
      const lock = await takeLock(db, access.network);
      return fetchEdition(object).finally(() => lock.close());
    });
}

/** Installs an archive's mirror; until then the mark has the former time and no tag: a crash ends in a new download. */
function installEdition(archive: string, db: string, source: Pick<EditionMark, 'location' | 'tag'>) {
  const targetOf = (name: string) => (name === mirrorEntryName ? db : null);
  return withBackup(archive, targetOf, async ({ manifest, copies }) => {
    const copy = copies.get(mirrorEntryName);
    if (copy === undefined) throw new VerificationError(say`${archive}: ${mirrorEntryName} is missing`);
    readSchemaVersion(copy); // refuses a foreign or newer file
    const finalMark: EditionMark = { ...source, made_at: manifest.made_at };
    await saveMark(db, { ...finalMark, tag: '', made_at: readEditionMark(db)?.made_at ?? manifest.made_at });
    // Readers keep the replaced file open; an installed edition has no -wal or -shm files to replace.
    if (existsSync(db)) await renameDurably(copy, db);
    else await installCopy(copy, db);
    await saveMark(db, finalMark);
    return finalMark;
  });
}

const saveMark = (db: string, mark: EditionMark) =>
  writeAtomically(editionMarkPath(db), (sink) => sink.write(`${JSON.stringify(mark)}\n`));
