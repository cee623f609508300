import type { KindName } from '../../model/kinds.ts';
import type { Completeness } from '../kind-state.ts';
import { type Mirror, mirrorVersion } from '../mirror.ts';
import { readProgress, saveProgress } from './progress.ts';

/** Replication state of this mirror; times ISO 8601. */
export type ReplicationState = {
  journal: string;
  /** Position per kind, opaque to this mirror. */
  positions: Partial<Record<KindName, string>>;
  completeness: Partial<Record<KindName, Completeness | null>>;
  /** Newest time in the other mirror. */
  newest: string | null;
  /** Records newer than this came with the last run. */
  since: string;
  /** Last run that followed, with the fill time and mirror version that it left: another one means other writes. */
  run: number;
  filledAt: string | null;
  version: number;
};

const stage = 'mirror';

/** Reads the replication state for an address, or null. */
export function readReplication(mirror: Mirror, origin: string): ReplicationState | null {
  return readProgress<ReplicationState>(mirror, origin, stage) ?? null;
}

/** Saves the replication state; call it in the transaction that saves the records. */
export function saveReplication(
  mirror: Mirror,
  { origin, at }: { origin: string; at: string },
  replication: Omit<ReplicationState, 'version'>,
): void {
  saveProgress(mirror, { origin, stage, at }, { ...replication, version: mirrorVersion(mirror) });
}

/** Time after which records came with that run; null if it did not follow, or if another fill came later. */
export function replicatedSince(mirror: Mirror, run: number, filledAt: string | null): string | null {
  const sql = `SELECT state ->> '$.since' FROM progress
    WHERE stage = ? AND state ->> '$.run' = ? AND state ->> '$.filledAt' IS ?`;
  return mirror.column<string>(sql).get(stage, run, filledAt) ?? null;
}

/** True if everything in the mirror came from that address, without history that replication would overwrite. */
export function holdsOnlyRecordsOf(mirror: Mirror, origin: string): boolean {
  const sql = `SELECT NOT EXISTS (SELECT 1 FROM kind_state WHERE origin <> ?) AND NOT EXISTS (SELECT 1 FROM version)
    AND NOT EXISTS (SELECT 1 FROM record WHERE withdrawn IS NOT NULL)`;
  return mirror.column<number>(sql).get(origin) === 1;
}
