import { createHash } from 'node:crypto';
import { ftruncateSync, type Stats, writeSync } from 'node:fs';
import { chmod, chown, type FileHandle, lstat, open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { BadTargetError } from '../errors.ts';
import { say } from '../words/speech.ts';
import { forget, removeAbandoned, temporaryIn } from './leftovers.ts';
import { codeOf, reasonOf, type Sink } from './sink.ts';

/** A sink into a file that knows how many bytes it took and their SHA-256, in hexadecimal. */
export type FileSink = Sink & { readonly bytes: number; sha256(): string; rewind(): void };

/**
 * A sink into a hidden file beside `path`; `end()` makes it durable and puts it in the place of `path`,
 * `abort()` leaves nothing behind. Throws BadTargetError where no regular file can be written; it names `named`, the
 * path that people know.
 */
export async function openAtomicFile(path: string, named = path): Promise<FileSink> {
  await refuseBadTarget(path);
  await removeAbandoned(dirname(path));
  const temporary = temporaryIn(dirname(path));
  const handle = await aimed(named, () => open(temporary, 'wx'));
  return fileSink({ path, named, temporary, handle });
}

/** Writes a whole file or nothing: whatever `write` throws removes what was written, and is thrown on. */
export async function writeAtomically(
  path: string,
  write: (sink: FileSink) => Promise<void> | void,
  named = path,
): Promise<FileSink> {
  const sink = await openAtomicFile(path, named);
  try {
    await write(sink);
    await sink.end();
  } catch (error) {
    await sink.abort();
    throw error;
  }
  return sink;
}

/**
 * Lets `make` write a file of its own under another name, and puts it in the place of `path` when it is whole; what
 * stands there is left alone where `make` gives null.
 */
export async function makeAtomically<Result>(
  path: string,
  make: (temporary: string) => Promise<Result> | Result,
): Promise<Result> {
  await refuseBadTarget(path);
  await removeAbandoned(dirname(path));
  const temporary = temporaryIn(dirname(path));
  try {
    // Opening the file first gives the system's error, clearer than a library's.
    await (await open(temporary, 'wx')).close();
    const result = await make(temporary);
    if (result === null) {
      await unlink(temporary);
      forget(temporary);
      return result;
    }
    const handle = await open(temporary, 'r+');
    await moveInPlace({ path, temporary, handle });
    return result;
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw targetError(path, error);
  }
}

function fileSink({
  path,
  named,
  temporary,
  handle,
}: {
  path: string;
  named: string;
  temporary: string;
  handle: FileHandle;
}): FileSink {
  let digest = createHash('sha256');
  let bytes = 0;
  let closed = false;
  const abort = async () => {
    if (closed) return;
    closed = true;
    await handle.close().catch(() => {});
    await unlink(temporary).catch(() => {});
    forget(temporary);
  };
  return {
    get closed() {
      return closed;
    },
    get bytes() {
      return bytes;
    },
    sha256: () => digest.copy().digest('hex'),
    abort,
    write(chunk) {
      if (closed) throw new TypeError(`${path} is already finished`);
      const data = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      writeWhole({ path: named, handle, data, position: bytes });
      digest.update(data);
      bytes += data.byteLength;
    },
    rewind() {
      ftruncateSync(handle.fd);
      digest = createHash('sha256');
      bytes = 0;
    },
    async end() {
      if (closed) return;
      try {
        await aimed(named, () => moveInPlace({ path, temporary, handle }));
      } catch (error) {
        await abort();
        throw error;
      }
      closed = true;
    },
  };
}

/** Into the page cache at once: handing 64 KiB to the thread pool takes longer than writing them. */
function writeWhole({
  path,
  handle,
  data,
  position,
}: {
  path: string;
  handle: FileHandle;
  data: Uint8Array;
  position: number;
}) {
  try {
    for (let done = 0; done < data.byteLength; )
      done += writeSync(handle.fd, data, done, data.byteLength - done, position + done);
  } catch (error) {
    throw targetError(path, error);
  }
}

async function moveInPlace({
  path,
  temporary,
  handle,
}: {
  path: string;
  temporary: string;
  handle: FileHandle;
}) {
  await handle.sync();
  await handle.close();
  const former = await stat(path).catch(() => null);
  if (former) await takeAfter(temporary, former);
  await rename(temporary, path);
  forget(temporary);
  await settle(dirname(path));
}

/** Gives a file the mode, group and owner of the one whose place it takes, as far as this user may. */
export async function takeAfter(path: string, { uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>) {
  const own = await stat(path);
  if (own.uid !== uid || own.gid !== gid)
    await chown(path, uid, gid).catch(() => chown(path, -1, gid).catch(() => {}));
  if ((own.mode ^ mode) & 0o777) await chmod(path, mode & 0o777).catch(() => {});
}

/** A new name survives a power cut only once its folder is on disk too. */
export async function settle(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function refuseBadTarget(path: string) {
  if (basename(path) === '' || /[/\\]$/.test(path)) throw new BadTargetError(path, say`it names a folder`);
  const folder = await stat(dirname(path)).catch((error: unknown) => {
    throw new BadTargetError(path, reasonOf(error));
  });
  if (!folder.isDirectory()) throw new BadTargetError(path, say`its parent is not a folder`);
  const target = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw new BadTargetError(path, reasonOf(error));
  });
  if (target?.isDirectory()) throw new BadTargetError(path, say`it is a folder`);
  if (target?.isSymbolicLink()) throw new BadTargetError(path, say`it is a symbolic link`);
  if (target && !target.isFile()) throw new BadTargetError(path, say`it is not a regular file`);
}

/** Acts on a target of the user's; what the system refuses is thrown as a BadTargetError that names it. */
export async function aimed<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw targetError(path, error);
  }
}

function targetError(path: string, error: unknown): unknown {
  return codeOf(error) === null ? error : new BadTargetError(path, reasonOf(error));
}
