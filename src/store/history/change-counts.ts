import { type Kind, type KindName, kinds, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { kindOfRecord } from '../record.ts';
import { changeSorts, listChanges } from './changes.ts';
import { changedSinceSql } from './past.ts';
import { readRenames } from './renames.ts';

/** Number of changes of one sort and kind on one day (UTC); `first` on the day on which the kind was first seen. */
export type ChangeCount = { day: string; kind: KindName; change: string; count: number };

/** Counts of all changes after `since` and until `until` (ISO 8601), the newest day first. */
export function changeCounts(
  mirror: Mirror,
  { since, until }: { since: string; until: string | null },
): ChangeCount[] {
  const counts = new Map<string, ChangeCount>();
  // Additions are counted where they stand, since a first import has very many.
  const only = changeSorts.filter((sort) => sort !== 'added');
  for (const { seen_at, kind, change } of listChanges(mirror, { since, until, only })) {
    const day = seen_at.slice(0, 10);
    const name = `${day} ${kind} ${change}`;
    const known = counts.get(name) ?? { day, kind: kind as KindName, change, count: 0 };
    counts.set(name, { ...known, count: known.count + 1 });
  }
  const renames = readRenames(mirror, { since, until });
  const renamed = kinds.flatMap((kind) => [...renames.of(kind).byLatter.keys()]);
  // From the index of first sights alone: a first import may be a million of them.
  const added = mirror.sql<{ day: string; id: number; change: string; count: number }>(
    `WITH seen AS (SELECT substr(first_seen, 1, 10) AS day, id >> 40 AS number, min(id) AS id, count(*) AS count
       FROM record WHERE first_seen > ? AND first_seen <= ? AND id NOT IN (SELECT value FROM json_each(?)) GROUP BY 1, 2)
     SELECT day, id, count, iif(EXISTS (SELECT 1 FROM record AS earlier
       WHERE earlier.first_seen < day AND earlier.id >> 40 = number), 'added', 'first') AS change FROM seen`,
  );
  return [
    ...added
      .all(since, until ?? '9', JSON.stringify(renamed))
      .map(({ id, ...each }) => ({ ...each, kind: kindOfRecord(id).name })),
    ...counts.values(),
  ].sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0));
}

/** Keys and first sight of records of a kind that may have changed or been withdrawn since a moment. */
export function changedSince(mirror: Mirror, kind: Kind, since: string): [key: string, firstSeen: string][] {
  const { first, last } = recordRange(kind);
  return mirror
    .sql<{ key: string; first_seen: string }>(
      `SELECT key, first_seen FROM record WHERE id BETWEEN ? AND ? AND (first_seen > ? OR id IN (${changedSinceSql}))`,
    )
    .all(first, last, since, since, since, since)
    .map(({ key, first_seen }) => [key, first_seen]);
}
