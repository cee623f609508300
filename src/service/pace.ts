import pThrottle from 'p-throttle';

/** What a shared account of requests must offer; `store/budget.ts` is one. */
export type SharedBudget = { take(nowMs: number): number; block(untilMs: number): void };

export type Pace = {
  /** Resolves when the next request may start. */
  turn(): Promise<void>;
  /** Lets no request start for that long, in any process. */
  pause(ms: number): void;
};

export type PaceOptions = {
  /** Requests a minute. */
  rate: number;
  budget: SharedBudget;
  now: () => number;
  sleep: (ms: number) => Promise<unknown>;
  /** Told of every wait longer than a second. */
  onWait?: (ms: number) => void;
};

/** Paces the requests of this process (p-throttle, strict) and of all processes of this user (the budget). */
export function createPace({ rate, budget, now, sleep, onWait }: PaceOptions): Pace {
  // A window a second longer than the service's minute, as in the budget.
  const throttle = pThrottle({ limit: rate, interval: 61_000, strict: true });
  async function takeTurn(): Promise<void> {
    for (;;) {
      const waitMs = budget.take(now());
      if (waitMs <= 0) return;
      if (waitMs > 1000) onWait?.(waitMs);
      await sleep(waitMs);
    }
  }
  return { turn: throttle(takeTurn), pause: (ms) => budget.block(now() + ms) };
}
