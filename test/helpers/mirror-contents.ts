import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { proseTokens } from '../../src/language/prose.ts';

const words = ['retraite', 'phare', 'ballon', 'logement', 'énergie', 'école', 'budget'];

/** Sound or not, and the records that it holds, as any reader sees it. */
export function lookInto(db: string): { integrity: unknown; keys: Set<string> } {
  if (!existsSync(db)) return { integrity: 'ok', keys: new Set() };
  const database = new Database(db, { readonly: true });
  const integrity = database.pragma('integrity_check', { simple: true });
  const keys = database.prepare("SELECT kind || ' ' || key FROM record WHERE withdrawn IS NULL").pluck().all();
  database.close();
  return { integrity, keys: new Set(keys as string[]) };
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
    counts: all('SELECT kind, row_count, file_hash FROM kind_state ORDER BY kind'),
    // A walk that was killed is stitched together, which the next sync makes good.
    progress: all("SELECT stage, json_remove(state, '$.wholeAt', '$.doubts', '$.end') FROM progress ORDER BY stage"),
    indexed: all('SELECT count(*) FROM search'),
    hits: words.map((word) => [word, hits.get(proseTokens(word).join(' '))]),
  };
  database.close();
  return contents;
}
