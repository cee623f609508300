import { accessSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { BadMirrorError, diskFull, tooManyFiles } from '../errors.ts';
import type { KindName } from '../model/kinds.ts';
import { type Phrase, say } from '../words/speech.ts';

export { hasTable } from '../names/database.ts';

export type Handle = InstanceType<typeof Database>;
type Statement<Row> = Database.Statement<unknown[], Row>;

/** The statements of a database, each prepared on first use. */
export interface Statements extends Omit<ReturnType<typeof createStatements>, 'clear'> {}

/** An open mirror: one SQLite file. */
export interface Mirror extends ReturnType<typeof mirrorFromSource> {}

/** The database that a mirror reads: its file, or a copy that is current until the file changes. */
export type MirrorSource = { database: Handle; isCurrent(): boolean; close(): void };

/** A source that reads the file itself and sees the writes of others at once. */
export function fileSource(database: Handle): MirrorSource {
  return { database, isCurrent: () => true, close: () => database.close() };
}

/** Prepared statements of one sort that are cached: the text of some depends on the request. */
const maxStatements = 1000;

/** Caches the prepared statements of a database until `clear`. */
export function createStatements(database: () => Handle) {
  // Plucking changes a statement for all of its users.
  const rows = new Map<string, Statement<unknown>>();
  const columns = new Map<string, Statement<unknown>>();
  const prepareCached = (cache: typeof rows, text: string): Statement<unknown> => {
    const cached = cache.get(text);
    // A statement that is being iterated cannot run again.
    if (cached && !cached.busy) return cached;
    const statement = database().prepare<unknown[], unknown>(text);
    if (cache.size >= maxStatements) cache.clear();
    cache.set(text, cache === columns ? statement.pluck() : statement);
    return statement;
  };
  return {
    sql: <Row = unknown>(text: string): Statement<Row> => prepareCached(rows, text) as Statement<Row>,
    /** A statement that returns only the first column. */
    column: <Value = unknown>(text: string): Statement<Value> => prepareCached(columns, text) as Statement<Value>,
    clear() {
      rows.clear();
      columns.clear();
    },
  };
}

/** Returns a mirror over the source from `open`; `refresh` opens it again if it is stale. */
export function mirrorFromSource(path: string, open: () => MirrorSource, { readonly }: { readonly: boolean }) {
  let source = open();
  const { clear, ...statements } = createStatements(() => source.database);
  let cachedVersion = -1;
  let cachedValues = new Map<string, unknown>();
  return {
    path,
    /** Device and inode of the opened file; the path may later hold another file. */
    file: fileAt(path),
    readonly,
    /** The past moment that it shows, ISO 8601; null for now. */
    asOf: null as string | null,
    get database(): Handle {
      return source.database;
    },
    ...statements,
    /** Caches the result of `read` under `name` until the file changes; a writable mirror caches nothing. */
    readOnce<Value>(name: string, read: () => Value) {
      // The connection's own commits do not change `data_version`.
      if (!readonly) return read();
      const dataVersion = statements.column<number>('PRAGMA data_version').get()!;
      if (dataVersion !== cachedVersion) [cachedVersion, cachedValues] = [dataVersion, new Map()];
      // `read` may call `readOnce`, which replaces the cache if the file has changed.
      const cache = cachedValues;
      if (!cache.has(name)) cache.set(name, read());
      return cache.get(name) as Value;
    },
    /** Reloads a stale copy of the file; call it between two reads. Throws a BadMirrorError if it is unreadable. */
    refresh() {
      if (source.isCurrent()) return;
      const next = open();
      try {
        source.close();
      } catch {
        // A running iteration keeps its state.
        next.close();
        return;
      }
      source = next;
      clear();
      cachedValues.clear();
    },
    close: () => source.close(),
  };
}

/** Runs `work` on the opened resource; closes it if `work` throws. */
export function closeOnError<Resource extends { close(): unknown }, Result>(
  resource: Resource,
  work: (opened: Resource) => Result,
): Result {
  try {
    return work(resource);
  } catch (error) {
    resource.close();
    throw error;
  }
}

/** Runs `work` on the opened resource, and closes it; `work` must not await. */
export function whileOpen<Opened extends { close(): unknown }, Made>(opened: Opened, work: (opened: Opened) => Made) {
  using _ = { [Symbol.dispose]: () => opened.close() };
  return work(opened);
}

/** Device and inode of the file at a path; empty if there is none. */
export function fileAt(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.dev}:${stat.ino}` : '';
}

/** Text that changes whenever the file at a path is replaced or written; empty if there is none. */
export function fileState(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ') : '';
}

/** Size of the file at a path in bytes; 0 if there is none. */
export const fileBytes = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Throws a BadMirrorError if the written file was deleted, moved or replaced; SQLite would keep writing to it. */
export function refuseReplacedFile({ path, file, database }: Mirror): void {
  if (database.memory) return;
  let currentFile: string;
  try {
    currentFile = fileAt(path);
  } catch (error) {
    throw new BadMirrorError(
      path,
      say`can no longer be reached (${(error as Error).message})`,
      replacedFileHint,
      error,
    );
  }
  if (currentFile === file) return;
  throw new BadMirrorError(
    path,
    currentFile === ''
      ? say`is gone: it was deleted, moved or unmounted while it was written`
      : say`is another file now: it was replaced while it was written`,
    replacedFileHint,
  );
}

const replacedFileHint = say`this run saved to the previous file; restore it, or run the same command again to fill the new one`;

/** Reason why the file cannot be written; null if it can. */
export function whyUnwritable(path: string): Phrase | null {
  try {
    accessSync(dirname(path), constants.W_OK);
    if (existsSync(path)) accessSync(path, constants.W_OK);
    return null;
  } catch (error) {
    return say`cannot be written: it is read-only (${(error as { code?: string }).code})`;
  }
}

/** Files that SQLite opens for a database: itself, -wal, -shm, and the folder. */
const filesPerMirror = 4;

/** Returns a BadMirrorError if too many files are open; null otherwise. */
export function lackOfFiles(path: string, cause: unknown): BadMirrorError | null {
  const descriptors: number[] = [];
  using _ = { [Symbol.dispose]: () => descriptors.forEach(closeSync) };
  try {
    while (descriptors.length < filesPerMirror) descriptors.push(openSync(dirname(path), 'r'));
    return null;
  } catch (error) {
    const isFileLimit = /^E[MN]FILE$/.test((error as { code?: string }).code ?? '');
    return isFileLimit ? new BadMirrorError(path, tooManyFiles.reason, tooManyFiles.hint, cause) : null;
  }
}

/** Turns an error of SQLite into a BadMirrorError; returns other errors unchanged. */
export function asMirrorError(path: string, error: unknown): unknown {
  // The first of two errors states the cause: the second one came while a file was closed.
  if (error instanceof Error && 'suppressed' in error) return asMirrorError(path, error.suppressed);
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return error;
  const [, reason, hint = null] = sqliteReasons.find(([prefix]) => code.startsWith(prefix)) ?? [
    code,
    (error as Error).message,
  ];
  const isOpenFailure = code.startsWith('SQLITE_CANTOPEN');
  const limitError = isOpenFailure ? lackOfFiles(path, error) : null;
  if (limitError) return limitError;
  const refusalReason = isOpenFailure ? whyUnwritable(path) : null;
  return new BadMirrorError(path, refusalReason ?? say`${reason} (${code})`, hint, error);
}

/** True for an error of SQLite about its file, not about a statement or a value. */
export const isFileError = (error: unknown): boolean =>
  sqliteReasons.some(([prefix]) => String((error as { code?: unknown }).code).startsWith(prefix));

/** Explanations of SQLite's error codes, and hints other than the default. */
const sqliteReasons: [code: string, reason: Phrase, hint?: Phrase][] = [
  ['SQLITE_NOTADB', say`is not an SQLite file`],
  ['SQLITE_CORRUPT', say`is damaged`],
  ['SQLITE_READONLY', say`cannot be written: it is read-only`],
  ['SQLITE_CANTOPEN', say`cannot be opened`],
  ['SQLITE_FULL', diskFull.reason, diskFull.hint],
  ['SQLITE_IOERR', say`the disk refused to read or write`],
  ['SQLITE_BUSY', say`is being written by another program`],
];

type StateKey = 'version' | 'state' | 'journal' | 'synced_at' | 'changed_at' | `repeated_${KindName}`;

type IndexKey = 'analyser' | 'names' | 'embedding_model' | 'embedded' | 'embedded_as';
type FindingKey = 'contradictions' | 'source_use' | 'ballot_tables' | 'text_links';
type ServiceKey = 'service_name' | 'site_url' | 'group_order' | 'base_url' | 'cited_base_url';
type AnswerKey = 'answered_at' | 'asked_in_vain_since' | 'asked_in_vain_at' | 'gone_since';

type GuardKey = 'anonymous_log' | 'tombstone_salt' | 'to_erase' | `shrink_accepted_${string}` | `edits_${string}`;

export type MetaKey = StateKey | IndexKey | FindingKey | ServiceKey | AnswerKey | GuardKey;

/** Reads a fact about the mirror, or null. */
export function readMeta(mirror: Mirror, key: MetaKey): string | null {
  return mirror.column<string>('SELECT value FROM meta WHERE key = ?').get(key) ?? null;
}

/** Saves a fact about the mirror. */
export function saveMeta(mirror: Mirror, key: MetaKey, value: string): void {
  mirror
    .sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
    .run(key, value);
}

/** Deletes a fact about the mirror. */
export function forgetMeta(mirror: Mirror, key: MetaKey): void {
  mirror.sql('DELETE FROM meta WHERE key = ?').run(key);
}

/** Number that grows with every change of a record. */
export const mirrorVersion = (mirror: Mirror): number => Number(readMeta(mirror, 'version') ?? 0);

/** Marks that records changed; call it in the transaction that changed them. */
export function bumpVersion(mirror: Mirror): void {
  saveMeta(mirror, 'version', String(mirrorVersion(mirror) + 1));
  // Diverged copies of one mirror may have equal versions.
  saveMeta(mirror, 'state', mirror.column<string>('SELECT lower(hex(randomblob(12)))').get()!);
  saveMeta(mirror, 'changed_at', mirror.column<string>(changedAtSql).get()!);
}

/** Now, but after the second in which a sync ended: HTTP dates have seconds, and that one denotes the synced state. */
const changedAtSql = `SELECT max(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), coalesce(
  (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', ended_at, '+1 second') FROM run
    WHERE ended_at IS NOT NULL ORDER BY id DESC LIMIT 1), ''))`;
