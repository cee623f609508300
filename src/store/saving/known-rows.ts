import type { WatchBook } from '../watches.ts';

/** One row of an answer as a watch knows it: what it said, and the hash of that. */
export type KnownRow = { key: string; hash: string };

/** The rows that a watch knows, by key. */
export function knownRows({ database }: WatchBook, watch: number): Map<string, string> {
  const rows = database
    .prepare<unknown[], KnownRow>('SELECT key, hash FROM known WHERE watch = ?')
    .all(watch);
  return new Map(rows.map(({ key, hash }) => [key, hash]));
}

/** What was kept under a hash; null where nothing is. */
export function contentOf({ database }: WatchBook, hash: string): string | null {
  return (
    database.prepare<unknown[], string>('SELECT json FROM content WHERE hash = ?').pluck().get(hash) ?? null
  );
}

/** Saves the rows that a watch knows, and removes those that are gone. */
export function saveKnown(
  { database }: WatchBook,
  watch: number,
  { now, gone }: { now: Iterable<KnownRow & { json: string }>; gone: Iterable<string> },
): void {
  const keep = database.prepare('INSERT OR IGNORE INTO content (hash, json) VALUES (?, ?)');
  const know = database.prepare('INSERT OR REPLACE INTO known (watch, key, hash) VALUES (?, ?, ?)');
  const forget = database.prepare('DELETE FROM known WHERE watch = ? AND key = ?');
  for (const { key, hash, json } of now) {
    keep.run(hash, json);
    know.run(watch, key, hash);
  }
  for (const key of gone) forget.run(watch, key);
}

/** How many rows a watch knows. */
export function countKnown({ database }: WatchBook, watch: number): number {
  return database
    .prepare<unknown[], number>('SELECT count(*) FROM known WHERE watch = ?')
    .pluck()
    .get(watch)!;
}
