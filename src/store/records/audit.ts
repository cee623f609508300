import type { Mirror } from '../mirror.ts';
import { allOf, countOf, decodeCursor, encodeCursor, type JsonPage, type Sql, trimmed } from '../page.ts';

export type AuditFilter = { entityType?: string | undefined; cursor?: string | undefined; limit: number };

/** A page of the moderation log, the newest entries first. */
export function listAudit(mirror: Mirror, { entityType, cursor, limit }: AuditFilter): JsonPage {
  const conditions: Sql[] = [{ sql: `kind = 'audit' AND withdrawn IS NULL`, parameters: [] }];
  if (entityType !== undefined)
    conditions.push({
      sql: `json_extract(coalesce(row, detail), '$.entity_type') = ?`,
      parameters: [entityType],
    });
  const all = allOf(conditions);
  const page =
    cursor === undefined
      ? all
      : allOf([...conditions, { sql: '(date, id) < (?, ?)', parameters: decodeCursor('audit', cursor) }]);
  const found = mirror.sql<{ id: number; date: string; row: string }>(
    `SELECT id, date, coalesce(row, detail) AS row FROM record WHERE ${page.sql} ORDER BY date DESC, id DESC LIMIT ?`,
  );
  const { rows, last } = trimmed(found.all(...page.parameters, limit + 1), limit);
  return {
    items: rows.map(({ row }) => row),
    total: countOf(mirror, { ...all, sql: `SELECT count(*) FROM record WHERE ${all.sql}` }),
    nextCursor: last && encodeCursor('audit', [last.date, last.id]),
  };
}

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
