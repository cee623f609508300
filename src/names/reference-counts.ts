import { hasTable, type NameDatabase, type NamedKind, namedKinds } from './database.ts';

const maxCounted = 1000;

/** Number of records that reference a politician or party, which breaks ties; without saved counts, at most 1,000. */
export function countReferences(db: NameDatabase, kind: NamedKind, key: string): number {
  if (hasCounts(db))
    return db.column<number>('SELECT records FROM name_known WHERE kind = ? AND key = ?').get(kind, key) ?? 0;
  const sql = `SELECT count(*) FROM (SELECT 1 FROM record WHERE ${kind} = ? AND withdrawn IS NULL LIMIT ${maxCounted})`;
  return db.column<number>(sql).get(key) ?? 0;
}

const hasCounts = (db: NameDatabase): boolean => db.readOnce('name_known is there', () => hasTable(db, 'name_known'));

/** Returns the `maxIds` ids with the most references, most first; all ids in their order if no counts are saved. */
export function mostReferencedIds(
  db: NameDatabase,
  kind: NamedKind,
  { ids, maxIds }: { ids: readonly number[]; maxIds: number },
): number[] {
  if (!hasCounts(db)) return [...ids];
  const sql = `SELECT record.id FROM json_each(?) AS requested CROSS JOIN record ON record.id = requested.value
    LEFT JOIN name_known ON name_known.kind = ? AND name_known.key = record.key
    WHERE +record.kind = ? ORDER BY coalesce(records, 0) DESC, sort_name, record.id LIMIT ?`;
  return db.column<number>(sql).all(JSON.stringify(ids), kind, kind, maxIds);
}

/** Recounts the references to each politician and party; call it at the end of a run that changed records. */
export function saveReferenceCounts(db: NameDatabase): void {
  db.database.exec(`
    CREATE TABLE IF NOT EXISTS name_known
      (kind TEXT, key TEXT, records INTEGER NOT NULL, PRIMARY KEY (kind, key)) STRICT, WITHOUT ROWID;
    DELETE FROM name_known;
  `);
  // An index-only scan; it counts withdrawn records too.
  for (const kind of namedKinds)
    db.sql(
      `INSERT INTO name_known SELECT ?, ${kind}, count(*) FROM record WHERE ${kind} IS NOT NULL GROUP BY ${kind}`,
    ).run(kind);
}
