import type { KindName } from '../model/kinds.ts';
import type { Mirror } from './mirror.ts';

/** Records that name a source among theirs, the newest first, so many at most; and how many there are. */
export function restingOn(
  mirror: Mirror,
  source: string,
  limit: number,
): { found: { kind: KindName; json: string }[]; total: number } {
  const ids = mirror
    .column<number>(
      `SELECT id FROM record WHERE withdrawn IS NULL AND kind <> 'source' AND instr(coalesce(row, detail), ?) > 0
       ORDER BY date DESC, id DESC`,
    )
    .all(JSON.stringify(source));
  const read = mirror.sql<{ kind: KindName; json: string }>(
    'SELECT kind, coalesce(row, detail) AS json FROM record WHERE id = ?',
  );
  return { found: ids.slice(0, limit).map((id) => read.get(id)!), total: ids.length };
}
