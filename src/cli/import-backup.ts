import { existsSync } from 'node:fs';
import { VerificationError } from '../errors.ts';
import { installCopy, mirrorEntryName, withBackup } from '../export/backup.ts';
import { refuseEdition } from '../store/edition-mark.ts';
import { countRecords, mergeMirror } from '../store/following/merge.ts';
import { whileOpen } from '../store/mirror.ts';
import { openMirror, openWritableMirror } from '../store/open.ts';
import { withhold } from '../store/saving/withhold.ts';
import { tombstones } from '../store/tombstones.ts';
import { figure, say } from '../words/speech.ts';
import type { HemicycleCommand } from './base-command.ts';
import type { Settings } from './settings.ts';

/** Imports the mirror of a backup: copies it if ours is empty or missing, else merges it, adding missing records. */
export async function importBackup(command: HemicycleCommand, path: string, settings: Settings): Promise<void> {
  const { db } = settings;
  const progress = command.progress();
  await command.lock(db);
  refuseEdition(db);
  progress.stage(say`verifying ${path}`);
  const mirror = existsSync(db) ? command.closeAtEnd(openWritableMirror(db, settings)) : null;
  const withheld = mirror === null ? [] : tombstones(mirror);
  const targetPathOf = (name: string) => (name === mirrorEntryName ? db : null);
  const { added, same, retained } = await withBackup(path, targetPathOf, async ({ copies }) => {
    const copy = copies.get(mirrorEntryName);
    if (copy === undefined) throw new VerificationError(say`${path}: it contains no mirror`);
    const backupMirror = command.closeAtEnd(openMirror(copy));
    if (mirror !== null && countRecords(mirror) > 0) return mergeMirror(mirror, backupMirror);
    const added = countRecords(backupMirror);
    backupMirror.close();
    mirror?.close();
    await installCopy(copy, db);
    whileOpen(openWritableMirror(db, settings), (restoredMirror) => withhold(restoredMirror, withheld));
    return { added, same: 0, retained: 0 };
  });
  progress.stop();
  progress.done(say`${figure(added)} added with all versions, ${figure(same)} unchanged`);
  if (retained > 0)
    progress.note(say`${figure(retained)} already have a history in this mirror and are left unchanged`);
  command.note(say`the mirror is ${db}`);
}
