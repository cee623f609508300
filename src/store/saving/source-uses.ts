import { type KindName, kinds } from '../../model/kinds.ts';
import { positionsOfKinds, recordIdsSincePositions } from '../journal.ts';
import { hasTable, type Mirror, readMeta, saveMeta } from '../mirror.ts';
import type { Sql } from '../page.ts';

/** Version of the rules that fill `source_use`; another version refills it. */
const derivationVersion = 'sources 2';

/** SQL for an id in a row of `json_each` over source ids: the key that it means, null if it means none. */
export const citedKeySql = (row: string): string => `CASE ${row}.type WHEN 'real' THEN format('%.15g', ${row}.value)
  WHEN 'text' THEN ${row}.value WHEN 'integer' THEN CAST(${row}.value AS TEXT) END`;

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
  const sql = `INSERT OR IGNORE INTO source_use SELECT ${citedKeySql('source')} AS cited, record.id
    FROM record, json_each(coalesce(row, detail), '$.source_ids') AS source
    WHERE ${where.sql} AND cited IS NOT NULL ORDER BY 1, 2`;
  mirror.sql(sql).run(...where.parameters);
  saveMeta(mirror, 'source_use', `${derivationVersion} ${mark}`);
}

/** At most `limit` of the newest current records that cite a source, and the number of all. */
export function recordsCiting(mirror: Mirror, source: string, limit: number) {
  const unindexedIds = unindexedRecordIds(mirror);
  const where = idConditionSql(unindexedIds);
  const indexedCondition = unindexedIds ? 'OR record.id IN (SELECT record FROM source_use WHERE source = ?)' : '';
  const sql = `SELECT id FROM record WHERE withdrawn IS NULL AND (${where.sql} ${indexedCondition})
    AND EXISTS (SELECT 1 FROM json_each(coalesce(row, detail), '$.source_ids') AS source
      WHERE ${citedKeySql('source')} = ?)
    ORDER BY date DESC, id DESC`;
  const ids = mirror.column<number>(sql).all(...where.parameters, ...(unindexedIds ? [source] : []), source);
  const readSql = 'SELECT kind, coalesce(row, detail) AS json FROM record WHERE id = ?';
  const read = mirror.sql<{ kind: KindName; json: string }>(readSql);
  return { citingRecords: ids.slice(0, limit).map((id) => read.get(id)!), total: ids.length };
}

/** Ids of records new or changed since the last refresh; null without a usable index: all may be. */
function unindexedRecordIds(mirror: Mirror): number[] | null {
  const mark = mirror.asOf === null ? readMeta(mirror, 'source_use') : null;
  if (!mark?.startsWith(`${derivationVersion} `) || !hasTable(mirror, 'source_use')) return null;
  return recordIdsSincePositions(mirror, kinds, mark.slice(derivationVersion.length + 1));
}

const idConditionSql = (ids: number[] | null): Sql =>
  ids === null
    ? { sql: '1', parameters: [] }
    : { sql: 'record.id IN (SELECT value FROM json_each(?))', parameters: [JSON.stringify(ids)] };
