import { hash } from 'node:crypto';
import { type Document, isDocument, type Json } from './document.ts';
import { findKind, type Kind } from './kinds.ts';

/** Field with the key of a record without an id, if it is not the hash of its content: edited, or one of equal ones. */
export const givenKey = '_key';

const serviceTimes = ['updated_at', 'freshness', 'retrieved_at', 'fetched_at', 'generated_at'];
const fieldsOfAnswers = ['composed', 'party_link', 'members_today', 'attached_today', givenKey];

/** Volatile fields, which never create a version: times of the service, and what mirrors add to their answers. */
const volatile = new Set([...serviceTimes, ...fieldsOfAnswers]);

/** True for a volatile field. */
export const isVolatile = (field: string): boolean => volatile.has(field);

/** Canonical JSON of a record: equal for equal content. */
export function normalForm(kind: Pick<Kind, 'sets'>, document: Document): string {
  return JSON.stringify(canonicalForm(kind, document));
}

/** Canonical form of a record: keys and sets sorted, without null, infinite and volatile fields and feed `type`. */
export function canonicalForm(kind: Pick<Kind, 'sets'>, document: Document): Document {
  return sortedFields(document, (value, field) => {
    if (value === null || value === Infinity || value === -Infinity) return undefined;
    if (field === 'type' && typeof value === 'string' && findKind(value) === kind) return undefined;
    // Numbers and booleans become text, since CSV has no types.
    return typeof value === 'object' ? canonicalValue(value, kind.sets.includes(field)) : `${value}`;
  });
}

/** Form of a record that differs from the canonical one by keeping null fields and the types of values. */
export function typedForm(kind: Pick<Kind, 'sets'>, document: Document): Document {
  return sortedFields(document, (value, field) => canonicalValue(value, kind.sets.includes(field), true));
}

/** SHA-256 of the normal form, first 32 hexadecimal digits. */
export function contentHash(kind: Pick<Kind, 'sets'>, document: Document): string {
  return hash('sha256', normalForm(kind, document), 'hex').slice(0, 32);
}

/** True if two documents differ in form alone: in the encoding of accents and the notation of days. */
export function differInFormAlone(kind: Pick<Kind, 'sets'>, one: Document, other: Document): boolean {
  return uniformText(normalForm(kind, one)) === uniformText(normalForm(kind, other));
}

/** A record with accents in one encoding and days written in one way. */
export const uniformDocument = (document: Document): Document => JSON.parse(uniformText(JSON.stringify(document)));

/** The ways in which a day may be written that are no other content. */
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

/** The non-volatile fields in order with their form; undefined omits a field. */
function sortedFields(document: Document, formOf: (value: Json, field: string) => Json | undefined): Document {
  const sortedDocument: Document = {};
  for (const field of Object.keys(document).sort()) {
    if (document[field] === undefined || volatile.has(field)) continue;
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

/** A changed field; null means absent. */
export type FieldChange = { field: string; old: Json; new: Json };

/** Fields that differ in canonical form, in the order of the newer document; null stands for a missing record. */
export function fieldChanges(kind: Pick<Kind, 'sets'>, before: Document | null, after: Document | null): FieldChange[] {
  const old = before ?? {};
  const next = after ?? {};
  const changedFields = differingFields(old, next, (document) => canonicalForm(kind, document));
  return changedFields.map((field) => ({ field, old: old[field] ?? null, new: next[field] ?? null }));
}

/** Names of the fields that differ in a form of two documents, in the order of the newer one. */
export function differingFields(old: Document, next: Document, formOf: (document: Document) => Document): string[] {
  const oldForm = formOf(old);
  const nextForm = formOf(next);
  const fields = new Set([...Object.keys(next), ...Object.keys(old)]);
  return [...fields].filter((field) => JSON.stringify(oldForm[field]) !== JSON.stringify(nextForm[field]));
}
