import { existsSync } from 'node:fs';
import { orNull, UsageError } from '../../errors.ts';
import { filesPhrase, installCopy, isSameFile, mirrorEntryName, withBackup } from '../../export/backup.ts';
import { refuseEdition } from '../../store/edition-mark.ts';
import { whileOpen } from '../../store/mirror.ts';
import { openMirror, openWritableMirror } from '../../store/open.ts';
import { withhold } from '../../store/saving/withhold.ts';
import { tombstones } from '../../store/tombstones.ts';
import { say } from '../../words/speech.ts';
import { restorePath } from '../backup-files.ts';
import { HemicycleCommand } from '../base-command.ts';
import { withFile } from '../bucket-target.ts';
import { argument, switchFlag } from '../oclif.ts';
import { eraseWithheldFromWatches } from '../watch-command.ts';

export default class Restore extends HemicycleCommand {
  static override args = { file: argument('file or object (s3://BUCKET/KEY) written by `backup`') };
  static override flags = { replace: switchFlag('move existing files aside') };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Restore);
    const settings = this.settingsWith();
    const progress = this.progress();
    await this.lock(settings.db);
    refuseEdition(settings.db);
    progress.stage(say`verifying ${args.file}`);
    // An unreadable mirror yields no tombstones; the restore may repair it.
    const localTombstones = orNull(() => whileOpen(openMirror(settings.db), tombstones)) ?? [];
    const targetPathOf = (name: string) => restorePath(settings, name);
    const restoredManifest = await withFile(args.file, { network: this.network, isUpload: false }, (file) =>
      withBackup(file, targetPathOf, async ({ manifest, copies }) => {
        const mirrorCopy = copies.get(mirrorEntryName);
        // Refuse a mirror of a newer program before anything changes.
        if (mirrorCopy !== undefined) openMirror(mirrorCopy).close();
        const changedFiles = await findChangedFiles(copies, targetPathOf);
        const existingPaths = changedFiles.map(({ path }) => path).filter((path) => existsSync(path));
        if (existingPaths.length > 0 && !flags.replace)
          throw new UsageError(
            say`${existingPaths.join(', ')} would be replaced; nothing was restored`,
            say`--replace moves the existing files aside`,
          );
        for (const { copy, path } of changedFiles) {
          const asidePath = await installCopy(copy, path);
          if (asidePath !== null) progress.note(say`${path} is now ${asidePath}`);
        }
        const otherFiles = manifest.files.map(({ name }) => name).filter((name) => !copies.has(name));
        if (otherFiles.length > 0) progress.note(say`not restored, as nothing here reads it: ${otherFiles.join(', ')}`);
        return manifest;
      }),
    );
    if (existsSync(settings.db)) {
      const mirror = this.closeAtEnd(openWritableMirror(settings.db));
      // Records withheld since the backup stay withheld.
      withhold(mirror, localTombstones);
      if (localTombstones.length > 0) await eraseWithheldFromWatches(this, settings, mirror);
    }
    if (flags.json) return this.print({ ...restoredManifest, db: settings.db }, '');
    progress.done(say`restored: ${filesPhrase(restoredManifest)}`);
    this.note(say`the mirror is ${settings.db}`);
  }
}

async function findChangedFiles(copies: ReadonlyMap<string, string>, targetPathOf: (name: string) => string | null) {
  const changedFiles: { copy: string; path: string }[] = [];
  for (const [name, copy] of copies) {
    const path = targetPathOf(name)!; // only files with a target path were copied
    if (!existsSync(path) || !(await isSameFile(path, copy))) changedFiles.push({ copy, path });
  }
  return changedFiles;
}
