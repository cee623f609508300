import type { Mirror } from './open.ts';

/** Remembers that entries of a log may have been missed before that moment. */
export function saveGap(
  mirror: Mirror,
  kind: string,
  { after, before, at }: { after: string | null; before: string | null; at: string },
): void {
  mirror
    .sql('INSERT INTO gap (kind, after_key, before_key, noticed_at) VALUES (?, ?, ?, ?)')
    .run(kind, after, before, at);
}

/** The date of the newest entry of a kind that the mirror holds, or null. */
export function newestDate(mirror: Mirror, kind: string): string | null {
  return (
    (mirror.sql('SELECT max(date) FROM record WHERE kind = ?').pluck().get(kind) as string | null) || null
  );
}
