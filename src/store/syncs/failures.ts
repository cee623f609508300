import { errorTable } from '../../errors.ts';
import { kinds } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';

/** A URL whose last request failed: `count` failures in a row, and when to retry it (`next_at`); times ISO 8601. */
export type Failure = {
  url: string; // or a route with `{slug}` that the service lacks
  stage: string; // of the sync, as in its report
  code: string;
  /** HTTP status; null if no response came or it could not be read. */
  status: number | null;
  message: string;
  count: number;
  first_at: string;
  last_at: string;
  next_at: string;
};

/** URLs whose last request failed, the earliest retry first; of one stage if given. */
export function listFailures(mirror: Mirror, stage: string | null = null): Failure[] {
  return mirror.sql<Failure>('SELECT * FROM failure WHERE stage = coalesce(?, stage) ORDER BY next_at, url').all(stage);
}

/** Quarantined responses (refused until their shape is usual again or accepted): kind in plural, start, reason. */
export function listQuarantines(mirror: Mirror) {
  return listFailures(mirror)
    .filter(({ code }) => code === errorTable.quarantined.code)
    .map(({ url, first_at: since, message }) => ({ plural: pluralKindIn(url), since, message }));
}

/** Plural of the kind that a URL, path or dataset name mentions last; `ballots` for `votes`, else `content`. */
export function pluralKindIn(text: string): string {
  const words = text.split(/\W+/).reverse();
  const plurals = kinds.map(({ plural }) => plural);
  return words.find((word) => plurals.includes(word)) ?? (words.includes('votes') ? 'ballots' : 'content');
}

/** Upserts a failed URL and its retry time. */
export function saveFailure(mirror: Mirror, failure: Omit<Failure, 'count' | 'first_at'>): void {
  const sql = `INSERT INTO failure (url, stage, code, status, message, count, first_at, last_at, next_at)
    VALUES ($url, $stage, $code, $status, $message, 1, $last_at, $last_at, $next_at)
    ON CONFLICT (url) DO UPDATE SET stage = $stage, code = $code, status = $status, message = $message,
      count = count + 1, last_at = $last_at, next_at = $next_at`;
  mirror.sql(sql).run(failure);
}

/** Failures in a row of a URL; 0 if its last request succeeded. */
export function failureCount(mirror: Mirror, url: string): number {
  return mirror.column<number>('SELECT count FROM failure WHERE url = ?').get(url) ?? 0;
}

/** Deletes the failure of a URL. */
export function deleteFailure(mirror: Mirror, url: string): void {
  mirror.sql('DELETE FROM failure WHERE url = ?').run(url);
}
