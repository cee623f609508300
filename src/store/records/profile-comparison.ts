import { isNewerThan, profileDifference } from '../../model/composition.ts';
import { type Document, documentOf } from '../../model/document.ts';
import { areDifferentPersons } from '../../names/person.ts';
import type { Mirror } from '../mirror.ts';
import { endComposing, isComposed } from '../syncs/composition.ts';
import { composeProfile, type ProfileReference } from './profile.ts';

/** Compares a fetched profile with the composed one: the first different field; not comparable without a row as new. */
export function compareProfile(mirror: Mirror, { kind, slug }: ProfileReference, profile: Document) {
  const sql = 'SELECT row FROM record WHERE kind = ? AND key = ? AND hash IS NOT NULL AND withdrawn IS NULL';
  const row = mirror.column<string>(sql).get(kind.name, slug);
  if (row === undefined || row === null) return { isComparable: false, unlike: null };
  const rowDocument: Document = JSON.parse(row);
  if (isNewerThan(rowDocument, profile) || areDifferentPersons(rowDocument, profile))
    return { isComparable: false, unlike: null };
  const fetchedDocument = documentOf({ row, detail: JSON.stringify(profile) });
  const composedProfile = (document: Document) => composeProfile(mirror, { kind, slug }, document);
  return {
    isComparable: true,
    unlike: profileDifference(kind, composedProfile(rowDocument), composedProfile(fetchedDocument)),
  };
}

/** Stops composing profiles of a kind if a fetched one differs from the composed one. */
export function checkFetchedProfile(
  mirror: Mirror,
  record: ProfileReference,
  { profile, at }: { profile: Document; at: string },
): void {
  const { kind, slug } = record;
  if (!isComposed(mirror, kind.name, slug)) return;
  const { unlike } = compareProfile(mirror, record, profile);
  if (unlike !== null) endComposing(mirror, kind.name, { at, reason: differenceText(slug, unlike) });
}

/** The reason for not composing profiles of a kind. */
export function differenceText(slug: string, unlike: string): string {
  return `the profile of ${slug} says something else (${unlike})`;
}

/** Compares the full document stored in the mirror or in `holder`; equal if there is none. */
export function compareStoredProfile(mirror: Mirror, record: ProfileReference, holder = mirror) {
  const detail = holder.column<string | null>('SELECT detail FROM record WHERE kind = ? AND key = ?');
  const stored = detail.get(record.kind.name, record.slug);
  return stored ? compareProfile(mirror, record, JSON.parse(stored)) : { isComparable: true, unlike: null };
}
