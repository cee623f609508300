import { existsSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { KindName } from '../model/kinds.ts';
import { type BucketOptions, openBucket } from '../service/bucket.ts';
import type { Copy, CopyKind } from '../store/copies.ts';
import type { WithheldScanner } from '../store/withheld-traces.ts';
import { bucketLocation, isBucketAddress } from './bucket.ts';
import { openObjects } from './bucket-copy.ts';
import {
  addSearchFiles,
  type CopyParts,
  isExportFolder,
  isGuideOrAsset,
  isReserved,
  isSiteList,
  pathOfSiteLine,
  withoutLines,
} from './copy-parts.ts';
import { textsOfFile } from './file-texts.ts';
import { checksumsName, listFilesBelow } from './folder-switch.ts';
import { readFormerFolder } from './former-export.ts';
import type { ConnectionOptions } from './postgres/connection.ts';
import { openCopiedRows } from './postgres/copied-rows.ts';

/** Options for opening copies; `address` replaces a database's registered one, which has no password. */
export type CopyAccess = ConnectionOptions & { network: BucketOptions; address?: string };

type CopySource = Pick<Copy, 'location' | 'kind'>;

/** Searches a copy for withheld records, and deletes the parts with them if `isRemoving`; null if it is missing. */
export async function searchCopy(
  copy: CopySource,
  scan: WithheldScanner,
  { isRemoving = false, ...access }: CopyAccess & { isRemoving?: boolean },
) {
  await using copyParts = await openParts(copy, access);
  if (copyParts === null) return null;
  const records = new Map<string, KindName>(); // kinds of the withheld records, by kind and hash
  const parts: string[] = []; // those with withheld records
  let hasUnread = false; // true if a part could not be searched, which throws unless `isRemoving`
  await copyParts.forEachPart(async (part, texts) => {
    const hits = await scan.search(texts).catch((error: unknown) => {
      if (!isRemoving) throw error;
      hasUnread = true;
      return new Map<string, KindName>();
    });
    if (hits.size > 0) parts.push(part);
    for (const [record, kind] of hits) records.set(record, kind);
  });
  if (isRemoving && parts.length > 0) await copyParts.remove(parts);
  return { records, parts, hasUnread };
}

/** Opens a copy at a path, in a bucket or in a database; null if it is missing. */
async function openParts({ location, kind }: CopySource, access: CopyAccess): Promise<CopyParts | null> {
  if (isBucketAddress(location)) {
    const [folder, file] = kind === 'backup' ? [dirname(location), { file: basename(location) }] : [location, {}];
    const bucket = await openBucket(bucketLocation(folder, access.env as NodeJS.ProcessEnv), access.network);
    return openObjects(bucket, access.network.now, { kind, ...file });
  }
  if (/^postgres(ql)?:/.test(location)) {
    const [address = '', ...schemaWords] = location.split(' ');
    return openCopiedRows(access.address ?? address, schemaWords.join(' '), access);
  }
  const stats = await stat(location).catch(() => null);
  // Reading a named pipe would never end.
  if (!stats?.isDirectory() && !stats?.isFile()) return null;
  const folder = stats.isDirectory() ? location : dirname(location);
  const file = basename(location);
  const fileNames = [file, `${file}.meta.json`].filter((name) => existsSync(join(folder, name)));
  const names = stats.isDirectory() ? await listOwnFiles(location, kind) : fileNames;
  return {
    async forEachPart(visit) {
      for (const name of names) await visit(name, textsOfFile(join(folder, name)));
    },
    async remove(removedParts) {
      const parts = addSearchFiles(removedParts, names);
      for (const name of parts.filter((each) => !isSiteList(each))) await rm(join(folder, name), { force: true });
      for (const name of parts.filter(isSiteList))
        await writeFile(join(folder, name), withoutLines(await readFile(join(folder, name), 'utf8'), parts));
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** Paths of the files in a folder that this program wrote, by their names, checksums or the list of a site. */
async function listOwnFiles(folder: string, kind: CopyKind) {
  const names = await listFilesBelow(folder);
  const ownNames = new Set(names.filter((name) => isReserved(name, kind)));
  for (const name of names) {
    const parentFolder = dirname(name);
    // An export: its hidden files of state, and the files that its descriptions list.
    if (basename(name) === checksumsName && isExportFolder(parentFolder, kind)) {
      const stateFiles = names.filter((each) => dirname(each) === parentFolder && isReserved(basename(each), kind));
      for (const each of stateFiles) ownNames.add(each);
      for (const each of (await readFormerFolder(join(folder, parentFolder))).ownPaths)
        if (!each.startsWith('..')) ownNames.add(join(parentFolder, each));
    }
    if (!isSiteList(name)) continue;
    for (const line of (await readFile(join(folder, name), 'utf8')).split('\n')) ownNames.add(pathOfSiteLine(line));
  }
  return names.filter((name) => ownNames.has(name) && !isGuideOrAsset(name));
}
