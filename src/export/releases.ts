import {
  chmod,
  copyFile,
  link,
  lstat,
  readdir,
  readlink,
  rename,
  stat,
  symlink,
  unlink,
} from 'node:fs/promises';
import { join } from 'node:path';
import { BadTargetError } from '../errors.ts';
import { aimed, forget, settle, temporaryIn, writeAtomically } from '../format/atomic-file.ts';
import { readJsonFile } from '../format/package-description.ts';
import { documentsIn } from '../model/document.ts';
import { say } from '../words/speech.ts';
import { alone, beginIn, likeFormer, type StagedFolder, sums } from './folder-switch.ts';
import { hashOfFile } from './former.ts';

/** The file that lists the releases in a folder. */
export const indexName = 'releases.json';

/** The link to the newest of them. */
export const latestName = 'latest';

/**
 * Stages an immutable release, named by its day and the target of `latest`; files equal to those of the last one become
 * hard links. Throws a BadTargetError if something else has its name.
 */
export async function stageRelease(target: string, created: string): Promise<StagedFolder> {
  const { place, path, abort } = await beginIn(target);
  try {
    await refuseNoReleases(place, target);
    const last = (await releasesIn(place)).at(-1);
    const former = last === undefined ? null : join(place, last);
    return {
      path,
      former,
      shown: join(target, last ?? latestName),
      abort,
      async commit() {
        await aimed(target, async () => {
          await likeFormer(path, place, former ?? place);
          // What is cited is written once.
          for (const name of await readdir(path))
            await chmod(join(path, name), (await stat(join(path, name))).mode & 0o555);
          await chmod(path, (await stat(place)).mode & 0o7777);
          await settle(path);
        });
        return aimed(target, () => alone(place, target, () => publish(path, { place, target, created })));
      },
    };
  } catch (error) {
    await abort();
    throw error;
  }
}

/** The names of the releases in a folder, oldest first. */
export async function releasesIn(place: string): Promise<string[]> {
  const names = (await readdir(place)).filter((name) => releaseName.test(name));
  const order = (name: string) => name.replace(/\.(\d+)$/, (_, n) => `.${n.padStart(6, '0')}`);
  return names.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** The day of the data; the second release of a day is `2026-11-22.2`. */
const releaseName = /^\d{4}-\d\d-\d\d(\.\d+)?$/;

async function refuseNoReleases(place: string, target: string): Promise<void> {
  const names = await readdir(place);
  if (names.includes(sums))
    throw new BadTargetError(target, say`it holds an export itself`, say`name another folder for releases`);
  const link = names.includes(latestName) ? await lstat(join(place, latestName)) : null;
  const isOther =
    names.includes(indexName) && !Array.isArray((await readJsonFile(join(place, indexName)))?.releases);
  if ((link && !link.isSymbolicLink()) || isOther)
    throw new BadTargetError(
      target,
      say`${isOther ? indexName : latestName} in it is none of an export's`,
      say`move it away`,
    );
}

/** Gives a file of the last release a name in the new one: a hard link, if the file system has them. */
export async function shareFile(former: string, path: string): Promise<void> {
  await link(former, path).catch(() => copyFile(former, path));
}

async function publish(
  path: string,
  { place, target, created }: { place: string; target: string; created: string },
): Promise<string> {
  const day = created.slice(0, 10);
  const taken = await releasesIn(place);
  const name = [day, ...taken.map((_, at) => `${day}.${at + 2}`)].find((each) => !taken.includes(each))!;
  await rename(path, join(place, name));
  forget(path);
  await settle(place);
  const newest = (await releasesIn(place)).at(-1)!;
  const text = JSON.stringify({ latest: newest, releases: await describedReleases(place) }, null, 2);
  await writeAtomically(join(place, indexName), (sink) => sink.write(`${text}\n`));
  await leadTo(newest, place);
  return join(target, name);
}

/** One atomic rename: a reader of `latest` sees the old release or the new one. */
async function leadTo(newest: string, place: string): Promise<void> {
  if ((await readlink(join(place, latestName)).catch(() => null)) === newest) return;
  const temporary = temporaryIn(place);
  await symlink(newest, temporary);
  await rename(temporary, join(place, latestName)).catch(async (error: unknown) => {
    await unlink(temporary);
    throw error;
  });
  forget(temporary);
  await settle(place);
}

/** The releases in a folder, each with the hash of its sums; those of before as they were described, since they never change. */
async function describedReleases(place: string) {
  const index = await readJsonFile(join(place, indexName));
  const before = new Map(documentsIn(index?.releases).map((each) => [each.release, each]));
  return Array.fromAsync(await releasesIn(place), async (release) => {
    const folder = join(place, release);
    const { created = null } = (await readJsonFile(join(folder, 'datapackage.json'))) ?? {};
    return before.get(release) ?? { release, created, sha256sums: await hashOfFile(join(folder, sums)) };
  });
}
