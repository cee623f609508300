import pThrottle from 'p-throttle';
import { RateLimitedError } from '../errors.ts';

/** Budget of all processes (`store/budget.ts`): `take` returns the ms to wait, 0 if granted; `block` bars for `ms`. */
export type SharedBudget = { take(nowMs: number, isUrgent?: boolean): number; block(nowMs: number, ms: number): void };

/** Limits the rate of requests. */
export type Pace = ReturnType<typeof createPace>;

/** Options of a pace; `rate` is the maximum number of requests a minute in this process. */
export type PaceOptions = {
  rate: number;
  /** Origin of the service, whose URLs `pause` affects; all URLs if absent. */
  origin?: string;
  budget: SharedBudget;
  /** True for interactive requests, which take precedence over a sync. */
  isUrgent?: boolean;
  /** A monotonic clock in milliseconds; the system clock where there is none. */
  now: () => number;
  /** The system clock, for moments shown to users; `now` by default. */
  wallNow?: () => number;
  sleep: (ms: number) => Promise<unknown>;
  onWait?: (ms: number) => void; // before a long wait for the budget
  signal?: AbortSignal;
};

/** If wall clock and monotonic clock diverge by more, the system clock was set. */
const minClockJumpMs = 1000;

/** A longer wait is an error. */
const maxWaitMs = 15 * 60_000;

/** Shorter waits are the normal pace of evenly spread requests. */
const minReportedWaitMs = 2500;

/** Creates a pace from the shared budget of this user's processes, and p-throttle for this process. */
export function createPace(options: PaceOptions) {
  const { rate, origin, budget, isUrgent = false, now, wallNow = now, sleep, onWait, signal } = options;
  const createThrottle = () => pThrottle({ limit: rate, interval: 60_000, strict: true, signal })(async () => {});
  let throttle = createThrottle();
  let clockOffsetMs = wallNow() - now();
  /** Replaces p-throttle after the system clock was set: the old one reads it and would wait for the difference. */
  function renewThrottle(): void {
    const newOffsetMs = wallNow() - now();
    if (Math.abs(newOffsetMs - clockOffsetMs) < minClockJumpMs) return;
    clockOffsetMs = newOffsetMs;
    throttle = createThrottle();
  }

  async function waitForBudget(url: string): Promise<void> {
    for (;;) {
      const waitMs = budget.take(now(), isUrgent);
      if (waitMs <= 0) return;
      if (waitMs > maxWaitMs) throw new RateLimitedError(url, { waitMs, nowMs: wallNow() });
      if (waitMs > minReportedWaitMs) onWait?.(waitMs);
      await sleep(waitMs);
    }
  }

  async function passThrottle(url: string, reportWait?: (ms: number) => void): Promise<void> {
    const beganMs = now();
    // `now` may be the system clock, which may have been set back.
    using _ = { [Symbol.dispose]: () => reportWait?.(Math.max(0, now() - beganMs)) };
    await waitForBudget(url);
    renewThrottle();
    await throttle();
  }

  // Requests queue one behind another, so that no wait is counted twice.
  let previousSlot: Promise<unknown> = Promise.resolve();
  return {
    /** Resolves when a request to that URL may start, and reports the wait; throws a RateLimitedError if too long. */
    waitForSlot(url: string, reportWait?: (ms: number) => void): Promise<void> {
      const slot = previousSlot.then(() => passThrottle(url, reportWait));
      previousSlot = slot.catch(() => {});
      return slot;
    },
    /** Pauses the requests of all processes for `ms`; does nothing if the URL has another origin. */
    pause(ms: number, url: string): void {
      if (origin === undefined || new URL(url).origin === origin) budget.block(now(), ms);
    },
  };
}
