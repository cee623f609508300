import { isNewerThan, profileDifference } from '../../model/composition.ts';
import { type Document, documentOf } from '../../model/document.ts';
import type { Kind } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { endComposing, isComposed } from '../syncs/composition.ts';
import { profileFrom } from './profile.ts';

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
