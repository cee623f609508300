import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError, UsageError } from '../errors.ts';
import { sanitiseLine, shellLine } from '../format/sanitise.ts';
import type { BucketOptions } from '../service/bucket.ts';
import { takeLock } from '../store/lock.ts';
import type { Mirror } from '../store/mirror.ts';
import { asMirrorError } from '../store/mirror-errors.ts';
import { openMirror } from '../store/open.ts';
import type { ConnectOptions } from '../sync/connect.ts';
import { type ShownText, say } from '../words/speech.ts';
import { type CommonFlags, commonFlags } from './common-flags.ts';
import { addAdvice, writeError } from './error-output.ts';
import type { Config, Interfaces } from './oclif.ts';
import { OutputCommand } from './output-command.ts';
import { type SettingKey, settingKeys, settingRow } from './setting-table.ts';
import { readSettings, type Settings } from './settings.ts';
import { usageErrorOf } from './usage-error.ts';

/** Base of every command: parses common flags, opens the mirror and the service, maps errors to exit codes. */
export abstract class HemicycleCommand extends OutputCommand {
  static override baseFlags: Interfaces.FlagInput = commonFlags;

  /** Path of the mirror, for messages about SQLite errors; set by `settingsWith`. */
  protected mirrorPath = 'the mirror';

  protected readonly jsonFormat: string = 'json'; // the `--format` that `--json` stands for

  /** Parses flags and arguments, and sets `common`; throws a UsageError if `--json` and `--format` disagree. */
  protected override async parse<
    F extends Record<string, unknown>,
    B extends Record<string, unknown>,
    A extends Record<string, unknown>,
  >(options?: Interfaces.Input<F, B, A>, argv?: string[]): Promise<Interfaces.ParserOutput<F, B, A>> {
    // oclif spreads the class, which would omit inherited static properties.
    const { args, flags, baseFlags, strict } = (options ?? this.ctor) as Required<Interfaces.Input<F, B, A>>;
    const typedArgv = this.argv;
    const parsedInput = await super.parse({ args, flags, baseFlags, strict }, argv);
    // oclif replaces the typed words, and advice needs them.
    this.argv = typedArgv;
    this.common = parsedInput.flags as CommonFlags;
    const { format, json, pager } = parsedInput.flags as { format?: string; json?: boolean; pager?: boolean };
    this.isPaged = 'pager' in { ...this.ctor.baseFlags, ...this.ctor.flags } && pager !== false;
    const isFormatTyped = format !== undefined && !parsedInput.metadata.flags.format?.setFromDefault;
    if (json && isFormatTyped && format !== this.jsonFormat)
      throw new UsageError(
        say`--json asks for ${this.jsonFormat}, and --format for ${format}`,
        say`remove one of them`,
      );
    return parsedInput;
  }

  /** Settings of this run, overridden by common flags; keys without such a flag, by `overrides`, else by presets. */
  settingsWith(overrides: Partial<Record<SettingKey, string | undefined>> = {}): Settings {
    const flags = this.common as Record<string, string | undefined>;
    const { presets = {} } = this.config as Config & { presets?: typeof overrides }; // set by `runCommand`
    const flagValue = (key: SettingKey) => (settingRow(key).flag ? flags[key] : (overrides[key] ?? presets[key]));
    const settings = readSettings(process.env, Object.fromEntries(settingKeys.map((key) => [key, flagValue(key)])));
    this.mirrorPath = settings.db;
    return settings;
  }

  /** Runs another command; `presets` override the user's settings, except keys that have a common flag. */
  protected async runCommand(id: string, argv: string[], presets: Partial<Record<SettingKey, string>>): Promise<void> {
    // A derived configuration carries the presets to the other command.
    await Object.assign(Object.create(this.config), { presets }).runCommand(id, argv);
  }

  /** The typed command line, quoted for a shell, with `hemicycle` before it. */
  get commandLine(): string {
    return shellLine(['hemicycle', ...this.id!.split(':'), ...this.argv]);
  }

  /** Locks a mirror or file until the command ends; waits up to `waitMs` for another run. */
  async lock(path: string, waitMs = 0, signal?: AbortSignal): Promise<void> {
    const wait = (ms: number) => sleep(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
    this.closeAtEnd(await takeLock(path, { waitMs, sleep: wait }));
  }

  /** Opens the mirror for reading; it is closed when the command ends. */
  mirror(settings: Settings = this.settingsWith()): Mirror {
    return this.closeAtEnd(openMirror(settings.db));
  }

  /** Connects to the service until the command ends; throws a ConfigurationError without an address or valid token. */
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
    return this.closeAtEnd(client);
  }

  get userAgent(): string {
    return `hemicycle/${this.config.version} (+https://www.npmjs.com/package/hemicycle)`;
  }

  /** Options for connections other than to the service, such as to buckets and the embeddings service. */
  get network(): BucketOptions {
    return {
      userAgent: this.userAgent,
      ...this.trace,
      now: Date.now,
      sleep: (ms) => sleep(ms),
      onWait: (ms, reason) => this.note(say`waiting ${Math.ceil(ms / 1000)} s for ${reason}`),
    };
  }

  /** With `--debug`, a `trace` that writes each request to stderr. */
  get trace(): { trace?: (line: string) => void } {
    return this.common.debug ? { trace: (line) => this.sinks().stderr(sanitiseLine(line)) } : {};
  }

  /** Prints the error on stderr, with advice, and sets the exit code. */
  override async catch(error: Error & { oclif?: { exit?: number }; code?: string }): Promise<void> {
    // oclif ends with an ExitError, for example after --help.
    if (error.code === 'EEXIT') throw error;
    await this.closeInteractiveOutput();
    const reportedError =
      usageErrorOf(error, { root: this.config.root, id: this.id! }) ?? (asMirrorError(this.mirrorPath, error) as Error);
    await addAdvice(reportedError, { root: this.config.root, id: this.id!, argv: this.argv, flags: this.ctor.flags });
    await writeError(reportedError, this.argv, { root: this.config.root, speech: this.speech });
  }
}
