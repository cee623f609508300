import type { Mirror } from '../store/mirror.ts';
import { newestMoment } from '../store/runs.ts';

/**
 * A clock that never shows a moment before the newest that the mirror holds: versions follow one another even if the
 * clock of this machine was set back. `behindMs` is by how much it is behind, 0 if it is not.
 */
export function steadyClock(
  mirror: Mirror,
  now: () => number = Date.now,
): { now: () => number; behindMs: number } {
  const newestMs = Date.parse(newestMoment(mirror) ?? '') || 0;
  return { now: () => Math.max(now(), newestMs), behindMs: Math.max(0, newestMs - now()) };
}
