import type { Mirror } from './mirror.ts';
import { allOf, countOf, type Page, type Sql } from './page.ts';

export type AuditFilter = { entityType?: string | undefined; limit: number };

/** The newest entries of the moderation log. */
export function listAudit(mirror: Mirror, { entityType, limit }: AuditFilter): Page {
  const conditions: Sql[] = [{ sql: `kind = 'audit' AND withdrawn IS NULL`, parameters: [] }];
  if (entityType !== undefined)
    conditions.push({ sql: `json_extract(row, '$.entity_type') = ?`, parameters: [entityType] });
  const where = allOf(conditions);
  const items = mirror
    .column<string>(`SELECT row FROM record WHERE ${where.sql} ORDER BY date DESC, id DESC LIMIT ?`)
    .all(...where.parameters, limit);
  const total = countOf(mirror, {
    sql: `SELECT count(*) FROM record WHERE ${where.sql}`,
    parameters: where.parameters,
  });
  return { items, total, nextCursor: null };
}

/** The types of record that entries of the log are about, as far as the mirror knows. */
export function auditTypes(mirror: Mirror): string[] {
  return mirror
    .column<string>(
      `SELECT DISTINCT json_extract(row, '$.entity_type') AS type FROM record
       WHERE kind = 'audit' AND withdrawn IS NULL AND typeof(type) = 'text' ORDER BY type`,
    )
    .all();
}

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
  return mirror.column<string | null>('SELECT max(date) FROM record WHERE kind = ?').get(kind) || null;
}
