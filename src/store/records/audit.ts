import type { Mirror } from '../mirror.ts';
/** Types of the records that entries of the log refer to. */
export function auditTypes(mirror: Mirror): string[] {
  return mirror
    .column<string>(
      `SELECT DISTINCT json_extract(coalesce(row, detail), '$.entity_type') AS type FROM record
       WHERE kind = 'audit' AND withdrawn IS NULL AND typeof(type) = 'text' ORDER BY type`,
    )
    .all();
}

/** Date of the newest record of a kind, or null. */
export function newestDate(mirror: Mirror, kind: string): string | null {
  return mirror.column<string | null>('SELECT max(date) FROM record WHERE kind = ?').get(kind) || null;
}
