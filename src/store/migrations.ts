/** One step of the mirror's schema; its statements and its mark are applied in one transaction. */
export type Migration = { version: number; title: string; sql: string };

/** Marks a file as a mirror of this program (`PRAGMA application_id`, "HEMI"). */
export const applicationId = 0x48454d49;

/** SQL of the number that a text of at most eleven digits in base 36 writes: of a digit that it lacks, `instr` says 1. */
const fromBase36 = (text: string) =>
  Array.from(
    { length: 11 },
    (_, at) =>
      `${36 ** at} * (instr('0123456789abcdefghijklmnopqrstuvwxyz', substr(${text}, ${-1 - at}, 1)) - 1)`,
  ).join(' + ');

/**
 * The schema, step by step. `record.id` is `kind number * 2^40 + n`, so that rows of a kind stand together
 * and a full-text hit tells its kind; an empty string in `date`, `updated_at`, `sort_name` means "not stated",
 * which lets one comparison order them.
 */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    title: 'records, their versions, full text, and the state of syncs',
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
      CREATE INDEX version_time ON version(seen_to);

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
    title:
      'since when a full document says what it says; what the service answered last, to ask only for what changed',
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
    version: 3,
    title: 'the bytes of each dataset as the service sent them last',
    sql: `
      CREATE TABLE download (
        kind TEXT PRIMARY KEY,
        format TEXT NOT NULL CHECK (format IN ('csv', 'parquet')),
        delimiter TEXT,
        columns TEXT NOT NULL,
        row_count INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        retrieved_at TEXT NOT NULL
      ) STRICT;
      CREATE TABLE download_part (
        kind TEXT NOT NULL REFERENCES download(kind),
        part INTEGER NOT NULL,
        zstd BLOB NOT NULL,
        PRIMARY KEY (kind, part)
      ) STRICT;
    `,
  },
  {
    version: 4,
    title:
      'hashes of texts in a table, no longer as words of the index; those that are there stay, since nobody types them',
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
    title: 'hashes of texts with their records, as whole numbers',
    sql: `
      ALTER TABLE record ADD COLUMN text_hash INTEGER;
      UPDATE record SET text_hash = ${fromBase36('text_hash.hash')} FROM text_hash WHERE text_hash.record = id;
      DROP TABLE text_hash;
    `,
  },
];

/** The newest schema that this program understands. */
export const newestVersion = migrations.at(-1)!.version;
