import pThrottle from 'p-throttle';
import { RateLimitedError } from '../errors.ts';

/** A request budget shared by processes; implemented by `store/budget.ts`. */
export type SharedBudget = {
  take(nowMs: number, isUrgent?: boolean): number;
  block(nowMs: number, ms: number): void;
};

export type Pace = ReturnType<typeof createPace>;

export type PaceOptions = {
  rate: number;
  /** The service's own origin; every URL counts as such if it is not given. */
  origin?: string;
  budget: SharedBudget;
  /** True for interactive requests, which take precedence over a sync. */
  isUrgent?: boolean;
  /** A clock that nobody sets, milliseconds. */
  now: () => number;
  /** The system clock, by which people are told moments; `now` by default. */
  wallNow?: () => number;
  sleep: (ms: number) => Promise<unknown>;
  /** Longest wait for the service's own pause, milliseconds. */
  maxWaitMs?: number;
  /** Called for waits long enough to be noticed. */
  onWait?: (ms: number) => void;
  signal?: AbortSignal;
};

/** The system clock was set if it moved by this much against the other. */
const jumpMs = 1000;

/** Shorter waits are the normal pace of evenly spread requests. */
const noticedMs = 2500;

/** Paces requests by the budget of all processes of this user, and by p-throttle in this one. */
export function createPace(options: PaceOptions) {
  const { rate, origin, budget, isUrgent = false, maxWaitMs = 15 * 60_000, now, wallNow = now } = options;
  const { sleep, onWait, signal } = options;
  const createThrottle = () =>
    pThrottle({ limit: rate, interval: 60_000, strict: true, ...(signal ? { signal } : {}) })(async () => {});
  let throttled = createThrottle();
  let aheadMs = wallNow() - now();
  /** p-throttle counts by the system clock: where that was set, it would wait as long, so a new one begins. */
  function renewThrottle(): void {
    const nowAheadMs = wallNow() - now();
    if (Math.abs(nowAheadMs - aheadMs) < jumpMs) return;
    aheadMs = nowAheadMs;
    throttled = createThrottle();
  }

  async function wait(url: string, waitMs: number): Promise<void> {
    if (waitMs > maxWaitMs) throw new RateLimitedError(url, { waitMs, nowMs: wallNow() });
    if (waitMs > noticedMs) onWait?.(waitMs);
    await sleep(waitMs);
  }

  async function allowed(url: string): Promise<void> {
    for (;;) {
      const waitMs = budget.take(now(), isUrgent);
      if (waitMs <= 0) return;
      await wait(url, waitMs);
    }
  }

  async function passThrottle(url: string, waited?: (ms: number) => void): Promise<void> {
    const beganMs = now();
    try {
      await allowed(url);
      renewThrottle();
      await throttled();
    } finally {
      // The clock may have been set back.
      waited?.(Math.max(0, now() - beganMs));
    }
  }

  // Requests queue one behind another, so that no wait is counted twice.
  let before: Promise<unknown> = Promise.resolve();
  return {
    /** Resolves when a request to that URL may start; throws a RateLimitedError if the wait is too long. */
    waitForSlot(url: string, waited?: (ms: number) => void): Promise<void> {
      const slot = before.then(() => passThrottle(url, waited));
      before = slot.catch(() => {});
      return slot;
    },
    /** Pauses the requests of all processes; nothing for a URL of another origin. */
    pause(ms: number, url: string): void {
      if (origin === undefined || new URL(url).origin === origin) budget.block(now(), ms);
    },
  };
}
