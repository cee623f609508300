import { type ComparedProfile, filledFields, isNewerThan, profileDifference } from '../../model/composition.ts';
import { type Document, documentOf } from '../../model/document.ts';
import { areDifferentPersons } from '../../names/person.ts';
import type { Mirror } from '../mirror.ts';
import { isComposed, requestComparison } from '../syncs/composition.ts';
import { composeProfile, type ProfileReference } from './profile.ts';

/** Compares a fetched profile with the composed one; null without a row, or with an older one or another person's. */
export function compareProfile(mirror: Mirror, record: ProfileReference, profile: Document): ComparedProfile | null {
  const row = readRow(mirror, record);
  if (!row) return null;
  const rowDocument: Document = JSON.parse(row);
  if (isNewerThan(rowDocument, profile) || areDifferentPersons(rowDocument, profile)) return null;
  const composedDocument = composeProfile(mirror, record, rowDocument);
  // Parts that the fetched profile lacks are no differences: compose these too.
  const fetchedDocument = composeProfile(mirror, record, documentOf({ row, detail: JSON.stringify(profile) }));
  const differingField = profileDifference(record.kind, composedDocument, fetchedDocument);
  return { differingField, composedFields: filledFields(composedDocument) };
}

/** The row of a current record from a dataset; null or undefined if there is none. */
function readRow(mirror: Mirror, { kind, slug }: ProfileReference): string | null | undefined {
  const sql = 'SELECT row FROM record WHERE kind = ? AND key = ? AND hash IS NOT NULL AND withdrawn IS NULL';
  return mirror.column<string | null>(sql).get(kind.name, slug);
}

/** True if one of the fields is not empty in a profile that is composed from its row. */
export function fillsField(mirror: Mirror, record: ProfileReference, fields: readonly string[]): boolean {
  if (fields.length === 0) return false;
  const filledNames = filledFields(composeProfile(mirror, record, JSON.parse(readRow(mirror, record) ?? '{}')));
  return fields.some((field) => filledNames.has(field));
}

/** Makes the next sync compare the profiles of a kind if this fetched one differs from the composed one. */
export function checkFetchedProfile(mirror: Mirror, record: ProfileReference, profile: Document): void {
  const { kind, slug } = record;
  if (isComposed(mirror, kind.name, slug) && isDifferent(mirror, record, profile)) requestComparison(mirror, kind.name);
}

/** True if a fetched profile differs from the composed one; false if they cannot be compared. */
const isDifferent = (mirror: Mirror, record: ProfileReference, profile: Document): boolean =>
  (compareProfile(mirror, record, profile)?.differingField ?? null) !== null;

/** True unless `source` stores a profile that differs from the one composed in `mirror`; true if not comparable. */
export function equalsStoredProfile(mirror: Mirror, record: ProfileReference, source: Mirror): boolean {
  const detail = source.column<string | null>('SELECT detail FROM record WHERE kind = ? AND key = ?');
  const stored = detail.get(record.kind.name, record.slug);
  return !stored || !isDifferent(mirror, record, JSON.parse(stored));
}
