import { chmod, lstat, readdir, readlink, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { BadTargetError } from '../errors.ts';
import { createTemporaryPath, discard, renameDurably, syncFolder, writeAtomically } from '../format/atomic-file.ts';
import { readJsonFile } from '../format/package-description.ts';
import { documentsIn } from '../model/document.ts';
import { say } from '../words/speech.ts';
import { checksumsName, inheritAttributes, type Staging } from './folder-switch.ts';
import { hashIfReadable } from './former-export.ts';

/** The file that lists the releases in a folder. */
export const releaseIndexName = 'releases.json';

/** The link to the newest release. */
export const latestLinkName = 'latest';

/** Prepares a release in staging; `commit` publishes it. Throws a BadTargetError for a folder of other content. */
export async function stageRelease({ folderPath, path }: Staging, target: string, created: string) {
  await refuseOtherContent(folderPath, target);
  const last = (await releasesIn(folderPath)).at(-1);
  const former = last === undefined ? null : join(folderPath, last);
  return {
    /** The folder of the newest published release; null if there is none. */
    former,
    displayName: join(target, last ?? latestLinkName), // reported if nothing changed since that release
    /** Renames the release to a free name of its day, then updates the index and the link; returns its path. */
    async commit() {
      await inheritAttributes(path, folderPath, former ?? folderPath);
      // A release may be cited, so its files become read-only.
      for (const name of await readdir(path))
        await chmod(join(path, name), (await stat(join(path, name))).mode & 0o555);
      await chmod(path, (await stat(folderPath)).mode & 0o7777);
      await syncFolder(path);
      const day = created.slice(0, 10);
      const releases = await releasesIn(folderPath);
      const name = [day, ...releases.map((_, at) => `${day}.${at + 2}`)].find((each) => !releases.includes(each))!;
      await renameDurably(path, join(folderPath, name));
      const newest = (await releasesIn(folderPath)).at(-1)!;
      const text = JSON.stringify({ latest: newest, releases: await describeReleases(folderPath) }, null, 2);
      await writeAtomically(join(folderPath, releaseIndexName), (sink) => sink.write(`${text}\n`));
      await linkLatest(newest, folderPath);
      return join(target, name);
    },
  };
}

/** The names of the releases in a folder, oldest first. */
export async function releasesIn(folderPath: string): Promise<string[]> {
  const names = (await readdir(folderPath)).filter((name) => releaseName.test(name));
  return names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** The day of the data; the second release of a day is `2026-11-22.2`. */
const releaseName = /^\d{4}-\d\d-\d\d(\.\d+)?$/;

/** Throws a BadTargetError if the folder contains an export itself, or a foreign index or link. */
async function refuseOtherContent(folderPath: string, target: string): Promise<void> {
  const names = await readdir(folderPath);
  if (names.includes(checksumsName))
    throw new BadTargetError(target, say`it holds an export itself`, say`choose another folder for releases`);
  const link = names.includes(latestLinkName) ? await lstat(join(folderPath, latestLinkName)) : null;
  const isForeign =
    names.includes(releaseIndexName) &&
    !Array.isArray((await readJsonFile(join(folderPath, releaseIndexName)))?.releases);
  if ((link && !link.isSymbolicLink()) || isForeign)
    throw new BadTargetError(
      target,
      say`${isForeign ? releaseIndexName : latestLinkName} in it does not come from an export`,
      say`move it away`,
    );
}

/** Links `latest` to a release by one atomic rename, so that it always leads to the old release or the new one. */
async function linkLatest(newest: string, folderPath: string): Promise<void> {
  if ((await readlink(join(folderPath, latestLinkName)).catch(() => null)) === newest) return;
  const temporary = createTemporaryPath(folderPath);
  await using _ = { [Symbol.asyncDispose]: () => discard(temporary) };
  await symlink(newest, temporary);
  await renameDurably(temporary, join(folderPath, latestLinkName));
}

/** The index entry of each release; existing entries are reused, as releases never change. */
async function describeReleases(folderPath: string) {
  const index = await readJsonFile(join(folderPath, releaseIndexName));
  const entries = new Map(documentsIn(index?.releases).map((each) => [each.release, each]));
  return Array.fromAsync(await releasesIn(folderPath), async (release) => {
    const folder = join(folderPath, release);
    const { created = null } = (await readJsonFile(join(folder, 'datapackage.json'))) ?? {};
    return entries.get(release) ?? { release, created, sha256sums: await hashIfReadable(join(folder, checksumsName)) };
  });
}
