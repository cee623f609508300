import { link, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { BadTargetError } from '../../errors.ts';
import { guardTarget } from '../../format/atomic-file.ts';
import { codeOf } from '../../format/sink.ts';
import type { Bucket } from '../../service/bucket.ts';
import { createFolder } from '../../store/folder.ts';
import { say } from '../../words/speech.ts';
import { prepareStaging } from '../folder-switch.ts';

type Content = string | Uint8Array;

/** Storage of a lake's files, in a folder or a bucket. Paths are relative to it, with slashes. */
export type LakeStorage = Awaited<ReturnType<typeof openFolderStorage>>;

/** Returns a reader of a lake in a folder: `list` maps paths to size and time, `read` returns a file's bytes. */
export function createFileReader(folder: string) {
  return {
    async list() {
      const top = await readdir(folder, { withFileTypes: true });
      // Hidden staging folders of other runs may disappear at any time.
      const folders = top.filter((each) => each.isDirectory() && !each.name.startsWith('.hemicycle'));
      const listings = folders.map(({ name }) => readdir(join(folder, name), { recursive: true, withFileTypes: true }));
      const files = new Map<string, { bytes: number; writtenMs: number }>();
      for (const each of [...top, ...(await Promise.all(listings)).flat()]) {
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
    read: (path: string): Promise<Uint8Array> => readFile(join(folder, ...path.split('/'))),
  };
}

/** Opens a lake in a local folder, which is created if missing; throws a BadTargetError if that is impossible. */
export async function openFolderStorage(folder: string) {
  const { folderPath, path: staging, abort } = await prepareStaging(folder);
  const absolutePath = (path: string) => join(folderPath, ...path.split('/'));
  let stagedCount = 0;
  /** Writes a temporary file, which `moveFile` moves or links into place, so that readers never see a partial file. */
  const writeStaged = async <Result>(path: string, content: Content, moveFile: (from: string) => Promise<Result>) => {
    const from = join(staging, `text-${stagedCount++}`);
    return guardTarget(join(folder, path), async () => {
      await writeFile(from, content, { flush: true });
      createFolder(dirname(absolutePath(path)));
      return moveFile(from);
    });
  };
  return {
    displayName: folder,
    /** A local folder where files are created before they are moved into the lake. */
    staging,
    ...createFileReader(folderPath),
    /** Writes a whole file or none; false if the name exists. */
    create: (path: string, content: Content) =>
      writeStaged(path, content, async (from) => {
        try {
          // A hard link is atomic and never replaces a file. Where there are none, readers may see a partial file.
          await link(from, absolutePath(path)).catch((error: unknown) => {
            if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(codeOf(error) ?? '')) throw error;
            return writeFile(absolutePath(path), content, { flag: 'wx', flush: true });
          });
          return true;
        } catch (error) {
          if (codeOf(error) === 'EEXIST') return false;
          throw error;
        }
      }),
    /** Writes a whole file or none, replacing one of the same name. */
    replace: (path: string, content: Content) => writeStaged(path, content, (from) => rename(from, absolutePath(path))),
    /** Moves a finished file out of the staging folder. */
    moveIn: (from: string, path: string) =>
      guardTarget(join(folder, path), async () => {
        createFolder(dirname(absolutePath(path)));
        await rename(from, absolutePath(path));
      }),
    async remove(paths: string[]) {
      for (const path of paths) await rm(absolutePath(path), { force: true });
    },
    close: abort,
  };
}

/** Opens a lake in a bucket; throws a BadTargetError if the bucket ignores `If-None-Match`: commits could be lost. */
export async function openBucketStorage(bucket: Bucket): Promise<LakeStorage> {
  await requireConditionalPut(bucket).catch(async (error: unknown) => {
    await bucket.close();
    throw error;
  });
  const staging = await guardTarget(tmpdir(), () => mkdtemp(join(tmpdir(), 'hemicycle-lake-')));
  return {
    ...bucket,
    staging,
    async list() {
      return new Map([...(await bucket.list())].filter(([path]) => !path.startsWith('.hemicycle')));
    },
    create: (path, content) => bucket.put(path, content, null), // null: only if there is no such object
    replace: async (path, content) => void (await bucket.put(path, content)),
    async moveIn(file, path) {
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

/** Throws a BadTargetError if the bucket overwrites an object despite `If-None-Match`. */
async function requireConditionalPut(bucket: Bucket): Promise<void> {
  const probe = `.hemicycle-probe-${crypto.randomUUID()}`;
  await bucket.put(probe, '');
  const isOverwritten = await bucket.put(probe, 'over it', null);
  await bucket.remove(probe);
  if (!isOverwritten) return;
  throw new BadTargetError(
    bucket.displayName,
    say`it ignores If-None-Match: two simultaneous runs could overwrite each other`,
    say`use a storage that supports conditional writes, or a folder`,
  );
}
