import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { BadTargetError, orNull } from '../../errors.ts';
import { createTemporaryPath, forget, removeAbandonedFiles } from '../../format/atomic-file.ts';
import { makeFolder } from '../../store/folder.ts';
import { withLockFile } from '../../store/lock.ts';
import { say } from '../../words/speech.ts';

/** Result of writing a site. */
export type SiteOutcome = { files: number; written: number; removed: number; bytes: number };

/** List of the site's files, each with the first digits of its SHA-256; written last. */
const listName = '.hemicycle-site';

/** Journal of files that a running site build adds; the next run reads the one of a killed run. */
const pendingListName = '.hemicycle-site-begun';

const lockName = '.hemicycle-site.lock';

/** Runs `work` while no other run writes into the folder; throws a LockedError after 10 s. */
export async function withFolderLock<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  makeFolder(folder);
  return withLockFile(join(folder, lockName), work, { lockedPath: folder });
}

/** Opens the folder of a site; throws a BadTargetError if it contains other files. */
export async function openSiteFolder(folder: string) {
  const listPath = join(folder, listName);
  const pendingListPath = join(folder, pendingListName);
  await removeAbandonedFiles(folder);
  const isSiteFolder = existsSync(listPath) || existsSync(pendingListPath);
  if (!isSiteFolder && readdirSync(folder).some((name) => !name.startsWith(lockName)))
    throw new BadTargetError(folder, say`it contains files that are not from an earlier site`);
  const former = new Map([...readList(pendingListPath), ...readList(listPath)]);
  appendFileSync(pendingListPath, '');
  const now = new Map<string, string>();
  const createdFolders = new Set<string>();
  const outcome: SiteOutcome = { files: 0, written: 0, removed: 0, bytes: 0 };
  return {
    write(path: string, text: string | Uint8Array) {
      const data = typeof text === 'string' ? Buffer.from(text) : text;
      const target = join(folder, path);
      const hash = hashOf(data);
      now.set(path, hash);
      outcome.bytes += data.byteLength;
      if (isSame(target, data)) return;
      if (!createdFolders.has(dirname(target))) makeFolder(dirname(target));
      createdFolders.add(dirname(target));
      if (!former.has(path)) appendFileSync(pendingListPath, `${hash} ${path}\n`);
      replaceFile(folder, target, data);
      outcome.written += 1;
    },
    /** Removes files of the former site that were not written again, and writes the list of files. */
    finish(): SiteOutcome {
      for (const [path, hash] of former) if (!now.has(path) && removeOwn(folder, path, hash)) outcome.removed += 1;
      const lines = [...now].sort(([one], [other]) => (one < other ? -1 : 1));
      const text = Buffer.from(lines.map(([path, hash]) => `${hash} ${path}\n`).join(''));
      if (!isSame(listPath, text)) replaceFile(folder, listPath, text);
      rmSync(pendingListPath, { force: true });
      return { ...outcome, files: now.size };
    },
  };
}

function readList(path: string): [path: string, hash: string][] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line): [string, string][] => {
    const [, hash, filePath] = /^([0-9a-f]{16}) ([^/].*)$/.exec(line) ?? [];
    return hash === undefined || filePath!.split('/').includes('..') ? [] : [[filePath!, hash]];
  });
}

const hashOf = (data: Uint8Array) => createHash('sha256').update(data).digest('hex').slice(0, 16);

const isSame = (path: string, data: Uint8Array): boolean => readThere(path)?.equals(data) === true;

const readThere = (path: string): Buffer | null => orNull(() => readFileSync(path));

/** Replaces a file atomically; after a power cut the next run repairs it, since it compares contents. */
function replaceFile(folder: string, target: string, data: Uint8Array): void {
  const temporaryPath = createTemporaryPath(folder);
  writeFileSync(temporaryPath, data);
  renameSync(temporaryPath, target);
  forget(temporaryPath);
}

/** Removes a file of the previous site unless a user changed it, and its folder if that is empty; true if removed. */
function removeOwn(folder: string, path: string, hash: string): boolean {
  const target = join(folder, path);
  const content = readThere(target);
  if (content === null || hashOf(content) !== hash) return false;
  rmSync(target);
  const parentFolder = dirname(target);
  if (parentFolder !== folder && readdirSync(parentFolder).length === 0) rmdirSync(parentFolder);
  return true;
}
