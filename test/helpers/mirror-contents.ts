import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { analyseProse } from '../../src/language/prose.ts';

const words = ['retraite', 'phare', 'ballon', 'logement', 'énergie', 'école', 'budget'];

/** Sound or not, and the records that it holds, as any reader sees it. */
export function lookInto(db: string): { integrity: unknown; keys: Set<string> } {
  if (!existsSync(db)) return { integrity: 'ok', keys: new Set() };
  const database = new Database(db, { readonly: true });
  const integrity = database.pragma('integrity_check', { simple: true });
  const keys = database
    .prepare("SELECT kind || ' ' || key FROM record WHERE withdrawn IS NULL")
    .pluck()
    .all();
  expect(mixedDownloads(database)).to.deep.equal([]);
  database.close();
  return { integrity, keys: new Set(keys as string[]) };
}

/** The datasets whose kept bytes are not those that their records came from. */
function mixedDownloads(database: InstanceType<typeof Database>): unknown[] {
  const parts = database.prepare('SELECT zstd FROM download_part WHERE kind = ? ORDER BY part').pluck();
  const kept = database.prepare('SELECT kind, sha256 FROM download').all() as Record<string, string>[];
  const applied = database.prepare(
    'SELECT kind, file_hash AS sha256 FROM kind_state WHERE file_hash IS NOT NULL',
  );
  const held = kept.filter(({ kind, sha256 }) => {
    const digest = createHash('sha256');
    for (const part of parts.all(kind) as Uint8Array[]) digest.update(zstdDecompressSync(part));
    return digest.digest('hex') === sha256;
  });
  const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
  const [whole, expected] = [sorted(held), sorted(applied.all())];
  return whole.join() === expected.join() ? [] : [whole, expected];
}

/** What a mirror holds but for moments; the full-text index also checks itself. */
export function contentsOf(db: string) {
  const database = new Database(db);
  database.exec("INSERT INTO search (search) VALUES ('integrity-check')");
  const all = (sql: string) => database.prepare(sql).raw().all();
  const hits = database.prepare('SELECT count(*) FROM search WHERE search MATCH ?').pluck();
  const contents = {
    integrity: database.pragma('integrity_check', { simple: true }),
    records: all('SELECT kind, key, hash, detail_hash, withdrawn IS NULL FROM record ORDER BY kind, key'),
    versions: all(`
      SELECT kind, key, part, version.json, version.hash, ended_by FROM version JOIN record ON record.id = version.record
      ORDER BY kind, key, part, version.hash
    `),
    gaps: all('SELECT * FROM gap'),
    downloads: all('SELECT kind, format, row_count, bytes, sha256 FROM download ORDER BY kind'),
    counts: all('SELECT kind, row_count, file_hash FROM kind_state ORDER BY kind'),
    // A walk that was killed is stitched together, which the next sync makes good.
    progress: all(
      "SELECT stage, json_remove(state, '$.wholeAt', '$.doubts', '$.end') FROM progress ORDER BY stage",
    ),
    indexed: all('SELECT count(*) FROM search'),
    hits: words.map((word) => [word, hits.get(analyseProse(word))]),
  };
  database.close();
  return contents;
}
