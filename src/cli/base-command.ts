import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError, UsageError } from '../errors.ts';
import { sanitiseLine, shellLine } from '../format/sanitise.ts';
import { type OutputSinks, ownStreamSink, streamSink } from '../format/sink.ts';
import type { Document } from '../model/document.ts';
import type { BucketOptions } from '../service/bucket.ts';
import { takeLock } from '../store/lock.ts';
import { asMirrorError, type Mirror } from '../store/mirror.ts';
import { openMirror } from '../store/open.ts';
import type { ConnectOptions } from '../sync/connect.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';
import { renderTable } from '../terminal/table.ts';
import { processTerminal, type Terminal } from '../terminal/terminal.ts';
import { wrapProse } from '../terminal/view.ts';
import { type ShownText, type Speech, say, speechOf } from '../words/speech.ts';
import { addAdvice, writeError } from './error-output.ts';
import { loadSpeech } from './language.ts';
import { Command, Config, Flags, groupFlags, type Interfaces, switchFlag } from './oclif.ts';
import { openPager, type Pager } from './pager.ts';
import { type SettingKey, settingKeys, settingRow } from './setting-table.ts';
import { readSettings, type Settings } from './settings.ts';
import { usageErrorOf } from './usage-error.ts';

/** The flag `--pager` of commands whose output may exceed one screen. */
export const pagerFlag = Flags.boolean({
  description: 'show long output in a pager (HEMICYCLE_PAGER, PAGER); --no-pager disables it',
  allowNo: true,
  helpGroup: 'OUTPUT',
});

const settingFlags = settingKeys.flatMap((key) => {
  const { flag, description } = settingRow(key);
  return flag ? [[key, Flags.string({ description, ...flag })]] : [];
});

const commonFlags = groupFlags('COMMON', {
  ...(Object.fromEntries(settingFlags) as Record<'db' | 'lang', Interfaces.OptionFlag<string | undefined>>),
  json: switchFlag('output JSON; errors are one JSON object on stderr'),
  quiet: switchFlag('no progress or notes on stderr'),
  color: Flags.boolean({ description: 'use colour (--no-color: never)', allowNo: true }),
  debug: switchFlag('print HTTP requests and responses to stderr, without the token'),
});

/** The values of the flags that every command accepts. */
export type CommonFlags = Partial<Interfaces.InferredFlags<typeof commonFlags>>;

/** Base of every command: settings, terminal, and errors as exit codes. */
export abstract class HemicycleCommand extends Command {
  static override baseFlags: Interfaces.FlagInput = commonFlags;

  /** Reuses the configuration that located the command; oclif's own `run` would load it again. */
  static override async run<T extends Command>(
    this: new (
      argv: string[],
      config: Config,
    ) => T,
    argv: string[] = [],
    options?: Interfaces.LoadOptions,
  ): Promise<ReturnType<T['run']>> {
    const config = options instanceof Config ? options : await Config.load(options);
    return (new this(argv, config) as Command as HemicycleCommand)._run();
  }

  /** Path of the mirror, for messages about SQLite errors raised mid-run. */
  protected mirrorPath = 'the mirror';

  speech: Speech = speechOf('en');

  protected common: CommonFlags = {};

  /** Progress line on stderr; any other line written there clears it first. */
  private moving: Progress | null = null;

  private pager: Pager | null = null;

  private isPaged = false;

  /** Closed in this order when the command ends. */
  private readonly closers: (() => void | Promise<void>)[] = [];

  /** Buffers stderr with --json off a terminal; written only if the run succeeds, as an error must be alone there. */
  private bufferedText = '';

  private get buffersStderr(): boolean {
    return this.common.json === true && !process.stderr.isTTY;
  }

  protected readonly jsonFormat: string = 'json';

  /** Parses flags and arguments; throws a UsageError if `--json` and `--format` disagree. */
  protected override async parse<
    F extends Record<string, unknown>,
    B extends Record<string, unknown>,
    A extends Record<string, unknown>,
  >(options?: Interfaces.Input<F, B, A>, argv?: string[]): Promise<Interfaces.ParserOutput<F, B, A>> {
    // oclif spreads the class, which omits inherited properties.
    const { args, flags, baseFlags, strict } = (options ?? this.ctor) as Required<Interfaces.Input<F, B, A>>;
    const typed = this.argv;
    const parsed = await super.parse({ args, flags, baseFlags, strict }, argv);
    // oclif keeps what it parsed, and advice needs what was typed.
    this.argv = typed;
    this.common = parsed.flags as CommonFlags;
    const { format, json, pager } = parsed.flags as { format?: string; json?: boolean; pager?: boolean };
    this.isPaged = 'pager' in { ...this.ctor.baseFlags, ...this.ctor.flags } && pager !== false;
    const isTyped = format !== undefined && !parsed.metadata.flags.format?.setFromDefault;
    if (json && isTyped && format !== this.jsonFormat)
      throw new UsageError(
        say`--json asks for ${this.jsonFormat}, and --format for ${format}`,
        say`remove one of them`,
      );
    return parsed;
  }

  /** The settings of this run, overridden by the common flags and by `more`. */
  settingsWith(more: Partial<Record<SettingKey, string | undefined>> = {}): Settings {
    const flags = this.common as Record<string, string | undefined>;
    const { presets = {} } = this.config as Config & { presets?: typeof more };
    const flagValues = settingKeys
      .map((key) => [key, settingRow(key).flag ? flags[key] : (more[key] ?? presets[key])])
      .filter(([, value]) => value !== undefined);
    const settings = readSettings(process.env, Object.fromEntries(flagValues));
    this.mirrorPath = settings.db;
    return settings;
  }

  /** Runs another command with settings that override the user's, as flags do. */
  protected async runCommand(id: string, argv: string[], presets: Partial<Record<SettingKey, string>>): Promise<void> {
    await Object.assign(Object.create(this.config), { presets }).runCommand(id, argv);
  }

  terminal(name: 'stdout' | 'stderr' = 'stdout'): Terminal {
    return processTerminal(name, { colour: this.common.color, language: this.speech.language });
  }

  note(line: ShownText): void {
    if (this.common.quiet) return;
    if (this.buffersStderr) this.bufferedText += `${this.speech.render(line)}\n`;
    else this.sinks().stderr(line);
  }

  /** Writes the value to stdout as JSON with --json, else the text; ends the line. */
  protected async print(value: unknown, text: ShownText): Promise<void> {
    const shown = this.common.json ? JSON.stringify(value) : this.speech.render(text);
    await this.sinks().stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`);
  }

  /** Writes rows to stdout: `value` as JSON with --json, else a table. */
  protected async printTable(value: unknown, rows: Document[], columns: string[]): Promise<void> {
    if (this.common.json) return this.print(value, '');
    const table = renderTable(rows, { columns, header: true, terminal: this.terminal() });
    await this.sinks().stdout.write(table);
  }

  get typed(): string {
    return shellLine(['hemicycle', ...this.id!.split(':'), ...this.argv]);
  }

  sinks(): OutputSinks {
    if (this.isPaged) {
      const { stdout, stderr, env: environment } = process;
      // A user who quits the pager needs no more output: drop pending requests and reads.
      const onQuit = () => process.exit();
      this.pager ??= openPager({ stdout, stderr, environment, speech: this.speech, onQuit });
    }
    const stderr = (message: ShownText) => {
      const line = wrapProse(this.speech.render(message), this.terminal('stderr')).join('\n');
      this.moving?.stop();
      if (this.pager) this.pager.say(line);
      else process.stderr.write(`${line}\n`);
    };
    return { stdout: this.pager?.sink ?? streamSink(process.stdout), stderr };
  }

  /** Opens a progress line on stderr; the terminal is restored when the command ends. */
  progress(): Progress {
    const terminal = this.terminal('stderr');
    const quiet = this.common.quiet === true;
    const write = (text: string) => {
      if (this.buffersStderr) this.bufferedText += text;
      else process.stderr.write(text);
    };
    const progress = createProgress({ terminal, quiet, write, stream: process.stderr });
    this.moving = progress;
    this.closing({ close: () => progress.stop() });
    return progress;
  }

  /** Registers a resource to close when the command ends, even on failure; returns it. */
  closing<Opened extends { close(): void | Promise<void> }>(opened: Opened): Opened {
    this.closers.unshift(() => opened.close());
    return opened;
  }

  /** Locks a mirror or file until the command ends; waits up to `waitMs` for another run. */
  async lock(path: string, waitMs = 0, signal?: AbortSignal): Promise<void> {
    const wait = (ms: number) => sleep(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
    this.closing(await takeLock(path, { waitMs, sleep: wait }));
  }

  mirror(settings: Settings = this.settingsWith()): Mirror {
    return this.closing(openMirror(settings.db));
  }

  async client(settings: Settings, options: Partial<ConnectOptions>) {
    const { baseUrl } = settings;
    if (baseUrl === null)
      throw new ConfigurationError(
        say`the address of the service is not set`,
        say`set HEMICYCLE_BASE_URL, or \`hemicycle config set base-url https://service.example/api/v1\``,
      );
    if (settings.tokenError) throw settings.tokenError;
    const writeNote = (line: ShownText) => this.sinks().stderr(sanitiseLine(this.speech.render(line)));
    if (settings.tokenNote && !this.common.quiet) writeNote(settings.tokenNote);
    const { connectService: connect } = await import('../sync/connect.ts');
    const { refuseWrongClock } = await import('../sync/clock.ts');
    const client = await connect({
      ...settings,
      baseUrl,
      userAgent: this.userAgent,
      ...this.trace,
      note: writeNote,
      onDate: (dateMs) => refuseWrongClock(dateMs, Date.now()),
      ...options,
    });
    return this.closing(client);
  }

  get userAgent(): string {
    return `hemicycle/${this.config.version} (+https://www.npmjs.com/package/hemicycle)`;
  }

  get network(): BucketOptions {
    return {
      userAgent: this.userAgent,
      ...this.trace,
      now: Date.now,
      sleep: (ms) => sleep(ms),
      onWait: (ms, awaited) => this.note(say`waiting ${Math.ceil(ms / 1000)} s for ${awaited}`),
    };
  }

  /** With `--debug`, a `trace` that writes each request to stderr. */
  get trace(): { trace?: (line: string) => void } {
    return this.common.debug ? { trace: (line) => this.sinks().stderr(sanitiseLine(line)) } : {};
  }

  override async init(): Promise<void> {
    // oclif's init only writes a debug line; loading its logger would take a tenth of the start time.
    if (process.env.DEBUG) await super.init();
    this.speech = await loadSpeech(this.argv, {
      environment: process.env,
      atTerminal: process.stdout.isTTY === true,
    });
    // A closed stderr, as in `2>&1 | head`, is no failure: the sink handles EPIPE.
    streamSink(process.stderr);
    // oclif's own stdout listener throws errors other than EPIPE past `catch` and its exit codes.
    ownStreamSink(process.stdout);
  }

  override async catch(error: Error & { oclif?: { exit?: number }; code?: string }): Promise<void> {
    // oclif ends with an ExitError, for example after --help.
    if (error.code === 'EEXIT') throw error;
    this.moving?.stop();
    await this.pager?.end();
    const reportedError =
      usageErrorOf(error, { root: this.config.root, id: this.id! }) ?? (asMirrorError(this.mirrorPath, error) as Error);
    await addAdvice(reportedError, { root: this.config.root, id: this.id!, argv: this.argv, flags: this.ctor.flags });
    await writeError(reportedError, this.argv, { root: this.config.root, speech: this.speech });
  }

  override async finally(error: Error | undefined): Promise<void> {
    await this.pager?.end();
    for (const close of this.closers) await close();
    if (!error && this.bufferedText !== '') process.stderr.write(this.bufferedText);
    await super.finally(error);
  }
}
