import { documentsIn } from '../../model/document.ts';
import { isMoment } from '../../model/moment.ts';
import { type Mirror, readMeta } from '../mirror.ts';
import { replicationStartOf } from './following.ts';

/** A sync; `exit` is its exit code, null while it runs or if it was killed. Times ISO 8601; `report` is JSON. */
export type SyncRun = {
  id: number;
  origin: string;
  started_at: string;
  ended_at: string | null;
  exit: number | null;
  report: string | null;
};

/** Saves the start of a sync; returns its id, which is positive. */
export function beginRun(mirror: Mirror, origin: string, at: string): number {
  const sql = 'INSERT INTO run (id, origin, started_at) SELECT 1 + max(0, coalesce(max(id), 0)), ?, ? FROM run';
  return Number(mirror.sql(sql).run(origin, at).lastInsertRowid);
}

/** Saves the end of a sync with its report as JSON. */
export function endRun(mirror: Mirror, id: number, { at, exit, report }: { at: string; exit: number; report: string }) {
  mirror.sql('UPDATE run SET ended_at = ?, exit = ?, report = ? WHERE id = ?').run(at, exit, report, id);
}

/** A sync that ended, as followers receive it. */
export type EndedSync = Pick<SyncRun, 'id' | 'started_at'> & Record<'ended_at', string> & Record<'exit', number>;

/** The syncs that ended after a moment (ISO 8601), by id, including those of a followed mirror. */
export function endedSyncs(mirror: Mirror, after: string): EndedSync[] {
  const sql = 'SELECT id, started_at, ended_at, exit FROM run WHERE ended_at > ? ORDER BY id';
  return mirror.sql<EndedSync>(sql).all(after);
}

/** Ids of a followed mirror's syncs become negative, so that they come before all own ones. */
const followedIdOffset = 2 ** 40;

/** Saves syncs of the followed mirror; skips any without a valid id, time or exit code. */
export function saveFollowedSyncs(mirror: Mirror, origin: string, syncs: unknown): void {
  const sql = 'INSERT OR REPLACE INTO run (id, origin, started_at, ended_at, exit) VALUES (?, ?, ?, ?, ?)';
  const statement = mirror.sql(sql);
  for (const { id, started_at, ended_at, exit } of documentsIn(syncs)) {
    const hasId = typeof id === 'number' && Number.isInteger(id) && id < followedIdOffset;
    if (hasId && Number.isInteger(exit) && isMoment(started_at) && isMoment(ended_at))
      statement.run(id - followedIdOffset, origin, started_at, ended_at, exit);
  }
}

/** Deletes a run, such as one that saved nothing and began while the clock was wrong. */
export function deleteRun(mirror: Mirror, id: number): void {
  mirror.sql('DELETE FROM run WHERE id = ?').run(id);
}

/** The last sync, or undefined. */
export function lastRun(mirror: Mirror): SyncRun | undefined {
  return mirror.sql<SyncRun>('SELECT * FROM run ORDER BY id DESC LIMIT 1').get();
}

/** True if a successful sync had updated a kind by that time. */
export function wasSynced(mirror: Mirror, kind: string, at: string): boolean {
  const sql =
    "SELECT 1 FROM run WHERE exit = 0 AND ended_at <= ? AND json_type(report, '$.records.' || ?) IS NOT NULL LIMIT 1";
  return mirror.sql(sql).get(at, kind) !== undefined;
}

/** Returns a function from a moment to the end of the sync that ran at it; to the moment itself if none ran. */
export function syncEndReader(mirror: Mirror): (at: string) => string {
  const sql = 'SELECT ended_at FROM main.run WHERE started_at <= @at AND ended_at >= @at ORDER BY id LIMIT 1';
  return (at) => mirror.column<string>(sql).get({ at }) ?? at;
}

/** 1 ms before the last fill (import, replication, or sync with failed ones before it) began; ISO 8601, or null. */
export function lastFillStart(mirror: Mirror): string | null {
  return mirror.readOnce('beginning of the last fill', () => {
    const run = lastRun(mirror);
    // `synced_at` is the start of an import, but the end of a sync.
    const filledAt = readMeta(mirror, 'synced_at');
    const replicationStart = run ? replicationStartOf(mirror, run.id, filledAt) : null;
    if (replicationStart !== null) return replicationStart;
    if (filledAt !== null && (!run || filledAt > (run.ended_at ?? run.started_at))) return oneMsBefore(filledAt);
    // Failed syncs before this run belong to it: start after the last successful one.
    const sql = `SELECT min(started_at) FROM run WHERE id <= ? AND id >
      coalesce((SELECT max(id) FROM run WHERE exit = 0 AND id < ?), 0)`;
    return run ? oneMsBefore(mirror.column<string>(sql).get(run.id, run.id)!) : null;
  });
}

const oneMsBefore = (moment: string): string => new Date(Date.parse(moment) - 1).toISOString();

/** Newest time of any event in the mirror, ISO 8601; null if it is empty. */
export function newestTime(mirror: Mirror): string | null {
  const sql = `SELECT max(moment) FROM (
    SELECT max(ended_at) AS moment FROM run UNION ALL SELECT max(started_at) FROM run
    UNION ALL SELECT max(first_seen) FROM record UNION ALL SELECT max(seen_to) FROM version
    UNION ALL SELECT value FROM meta WHERE key = 'synced_at')`;
  return mirror.column<string | null>(sql).get()!;
}

/** SQL of the last time that a record was added, changed or withdrawn; the WHERE lets SQLite use a partial index. */
export const newestRecordTimeSql = `SELECT max(moment) FROM (
  SELECT max(first_seen) AS moment FROM record UNION ALL SELECT max(seen_to) FROM version
  UNION ALL SELECT max(withdrawn) FROM record WHERE withdrawn IS NOT NULL)`;

/** Time up to which no change can be added any more, ISO 8601: before a running or killed sync. Null if empty. */
export function finalUntil(mirror: Mirror): string | null {
  const newest = mirror.column<string | null>(newestRecordTimeSql).get()!;
  const run = lastRun(mirror);
  if (newest === null || !run || run.ended_at !== null) return newest;
  const runStart = oneMsBefore(run.started_at);
  return runStart < newest ? runStart : newest;
}
