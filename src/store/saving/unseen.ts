import type { Kind, KindName } from '../../model/kinds.ts';
import { hasAddedTable } from '../added-tables.ts';
import { bumpVersion } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import { kindOfRecord, recordRange } from '../record.ts';
import type { NumberSet } from '../word-index/number-set.ts';
import { removeFromIndex } from '../word-index/search-index.ts';

/** What became of the records that an enumeration did not list. */
export type Missed = { withdrawn: number; unseen: number };

/**
 * Withdraws what two enumerations in a row did not list. One may be mistaken: a list that is walked moves under the
 * walk, a body may be cut where a row ends. What one alone lacks is not withdrawn but noted as not seen since, and is
 * answered as before. `isProof` is true where one is enough, because it cannot have been cut or moved unnoticed, or
 * because a person says that the service means it. `seen` holds the numbers, within the kind, of all that was listed by
 * an enumeration that reached its end in one go. To be used in the transaction that saved the enumeration.
 */
export function withdrawUnseen(
  mirror: Mirror,
  kind: Kind,
  { seen, at, isProof }: { seen: NumberSet; at: string; isProof: boolean },
): Missed {
  const { first, last } = recordRange(kind);
  const ids = mirror
    .column<number>('SELECT id FROM record WHERE id BETWEEN ? AND ? AND withdrawn IS NULL')
    .all(first, last);
  const before = new Set(unseenIds(mirror, kind));
  const missed: Missed = { withdrawn: 0, unseen: 0 };
  for (const id of ids) {
    if (seen.has(id - first)) continue;
    if (!isProof && !before.has(id)) {
      mirror.sql('INSERT INTO unseen (record, since) VALUES (?, ?)').run(id, at);
      missed.unseen += 1;
      continue;
    }
    mirror.sql('UPDATE record SET withdrawn = ? WHERE id = ?').run(at, id);
    removeFromIndex(mirror, id);
    if (before.has(id)) forget(mirror, id);
    missed.withdrawn += 1;
  }
  if (missed.withdrawn > 0) bumpVersion(mirror);
  return missed;
}

function unseenIds(mirror: Mirror, kind: Kind): number[] {
  const { first, last } = recordRange(kind);
  return mirror.column<number>('SELECT record FROM unseen WHERE record BETWEEN ? AND ?').all(first, last);
}

/** A function that clears the unseen mark of a record that is listed again. */
export function unseenNoMore(mirror: Mirror, kind: Kind): (id: number) => void {
  return hasUnseen(mirror, kind) ? (id) => forget(mirror, id) : () => {};
}

function forget(mirror: Mirror, id: number): void {
  mirror.sql('DELETE FROM unseen WHERE record = ?').run(id);
}

/** True if any record of a kind was not seen the last time. */
export function hasUnseen(mirror: Mirror, kind: Kind): boolean {
  const { first, last } = recordRange(kind);
  if (!hasAddedTable(mirror, 'unseen')) return false;
  return (
    mirror.sql('SELECT 1 FROM main.unseen WHERE record BETWEEN ? AND ? LIMIT 1').get(first, last) !==
    undefined
  );
}

/** How many records of a kind were not seen the last time, and since when the first of them, ISO 8601. */
export function countUnseen(mirror: Mirror, kind: Kind): { unseen: number; unseen_since: string | null } {
  const { first, last } = recordRange(kind);
  if (!hasAddedTable(mirror, 'unseen')) return { unseen: 0, unseen_since: null };
  return mirror
    .sql<{ unseen: number; unseen_since: string | null }>(
      'SELECT count(*) AS unseen, min(since) AS unseen_since FROM main.unseen WHERE record BETWEEN ? AND ?',
    )
    .get(first, last)!;
}

/** One record that was once not seen, as another mirror is told of it. */
export type StoredUnseen = { kind: KindName; key: string; since: string };

/** The records of these kinds that were once not seen. */
export function unseenRows(mirror: Mirror, kinds: readonly Kind[]): StoredUnseen[] {
  if (!hasAddedTable(mirror, 'unseen')) return [];
  return mirror
    .sql<{ record: number; key: string; since: string }>(
      'SELECT record, key, since FROM unseen JOIN record ON id = record ORDER BY record',
    )
    .all()
    .map(({ record, key, since }) => ({ kind: kindOfRecord(record).name, key, since }))
    .filter(({ kind }) => kinds.some(({ name }) => name === kind));
}

/** Takes over what another mirror says of a kind: which of its records were once not seen. */
export function saveUnseen(mirror: Mirror, kind: Kind, unseen: StoredUnseen[]): void {
  const { first, last } = recordRange(kind);
  mirror.sql('DELETE FROM unseen WHERE record BETWEEN ? AND ?').run(first, last);
  const add = mirror.sql(
    'INSERT OR REPLACE INTO unseen (record, since) SELECT id, ? FROM record WHERE kind = ? AND key = ? AND withdrawn IS NULL',
  );
  for (const { key, since } of unseen) add.run(since, kind.name, key);
}
