import { type KindName, kinds } from '../../model/kinds.ts';
import { positionsOfKinds, recordIdsSincePositions } from '../journal.ts';
import { hasTable, type Mirror, readMeta, saveMeta } from '../mirror.ts';
import type { Sql } from '../page.ts';

/** Indexes the sources that new and changed records cite; call it at the end of a run that wrote. */
export function refreshSourceUses(mirror: Mirror): void {
  const mark = positionsOfKinds(mirror, kinds);
  const unindexedIds = unindexedRecordIds(mirror);
  if (mark === null || unindexedIds?.length === 0) return;
  // Rows of records that no longer cite a source remain: `recordsCiting` checks the record.
  if (unindexedIds === null)
    mirror.database.exec(
      `DROP TABLE IF EXISTS source_use;
       CREATE TABLE source_use (source TEXT NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (source, record)) STRICT, WITHOUT ROWID`,
    );
  const where = idConditionSql(unindexedIds);
  const sql = `INSERT OR IGNORE INTO source_use SELECT source.value, record.id
    FROM record, json_each(coalesce(row, detail), '$.source_ids') AS source
    WHERE ${where.sql} AND source.type = 'text' ORDER BY 1, 2`;
  mirror.sql(sql).run(...where.parameters);
  saveMeta(mirror, 'source_use', mark);
}

/** At most `limit` of the newest current records that cite a source, and the number of all. */
export function recordsCiting(mirror: Mirror, source: string, limit: number) {
  const unindexedIds = unindexedRecordIds(mirror);
  const where = idConditionSql(unindexedIds);
  const indexedCondition = unindexedIds ? 'OR record.id IN (SELECT record FROM source_use WHERE source = ?)' : '';
  const sql = `SELECT id FROM record WHERE withdrawn IS NULL AND (${where.sql} ${indexedCondition})
    AND EXISTS (SELECT 1 FROM json_each(coalesce(row, detail), '$.source_ids') WHERE type = 'text' AND value = ?)
    ORDER BY date DESC, id DESC`;
  const parameters = [...where.parameters, ...(unindexedIds ? [source] : []), source];
  const ids = mirror.column<number>(sql).all(...parameters);
  const readSql = 'SELECT kind, coalesce(row, detail) AS json FROM record WHERE id = ?';
  const read = mirror.sql<{ kind: KindName; json: string }>(readSql);
  return { citingRecords: ids.slice(0, limit).map((id) => read.get(id)!), total: ids.length };
}

/** Ids of records new or changed since the last refresh; null without a usable index: all may be. */
function unindexedRecordIds(mirror: Mirror): number[] | null {
  const mark = mirror.asOf === null ? readMeta(mirror, 'source_use') : null;
  const hasIndex = mark !== null && hasTable(mirror, 'source_use');
  return hasIndex ? recordIdsSincePositions(mirror, kinds, mark) : null;
}

const idConditionSql = (ids: number[] | null): Sql =>
  ids === null
    ? { sql: '1', parameters: [] }
    : { sql: 'record.id IN (SELECT value FROM json_each(?))', parameters: [JSON.stringify(ids)] };
