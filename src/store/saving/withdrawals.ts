import { idBounds, type Kind } from '../../model/kinds.ts';
import { isNamedKind } from '../../names/name-index.ts';
import { bumpVersion, type Mirror, readMeta, saveMeta } from '../mirror.ts';
import { saveRenames } from '../renames.ts';
import { removeFromIndex } from '../word-index/search-index.ts';
import { type Evidence, isWithdrawalProven, minDayIntervalMs, type Route } from './evidence.ts';
import { type MissingTally, saveObservation } from './missing-records.ts';
import { recordsCiting, refreshSourceUses } from './source-uses.ts';
import { hasOwnerSql } from './verification.ts';

/** Two days of evidence suffice while a kind's losses of one night are within this limit; above it, three do. */
const nightLimit = { periodMs: minDayIntervalMs, maxCount: 3, maxShare: 0.05 };

/** Minimum number of records missing at an end of a list to suspect truncation. */
const minTruncatedRecords = 3;

/** `maxShrink`: largest share of records to withdraw within thirty days; 1: a user accepts any, after one day. */
type WithdrawalOptions = { at: string; maxShrink: number };

type CurrentRecord = { id: number; key: string; date: string; dateOrNull: string | null; hasPolitician: 0 | 1 };

/** In a transaction: withdraws the missing records of a kind whose evidence suffices, unless too many are missing. */
export function withdrawMissing(mirror: Mirror, kind: Kind, options: WithdrawalOptions): MissingTally {
  const { at, maxShrink } = options;
  const isAccepted = maxShrink >= 1;
  const tally: MissingTally = { withdrawn: 0, marked: 0, blocked: 0 }; // `marked` is a correction: at most 0
  if (kind.name === 'source') saveCitations(mirror, kind, at);
  const sql = `SELECT record, route, finding, days, since, at FROM evidence
    WHERE record BETWEEN ? AND ? AND record IN (SELECT record FROM main.unseen)`;
  const rows = mirror.sql<Evidence & { record: number }>(sql).all(...idBounds(kind));
  const evidenceByRecord = Map.groupBy(rows, ({ record }) => record);
  if (evidenceByRecord.size === 0) return tally;
  const findProvenIds = createProvenIdFinder(mirror, kind, { evidenceByRecord, isAccepted });
  let idsToWithdraw = findProvenIds(isAccepted ? 1 : 2);
  if (!isAccepted && idsToWithdraw.length > 0) {
    // This limit counts all unlisted records, proven or not: a list that lacks many may be truncated.
    const unlistedIds = rows.filter(({ route }) => route === 'list').map(({ record }) => record);
    if (exceedsLossLimit(mirror, kind, { at, ids: unlistedIds, ...nightLimit })) idsToWithdraw = findProvenIds(3);
    const monthLimit = { periodMs: 30 * 86_400_000, maxShare: maxShrink, maxCount: 0 };
    if (exceedsLossLimit(mirror, kind, { at, ids: idsToWithdraw, ...monthLimit }))
      return { ...tally, blocked: idsToWithdraw.length };
  }
  for (const id of idsToWithdraw) {
    // `saveUnlisted` counted this record as newly missing; correct that number, since it is withdrawn now.
    if (evidenceByRecord.get(id)!.every(({ days }) => days === 1)) tally.marked -= 1;
    withdraw(mirror, id, at);
  }
  if (isAccepted) saveMeta(mirror, acceptedMetaKey(kind), at);
  return { ...tally, withdrawn: idsToWithdraw.length };
}

/** Saves whether current records cite the missing sources. */
function saveCitations(mirror: Mirror, kind: Kind, at: string): void {
  refreshSourceUses(mirror);
  const sql = 'SELECT id, key FROM main.unseen JOIN record ON id = record WHERE id BETWEEN ? AND ?';
  for (const { id, key } of mirror.sql<{ id: number; key: string }>(sql).all(...idBounds(kind))) {
    const finding = recordsCiting(mirror, key, 0).total > 0 ? 'present' : 'absent';
    saveObservation(mirror, id, { route: 'citation', finding, at });
  }
}

/** Returns a function that lists the missing records whose withdrawal is proven by evidence of `days` days. */
function createProvenIdFinder(
  mirror: Mirror,
  kind: Kind,
  { evidenceByRecord, isAccepted }: { evidenceByRecord: ReadonlyMap<number, Evidence[]>; isAccepted: boolean },
): (days: number) => number[] {
  const sql = `SELECT id, key, date, nullif(date, '') AS dateOrNull, ${hasOwnerSql} AS hasPolitician FROM record
    WHERE id BETWEEN ? AND ? AND withdrawn IS NULL ORDER BY id`;
  const currentRecords = mirror.sql<CurrentRecord>(sql).all(...idBounds(kind));
  const missing = currentRecords.filter(({ id }) => evidenceByRecord.has(id));
  const skipsTruncationCheck = isAccepted || missing.length < minTruncatedRecords;
  const missingAtListEnd = skipsTruncationCheck ? new Set() : findMissingAtEnds(kind, currentRecords, missing);
  // A withdrawal is confirmed by the record's own address (named kinds), or by its politician's profile.
  const ownRoute: Route | null = isNamedKind(kind) ? 'address' : null;
  const isProven = ({ id, hasPolitician }: CurrentRecord, days: number) => {
    const secondRoute = ownRoute ?? (kind.dataset && hasPolitician ? 'profile' : null);
    return isWithdrawalProven(evidenceByRecord.get(id)!, { secondRoute, days, isAtListEnd: missingAtListEnd.has(id) });
  };
  return (days) => missing.filter((record) => isProven(record, days)).map(({ id }) => id);
}

/** Sort fields of a feed, newest day first: `date` puts records without a day last, `dateOrNull` omits them. */
const feedOrders = ['date', 'dateOrNull'] as const;

/** Sort fields in which services list records: by arrival, by key, by day. */
const listOrders = ['id', 'key', ...feedOrders] as const;

/** Ids of missing records before the least or (not for feeds) after the greatest listed value: a truncated end. */
function findMissingAtEnds({ dataset }: Kind, currentRecords: CurrentRecord[], missing: CurrentRecord[]): Set<number> {
  const missingIds = new Set(missing.map(({ id }) => id));
  const missingAtListEnd = new Set<number>();
  for (const order of dataset ? listOrders : feedOrders) {
    const listedRecords = currentRecords.filter((record) => record[order] !== null && !missingIds.has(record.id));
    if (listedRecords.length === 0) continue;
    const least = listedRecords.reduce((low, each) => (each[order]! < low[order]! ? each : low))[order]!;
    const greatest = listedRecords.reduce((high, each) => (each[order]! > high[order]! ? each : high))[order]!;
    const recordsInOrder = missing.filter((record) => record[order] !== null);
    const recordsBefore = recordsInOrder.filter((record) => record[order]! < least);
    const recordsAfter = dataset ? recordsInOrder.filter((record) => record[order]! > greatest) : [];
    for (const recordsAtEnd of [recordsBefore, recordsAfter])
      if (recordsAtEnd.length >= minTruncatedRecords) for (const { id } of recordsAtEnd) missingAtListEnd.add(id);
  }
  return missingAtListEnd;
}

/** Records to withdraw, and the limit for a period: a number of records, or if greater a share (0 to 1) of the kind. */
type LossLimit = { at: string; ids: number[] } & Record<'periodMs' | 'maxCount' | 'maxShare', number>;

/** True if withdrawing these records exceeds the limit of a period; accepted losses and renames do not count. */
function exceedsLossLimit(mirror: Mirror, kind: Kind, { ids, at, periodMs, maxCount, maxShare }: LossLimit): boolean {
  const since = new Date(Date.parse(at) - periodMs).toISOString();
  const acceptedAt = readMeta(mirror, acceptedMetaKey(kind)) ?? '';
  // Withdraw in a savepoint, so that `saveRenames` finds which records were only renamed; then roll back.
  mirror.sql('SAVEPOINT guard').run();
  const setWithdrawn = mirror.sql('UPDATE record SET withdrawn = ? WHERE id = ?');
  for (const id of ids) setWithdrawn.run(at, id);
  saveRenames(mirror, [kind]);
  const lostSql = `SELECT count(*) FROM record WHERE withdrawn > max(?, ?) AND +id BETWEEN ? AND ?
    AND id NOT IN (SELECT former FROM rename)`;
  const lostCount = mirror.column<number>(lostSql).get(since, acceptedAt, ...idBounds(kind))!;
  const currentSql = 'SELECT count(*) FROM record WHERE id BETWEEN ? AND ? AND withdrawn IS NULL';
  const currentCount = mirror.column<number>(currentSql).get(...idBounds(kind))!;
  mirror.database.exec('ROLLBACK TO guard; RELEASE guard');
  return lostCount > Math.max(maxCount, maxShare * (currentCount + lostCount));
}

/** Number of records missing since before a user accepted losses: later lists may lack them, too. */
export function countAcceptedMissing(mirror: Mirror, kind: Kind): number {
  const sql = 'SELECT count(*) FROM main.unseen WHERE record BETWEEN ? AND ? AND since <= ?';
  return mirror.column<number>(sql).get(...idBounds(kind), readMeta(mirror, acceptedMetaKey(kind)) ?? '')!;
}

const acceptedMetaKey = ({ name }: Kind) => `shrink_accepted_${name}` as const;

const mergeSql = `INSERT OR REPLACE INTO rename (former, latter, withdrawn, is_merge)
  SELECT one.id, other.id, one.withdrawn, 1 FROM evidence JOIN record AS one ON one.id = evidence.record
    JOIN record AS other ON other.kind = one.kind AND other.key = finding AND other.withdrawn IS NULL
  WHERE one.id = ? AND route = 'moved'`;

/** Withdraws a record; if its address moved to another record, saves a merge. Call it in a transaction. */
export function withdraw(mirror: Mirror, id: number, at: string): void {
  mirror.sql('UPDATE record SET withdrawn = ? WHERE id = ?').run(at, id);
  mirror.sql(mergeSql).run(id);
  removeFromIndex(mirror, id);
  mirror.sql('DELETE FROM evidence WHERE record = ?').run(id);
  bumpVersion(mirror);
}
