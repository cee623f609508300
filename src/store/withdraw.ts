import type { Kind } from '../model/kinds.ts';
import { bumpVersion } from './meta.ts';
import type { NumberSet } from './number-set.ts';
import type { Mirror } from './open.ts';
import { recordRange } from './record-range.ts';
import { removeFromIndex } from './search-index.ts';

/**
 * Marks as withdrawn every record of the kind that a complete enumeration did not list; returns how many.
 * `seen` holds record numbers within the kind. To be used in the transaction that saved the enumeration.
 */
export function withdrawUnseen(mirror: Mirror, kind: Kind, seen: NumberSet, at: string): number {
  const { first, last } = recordRange(kind);
  const ids = mirror
    .sql('SELECT id FROM record WHERE id BETWEEN ? AND ? AND withdrawn IS NULL')
    .pluck()
    .all(first, last) as number[];
  const gone = ids.filter((id) => !seen.has(id - first));
  for (const id of gone) {
    mirror.sql('UPDATE record SET withdrawn = ? WHERE id = ?').run(at, id);
    removeFromIndex(mirror, id);
  }
  if (gone.length > 0) bumpVersion(mirror);
  return gone.length;
}
