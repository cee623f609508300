const ends = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** The exit code of a signal that asks a program to end. */
export type SignalExit = (typeof ends)[number][1];

/** Calls `end` at the first signal that asks the program to end; the second ends it at once. */
export function onEndSignal(end: (exit: SignalExit) => void): void {
  let isAsked = false;
  for (const [signal, exit] of ends)
    process.on(signal, () => {
      if (isAsked) process.exit(exit);
      isAsked = true;
      end(exit);
    });
}

/** For a process whose parent says when it ends: a terminal sends its signals to both. */
export function leaveEndSignals(): void {
  for (const [signal] of ends) process.on(signal, () => {});
}
