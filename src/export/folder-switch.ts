import { renameSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, realpath, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BadTargetError } from '../errors.ts';
import {
  aimed,
  forget,
  removeAbandoned,
  settle,
  takeAfter,
  temporaryIn,
  writeAtomically,
} from '../format/atomic-file.ts';
import { isInside } from '../format/foreign-file.ts';
import { readJsonFile } from '../format/package-description.ts';
import { makeFolder } from '../store/folder.ts';
import { inTurn } from '../store/lock.ts';
import { say } from '../words/speech.ts';

/** Checksums of all other files. Renamed into place last, so that readers can detect a new export. */
export const sums = 'SHA256SUMS';

/** A hidden staging folder inside its target folder. */
export type StagedFolder = Awaited<ReturnType<typeof stageFolder>>;

/** Stages an export into a folder, which itself is never replaced; throws a BadTargetError if it cannot be one. */
export async function stageFolder(target: string) {
  const { place, path, abort } = await beginIn(target);
  return {
    path,
    /** The previous export's folder, or null. */
    former: place as string | null,
    /** The same as people know it. */
    shown: target,
    abort,
    /** Renames staged files into place, and removes those of `owned` that have none; null unless `isStill`. */
    async commit(owned: string[], isStill: () => Promise<boolean>): Promise<string | null> {
      try {
        return await aimed(target, async () => {
          const names = await readdir(path);
          await refuseFolders(place, target, names);
          const gone = owned.filter((name) => !names.includes(name));
          return (await putInPlace(path, { place, target, gone, isStill })) ? target : null;
        });
      } finally {
        await abort();
      }
    },
  };
}

/** Finds or creates the folder, finishes an interrupted switch, and creates a hidden staging folder in it. */
export async function beginIn(target: string) {
  const found = await lstat(target).catch(() => null);
  const place = found ? await realpath(target).catch(() => null) : target;
  if (place === null) throw new BadTargetError(target, say`it is a link to nothing`);
  if (found && !(await stat(place)).isDirectory()) throw new BadTargetError(target, say`it is not a folder`);
  await aimed(target, async () => makeFolder(place));
  if ((await readdir(place)).includes(switching))
    await aimed(target, () => alone(place, target, () => finishSwitch(place)));
  await removeAbandoned(place);
  const path = temporaryIn(place);
  await aimed(target, () => mkdir(path, 0o700));
  return {
    place,
    path,
    async abort() {
      await rm(path, { recursive: true, force: true });
      forget(path);
      // Only one that is empty goes, and only one that was not there before.
      if (!found) await rmdir(place).catch(() => {});
    },
  };
}

type Switch = { place: string; target: string; gone: string[]; isStill: () => Promise<boolean> };

/** Renames staged files into place and removes the `gone` ones; false, and nothing done, unless `isStill`. */
async function putInPlace(path: string, { place, target, gone, isStill }: Switch): Promise<boolean> {
  await likeFormer(path, place, place);
  await writeFile(join(path, goneList), JSON.stringify({ gone }), { flush: true });
  await settle(path);
  return alone(place, target, async () => {
    await finishSwitch(place);
    if (!(await isStill())) return false;
    const { mode } = await stat(place);
    // Another user of the folder may have to finish it.
    await chmod(path, mode & 0o3777).catch(() => {});
    await rename(path, join(place, switching));
    forget(path);
    await settle(place);
    await finishSwitch(place, true);
    return true;
  });
}

/** Writes text files into a staging folder; returns their paths and checksums. Errors name `folder`, the target. */
export function writeTexts(
  texts: Record<string, string>,
  { staged, folder }: { staged: string; folder: string },
) {
  return Array.fromAsync(Object.entries(texts), async ([path, text]) => {
    const file = await writeAtomically(join(staged, path), (sink) => sink.write(text), join(folder, path));
    return { path, sha256: file.sha256() };
  });
}

/** Runs `work` while holding the folder's export lock. */
export function alone<Result>(place: string, target: string, work: () => Promise<Result>): Promise<Result> {
  return inTurn(join(place, '.hemicycle.lock'), work, { named: target, waitMs: 10_000, sleep: delay });
}

/** Staging folder being renamed into place: complete, removal list included, so that another export can finish it. */
export const switching = '.hemicycle-switch';
const goneList = '.gone.json';

/** Renames file by file, checksums last, then removes obsolete files; no-op without a pending switch. */
async function finishSwitch(place: string, isFresh = false): Promise<void> {
  const from = join(place, switching);
  if (!(await lstat(from).catch(() => null))) return;
  const listed = (await readJsonFile(join(from, goneList)))?.gone;
  const held = (await filesBelow(from)).filter((name) => name !== goneList);
  const names = [...held.filter((name) => name !== sums), ...held.filter((name) => name === sums)];
  for (const [at, name] of names.entries())
    try {
      makeFolder(dirname(join(place, name)));
      renameSync(join(from, name), join(place, name));
    } catch (error) {
      // Nothing has moved yet, so the switch can still be undone.
      if (isFresh && at === 0) await rm(from, { recursive: true, force: true });
      throw error;
    }
  await settle(place);
  for (const name of Array.isArray(listed) ? listed.map(String) : [])
    if (isInside(name)) await removeFile(place, name);
  await settle(place);
  await rm(from, { recursive: true, force: true });
}

/** Relative paths of all files below a folder; empty if it does not exist. */
export async function filesBelow(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return all
    .filter((each) => !each.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort();
}

/** Removes a file and any parent folders inside `place` that become empty. */
async function removeFile(place: string, path: string): Promise<void> {
  await rm(join(place, path), { force: true });
  for (let up = dirname(path); up !== '.'; up = dirname(up)) {
    const held = await readdir(join(place, up)).catch(() => ['']);
    if (held.length > 0) return;
    await rmdir(join(place, up)).catch(() => {});
  }
}

/** Throws a BadTargetError for files of the folder that no export wrote and that this one would replace. */
export function refuseForeignFiles(folder: string, held: string[]): void {
  if (held.length > 0)
    throw new BadTargetError(
      folder,
      say`it holds files that no export of the folder wrote, and that this one would replace: ${held.sort().join(', ')}`,
      say`move them, or export into another folder`,
    );
}

/** A file cannot replace a folder: refuse before anything has changed. */
async function refuseFolders(place: string, target: string, names: string[]): Promise<void> {
  for (const name of names)
    if ((await lstat(join(place, name)).catch(() => null))?.isDirectory())
      throw new BadTargetError(target, say`${name} in it is a folder`);
}

/** Files take after those of a former folder whose places they take; new ones have the group of the folder they are for. */
export async function likeFormer(path: string, place: string, former: string): Promise<void> {
  const folder = await stat(place);
  for (const name of await filesBelow(path)) {
    const file = join(path, name);
    const before = await stat(join(former, name)).catch(() => null);
    const { uid, mode } = await stat(file);
    await takeAfter(file, before?.isFile() ? before : { mode, uid, gid: folder.gid });
  }
}
