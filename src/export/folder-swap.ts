import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { BadTargetError } from '../errors.ts';
import { aimed, removeAbandoned, settle } from '../format/atomic-file.ts';
import { makeFolder } from '../store/folder.ts';

/** A folder in the making beside the one whose place it will take. */
export type StagedFolder = {
  path: string;
  /**
   * Puts it in the place of the target. A target that holds anything but `owned` names keeps its place, and gets the
   * files one by one, `last` at the end; true if the whole folder was swapped.
   */
  commit(options: { owned: Set<string>; last: string }): Promise<boolean>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
};

/** Begins a folder that takes the place of `target` as a whole. Throws BadTargetError where none can stand. */
export async function stageFolder(target: string): Promise<StagedFolder> {
  const place = resolve(target);
  await refuseNoFolder(target, place);
  await aimed(target, async () => makeFolder(dirname(place)));
  await aimed(target, () => mend(place));
  const path = siblingOf(place, 'new');
  await aimed(target, () => mkdir(path));
  const abort = () => rm(path, { recursive: true, force: true });
  return {
    path,
    abort,
    async commit({ owned, last }) {
      try {
        const held = await readdir(place).catch(() => null);
        const isOurs = held === null || held.every((name) => owned.has(name));
        await aimed(target, () => (isOurs ? swap(path, place) : replaceEach(path, place, { owned, last })));
        return isOurs;
      } finally {
        await abort();
      }
    },
  };
}

async function refuseNoFolder(target: string, place: string): Promise<void> {
  const found = await lstat(place).catch(() => null);
  if (found?.isSymbolicLink()) throw new BadTargetError(target, 'it is a symbolic link');
  if (found && !found.isDirectory()) throw new BadTargetError(target, 'it is not a folder');
}

const siblingOf = (place: string, role: 'new' | 'old') =>
  join(dirname(place), `.${basename(place)}.hemicycle-${role}-${randomBytes(6).toString('hex')}`);

/** Takes up what a run that was killed left: a folder that it had put aside returns, one half made goes. */
async function mend(place: string): Promise<void> {
  const parent = dirname(place);
  const prefix = `.${basename(place)}.hemicycle-`;
  const aside = (await readdir(parent)).find((name) => name.startsWith(`${prefix}old-`));
  if (aside !== undefined && (await lstat(place).catch(() => null)) === null)
    await rename(join(parent, aside), place);
  await removeAbandoned(parent, (name) => name.startsWith(prefix));
}

/** Two renames: whoever opens the folder finds the former one or the new one, never a part of either. */
async function swap(staged: string, place: string): Promise<void> {
  const former = await stat(place).catch(() => null);
  if (!former) {
    await rename(staged, place);
    return settle(dirname(place));
  }
  await chmod(staged, former.mode);
  const aside = siblingOf(place, 'old');
  await rename(place, aside);
  try {
    await rename(staged, place);
  } catch (error) {
    await rename(aside, place);
    throw error;
  }
  await settle(dirname(place));
  await rm(aside, { recursive: true, force: true });
}

/** Each file appears whole; those that this export no longer has are removed, what is not ours stays. */
async function replaceEach(
  staged: string,
  place: string,
  { owned, last }: { owned: Set<string>; last: string },
): Promise<void> {
  // The description first: by it a run that follows on a killed one knows which files are ours.
  const isDescription = (name: string) => name === 'datapackage.json';
  const names = (await readdir(staged))
    .filter((name) => name !== last)
    .sort((a, b) => Number(isDescription(b)) - Number(isDescription(a)));
  for (const name of [...names, last]) await rename(join(staged, name), join(place, name));
  const made = new Set([...names, last]);
  for (const name of await readdir(place))
    if (owned.has(name) && !made.has(name)) await rm(join(place, name), { force: true });
  await settle(place);
}
