import { link, readlink, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BadTargetError, HemicycleError, LockedError } from '../errors.ts';
import { guardTarget } from '../format/atomic-file.ts';
import { isInsideFolder } from '../format/foreign-file.ts';
import { exportFormatOf } from '../format/formats.ts';
import { inBatches } from '../model/document.ts';
import type { Bucket, StoredObject } from '../service/bucket.ts';
import type { CopyKind } from '../store/copies.ts';
import { createFolder } from '../store/folder.ts';
import { say } from '../words/speech.ts';
import { type BucketObject, withBucketLock, withStaging } from './bucket.ts';
import { addSearchFiles, type CopyParts, isGuideOrAsset, isReserved, isSiteList, withoutLines } from './copy-parts.ts';
import { textsOfFile } from './file-texts.ts';
import { checksumsName, listFilesBelow, refuseForeignFiles } from './folder-switch.ts';
import { hashFile } from './former-export.ts';
import { refuseInterrupted } from './part.ts';
import { releaseIndexName } from './releases.ts';

const sentFilesName = '.hemicycle-objects.json'; // object that lists the sent files, `SentFiles` as JSON

/** Hash of a sent file, and tag of its object; both empty until its upload has finished, the hash also after edits. */
type SentObject = { sha256: string; tag: string };

/** The sent files by path, and the targets of links by name. */
type SentFiles = { files: Map<string, SentObject>; links: Map<string, string> };

/** Runs `work` on a local folder with a bucket's metadata and sparse stand-ins for its tables; uploads changes. */
export async function withBucketFolder<Result>(
  bucket: Bucket,
  { now, signal }: { now: () => number; signal: AbortSignal },
  work: (folder: string) => Promise<Result>,
): Promise<{ result: Result; uploadCounts: { written: number; removed: number } }> {
  return withStaging((folder) =>
    withBucketLock(bucket, now, async () => {
      const storedObjects = await bucket.list();
      const bucketState = { bucket, storedObjects, sentFiles: await readSentFiles(bucket, storedObjects) };
      const pathByInode = await guardTarget(dirname(folder), () => createStandIns(folder, bucketState));
      const result = await work(folder).catch((error: unknown) => throwWithBucketName(bucket, folder, error));
      return { result, uploadCounts: await uploadChanges(folder, { ...bucketState, pathByInode, signal }) };
    }),
  );
}

/** Runs `work` on a local copy of a bucket's folder, links included. */
export async function withBucketCopy(bucket: Bucket, signal: AbortSignal, work: (folder: string) => Promise<void>) {
  return withStaging(async (folder) => {
    const storedObjects = await bucket.list();
    const { links } = await readSentFiles(bucket, storedObjects);
    const downloadFile = async (path: string) => {
      await refuseInterrupted(signal);
      createFolder(dirname(join(folder, path)));
      await bucket.download(path, join(folder, path));
    };
    await inConcurrentBatches([...storedObjects.keys()].filter(isInsideFolder), downloadFile);
    // For a link, a bucket has copies of files: make them a link again, unless they differ, which `work` then finds.
    for (const [name, to] of links)
      if (isInsideFolder(to) && (await hashFolder(join(folder, name))) === (await hashFolder(join(folder, to)))) {
        await rm(join(folder, name), { recursive: true, force: true });
        await symlink(to, join(folder, name));
      }
    await work(folder).catch((error: unknown) => throwWithBucketName(bucket, folder, error));
  });
}

/** A function that uses a local file; `tag` is that of its object, empty before the upload. */
type Work<Result> = (file: string, tag: string) => Promise<Result>;

/** Runs `work`, which writes a temporary file, and uploads it; throws a LockedError if another run was faster. */
export async function withUploadedFile<Result>({ bucket, name }: BucketObject, work: Work<Result>) {
  const formerTag = await bucket.tagOf(name);
  return withStaging(async (folder) => {
    const file = join(folder, name);
    const result = await work(file, '').catch((error: unknown) => throwWithBucketName(bucket, folder, error));
    if (await bucket.put(name, { file, bytes: (await stat(file)).size }, formerTag)) return result;
    const path = `${bucket.displayName}/${name}`;
    throw new LockedError(path, say`another run wrote ${path} meanwhile; nothing was sent`, say`run this again`);
  });
}

/** Runs `work` on a download of an object; returns its result, or null if the object still has `oldTag`. */
export async function withDownloadedFile<Result>({ bucket, name }: BucketObject, work: Work<Result>, oldTag?: string) {
  return withStaging(async (folder) => {
    const file = join(folder, name);
    const tag = await bucket.download(name, file, oldTag);
    return tag === null ? null : work(file, tag).catch((error: unknown) => throwWithBucketName(bucket, folder, error));
  });
}

/** Opens a copy in a bucket: all objects that this program wrote, or only `file`; null if `file` is missing. */
export async function openObjects(
  bucket: Bucket,
  now: () => number,
  { kind, file }: { kind: CopyKind; file?: string },
): Promise<CopyParts | null> {
  const storedObjects = await bucket.list();
  const sentFiles = await readSentFiles(bucket, storedObjects);
  // Sent files, and others at paths that only this program writes; the guide and assets of a site hold no records.
  const isCopyPart = (path: string) =>
    path !== sentFilesName && (sentFiles.files.has(path) || isReserved(path, kind)) && !isGuideOrAsset(path);
  const names = [...storedObjects.keys()].filter((path) => (file === undefined ? isCopyPart(path) : path === file));
  if (file !== undefined && names.length === 0) return bucket.close().then(() => null);
  return {
    forEachPart: (visit) =>
      withStaging(async (folder) => {
        const downloadPath = join(folder, 'object');
        for (const path of names) {
          await bucket.download(path, downloadPath);
          await visit(path, textsOfFile(downloadPath));
        }
      }),
    remove: (parts) =>
      withBucketLock(bucket, now, async () => {
        const paths = addSearchFiles(parts, names);
        for (const path of paths) {
          if (isSiteList(path)) {
            await bucket.put(path, withoutLines(Buffer.from(await bucket.read(path)).toString('utf8'), paths));
          } else {
            await bucket.remove(path);
            sentFiles.files.delete(path);
          }
        }
        // By its new tag, the next run reads an edited site list (`isAsSent`); without a hash, it sends it again.
        const after = await bucket.list();
        for (const path of paths.filter(isSiteList))
          sentFiles.files.set(path, { sha256: '', tag: after.get(path)!.tag });
        await saveSentFiles(bucket, sentFiles);
      }),
    [Symbol.asyncDispose]: () => bucket.close(),
  };
}

const saveSentFiles = (bucket: Bucket, { files, links }: SentFiles) =>
  bucket.put(sentFilesName, JSON.stringify({ files: Object.fromEntries(files), links: Object.fromEntries(links) }));

/** Hashes and paths of all files below a folder, as one text. */
const hashFolder = async (folder: string) => {
  const hashOf = async (path: string) => `${await hashFile(join(folder, path))} ${path}`;
  return (await Promise.all((await listFilesBelow(folder)).map(hashOf))).join();
};

/** Throws an error of `work` with the bucket's name in place of the temporary folder's. */
function throwWithBucketName({ displayName }: Bucket, folder: string, error: unknown): never {
  if (!(error instanceof HemicycleError)) throw error;
  // A full disk is a fault of this machine.
  if (error instanceof BadTargetError && error.message.startsWith(`${folder}/`))
    error.advice = say`files for a bucket are prepared there first; to use another folder, set TMPDIR`;
  else error.reword((text) => text.replaceAll(folder, displayName));
  throw error;
}

async function readSentFiles(bucket: Bucket, storedObjects: Map<string, StoredObject>): Promise<SentFiles> {
  const text = storedObjects.has(sentFilesName) ? Buffer.from(await bucket.read(sentFilesName)).toString('utf8') : '{}';
  const { files = {}, links = {} } = JSON.parse(text);
  const insideEntries = <Value>(entries: Record<string, Value>) =>
    new Map(Object.entries(entries).filter(([path]) => isInsideFolder(path)));
  return { files: insideEntries<SentObject>(files), links: insideEntries<string>(links) };
}

type BucketState = { bucket: Bucket; storedObjects: Map<string, StoredObject>; sentFiles: SentFiles };

/** True if an object exists and still has the tag with which an earlier run sent it. */
const isAsSent = ({ storedObjects, sentFiles }: BucketState, path: string) =>
  storedObjects.has(path) && storedObjects.get(path)!.tag === sentFiles.files.get(path)?.tag;

/** True for a file of a release that no link points to: it never changes, and only its folder is created locally. */
const isOldRelease = ({ links }: SentFiles, path: string) =>
  links.size > 0 && path.includes('/') && ![...links].flat().some((name) => path.startsWith(`${name}/`));

/** True for files that an export reads again: descriptions, checksums and hidden files of state. */
const isMetadata = (path: string) =>
  /(^|\/)(\.hemicycle-\w+(\.json)?|[A-Z0-9]+(\.txt|\.md)?|(datapackage|releases)\.json)$/.test(path);

/** Creates metadata files with their contents, tables as sparse files of their size; returns table paths by inode. */
async function createStandIns(folder: string, bucketState: BucketState): Promise<Map<number, string>> {
  const { bucket, storedObjects, sentFiles } = bucketState;
  const pathByInode = new Map<number, string>();
  for (const path of sentFiles.files.keys()) {
    const file = join(folder, path);
    const [topFolder = ''] = path.split('/');
    // Tags of what an interrupted run sent are not saved. Read its descriptions, which tell the files of this program,
    // but not its files of state (`.hemicycle-`), which may list tables that it did not send.
    const isDescription = isMetadata(path) && !path.includes('.hemicycle-') && !isOldRelease(sentFiles, path);
    const isTrusted = isAsSent(bucketState, path) || (isDescription && storedObjects.has(path));
    if (sentFiles.links.has(topFolder) || !isTrusted) continue;
    if (isOldRelease(sentFiles, path)) createFolder(join(folder, topFolder));
    else if (exportFormatOf(path)) {
      createFolder(dirname(file));
      // A second hard link keeps the inode number from being reused after the file is removed.
      const standIn = join(dirname(folder), `stand-in-${pathByInode.size}`);
      await writeFile(standIn, '');
      await truncate(standIn, storedObjects.get(path)!.bytes);
      await utimes(standIn, 0, 0);
      await link(standIn, file);
      pathByInode.set((await stat(standIn)).ino, path);
    } else if (isMetadata(path)) {
      createFolder(dirname(file));
      await writeFile(file, await bucket.read(path));
    }
  }
  for (const [name, to] of sentFiles.links) if (isInsideFolder(to)) await symlink(to, join(folder, name));
  return pathByInode;
}

/** `pathByInode`: the object of each stand-in, which keeps its inode number wherever `work` moves or links it. */
type Upload = BucketState & { pathByInode: Map<number, string>; signal: AbortSignal };

/** The objects that the bucket should have: the files of the folder with their hashes, and those of older releases. */
async function targetObjects(files: ReadonlyMap<string, string>, { sentFiles, pathByInode }: Upload) {
  const objects = new Map<string, SentObject>();
  for (const [path, file] of files) {
    const sentPath = pathByInode.get((await stat(file)).ino);
    const sha256 = sentPath === undefined ? await hashFile(file) : sentFiles.files.get(sentPath)!.sha256;
    objects.set(path, { sha256, tag: '' });
  }
  for (const [path, sentObject] of sentFiles.files)
    if (!objects.has(path) && isOldRelease(sentFiles, path)) objects.set(path, sentObject);
  return objects;
}

/** Sends changed files, lists last; then deletes obsolete objects and saves the list of sent files. Returns counts. */
async function uploadChanges(folder: string, upload: Upload) {
  const { bucket, storedObjects, sentFiles, pathByInode, signal } = upload;
  const { files, links } = await listFiles(folder);
  const objects = await targetObjects(files, upload);
  const hashOf = (path: string) => objects.get(path)!.sha256;
  const isSame = (path: string) => hashOf(path) === sentFiles.files.get(path)?.sha256 && isAsSent(upload, path);
  const changedPaths = [...files.keys()].filter((path) => !isSame(path));
  const removedPaths = [...sentFiles.files.keys()].filter((path) => !objects.has(path));
  if (changedPaths.length + removedPaths.length === 0) return { written: 0, removed: 0 };
  const foreignPaths = changedPaths.filter((path) => storedObjects.has(path) && !sentFiles.files.has(path));
  refuseForeignFiles(bucket.displayName, foreignPaths);
  // Written first, so that after an interruption the next run recognises its objects and links keep their targets.
  const pendingEntries = changedPaths.map((path): [string, SentObject] => [path, { sha256: '', tag: '' }]);
  await saveSentFiles(bucket, { ...sentFiles, files: new Map([...pendingEntries, ...sentFiles.files]) });
  const pathByHash = new Map([...files.keys()].filter(isSame).map((path) => [hashOf(path), path]));
  const uploadFile = async (path: string) => {
    await refuseInterrupted(signal);
    const file = files.get(path)!;
    const { ino, size: bytes } = await stat(file);
    const sourcePath = pathByInode.get(ino) ?? pathByHash.get(hashOf(path));
    if (sourcePath === undefined) await bucket.put(path, { file, bytes });
    else await bucket.copy(sourcePath, path);
    pathByHash.set(hashOf(path), path);
  };
  // Send data first, then files of links, then the site's index and checksums, and last the list of releases.
  const rankOf = (path: string): number => {
    if (path === releaseIndexName) return 3;
    if (path.endsWith(checksumsName) || path === 'index.html') return 2;
    return links.has(path.split('/')[0]!) ? 1 : 0;
  };
  const pathsByRank = Map.groupBy(changedPaths, rankOf);
  for (const rank of [0, 1, 2, 3]) await inConcurrentBatches(pathsByRank.get(rank) ?? [], uploadFile);
  await inConcurrentBatches(removedPaths, (path) => bucket.remove(path));
  const after = await bucket.list();
  for (const [path, sentObject] of objects) sentObject.tag = after.get(path)?.tag ?? '';
  await saveSentFiles(bucket, { files: objects, links });
  return { written: changedPaths.length, removed: removedPaths.length };
}

const concurrency = 8; // requests at the same time

/** Runs `work` in batches; waits for the whole batch even if one fails. */
async function inConcurrentBatches(paths: string[], work: (path: string) => Promise<void>): Promise<void> {
  for (const batch of inBatches(paths, concurrency))
    for (const each of await Promise.allSettled(batch.map(work))) if (each.status === 'rejected') throw each.reason;
}

/** Local files by bucket path, those of a link's target also below the link's name; and targets by link name. */
async function listFiles(folder: string) {
  const files = new Map<string, string>();
  const links = new Map<string, string>();
  for (const path of await listFilesBelow(folder)) {
    if (/^\.hemicycle.*\.(lock|tmp)/.test(path)) continue;
    const to = await readlink(join(folder, path)).catch(() => null);
    if (to === null) files.set(path, join(folder, path));
    else links.set(path, to);
  }
  for (const [name, to] of links)
    for (const [path, file] of [...files]) if (path.startsWith(`${to}/`)) files.set(name + path.slice(to.length), file);
  return { files, links };
}
