import type { KindName } from '../../model/kinds.ts';
import type { Completeness } from '../kind-state.ts';
import { mirrorVersion } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import { readProgress, saveProgress } from './progress.ts';

/** How far this mirror has followed another one; moments ISO 8601. */
export type Following = {
  journal: string;
  /** Where it stands in each kind, in the other's words. */
  positions: Partial<Record<KindName, string>>;
  /** How much the other one holds of each kind. */
  completeness: Partial<Record<KindName, Completeness | null>>;
  /** The newest moment that the other one knew of. */
  newest: string | null;
  /** What is newer than that came with the last run. */
  since: string;
  /** The run that followed last, and what it left: when the mirror was filled, and at which version it was. */
  run: number;
  filledAt: string | null;
  version: number;
};

const stage = 'mirror';

/** How far this mirror has followed the one at that address, or null if it does not. */
export function readFollowing(mirror: Mirror, origin: string): Following | null {
  return readProgress<Following>(mirror, origin, stage) ?? null;
}

/** Keeps how far it followed; to be called in the transaction that saved the records. */
export function saveFollowing(
  mirror: Mirror,
  { origin, at }: { origin: string; at: string },
  following: Omit<Following, 'version'>,
): void {
  saveProgress(mirror, { origin, stage, at }, { ...following, version: mirrorVersion(mirror) });
}

/** True if nobody else wrote records since it last followed. */
export function isAsFollowed(mirror: Mirror, { version }: Following): boolean {
  return mirrorVersion(mirror) === version;
}

/** What is newer than that came with a run that followed; null where that run did not, or other means came after it. */
export function followedSince(mirror: Mirror, run: number, filledAt: string | null): string | null {
  const states = mirror.column<string>('SELECT state FROM progress WHERE stage = ?').all(stage);
  const last = states
    .map((state) => JSON.parse(state) as Following)
    .find((following) => following.run === run && following.filledAt === filledAt);
  return last?.since ?? null;
}

/** True if the mirror keeps something that a record of another mirror would replace: former versions, withdrawals. */
export function hasHistory(mirror: Mirror): boolean {
  const found = mirror.column<number>(
    'SELECT EXISTS (SELECT 1 FROM version) OR EXISTS (SELECT 1 FROM record WHERE withdrawn IS NOT NULL)',
  );
  return found.get() === 1;
}

/** True if all that the mirror holds came from the service at that address, and nothing of it ever changed. */
export function holdsOnlyFrom(mirror: Mirror, origin: string): boolean {
  const others = mirror
    .column<number>('SELECT count(*) FROM kind_state WHERE origin IS NOT NULL AND origin <> ?')
    .get(origin);
  return others === 0 && !hasHistory(mirror);
}
