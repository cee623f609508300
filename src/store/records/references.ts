import type { Kind } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { holds } from '../record.ts';

/** Columns of the mirror that hold the key of a record of another kind, by the field that says it. */
const facets = { politician: 'politician', party: 'party', group: 'group_slug' } as const;

/** True if whoever the records of a kind name in a field is a record of the other kind, and not withdrawn. */
export function namesHeldRecords(
  mirror: Mirror,
  kind: Kind,
  { field, target }: { field: keyof typeof facets; target: Kind },
): boolean {
  const facet = facets[field];
  const orphan = mirror
    .sql(
      `SELECT 1 FROM record AS one WHERE one.kind = ? AND one.withdrawn IS NULL AND one.${facet} IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM record AS other
         WHERE other.kind = ? AND other.key = one.${facet} AND other.withdrawn IS NULL) LIMIT 1`,
    )
    .get(kind.name, target.name);
  return orphan === undefined;
}

/** True if every one of these is the key of a record of that kind which is not withdrawn; null names none. */
export function areHeldKeys(mirror: Mirror, kind: Kind, keys: Iterable<string | null>): boolean {
  const known = new Set<string | null>([null]);
  for (const key of keys) {
    if (known.has(key)) continue;
    if (!holds(mirror, kind.name as Parameters<typeof holds>[1], key!)) return false;
    known.add(key);
  }
  return true;
}
