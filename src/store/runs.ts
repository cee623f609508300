import type { Mirror } from './open.ts';

/** One run of a sync; `exit` is null while it runs, or if it was killed. */
export type Run = {
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

/** The last sync, or undefined. */
export function lastRun(mirror: Mirror): Run | undefined {
  return mirror.sql('SELECT * FROM run ORDER BY id DESC LIMIT 1').get() as Run | undefined;
}
