import process from 'node:process';
import { setFlagsFromString } from 'node:v8';

const ends = [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** `bin/run.js` listens before anything else where hangups were ignored (`nohup`), and they stay so. */
const ignoresHangup = process.listenerCount('SIGHUP') > 0;
const endSignals = ends.filter(([signal]) => signal !== 'SIGHUP' || !ignoresHangup);

/** The exit code of a signal that asks a program to end. */
export type SignalExit = (typeof ends)[number][1];

/**
 * A terminal sends Ctrl-C to every process, and whoever started this one (npx, or `bin/run.js` on an older Node) passes
 * it on: what comes so soon is the same Ctrl-C.
 */
const echoMs = 300;

/** Calls `end` at the first signal that asks the program to end; the second ends it at once. */
export function onEndSignal(end: (exit: SignalExit) => void): void {
  let askedMs: number | null = null;
  for (const [signal, exit] of endSignals)
    process.on(signal, () => {
      const ms = performance.now();
      if (askedMs === null) {
        askedMs = ms;
        end(exit);
      } else if (ms - askedMs > echoMs) process.exit(exit);
    });
}

/** For a process whose parent says when it ends: a terminal sends its signals to both. */
export function leaveEndSignals(): void {
  for (const [signal] of ends) process.on(signal, () => {});
}

/**
 * For runs through which records, or answers, only pass: a nursery of so many MB at most. A larger one would put off
 * the collection of what is long done with, and double the memory that such a run takes. Where `growthPercent` is given,
 * the heap grows by no more than that between collections of the whole; threads begun later have a nursery of that size
 * at once.
 */
export function keepHeapSmall(nurseryMb: number, { growthPercent }: { growthPercent?: number } = {}): void {
  setFlagsFromString(`--max-semi-space-size=${nurseryMb}`);
  setFlagsFromString('--semi-space-growth-factor=1');
  if (growthPercent === undefined) return;
  setFlagsFromString(`--min-semi-space-size=${nurseryMb}`);
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
