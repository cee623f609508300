import { renameSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, realpath, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { BadTargetError } from '../errors.ts';
import {
  copyOwnership,
  createTemporaryPath,
  discard,
  guardTarget,
  removeAbandonedFiles,
  renameDurably,
  syncFolder,
  writeAtomically,
} from '../format/atomic-file.ts';
import { isInsideFolder } from '../format/foreign-file.ts';
import { readJsonFile } from '../format/package-description.ts';
import { createFolder } from '../store/folder.ts';
import { withLockFile } from '../store/lock.ts';
import { say } from '../words/speech.ts';

/** File with the checksums of all others. It is renamed into place last, so that readers can detect a new export. */
export const checksumsName = 'SHA256SUMS';

/** Prepares a switch, after finishing an interrupted one (`switchFolderName`); `commit` replaces the target's files. */
export async function stageFolder({ folderPath, path: stagingPath }: Staging, target: string) {
  await finishSwitch(folderPath);
  return {
    /** The target, which holds the previous export; links are resolved. */
    former: folderPath,
    /** The target as the user wrote it. */
    displayName: target,
    /** Renames staged files into place, and removes `formerNames` that are not staged; returns the target. */
    async commit(formerNames: string[]): Promise<string> {
      const names = await readdir(stagingPath);
      // Before any change: a file cannot replace a folder.
      for (const name of names)
        if ((await lstat(join(folderPath, name)).catch(() => null))?.isDirectory())
          throw new BadTargetError(target, say`${name} in it is a folder`);
      const obsoleteNames = formerNames.filter((name) => !names.includes(name));
      await inheritAttributes(stagingPath, folderPath, folderPath);
      await writeFile(join(stagingPath, obsoleteListName), JSON.stringify({ gone: obsoleteNames }), { flush: true });
      await syncFolder(stagingPath);
      const { mode } = await stat(folderPath);
      // Another user of the folder may have to finish the switch; the mask omits setuid.
      await chmod(stagingPath, mode & 0o3777).catch(() => {});
      await renameDurably(stagingPath, join(folderPath, switchFolderName));
      await finishSwitch(folderPath, true);
      return target;
    },
  };
}

/** A hidden staging folder (`path`) inside its target folder (`folderPath`, links resolved); `abort` removes it. */
export type Staging = Awaited<ReturnType<typeof prepareStaging>>;

/** Creates a hidden staging folder in a target folder, which is created if missing; throws a BadTargetError. */
export async function prepareStaging(target: string) {
  const targetStats = await lstat(target).catch(() => null);
  const folderPath = targetStats ? await realpath(target).catch(() => null) : target;
  if (folderPath === null) throw new BadTargetError(target, say`it is a broken link`);
  if (targetStats && !(await stat(folderPath)).isDirectory()) throw new BadTargetError(target, say`it is not a folder`);
  await guardTarget(target, async () => createFolder(folderPath));
  await removeAbandonedFiles(folderPath);
  const path = createTemporaryPath(folderPath);
  await guardTarget(target, () => mkdir(path, 0o700));
  return {
    folderPath,
    path,
    async abort() {
      await discard(path);
      // Remove the folder only if it is empty and this export created it.
      if (!targetStats) await rmdir(folderPath).catch(() => {});
    },
  };
}

/** Writes text files into a staging folder; returns their paths and checksums. Errors name the target `folder`. */
export function writeTexts(texts: Record<string, string>, { staged, folder }: { staged: string; folder: string }) {
  return Array.fromAsync(Object.entries(texts), async ([path, text]) => {
    const file = await writeAtomically(join(staged, path), (sink) => sink.write(text), join(folder, path));
    return { path, sha256: file.sha256() };
  });
}

/** Runs `work` on a staging folder under the lock of its target, so that only one export writes there at a time. */
export async function withLockedStaging<Result>(target: string, work: (staging: Staging) => Promise<Result>) {
  const staging = await prepareStaging(target);
  const lockPath = join(staging.folderPath, '.hemicycle.lock');
  const lockedWork = () => withLockFile(lockPath, () => work(staging), { lockedPath: target });
  return guardTarget(target, lockedWork).finally(staging.abort);
}

/** Name of a complete staging folder whose files are being renamed into place; any later export can finish that. */
export const switchFolderName = '.hemicycle-switch';
const obsoleteListName = '.gone.json'; // lists the files that the new export no longer has

/** Renames staged files, checksums last, then removes obsolete ones; does nothing without a pending switch. */
async function finishSwitch(folderPath: string, isFirstTry = false): Promise<void> {
  const switchFolder = join(folderPath, switchFolderName);
  if (!(await lstat(switchFolder).catch(() => null))) return;
  const obsoleteNames = (await readJsonFile(join(switchFolder, obsoleteListName)))?.gone;
  const stagedNames = (await listFilesBelow(switchFolder)).filter((name) => name !== obsoleteListName);
  const names = stagedNames.sort((one, other) => Number(one === checksumsName) - Number(other === checksumsName));
  for (const [at, name] of names.entries())
    try {
      createFolder(dirname(join(folderPath, name)));
      renameSync(join(switchFolder, name), join(folderPath, name));
    } catch (error) {
      // Nothing has moved yet, so the switch can still be undone.
      if (isFirstTry && at === 0) await rm(switchFolder, { recursive: true, force: true });
      throw error;
    }
  await syncFolder(folderPath);
  for (const name of Array.isArray(obsoleteNames) ? obsoleteNames.map(String) : [])
    if (isInsideFolder(name)) await removeFile(folderPath, name);
  await syncFolder(folderPath);
  await rm(switchFolder, { recursive: true, force: true });
}

/** Relative paths of all files below a folder; empty if it does not exist. */
export async function listFilesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((each) => !each.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort();
}

/** Removes a file, and the folders that are then empty. */
async function removeFile(folderPath: string, path: string): Promise<void> {
  await rm(join(folderPath, path), { force: true });
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    if ((await readdir(join(folderPath, parent)).catch(() => [''])).length > 0) return;
    await rmdir(join(folderPath, parent)).catch(() => {});
  }
}

/** Throws a BadTargetError if there are `foreignNames`: files that no export wrote and this one would replace. */
export function refuseForeignFiles(folder: string, foreignNames: string[]): void {
  if (foreignNames.length > 0)
    throw new BadTargetError(
      folder,
      say`it contains files from elsewhere that this export would replace: ${foreignNames.sort().join(', ')}`,
      say`move them, or export to another folder`,
    );
}

/** Gives staged files owner and mode of their versions in `formerPath`; new files get the group of `folderPath`. */
export async function inheritAttributes(stagingPath: string, folderPath: string, formerPath: string): Promise<void> {
  const { gid } = await stat(folderPath);
  for (const name of await listFilesBelow(stagingPath)) {
    const file = join(stagingPath, name);
    const formerStats = await stat(join(formerPath, name)).catch(() => null);
    const { uid, mode } = await stat(file);
    await copyOwnership(file, formerStats?.isFile() ? formerStats : { mode, uid, gid });
  }
}
