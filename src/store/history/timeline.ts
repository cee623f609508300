import type { Kind } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { HistoryRow, Version } from './history.ts';
import { partAt } from './past.ts';

/** A record's JSON over a validity interval (ISO 8601); `to` is null while it is current. */
export type RecordPeriod = { key: string; text: string; from: string; to: string | null };

type RecordRow = Omit<HistoryRow, 'last_seen'> & { hasVersions: 0 | 1 };

/** Yields the content of records of a kind over time, as `openPast` reads it; `records` restricts it to these ids. */
export function* readTimeline(mirror: Mirror, kind: Kind, records: readonly number[] | null = null) {
  const versionsOf = mirror.sql<Version>('SELECT rowid, * FROM version WHERE record = ? ORDER BY rowid');
  // The unary plus keeps SQLite from walking all keys of the kind in search of the ids.
  const sql = `SELECT id, key, row, detail, first_seen, last_changed, detail_since, withdrawn,
      id IN (SELECT record FROM version) AS hasVersions FROM main.record
    WHERE ${records ? '+kind = ? AND id IN (SELECT value FROM json_each(?))' : 'kind = ?'} ORDER BY key`;
  for (const stored of mirror.sql<RecordRow>(sql).iterate(kind.name, ...(records ? [JSON.stringify(records)] : [])))
    yield* periodsOf(mirror, stored, stored.hasVersions ? versionsOf.all(stored.id) : []);
}

/** Yields the intervals of one record over which its text stayed the same, oldest first. */
function* periodsOf(mirror: Mirror, stored: RecordRow, versions: Version[]): Generator<RecordPeriod> {
  const { key, first_seen, last_changed, detail_since, withdrawn } = stored;
  const versionTimes = versions.flatMap(({ seen_from, seen_to }) => [seen_from, seen_to]);
  const moments = [first_seen, last_changed, detail_since, withdrawn, ...versionTimes];
  // A clock that was set back leaves moments before `first_seen`, when `openPast` does not contain the record.
  const changeTimes = [...new Set(moments.filter((moment) => moment !== null && moment >= first_seen))].sort();
  const currentText = withdrawn === null ? (stored.row ?? stored.detail) : null;
  let currentPeriod = null as RecordPeriod | null;
  for (const at of changeTimes as string[]) {
    // True if the record changed after `at`, or was withdrawn for a time, so that it may have had no text at `at`.
    const mayDiffer =
      [withdrawn, detail_since].some((moment) => moment !== null && moment > at) ||
      versions.some(({ seen_to, ended_by }) => seen_to > at || ended_by === 'withdrawn');
    const text = mayDiffer ? partAt(mirror, { id: stored.id, part: 'row', at }) : currentText;
    if (text === (currentPeriod?.text ?? null)) continue;
    if (currentPeriod) yield { ...currentPeriod, to: at };
    currentPeriod = text === null ? null : { key, text, from: at, to: null };
  }
  if (currentPeriod) yield currentPeriod;
}
