import type { Json } from '../../model/document.ts';
import type { Mirror } from '../mirror.ts';

/** The saved state of a sync stage for a service; undefined if there is none. */
export function readProgress<State extends Json>(mirror: Mirror, origin: string, stage: string): State | undefined {
  const state = mirror.column('SELECT state FROM progress WHERE origin = ? AND stage = ?').get(origin, stage);
  return typeof state === 'string' ? (JSON.parse(state) as State) : undefined;
}

/** Saves the state of a stage; call it in the transaction that saves its records. */
export function saveProgress(
  mirror: Mirror,
  { origin, stage, at }: { origin: string; stage: string; at: string },
  state: Json,
): void {
  const sql = `INSERT INTO progress (origin, stage, state, updated_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (origin, stage) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at`;
  mirror.sql(sql).run(origin, stage, JSON.stringify(state), at);
}

/** Makes the next sync read the whole feed, because records came by other means. */
export function resetFeedProgress(mirror: Mirror): void {
  const sql =
    "UPDATE progress SET state = json_set(state, '$.wholeAt', NULL, '$.walks', json('[]')) WHERE stage = 'feed'";
  mirror.sql(sql).run();
}

/** Deletes the state of a finished stage. */
export function deleteProgress(mirror: Mirror, origin: string, stage: string): void {
  mirror.sql('DELETE FROM progress WHERE origin = ? AND stage = ?').run(origin, stage);
}
