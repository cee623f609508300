import { hash } from 'node:crypto';
import { type Document, isDocument, type Json } from './document.ts';
import { findKind, type Kind } from './kinds.ts';

/** Volatile fields, which never create a version; mirrors set `composed` on a profile that they did not fetch. */
const volatile = new Set(['updated_at', 'freshness', 'retrieved_at', 'fetched_at', 'generated_at', 'composed']);

/** True for a volatile field. */
export const isVolatile = (field: string): boolean => volatile.has(field);

/** Canonical JSON of a record: equal for equal content. */
export function normalForm(kind: Pick<Kind, 'sets'>, document: Document): string {
  return JSON.stringify(canonicalForm(kind, document));
}

/** Canonical form of a record: keys and sets sorted, without null, infinite and volatile fields and feed `type`. */
export function canonicalForm(kind: Pick<Kind, 'sets'>, document: Document): Document {
  // Numbers and booleans become text, since CSV has no types.
  const canonical: Document = {};
  for (const field of Object.keys(document).sort()) {
    const value = document[field];
    if (value === null || value === undefined || volatile.has(field)) continue;
    if (field === 'type' && typeof value === 'string' && findKind(value) === kind) continue;
    if (typeof value === 'string') canonical[field] = value;
    else if (value === Infinity || value === -Infinity) continue;
    else canonical[field] = typeof value === 'object' ? normalValue(value, kind.sets.includes(field)) : `${value}`;
  }
  return canonical;
}

/** SHA-256 of the normal form, first 32 hexadecimal digits. */
export function contentHash(kind: Pick<Kind, 'sets'>, document: Document): string {
  return hash('sha256', normalForm(kind, document), 'hex').slice(0, 32);
}

function normalValue(value: Json, isSet: boolean): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => (typeof item === 'object' ? normalValue(item, false) : item));
    return isSet ? inOrder(items) : items;
  }
  if (!isDocument(value)) return value;
  const canonical: Document = {};
  for (const field of Object.keys(value).sort()) {
    const inner = value[field];
    if (inner === null || inner === undefined || volatile.has(field)) continue;
    canonical[field] = typeof inner === 'object' ? normalValue(inner, false) : inner;
  }
  return canonical;
}

function inOrder(items: Json[]): Json[] {
  if (items.length < 2) return items;
  const keyed = items.map((item) => ({ item, text: JSON.stringify(item) }));
  return keyed.sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text))).map(({ item }) => item);
}

/** A changed field; null means absent. */
export type FieldChange = { field: string; old: Json; new: Json };

/** Fields that differ in canonical form, in the order of the newer document; null stands for a missing record. */
export function fieldChanges(kind: Pick<Kind, 'sets'>, before: Document | null, after: Document | null): FieldChange[] {
  const old = before ?? {};
  const next = after ?? {};
  const oldForm = canonicalForm(kind, old);
  const nextForm = canonicalForm(kind, next);
  const fields = new Set([...Object.keys(next), ...Object.keys(old)]);
  return [...fields]
    .filter((field) => JSON.stringify(oldForm[field]) !== JSON.stringify(nextForm[field]))
    .map((field) => ({ field, old: old[field] ?? null, new: next[field] ?? null }));
}
