import { say, wordPhrase } from '../words/speech.ts';
import { RefusedForNowError } from './problem.ts';

/** Semaphore with a limit for all callers and one for each. */
export class Semaphore {
  readonly limits: { maxTotal: number; maxPerCaller: number };
  readonly #countByCaller = new Map<string, number>();

  constructor(limits: { maxTotal: number; maxPerCaller: number }) {
    this.limits = limits;
  }

  /** Acquires a slot and returns its release function; or returns which limit is reached: one caller's or the total. */
  tryAcquire(caller: string): (() => void) | 'caller' | 'all' {
    const callerCount = this.#countByCaller.get(caller) ?? 0;
    if (callerCount >= this.limits.maxPerCaller) return 'caller';
    if (this.#countByCaller.values().reduce((sum, count) => sum + count, 0) >= this.limits.maxTotal) return 'all';
    this.#countByCaller.set(caller, callerCount + 1);
    return () => {
      const remainingCount = this.#countByCaller.get(caller)! - 1;
      if (remainingCount > 0) this.#countByCaller.set(caller, remainingCount);
      else this.#countByCaller.delete(caller);
    };
  }
}

const retrySeconds = 10; // Retry-After of refusals

/** Acquires a slot and returns its release function; else throws a 429 or 503 about `noun`, such as exports. */
export function acquire(semaphore: Semaphore, caller: string, noun: string): () => void {
  const releaseOrLimit = semaphore.tryAcquire(caller);
  if (typeof releaseOrLimit === 'function') return releaseOrLimit;
  if (releaseOrLimit === 'all')
    throw new RefusedForNowError(503, say`Too many ${wordPhrase(noun)} are being sent; try again later.`, retrySeconds);
  const detail = say`More than ${semaphore.limits.maxPerCaller} ${wordPhrase(noun)} at a time; the next one is possible when one of them has ended.`;
  throw new RefusedForNowError(429, detail, retrySeconds);
}
