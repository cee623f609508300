import { accessSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { BadMirrorError, diskFull, tooManyFiles } from '../errors.ts';
import { type Phrase, say, type UserText } from '../words/speech.ts';

export type Handle = InstanceType<typeof Database>;
type Statement<Row> = Database.Statement<unknown[], Row>;

/** An open mirror: one SQLite file, with its statements prepared once each. */
export type Mirror = {
  path: string;
  /** The file that was opened, by device and number: another one may stand at the path later. */
  file: string;
  readonly: boolean;
  /** The moment that it is read as of, ISO 8601; null for now. */
  pastOf: string | null;
  readonly database: Handle;
  /** The statement of that SQL, prepared on first use; `Row` is what one of its rows holds. */
  sql<Row = unknown>(text: string): Statement<Row>;
  /** A statement that gives the first column of its rows, prepared on first use. */
  column<Value = unknown>(text: string): Statement<Value>;
  /**
   * What `read` reads, read once under that name until anybody saves. A mirror that is written to remembers nothing: its
   * own connection's commits do not move the number of commits that it sees.
   */
  readOnce<Value>(name: string, read: () => Value): Value;
  /**
   * Turns to what the file holds now, where a copy of it is read; who keeps a mirror open calls it between two readings.
   * Throws a BadMirrorError if the file can no longer be read.
   */
  refresh(): void;
  close(): void;
};

/** What a mirror is read from: its file, or a copy of that, which is current until the file changes. */
export type MirrorSource = { database: Handle; isCurrent(): boolean; close(): void };

/** The file itself: what others save there is seen at once. */
export function fileSource(database: Handle): MirrorSource {
  return { database, isCurrent: () => true, close: () => database.close() };
}

/** A mirror over what `open` gives, which is opened again when it is no longer current. */
export function handleOf(
  path: string,
  open: () => MirrorSource,
  { readonly }: { readonly: boolean },
): Mirror {
  let source = open();
  const [rows, columns] = [new Map<string, unknown>(), new Map<string, unknown>()];
  const column = <Value>(text: string) =>
    once(columns, text, () => source.database.prepare<unknown[], Value>(text).pluck());
  let [commits, remembered] = [-1, new Map<string, unknown>()];
  const once = <Prepared>(known: Map<string, unknown>, text: string, prepare: () => Prepared): Prepared => {
    if (!known.has(text)) known.set(text, prepare());
    return known.get(text) as Prepared;
  };
  return {
    path,
    file: fileAt(path),
    readonly,
    pastOf: null,
    get database() {
      return source.database;
    },
    sql: <Row>(text: string) => once(rows, text, () => source.database.prepare<unknown[], Row>(text)),
    // Statements of their own: a plucked one stays so for all who share it.
    column,
    readOnce(name, read) {
      if (!readonly) return read();
      const seen = column<number>('PRAGMA data_version').get()!;
      if (seen !== commits) [commits, remembered] = [seen, new Map()];
      return once(remembered, name, read);
    },
    refresh() {
      if (source.isCurrent()) return;
      const next = open();
      try {
        source.close();
      } catch {
        // What is being iterated goes on as it began, as it would in the file.
        next.close();
        return;
      }
      source = next;
      for (const known of [rows, columns, remembered]) known.clear();
    },
    close: () => source.close(),
  };
}

/** The file at a path, by device and number; empty where there is none. */
export function fileAt(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.dev}:${stat.ino}` : '';
}

/**
 * Throws a BadMirrorError where the file that is written no longer stands at its path: what is saved there nobody finds.
 * SQLite itself goes on writing to a file that was deleted, moved or unmounted.
 */
export function refuseGone({ path, file, database }: Mirror): void {
  if (database.memory) return;
  let found: string;
  try {
    found = fileAt(path);
  } catch (error) {
    throw new BadMirrorError(
      path,
      say`can no longer be reached (${(error as Error).message})`,
      goneHint,
      error,
    );
  }
  if (found === file) return;
  throw new BadMirrorError(
    path,
    found === ''
      ? say`is gone: it was deleted, moved or unmounted while it was written`
      : say`is another file now: it was replaced while it was written`,
    goneHint,
  );
}

const goneHint = say`what this run saved is in the file that stood there before; put that back, or run the same command again to fill the one that stands there now`;

/** Why no file can be written there, or null if it can. */
export function unwritable(path: string): Phrase | null {
  try {
    accessSync(dirname(path), constants.W_OK);
    if (existsSync(path)) accessSync(path, constants.W_OK);
    return null;
  } catch (error) {
    return say`cannot be written: it is read-only (${(error as { code?: string }).code})`;
  }
}

/** True where SQLite did not open a file because it would have to write, or to make another one beside it. */
export function isRefusal(error: unknown): boolean {
  return /^SQLITE_(CANTOPEN|READONLY)/.test(String((error as { code?: unknown }).code));
}

/** As many files as SQLite opens for a database: itself, its log, the index of that, and its folder. */
const filesOfMirror = 4;

/** The error of a mirror that cannot be opened because too many files are open; null where it must be another reason. */
export function lackOfFiles(path: string, cause: unknown): BadMirrorError | null {
  const opened: number[] = [];
  try {
    while (opened.length < filesOfMirror) opened.push(openSync(dirname(path), 'r'));
    return null;
  } catch (error) {
    const isLack = /^E[MN]FILE$/.test((error as { code?: string }).code ?? '');
    return isLack ? new BadMirrorError(path, tooManyFiles.reason, tooManyFiles.hint, cause) : null;
  } finally {
    for (const each of opened) closeSync(each);
  }
}

/** SQLite's own error as one that names the mirror and what to do; other errors pass unchanged. */
export function asMirrorError(path: string, error: unknown): unknown {
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return error;
  const [, reason, hint = null] = reasons.find(([prefix]) => code.startsWith(prefix)) ?? [
    code,
    (error as Error).message,
  ];
  const isUnopened = code.startsWith('SQLITE_CANTOPEN');
  const lacking = isUnopened ? lackOfFiles(path, error) : null;
  if (lacking) return lacking;
  const refused = isUnopened ? unwritable(path) : null;
  return new BadMirrorError(path, refused ?? say`${reason} (${code})`, hint, error);
}

/** What SQLite's codes mean to the user, and what to do where it is not to choose another file. */
const reasons: [code: string, reason: UserText, hint?: UserText][] = [
  ['SQLITE_NOTADB', say`is not an SQLite file`],
  ['SQLITE_CORRUPT', say`is damaged`],
  ['SQLITE_READONLY', say`cannot be written: it is read-only`],
  ['SQLITE_CANTOPEN', say`cannot be opened`],
  ['SQLITE_FULL', diskFull.reason, diskFull.hint],
  ['SQLITE_IOERR', say`the disk refused to read or write`],
  ['SQLITE_BUSY', say`is being written by another program`],
];
