import { existsSync } from 'node:fs';
import { BadMirrorError, VerificationError } from '../errors.ts';
import { writeAtomically } from '../format/atomic-file.ts';
import { type EditionMark, editionMarkPath, readEditionMark } from '../store/edition-mark.ts';
import { takeLock } from '../store/lock.ts';
import { readSchemaVersion } from '../store/mirror-file.ts';
import { say } from '../words/speech.ts';
import { installCopy, mirrorName, moveCopy, withBackup } from './backup.ts';
import { type BucketAccess, type BucketObject, withObject } from './bucket.ts';
import { withDownloadedFile } from './bucket-copy.ts';

/** Returns a function that installs the edition in a bucket at `db`, and returns its mark; null if it is installed. */
export function createEditionFetcher(location: string, db: string, access: BucketAccess) {
  let refusedTag = '';
  const fetchEdition = async (object: BucketObject): Promise<EditionMark | null> => {
    const mark = readEditionMark(db);
    if (mark === null && existsSync(db))
      throw new BadMirrorError(db, say`is no edition but a mirror of its own`, say`choose another file with --db`);
    const isInstalled = mark?.location === location && existsSync(db);
    const installArchive = async (archive: string, tag: string) => {
      try {
        // The bucket may again have the installed edition after a damaged one.
        const isCurrent = isInstalled && tag === mark.tag;
        const newMark = isCurrent ? null : await installEdition(archive, db, { location, tag });
        refusedTag = '';
        return newMark;
      } catch (error) {
        // A damaged archive is fetched once, not every minute.
        if (error instanceof VerificationError || error instanceof BadMirrorError) refusedTag = tag;
        throw error;
      }
    };
    const knownTag = refusedTag || (isInstalled ? mark.tag : '');
    return withDownloadedFile(object, installArchive, knownTag);
  };
  return () =>
    withObject(location, access, async (object) => {
      const lock = await takeLock(db, access.network);
      return fetchEdition(object).finally(() => lock.close());
    });
}

/** Replaces the mirror by that of an archive; marks first and last, so that a killed run leaves no unmarked edition. */
function installEdition(archive: string, db: string, mark: Pick<EditionMark, 'location' | 'tag'>) {
  return withBackup(
    archive,
    (name) => (name === mirrorName ? db : null),
    async ({ manifest, copies }) => {
      const copy = copies.get(mirrorName);
      if (copy === undefined) throw new VerificationError(say`${archive}: ${mirrorName} is missing`);
      readSchemaVersion(copy);
      const newMark: EditionMark = { ...mark, made_at: manifest.made_at };
      await saveMark(db, { ...newMark, tag: '', made_at: readEditionMark(db)?.made_at ?? manifest.made_at });
      if (existsSync(db)) await moveCopy(copy, db);
      else await installCopy(copy, db);
      await saveMark(db, newMark);
      return newMark;
    },
  );
}

const saveMark = (db: string, mark: EditionMark) =>
  writeAtomically(editionMarkPath(db), (sink) => sink.write(`${JSON.stringify(mark)}\n`));
