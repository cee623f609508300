import { type OutputSinks, ownStreamSink, streamSink } from '../format/sink.ts';
import type { Document } from '../model/document.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';
import { renderTable } from '../terminal/table.ts';
import { processTerminal, type Terminal } from '../terminal/terminal.ts';
import { wrapProse } from '../terminal/view.ts';
import { type ShownText, type Speech, speechOf } from '../words/speech.ts';
import type { CommonFlags } from './common-flags.ts';
import { loadSpeech } from './language.ts';
import { Command } from './oclif.ts';
import { openPager, type Pager } from './pager.ts';

/** Base of commands that print: stdout or a pager, notes and a progress line on stderr; closes resources at the end. */
export abstract class OutputCommand extends Command {
  // oclif's manifest collects static properties up to the first class that has none.
  static override strict = true;

  speech: Speech = speechOf('en'); // in the user's language after `init`
  protected common: CommonFlags = {}; // set when the command line is parsed
  protected isPaged = false; // true if long output at a terminal goes to a pager
  private pager: Pager | null = null;

  /** Progress line on stderr; any other line written there clears it first. */
  private progressLine: Progress | null = null;

  /** Functions that close resources, in the order in which they run when the command ends. */
  private readonly closers: (() => void | Promise<void>)[] = [];

  /** Notes buffered with --json if stderr is no terminal; written only on success, so that an error is alone there. */
  private bufferedText = '';

  private get buffersStderr(): boolean {
    return this.common.json === true && !process.stderr.isTTY;
  }

  terminal(name: 'stdout' | 'stderr' = 'stdout'): Terminal {
    return processTerminal(name, { colour: this.common.color, language: this.speech.language });
  }

  /** Writes a line to stderr, except with --quiet; see `bufferedText`. */
  note(line: ShownText): void {
    if (this.common.quiet) return;
    if (this.buffersStderr) this.bufferedText += `${this.speech.render(line)}\n`;
    else this.sinks().stderr(line);
  }

  /** Writes the value to stdout as JSON with --json, else the text; ends the line. */
  protected async print(value: unknown, text: ShownText): Promise<void> {
    const output = this.common.json ? JSON.stringify(value) : this.speech.render(text);
    await this.sinks().stdout.write(output.endsWith('\n') ? output : `${output}\n`);
  }

  /** Writes rows to stdout: `value` as JSON with --json, else a table. */
  protected async printTable(value: unknown, rows: Document[], columns: string[]): Promise<void> {
    if (this.common.json) return this.print(value, '');
    await this.sinks().stdout.write(renderTable(rows, { columns, terminal: this.terminal() }));
  }

  /** Sinks of stdout (of the pager, if one is used) and stderr; a line on stderr first clears the progress line. */
  sinks(): OutputSinks {
    if (this.isPaged) {
      const { stdout, stderr, env: environment } = process;
      // A user who quits the pager needs no more output: drop pending requests and reads.
      const onQuit = () => process.exit();
      this.pager ??= openPager({ stdout, stderr, environment, speech: this.speech, onQuit });
    }
    const stderr = (message: ShownText) => {
      const line = wrapProse(this.speech.render(message), this.terminal('stderr')).join('\n');
      this.progressLine?.stop();
      if (this.pager) this.pager.writeMessage(line);
      else process.stderr.write(`${line}\n`);
    };
    return { stdout: this.pager?.sink ?? streamSink(process.stdout), stderr };
  }

  /** Opens a progress line on stderr; the terminal is restored when the command ends. */
  progress(): Progress {
    const terminal = this.terminal('stderr');
    const write = (text: string) => {
      if (this.buffersStderr) this.bufferedText += text;
      else process.stderr.write(text);
    };
    const progress = createProgress({ terminal, quiet: this.common.quiet === true, write, stream: process.stderr });
    this.progressLine = progress;
    this.closeAtEnd({ close: () => progress.stop() }); // a sync with embeddings opens a second line
    return progress;
  }

  /** Registers a resource to close when the command ends, even on failure; returns it. */
  closeAtEnd<Resource extends { close(): void | Promise<void> }>(resource: Resource): Resource {
    this.closers.unshift(() => resource.close());
    return resource;
  }

  override async init(): Promise<void> {
    // oclif's init only writes a debug line; loading its logger would take a tenth of the start time.
    if (process.env.DEBUG) await super.init();
    this.speech = await loadSpeech(this.argv, { environment: process.env, atTerminal: process.stdout.isTTY === true });
    // A closed stderr, as in `2>&1 | head`, is no failure: the sink handles EPIPE.
    streamSink(process.stderr);
    // oclif's own stdout listener throws errors other than EPIPE past `catch` and its exit codes.
    ownStreamSink(process.stdout);
  }

  /** Clears the progress line and waits until the pager exits, so that an error is the last output. */
  protected async closeInteractiveOutput(): Promise<void> {
    this.progressLine?.stop();
    await this.pager?.end();
  }

  override async finally(error: Error | undefined): Promise<void> {
    await this.closeInteractiveOutput();
    for (const close of this.closers) await close();
    if (!error && this.bufferedText !== '') process.stderr.write(this.bufferedText);
    await super.finally(error);
  }
}
