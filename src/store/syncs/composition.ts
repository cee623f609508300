import type { KindName } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';

/** Whether fetched profiles equal those composed of row, facts and sources; `unknown` until a sample was compared. */
export type Composition = {
  state: 'unknown' | 'agrees' | 'differs';
  /** Last comparison, ISO 8601. */
  checkedAt: string | null;
  /** Why profiles are fetched; if they agree, the fields whose profiles are fetched, joined by commas. */
  reason: string | null;
};

/** The fields of which a profile is fetched, though the others agree with the datasets. */
export function fetchedFields({ state, reason }: Composition): string[] {
  return state === 'agrees' && reason !== null ? reason.split(', ') : [];
}

/** Reads the composition state of a kind. */
export function readComposition(mirror: Mirror, kind: KindName): Composition {
  const sql = 'SELECT state, checked_at AS checkedAt, reason FROM composition WHERE kind = ?';
  const stored = mirror.sql<Composition>(sql).get(kind);
  return stored ?? { state: 'unknown', checkedAt: null, reason: null };
}

/** Saves that profiles of a kind agreed with the composed ones at that time, but those with certain fields. */
export function noteAgreement(mirror: Mirror, kind: KindName, at: string, fields: string[]): void {
  const sql =
    "INSERT OR REPLACE INTO composition (kind, state, checked_at, reason) VALUES (?, 'agrees', ?, nullif(?, ''))";
  mirror.sql(sql).run(kind, at, fields.join(', '));
}

/** Lets the next sync compare profiles of a kind. */
export function requestCheck(mirror: Mirror, kind: KindName): void {
  mirror.sql('UPDATE composition SET checked_at = ? WHERE kind = ?').run(new Date(0).toISOString(), kind);
}

// Few profiles are composed: without CROSS, SQLite would read every record of the kind.
const composedSql = `FROM composed CROSS JOIN record USING (kind, key)
  WHERE composed.kind = ? AND detail IS NULL AND withdrawn IS NULL`;

export const composedCountSql = `SELECT count(*) ${composedSql}`;

/** Number of composed profiles of a kind. */
export function countComposed(mirror: Mirror, kind: KindName): number {
  return mirror.column<number>(composedCountSql).get(kind)!;
}

/** Slugs of composed profiles, the longest unchecked first. */
export function composedSlugs(mirror: Mirror, kind: KindName): string[] {
  return mirror.column<string>(`SELECT key ${composedSql} ORDER BY at, key`).all(kind);
}

/** True if a profile is composed. */
export function isComposed(mirror: Mirror, kind: KindName, slug: string): boolean {
  return mirror.sql(`SELECT 1 ${composedSql} AND key = ?`).get(kind, slug) !== undefined;
}

/** Marks a profile as composed or checked at that time, so that it is not fetched. */
export function markComposed(mirror: Mirror, { kind, slug }: { kind: KindName; slug: string }, at: string): void {
  mirror.sql('INSERT OR REPLACE INTO composed (kind, key, at) VALUES (?, ?, ?)').run(kind, slug, at);
  mirror.sql('UPDATE record SET detail_stale = 0 WHERE kind = ? AND key = ?').run(kind, slug);
}

/** Stops composing profiles of a kind: composed ones are marked for fetching. */
export function endComposing(mirror: Mirror, kind: KindName, { at, reason }: { at: string; reason: string }): void {
  const sql = "INSERT OR REPLACE INTO composition (kind, state, checked_at, reason) VALUES (?, 'differs', ?, ?)";
  mirror.sql(sql).run(kind, at, reason);
  forgetComposed(mirror, kind);
}

/** Forgets which profiles of a kind are composed, and marks these for fetching. */
export function forgetComposed(mirror: Mirror, kind: KindName): void {
  const sql = `UPDATE record SET detail_stale = 1 WHERE kind = ? AND detail IS NULL
    AND key IN (SELECT key FROM composed WHERE composed.kind = record.kind)`;
  mirror.sql(sql).run(kind);
  mirror.sql('DELETE FROM composed WHERE kind = ?').run(kind);
}

/** Slugs of politicians with records of that kind. */
export function politiciansWithFacts(mirror: Mirror, kind: KindName): string[] {
  const sql =
    'SELECT DISTINCT politician FROM record WHERE kind = ? AND politician IS NOT NULL AND withdrawn IS NULL ORDER BY politician';
  return mirror.column<string>(sql).all(kind);
}
