import { realpathSync, statSync } from 'node:fs';
import { BadMirrorError, NoMirrorError, orNull } from '../errors.ts';
import { say } from '../words/speech.ts';
import { fileAt } from './file-state.ts';
import type { Mirror } from './mirror.ts';
import { openMirror } from './open.ts';

/** A mirror that reopens when its file is replaced. */
export type FollowedMirror = ReturnType<typeof followMirrorFile>;

/** `file` identifies the file; `written` changes with every write to it. */
type Stamp = { file: string; written: string };

type Connection = { mirror: Mirror; stamp: Stamp; log: string };

/** Interval at which an idle mirror checks for a replaced file, whose log would remain beside the new one. */
const checkIntervalMs = 1000;

/** Reopens a mirror when its file is replaced or overwritten: SQLite would mix the old file with the new log. */
export function followMirrorFile(firstMirror: Mirror) {
  const { path } = firstMirror;
  // A write since it was opened causes a reopen.
  const stampOfFirst = { file: firstMirror.file, written: stampOf(path)?.written ?? '' };
  let connection: Connection | null = { mirror: firstMirror, stamp: stampOfFirst, log: fileAt(logOf(path)) };
  let former = connection;
  let isReplaced = false;
  const listeners: (() => void)[] = [];
  const openReaders = new Map<Mirror, () => void>();

  function closeConnection(stamp: Stamp | null): void {
    if (connection === null) return;
    former = connection;
    connection = null;
    former.mirror.close();
    if (stamp?.file === former.stamp.file) return;
    for (const listener of listeners) listener();
    // Without a log, nothing of the former file remains at the path: its readers go on.
    if (former.log !== '') for (const end of [...openReaders.values()]) end();
  }

  function current(): Mirror {
    const stamp = stampOf(path);
    const isSameFile = stamp?.file === connection?.stamp.file && stamp?.written === connection?.stamp.written;
    if (connection?.mirror.database.open && isSameFile) {
      connection.mirror.refresh();
      return connection.mirror;
    }
    closeConnection(stamp);
    if (stamp === null) throw new NoMirrorError(path);
    if (stamp.file !== former.stamp.file) {
      // POSIX locks of a process on one file end when the first handle is closed.
      if (former.log !== '' && openReaders.size > 0)
        throw new BadMirrorError(path, say`is another file, while the former one is still being read`);
      // SQLite would apply a log of the former file that remains to the new one.
      const log = logOf(path);
      if (former.log !== '' && fileAt(log) === former.log && statSync(log).size > 0)
        throw new BadMirrorError(
          path,
          say`was placed next to the log of the previous file`,
          say`move ${path}-wal and ${path}-shm away, to where that file is now, or remove them`,
        );
    }
    const mirror = openMirror(path);
    connection = { mirror, stamp: { ...stamp, file: mirror.file }, log: fileAt(logOf(path)) };
    isReplaced ||= mirror.file !== firstMirror.file;
    return mirror;
  }

  // The next caller gets an error of the check.
  const checkTimer = setInterval(() => orNull(current), checkIntervalMs).unref();

  return {
    path,
    isReplaced: () => isReplaced,
    /** The current mirror; throws a NoMirrorError or BadMirrorError while none is readable. */
    current,
    /** Opens the file again for long reads; `end` must close it, and is called when a file with a log is replaced. */
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
      if (connection?.mirror !== firstMirror) connection?.mirror.close();
    },
  };
}

function stampOf(path: string): Stamp | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? { file: `${stat.dev}:${stat.ino}`, written: `${stat.mtimeNs}:${stat.size}` } : null;
}

const logOf = (path: string) => `${realpathSync(path)}-wal`;
