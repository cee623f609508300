import type Database from 'better-sqlite3';
import type { KindName } from '../model/kinds.ts';
import { fileIdentity } from './file-state.ts';

export { hasTable } from '../names/database.ts';

export type Handle = InstanceType<typeof Database>;
type Statement<Row> = Database.Statement<unknown[], Row>;

/** The statements of a database, each prepared on first use. */
export interface Statements extends Omit<ReturnType<typeof createStatements>, 'clear'> {}

/** An open mirror: one SQLite file. */
export interface Mirror extends ReturnType<typeof mirrorFromSource> {}

/** The database that a mirror reads: its file, or a copy that is current until the file changes. */
export type MirrorSource = { database: Handle; isCurrent(): boolean; close(): void };

/** A source that reads the file itself, and so sees the writes of other connections at once. */
export function fileSource(database: Handle): MirrorSource {
  return { database, isCurrent: () => true, close: () => database.close() };
}

/** Maximum entries of each statement cache, needed because some SQL texts depend on the request. */
const maxCachedStatements = 1000;

/** Caches the prepared statements of a database until `clear`. */
export function createStatements(database: () => Handle) {
  // `pluck()` mutates a statement, so plucked statements need a cache of their own.
  const rows = new Map<string, Statement<unknown>>();
  const columns = new Map<string, Statement<unknown>>();
  const prepareCached = (cache: typeof rows, text: string): Statement<unknown> => {
    const cached = cache.get(text);
    // A statement that is being iterated cannot run again.
    if (cached && !cached.busy) return cached;
    const statement = database().prepare<unknown[], unknown>(text);
    if (cache.size >= maxCachedStatements) cache.clear();
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
    /** Device and inode of the opened file; another file may later be at the path. */
    file: fileIdentity(path),
    readonly,
    /** The past moment that the mirror shows, ISO 8601; null for the present. */
    asOf: null as string | null,
    get database(): Handle {
      return source.database;
    },
    ...statements,
    /** Memoizes the result of `read` under `name` until the file changes; a writable mirror memoizes nothing. */
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
      const newSource = open();
      try {
        source.close();
      } catch {
        // SQLite cannot close during an iteration: keep the old source until the next refresh.
        newSource.close();
        return;
      }
      source = newSource;
      clear();
      cachedValues.clear();
    },
    close: () => source.close(),
  };
}

/** Returns the result of `work` on the opened resource, which stays open; closes it if `work` throws. */
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

/** Returns the result of `work` on the opened resource, and closes it; `work` must not await. */
export function whileOpen<Opened extends { close(): unknown }, Made>(opened: Opened, work: (opened: Opened) => Made) {
  using _ = { [Symbol.dispose]: () => opened.close() };
  return work(opened);
}

/** State of the records, its journal and times; number of repeated rows in the last dataset of a kind. */
type StateKey = 'version' | 'state' | 'journal' | 'synced_at' | 'changed_at' | `repeated_${KindName}`;
/** Versions and states of the data from which the word, name and embedding indexes were built. */
type IndexKey = 'analyser' | 'names' | 'embedding_model' | 'embedded' | 'embedded_as';
/** States of the records from which derived tables were filled. */
type DerivedTableKey = 'contradictions' | 'source_use' | 'ballot_tables' | 'ballot_numbers' | 'text_links';
type ServiceKey = 'service_name' | 'site_url' | 'group_order' | 'base_url' | 'cited_base_url';
/** Last response; first and last unanswered request since; when a service without responses counts as closed. */
type ResponseKey = 'answered_at' | 'asked_in_vain_since' | 'asked_in_vain_at' | 'gone_since';
/** Rules of the cleaned log, key of hashes, pending erasure, accepted losses by kind, recent mass edits by kind. */
type GuardKey = 'anonymous_log' | 'tombstone_salt' | 'to_erase' | `shrink_accepted_${string}` | `edits_${string}`;

/** Keys of the table `meta`. */
export type MetaKey = StateKey | IndexKey | DerivedTableKey | ServiceKey | ResponseKey | GuardKey;

/** The value of a key in the table `meta`; null if missing. */
export function readMeta(mirror: Mirror, key: MetaKey): string | null {
  return mirror.column<string>('SELECT value FROM meta WHERE key = ?').get(key) ?? null;
}

/** Upserts the value of a key in the table `meta`. */
export function saveMeta(mirror: Mirror, key: MetaKey, value: string): void {
  mirror.sql('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, value);
}

/** Deletes a key from the table `meta`. */
export function deleteMeta(mirror: Mirror, key: MetaKey): void {
  mirror.sql('DELETE FROM meta WHERE key = ?').run(key);
}

/** Number that grows with every change of a record. */
export const mirrorVersion = (mirror: Mirror): number => Number(readMeta(mirror, 'version') ?? 0);

/** Saves that records changed: next version, new state id, time. Call it in the transaction that changed them. */
export function bumpVersion(mirror: Mirror): void {
  saveMeta(mirror, 'version', String(mirrorVersion(mirror) + 1));
  // Diverged copies of one mirror may have equal versions.
  saveMeta(mirror, 'state', mirror.column<string>('SELECT lower(hex(randomblob(12)))').get()!);
  saveMeta(mirror, 'changed_at', mirror.column<string>(changedAtSql).get()!);
}

/** Now, or a second after the last sync if later: Last-Modified has whole seconds and must differ from the sync. */
const changedAtSql = `SELECT max(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), coalesce(
  (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', ended_at, '+1 second') FROM run
    WHERE ended_at IS NOT NULL ORDER BY id DESC LIMIT 1), ''))`;
