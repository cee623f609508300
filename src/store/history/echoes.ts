import { type Document, isDocument, type Json, slugOf } from '../../model/document.ts';
import { keyOf } from '../../model/facets.ts';
import { type Kind, type KindName, kindOf, kinds } from '../../model/kinds.ts';
import type { FieldChange } from '../../model/normal-form.ts';
import type { Mirror } from '../mirror.ts';

/**
 * The changes of a record, without those that only repeat other records: a profile repeats quotes, positions and sources,
 * a party its members, a reference a name. Each of these is told by its own record, if the mirror ever held it.
 */
export function ownChanges(mirror: Mirror, after: Document, changes: FieldChange[]): FieldChange[] {
  const isKnown = (kind: KindName, key: string) =>
    mirror.sql('SELECT 1 FROM record WHERE kind = ? AND key = ?').get(kind, key) !== undefined;
  return changes.filter(({ field, old, new: next }) => {
    const named = kinds.find(({ name }) => field === `${name}_name`)?.name;
    if (named !== undefined) {
      const key = slugOf(after[named]);
      return key === null || !isKnown(named, key) || changes.some((change) => change.field === named);
    }
    const kind = repeatedKind(field);
    const [before, now] = kind ? [keysIn(kind, old), keysIn(kind, next)] : [null, null];
    if (!kind || before === null || now === null) return true;
    // Another reference is a fact of this record, and so is another source, which is told with the ids of sources.
    const isOther = before.join(' ') !== now.join(' ');
    if (isOther && (kind.name === field || (kind.name === 'source' && !after.source_ids))) return true;
    return [...before, ...now].some((key) => !isKnown(kind.name, key));
  });
}

/** Kind of the records that a field repeats, or null. */
function repeatedKind(field: string): Kind | null {
  if (field === 'members') return kindOf('politician');
  return kinds.find(({ name, plural }) => field === plural || field === name) ?? null;
}

/** The keys of the records that a field repeats; null if it has other content. */
function keysIn(kind: Kind, value: Json): string[] | null {
  const items = value === null ? [] : [value].flat();
  return items.every(isDocument) ? items.map((item) => keyOf(kind, item)) : null;
}
