/** A request that was counted: admitted where `current` is at most the maximum; `ttl` is the wait in ms for one more. */
export type Admission = { current: number; ttl: number };

/** Where requests are counted: by key, over a window of that many milliseconds. Rejects where it cannot be done. */
export type AdmissionLog = {
  admit(key: string, windowMs: number, max: number): Admission | Promise<Admission>;
};

/** The admissions of one caller, oldest first, from `start` on. */
type Log = { times: number[]; start: number };

const mostCallers = 100_000;

/**
 * Remembers when each request was admitted, so that no window of that length,
 * wherever it begins, holds more than `max`. A refused request costs nothing. Memory is bounded: beyond 100,000
 * callers within one window the one who was quiet longest is forgotten.
 */
export class SlidingLog implements AdmissionLog {
  readonly #clock: () => number;
  /** In the order of the last admission. */
  readonly #logs = new Map<string, Log>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** How many callers are remembered. */
  get size(): number {
    return this.#logs.size;
  }

  /** Admits a request, or answers more than `max`; `ttl` is the time in ms until one more is possible. */
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

  /** Takes back what was admitted last under that key. */
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

/** Drops what was admitted before that time; the array is shortened only now and then. */
function forget(log: Log, before: number): void {
  while (log.start < log.times.length && log.times[log.start]! < before) log.start += 1;
  if (log.start < 64) return;
  log.times.splice(0, log.start);
  log.start = 0;
}
