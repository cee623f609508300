import { facetsOf } from '../model/facets.ts';
import type { Kind } from '../model/kinds.ts';
import type { Mirror } from './open.ts';
import { recordRange } from './record-range.ts';

/**
 * Marks full documents as older than the records that they tell of: a profile repeats what its promises, positions,
 * quotes and sources say, a party who belongs to it. To be used in the transaction that saved a dataset at that moment.
 */
export function markRelatedStale(mirror: Mirror, kind: Kind, at: string): void {
  const { first, last } = recordRange(kind);
  const named = kind.name === 'politician' ? ['party', 'group_slug'] : ['politician'];
  const owner = kind.name === 'politician' ? 'party' : 'politician';
  const now = mirror
    .sql(
      `SELECT DISTINCT json_array(${named.join(', ')}) FROM record
       WHERE id BETWEEN ? AND ? AND (last_changed = ? OR withdrawn = ?)`,
    )
    .pluck()
    .all(first, last, at, at) as string[];
  const slugs = new Set([...now.flatMap((each) => JSON.parse(each)), ...namedBefore(mirror, kind, at)]);
  const mark = mirror.sql(
    'UPDATE record SET detail_stale = 1 WHERE kind = ? AND key = ? AND detail IS NOT NULL AND detail_stale = 0',
  );
  for (const slug of slugs) if (slug !== null) mark.run(owner, slug);
}

/** Whom the records named that were edited at that moment, before they were. */
function namedBefore(mirror: Mirror, kind: Kind, at: string): (string | null)[] {
  const { first, last } = recordRange(kind);
  const former = mirror
    .sql(`SELECT json FROM version WHERE seen_to = ? AND part = 'row' AND record BETWEEN ? AND ?`)
    .pluck()
    .all(at, first, last) as string[];
  return former.flatMap((json) => {
    const { politician, party, group } = facetsOf(kind, JSON.parse(json));
    return kind.name === 'politician' ? [party, group] : [politician];
  });
}
