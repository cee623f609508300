import type { KindName } from '../../model/kinds.ts';
import type { Completeness } from '../kind-state.ts';
import { type Mirror, mirrorVersion } from '../mirror.ts';
import { readProgress, saveProgress } from './progress.ts';

/** How far this mirror has replicated another one, which it follows; times ISO 8601. */
export type ReplicationState = {
  journal: string; // of the other mirror
  /** Position per kind, opaque to this mirror. */
  positions: Partial<Record<KindName, string>>;
  completeness: Partial<Record<KindName, Completeness | null>>;
  /** Newest time in the other mirror. */
  newest: string | null;
  /** Records received after this time came with the last run. */
  since: string;
  /** Id of the last replication run; the next two are as they were after it, and later writes change them. */
  run: number;
  filledAt: string | null; // meta `synced_at`
  version: number; // of this mirror
};

const stage = 'mirror';

/** The replication state for the mirror at an address; null if it was never followed. */
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

/** `since` of a replication run that left `synced_at` at `filledAt`; null if the run was no replication or did not. */
export function replicationStartOf(mirror: Mirror, run: number, filledAt: string | null): string | null {
  const sql = `SELECT state ->> '$.since' FROM progress
    WHERE stage = ? AND state ->> '$.run' = ? AND state ->> '$.filledAt' IS ?`;
  return mirror.column<string>(sql).get(stage, run, filledAt) ?? null;
}

/** True if all records came from that address, and there is no history that a replication would overwrite. */
export function hasOnlyRecordsOf(mirror: Mirror, origin: string): boolean {
  const sql = `SELECT NOT EXISTS (SELECT 1 FROM kind_state WHERE origin <> ?) AND NOT EXISTS (SELECT 1 FROM version)
    AND NOT EXISTS (SELECT 1 FROM record WHERE withdrawn IS NOT NULL)`;
  return mirror.column<number>(sql).get(origin) === 1;
}
