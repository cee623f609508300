import { type Kind, type KindName, recordRange } from '../../model/kinds.ts';
import { bumpVersion } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import { kindOfRecord } from '../record.ts';
import type { NumberSet } from '../word-index/number-set.ts';
import { removeFromIndex } from '../word-index/search-index.ts';

/** Number of unlisted records that were withdrawn, and that were only marked unseen. */
export type Missed = { withdrawn: number; unseen: number };

/**
 * Withdraws records missing from two complete enumerations in a row, since one may be wrong: lists shift while they are
 * paged, and a body may be truncated at a row boundary. Records missing from one are marked unseen and stay current.
 * `isProof` if one is enough: it cannot be truncated or shifted, or a person confirms it. `seen` holds the numbers within
 * the kind of all listed records. Call it in the transaction that saved the enumeration.
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

/** Returns a function that clears the unseen mark of a listed record. */
export function unseenNoMore(mirror: Mirror, kind: Kind): (id: number) => void {
  return hasUnseen(mirror, kind) ? (id) => forget(mirror, id) : () => {};
}

function forget(mirror: Mirror, id: number): void {
  mirror.sql('DELETE FROM unseen WHERE record = ?').run(id);
}

/** True if the last enumeration of a kind lacked any record. */
export function hasUnseen(mirror: Mirror, kind: Kind): boolean {
  return countUnseen(mirror, kind).unseen > 0;
}

/** Number of unseen records of a kind, and the earliest time, ISO 8601. */
export function countUnseen(mirror: Mirror, kind: Kind): { unseen: number; unseen_since: string | null } {
  const { first, last } = recordRange(kind);
  return mirror
    .sql<{ unseen: number; unseen_since: string | null }>(
      'SELECT count(*) AS unseen, min(since) AS unseen_since FROM main.unseen WHERE record BETWEEN ? AND ?',
    )
    .get(first, last)!;
}

/** A record marked unseen, as replicas have it. */
export type UnseenRecord = { kind: KindName; key: string; since: string };

/** The unseen records of these kinds. */
export function unseenRows(mirror: Mirror, kinds: readonly Kind[]): UnseenRecord[] {
  return mirror
    .sql<{ record: number; key: string; since: string }>(
      'SELECT record, key, since FROM unseen JOIN record ON id = record ORDER BY record',
    )
    .all()
    .map(({ record, key, since }) => ({ kind: kindOfRecord(record).name, key, since }))
    .filter(({ kind }) => kinds.some(({ name }) => name === kind));
}

/** Replaces the unseen records of a kind with those of another mirror. */
export function saveUnseen(mirror: Mirror, kind: Kind, unseen: UnseenRecord[]): void {
  const { first, last } = recordRange(kind);
  mirror.sql('DELETE FROM unseen WHERE record BETWEEN ? AND ?').run(first, last);
  const add = mirror.sql(
    'INSERT OR REPLACE INTO unseen (record, since) SELECT id, ? FROM record WHERE kind = ? AND key = ? AND withdrawn IS NULL',
  );
  for (const { key, since } of unseen) add.run(since, kind.name, key);
}
