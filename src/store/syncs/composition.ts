import type { KindName } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';

/** Whether fetched profiles equal composed ones, made of dataset rows; `unknown` until a sample has been compared. */
export type Composition = {
  state: 'unknown' | 'agrees' | 'differs';
  /** Last comparison, ISO 8601. */
  checkedAt: string | null;
  /** `differs`: why profiles are fetched. `agrees`: the `fields`, comma-separated. */
  reason: string | null;
  /** `agrees`: profiles with one of these fields are fetched nevertheless. */
  fields: string[];
};

/** Reads the composition state of a kind. */
export function readComposition(mirror: Mirror, kind: KindName): Composition {
  const sql = 'SELECT state, checked_at AS checkedAt, reason FROM composition WHERE kind = ?';
  const { state = 'unknown', checkedAt = null, reason = null } = mirror.sql<Partial<Composition>>(sql).get(kind) ?? {};
  return { state, checkedAt, reason, fields: state === 'agrees' ? (reason?.split(', ') ?? []) : [] };
}

/** Saves the composition state of a kind: `reason` if it differs, `fields` if it agrees. */
export function saveComposition(mirror: Mirror, kind: KindName, { fields, ...composition }: Composition): void {
  const sql = `INSERT OR REPLACE INTO composition (kind, state, checked_at, reason)
    VALUES ($kind, $state, $checkedAt, nullif($reason, ''))`;
  const reason = composition.state === 'agrees' ? fields.join(', ') : composition.reason;
  mirror.sql(sql).run({ ...composition, reason, kind });
}

/** Makes the next sync compare a sample of profiles of a kind again. */
export function requestComparison(mirror: Mirror, kind: KindName): void {
  mirror.sql('UPDATE composition SET checked_at = ? WHERE kind = ?').run(new Date(0).toISOString(), kind);
}

// CROSS makes SQLite start from `composed`, which has few rows, instead of reading every record of the kind.
const composedSql = `FROM composed CROSS JOIN record USING (kind, key)
  WHERE composed.kind = ? AND detail IS NULL AND withdrawn IS NULL`;

export const composedCountSql = `SELECT count(*) ${composedSql}`; // exported for the test of query plans

/** Number of composed profiles of a kind. */
export function countComposed(mirror: Mirror, kind: KindName): number {
  return mirror.column<number>(composedCountSql).get(kind)!;
}

/** Slugs of composed profiles, those composed or checked longest ago first. */
export function composedSlugs(mirror: Mirror, kind: KindName): string[] {
  return mirror.column<string>(`SELECT key ${composedSql} ORDER BY at, key`).all(kind);
}

/** True if a current profile is composed, not fetched. */
export function isComposed(mirror: Mirror, kind: KindName, slug: string): boolean {
  return mirror.sql(`SELECT 1 ${composedSql} AND key = ?`).get(kind, slug) !== undefined;
}

/** Marks a profile as composed or checked at that time, so that it is not fetched. */
export function markComposed(mirror: Mirror, { kind, slug }: { kind: KindName; slug: string }, at: string): void {
  mirror.sql('INSERT OR REPLACE INTO composed (kind, key, at) VALUES (?, ?, ?)').run(kind, slug, at);
  mirror.sql('UPDATE record SET detail_stale = 0 WHERE kind = ? AND key = ?').run(kind, slug);
}

/** Deletes the list of composed profiles of a kind, and marks these profiles for fetching. */
export function deleteComposed(mirror: Mirror, kind: KindName): void {
  const sql = `UPDATE record SET detail_stale = 1 WHERE kind = ? AND detail IS NULL
    AND key IN (SELECT key FROM composed WHERE composed.kind = record.kind)`;
  mirror.sql(sql).run(kind);
  mirror.sql('DELETE FROM composed WHERE kind = ?').run(kind);
}

/** Slugs of politicians with records of that kind. */
export function politiciansWithRecords(mirror: Mirror, kind: KindName): string[] {
  const sql = `SELECT DISTINCT politician FROM record
    WHERE kind = ? AND politician IS NOT NULL AND withdrawn IS NULL ORDER BY politician`;
  return mirror.column<string>(sql).all(kind);
}
