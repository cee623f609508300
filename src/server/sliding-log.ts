/** A counted request: admitted if `current` is at most the maximum; `ttl` is the wait in ms for the next. */
export type Admission = { current: number; ttl: number };

/** Counts requests by key over a sliding window in ms; rejects if the store is unavailable. */
export type AdmissionLog = {
  admit(key: string, windowMs: number, max: number): Admission | Promise<Admission>;
};

const maxCallers = 100_000;

/** Sliding log in memory of at most 100,000 callers; refused requests are not counted. */
export class SlidingLog implements AdmissionLog {
  readonly #clock: () => number;
  /** Times of admission by caller, oldest first; callers in the order of the last admission. */
  readonly #logs = new Map<string, number[]>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#logs.size;
  }

  /** Admits a request, or returns more than `max`; `ttl` is the time in ms until the next is possible. */
  admit(key: string, windowMs: number, max: number): Admission {
    const now = this.#clock();
    const times = this.#logs.get(key) ?? [];
    const first = times.findIndex((time) => time >= now - windowMs);
    times.splice(0, first < 0 ? times.length : first);
    const isAdmitted = times.length < max;
    if (isAdmitted) {
      times.push(now);
      this.#logs.delete(key);
      this.#logs.set(key, times);
      this.#sweep(now - windowMs);
    }
    return { current: isAdmitted ? times.length : max + 1, ttl: (times[0] ?? now) + windowMs - now + 1 };
  }

  withdraw(key: string): void {
    const times = this.#logs.get(key);
    times?.pop();
    if (times?.length === 0) this.#logs.delete(key);
  }

  #sweep(earliestMs: number): void {
    for (const [key, times] of this.#logs) {
      if (times.at(-1)! >= earliestMs && this.#logs.size <= maxCallers) return;
      this.#logs.delete(key);
    }
  }
}
