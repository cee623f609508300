import { type ComparedProfile, filledFields, isNewerThan, profileDifference } from '../../model/composition.ts';
import { type Document, documentOf } from '../../model/document.ts';
import { areDifferentPersons } from '../../names/person.ts';
import type { Mirror } from '../mirror.ts';
import { isComposed, requestCheck } from '../syncs/composition.ts';
import { composeProfile, type ProfileReference } from './profile.ts';

type Comparison = ComparedProfile & { isComparable: boolean };

const incomparable: Comparison = { isComparable: false, unlike: null, filled: new Set() };

/** Compares a fetched profile with the composed one: the first different field; not comparable without a row as new. */
export function compareProfile(mirror: Mirror, { kind, slug }: ProfileReference, profile: Document): Comparison {
  const row = readRow(mirror, { kind, slug });
  if (!row) return incomparable;
  const rowDocument: Document = JSON.parse(row);
  if (isNewerThan(rowDocument, profile) || areDifferentPersons(rowDocument, profile)) return incomparable;
  const fetchedDocument = documentOf({ row, detail: JSON.stringify(profile) });
  const composedProfile = (document: Document) => composeProfile(mirror, { kind, slug }, document);
  const composed = composedProfile(rowDocument);
  const unlike = profileDifference(kind, composed, composedProfile(fetchedDocument));
  return { isComparable: true, unlike, filled: filledFields(composed) };
}

function readRow(mirror: Mirror, { kind, slug }: ProfileReference): string | null | undefined {
  const sql = 'SELECT row FROM record WHERE kind = ? AND key = ? AND hash IS NOT NULL AND withdrawn IS NULL';
  return mirror.column<string | null>(sql).get(kind.name, slug);
}

/** The fields of a profile that are not empty if it is composed from its row. */
export function composedFields(mirror: Mirror, record: ProfileReference): ReadonlySet<string> {
  return filledFields(composeProfile(mirror, record, JSON.parse(readRow(mirror, record) ?? '{}')));
}

/** Lets the next sync compare profiles of a kind if a fetched one differs from the composed one. */
export function checkFetchedProfile(mirror: Mirror, record: ProfileReference, profile: Document): void {
  const { kind, slug } = record;
  if (!isComposed(mirror, kind.name, slug)) return;
  const { unlike } = compareProfile(mirror, record, profile);
  if (unlike !== null) requestCheck(mirror, kind.name);
}

/** Compares the full document stored in the mirror or in `holder`; equal if there is none. */
export function compareStoredProfile(mirror: Mirror, record: ProfileReference, holder = mirror) {
  const detail = holder.column<string | null>('SELECT detail FROM record WHERE kind = ? AND key = ?');
  const stored = detail.get(record.kind.name, record.slug);
  return stored ? compareProfile(mirror, record, JSON.parse(stored)) : { isComparable: true, unlike: null };
}
