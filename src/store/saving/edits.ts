import type { Document } from '../../model/document.ts';
import { isVolatile } from '../../model/normal-form.ts';

const maxWaiting = 10_000;

/** Edits of stored records, deferred because a later row of the same key may equal the stored one. */
export function createEdits<Outcome extends string>(outcomes: Record<Outcome | 'same', number>) {
  const fields = new Map<string, number>();
  const waiting = new Map<number, () => Outcome>();
  function settle(): void {
    for (const apply of waiting.values()) {
      outcomes.same -= 1;
      outcomes[apply()] += 1;
    }
    waiting.clear();
  }
  return {
    fields,
    settle,
    drop(id: number): 'same' {
      waiting.delete(id);
      return 'same';
    },
    add(
      { id, row }: { id: number; row: string | null },
      document: Document,
      { apply, mayWait }: { apply: () => Outcome; mayWait: boolean },
    ): Outcome | 'same' {
      const applied = () => {
        const outcome = apply();
        if (outcome === 'edited') noteEdits(fields, JSON.parse(row!), document);
        return outcome;
      };
      if (!mayWait) return applied();
      waiting.set(id, applied);
      if (waiting.size > maxWaiting) settle();
      return 'same';
    },
  };
}

function noteEdits(edits: Map<string, number>, storedDocument: Document, document: Document): void {
  for (const field of new Set([...Object.keys(storedDocument), ...Object.keys(document)])) {
    const [was = null, is = null] = [storedDocument[field], document[field]];
    const isFilledIn = was === null && is !== '';
    const isCount = typeof was === 'number' && typeof is === 'number';
    if (isVolatile(field) || isFilledIn || isCount || JSON.stringify(was) === JSON.stringify(is)) continue;
    edits.set(field, (edits.get(field) ?? 0) + 1);
  }
}
