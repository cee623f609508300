import type { Kind } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { recordRange } from '../record.ts';
import type { Version } from './history.ts';

/** What a record said from one moment to another, as JSON; `to` is null while it still stands. Moments are ISO 8601. */
export type RecordStretch = { key: string; text: string; from: string; to: string | null };

type StoredRecord = {
  id: number;
  key: string;
  row: string | null;
  detail: string | null;
  first_seen: string;
  last_changed: string;
  detail_since: string | null;
  withdrawn: string | null;
};

/**
 * What every record of a kind said, by key and in order of time: for each moment those stretches that hold it are the
 * records of the mirror as it is read as of that moment (`openPast`). `records` (their ids) leaves out all others.
 */
export function* recordTimeline(
  mirror: Mirror,
  kind: Kind,
  records: readonly number[] | null = null,
): Generator<RecordStretch> {
  const changed = new Set(records ?? changedRecords(mirror, kind));
  const versionsOf = mirror.sql<Version>('SELECT rowid, * FROM version WHERE record = ? ORDER BY rowid');
  // A statement of its own: a cached one cannot be iterated twice at once.
  const all = mirror.database.prepare<unknown[], StoredRecord>(
    `SELECT id, key, row, detail, first_seen, last_changed, detail_since, withdrawn
     FROM main.record WHERE kind = ? ${records ? 'AND id IN (SELECT value FROM json_each(?))' : ''} ORDER BY key`,
  );
  for (const stored of all.iterate(kind.name, ...(records ? [JSON.stringify(records)] : [])))
    yield* stretchesOf(stored, changed.has(stored.id) ? versionsOf.all(stored.id) : []);
}

function changedRecords(mirror: Mirror, kind: Kind): number[] {
  const { first, last } = recordRange(kind);
  return mirror
    .column<number>('SELECT DISTINCT record FROM version WHERE record BETWEEN ? AND ?')
    .all(first, last);
}

function* stretchesOf(stored: StoredRecord, versions: Version[]): Generator<RecordStretch> {
  const { key, first_seen, last_changed, detail_since, withdrawn } = stored;
  const moments = [first_seen, last_changed, detail_since, withdrawn];
  for (const { seen_from, seen_to } of versions) moments.push(seen_from, seen_to);
  const points = [...new Set(moments.filter((moment) => moment !== null && moment >= first_seen))].sort();
  let open = null as RecordStretch | null;
  for (const at of points as string[]) {
    const text = textAt(stored, versions, at);
    if (text === (open?.text ?? null)) continue;
    if (open) yield { ...open, to: at };
    open = text === null ? null : { key, text, from: at, to: null };
  }
  if (open) yield open;
}

/** What a record that had been seen by then said at a moment; null where it was withdrawn. */
function textAt(
  { row, detail, last_changed, detail_since, withdrawn }: StoredRecord,
  versions: Version[],
  at: string,
): string | null {
  const isAfter = (moment: string | null) => moment !== null && moment > at;
  const isTouched =
    isAfter(withdrawn) ||
    isAfter(detail_since) ||
    versions.some(({ seen_to, ended_by }) => isAfter(seen_to) || ended_by === 'withdrawn');
  if (!isTouched) return withdrawn === null ? (row ?? detail) : null;
  if (row && last_changed <= at && (withdrawn === null || isAfter(withdrawn))) return row;
  const then = versions.findLast(
    ({ part, seen_from, seen_to }) => part === 'row' && seen_from <= at && isAfter(seen_to),
  );
  return then?.json ?? null;
}
