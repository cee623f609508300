import type { Mirror } from './mirror.ts';

/**
 * Tables added without a migration: older programs can read mirrors that have them, and this one mirrors that lack them
 * (`hasAddedTable`).
 */
const addedTables = {
  // Changed records, for replication and indexes; new ones are known by their higher ids. A trigger logs changes by any
  // program. Random marks distinguish a mirror that was restored from an older state.
  journal: `
    CREATE TABLE IF NOT EXISTS journal (seq INTEGER PRIMARY KEY, record INTEGER NOT NULL, mark TEXT NOT NULL) STRICT;
    CREATE TRIGGER IF NOT EXISTS record_journal AFTER UPDATE OF row, hash, detail, detail_hash, first_seen, last_seen,
      last_changed, withdrawn, detail_at, detail_since ON record
    BEGIN
      INSERT INTO journal (record, mark) VALUES (new.id, lower(hex(randomblob(4))));
    END;
    INSERT OR IGNORE INTO meta (key, value) VALUES ('journal', lower(hex(randomblob(8))));`,
  // Retrievals of each kind; the first entry of an older mirror is its last retrieval.
  retrieval: `
    CREATE TABLE IF NOT EXISTS retrieval (
      kind TEXT NOT NULL, at TEXT NOT NULL, columns TEXT, PRIMARY KEY (kind, at)
    ) STRICT, WITHOUT ROWID;
    INSERT OR IGNORE INTO retrieval
      SELECT kind, retrieved_at, columns FROM kind_state WHERE retrieved_at IS NOT NULL;`,
  // Records missing from the last enumeration of their kind, and since when.
  unseen: `
    CREATE TABLE IF NOT EXISTS unseen (
      record INTEGER PRIMARY KEY REFERENCES record(id), since TEXT NOT NULL
    ) STRICT;`,
  // URLs whose last request failed.
  failure: `
    CREATE TABLE IF NOT EXISTS failure (
      url TEXT PRIMARY KEY,
      stage TEXT NOT NULL,
      code TEXT NOT NULL,
      status INTEGER,
      message TEXT NOT NULL,
      count INTEGER NOT NULL,
      first_at TEXT NOT NULL,
      last_at TEXT NOT NULL,
      next_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;`,
  // Whether profiles of a kind are composed of row, facts and sources instead of fetched, and which are.
  composition: `
    CREATE TABLE IF NOT EXISTS composition (
      kind TEXT PRIMARY KEY,
      state TEXT NOT NULL CHECK (state IN ('agrees', 'differs')),
      checked_at TEXT NOT NULL,
      reason TEXT
    ) STRICT;`,
  composed: `
    CREATE TABLE IF NOT EXISTS composed (
      kind TEXT NOT NULL, key TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (kind, key)
    ) STRICT, WITHOUT ROWID;`,
  // Usual and recent shape of responses, and their differences.
  shape: `
    CREATE TABLE IF NOT EXISTS shape (
      subject TEXT PRIMARY KEY,
      usual TEXT NOT NULL,
      recent TEXT,
      drift TEXT NOT NULL DEFAULT '[]',
      seen_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;`,
};

/** Tables created on first use. */
type OptionalTable = 'acronym' | 'ballot_column' | 'name_known';

/** Unused tables of older programs. */
const formerTables = ['doc_value', 'field_seen', 'ballot_index'];

/** Creates missing added tables, and drops unused ones. */
export function createAddedTables(mirror: Mirror): void {
  const held = mirror.column('SELECT 1 FROM main.sqlite_schema WHERE name = ?');
  for (const name of formerTables) if (held.get(name)) mirror.database.exec(`DROP TABLE IF EXISTS ${name}`);
  const names = Object.keys(addedTables) as (keyof typeof addedTables)[];
  const missing = names.filter((name) => !hasAddedTable(mirror, name));
  if (missing.length === 0) return;
  const create = mirror.database.transaction(() => {
    for (const name of missing) mirror.database.exec(addedTables[name]);
  });
  create.immediate();
}

/** True if a mirror has an added or optional table. */
export function hasAddedTable(mirror: Mirror, name: keyof typeof addedTables | OptionalTable): boolean {
  return mirror.sql('SELECT 1 FROM main.sqlite_schema WHERE name = ?').get(name) !== undefined;
}
