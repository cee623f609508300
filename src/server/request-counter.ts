import { LRUCache } from 'lru-cache';

/** Requests of a caller in the current window, this one included, and the time in ms until the window ends. */
export type RequestCount = { current: number; ttl: number };

/** Counts requests by caller in windows of a minute, which begin with a request; rejects if it cannot count. */
export type RequestCounter = { count(key: string): RequestCount | Promise<RequestCount> };

export const windowMs = 60_000; // length of the window in which requests are counted

const maxCallers = 100_000;

/** Returns a counter in memory, of the last 100,000 callers; its clock is monotonic. */
export function createRequestCounter(clock = () => performance.now()) {
  const windows = new LRUCache<string, { current: number }>({
    max: maxCallers,
    ttl: windowMs,
    ttlResolution: 0,
    perf: { now: clock },
  });
  return {
    count(key: string): RequestCount {
      const window = windows.get(key) ?? { current: 0 };
      if (window.current === 0) windows.set(key, window);
      window.current += 1;
      return { current: window.current, ttl: windows.getRemainingTTL(key) };
    },
  };
}
