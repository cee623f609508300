import type { KindName } from '../model/kinds.ts';
import type { Mirror } from './mirror.ts';

/** Records that name a source among theirs, the newest first, so many at most; and how many there are. */
export function restingOn(
  mirror: Mirror,
  source: string,
  limit: number,
): { found: { kind: KindName; json: string }[]; total: number } {
  const ids = mirror.readOnce('records by source', () => recordsBySource(mirror)).get(source) ?? [];
  const read = mirror.sql<{ kind: KindName; json: string }>(
    'SELECT kind, coalesce(row, detail) AS json FROM record WHERE id = ?',
  );
  return { found: ids.slice(0, limit).map((id) => read.get(id)!), total: ids.length };
}

/** The records that rest on each source, the newest first: who walks all sources reads all records but once. */
function recordsBySource(mirror: Mirror): Map<string, number[]> {
  const rows = mirror
    .sql<{ id: number; source: string }>(
      `SELECT record.id AS id, source.value AS source
       FROM record, json_each(coalesce(record.row, record.detail), '$.source_ids') AS source
       WHERE withdrawn IS NULL AND source.type = 'text' ORDER BY date DESC, record.id DESC`,
    )
    .iterate();
  const found = new Map<string, number[]>();
  for (const { id, source } of rows) {
    const ids = found.get(source);
    if (ids) ids.push(id);
    else found.set(source, [id]);
  }
  return found;
}
