import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { sanitiseLine } from '../format/sanitise.ts';
import { type Sink, streamSink } from '../format/sink.ts';
import type { Speech } from '../words/speech.ts';

/** Pages output that is longer than the screen through the user's pager. */
export type Pager = NonNullable<ReturnType<typeof openPager>>;

type Screen = NodeJS.WritableStream & { isTTY?: boolean; rows?: number; columns?: number };

type PagerOptions = {
  stdout: Screen;
  stderr: Screen;
  environment: Record<string, string | undefined>;
  speech: Speech;
  onQuit(): void; // called if the user quits the pager before the output ends
};

/** Opens a pager, started once output exceeds the screen; null if stdout is no terminal or no pager is configured. */
export function openPager({ stdout, stderr, environment, speech, onQuit }: PagerOptions) {
  const command = pagerCommand(environment);
  if (!stdout.isTTY || command === null) return null;
  const screenSink = streamSink(stdout);
  const bufferedChunks: (string | Uint8Array)[] = [];
  const deferredLines: string[] = [];
  let rowCount = 0;
  let openSink: Sink | null = null;
  let child: ChildProcess | null = null;
  let pagerExit: Promise<void> = Promise.resolve();
  let isEnding = false;
  let isInterrupted = false;

  const writeMessage = (line: string) => {
    if (child && stderr.isTTY) deferredLines.push(line);
    else stderr.write(`${line}\n`);
  };

  const startPager = async (): Promise<Sink> => {
    const { spawn, spawnSync } = await import('node:child_process');
    // As git: quit if one screen, raw colours, no screen clearing.
    const env = { LESS: 'FRX', LV: '-c', ...environment };
    const program = command.split(/\s+/).find((word) => !word.includes('=')) ?? '';
    if (spawnSync('sh', ['-c', 'command -v "$0"', program], { env, stdio: 'ignore' }).status !== 0) {
      // The default pager fails without a message.
      if ((environment.HEMICYCLE_PAGER ?? environment.PAGER) !== undefined)
        writeMessage(sanitiseLine(speech.say`the pager ${speech.quoted(command)} cannot be started`));
      return screenSink;
    }
    const pagerProcess = spawn('sh', ['-c', command], { env, stdio: ['pipe', 'inherit', 'inherit'] });
    child = pagerProcess;
    // A terminal sends Ctrl-C to both processes: output stops, the pager stays open. SIGTERM also ends the pager.
    const onInterrupt = () => {
      process.exitCode = 130;
      isInterrupted = true;
      pagerProcess.stdin.end();
    };
    const onTerminate = () => {
      process.exitCode = 143;
      pagerProcess.kill('SIGTERM');
    };
    process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate);
    pagerExit = once(pagerProcess, 'exit').then(() => {
      process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate);
      child = null;
      for (const line of deferredLines.splice(0)) writeMessage(line);
      if (!isEnding) onQuit();
    });
    return streamSink(pagerProcess.stdin);
  };

  const sink: Sink = {
    get closed() {
      return isInterrupted || (openSink ?? screenSink).closed;
    },
    async write(chunk) {
      bufferedChunks.push(chunk);
      rowCount += openSink ? 0 : countRows(chunk, stdout.columns || 80);
      if (rowCount < (stdout.rows || 24)) return;
      openSink ??= await startPager();
      for (const each of bufferedChunks.splice(0)) if (!isInterrupted) await openSink.write(each);
      // A closed sink may also mean Ctrl-C; wait for the exit, whose handler calls `onQuit`.
      if (sink.closed) await pagerExit;
    },
    end: () => Promise.resolve(),
    abort: () => Promise.resolve(),
  };
  return {
    /** Receives the output: written to the screen if all of it fits, else to the pager. */
    sink,
    /** Writes a line to stderr; while the pager is on screen, waits until it exits. */
    writeMessage,
    /** Resolves once all output is shown and any pager has exited. */
    async end() {
      isEnding = true;
      if (openSink === null) for (const each of bufferedChunks.splice(0)) await screenSink.write(each);
      child?.stdin?.end();
      await pagerExit;
    },
  };
}

/** The pager command of the environment, as in git and gh, by default `less`; null if it is empty or `cat`. */
export function pagerCommand({ HEMICYCLE_PAGER, PAGER, TERM }: Record<string, string | undefined>): string | null {
  // On a dumb terminal `less` prints a warning and waits for a key.
  const command = (HEMICYCLE_PAGER ?? PAGER ?? (TERM === 'dumb' ? 'cat' : 'less')).trim();
  return command === '' || command === 'cat' ? null : command;
}

function countRows(chunk: string | Uint8Array, columns: number): number {
  const lines = stripVTControlCharacters(chunk.toString()).split('\n');
  // The last line break starts no row, hence -1.
  return lines.reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / columns)), -1);
}
