import { renameSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, realpath, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BadTargetError } from '../errors.ts';
import { aimed, settle, takeAfter } from '../format/atomic-file.ts';
import { forget, removeAbandoned, temporaryIn } from '../format/leftovers.ts';
import { readJsonFile } from '../format/package-description.ts';
import { makeFolder } from '../store/folder.ts';
import { inTurn } from '../store/lock.ts';
import { say } from '../words/speech.ts';

/** The sums of all other files, by which a reader tells one export from the next: always put in place last. */
export const sums = 'SHA256SUMS';

/** What says which files of an export in parts are ours, with their sums: put in place last likewise. */
export const partsList = 'partitions.json';

/** A folder in the making, hidden in the one that its files are for. */
export type StagedFolder = {
  path: string;
  /** Where the export before stands; null where there was none. */
  former: string | null;
  /** The same as people know it. */
  shown: string;
  /** Puts all that was written where it belongs, which is returned; `owned` are names that the export before had. */
  commit(owned: string[]): Promise<string>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
};

/**
 * Begins an export into a folder, which stays the one it is: it may be a mount, stand in a folder of others, be a link.
 * Nothing is written beside it. Throws BadTargetError where there can be none.
 */
export async function stageFolder(target: string): Promise<StagedFolder> {
  const { place, path, abort } = await beginIn(target);
  return {
    path,
    former: place,
    shown: target,
    abort,
    async commit(owned) {
      try {
        await aimed(target, async () => {
          const names = await readdir(path);
          await refuseFolders(place, target, names);
          const gone = owned.filter((name) => !names.includes(name));
          await putInPlace(path, { place, target, gone });
        });
      } finally {
        await abort();
      }
      return target;
    },
  };
}

/** Finds or makes the folder, heals what a killed run left in it, and makes a hidden one in it to write into. */
export async function beginIn(
  target: string,
): Promise<Pick<StagedFolder, 'path' | 'abort'> & { place: string }> {
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

/**
 * Puts all files of a folder in the making, those in folders in it too, where they belong in `place`, and removes those that
 * are `gone`; if this process is killed in between, the next export does the rest.
 */
export async function putInPlace(
  path: string,
  { place, target, gone }: { place: string; target: string; gone: string[] },
): Promise<void> {
  await likeFormer(path, place, place);
  await writeFile(join(path, goneList), JSON.stringify({ gone }), { flush: true });
  await settle(path);
  await alone(place, target, async () => {
    await finishSwitch(place);
    await beginSwitch(path, place);
    await finishSwitch(place, true);
  });
}

/** Does `work` while no other export changes what the folder holds. */
export function alone<Result>(place: string, target: string, work: () => Promise<Result>): Promise<Result> {
  return inTurn(join(place, '.hemicycle.lock'), work, { named: target, waitMs: 10_000, sleep: delay });
}

/**
 * Where files lie whose places are being taken. Once it has that name it is finished, by the next export if this one is
 * killed: what is in it is whole, and the list of what goes is with it.
 */
export const switching = '.hemicycle-switch';
const goneList = '.gone.json';

async function beginSwitch(staged: string, place: string): Promise<void> {
  const { mode } = await stat(place);
  // Another user of the folder may have to finish it.
  await chmod(staged, mode & 0o3777).catch(() => {});
  await rename(staged, join(place, switching));
  forget(staged);
  await settle(place);
}

/** Renames file by file, the sums last, and removes what the new export no longer has; nothing where nothing waits. */
async function finishSwitch(place: string, isFresh = false): Promise<void> {
  const from = join(place, switching);
  if (!(await lstat(from).catch(() => null))) return;
  const listed = (await readJsonFile(join(from, goneList)))?.gone;
  const held = (await filesBelow(from)).filter((name) => name !== goneList);
  const last = [sums, partsList].filter((name) => held.includes(name));
  const names = [...held.filter((name) => !last.includes(name)), ...last];
  for (const [at, name] of names.entries())
    try {
      if (dirname(name) !== '.') await mkdir(join(place, dirname(name)), { recursive: true });
      renameSync(join(from, name), join(place, name));
    } catch (error) {
      // While nothing has moved, all can stay as it was.
      if (isFresh && at === 0) await rm(from, { recursive: true, force: true });
      throw error;
    }
  await settle(place);
  for (const name of Array.isArray(listed) ? listed.map(String) : [])
    if (isInside(name)) await removeFile(place, name);
  await settle(place);
  await rm(from, { recursive: true, force: true });
}

/** The files in a folder and in those in it, by their paths from there; none of a folder that is not there. */
export async function filesBelow(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return all
    .filter((each) => !each.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort();
}

/** True for a path that leads nowhere else. */
export const isInside = (path: string) => !path.startsWith('/') && !path.split(/[/\\]/).includes('..');

/** Removes a file of a folder, and the folders in it that are empty then. */
async function removeFile(place: string, path: string): Promise<void> {
  await rm(join(place, path), { force: true });
  for (let up = dirname(path); up !== '.'; up = dirname(up)) {
    const held = await readdir(join(place, up)).catch(() => ['']);
    if (held.length > 0) return;
    await rmdir(join(place, up)).catch(() => {});
  }
}

/** A folder cannot be replaced by a file: better told before anything has changed. */
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
