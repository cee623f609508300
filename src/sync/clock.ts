import { ClockError, ServiceAnswerError } from '../errors.ts';
import type { Mirror } from '../store/mirror.ts';
import { newestTime } from '../store/syncs/runs.ts';
import { say } from '../words/speech.ts';
import { isoTime } from './context.ts';

/** A larger difference between two clocks means that one is wrong. */
const maxClockDifferenceMs = 86_400_000;

/**
 * Returns a monotonic clock that starts after all times in the mirror; `behindMs`: how far the system clock is behind.
 * Throws a ClockError if that is more than a day, unless the user accepts the clock of this machine.
 */
export function createRunClock(
  mirror: Mirror,
  { isAccepted, now = Date.now }: { isAccepted: boolean; now?: () => number },
) {
  const newest = newestTime(mirror);
  const newestMs = Date.parse(newest ?? '') || 0;
  const startMs = now();
  if (!isAccepted && newestMs - startMs > maxClockDifferenceMs)
    throw new ClockError(
      say`the latest time in ${mirror.path} is ${newest!}, but the clock of this machine says ${isoTime(startMs)}: one of them is wrong; nothing was saved`,
      say`if the clock is wrong, set it and run again; if it is right, use --accept-clock: times then count from the mirror’s latest`,
    );
  const shiftMs = newestMs >= startMs ? newestMs + 1 - startMs : 0;
  let lastMs = 0;
  return {
    now() {
      lastMs = Math.max(lastMs, now() + shiftMs);
      return lastMs;
    },
    behindMs: Math.max(0, newestMs - startMs),
  };
}

/** Returns a check of `Date` headers until one is right: the first wrong one fails its URL, the second ends the run. */
export function createClockGuard(now: () => number = Date.now): (serviceMs: number, url: string) => void {
  let hasRightDate = false;
  let hasWrongDate = false;
  return (serviceMs, url) => {
    hasRightDate ||= Math.abs(now() - serviceMs) <= maxClockDifferenceMs;
    if (hasRightDate) return;
    if (hasWrongDate) refuseWrongClock(serviceMs, now());
    hasWrongDate = true;
    throw new ServiceAnswerError(url, say`its Date is ${isoTime(serviceMs)}, more than a day from this clock`);
  };
}

/** Throws a ClockError if the clocks of this machine and the service are far apart. */
export function refuseWrongClock(serviceMs: number, nowMs: number): void {
  if (Math.abs(nowMs - serviceMs) <= maxClockDifferenceMs) return;
  throw new ClockError(
    say`the clock of this machine says ${isoTime(nowMs)}, but the service says ${isoTime(serviceMs)}: records would get wrong times; nothing was saved`,
    say`set the clock of this machine and run again; if the clock of the service is wrong, use \`hemicycle sync --accept-clock\``,
  );
}
