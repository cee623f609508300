import { type Kind, type KindName, recordRange } from '../../model/kinds.ts';
import { isNamedKind } from '../../names/name-index.ts';
import { bumpVersion, readMeta, saveMeta } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import { kindOfRecord } from '../record.ts';
import type { NumberSet } from '../word-index/number-set.ts';
import { removeFromIndex } from '../word-index/search-index.ts';
import { hasOwnerSql, type VerificationAnswer } from './verification.ts';

/** Number of missing records that were withdrawn, only marked, or kept by the guard. */
export type MissingTally = { withdrawn: number; marked: number; guarded: number };

const hourMs = 3_600_000;

/** Least interval between lists of different days: a nightly sync may start a little earlier. */
const anotherDayMs = 20 * hourMs;

const guardWindowMs = 30 * 24 * hourMs;

/** Fewer records missing at an end of a list are no sign of truncation. */
const leastCut = 3;

type Enumeration = {
  /** Numbers within the kind of all listed records. */
  seenNumbers: NumberSet;
  at: string;
  /** True if a user confirms that the missing records no longer exist. */
  isConfirmed: boolean;
  /** Share of records (0 to 1) that lists may withdraw within thirty days. */
  maxShrink?: number;
  /** Returns ids of records withdrawn since then that are listed under another key: they are not lost. */
  renamed?: (since: string) => { has(id: number): boolean };
};

type Unlisted = {
  id: number;
  key: string;
  date: string;
  dated: string | null;
  isOwned: 0 | 1;
  since: string | null;
  answer: VerificationAnswer | null;
};

/**
 * Marks records missing from a complete enumeration, and withdraws those with enough evidence: for politicians, parties and
 * facts of profiles an answer of their address, for others two lists on different days. Runs inside the caller's transaction.
 */
export function withdrawMissing(
  mirror: Mirror,
  kind: Kind,
  { seenNumbers, at, isConfirmed, maxShrink = 1, renamed = () => new Set() }: Enumeration,
): MissingTally {
  const { first, last } = recordRange(kind);
  const sql = `SELECT id, key, date, nullif(date, '') AS dated, ${hasOwnerSql} AS isOwned, since, answer FROM record
    LEFT JOIN unseen ON unseen.record = id LEFT JOIN doubt ON doubt.record = id
    WHERE id BETWEEN ? AND ? AND withdrawn IS NULL ORDER BY id`;
  const currentRecords = mirror.sql<Unlisted>(sql).all(first, last);
  const missing = currentRecords.filter(({ id }) => !seenNumbers.has(id - first));
  const missingTally: MissingTally = { withdrawn: 0, marked: 0, guarded: 0 };
  const mark = mirror.sql('INSERT OR IGNORE INTO unseen (record, since) VALUES (?, ?)');
  if (!isConfirmed) for (const { id } of missing) missingTally.marked += mark.run(id, at).changes;
  const cut = isConfirmed || missing.length < leastCut ? new Set() : cutFrom(kind, currentRecords, missing);
  // Addresses verify politicians, parties and facts in profiles (`sync/withdrawal-verification.ts`); others need lists of two days.
  const isTwice = isTwiceMissing(kind, at);
  const toWithdraw = isConfirmed ? missing : missing.filter((record) => isTwice(record) && !cut.has(record.id));
  if (!isConfirmed && !isWithinGuard(mirror, kind, { toWithdraw, at, maxShrink, renamed }))
    return { ...missingTally, guarded: toWithdraw.length };
  for (const { id } of toWithdraw) withdraw(mirror, id, at);
  if (isConfirmed && toWithdraw.length > 0) saveMeta(mirror, acceptedMeta(kind), at);
  return { ...missingTally, withdrawn: toWithdraw.length };
}

/** Orders of a feed, which begins with the newest day: records without a day stand behind the oldest, or before all. */
const feedOrders = ['date', 'dated'] as const;

/** Orders in which services list records: as they came, by key, by day. */
const listOrders = ['id', 'key', ...feedOrders] as const;

/** Missing records at an end of the list, in any order that it may have, as after truncation. */
function cutFrom({ dataset }: Kind, currentRecords: Unlisted[], missing: Unlisted[]): Set<number> {
  const isMissing = new Set(missing.map(({ id }) => id));
  const cut = new Set<number>();
  for (const order of dataset ? listOrders : feedOrders) {
    const listed = currentRecords.filter((record) => record[order] !== null && !isMissing.has(record.id));
    if (listed.length === 0) continue;
    const [least, greatest] = listed.reduce(
      ([low, high], { [order]: position }) => [position! < low! ? position : low, position! > high! ? position : high],
      [listed[0]![order], listed[0]![order]],
    );
    for (const end of [
      missing.filter(({ [order]: position }) => position !== null && position < least!),
      !dataset ? [] : missing.filter(({ [order]: position }) => position !== null && position > greatest!),
    ])
      if (end.length >= leastCut) for (const { id } of end) cut.add(id);
  }
  return cut;
}

/** Returns a predicate: true if an earlier day's list lacked the record too and no address can verify it. */
function isTwiceMissing(kind: Kind, at: string): (record: Unlisted) => boolean {
  return ({ since, isOwned, answer }) => {
    const hasAddress = isNamedKind(kind) || (kind.dataset && isOwned === 1);
    const isVerifiable = hasAddress && answer !== 'untold';
    return since !== null && Date.parse(at) - Date.parse(since) >= anotherDayMs && !isVerifiable;
  };
}

type Loss = Required<Pick<Enumeration, 'at' | 'maxShrink' | 'renamed'>> & { toWithdraw: Unlisted[] };

/** True if the withdrawals stay within the guard; accepted losses and renames do not count. */
function isWithinGuard(mirror: Mirror, kind: Kind, { toWithdraw, at, maxShrink, renamed }: Loss): boolean {
  const { first, last } = recordRange(kind);
  const windowStart = new Date(Date.parse(at) - guardWindowMs).toISOString();
  const accepted = readMeta(mirror, acceptedMeta(kind)) ?? '';
  const withdrawnSince = mirror.column<number>(
    'SELECT id FROM record WHERE withdrawn > max(?, ?) AND +id BETWEEN ? AND ?',
  );
  const currentCount = mirror
    .column<number>('SELECT count(*) FROM record WHERE id BETWEEN ? AND ? AND withdrawn IS NULL')
    .get(first, last)!;
  const before = withdrawnSince.all(windowStart, accepted, first, last).length;
  if (toWithdraw.length + before <= maxShrink * (currentCount + before)) return true;
  // Withdraw them provisionally to see which only have another key.
  mirror.sql('SAVEPOINT guard').run();
  const mark = mirror.sql('UPDATE record SET withdrawn = ? WHERE id = ?');
  for (const { id } of toWithdraw) mark.run(at, id);
  const renamedIds = renamed(windowStart);
  const lost = withdrawnSince.all(windowStart, accepted, first, last).filter((id) => !renamedIds.has(id)).length;
  mirror.database.exec('ROLLBACK TO guard; RELEASE guard');
  return lost <= maxShrink * (currentCount - toWithdraw.length + lost);
}

const acceptedMeta = ({ name }: Kind) => `shrink_accepted_${name}` as const;

/** Withdraws one record; call it in a transaction. */
export function withdraw(mirror: Mirror, id: number, at: string): void {
  mirror.sql('UPDATE record SET withdrawn = ? WHERE id = ?').run(at, id);
  removeFromIndex(mirror, id);
  forget(mirror, id);
  bumpVersion(mirror);
}

/** Returns a function that clears the missing mark of a listed record. */
export function createSeenMarker(mirror: Mirror, kind: Kind): (id: number) => void {
  return hasMissing(mirror, kind) ? (id) => forget(mirror, id) : () => {};
}

function forget(mirror: Mirror, id: number): void {
  mirror.sql('DELETE FROM unseen WHERE record = ?').run(id);
  mirror.sql('DELETE FROM doubt WHERE record = ?').run(id);
}

/** True if the last enumeration of a kind lacked any record. */
export const hasMissing = (mirror: Mirror, kind: Kind): boolean => countMissing(mirror, kind).unseen > 0;

/** Number of missing records of a kind, and since when the first is missing, ISO 8601. */
export function countMissing(mirror: Mirror, kind: Kind): { unseen: number; unseen_since: string | null } {
  const { first, last } = recordRange(kind);
  const sql = 'SELECT count(*) AS unseen, min(since) AS unseen_since FROM main.unseen WHERE record BETWEEN ? AND ?';
  return mirror.sql<{ unseen: number; unseen_since: string | null }>(sql).get(first, last)!;
}

/** A record marked as missing, as replicas transfer it. */
export type MissingRecord = { kind: KindName; key: string; since: string };

/** The missing records of these kinds. */
export function missingRows(mirror: Mirror, kinds: readonly Kind[]): MissingRecord[] {
  const sql = 'SELECT record, key, since FROM unseen JOIN record ON id = record ORDER BY record';
  return mirror
    .sql<{ record: number; key: string; since: string }>(sql)
    .all()
    .map(({ record, key, since }) => ({ kind: kindOfRecord(record).name, key, since }))
    .filter(({ kind }) => kinds.some(({ name }) => name === kind));
}

/** Replaces the missing records of a kind with those of another mirror. */
export function saveMissing(mirror: Mirror, kind: Kind, missingRecords: MissingRecord[]): void {
  const { first, last } = recordRange(kind);
  for (const table of ['unseen', 'doubt'])
    mirror.sql(`DELETE FROM ${table} WHERE record BETWEEN ? AND ?`).run(first, last);
  const add = mirror.sql(
    'INSERT OR REPLACE INTO unseen (record, since) SELECT id, ? FROM record WHERE kind = ? AND key = ? AND withdrawn IS NULL',
  );
  for (const { key, since } of missingRecords) add.run(since, kind.name, key);
}
