import pThrottle from 'p-throttle';
import { RateLimitedError } from '../errors.ts';

/** What a shared account of requests must offer; `store/budget.ts` is one. */
export type SharedBudget = {
  take(nowMs: number, isUrgent?: boolean): number;
  block(nowMs: number, ms: number): void;
};

export type Pace = {
  /**
   * Resolves when the request of that address may start; throws a RateLimitedError if that is too far off. `waited` is
   * told how long it took, however it ended.
   */
  turn(url: string, waited?: (ms: number) => void): Promise<void>;
  /** Lets no request start to the origin of an address for that long: to the service's own, in any process. */
  pause(ms: number, url: string): void;
};

export type PaceOptions = {
  /** Requests a minute. */
  rate: number;
  /** The service's own origin; where it is not stated, every address is of it. */
  origin?: string;
  budget: SharedBudget;
  /** True where a person waits: their request goes before the next one of a sync. */
  isUrgent?: boolean;
  now: () => number;
  sleep: (ms: number) => Promise<unknown>;
  /** Longest wait for the service's own pause, milliseconds. */
  maxWaitMs?: number;
  /** Told of every wait that a person notices. */
  onWait?: (ms: number) => void;
  /** Ends every wait. */
  signal?: AbortSignal;
};

/** Requests that are spread evenly wait a second each: that is their pace, and no news. */
const noticedMs = 2500;

/**
 * Paces requests: the budget of all processes of this user says when one may start, and p-throttle (strict) holds
 * this process to the same limit whatever happens to the budget's file.
 */
export function createPace({
  rate,
  origin,
  budget,
  isUrgent = false,
  maxWaitMs = 15 * 60_000,
  now,
  sleep,
  onWait,
  signal,
}: PaceOptions): Pace {
  const throttled = pThrottle({ limit: rate, interval: 60_000, strict: true, ...(signal ? { signal } : {}) })(
    async () => {},
  );
  // Where redirects lead: what another origin asks for is no concern of the service's own.
  const elsewhere = new Map<string, number>();
  const isElsewhere = (url: string) => origin !== undefined && new URL(url).origin !== origin;

  async function wait(url: string, waitMs: number): Promise<void> {
    if (waitMs > maxWaitMs)
      throw new RateLimitedError(url, { waitMs, nowMs: now(), isOfAddress: isElsewhere(url) });
    if (waitMs > noticedMs) onWait?.(waitMs);
    await sleep(waitMs);
  }

  async function allowed(url: string): Promise<void> {
    const restMs = (elsewhere.get(new URL(url).origin) ?? 0) - now();
    if (restMs > 0) await wait(url, restMs);
    for (;;) {
      const waitMs = budget.take(now(), isUrgent);
      if (waitMs <= 0) return;
      await wait(url, waitMs);
    }
  }

  async function inTurn(url: string, waited?: (ms: number) => void): Promise<void> {
    const beganMs = now();
    try {
      await allowed(url);
      await throttled();
    } finally {
      // A clock that was set back meanwhile tells nothing.
      waited?.(Math.max(0, now() - beganMs));
    }
  }

  // Of several that ask at once each waits behind the one before it: no wait is counted twice.
  let before: Promise<unknown> = Promise.resolve();
  return {
    turn(url, waited) {
      const turn = before.then(() => inTurn(url, waited));
      before = turn.catch(() => {});
      return turn;
    },
    pause(ms, url) {
      if (!isElsewhere(url)) budget.block(now(), ms);
      else {
        const target = new URL(url).origin;
        elsewhere.set(target, Math.max(elsewhere.get(target) ?? 0, now() + ms));
      }
    },
  };
}
