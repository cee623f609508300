import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { InterruptedError } from '../errors.ts';
import type { Phrase } from '../words/speech.ts';

const endSignalExits = [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const; // signals that end the program, with its exit code

/** `bin/run.js` adds a listener first if SIGHUP was ignored (`nohup`), and it stays ignored. */
const ignoresHangup = process.listenerCount('SIGHUP') > 0;

/** A second signal within this time is the same Ctrl-C again, forwarded by npx or by `bin/run.js` on an older Node. */
const duplicateSignalMs = 300;

/** Handles end signals: the first calls `onFirstSignal`, the second `onForced` and exits. It may ignore SIGHUP. */
export function onEndSignal(
  onFirstSignal: (exit: (typeof endSignalExits)[number][1]) => void,
  { onForced, survivesHangup = false }: { onForced?: () => void; survivesHangup?: boolean } = {},
): void {
  let firstSignalMs: number | null = null;
  const ignoredSignal = survivesHangup || ignoresHangup ? 'SIGHUP' : null;
  for (const [signal, exit] of endSignalExits.filter(([name]) => name !== ignoredSignal))
    process.on(signal, () => {
      const ms = performance.now();
      if (firstSignalMs === null) {
        firstSignalMs = ms;
        onFirstSignal(exit);
      } else if (ms - firstSignalMs > duplicateSignalMs) {
        onForced?.();
        process.exit(exit);
      }
    });
}

/** A signal that the first end signal aborts with an InterruptedError; the second ends the program. */
export function stopSignal(message: Phrase, hint: Phrase): AbortSignal {
  const controller = new AbortController();
  onEndSignal((exit) => controller.abort(new InterruptedError(exit, message, hint)));
  return controller.signal;
}

/** Ignores end signals in a process that its parent stops: a terminal signals both. */
export function ignoreEndSignals(): void {
  for (const [signal] of endSignalExits) process.on(signal, () => {});
}

/** Limits V8's young generation, which otherwise doubles the memory of runs that stream, and the growth of the heap. */
export function limitHeapGrowth({ nurseryMb, growthPercent }: { nurseryMb: number; growthPercent?: number }): void {
  setFlagsFromString(`--max-semi-space-size=${nurseryMb}`);
  // Threads start with the minimum, by default one megabyte, which would be collected constantly.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString(`--min-semi-space-size=${nurseryMb}`);
  if (growthPercent !== undefined) setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}

/** The words that start this program: `npx hemicycle` under npx, `hemicycle` if on the PATH, else launcher or file. */
export function programWords(): string[] {
  const { HEMICYCLE_LAUNCHER: launcher, PATH = '', INIT_CWD, npm_command } = process.env;
  // npx puts its own folder on the PATH only for the run.
  if (npm_command === 'exec') return ['npx', 'hemicycle'];
  const startedPath = launcher ?? process.argv[1] ?? '';
  const realPath = (path: string) => (existsSync(path) ? realpathSync(path) : null);
  const installedPath = PATH.split(delimiter)
    .flatMap((folder) => ['hemicycle', 'hemicycle.cmd'].map((name) => join(folder, name)))
    .find((path) => existsSync(path));
  const isThisProgram = (path: string) => path.endsWith('.cmd') || realPath(path) === realPath(startedPath);
  if (installedPath !== undefined && isThisProgram(installedPath)) return ['hemicycle'];
  if (launcher !== undefined) return [launcher];
  return ['node', relative(INIT_CWD ?? process.cwd(), startedPath)];
}

/** Path of the reader process of `serve` and `mcp`: a source file or the built one. */
export function readerProgram(root: string): string {
  return join(root, import.meta.url.endsWith('.ts') ? 'src/server/run/reader.ts' : 'dist/server/run/reader.js');
}
