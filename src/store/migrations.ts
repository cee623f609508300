import { ballotTablesSql } from './ballot-tables-sql.ts';

/** Marks a file as a mirror of this program (`PRAGMA application_id`, "HEMI"). */
export const applicationId = 0x48454d49;

/** SQL of the value of one base-36 digit of a hash; `at` counts from its end. 0 if missing: `instr` finds '' at 1. */
const digitOfHash = (at: number) =>
  `${36 ** at} * (instr('0123456789abcdefghijklmnopqrstuvwxyz', substr(text_hash.hash, ${-1 - at}, 1)) - 1)`;

/** Steps of the schema; `migrate` applies those above a mirror's version, and saves the new version with them. */
export const migrations = [
  {
    version: 1,
    // `record.id` is `kind number * 2^40 + n`: kinds are ranges, and a full-text rowid gives its kind.
    // An empty `date`, `updated_at` or `sort_name` means none, so that one comparison orders all.
    // `row` is the JSON of a dataset row, `detail` of the full document; `hash` and `detail_hash` are their hashes.
    sql: `
      CREATE TABLE record (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        row TEXT,
        hash TEXT,
        detail TEXT,
        detail_hash TEXT,
        name TEXT,
        sort_name TEXT NOT NULL,
        politician TEXT,
        party TEXT,
        group_slug TEXT,
        topic TEXT,
        date TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        first_seen TEXT NOT NULL,
        last_seen TEXT NOT NULL,
        last_changed TEXT NOT NULL,
        withdrawn TEXT,
        detail_at TEXT,
        detail_stale INTEGER NOT NULL DEFAULT 1
      ) STRICT;
      CREATE UNIQUE INDEX record_key ON record(kind, key);

      CREATE TABLE version (
        record INTEGER NOT NULL REFERENCES record(id),
        part TEXT NOT NULL CHECK (part IN ('row', 'detail')),
        json TEXT NOT NULL,
        hash TEXT NOT NULL,
        seen_from TEXT NOT NULL,
        seen_to TEXT NOT NULL,
        ended_by TEXT NOT NULL CHECK (ended_by IN ('edited', 'withdrawn'))
      ) STRICT;
      CREATE INDEX version_record ON version(record, part, seen_to);

      CREATE TABLE kind_state (
        kind TEXT PRIMARY KEY,
        columns TEXT NOT NULL DEFAULT '[]',
        origin TEXT,
        retrieved_at TEXT,
        enumerated_at TEXT,
        row_count INTEGER,
        file_hash TEXT,
        validators TEXT
      ) STRICT;
      CREATE TABLE progress (
        origin TEXT NOT NULL,
        stage TEXT NOT NULL,
        state TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        PRIMARY KEY (origin, stage)
      ) STRICT;
      CREATE TABLE absent (
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        status INTEGER NOT NULL,
        asked_at TEXT NOT NULL,
        PRIMARY KEY (kind, key)
      ) STRICT;
      CREATE TABLE gap (
        kind TEXT NOT NULL,
        after_key TEXT,
        before_key TEXT,
        noticed_at TEXT NOT NULL
      ) STRICT;
      CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        origin TEXT NOT NULL,
        started_at TEXT NOT NULL,
        ended_at TEXT,
        exit INTEGER,
        report TEXT
      ) STRICT;
      CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

      CREATE VIRTUAL TABLE search USING fts5(
        name, title, body, about,
        content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
      );
    `,
  },
  {
    version: 2,
    // `detail_since`: when the full document got its content; `answer`: validators of responses, for later requests.
    sql: `
      ALTER TABLE record ADD COLUMN detail_since TEXT;
      UPDATE record SET detail_since = detail_at;
      ALTER TABLE kind_state ADD COLUMN file_columns TEXT;
      ALTER TABLE kind_state ADD COLUMN file_ends_line INTEGER;
      ALTER TABLE kind_state DROP COLUMN validators;
      CREATE TABLE answer (
        url TEXT PRIMARY KEY,
        etag TEXT,
        last_modified TEXT,
        asked_at TEXT NOT NULL,
        read_at TEXT NOT NULL
      ) STRICT;
      CREATE INDEX version_withdrawn ON version(record) WHERE ended_by = 'withdrawn';
    `,
  },
  {
    version: 4, // 3 only created tables that 5 drops
    // Text hashes move from terms of the full-text index (`_HASH`) to a table. The terms stay: no query matches them.
    sql: `
      CREATE TABLE text_hash (record INTEGER PRIMARY KEY, hash TEXT NOT NULL) STRICT;
      CREATE VIRTUAL TABLE temp.instance USING fts5vocab('main', 'search', 'instance');
      INSERT OR REPLACE INTO text_hash SELECT doc, substr(term, 2) FROM temp.instance
        WHERE term BETWEEN '_' AND '\`' AND col = 'about' ORDER BY doc, offset;
      DROP TABLE temp.instance;
    `,
  },
  {
    version: 5,
    // Hashes of texts become integers in `record`; includes all tables that earlier programs added without a version.
    sql: `
      ALTER TABLE record ADD COLUMN text_hash INTEGER;
      UPDATE record SET text_hash = ${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(digitOfHash).join(' + ')}
        FROM text_hash WHERE text_hash.record = id;
      DROP TABLE text_hash;
      DROP TABLE IF EXISTS download_part;
      DROP TABLE IF EXISTS download;
      DROP TABLE IF EXISTS doc_value;
      DROP TABLE IF EXISTS field_seen;
      DROP INDEX IF EXISTS record_first_seen;
      DROP INDEX IF EXISTS record_withdrawn;
      DROP INDEX IF EXISTS version_time;

      -- Changed records, for replication and indexes; new ones are known by their higher ids. A trigger logs changes by any
      -- program. Random marks distinguish a mirror that was restored from an older state.
      CREATE TABLE IF NOT EXISTS journal (seq INTEGER PRIMARY KEY, record INTEGER NOT NULL, mark TEXT NOT NULL) STRICT;
      CREATE TRIGGER IF NOT EXISTS record_journal AFTER UPDATE OF row, hash, detail, detail_hash, first_seen, last_seen,
        last_changed, withdrawn, detail_at, detail_since ON record
      BEGIN
        INSERT INTO journal (record, mark) VALUES (new.id, lower(hex(randomblob(4))));
      END;
      INSERT OR IGNORE INTO meta (key, value) VALUES ('journal', lower(hex(randomblob(8))));
      -- Retrievals of each kind; the first entry of an older mirror is its last retrieval.
      CREATE TABLE IF NOT EXISTS retrieval (
        kind TEXT NOT NULL, at TEXT NOT NULL, columns TEXT, PRIMARY KEY (kind, at)
      ) STRICT, WITHOUT ROWID;
      INSERT OR IGNORE INTO retrieval
        SELECT kind, retrieved_at, columns FROM kind_state WHERE retrieved_at IS NOT NULL;
      -- Records missing from the last enumeration of their kind, and since when.
      CREATE TABLE IF NOT EXISTS unseen (
        record INTEGER PRIMARY KEY REFERENCES record(id), since TEXT NOT NULL
      ) STRICT;
      -- URLs whose last request failed.
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
      ) STRICT, WITHOUT ROWID;
      -- Whether profiles of a kind are composed of row, facts and sources instead of fetched, and which are.
      CREATE TABLE IF NOT EXISTS composition (
        kind TEXT PRIMARY KEY,
        state TEXT NOT NULL CHECK (state IN ('agrees', 'differs')),
        checked_at TEXT NOT NULL,
        reason TEXT
      ) STRICT;
      CREATE TABLE IF NOT EXISTS composed (
        kind TEXT NOT NULL, key TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (kind, key)
      ) STRICT, WITHOUT ROWID;
      -- Fields of moderation entries whose values were withheld; never the values.
      CREATE TABLE IF NOT EXISTS withheld (
        key TEXT NOT NULL, field TEXT NOT NULL, PRIMARY KEY (key, field)
      ) STRICT, WITHOUT ROWID;
      -- Tombstones of withheld records. Table gone: erased ids, never reused, with their fingerprint in the journal.
      CREATE TABLE IF NOT EXISTS withheld_record (
        kind TEXT NOT NULL, salt TEXT NOT NULL, hash TEXT NOT NULL, day TEXT NOT NULL, reason TEXT NOT NULL,
        "of" TEXT, under TEXT, PRIMARY KEY (kind, salt, hash)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS gone (record INTEGER PRIMARY KEY, place TEXT NOT NULL) STRICT;
      -- Usual and recent shape of responses, and their differences.
      CREATE TABLE IF NOT EXISTS shape (
        subject TEXT PRIMARY KEY,
        usual TEXT NOT NULL,
        recent TEXT,
        drift TEXT NOT NULL DEFAULT '[]',
        seen_at TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    version: 6,
    // Ballots and the votes of groups become tables, in place of an index that only this program could read.
    sql: `
      DROP TABLE IF EXISTS ballot_index;
      ${ballotTablesSql('main')}
    `,
  },
  {
    version: 7,
    // Evidence on missing records and former states, by route; that of record URLs (`doubt`) is requested again.
    sql: `
      CREATE TABLE evidence (
        record INTEGER NOT NULL, route TEXT NOT NULL, finding TEXT NOT NULL, days INTEGER NOT NULL,
        since TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (record, route)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO evidence SELECT record, 'list', 'absent', 1, since, since FROM unseen;
      DROP TABLE unseen;
      DROP TABLE IF EXISTS doubt;
      CREATE VIEW unseen AS SELECT record, since FROM evidence WHERE route = 'list';
    `,
  },
  {
    version: 8,
    // Renames, decided once when a run ends; `migrate` decides those of an older mirror.
    sql: `CREATE TABLE rename (
      former INTEGER PRIMARY KEY, latter INTEGER NOT NULL, withdrawn TEXT NOT NULL, is_merge INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX rename_latter ON rename (latter) WHERE is_merge = 0`,
  },
];

/** The newest schema that this program understands. */
export const newestVersion = migrations.at(-1)!.version;
