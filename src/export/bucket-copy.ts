import { link, readlink, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HemicycleError } from '../errors.ts';
import { aimed } from '../format/atomic-file.ts';
import { isInside } from '../format/foreign-file.ts';
import { exportFormatOf } from '../format/formats.ts';
import { inBatches } from '../model/document.ts';
import type { Bucket, StoredObject } from '../service/bucket.ts';
import type { CopyKind } from '../store/copies.ts';
import { makeFolder } from '../store/folder.ts';
import { say } from '../words/speech.ts';
import { inStaging, withBucketLock } from './bucket-lock.ts';
import { type CopyParts, isOfProgram, isOwnName, isSiteList, listWithout, withSearch } from './copy-parts.ts';
import { filesBelow, refuseForeignFiles, sums } from './folder-switch.ts';
import { sha256Of } from './former.ts';
import { textsOfFile } from './holding.ts';
import { refuseInterrupted } from './part.ts';
import { indexName } from './releases.ts';

/** Lists the hash and object tag of each sent file, and the targets of links. */
const accountName = '.hemicycle-objects.json';

type SentObject = { sha256: string; tag: string };

type Account = { files: Map<string, SentObject>; links: Map<string, string> };

/** Runs `work` on a local image of a bucket's folder (old tables as empty space); uploads and deletes what changed. */
export async function inBucket<Result>(
  bucket: Bucket,
  { now, signal }: { now: () => number; signal: AbortSignal },
  work: (folder: string) => Promise<Result>,
): Promise<{ result: Result; moved: { written: number; removed: number } }> {
  return inStaging((folder, run) =>
    withBucketLock(bucket, { now, run }, async () => {
      const listed = await bucket.list();
      const account = await readAccount(bucket, listed);
      const standIns = await aimed(dirname(folder), () => layOut(folder, { bucket, listed, account }));
      const result = await work(folder).catch((error: unknown) => throwOf(bucket, folder, error));
      return { result, moved: await send(folder, { bucket, listed, account, standIns, signal }) };
    }),
  );
}

/** Runs `work` on a local copy of a folder in a bucket. */
export async function fromBucket(
  bucket: Bucket,
  signal: AbortSignal,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  return inStaging(async (folder) => {
    const listed = await bucket.list();
    const { links } = await readAccount(bucket, listed);
    const take = async (path: string) => {
      await refuseInterrupted(signal);
      makeFolder(dirname(join(folder, path)));
      await bucket.take(path, join(folder, path));
    };
    await forEach([...listed.keys()].filter(isInside), take);
    for (const [name, to] of links)
      if (isInside(to) && (await accountOf(join(folder, name))) === (await accountOf(join(folder, to)))) {
        await rm(join(folder, name), { recursive: true, force: true });
        await symlink(to, join(folder, name));
      }
    await work(folder).catch((error: unknown) => throwOf(bucket, folder, error));
  });
}

/** The objects of a bucket that the program wrote, each read through a local file. */
export async function openObjects(bucket: Bucket, now: () => number, kind: CopyKind): Promise<CopyParts> {
  const listed = await bucket.list();
  const account = await readAccount(bucket, listed);
  const names = [...listed.keys()].filter(
    (path) => path !== accountName && (account.files.has(path) || isOwnName(path, kind)) && !isOfProgram(path),
  );
  return {
    each: (look) =>
      inStaging(async (folder) => {
        const file = join(folder, 'object');
        for (const path of names) {
          await bucket.take(path, file);
          await look(path, textsOfFile(file));
        }
      }),
    remove: (parts) =>
      inStaging((_, run) =>
        withBucketLock(bucket, { now, run }, async () => {
          const paths = withSearch(parts, names);
          for (const path of paths) {
            if (isSiteList(path)) {
              const text = Buffer.from(await bucket.read(path)).toString('utf8');
              await bucket.put(path, listWithout(text, paths));
            } else {
              await bucket.remove(path);
              account.files.delete(path);
            }
          }
          // The next run must treat the list of a site as sent.
          const after = await bucket.list();
          for (const path of paths.filter(isSiteList))
            account.files.set(path, { sha256: '', tag: after.get(path)!.tag });
          await saveAccount(bucket, account);
        }),
      ),
    close: () => bucket.close(),
  };
}

const saveAccount = (bucket: Bucket, { files, links }: Account) =>
  bucket.put(accountName, JSON.stringify({ files: Object.fromEntries(files), links: Object.fromEntries(links) }));

const accountOf = async (folder: string) => {
  const hashOf = async (path: string) => `${await sha256Of(join(folder, path))} ${path}`;
  return (await Promise.all((await filesBelow(folder)).map(hashOf))).join();
};

function throwOf({ shown }: Bucket, folder: string, error: unknown): never {
  if (!(error instanceof HemicycleError)) throw error;
  // A full disk is a fault of this machine.
  if (error.message.startsWith(`${folder}/`)) error.advice = madeHere;
  else error.reworded((text) => text.replaceAll(folder, shown));
  throw error;
}

const madeHere = say`files for a bucket are prepared there first; to use another folder, set TMPDIR`;

async function readAccount(bucket: Bucket, listed: Map<string, StoredObject>): Promise<Account> {
  const text = listed.has(accountName) ? Buffer.from(await bucket.read(accountName)).toString('utf8') : '{}';
  const { files = {}, links = {} } = JSON.parse(text);
  const inside = <Value>(entries: Record<string, Value>) =>
    new Map(Object.entries(entries).filter(([path]) => isInside(path)));
  return { files: inside<SentObject>(files), links: inside<string>(links) };
}

type Place = { bucket: Bucket; listed: Map<string, StoredObject>; account: Account };

const isAsSent = ({ listed, account }: Place, path: string) =>
  listed.has(path) && listed.get(path)!.tag === account.files.get(path)?.tag;

/** True for a file of a release older than the target of a link; such files never change. */
const isOlder = ({ links }: Account, path: string) =>
  links.size > 0 && path.includes('/') && ![...links.values()].some((to) => path.startsWith(`${to}/`));

/** Descriptions and marks, which an export reads again. */
const isDescription = (path: string) =>
  /(^|\/)(\.hemicycle-\w+(\.json)?|[A-Z0-9]+(\.txt|\.md)?|(datapackage|releases)\.json)$/.test(path);

/** Creates local stand-ins: descriptions with contents, tables as empty space; returns table paths by inode. */
async function layOut(folder: string, bucketState: Place): Promise<Map<number, string>> {
  const { bucket, listed, account } = bucketState;
  const standIns = new Map<number, string>();
  for (const path of account.files.keys()) {
    const file = join(folder, path);
    const [first = ''] = path.split('/');
    // After an interrupted run, descriptions list our files, but marks may describe tables that were not sent.
    const isTrustedDescription = isDescription(path) && !path.includes('.hemicycle-') && !isOlder(account, path);
    const isRead = isAsSent(bucketState, path) || (isTrustedDescription && listed.has(path));
    if (account.links.has(first) || !isRead) continue;
    if (isOlder(account, path)) makeFolder(join(folder, first));
    else if (exportFormatOf(path)) {
      makeFolder(dirname(file));
      // A second hard link keeps the inode number from being reused after the file is removed.
      const standIn = join(dirname(folder), `stand-in-${standIns.size}`);
      await writeFile(standIn, '');
      await truncate(standIn, listed.get(path)!.bytes);
      await utimes(standIn, 0, 0);
      await link(standIn, file);
      standIns.set((await stat(standIn)).ino, path);
    } else if (isDescription(path)) {
      makeFolder(dirname(file));
      await writeFile(file, await bucket.read(path));
    }
  }
  for (const [name, to] of account.links) if (isInside(to)) await symlink(to, join(folder, name));
  return standIns;
}

type Sending = Place & { standIns: Map<number, string>; signal: AbortSignal };

/** Sends changed files, lists last; then deletes obsolete objects and writes the account. */
async function send(folder: string, sending: Sending) {
  const { bucket, listed, account, standIns, signal } = sending;
  const { files, links } = await filesIn(folder);
  const now = new Map<string, SentObject>();
  for (const [path, file] of files) {
    const standIn = standIns.get((await stat(file)).ino);
    const sha256 = standIn === undefined ? await sha256Of(file) : account.files.get(standIn)!.sha256;
    now.set(path, { sha256, tag: '' });
  }
  for (const [path, storedFile] of account.files)
    if (!now.has(path) && isOlder(account, path) && !account.links.has(path.split('/')[0]!)) now.set(path, storedFile);
  const isSame = (path: string) => now.get(path)!.sha256 === account.files.get(path)?.sha256 && isAsSent(sending, path);
  const changed = [...files.keys()].filter((path) => !isSame(path));
  const removedPaths = [...account.files.keys()].filter((path) => !now.has(path));
  if (changed.length + removedPaths.length === 0) return { written: 0, removed: 0 };
  refuseForeignFiles(
    bucket.shown,
    changed.filter((path) => listed.has(path) && !account.files.has(path)),
  );
  const write = (files: Map<string, SentObject>, links: Map<string, string>) => saveAccount(bucket, { files, links });
  // Written first, so that after an interruption the next run recognises its objects and links keep their targets.
  const pendingEntries = changed.map((path): [string, SentObject] => [path, { sha256: '', tag: '' }]);
  await write(new Map([...pendingEntries, ...account.files]), account.links);
  const alike = new Map([...files.keys()].filter(isSame).map((path) => [now.get(path)!.sha256, path]));
  const put = async (path: string) => {
    await refuseInterrupted(signal);
    const file = files.get(path)!;
    const { ino, size: bytes } = await stat(file);
    const from = standIns.get(ino) ?? alike.get(now.get(path)!.sha256);
    if (from === undefined) await bucket.put(path, { file, bytes });
    else await bucket.copy(from, path);
    alike.set(now.get(path)!.sha256, path);
  };
  const rankOf = (path: string) =>
    [links.has(path.split('/')[0]!), path.endsWith(sums) || path === 'index.html', path === indexName].lastIndexOf(
      true,
    );
  for (const rank of [-1, 0, 1, 2])
    await forEach(
      changed.filter((path) => rankOf(path) === rank),
      put,
    );
  await forEach(removedPaths, (path) => bucket.remove(path));
  const after = await bucket.list();
  await write(
    new Map([...now].map(([path, storedFile]) => [path, { ...storedFile, tag: after.get(path)?.tag ?? '' }])),
    links,
  );
  return { written: changed.length, removed: removedPaths.length };
}

const concurrency = 8;

/** Runs `work` in batches; waits for the whole batch even if one fails. */
async function forEach(paths: string[], work: (path: string) => Promise<void>): Promise<void> {
  for (const batch of inBatches(paths, concurrency))
    for (const each of await Promise.allSettled(batch.map(work))) if (each.status === 'rejected') throw each.reason;
}

async function filesIn(folder: string) {
  const files = new Map<string, string>();
  const links = new Map<string, string>();
  for (const path of await filesBelow(folder)) {
    if (/^\.hemicycle.*\.(lock|tmp)/.test(path)) continue;
    const to = await readlink(join(folder, path)).catch(() => null);
    if (to === null) files.set(path, join(folder, path));
    else links.set(path, to);
  }
  for (const [name, to] of links)
    for (const [path, file] of [...files]) if (path.startsWith(`${to}/`)) files.set(name + path.slice(to.length), file);
  return { files, links };
}
