import type { Document } from '../../model/document.ts';
import { isVolatile } from '../../model/normal-form.ts';

const maxDeferredEdits = 10_000;

/** Applies edits of stored records, or defers them, as a later row with the key may equal the stored one. */
export function createEditBuffer<Outcome extends string>(outcomes: Record<Outcome | 'same', number>) {
  const editedFields = new Map<string, number>(); // number of edited records per field
  const deferredEdits = new Map<number, { apply: () => Outcome; hash: string | null }>();
  let conflictCount = 0;
  function applyDeferred(): void {
    for (const { apply } of deferredEdits.values()) {
      outcomes.same -= 1;
      outcomes[apply()] += 1;
    }
    deferredEdits.clear();
  }
  return {
    editedFields,
    applyDeferred,
    /** Number of rows with a repeated key whose content differs from the record that is kept. */
    conflictCount: () => conflictCount,
    /** Compares a row with a repeated key; one that equals the stored row cancels the deferred edit of another row. */
    repeat(id: number, hash: string | null, isUnchanged: boolean): void {
      conflictCount += Number(isUnchanged ? deferredEdits.delete(id) : deferredEdits.get(id)?.hash !== hash);
    },
    /** Applies an edit and returns its outcome; if deferrable, returns `same`: `applyDeferred` corrects `outcomes`. */
    add(
      { id, row }: { id: number; row: string | null },
      { document, hash }: { document: Document; hash: string | null },
      { apply, isDeferrable }: { apply: () => Outcome; isDeferrable: boolean },
    ): Outcome | 'same' {
      const applyAndCount = () => {
        const outcome = apply();
        if (['edited', 'added'].includes(outcome)) countEditedFields(editedFields, JSON.parse(row ?? '{}'), document);
        return outcome;
      };
      if (!isDeferrable) return applyAndCount();
      deferredEdits.set(id, { apply: applyAndCount, hash });
      if (deferredEdits.size > maxDeferredEdits) applyDeferred();
      return 'same';
    },
  };
}

/** Adds 1 to each field that differs, except volatile fields, counts, and fields that were null before. */
function countEditedFields(countByField: Map<string, number>, storedDocument: Document, document: Document): void {
  for (const field of new Set([...Object.keys(storedDocument), ...Object.keys(document)])) {
    const [oldValue = null, newValue = null] = [storedDocument[field], document[field]];
    const isFilledIn = oldValue === null && newValue !== '';
    const isCount = typeof oldValue === 'number' && typeof newValue === 'number';
    if (isVolatile(field) || isFilledIn || isCount || JSON.stringify(oldValue) === JSON.stringify(newValue)) continue;
    countByField.set(field, (countByField.get(field) ?? 0) + 1);
  }
}
