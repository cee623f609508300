import type { KindName } from '../../model/kinds.ts';
import { hasTable } from '../added-tables.ts';
import type { Mirror } from '../mirror.ts';

/**
 * Whether the profiles of a kind are what the mirror composes of row, facts and sources; `unknown` until a sample was
 * compared. `checkedAt` is when one was compared last, ISO 8601; `reason` says why they are not.
 */
export type Composition = {
  state: 'unknown' | 'agrees' | 'differs';
  checkedAt: string | null;
  reason: string | null;
};

/** Whether the profiles of a kind are composed, and why not. */
export function readComposition(mirror: Mirror, kind: KindName): Composition {
  const stored = hasTable(mirror, 'composed')
    ? mirror
        .sql<Composition>('SELECT state, checked_at AS checkedAt, reason FROM composition WHERE kind = ?')
        .get(kind)
    : undefined;
  return stored ?? { state: 'unknown', checkedAt: null, reason: null };
}

/** Notes that profiles of a kind agreed at that moment with what the mirror composes. */
export function noteAgreement(mirror: Mirror, kind: KindName, at: string): void {
  mirror
    .sql("INSERT OR REPLACE INTO composition (kind, state, checked_at) VALUES (?, 'agrees', ?)")
    .run(kind, at);
}

const composedSql = `FROM composed JOIN record USING (kind, key)
  WHERE composed.kind = ? AND detail IS NULL AND withdrawn IS NULL`;

/** How many profiles of a kind are composed: nobody fetched them. */
export function countComposed(mirror: Mirror, kind: KindName): number {
  if (!hasTable(mirror, 'composed')) return 0;
  return mirror.column<number>(`SELECT count(*) ${composedSql}`).get(kind)!;
}

/** The slugs of the profiles that are composed, those first that were compared, or composed, the longest ago. */
export function composedSlugs(mirror: Mirror, kind: KindName): string[] {
  if (!hasTable(mirror, 'composed')) return [];
  return mirror.column<string>(`SELECT key ${composedSql} ORDER BY at, key`).all(kind);
}

/** True for a profile that is composed. */
export function isComposed(mirror: Mirror, kind: KindName, slug: string): boolean {
  return (
    hasTable(mirror, 'composed') &&
    mirror.sql(`SELECT 1 ${composedSql} AND key = ?`).get(kind, slug) !== undefined
  );
}

/** Marks a profile as composed, or as compared with the service's, at that moment: it is not asked for. */
export function markComposed(
  mirror: Mirror,
  { kind, slug }: { kind: KindName; slug: string },
  at: string,
): void {
  mirror.sql('INSERT OR REPLACE INTO composed (kind, key, at) VALUES (?, ?, ?)').run(kind, slug, at);
  mirror.sql('UPDATE record SET detail_stale = 0 WHERE kind = ? AND key = ?').run(kind, slug);
}

/** Ends the composing of profiles of a kind: all that were composed are to be fetched. */
export function endComposing(
  mirror: Mirror,
  kind: KindName,
  { at, reason }: { at: string; reason: string },
): void {
  mirror
    .sql("INSERT OR REPLACE INTO composition (kind, state, checked_at, reason) VALUES (?, 'differs', ?, ?)")
    .run(kind, at, reason);
  forgetComposed(mirror, kind);
}

/** Forgets what was composed, and that it could be: another service is asked. */
export function forgetCompositions(mirror: Mirror): void {
  for (const kind of ['politician', 'party'] as const) forgetComposed(mirror, kind);
  mirror.sql('DELETE FROM composition').run();
}

function forgetComposed(mirror: Mirror, kind: KindName): void {
  mirror
    .sql(
      `UPDATE record SET detail_stale = 1 WHERE kind = ? AND detail IS NULL
       AND key IN (SELECT key FROM composed WHERE composed.kind = record.kind)`,
    )
    .run(kind);
  mirror.sql('DELETE FROM composed WHERE kind = ?').run(kind);
}

/** The politicians whom a fact of that kind is about. */
export function politiciansWithFacts(mirror: Mirror, kind: KindName): string[] {
  return mirror
    .column<string>(
      'SELECT DISTINCT politician FROM record WHERE kind = ? AND politician IS NOT NULL AND withdrawn IS NULL ORDER BY politician',
    )
    .all(kind);
}
