import type { Document, Json } from './document.ts';
import type { Kind } from './kinds.ts';
import { statedForm } from './normal-form.ts';

/** One field that says something else than before; null where it said or says nothing. */
export type FieldChange = { field: string; old: Json; new: Json };

/**
 * The fields by which two documents of a record differ in content, in the order of the newer one; what makes no
 * version (a moved `updated_at`, another order of a set) is no difference. Null stands for a record that was not there.
 */
export function fieldChanges(kind: Kind, before: Document | null, after: Document | null): FieldChange[] {
  const [old, next] = [before ?? {}, after ?? {}];
  const [oldForm, nextForm] = [statedForm(kind, old), statedForm(kind, next)];
  const fields = new Set([...Object.keys(next), ...Object.keys(old)]);
  return [...fields]
    .filter((field) => JSON.stringify(oldForm[field]) !== JSON.stringify(nextForm[field]))
    .map((field) => ({ field, old: old[field] ?? null, new: next[field] ?? null }));
}
