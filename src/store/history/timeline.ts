import { idBounds, type Kind } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { HistoryRow, Version } from './history.ts';

/** A record's JSON over a validity interval (ISO 8601); `to` is null while it is current. */
export type RecordPeriod = { key: string; text: string; from: string; to: string | null };

type RecordRow = Omit<HistoryRow, 'last_seen'>;

/** Yields the content of records of a kind over time, as `openPast` reads it; `records` restricts it to these ids. */
export function* readTimeline(mirror: Mirror, kind: Kind, records: readonly number[] | null = null) {
  const changedIds = mirror.column<number>('SELECT DISTINCT record FROM version WHERE record BETWEEN ? AND ?');
  const changed = new Set(records ?? changedIds.all(...idBounds(kind)));
  const versionsOf = mirror.sql<Version>('SELECT rowid, * FROM version WHERE record = ? ORDER BY rowid');
  const recordStatement = mirror.sql<RecordRow>(
    `SELECT id, key, row, detail, first_seen, last_changed, detail_since, withdrawn
     FROM main.record WHERE kind = ? ${records ? 'AND id IN (SELECT value FROM json_each(?))' : ''} ORDER BY key`,
  );
  for (const stored of recordStatement.iterate(kind.name, ...(records ? [JSON.stringify(records)] : [])))
    yield* periodsOf(stored, changed.has(stored.id) ? versionsOf.all(stored.id) : []);
}

function* periodsOf(stored: RecordRow, versions: Version[]): Generator<RecordPeriod> {
  const { key, first_seen, last_changed, detail_since, withdrawn } = stored;
  const moments = [first_seen, last_changed, detail_since, withdrawn];
  for (const { seen_from, seen_to } of versions) moments.push(seen_from, seen_to);
  const changeTimes = [...new Set(moments.filter((moment) => moment !== null && moment >= first_seen))].sort();
  let currentPeriod = null as RecordPeriod | null;
  for (const at of changeTimes as string[]) {
    const text = textAt(stored, versions, at);
    if (text === (currentPeriod?.text ?? null)) continue;
    if (currentPeriod) yield { ...currentPeriod, to: at };
    currentPeriod = text === null ? null : { key, text, from: at, to: null };
  }
  if (currentPeriod) yield currentPeriod;
}

/** A record's JSON at a moment after its first sight; null while it was withdrawn. */
function textAt(stored: RecordRow, versions: Version[], at: string): string | null {
  const { row, detail, last_changed, detail_since, withdrawn } = stored;
  const isAfter = (moment: string | null) => moment !== null && moment > at;
  const hasChangedSince =
    isAfter(withdrawn) ||
    isAfter(detail_since) ||
    versions.some(({ seen_to, ended_by }) => isAfter(seen_to) || ended_by === 'withdrawn');
  if (!hasChangedSince) return withdrawn === null ? (row ?? detail) : null;
  if (row && last_changed <= at && (withdrawn === null || isAfter(withdrawn))) return row;
  const version = versions.findLast(
    ({ part, seen_from, seen_to }) => part === 'row' && seen_from <= at && isAfter(seen_to),
  );
  return version?.json ?? null;
}
