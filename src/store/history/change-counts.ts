import { byCodeUnit } from '../../language/fold.ts';
import { idBounds, type Kind, type KindName, kinds, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { readRenames } from '../renames.ts';
import { type ChangeFilter, changeSorts, listChanges } from './changes.ts';
import { changedSinceSql } from './past.ts';

/** Number of changes of a sort and kind on one UTC day; `change` is `first` on the day of the kind's first records. */
export type ChangeCount = { day: string; kind: KindName; change: string; count: number };

/** Counts of all changes after `since` and until `until` (ISO 8601), newest day first. */
export function changeCounts(mirror: Mirror, { since, until }: { since: string; until: string | null }): ChangeCount[] {
  const counts = new Map<string, ChangeCount>();
  // Additions are counted in SQL: a first import adds very many records.
  const only = changeSorts.filter((sort) => sort !== 'added');
  for (const { seen_at, kind, change } of listChanges(mirror, { since, until, only })) {
    const day = seen_at.slice(0, 10);
    const name = `${day} ${kind} ${change}`;
    const previous = counts.get(name) ?? { day, kind: kind as KindName, change, count: 0 };
    counts.set(name, { ...previous, count: previous.count + 1 });
  }
  const renamedIds = [...readRenames(mirror, until).byLatter.keys()];
  const ranges = kinds.map((kind) => ({ kind: kind.name, ...recordRange(kind) }));
  // Counted per moment and kind along the index on `first_seen`: a first import may add a million records at once.
  const additionsStatement = mirror.sql<ChangeCount>(
    `WITH moment AS (SELECT DISTINCT first_seen AS at FROM record WHERE first_seen > ? AND first_seen <= ?)
     SELECT substr(at, 1, 10) AS day, value ->> 'kind' AS kind,
       iif(EXISTS (SELECT 1 FROM record AS earlier WHERE earlier.first_seen < substr(at, 1, 10)
         AND earlier.id >> 40 = (value ->> 'first') >> 40), 'added', 'first') AS change,
       sum((SELECT count(*) FROM record WHERE first_seen = at AND id BETWEEN value ->> 'first' AND value ->> 'last'
         ${renamedIds.length > 0 ? `AND id NOT IN (${renamedIds.join(', ')})` : ''})) AS count
     FROM moment, json_each(?) GROUP BY 1, value ->> 'first' HAVING count > 0`,
  );
  const all = [...additionsStatement.all(since, until ?? '9', JSON.stringify(ranges)), ...counts.values()];
  return all.sort((one, other) => byCodeUnit(other.day, one.day));
}

/** Yields counts that add up to the changes of a filter; filters beyond time, kind and sort read each change. */
export function* readChangeCounts(
  mirror: Mirror,
  filter: ChangeFilter,
): Generator<Pick<ChangeCount, 'kind' | 'change' | 'count'>> {
  const { since, until = null, kinds: requestedKinds, only, ...otherFilters } = filter;
  if (Object.values(otherFilters).some((each) => each !== undefined)) {
    for (const { kind, change } of listChanges(mirror, filter)) yield { kind: kind as KindName, change, count: 1 };
    return;
  }
  for (const { kind, change: sort, count } of changeCounts(mirror, { since, until })) {
    const change = sort === 'first' ? 'added' : sort;
    const isRequested = requestedKinds === undefined || requestedKinds.some(({ name }) => name === kind);
    if (isRequested && (only === undefined || only.some((each) => each === change))) yield { kind, change, count };
  }
}

/** Key and `first_seen` of records of a kind possibly added, changed or withdrawn since a moment (ISO 8601). */
export function changedSince(mirror: Mirror, kind: Kind, since: string): [key: string, firstSeen: string][] {
  const sql = `SELECT key, first_seen FROM record WHERE id BETWEEN ? AND ? AND (first_seen > ? OR id IN (${changedSinceSql}))`;
  return mirror
    .sql<{ key: string; first_seen: string }>(sql)
    .all(...idBounds(kind), since, since, since, since)
    .map(({ key, first_seen }) => [key, first_seen]);
}
