type Answer = (error: Error | null, result?: { current: number; ttl: number }) => void;

/** Where @fastify/rate-limit counts: admits a request (`current` up to `max`) or not, with the wait in ms (`ttl`). */
export type AdmissionLog = { incr(key: string, answer: Answer, timeWindow: number, max: number): void };

/** The admissions of one caller, oldest first, from `start` on. */
type Log = { times: number[]; start: number };

const mostCallers = 100_000;

/**
 * A store for @fastify/rate-limit that remembers when each request was admitted, so that no window of that length,
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
  incr(key: string, answer: Answer, timeWindow: number, max: number): void {
    const now = this.#clock();
    const log = this.#logs.get(key) ?? { times: [], start: 0 };
    forget(log, now - timeWindow);
    const used = log.times.length - log.start;
    const isAdmitted = used < max;
    if (isAdmitted) {
      log.times.push(now);
      this.#logs.delete(key);
      this.#logs.set(key, log);
      this.#sweep(now - timeWindow);
    }
    const oldest = log.times[log.start] ?? now;
    answer(null, { current: isAdmitted ? used + 1 : max + 1, ttl: oldest + timeWindow - now + 1 });
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
