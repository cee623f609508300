import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** A started run of this program: `exitCode` resolves when it ends; `stop` requests its end. */
export type ChildRun = { exitCode: Promise<number>; stop(): void };

/** When and how to start runs; `startRun` returns null if nothing is due. */
export type Schedule = {
  everyMs: number;
  /** When a run last ended, ISO 8601, or null. */
  lastEndedAt: () => string | null;
  startRun: () => ChildRun | null;
  onEnd: (exitCode: number) => void;
  now?: () => number;
  /** Resolves after that time, or rejects when the signal aborts. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

const systemSleep = (ms: number, signal: AbortSignal) => delay(ms, null, { signal });

/** Starts a run `everyMs` after the last one ended, failed or not, until `stop`, which ends a current run. */
export function scheduleRuns({ everyMs, lastEndedAt, startRun, onEnd, now = Date.now, sleep = systemSleep }: Schedule) {
  const abortController = new AbortController();
  let currentRun: ChildRun | null = null;
  const loop = async () => {
    let waitMs = Math.max(0, Date.parse(lastEndedAt() ?? '1970-01-01') + everyMs - now());
    while (!abortController.signal.aborted) {
      // A time in the future means that the clock was set back: wait no longer than one interval.
      await sleep(Math.min(waitMs, everyMs), abortController.signal).catch(() => {});
      if (abortController.signal.aborted) return;
      currentRun = startRun();
      if (currentRun !== null) onEnd(await currentRun.exitCode);
      currentRun = null;
      waitMs = everyMs;
    }
  };
  const loopEnd = loop();
  return {
    stop() {
      abortController.abort();
      currentRun?.stop();
      return loopEnd;
    },
  };
}

/** Starts this program as a child process; `stop` sends SIGTERM, and again after `graceMs`. Exit code 1 if it fails. */
export function startChild(command: string[], { argv, graceMs }: { argv: string[]; graceMs: number }): ChildRun {
  const [program = '', ...leadingArgs] = command;
  const child = spawn(program, [...leadingArgs, ...argv], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // A separate process group: Ctrl-C reaches only the server, which then stops this process once.
    detached: true,
  });
  const { promise: exitCode, resolve } = Promise.withResolvers<number>();
  child.once('error', () => resolve(1)).once('exit', (exit) => resolve(exit ?? 1));
  return {
    exitCode,
    stop() {
      child.kill('SIGTERM');
      const secondSignal = setTimeout(() => child.kill('SIGTERM'), graceMs);
      void exitCode.then(() => clearTimeout(secondSignal));
    },
  };
}
