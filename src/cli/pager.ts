import type { ChildProcess, StdioOptions } from 'node:child_process';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import { sanitiseLine } from '../format/sanitise.ts';
import { type Sink, streamSink } from '../format/sink.ts';
import type { Speech } from '../words/speech.ts';

/** Pages output that is longer than the screen through the user's pager. */
export type Pager = {
  /** Sink of the output: the screen if all of it fits, else the pager. */
  sink: Sink;
  /** Writes a line to stderr; while the pager has the screen, after it was left. */
  say(line: string): void;
  /** Resolves once all is shown and the pager, if any, was left. */
  end(): Promise<void>;
};

type Screen = NodeJS.WritableStream & { isTTY?: boolean; rows?: number; columns?: number };

type PagerOptions = {
  stdout: Screen;
  stderr: Screen;
  environment: Record<string, string | undefined>;
  speech: Speech;
  /** Called when the user leaves the pager before the output ended. */
  left(): void;
};

/** A pager for a terminal; null for a pipe, or if the user wants none. */
export function openPager(options: PagerOptions): Pager | null {
  const command = pagerCommand(options.environment);
  return options.stdout.isTTY && command !== null ? new HeldPager(command, options) : null;
}

/** The pager of the environment, as with git and gh; null for none or `cat`. */
export function pagerCommand(environment: Record<string, string | undefined>): string | null {
  const { HEMICYCLE_PAGER, PAGER, TERM } = environment;
  // On a dumb terminal `less` prints a warning and waits for a key.
  const command = (HEMICYCLE_PAGER ?? PAGER ?? (TERM === 'dumb' ? 'cat' : 'less')).trim();
  return command === '' || command === 'cat' ? null : command;
}

/** Characters that need a shell; other commands are split at spaces. */
const ofShell = /[|&;<>()$`\\"'*?[#~=%]/;

/** More than the pipe buffers hold: once this much was accepted, the pager has read some of it. */
const unreadBytes = 1 << 20;

class HeldPager implements Pager {
  readonly sink: Sink;
  private readonly plain: Sink;
  /** Output so far, as long as the pager may not have started. */
  private kept: (string | Uint8Array)[] = [];
  private keepsAll = true;
  private rows = 0;
  private takenBytes = 0;
  private later: string[] = [];
  /** The screen or the pager, once decided. */
  private chosen: Sink | null = null;
  private child: ChildProcess | null = null;
  private gone: Promise<void> = Promise.resolve();
  private isEnding = false;
  private isInterrupted = false;

  private readonly command: string;
  private readonly options: PagerOptions;

  constructor(command: string, options: PagerOptions) {
    this.command = command;
    this.options = options;
    const pager = this;
    this.plain = streamSink(options.stdout);
    this.sink = {
      get closed() {
        return pager.isInterrupted || (pager.chosen ?? pager.plain).closed;
      },
      write: (chunk) => this.write(chunk),
      end: () => Promise.resolve(),
      abort: () => Promise.resolve(),
    };
  }

  say(line: string): void {
    if (this.child && this.options.stderr.isTTY) this.later.push(line);
    else this.options.stderr.write(`${line}\n`);
  }

  async end(): Promise<void> {
    this.isEnding = true;
    if (this.chosen === null) await this.showPlain();
    this.child?.stdin?.end();
    await this.gone;
  }

  private async write(chunk: string | Uint8Array): Promise<void> {
    if (this.chosen === this.plain) return this.plain.write(chunk);
    if (this.keepsAll) this.kept.push(chunk);
    if (this.chosen) return this.send(chunk);
    this.rows += rowsOf(chunk, this.options.stdout.columns || 80);
    if (this.rows < (this.options.stdout.rows || 24)) return;
    await this.start();
    for (const each of [...this.kept]) if (this.chosen !== this.plain) await this.send(each);
  }

  private async send(chunk: string | Uint8Array): Promise<void> {
    if (!this.isInterrupted) await this.chosen!.write(chunk);
    // Whether the user left or no pager started is known once it has ended.
    if (this.sink.closed) return this.gone;
    this.takenBytes += chunk.length;
    if (this.takenBytes <= unreadBytes) return;
    this.keepsAll = false;
    this.kept = [];
  }

  private async start(): Promise<void> {
    const { spawn } = await import('node:child_process');
    const [file = '', ...words] = this.command.split(/\s+/);
    const options = {
      stdio: ['pipe', 'inherit', 'inherit'] satisfies StdioOptions,
      // As git: quit if one screen, raw colours, no screen clearing.
      env: { LESS: 'FRX', LV: '-c', ...this.options.environment },
    };
    const child = ofShell.test(this.command)
      ? spawn(this.command, { ...options, shell: true })
      : spawn(file, words, options);
    this.child = child;
    this.chosen = streamSink(child.stdin!);
    const release = this.holdSignals(child);
    const end = new Promise<string | null>((resolve) => {
      child.on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? error.message));
      // A shell exits with these codes when it cannot run the command.
      child.on('exit', (code) => resolve(code === 126 || code === 127 ? `exit ${code}` : null));
    });
    this.gone = end.then(async (failure) => {
      release();
      this.child = null;
      for (const line of this.later.splice(0)) this.say(line);
      if (failure !== null && this.keepsAll) return this.showUnpaged(failure);
      if (!this.isEnding) this.options.left();
    });
  }

  /** Shows the output unpaged from its beginning, since the pager did not start. */
  private async showUnpaged(why: string): Promise<void> {
    const { environment, speech } = this.options;
    const { HEMICYCLE_PAGER, PAGER } = environment;
    // The default pager fails silently.
    if ((HEMICYCLE_PAGER ?? PAGER) !== undefined)
      this.say(sanitiseLine(speech.say`the pager ${speech.quoted(this.command)} cannot be started (${why})`));
    await this.showPlain();
  }

  private async showPlain(): Promise<void> {
    this.chosen = this.plain;
    for (const chunk of this.kept.splice(0)) await this.plain.write(chunk);
  }

  /**
   * A terminal sends Ctrl-C to both processes: output ends, and the user goes on reading. SIGTERM ends the pager too, which
   * restores the terminal.
   */
  private holdSignals(child: ChildProcess): () => void {
    const interrupted = () => {
      process.exitCode = 130;
      this.isInterrupted = true;
      child.stdin?.end();
    };
    const ended = () => {
      process.exitCode = 143;
      child.kill('SIGTERM');
    };
    process.on('SIGINT', interrupted).on('SIGTERM', ended);
    return () => void process.off('SIGINT', interrupted).off('SIGTERM', ended);
  }
}

/** Number of screen lines of a text. */
function rowsOf(chunk: string | Uint8Array, columns: number): number {
  const lines = stripVTControlCharacters(chunk.toString()).split('\n');
  return lines.reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / columns)), -1);
}
