import type { WatchBook } from './watch-book.ts';

/** One row of an answer that a watch knows: its key and content hash. */
export type KnownRow = { key: string; hash: string };

/** Hashes of the rows that a watch knows, by key. */
export function knownRows(book: WatchBook, watch: number): Map<string, string> {
  const rows = book.sql<KnownRow>('SELECT key, hash FROM known WHERE watch = ?').all(watch);
  return new Map(rows.map(({ key, hash }) => [key, hash]));
}

/** The content saved under a hash, or null. */
export function contentOf(book: WatchBook, hash: string): string | null {
  return book.column<string>('SELECT json FROM content WHERE hash = ?').get(hash) ?? null;
}

/** Saves the rows that a watch knows, and deletes those that are gone. */
export function saveKnown(
  book: WatchBook,
  watch: number,
  { now, gone }: { now: Iterable<KnownRow & { json: string }>; gone: Iterable<string> },
): void {
  const keep = book.sql('INSERT OR IGNORE INTO content (hash, json) VALUES (?, ?)');
  const know = book.sql('INSERT OR REPLACE INTO known (watch, key, hash) VALUES (?, ?, ?)');
  const forget = book.sql('DELETE FROM known WHERE watch = ? AND key = ?');
  for (const { key, hash, json } of now) {
    keep.run(hash, json);
    know.run(watch, key, hash);
  }
  for (const key of gone) forget.run(watch, key);
}

/** Number of rows that a watch knows. */
export function countKnown(book: WatchBook, watch: number): number {
  return book.column<number>('SELECT count(*) FROM known WHERE watch = ?').get(watch)!;
}
