import type { Mirror } from './mirror.ts';

/**
 * Tables that came after the newest step of the schema. They are no step of it: an older program goes on reading a mirror that
 * has them, and a mirror that lacks them, because an older program made it, reads as it is (`hasAddedTable`).
 */
const addedTables = {
  // Which records changed, so that another mirror, or an index, can ask for only these. New records need no note: their
  // numbers are higher than all before. A trigger notes it whichever program writes; each note has a mark of its own, by
  // which a mirror that was put back to an older state is told from one that went on.
  journal: `
    CREATE TABLE IF NOT EXISTS journal (seq INTEGER PRIMARY KEY, record INTEGER NOT NULL, mark TEXT NOT NULL) STRICT;
    CREATE TRIGGER IF NOT EXISTS record_journal AFTER UPDATE OF row, hash, detail, detail_hash, first_seen, last_seen,
      last_changed, withdrawn, detail_at, detail_since ON record
    BEGIN
      INSERT INTO journal (record, mark) VALUES (new.id, lower(hex(randomblob(4))));
    END;
    INSERT OR IGNORE INTO meta (key, value) VALUES ('journal', lower(hex(randomblob(8))));`,
  // When each kind was retrieved; what a mirror without the log last retrieved is its first entry.
  retrieval: `
    CREATE TABLE IF NOT EXISTS retrieval (
      kind TEXT NOT NULL, at TEXT NOT NULL, columns TEXT, PRIMARY KEY (kind, at)
    ) STRICT, WITHOUT ROWID;
    INSERT OR IGNORE INTO retrieval
      SELECT kind, retrieved_at, columns FROM kind_state WHERE retrieved_at IS NOT NULL;`,
  // Records that were once not seen: those that the last enumeration of their kind did not list, and since when.
  unseen: `
    CREATE TABLE IF NOT EXISTS unseen (
      record INTEGER PRIMARY KEY REFERENCES record(id), since TEXT NOT NULL
    ) STRICT;`,
  // Addresses that failed when they were last asked.
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
  // Whether the profiles of a kind are composed, and which are. A composed profile is not stored: it is read from its row,
  // facts and sources, as any that was never fetched.
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
  // What answers look like: the usual shape of each, what came since where that is little or another, and how they differ.
  shape: `
    CREATE TABLE IF NOT EXISTS shape (
      subject TEXT PRIMARY KEY,
      usual TEXT NOT NULL,
      recent TEXT,
      drift TEXT NOT NULL DEFAULT '[]',
      seen_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;`,
  field_seen: `
    CREATE TABLE IF NOT EXISTS field_seen (
      subject TEXT NOT NULL,
      field TEXT NOT NULL,
      first_at TEXT NOT NULL,
      last_at TEXT NOT NULL,
      PRIMARY KEY (subject, field)
    ) STRICT, WITHOUT ROWID;`,
};

/** Tables that are made when there is something to keep in them, beside those that every mirror gets that is written. */
type KeptTable = 'acronym' | 'ballot_index' | 'name_known';

/** Tables of older programs that nothing reads any more. */
const formerTables = ['doc_value'];

/** Makes the added tables that a mirror lacks, and drops those that no program needs now. */
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

/** True for a mirror that has a table which not every mirror has. */
export function hasAddedTable(mirror: Mirror, name: keyof typeof addedTables | KeptTable): boolean {
  return mirror.sql('SELECT 1 FROM main.sqlite_schema WHERE name = ?').get(name) !== undefined;
}
