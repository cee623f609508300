import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync, type Stats, writeSync } from 'node:fs';
import { chmod, chown, type FileHandle, lstat, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { kill, pid } from 'node:process';
import { BadTargetError, orNull } from '../errors.ts';
import { dayMs } from '../model/moment.ts';
import { say } from '../words/speech.ts';
import { codeOf, reasonOf, type Sink } from './sink.ts';

/** A sink into the file at `temporary`; `bytes` counts what is written, `sha256()` returns its hash in hexadecimal. */
export type FileSink = Sink & { temporary: string; readonly bytes: number; sha256(): string };

/** Writes a whole file or nothing: a file at `path` remains if `write` throws or returns false. Returns the sink. */
export async function writeAtomically(path: string, write: (sink: FileSink) => unknown, shownPath = path) {
  const sink = await openAtomicFile(path, shownPath);
  try {
    if ((await write(sink)) === false) await sink.abort();
    else await sink.end();
  } catch (error) {
    await sink.abort();
    throw error;
  }
  return sink;
}

/** Replaces `path` by the file that `writeFile` writes, unless it throws or returns null; returns its result. */
export async function createAtomically<Result>(path: string, writeFile: (temporary: string) => Promise<Result>) {
  let result: Result | null = null;
  const write = async ({ temporary }: FileSink) => {
    result = await writeFile(temporary);
    return result !== null;
  };
  await guardTarget(path, () => writeAtomically(path, write));
  return result as Result;
}

/** Opens a temporary file: `end()` syncs it and renames it to `path`, `abort()` removes it. Errors name `shownPath`. */
export async function openAtomicFile(path: string, shownPath = path): Promise<FileSink> {
  await refuseBadTarget(path);
  await removeAbandonedFiles(dirname(path));
  const temporary = createTemporaryPath(dirname(path));
  const handle = await guardTarget(shownPath, () => open(temporary, 'wx'));
  const digest = createHash('sha256');
  let bytes = 0;
  let isClosed = false;
  const abort = async () => {
    if (isClosed) return;
    isClosed = true;
    await handle.close().catch(() => {});
    await unlink(temporary).catch(() => {});
    forgetPath(temporary);
  };
  return {
    temporary,
    get closed() {
      return isClosed;
    },
    get bytes() {
      return bytes;
    },
    sha256: () => digest.copy().digest('hex'),
    abort,
    write(chunk) {
      if (isClosed) throw new TypeError(`${path} is already finished`);
      const data = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      try {
        // Synchronous: handing 64 KiB to the thread pool takes longer than writing them.
        for (let offset = 0; offset < data.byteLength; )
          offset += writeSync(handle.fd, data, offset, data.byteLength - offset, bytes + offset);
      } catch (error) {
        throw targetError(shownPath, error);
      }
      digest.update(data);
      bytes += data.byteLength;
    },
    async end() {
      if (isClosed) return;
      await guardTarget(shownPath, () => moveInPlace(temporary, path, handle));
      isClosed = true;
    },
  };
}

async function moveInPlace(temporary: string, path: string, handle: FileHandle): Promise<void> {
  await handle.sync();
  await handle.close();
  const formerStats = await stat(path).catch(() => null);
  if (formerStats) await copyOwnership(temporary, formerStats);
  await renameDurably(temporary, path);
}

/** Renames a temporary file or folder into place, so that the new name survives a power cut. */
export async function renameDurably(temporary: string, path: string): Promise<void> {
  await rename(temporary, path);
  forgetPath(temporary);
  await syncFolder(dirname(path));
}

/** Sets permissions, group and owner of `path` to those given, as far as this user may; ignores refusals. */
export async function copyOwnership(path: string, { uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>) {
  const own = await stat(path);
  if (own.uid !== uid || own.gid !== gid) await chown(path, uid, gid).catch(() => chown(path, -1, gid).catch(() => {}));
  if ((own.mode ^ mode) & 0o777) await chmod(path, mode & 0o777).catch(() => {});
}

/** Syncs a folder: a new name survives a power cut only if its folder is on disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

async function refuseBadTarget(path: string) {
  if (basename(path) === '' || /[/\\]$/.test(path)) throw new BadTargetError(path, say`it names a folder`);
  const folder = await stat(dirname(path)).catch((error: unknown) => {
    throw new BadTargetError(path, reasonOf(error));
  });
  if (!folder.isDirectory()) throw new BadTargetError(path, say`its parent is not a folder`);
  const targetStats = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw new BadTargetError(path, reasonOf(error));
  });
  if (targetStats?.isDirectory()) throw new BadTargetError(path, say`it is a folder`);
  if (targetStats?.isSymbolicLink()) throw new BadTargetError(path, say`it is a symbolic link`);
  if (targetStats && !targetStats.isFile()) throw new BadTargetError(path, say`it is not a regular file`);
}

/** Runs `work` on a path that the user chose; turns its system errors into a BadTargetError that names `path`. */
export async function guardTarget<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw targetError(path, error);
  }
}

function targetError(path: string, error: unknown): unknown {
  return codeOf(error) === null ? error : new BadTargetError(path, reasonOf(error));
}

/** Returns a new hidden path; its machine and process id let later processes recognise it as abandoned. */
export function createTemporaryPath(folder: string): string {
  const name = `.hemicycle-${machineId}-${pid}-${randomBytes(8).toString('hex')}.tmp`;
  activeNames.add(name);
  return join(folder, name);
}

/** Removes temporary files of dead processes, and files of other machines that are a day old. */
export async function removeAbandonedFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const { machine, processId } = temporaryNamePattern.exec(name)?.groups ?? {};
    if (machine === undefined || activeNames.has(name.replace(/-journal$/, ''))) continue;
    const path = join(folder, name);
    // Process ids of another machine or container cannot be checked; names by earlier versions have none.
    const isAbandoned = machine === machineId ? !isAlive(Number(processId)) : await isOlderThanDay(path);
    if (isAbandoned) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

const isOlderThanDay = (path: string): Promise<boolean> =>
  lstat(path)
    .then(({ mtimeMs }) => Date.now() - mtimeMs > dayMs)
    .catch(() => false);

/** Removes a temporary file or folder, if it exists. */
export async function discard(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  forgetPath(path);
}

/** Removes a temporary path from those in use by this process; call it after the file is renamed or removed. */
export function forgetPath(path: string): void {
  activeNames.delete(basename(path));
}

const temporaryNamePattern = /^\.hemicycle-(?<machine>[0-9a-f]{8})-?(?<processId>\d*)-?[0-9a-f]*\.tmp(?:-journal)?$/;

/** Names of temporary files in use by this process; any other name with its id is of an earlier process. */
const activeNames = new Set<string>();

const pidNamespace = orNull(() => readlinkSync('/proc/self/ns/pid')) ?? '';

/** Machine id: a hash of the host name and, if any, the PID namespace. */
const machineId = createHash('sha256').update(`${hostname()} ${pidNamespace}`).digest('hex').slice(0, 8);

function isAlive(processId: number): boolean {
  if (processId === pid) return false; // Files in use by this process are in `activeNames`.
  try {
    return kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
