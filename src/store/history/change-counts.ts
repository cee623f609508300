import { byCodeUnit } from '../../language/fold.ts';
import { idBounds, type Kind, type KindName, kinds, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { readRenames } from '../renames.ts';
import { type ChangeFilter, changeTypes, listChanges } from './changes.ts';
import { changedSinceSql, momentsSql, readHistoryStart } from './past.ts';

/** Number of changes on one UTC day by kind and `change`, which is `first` for additions on the kind's first day. */
export type ChangeCount = { day: string; kind: KindName; change: string; count: number };

/** Maximum number of changes read one by one, which filters other than time, kind and type of change require. */
const maxCountedChanges = 50_000;

/** Counts of the changes of a filter, newest day first; null if more than `maxCountedChanges` would have to be read. */
export function changeCounts(mirror: Mirror, filter: ChangeFilter): ChangeCount[] | null {
  const { since, until = null, kinds: requestedKinds = kinds, only = changeTypes, ...otherFilters } = filter;
  // SQL cannot count by the other filters: every change is read.
  const mustReadChanges = Object.values(otherFilters).some((each) => each !== undefined);
  // Additions are counted in SQL: a first import may add a million records at once.
  const listedTypes = mustReadChanges ? only : only.filter((type) => type !== 'added');
  const counts = new Map<string, ChangeCount>();
  let readCount = 0;
  for (const { seen_at, kind, change } of listChanges(mirror, { ...filter, only: listedTypes })) {
    readCount += 1;
    if (mustReadChanges && readCount > maxCountedChanges) return null;
    const day = seen_at.slice(0, 10);
    const countKey = `${day} ${kind} ${change}`;
    counts.set(countKey, { day, kind, change, count: (counts.get(countKey)?.count ?? 0) + 1 });
  }
  if (mustReadChanges || !only.includes('added')) return [...counts.values()];
  const renamedIds = [...readRenames(mirror, until).byNewId.keys()];
  const ranges = requestedKinds.map((kind) => {
    return { kind: kind.name, firstDay: readHistoryStart(mirror, [kind])?.slice(0, 10), ...recordRange(kind) };
  });
  // Additions per moment and kind, by the index on `first_seen`.
  const sql = `WITH RECURSIVE ${momentsSql}
    SELECT substr(at, 1, 10) AS day, value ->> 'kind' AS kind,
      iif(substr(at, 1, 10) > value ->> 'firstDay', 'added', 'first') AS change,
      sum((SELECT count(*) FROM record WHERE first_seen = at AND id BETWEEN value ->> 'first' AND value ->> 'last'
        ${renamedIds.length > 0 ? `AND id NOT IN (${renamedIds.join(', ')})` : ''})) AS count
    FROM moment, json_each($ranges) WHERE at IS NOT NULL GROUP BY 1, value ->> 'first' HAVING count > 0`;
  const parameters = { since, until: until ?? '9', ranges: JSON.stringify(ranges) }; // '9': no end
  const additions = mirror.sql<ChangeCount>(sql).all(parameters);
  return [...additions, ...counts.values()].sort((one, other) => byCodeUnit(other.day, one.day));
}

/** Returns key and `first_seen` of a kind's records that may have been added, changed or withdrawn since a moment. */
export function listChangedKeys(mirror: Mirror, kind: Kind, since: string): [key: string, firstSeen: string][] {
  // `changedSinceSql` binds the moment three times.
  const sql = `SELECT key, first_seen FROM record WHERE id BETWEEN ? AND ? AND (first_seen > ? OR id IN (${changedSinceSql}))`;
  const rows = mirror.sql<{ key: string; first_seen: string }>(sql).all(...idBounds(kind), since, since, since, since);
  return rows.map(({ key, first_seen }) => [key, first_seen]);
}
