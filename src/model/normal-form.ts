import { hash } from 'node:crypto';
import { type Document, isDocument, type Json } from './document.ts';
import { findKind, type Kind } from './kinds.ts';

/** Field with a key that the mirror assigned, since neither id, slug nor content hash identifies the record. */
export const assignedKeyField = '_key';

const serviceTimestamps = ['updated_at', 'freshness', 'retrieved_at', 'fetched_at', 'generated_at'];
const mirrorFields = ['composed', 'party_link', 'members_today', 'attached_today', assignedKeyField];

/** Fields that never create a version: the service's timestamps, and fields that mirrors add to their answers. */
const volatileFields = new Set([...serviceTimestamps, ...mirrorFields]);

export const isVolatile = (field: string): boolean => volatileFields.has(field);

/** Canonical JSON of a record: equal for equal content. */
export function normalForm(kind: Pick<Kind, 'sets'>, document: Document): string {
  return JSON.stringify(canonicalForm(kind, document));
}

/** Canonical form: keys and sets sorted; no null, infinite or volatile field, no `type` that repeats the kind. */
export function canonicalForm(kind: Pick<Kind, 'sets'>, document: Document): Document {
  return sortedFields(document, (value, field) => {
    if (value === null || value === Infinity || value === -Infinity) return undefined;
    if (field === 'type' && typeof value === 'string' && findKind(value) === kind) return undefined;
    // Numbers and booleans become text, since CSV has no types.
    return typeof value === 'object' ? canonicalValue(value, kind.sets.includes(field)) : `${value}`;
  });
}

/** Canonical form, but with null fields, infinite values and the original types of values. */
export function typedForm(kind: Pick<Kind, 'sets'>, document: Document): Document {
  return sortedFields(document, (value, field) => canonicalValue(value, kind.sets.includes(field), true));
}

/** SHA-256 of the normal form, first 32 hexadecimal digits. */
export function contentHash(kind: Pick<Kind, 'sets'>, document: Document): string {
  return hash('sha256', normalForm(kind, document), 'hex').slice(0, 32);
}

/** True if two documents are equal apart from Unicode normalisation and date notation. */
export function isEqualApartFromNotation(kind: Pick<Kind, 'sets'>, one: Document, other: Document): boolean {
  return uniformText(normalForm(kind, one)) === uniformText(normalForm(kind, other));
}

/** The record with text in Unicode form NFC and days as `YYYY-MM-DD`. */
export const uniformDocument = (document: Document): Document => JSON.parse(uniformText(JSON.stringify(document)));

/** All spellings of an ISO day that count as equal content: with `-`, and with `/` or `.` in either order. */
export function daySpellings(day: string): string[] {
  const [year, month, date] = day.split('-');
  return [day, ...['/', '.'].flatMap((mark) => [[date, month, year].join(mark), [year, month, date].join(mark)])];
}

function uniformText(text: string): string {
  return text
    .normalize()
    .replace(/"(\d\d)[/.](\d\d)[/.](\d{4})"/g, '"$3-$2-$1"')
    .replace(/"(\d{4})[/.](\d\d)[/.](\d\d)"/g, '"$1-$2-$3"')
    .replace(/"(\d{4}-\d\d-\d\d)[T ]00:00(:00)?(\.0+)?(Z|[+-]\d\d:?\d\d)?"/g, '"$1"');
}

function canonicalValue(value: Json, isSetField: boolean, keepsNull = false): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => canonicalValue(item, false, keepsNull));
    return isSetField ? sortItems(items) : items;
  }
  if (!isDocument(value)) return value;
  return sortedFields(value, (inner) =>
    inner === null && !keepsNull ? undefined : canonicalValue(inner, false, keepsNull),
  );
}

/** The non-volatile fields, sorted by name, with their values from `formOf`; undefined omits a field. */
function sortedFields(document: Document, formOf: (value: Json, field: string) => Json | undefined): Document {
  const sortedDocument: Document = {};
  for (const field of Object.keys(document).sort()) {
    if (document[field] === undefined || volatileFields.has(field)) continue;
    const form = formOf(document[field], field);
    if (form !== undefined) sortedDocument[field] = form;
  }
  return sortedDocument;
}

function sortItems(items: Json[]): Json[] {
  if (items.length < 2) return items;
  const itemsWithText = items.map((item) => ({ item, text: JSON.stringify(item) }));
  return itemsWithText.sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text))).map(({ item }) => item);
}

/** A changed field; null is an absent value. */
export type FieldChange = { field: string; old: Json; new: Json };

/** Fields that differ in canonical form, in the order of the newer document; a null document has no fields. */
export function fieldChanges(kind: Pick<Kind, 'sets'>, before: Document | null, after: Document | null): FieldChange[] {
  const changedFields = differingFields(before ?? {}, after ?? {}, (document) => canonicalForm(kind, document));
  return changedFields.map((field) => ({ field, old: before?.[field] ?? null, new: after?.[field] ?? null }));
}

/** Names of the fields whose values by `formOf` differ, in the order of the newer document. */
export function differingFields(before: Document, after: Document, formOf: (document: Document) => Document): string[] {
  const formBefore = formOf(before);
  const formAfter = formOf(after);
  const fields = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...fields].filter((field) => JSON.stringify(formBefore[field]) !== JSON.stringify(formAfter[field]));
}
