import type { Handle, Mirror } from './mirror.ts';

/** Tables and views added without a migration: older programs can still read mirrors that have them. */
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
  // What the addresses that should hold unseen records said of them.
  doubt: `
    CREATE TABLE IF NOT EXISTS doubt (
      record INTEGER PRIMARY KEY REFERENCES record(id), asked_at TEXT NOT NULL,
      answer TEXT NOT NULL CHECK (answer IN ('there', 'untold'))
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
  // `staysOf` in SQL, for those who query the file.
  membership_days: `
    CREATE VIEW IF NOT EXISTS membership_days AS
    WITH stated AS (
      SELECT record.key AS politician, coalesce(json_extract(value, '$.party.slug'), json_extract(value, '$.party')) AS party,
        json_extract(value, '$.start') AS first, coalesce(json_extract(value, '$.end'), '9999-12-30') AS last
      FROM record, json_each(coalesce(row, detail), '$.affiliations') WHERE kind = 'politician' AND withdrawn IS NULL
    ), apart AS (
      SELECT *, first > date(max(last) OVER (PARTITION BY politician, party ORDER BY first, last
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), '+1 day') IS NOT 0 AS is_apart
      FROM stated WHERE party IS NOT NULL AND first IS NOT NULL
    ), stay AS (
      SELECT *, sum(is_apart) OVER (PARTITION BY politician, party ORDER BY first, last
        ROWS UNBOUNDED PRECEDING) AS stay FROM apart
    )
    SELECT politician, party, (SELECT json_extract(coalesce(row, detail), '$.kind') FROM record AS named
        WHERE named.kind = 'party' AND named.key = stay.party AND named.withdrawn IS NULL) AS kind,
      min(first) AS first_day, nullif(max(last), '9999-12-30') AS last_day
    FROM stay GROUP BY politician, party, stay ORDER BY politician, first_day, party;`,
  // Fields of moderation entries whose values were withheld; never the values.
  withheld: `
    CREATE TABLE IF NOT EXISTS withheld (
      key TEXT NOT NULL, field TEXT NOT NULL, PRIMARY KEY (key, field)
    ) STRICT, WITHOUT ROWID;`,
  // What is left of withheld records, and the ids and journal names of those, which are never given again.
  withheld_record: `
    CREATE TABLE IF NOT EXISTS withheld_record (
      kind TEXT NOT NULL, salt TEXT NOT NULL, hash TEXT NOT NULL, day TEXT NOT NULL, reason TEXT NOT NULL,
      "of" TEXT, under TEXT, PRIMARY KEY (kind, salt, hash)
    ) STRICT, WITHOUT ROWID;`,
  gone: `
    CREATE TABLE IF NOT EXISTS gone (record INTEGER PRIMARY KEY, place TEXT NOT NULL) STRICT;`,
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

/** Unused tables of older programs. */
const formerTables = ['doc_value', 'field_seen'];

/** True if a mirror has every added table; one of an older program may not. */
export const hasAddedTables = (database: Handle): boolean => missingTables(database).length === 0;

/** Creates missing added tables, and drops unused ones and the bytes of downloads that older programs kept. */
export function createAddedTables({ database }: Mirror): void {
  const missing = missingTables(database);
  const isOld =
    formerTables.some((name) => hasTable(database, name)) ||
    database.prepare('SELECT 1 FROM download').get() !== undefined;
  const create = database.transaction(() => {
    for (const name of formerTables) database.exec(`DROP TABLE IF EXISTS ${name}`);
    database.exec('DELETE FROM download_part; DELETE FROM download');
    for (const name of missing) database.exec(addedTables[name]);
  });
  if (missing.length > 0 || isOld) create.immediate();
}

function missingTables(database: Handle): (keyof typeof addedTables)[] {
  const held = new Set(database.prepare('SELECT name FROM main.sqlite_schema').pluck().all());
  return (Object.keys(addedTables) as (keyof typeof addedTables)[]).filter((name) => !held.has(name));
}

/** True if the file of a mirror has a table. */
export function hasTable(database: Handle, name: string): boolean {
  return database.prepare('SELECT 1 FROM main.sqlite_schema WHERE name = ?').get(name) !== undefined;
}
