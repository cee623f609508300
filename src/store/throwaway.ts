import { rmSync } from 'node:fs';
import { HemicycleError, NoStateError } from '../errors.ts';
import { say } from '../words/speech.ts';
import { fileAt, type Handle } from './mirror.ts';
import { openStateDatabase } from './open.ts';

/** A database that may be lost, with what `prepare` made of it. */
export type Throwaway<Part> = {
  /** Runs `work`, recreating a damaged file. Throws a NoStateError that names the file. */
  use<Result>(work: (part: Part) => Result): Result;
  close(): void;
};

/** Opens or creates a database that may be lost; recreates it whenever it is damaged, and reports that to `note`. */
export function openThrowaway<Part>(
  path: string,
  prepare: (database: Handle) => Part,
  note?: (text: string) => void,
): Throwaway<Part> {
  let opened: { database: Handle; part: Part; file: string } | null = null;

  function open(): Part {
    if (opened) return opened.part;
    const database = openStateDatabase(path);
    try {
      opened = { database, part: prepare(database), file: fileAt(path) };
      return opened.part;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Removes the damaged file, unless another process has replaced it already. */
  function remove(): void {
    const isAnother = opened !== null && opened.file !== fileAt(path);
    opened?.database.close();
    opened = null;
    if (isAnother) return;
    for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
    note?.(
      `${path} was damaged and is made anew; nothing is lost but the count of the last minute's requests`,
    );
  }

  function use<Result>(work: (part: Part) => Result): Result {
    try {
      return work(open());
    } catch (error) {
      if (!isDamage(error)) throw asStateError(path, error);
    }
    try {
      remove();
      return work(open());
    } catch (error) {
      throw asStateError(path, error);
    }
  }

  use(() => {});
  return { use, close: () => opened?.database.close() };
}

/** True if the content is unreadable or of another database. */
function isDamage(error: unknown): boolean {
  return /^SQLITE_(NOTADB|CORRUPT.*|ERROR|SCHEMA|FORMAT)$/.test(String((error as { code?: unknown }).code));
}

function asStateError(path: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof HemicycleError || (syscall === undefined && !code?.startsWith('SQLITE_')))
    return error;
  const isFull = /^(SQLITE_FULL|ENOSPC|EDQUOT)$/.test(code ?? '');
  return isFull
    ? new NoStateError(
        path,
        say`the disk is full`,
        say`make room there, or set XDG_STATE_HOME to a folder on another disk; the service was not asked`,
      )
    : new NoStateError(path, code ?? '');
}
