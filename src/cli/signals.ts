const ends = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

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
  for (const [signal, exit] of ends)
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
