import { link, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { BadTargetError } from '../../errors.ts';
import { aimed } from '../../format/atomic-file.ts';
import { codeOf } from '../../format/sink.ts';
import type { Bucket } from '../../service/bucket.ts';
import { makeFolder } from '../../store/folder.ts';
import { say } from '../../words/speech.ts';
import { beginIn } from '../folder-switch.ts';

/** Where the files of a lake stand: a folder, or a bucket. Paths are relative, with slashes. */
export type LakeStorage = {
  shown: string;
  /** A folder of this machine, in which files are made before they are taken over. */
  staging: string;
  /** All files by path, with their sizes in bytes and when they were written (milliseconds). */
  list(): Promise<Map<string, { bytes: number; writtenMs: number }>>;
  read(path: string): Promise<Uint8Array>;
  /** Writes a whole file or none; false where one of that name is there already. */
  create(path: string, content: string | Uint8Array): Promise<boolean>;
  /** Writes a whole file or none, in the place of one that was there. */
  replace(path: string, content: string | Uint8Array): Promise<void>;
  /** Takes over a finished file of the staging folder. */
  take(staged: string, path: string): Promise<void>;
  remove(paths: string[]): Promise<void>;
  close(): Promise<void>;
};

/** The files of a lake in a folder, to be read. */
export function openFiles(folder: string): Pick<LakeStorage, 'list' | 'read'> {
  return {
    async list() {
      const top = await readdir(folder, { withFileTypes: true });
      // The hidden folders in which other runs make files come and go.
      const folders = top.filter((each) => each.isDirectory() && !each.name.startsWith('.hemicycle'));
      const below = folders.map(({ name }) => readdir(join(folder, name), { recursive: true, withFileTypes: true }));
      const files = new Map<string, { bytes: number; writtenMs: number }>();
      for (const each of [...top, ...(await Promise.all(below)).flat()]) {
        // A pipe would never end, and a link may lead out of the folder.
        if (!each.isFile()) continue;
        const file = join(each.parentPath, each.name);
        const path = relative(folder, file).split(sep).join('/');
        if (path.startsWith('.hemicycle')) continue;
        const stats = await stat(file).catch(() => null);
        if (stats) files.set(path, { bytes: stats.size, writtenMs: stats.mtimeMs });
      }
      return files;
    },
    read: (path) => readFile(join(folder, ...path.split('/'))),
  };
}

/** A lake in a folder of this machine, made where there is none; throws a BadTargetError if it cannot be one. */
export async function openFolder(folder: string): Promise<LakeStorage> {
  const { folderPath, path: staging, abort } = await beginIn(folder);
  const inPlace = (path: string) => join(folderPath, ...path.split('/'));
  let staged = 0;
  /** Puts a whole file to where `put` moves it: nobody sees half of one. */
  const written = async <Result>(
    path: string,
    content: string | Uint8Array,
    put: (from: string) => Promise<Result>,
  ) => {
    const from = join(staging, `text-${staged++}`);
    return aimed(join(folder, path), async () => {
      await writeFile(from, content, { flush: true });
      makeFolder(dirname(inPlace(path)));
      return put(from);
    });
  };
  return {
    shown: folder,
    staging,
    ...openFiles(folderPath),
    create: (path, content) =>
      written(path, content, async (from) => {
        try {
          // A link appears whole, and never in the place of another. Some file systems have none.
          await link(from, inPlace(path)).catch((error: unknown) => {
            if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(codeOf(error) ?? '')) throw error;
            return writeFile(inPlace(path), content, { flag: 'wx', flush: true });
          });
          return true;
        } catch (error) {
          if (codeOf(error) === 'EEXIST') return false;
          throw error;
        }
      }),
    replace: (path, content) => written(path, content, (from) => rename(from, inPlace(path))),
    take: (from, path) =>
      aimed(join(folder, path), async () => {
        makeFolder(dirname(inPlace(path)));
        await rename(from, inPlace(path));
      }),
    async remove(paths) {
      for (const path of paths) await rm(inPlace(path), { force: true });
    },
    close: abort,
  };
}

/** A lake in a bucket; throws a BadTargetError for one that ignores `If-None-Match`, where runs at once would lose commits. */
export async function openInBucket(bucket: Bucket): Promise<LakeStorage> {
  await refuseUnconditional(bucket).catch(async (error: unknown) => {
    await bucket.close();
    throw error;
  });
  const staging = await aimed(tmpdir(), () => mkdtemp(join(tmpdir(), 'hemicycle-lake-')));
  return {
    ...bucket,
    staging,
    async list() {
      const all = await bucket.list();
      return new Map([...all].filter(([path]) => !path.startsWith('.hemicycle')));
    },
    create: (path, content) => bucket.put(path, content, true),
    replace: async (path, content) => void (await bucket.put(path, content)),
    async take(file, path) {
      await bucket.put(path, { file, bytes: (await stat(file)).size });
      await rm(file);
    },
    async remove(paths) {
      for (const path of paths) await bucket.remove(path);
    },
    async close() {
      await bucket.close();
      await rm(staging, { recursive: true, force: true });
    },
  };
}

/** Throws a BadTargetError for a storage that writes over what must be new. */
async function refuseUnconditional(bucket: Bucket): Promise<void> {
  const probe = `.hemicycle-probe-${crypto.randomUUID()}`;
  await bucket.put(probe, '');
  const isLost = await bucket.put(probe, 'over it', true);
  await bucket.remove(probe);
  if (!isLost) return;
  throw new BadTargetError(
    bucket.shown,
    say`it ignores If-None-Match, so that two runs at once would lose what one of them wrote`,
    say`take a storage that knows conditional writes, or a folder`,
  );
}
