import { idBounds, type Kind, type KindName, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import type { NumberSet } from '../word-index/number-set.ts';
import { addObservation, type Evidence, type Observation } from './evidence.ts';

/** Returns a route's evidence after an observation; saves it, unless `absent` and older than the last change. */
export function saveObservation(mirror: Mirror, record: number, observation: Observation): Evidence {
  const sql = 'SELECT route, finding, days, since, at FROM evidence WHERE record = ? AND route = ?';
  const previous = mirror.sql<Evidence>(sql).get(record, observation.route);
  const evidence = addObservation(previous, observation);
  // A cached list or profile may be older than the record that it lacks.
  const lastChanged = mirror.column<string>('SELECT last_changed FROM record WHERE id = ?').get(record)!;
  const upsertSql = `INSERT OR REPLACE INTO evidence (record, route, finding, days, since, at)
    VALUES ($record, $route, $finding, $days, $since, $at)`;
  if (evidence !== previous && (evidence.finding !== 'absent' || evidence.at >= lastChanged))
    mirror.sql(upsertSql).run({ ...evidence, record });
  return evidence;
}

/** Missing records: `withdrawn`, newly missing (`marked`), and not withdrawn as too many are missing (`blocked`). */
export type MissingTally = { withdrawn: number; marked: number; blocked: number };

/** Ids of the current records of a kind whose numbers are not in `listedNumbers`. */
export function unlistedIds(mirror: Mirror, kind: Kind, listedNumbers: NumberSet): number[] {
  const { first } = recordRange(kind);
  const sql = 'SELECT id FROM record WHERE id BETWEEN ? AND ? AND withdrawn IS NULL';
  const ids = mirror.column<number>(sql).all(...idBounds(kind));
  return ids.filter((id) => !listedNumbers.has(id - first));
}

/** Saves that a list lacks the current records not in `listedNumbers`; returns how many are newly missing. */
export function saveUnlisted(
  mirror: Mirror,
  kind: Kind,
  { listedNumbers, at }: { listedNumbers: NumberSet; at: string },
): MissingTally {
  const missingBefore = countMissing(mirror, kind).unseen;
  for (const id of unlistedIds(mirror, kind, listedNumbers))
    saveObservation(mirror, id, { route: 'list', finding: 'absent', at });
  return { withdrawn: 0, marked: countMissing(mirror, kind).unseen - missingBefore, blocked: 0 };
}

/** Returns a function that deletes evidence of a listed record: no `detail`; `row` and `identity` only if unchanged. */
export function createEvidenceEraser(mirror: Mirror, kind: Kind): (id: number, isUnchanged: boolean) => void {
  const hasEvidence = mirror.sql('SELECT 1 FROM evidence WHERE record BETWEEN ? AND ? LIMIT 1').get(...idBounds(kind));
  const sql = "DELETE FROM evidence WHERE record = ? AND (route NOT IN ('row', 'identity') OR ?) AND route <> 'detail'";
  const deleteEvidence = mirror.sql(sql);
  return hasEvidence === undefined ? () => {} : (id, isUnchanged) => void deleteEvidence.run(id, Number(isUnchanged));
}

/** Saves a reversion to former content, else deletes its evidence; true if the reversion must wait for a second day. */
export function observeReversion(
  mirror: Mirror,
  { id, hash, isChange }: { id: number; hash: string | null; isChange: boolean },
  observation: Observation & { route: 'row' | 'detail' },
): boolean {
  const { route, finding } = observation;
  // `finding` is the hash of the new content. A withdrawn record that returns with its last content reverts, too.
  const findFormerState = mirror.sql('SELECT 1 FROM version WHERE record = ? AND part = ? AND hash = ?');
  const isReversion = isChange && (hash === finding || findFormerState.get(id, route, finding) !== undefined);
  if (isReversion && saveObservation(mirror, id, observation).days === 1) return true;
  mirror.sql('DELETE FROM evidence WHERE record = ? AND route = ?').run(id, route);
  return false;
}

/** True if another list must confirm that a record is missing, reverted or another person's; not if it is `present`. */
export function needsAnotherList(mirror: Mirror, kind: Kind): boolean {
  const sql = `SELECT 1 FROM evidence WHERE record BETWEEN ? AND ? AND route IN ('list', 'row', 'identity')
    AND record NOT IN (SELECT record FROM evidence WHERE finding = 'present') LIMIT 1`;
  return mirror.sql(sql).get(...idBounds(kind)) !== undefined;
}

/** Number of missing records of a kind, and since when the first is missing, ISO 8601; null for none. */
export function countMissing(mirror: Mirror, kind: Kind): { unseen: number; unseen_since: string | null } {
  const sql = 'SELECT count(*) AS unseen, min(since) AS unseen_since FROM main.unseen WHERE record BETWEEN ? AND ?';
  return mirror.sql<{ unseen: number; unseen_since: string | null }>(sql).get(...idBounds(kind))!;
}

/** A record marked as missing, as replicas transfer it. */
export type MissingRecord = { kind: KindName; key: string; since: string };

/** The missing records of these kinds. */
export function listMissing(mirror: Mirror, kinds: readonly Kind[]): MissingRecord[] {
  const sql = `SELECT kind, key, since FROM main.unseen JOIN main.record ON id = record
    WHERE kind IN (SELECT value FROM json_each(?)) ORDER BY record`;
  return mirror.sql<MissingRecord>(sql).all(JSON.stringify(kinds.map(({ name }) => name)));
}

/** Replaces all evidence of a kind with the missing records of another mirror. */
export function replaceMissing(mirror: Mirror, kind: Kind, missingRecords: MissingRecord[]): void {
  mirror.sql('DELETE FROM evidence WHERE record BETWEEN ? AND ?').run(...idBounds(kind));
  const idSql = 'SELECT id FROM record WHERE kind = ? AND key = ? AND withdrawn IS NULL';
  for (const { key, since } of missingRecords) {
    const id = mirror.column<number>(idSql).get(kind.name, key);
    if (id !== undefined) saveObservation(mirror, id, { route: 'list', finding: 'absent', at: since });
  }
}
