import { createReadStream } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import Database from 'better-sqlite3';
import { findImportFiles } from '../../../src/sync/import.ts';
import { report } from '../child.ts';

// The peer of an import: parses the same lines and inserts them into one table and one FTS5 index over the same fields.
const [folder, path] = process.argv.slice(2) as [string, string];
const startedAt = performance.now();
const database = new Database(path);
database.pragma('page_size = 16384');
database.pragma('journal_mode = WAL');
database.pragma('synchronous = NORMAL');
database.pragma('cache_size = -65536');
database.exec(`CREATE TABLE record (id INTEGER PRIMARY KEY, kind TEXT, key TEXT, json TEXT) STRICT;
  CREATE VIRTUAL TABLE search USING fts5(name, title, body, about, content = '', contentless_delete = 1)`);
const addRecord = database.prepare('INSERT INTO record VALUES (?, ?, ?, ?)');
const addToIndex = database.prepare('INSERT INTO search (rowid, name, title, body, about) VALUES (?, ?, ?, ?, ?)');
let id = 0;
for (const { kind, path: file } of findImportFiles(folder)) {
  const bytes = createReadStream(file, { highWaterMark: 1 << 18 });
  const input = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
  database.exec('BEGIN');
  for await (const line of createInterface({ input })) {
    const record = JSON.parse(line);
    id += 1;
    addRecord.run(id, kind.name, record[kind.keyField] ?? null, line);
    const { name, title, body, about } = kind.search;
    const texts = [name, title, body, about].map((fields) => fields.map((field) => record[field] ?? '').join(' '));
    if (title.length + name.length + body.length > 0) addToIndex.run(id, ...texts);
  }
  database.exec('COMMIT');
}
database.pragma('wal_checkpoint(TRUNCATE)');
database.close();
report({ seconds: (performance.now() - startedAt) / 1000, records: id });
