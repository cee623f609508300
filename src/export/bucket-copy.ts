import { link, readlink, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BadTargetError, HemicycleError, LockedError } from '../errors.ts';
import { aimed } from '../format/atomic-file.ts';
import { isInsideFolder } from '../format/foreign-file.ts';
import { exportFormatOf } from '../format/formats.ts';
import { inBatches } from '../model/document.ts';
import type { Bucket, StoredObject } from '../service/bucket.ts';
import type { CopyKind } from '../store/copies.ts';
import { createFolder } from '../store/folder.ts';
import { say } from '../words/speech.ts';
import { type BucketObject, withBucketLock, withStaging } from './bucket.ts';
import { addSearchFiles, type CopyParts, isOwnName, isProgramFile, isSiteList, withoutLines } from './copy-parts.ts';
import { textsOfFile } from './file-texts.ts';
import { listFilesBelow, refuseForeignFiles, sums } from './folder-switch.ts';
import { hashFile } from './former-export.ts';
import { refuseInterrupted } from './part.ts';
import { indexName } from './releases.ts';

/** Lists the hash and object tag of each sent file, and the targets of links. */
const sentFilesName = '.hemicycle-objects.json';

type SentObject = { sha256: string; tag: string };

type SentFiles = { files: Map<string, SentObject>; links: Map<string, string> };

/** Runs `work` on a local image of a bucket's folder (old tables as empty space); uploads and deletes what changed. */
export async function withBucketFolder<Result>(
  bucket: Bucket,
  { now, signal }: { now: () => number; signal: AbortSignal },
  work: (folder: string) => Promise<Result>,
): Promise<{ result: Result; uploadCounts: { written: number; removed: number } }> {
  return withStaging((folder) =>
    withBucketLock(bucket, now, async () => {
      const storedObjects = await bucket.list();
      const account = await readSentFiles(bucket, storedObjects);
      const standIns = await aimed(dirname(folder), () => createStandIns(folder, { bucket, storedObjects, account }));
      const result = await work(folder).catch((error: unknown) => rethrow(bucket, folder, error));
      const sendOptions = { bucket, storedObjects, account, standIns, signal };
      return { result, uploadCounts: await uploadChanges(folder, sendOptions) };
    }),
  );
}

/** Runs `work` on a local copy of a folder in a bucket. */
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
    for (const [name, to] of links)
      if (isInsideFolder(to) && (await accountOf(join(folder, name))) === (await accountOf(join(folder, to)))) {
        await rm(join(folder, name), { recursive: true, force: true });
        await symlink(to, join(folder, name));
      }
    await work(folder).catch((error: unknown) => rethrow(bucket, folder, error));
  });
}

type FileWork<Result> = (file: string, tag: string) => Promise<Result>;

/** Runs `work` on a temporary file and uploads it; throws a LockedError if another run wrote the object meanwhile. */
export async function withUploadedFile<Result>({ bucket, name }: BucketObject, work: FileWork<Result>) {
  const formerTag = await bucket.tagOf(name);
  return withStaging(async (folder) => {
    const file = join(folder, name);
    const result = await work(file, '').catch((error: unknown) => rethrow(bucket, folder, error));
    if (await bucket.put(name, { file, bytes: (await stat(file)).size }, formerTag)) return result;
    const path = `${bucket.shown}/${name}`;
    throw new LockedError(path, say`another run wrote ${path} meanwhile; nothing was sent`, say`run this again`);
  });
}

/** Runs `work` on a download of an object and its tag; null if the object still has `knownTag`. */
export async function withDownloadedFile<Result>(
  { bucket, name }: BucketObject,
  work: FileWork<Result>,
  knownTag?: string,
) {
  return withStaging(async (folder) => {
    const file = join(folder, name);
    const tag = await bucket.download(name, file, knownTag);
    return tag === null ? null : work(file, tag).catch((error: unknown) => rethrow(bucket, folder, error));
  });
}

/** The objects of a bucket that the program wrote, or one `file`, each read through a local file; null if missing. */
export async function openObjects(
  bucket: Bucket,
  now: () => number,
  { kind, file }: { kind: CopyKind; file?: string },
): Promise<CopyParts | null> {
  const storedObjects = await bucket.list();
  const account = await readSentFiles(bucket, storedObjects);
  const isCopied = (path: string) =>
    path !== sentFilesName && (account.files.has(path) || isOwnName(path, kind)) && !isProgramFile(path);
  const names = [...storedObjects.keys()].filter((path) => (file === undefined ? isCopied(path) : path === file));
  if (file !== undefined && names.length === 0) return bucket.close().then(() => null);
  return {
    each: (look) =>
      withStaging(async (folder) => {
        const file = join(folder, 'object');
        for (const path of names) {
          await bucket.download(path, file);
          await look(path, textsOfFile(file));
        }
      }),
    remove: (parts) =>
      withBucketLock(bucket, now, async () => {
        const paths = addSearchFiles(parts, names);
        for (const path of paths) {
          if (isSiteList(path)) {
            const text = Buffer.from(await bucket.read(path)).toString('utf8');
            await bucket.put(path, withoutLines(text, paths));
          } else {
            await bucket.remove(path);
            account.files.delete(path);
          }
        }
        // The next run must treat the list of a site as sent.
        const after = await bucket.list();
        for (const path of paths.filter(isSiteList)) account.files.set(path, { sha256: '', tag: after.get(path)!.tag });
        await saveSentFiles(bucket, account);
      }),
    [Symbol.asyncDispose]: () => bucket.close(),
  };
}

const saveSentFiles = (bucket: Bucket, { files, links }: SentFiles) =>
  bucket.put(sentFilesName, JSON.stringify({ files: Object.fromEntries(files), links: Object.fromEntries(links) }));

const accountOf = async (folder: string) => {
  const hashOf = async (path: string) => `${await hashFile(join(folder, path))} ${path}`;
  return (await Promise.all((await listFilesBelow(folder)).map(hashOf))).join();
};

function rethrow({ shown }: Bucket, folder: string, error: unknown): never {
  if (!(error instanceof HemicycleError)) throw error;
  // A full disk is a fault of this machine.
  if (error instanceof BadTargetError && error.message.startsWith(`${folder}/`))
    error.advice = say`files for a bucket are prepared there first; to use another folder, set TMPDIR`;
  else error.reword((text) => text.replaceAll(folder, shown));
  throw error;
}

async function readSentFiles(bucket: Bucket, storedObjects: Map<string, StoredObject>): Promise<SentFiles> {
  const text = storedObjects.has(sentFilesName) ? Buffer.from(await bucket.read(sentFilesName)).toString('utf8') : '{}';
  const { files = {}, links = {} } = JSON.parse(text);
  const insideEntries = <Value>(entries: Record<string, Value>) =>
    new Map(Object.entries(entries).filter(([path]) => isInsideFolder(path)));
  return { files: insideEntries<SentObject>(files), links: insideEntries<string>(links) };
}

type BucketState = { bucket: Bucket; storedObjects: Map<string, StoredObject>; account: SentFiles };

const isAsSent = ({ storedObjects, account }: BucketState, path: string) =>
  storedObjects.has(path) && storedObjects.get(path)!.tag === account.files.get(path)?.tag;

/** True for a file of a release older than the target of a link; such files never change. */
const isOlder = ({ links }: SentFiles, path: string) =>
  links.size > 0 && path.includes('/') && ![...links.values()].some((to) => path.startsWith(`${to}/`));

/** Descriptions and marks, which an export reads again. */
const isDescription = (path: string) =>
  /(^|\/)(\.hemicycle-\w+(\.json)?|[A-Z0-9]+(\.txt|\.md)?|(datapackage|releases)\.json)$/.test(path);

/** Creates local stand-ins: descriptions with contents, tables as empty space; returns table paths by inode. */
async function createStandIns(folder: string, bucketState: BucketState): Promise<Map<number, string>> {
  const { bucket, storedObjects, account } = bucketState;
  const standIns = new Map<number, string>();
  for (const path of account.files.keys()) {
    const file = join(folder, path);
    const [topFolder = ''] = path.split('/');
    // After an interrupted run, descriptions list our files, but marks may describe tables that were not sent.
    const isTrustedDescription = isDescription(path) && !path.includes('.hemicycle-') && !isOlder(account, path);
    const isPresent = isAsSent(bucketState, path) || (isTrustedDescription && storedObjects.has(path));
    if (account.links.has(topFolder) || !isPresent) continue;
    if (isOlder(account, path)) createFolder(join(folder, topFolder));
    else if (exportFormatOf(path)) {
      createFolder(dirname(file));
      // A second hard link keeps the inode number from being reused after the file is removed.
      const standIn = join(dirname(folder), `stand-in-${standIns.size}`);
      await writeFile(standIn, '');
      await truncate(standIn, storedObjects.get(path)!.bytes);
      await utimes(standIn, 0, 0);
      await link(standIn, file);
      standIns.set((await stat(standIn)).ino, path);
    } else if (isDescription(path)) {
      createFolder(dirname(file));
      await writeFile(file, await bucket.read(path));
    }
  }
  for (const [name, to] of account.links) if (isInsideFolder(to)) await symlink(to, join(folder, name));
  return standIns;
}

type Upload = BucketState & { standIns: Map<number, string>; signal: AbortSignal };

/** The objects that the bucket is to have: the files of the folder with their hashes, and those of older releases. */
async function nextObjects(files: ReadonlyMap<string, string>, { account, standIns }: Upload) {
  const objects = new Map<string, SentObject>();
  for (const [path, file] of files) {
    const standIn = standIns.get((await stat(file)).ino);
    const sha256 = standIn === undefined ? await hashFile(file) : account.files.get(standIn)!.sha256;
    objects.set(path, { sha256, tag: '' });
  }
  for (const [path, storedFile] of account.files) {
    const isRetained = isOlder(account, path) && !account.links.has(path.split('/')[0]!);
    if (!objects.has(path) && isRetained) objects.set(path, storedFile);
  }
  return objects;
}

/** Sends changed files, lists last; then deletes obsolete objects and writes the account. */
async function uploadChanges(folder: string, upload: Upload) {
  const { bucket, storedObjects, account, standIns, signal } = upload;
  const { files, links } = await listFiles(folder);
  const objects = await nextObjects(files, upload);
  const hashOf = (path: string) => objects.get(path)!.sha256;
  const isSame = (path: string) => hashOf(path) === account.files.get(path)?.sha256 && isAsSent(upload, path);
  const changedPaths = [...files.keys()].filter((path) => !isSame(path));
  const removedPaths = [...account.files.keys()].filter((path) => !objects.has(path));
  if (changedPaths.length + removedPaths.length === 0) return { written: 0, removed: 0 };
  const foreignPaths = changedPaths.filter((path) => storedObjects.has(path) && !account.files.has(path));
  refuseForeignFiles(bucket.shown, foreignPaths);
  // Written first, so that after an interruption the next run recognises its objects and links keep their targets.
  const pendingEntries = changedPaths.map((path): [string, SentObject] => [path, { sha256: '', tag: '' }]);
  await saveSentFiles(bucket, { ...account, files: new Map([...pendingEntries, ...account.files]) });
  const pathByHash = new Map([...files.keys()].filter(isSame).map((path) => [hashOf(path), path]));
  const uploadFile = async (path: string) => {
    await refuseInterrupted(signal);
    const file = files.get(path)!;
    const { ino, size: bytes } = await stat(file);
    const sourcePath = standIns.get(ino) ?? pathByHash.get(hashOf(path));
    if (sourcePath === undefined) await bucket.put(path, { file, bytes });
    else await bucket.copy(sourcePath, path);
    pathByHash.set(hashOf(path), path);
  };
  const isLinked = (path: string) => links.has(path.split('/')[0]!);
  const isList = (path: string) => path.endsWith(sums) || path === 'index.html';
  /** Files that lead to others are sent after them. */
  const rankOf = (path: string) => [isLinked(path), isList(path), path === indexName].lastIndexOf(true);
  for (const rank of [-1, 0, 1, 2]) {
    const paths = changedPaths.filter((path) => rankOf(path) === rank);
    await inConcurrentBatches(paths, uploadFile);
  }
  await inConcurrentBatches(removedPaths, (path) => bucket.remove(path));
  const after = await bucket.list();
  for (const [path, sentFile] of objects) sentFile.tag = after.get(path)?.tag ?? '';
  await saveSentFiles(bucket, { files: objects, links });
  return { written: changedPaths.length, removed: removedPaths.length };
}

const concurrency = 8;

/** Runs `work` in batches; waits for the whole batch even if one fails. */
async function inConcurrentBatches(paths: string[], work: (path: string) => Promise<void>): Promise<void> {
  for (const batch of inBatches(paths, concurrency))
    for (const each of await Promise.allSettled(batch.map(work))) if (each.status === 'rejected') throw each.reason;
}

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
