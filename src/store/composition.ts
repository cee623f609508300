import { isNewerThan, profileDifference } from '../model/composition.ts';
import type { Document } from '../model/document.ts';
import type { Kind, KindName } from '../model/kinds.ts';
import type { Mirror } from './mirror.ts';
import { profileFrom } from './profile.ts';
import { documentOf } from './record.ts';

/**
 * Whether the profiles of a kind are what the mirror composes of row, facts and sources; `unknown` until a sample was
 * compared. `checkedAt` is when one was compared last, ISO 8601; `reason` says why they are not.
 */
export type Composition = {
  state: 'unknown' | 'agrees' | 'differs';
  checkedAt: string | null;
  reason: string | null;
};

/**
 * Makes the tables of composed profiles where there are none. They are no step of the schema: a mirror without them has
 * none. A composed profile is not stored: it is read from its row, facts and sources, as any that was never fetched.
 */
export function createCompositionTables(mirror: Mirror): void {
  if (hasTables(mirror)) return;
  mirror.database.exec(`
    CREATE TABLE IF NOT EXISTS composition (
      kind TEXT PRIMARY KEY,
      state TEXT NOT NULL CHECK (state IN ('agrees', 'differs')),
      checked_at TEXT NOT NULL,
      reason TEXT
    ) STRICT;
    CREATE TABLE IF NOT EXISTS composed (
      kind TEXT NOT NULL, key TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (kind, key)
    ) STRICT, WITHOUT ROWID`);
}

function hasTables(mirror: Mirror): boolean {
  return (
    mirror.column("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'composed'").get() !==
    undefined
  );
}

/** Whether the profiles of a kind are composed, and why not. */
export function readComposition(mirror: Mirror, kind: KindName): Composition {
  const stored = hasTables(mirror)
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
  if (!hasTables(mirror)) return 0;
  return mirror.column<number>(`SELECT count(*) ${composedSql}`).get(kind)!;
}

/** The slugs of the profiles that are composed, those first that were compared, or composed, the longest ago. */
export function composedSlugs(mirror: Mirror, kind: KindName): string[] {
  if (!hasTables(mirror)) return [];
  return mirror.column<string>(`SELECT key ${composedSql} ORDER BY at, key`).all(kind);
}

/** True for a profile that is composed. */
export function isComposed(mirror: Mirror, kind: KindName, slug: string): boolean {
  return hasTables(mirror) && mirror.sql(`SELECT 1 ${composedSql} AND key = ?`).get(kind, slug) !== undefined;
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

/** How a profile compares with what the mirror composes: `unlike` names the first field that differs. */
export type ProfileComparison = { isComparable: boolean; unlike: string | null };

/**
 * Compares a profile as the service sent it with what the mirror tells without it. It is not comparable where the
 * profile is newer than its row by its own account, or no dataset gave one.
 */
export function compareProfile(
  mirror: Mirror,
  { kind, slug }: { kind: Kind; slug: string },
  profile: Document,
): ProfileComparison {
  const row = mirror
    .column<string>(
      'SELECT row FROM record WHERE kind = ? AND key = ? AND hash IS NOT NULL AND withdrawn IS NULL',
    )
    .get(kind.name, slug);
  if (row === undefined || row === null) return { isComparable: false, unlike: null };
  const stated: Document = JSON.parse(row);
  if (isNewerThan(stated, profile)) return { isComparable: false, unlike: null };
  const fetched = documentOf({ row, detail: JSON.stringify(profile) });
  const told = (document: Document) => profileFrom(mirror, { kind, slug }, document);
  return { isComparable: true, unlike: profileDifference(kind, told(stated), told(fetched)) };
}

/** Ends the composing of a kind where a profile that somebody asked for says something else than the composed one. */
export function noteProfile(
  mirror: Mirror,
  record: { kind: Kind; slug: string },
  { profile, at }: { profile: Document; at: string },
): void {
  const { kind, slug } = record;
  if (!isComposed(mirror, kind.name, slug)) return;
  const { unlike } = compareProfile(mirror, record, profile);
  if (unlike !== null) endComposing(mirror, kind.name, { at, reason: differenceText(slug, unlike) });
}

/** Why profiles of a kind are not composed, in words. */
export function differenceText(slug: string, unlike: string): string {
  return `the profile of ${slug} says something else (${unlike})`;
}

/** The same for a full document that the mirror holds; comparable, and alike, where it holds none. */
export function compareHeldProfile(mirror: Mirror, kind: Kind, slug: string): ProfileComparison {
  const detail = mirror
    .column<string | null>('SELECT detail FROM record WHERE kind = ? AND key = ?')
    .get(kind.name, slug);
  if (!detail) return { isComparable: true, unlike: null };
  return compareProfile(mirror, { kind, slug }, JSON.parse(detail));
}

/** The politicians whom a fact of that kind is about. */
export function subjectsOf(mirror: Mirror, kind: KindName): string[] {
  return mirror
    .column<string>(
      'SELECT DISTINCT politician FROM record WHERE kind = ? AND politician IS NOT NULL AND withdrawn IS NULL ORDER BY politician',
    )
    .all(kind);
}
