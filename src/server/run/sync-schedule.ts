import { spawn } from 'node:child_process';

/** A sync that was begun: how it ended, and how to ask it to end now. */
export type BegunSync = { ended: Promise<number>; stop(): void };

export type Schedule = {
  everyMs: number;
  /** When the mirror was last filled, ISO 8601, or null. */
  filledAt: () => string | null;
  begin: () => BegunSync;
  /** Is told the exit code of every sync. */
  onEnd: (exit: number) => void;
  now: () => number;
  /** Resolves after that time, or rejects when the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

/**
 * Begins a sync whenever the mirror is as old as `everyMs`, one at a time, until it is stopped; one that failed is
 * repeated after that time too. `stop()` resolves when none is running any more.
 */
export function scheduleSyncs({ everyMs, filledAt, begin, onEnd, now, sleep }: Schedule): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  let running: BegunSync | null = null;
  const loop = async () => {
    let waitMs = Math.max(0, Date.parse(filledAt() ?? '1970-01-01') + everyMs - now());
    while (!stopping.signal.aborted) {
      // A moment from the future was left by a clock that was set back.
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
 * Begins `hemicycle sync` as a process of its own, so that nobody who asks the server waits for it. What it says goes
 * to the stderr of this process. Stopping lets it save what is on its way, for `graceMs` at most.
 */
export function beginSyncChild(
  command: string[],
  { argv, graceMs }: { argv: string[]; graceMs: number },
): BegunSync {
  const [program = '', ...first] = command;
  const child = spawn(program, [...first, 'sync', ...argv], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // In a group of its own: Ctrl-C reaches the server alone, which then asks this one to end, once.
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
