import { readMeta, saveMeta } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import { followedSince } from './following.ts';

/** One run of a sync; `exit` is null while it runs, or if it was killed. */
export type SyncRun = {
  id: number;
  origin: string;
  started_at: string;
  ended_at: string | null;
  exit: number | null;
  report: string | null;
};

/** Notes that a sync began; returns its number. */
export function beginRun(mirror: Mirror, origin: string, at: string): number {
  return Number(
    mirror.sql('INSERT INTO run (origin, started_at) VALUES (?, ?)').run(origin, at).lastInsertRowid,
  );
}

/** Notes how a sync ended, with its report as JSON. */
export function endRun(
  mirror: Mirror,
  id: number,
  { at, exit, report }: { at: string; exit: number; report: string },
): void {
  mirror.sql('UPDATE run SET ended_at = ?, exit = ?, report = ? WHERE id = ?').run(at, exit, report, id);
}

/** Forgets a sync that did nothing, and began at a moment that was wrong. */
export function forgetRun(mirror: Mirror, id: number): void {
  mirror.sql('DELETE FROM run WHERE id = ?').run(id);
}

/** How far a sync is: what it does, how much of it is done (`total` null: nobody knows of how much), requests so far. */
export type RunProgress = {
  run: number;
  stage: string;
  done: number;
  total: number | null;
  requests: number;
  noted_at: string;
};

/** Notes how far a sync is. */
export function noteProgress(mirror: Mirror, progress: RunProgress): void {
  saveMeta(mirror, 'sync_progress', JSON.stringify(progress));
}

/** How far that run was when it last said so; null for one that has ended or said nothing. */
export function progressOf(
  mirror: Mirror,
  { id, ended_at: endedAt }: SyncRun,
): Omit<RunProgress, 'run'> | null {
  if (endedAt !== null) return null;
  const noted = readMeta(mirror, 'sync_progress');
  if (noted === null) return null;
  const { run, ...progress } = JSON.parse(noted) as RunProgress;
  return run === id ? progress : null;
}

/** The last sync, or undefined. */
export function lastRun(mirror: Mirror): SyncRun | undefined {
  return mirror.sql<SyncRun>('SELECT * FROM run ORDER BY id DESC LIMIT 1').get();
}

/** The sync that was at work at a moment, ISO 8601: what was seen then came with it; undefined for what no sync brought. */
export function runAt(mirror: Mirror, at: string): SyncRun | undefined {
  return mirror
    .sql<SyncRun>(
      'SELECT * FROM run WHERE started_at <= ? AND coalesce(ended_at, ?) >= ? ORDER BY id DESC LIMIT 1',
    )
    .get(at, at, at);
}

/** True if a sync that ended well by that moment brought a kind up to date. */
export function wasAskedFor(mirror: Mirror, kind: string, at: string): boolean {
  return (
    mirror
      .sql(
        "SELECT 1 FROM run WHERE exit = 0 AND ended_at <= ? AND json_type(report, '$.records.' || ?) IS NOT NULL LIMIT 1",
      )
      .get(at, kind) !== undefined
  );
}

/**
 * When the last sync or import began, ISO 8601, or null: what is newer came with it. Syncs that did not end well
 * before it belong to it, since whoever waits for one that does has not heard of them.
 */
export function lastFillBegan(mirror: Mirror): string | null {
  return mirror.readOnce('beginning of the last fill', () => readLastFill(mirror));
}

function readLastFill(mirror: Mirror): string | null {
  const run = lastRun(mirror);
  // An import notes when it began as the moment that the mirror was filled; a sync notes when it ended.
  const filled = readMeta(mirror, 'synced_at');
  const followed = run ? followedSince(mirror, run.id, filled) : null;
  if (followed !== null) return followed;
  const isImport = filled !== null && (!run || filled > (run.ended_at ?? run.started_at));
  if (isImport) return justBefore(filled);
  return run ? justBefore(firstSinceSuccess(mirror, run)) : null;
}

/** When the first sync began that came after the one before that ended well. */
function firstSinceSuccess(mirror: Mirror, run: SyncRun): string {
  return mirror
    .column<string>(
      `SELECT min(started_at) FROM run WHERE id <= ? AND id >
       coalesce((SELECT max(id) FROM run WHERE exit = 0 AND id < ?), 0)`,
    )
    .get(run.id, run.id)!;
}

function justBefore(moment: string): string {
  return new Date(Date.parse(moment) - 1).toISOString();
}

/** The newest moment that the mirror knows of, ISO 8601, or null. */
export function newestMoment(mirror: Mirror): string | null {
  return mirror
    .column<string | null>(
      `SELECT max(moment) FROM (
         SELECT max(ended_at) AS moment FROM run UNION ALL SELECT max(started_at) FROM run
         UNION ALL SELECT max(first_seen) FROM record UNION ALL SELECT max(seen_to) FROM version
         UNION ALL SELECT value FROM meta WHERE key = 'synced_at')`,
    )
    .get()!;
}

/** The newest moment at which a record came, changed or went. The condition is that of the index: without it all records are read. */
export const newestOfRecordsSql = `SELECT max(moment) FROM (
  SELECT max(first_seen) AS moment FROM record UNION ALL SELECT max(seen_to) FROM version
  UNION ALL SELECT max(withdrawn) FROM record WHERE withdrawn IS NOT NULL)`;

/**
 * The moment up to which all that will ever come is here, ISO 8601; null for a mirror that holds nothing. What a sync still
 * brings that runs, or that was killed, is later than that.
 */
export function standsAt(mirror: Mirror): string | null {
  const newest = mirror.column<string | null>(newestOfRecordsSql).get()!;
  const run = lastRun(mirror);
  if (newest === null || !run || run.ended_at !== null) return newest;
  const before = justBefore(run.started_at);
  return before < newest ? before : newest;
}
