/** A counted request: admitted if `current` is at most the maximum; `ttl` is the wait in ms for the next. */
export type Admission = { current: number; ttl: number };

/** Counts requests by key over a sliding window in ms; rejects if the store is unavailable. */
export type AdmissionLog = {
  admit(key: string, windowMs: number, max: number): Admission | Promise<Admission>;
};

/** The admissions of one caller, oldest first, from `start` on. */
type Log = { times: number[]; start: number };

const mostCallers = 100_000;

/**
 * Sliding log in memory: no window of that length holds more than `max` admissions. Refused requests are not counted.
 * Beyond 100,000 callers the least recent one is evicted.
 */
export class SlidingLog implements AdmissionLog {
  readonly #clock: () => number;
  /** In the order of the last admission. */
  readonly #logs = new Map<string, Log>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Number of callers with admissions. */
  get size(): number {
    return this.#logs.size;
  }

  /** Admits a request, or returns more than `max`; `ttl` is the time in ms until the next is possible. */
  admit(key: string, windowMs: number, max: number): Admission {
    const now = this.#clock();
    const log = this.#logs.get(key) ?? { times: [], start: 0 };
    forget(log, now - windowMs);
    const used = log.times.length - log.start;
    const isAdmitted = used < max;
    if (isAdmitted) {
      log.times.push(now);
      this.#logs.delete(key);
      this.#logs.set(key, log);
      this.#sweep(now - windowMs);
    }
    const oldest = log.times[log.start] ?? now;
    return { current: isAdmitted ? used + 1 : max + 1, ttl: oldest + windowMs - now + 1 };
  }

  /** Undoes the last admission under that key. */
  withdraw(key: string): void {
    const log = this.#logs.get(key);
    log?.times.pop();
    if (log && log.times.length <= log.start) this.#logs.delete(key);
  }

  #sweep(before: number): void {
    for (const [key, { times }] of this.#logs) {
      if (times.at(-1)! >= before && this.#logs.size <= mostCallers) return;
      this.#logs.delete(key);
    }
  }
}

/** Drops admissions before that time; the array is compacted only now and then. */
function forget(log: Log, before: number): void {
  while (log.start < log.times.length && log.times[log.start]! < before) log.start += 1;
  if (log.start < 64) return;
  log.times.splice(0, log.start);
  log.start = 0;
}
