import { spawn } from 'node:child_process';

/** A started sync: `ended` resolves with the exit code; `stop` requests its end. */
export type BegunSync = { ended: Promise<number>; stop(): void };

export type Schedule = {
  everyMs: number;
  /** When the mirror was last filled, ISO 8601, or null. */
  filledAt: () => string | null;
  begin: () => BegunSync;
  /** Called with the exit code of every sync. */
  onEnd: (exit: number) => void;
  now: () => number;
  /** Resolves after that time, or rejects when the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

/**
 * Starts the first sync when the mirror is `everyMs` old, and the next one that long after each ends, failed
 * or not. `stop()` resolves when none is running.
 */
export function scheduleSyncs({ everyMs, filledAt, begin, onEnd, now, sleep }: Schedule): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  let running: BegunSync | null = null;
  const loop = async () => {
    let waitMs = Math.max(0, Date.parse(filledAt() ?? '1970-01-01') + everyMs - now());
    while (!stopping.signal.aborted) {
      // A time in the future means that the clock was set back: wait no longer than one interval.
      await sleep(Math.min(waitMs, everyMs), stopping.signal).catch(() => {});
      if (stopping.signal.aborted) return;
      running = begin();
      onEnd(await running.ended);
      running = null;
      waitMs = everyMs;
    }
  };
  const ended = loop();
  return {
    stop() {
      stopping.abort();
      running?.stop();
      return ended;
    },
  };
}

/**
 * Starts `hemicycle sync` as a child process that inherits stderr, so that requests do not wait for it.
 * `stop` lets it finish saving; a second SIGTERM follows after `graceMs`.
 */
export function beginSyncChild(
  command: string[],
  { argv, graceMs }: { argv: string[]; graceMs: number },
): BegunSync {
  const [program = '', ...first] = command;
  const child = spawn(program, [...first, 'sync', ...argv], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // A separate process group: Ctrl-C reaches only the server, which then stops this process once.
    detached: true,
  });
  const ended = new Promise<number>((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (exit) => resolve(exit ?? 1));
  });
  return {
    ended,
    stop() {
      child.kill('SIGTERM');
      const again = setTimeout(() => child.kill('SIGTERM'), graceMs);
      void ended.then(() => clearTimeout(again));
    },
  };
}
