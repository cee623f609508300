import { spawn } from 'node:child_process';

/** A started run of this program: `ended` resolves with the exit code; `stop` requests its end. */
export type BegunRun = { ended: Promise<number>; stop(): void };

export type Schedule = {
  everyMs: number;
  /** When such a run last ended, ISO 8601, or null. */
  lastAt: () => string | null;
  begin: () => BegunRun | null;
  onEnd: (exit: number) => void;
  now: () => number;
  /** Resolves after that time, or rejects when the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

/** Starts the first run `everyMs` after the last one, and the next that long after each ends, failed or not. */
export function scheduleRuns({ everyMs, lastAt, begin, onEnd, now, sleep }: Schedule) {
  const stopping = new AbortController();
  let running: BegunRun | null = null;
  const loop = async () => {
    let waitMs = Math.max(0, Date.parse(lastAt() ?? '1970-01-01') + everyMs - now());
    while (!stopping.signal.aborted) {
      // A time in the future means that the clock was set back: wait no longer than one interval.
      await sleep(Math.min(waitMs, everyMs), stopping.signal).catch(() => {});
      if (stopping.signal.aborted) return;
      running = begin();
      if (running !== null) onEnd(await running.ended);
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

/** Starts this program as a child process; `stop` lets it finish saving, with a second SIGTERM after `graceMs`. */
export function beginChild(command: string[], { argv, graceMs }: { argv: string[]; graceMs: number }): BegunRun {
  const [program = '', ...first] = command;
  const child = spawn(program, [...first, ...argv], {
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
