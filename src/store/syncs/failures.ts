import { hasTable } from '../added-tables.ts';
import type { Mirror } from '../mirror.ts';

/** An address of the service that failed when it was last asked: how often in a row, and when it is asked again. */
export type Failure = {
  url: string;
  /** The stage of a sync that asked for it. */
  stage: string;
  code: string;
  /** The status that the service answered with; null where none came, or the answer could not be read. */
  status: number | null;
  message: string;
  count: number;
  first_at: string;
  last_at: string;
  next_at: string;
};

/** The addresses that failed when they were last asked, the next to be asked first; of one stage where it is named. */
export function failures(mirror: Mirror, stage: string | null = null): Failure[] {
  if (!hasTable(mirror, 'failure')) return [];
  return mirror
    .sql<Failure>('SELECT * FROM failure WHERE stage = coalesce(?, stage) ORDER BY next_at, url')
    .all(stage);
}

/** Remembers that an address failed, and when it is to be asked again. */
export function saveFailure(mirror: Mirror, failed: Omit<Failure, 'count' | 'first_at'>): void {
  mirror
    .sql(
      `INSERT INTO failure (url, stage, code, status, message, count, first_at, last_at, next_at)
       VALUES ($url, $stage, $code, $status, $message, 1, $last_at, $last_at, $next_at)
       ON CONFLICT (url) DO UPDATE SET stage = $stage, code = $code, status = $status, message = $message,
         count = count + 1, last_at = $last_at, next_at = $next_at`,
    )
    .run(failed);
}

/** How often an address failed in a row; 0 where it was answered when it was last asked. */
export function failureCount(mirror: Mirror, url: string): number {
  return mirror.column<number>('SELECT count FROM failure WHERE url = ?').get(url) ?? 0;
}

/** Forgets every failure: another service is asked. */
export function forgetFailures(mirror: Mirror): void {
  mirror.sql('DELETE FROM failure').run();
}

/** Forgets that an address failed: it was answered, or is asked for no more. */
export function forgetFailure(mirror: Mirror, url: string): void {
  mirror.sql('DELETE FROM failure WHERE url = ?').run(url);
}
