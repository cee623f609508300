import { documentOf } from '../../src/model/document.ts';
import type { Handle } from '../../src/store/mirror.ts';
import { kindOfRecord } from '../../src/store/record.ts';
import { indexEntryOf } from '../../src/store/word-index/index-entry.ts';

/** What takes a step of the schema back, by the version that it leaves; newest first. */
const stepsBack: [version: number, back: (database: Handle) => void][] = [
  [7, (database) => database.exec('DROP TABLE rename')],
  [
    6,
    (database) =>
      database.exec(
        `DROP VIEW unseen;
         CREATE TABLE unseen (record INTEGER PRIMARY KEY REFERENCES record(id), since TEXT NOT NULL) STRICT;
         CREATE TABLE doubt (record INTEGER PRIMARY KEY REFERENCES record(id), asked_at TEXT NOT NULL,
           answer TEXT NOT NULL CHECK (answer IN ('there', 'untold'))) STRICT;
         INSERT INTO unseen SELECT record, since FROM evidence WHERE route = 'list';
         INSERT INTO doubt SELECT record, at, iif(finding = 'present', 'there', 'untold') FROM evidence
           WHERE route IN ('address', 'profile') AND finding <> 'absent';
         DROP TABLE evidence`,
      ),
  ],
  [4, hashesIntoTable],
  [4, tablesOfDownloads],
  [3, hashesIntoIndex],
  [2, (database) => database.exec('DROP TABLE download_part; DROP TABLE download')],
  [
    1,
    (database) =>
      database.exec(
        `DROP INDEX version_withdrawn; DROP INDEX record_detail_since; DROP TABLE answer;
         ALTER TABLE record DROP COLUMN detail_since;
         ALTER TABLE kind_state DROP COLUMN file_columns; ALTER TABLE kind_state DROP COLUMN file_ends_line;
         ALTER TABLE kind_state ADD COLUMN validators TEXT`,
      ),
  ],
];

/** Takes a mirror back to an earlier version of its schema, as the program of that time left it. */
export function makeOlder(database: Handle, version: number): void {
  for (const [olderVersion, back] of stepsBack) {
    if (olderVersion < version) continue;
    back(database);
    database.pragma(`user_version = ${olderVersion}`);
  }
}

/** The bytes of each dataset, as the service had sent them last. */
function tablesOfDownloads(database: Handle): void {
  database.exec(`
    CREATE TABLE download (
      kind TEXT PRIMARY KEY, format TEXT NOT NULL, delimiter TEXT, columns TEXT NOT NULL, row_count INTEGER NOT NULL,
      bytes INTEGER NOT NULL, sha256 TEXT NOT NULL, retrieved_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE download_part (
      kind TEXT NOT NULL REFERENCES download(kind), part INTEGER NOT NULL, zstd BLOB NOT NULL, PRIMARY KEY (kind, part)
    ) STRICT`);
}

/** Hashes of texts stood in a table, in base 36. */
function hashesIntoTable(database: Handle): void {
  const texts = database.prepare('SELECT id, text_hash FROM record WHERE text_hash IS NOT NULL').raw().all();
  database.exec(`DROP INDEX same_text; ALTER TABLE record DROP COLUMN text_hash;
    CREATE TABLE text_hash (record INTEGER PRIMARY KEY, hash TEXT NOT NULL) STRICT;
    CREATE INDEX same_text ON text_hash(hash)`);
  const add = database.prepare('INSERT INTO text_hash (record, hash) VALUES (?, ?)');
  for (const [id, hash] of texts as [number, number][]) add.run(id, hash.toString(36));
}

/** Hashes of texts were words of the index, the last of each, where one underscore stands now. */
function hashesIntoIndex(database: Handle): void {
  type Text = { record: number; hash: string; row: string | null; detail: string | null };
  const texts = database
    .prepare<[], Text>('SELECT record, text_hash.hash, row, detail FROM text_hash JOIN record ON id = record')
    .all();
  const forget = database.prepare('DELETE FROM search WHERE rowid = ?');
  const add = database.prepare('INSERT INTO search (rowid, name, title, body, about) VALUES (?, ?, ?, ?, ?)');
  for (const { record, hash, ...stored } of texts) {
    const { columns } = indexEntryOf(kindOfRecord(record), documentOf(stored));
    forget.run(record);
    add.run(record, ...columns.slice(0, 3), `${columns[3]}${hash}`);
  }
  database.exec('DROP TABLE text_hash');
}
