import { realpathSync, statSync } from 'node:fs';
import { BadMirrorError, NoMirrorError, orNull } from '../errors.ts';
import { say } from '../words/speech.ts';
import { fileBytes, fileIdentity } from './file-state.ts';
import type { Mirror } from './mirror.ts';
import { openMirror } from './open.ts';

/** A mirror that reopens when its file is replaced. */
export type FollowedMirror = ReturnType<typeof followMirrorFile>;

/** `file`: device and inode; `mtimeSize`: modification time and size. */
type Stamp = { file: string; mtimeSize: string };

/** `mtimeSize`: of the file before opening; `walFile`: device and inode of the -wal file, empty without one. */
type Connection = { mirror: Mirror; mtimeSize: string; walFile: string };

/** Interval of checks for a replaced file while idle: an undetected one would keep the old -wal beside the new file. */
const checkIntervalMs = 1000;

/** Returns a mirror that reopens if its file is replaced or modified; SQLite would mix the old file with a new log. */
export function followMirrorFile(firstMirror: Mirror) {
  const { path } = firstMirror;
  const mtimeSize = stampOf(path)?.mtimeSize ?? '';
  let connection: Connection | null = { mirror: firstMirror, mtimeSize, walFile: fileIdentity(walOf(path)) };
  let lastClosed = connection; // until the first close, the open connection
  let isReplaced = false;
  const listeners: (() => void)[] = [];
  const openReaders = new Map<Mirror, () => void>();

  function closeConnection(stamp: Stamp | null): void {
    if (connection === null) return;
    lastClosed = connection;
    connection = null;
    lastClosed.mirror.close();
    if (stamp?.file === lastClosed.mirror.file) return; // the same file: not replaced
    for (const listener of listeners) listener();
    // Readers of a file without -wal can continue; others must end before the new file is opened.
    if (lastClosed.walFile !== '') for (const end of [...openReaders.values()]) end();
  }

  /** Throws a BadMirrorError if readers or the -wal file of the previous file make opening the new one unsafe. */
  function refuseRemainingLog(formerWalFile: string): void {
    // Closing any handle drops the process's POSIX locks: readers of the old file would be unprotected.
    if (openReaders.size > 0)
      throw new BadMirrorError(path, say`is another file, while the former one is still being read`);
    // SQLite would apply the old -wal to the new file.
    const walPath = walOf(path);
    if (fileIdentity(walPath) === formerWalFile && fileBytes(walPath) > 0)
      throw new BadMirrorError(
        path,
        say`was placed next to the log of the previous file`,
        say`move ${path}-wal and ${path}-shm away, to where that file is now, or remove them`,
      );
  }

  function current(): Mirror {
    const stamp = stampOf(path);
    const isUnchanged = stamp?.file === connection?.mirror.file && stamp?.mtimeSize === connection?.mtimeSize;
    if (connection?.mirror.database.open && isUnchanged) {
      connection.mirror.refresh();
      return connection.mirror;
    }
    closeConnection(stamp);
    if (stamp === null) throw new NoMirrorError(path);
    if (stamp.file !== lastClosed.mirror.file && lastClosed.walFile !== '') refuseRemainingLog(lastClosed.walFile);
    const mirror = openMirror(path);
    connection = { mirror, mtimeSize: stamp.mtimeSize, walFile: fileIdentity(walOf(path)) };
    isReplaced ||= mirror.file !== firstMirror.file;
    return mirror;
  }

  // Errors are dropped here: the next call of `current` throws them again.
  const checkTimer = setInterval(() => orNull(current), checkIntervalMs).unref();

  return {
    path,
    /** True once the path has held another file than at first. */
    isReplaced: () => isReplaced,
    /** The current mirror; throws a NoMirrorError or BadMirrorError while none is readable. */
    current,
    /** Opens a reader for long reads. If a file with a -wal is replaced, `end` is called and must close the reader. */
    openReader(open: (path: string) => Mirror, end: () => void): Mirror {
      current();
      const mirror = open(path);
      const close = () => {
        openReaders.delete(reader);
        mirror.close();
      };
      const reader = { ...mirror, close };
      openReaders.set(reader, end);
      return reader;
    },
    /** Adds a listener, called after the file was replaced and before the new one is opened. */
    onReplaced: (listener: () => void) => void listeners.push(listener),
    close() {
      clearInterval(checkTimer);
      if (connection?.mirror !== firstMirror) connection?.mirror.close(); // the caller owns the first one
    },
  };
}

function stampOf(path: string): Stamp | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? { file: `${stat.dev}:${stat.ino}`, mtimeSize: `${stat.mtimeNs}:${stat.size}` } : null;
}

const walOf = (path: string) => `${realpathSync(path)}-wal`;
