import { RefusedForNowError } from './problem.ts';

/** Semaphore with a limit for all callers and one for each. */
export class Semaphore {
  readonly limits: { most: number; mostOfOne: number };
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(limits: { most: number; mostOfOne: number }) {
    this.limits = limits;
  }

  /** Acquires a slot and returns its release function, or whose limit is reached: the caller's or everybody's. */
  tryAcquire(caller: string): (() => void) | 'caller' | 'all' {
    const own = this.#taken.get(caller) ?? 0;
    if (own >= this.limits.mostOfOne) return 'caller';
    if (this.#all >= this.limits.most) return 'all';
    this.#all += 1;
    this.#taken.set(caller, own + 1);
    return () => {
      this.#all -= 1;
      const remaining = this.#taken.get(caller)! - 1;
      if (remaining > 0) this.#taken.set(caller, remaining);
      else this.#taken.delete(caller);
    };
  }
}

const retrySeconds = 10;

/** Acquires a slot and returns its release function; throws a RefusedForNowError that names `what` is limited. */
export function acquire(semaphore: Semaphore, caller: string, what: string): () => void {
  const releaseOrLimit = semaphore.tryAcquire(caller);
  if (typeof releaseOrLimit === 'function') return releaseOrLimit;
  if (releaseOrLimit === 'all')
    throw new RefusedForNowError(503, `Too many ${what} are being sent; try again later.`, retrySeconds);
  const detail = `More than ${semaphore.limits.mostOfOne} ${what} at a time; the next one is possible when one of them has ended.`;
  throw new RefusedForNowError(429, detail, retrySeconds);
}
