import { readFileSync } from 'node:fs';
import process from 'node:process';
import { Command, Config, Flags, type Interfaces } from '@oclif/core';
import { allowedRate, readSettings, type SettingKey, type Settings } from './config.ts';
import { ConfigurationError, exitCodes, HemicycleError, StaleError, UsageError } from './errors.ts';
import { autoSource } from './mirror/auto-source.ts';
import { mirrorSource } from './mirror/mirror-source.ts';
import type { Source } from './mirror/source.ts';
import { type Attribution, attributionOf, type Citation, type Licence } from './model/attribution.ts';
import { durationMs } from './model/duration.ts';
import { type OutputFormat, type OutputOptions, type OutputSinks, outputFormats } from './output/answer.ts';
import { errorJson } from './output/envelope.ts';
import { sanitiseLine, sanitiseText } from './output/sanitise.ts';
import { streamSink } from './output/sink.ts';
import { processTerminal, type Terminal } from './output/terminal.ts';
import type { Client } from './service/client.ts';
import { lastFilled } from './store/contents.ts';
import { readMeta } from './store/meta.ts';
import { type Mirror, openMirror, openWritableMirror } from './store/open.ts';

const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

/** Name and version that every request carries. */
export const userAgent = `hemicycle/${version} (+https://www.npmjs.com/package/hemicycle)`;

type CommonFlags = {
  db?: string | undefined;
  json?: boolean;
  quiet?: boolean;
  debug?: boolean;
  color?: boolean;
};

/** What every command shares: settings, the terminal, and errors that become exit codes. */
export abstract class HemicycleCommand extends Command {
  static override baseFlags: Interfaces.FlagInput = {
    db: Flags.string({ description: 'path of the mirror', helpValue: 'FILE', helpGroup: 'COMMON' }),
    json: Flags.boolean({
      description: 'answer in JSON; an error is one JSON object on stderr',
      helpGroup: 'COMMON',
    }),
    quiet: Flags.boolean({ description: 'no progress and no remarks on stderr', helpGroup: 'COMMON' }),
    color: Flags.boolean({
      description: 'colour, or none with --no-color',
      allowNo: true,
      helpGroup: 'COMMON',
    }),
    debug: Flags.boolean({
      description: 'show the HTTP traffic on stderr, the token redacted',
      helpGroup: 'COMMON',
    }),
  };

  /** oclif would load its configuration a second time here; the one that found the command will do. */
  static override async run<Result>(
    this: new (
      argv: string[],
      config: Config,
    ) => Command,
    argv: string[] = [],
    options?: Interfaces.LoadOptions,
  ): Promise<Result> {
    const config = options instanceof Config ? options : await Config.load(options);
    return (new this(argv, config) as unknown as { _run(): Promise<Result> })._run();
  }

  /** Closed in this order when the command ends. */
  private readonly closers: (() => void | Promise<void>)[] = [];

  /** The settings of this run, with the flags that override them. */
  protected settingsWith(
    flags: CommonFlags,
    more: Partial<Record<SettingKey, string | undefined>> = {},
  ): Settings {
    const stated = { ...more, ...(flags.db === undefined ? {} : { db: flags.db }) };
    const given = Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
    return readSettings(process.env, given as Partial<Record<SettingKey, string>>);
  }

  protected terminal(flags: CommonFlags, name: 'stdout' | 'stderr' = 'stdout'): Terminal {
    return processTerminal(name, { colour: flags.color });
  }

  protected sinks(): OutputSinks {
    return { stdout: streamSink(process.stdout), stderr: (line) => process.stderr.write(`${line}\n`) };
  }

  /** Registers what has to be closed when the command ends, however it ends. */
  protected closing<Opened extends { close(): void | Promise<void> }>(opened: Opened): Opened {
    this.closers.unshift(() => opened.close());
    return opened;
  }

  /** The mirror, open for reading. */
  protected mirror(settings: Settings): Mirror {
    return this.closing(openMirror(settings.db));
  }

  /** A client of the service that the settings name. */
  protected async client(
    settings: Settings,
    flags: CommonFlags,
    more: { signal?: AbortSignal; onWait?: (ms: number) => void; attempts?: number } = {},
  ): Promise<Client> {
    const { baseUrl, token, authHeader, rate, stateFolder } = settings;
    if (baseUrl === null) {
      throw new ConfigurationError(
        'the address of the service is not set',
        'set HEMICYCLE_BASE_URL, or `hemicycle config set base-url https://service.example/api/v1`',
      );
    }
    const trace = flags.debug
      ? { trace: (line: string) => void process.stderr.write(`${sanitiseLine(line)}\n`) }
      : {};
    const { attempts, ...waiting } = more;
    const limits = attempts === undefined ? {} : { attempts };
    const { connect } = await import('./mirror/connect.ts');
    return this.closing(
      await connect({
        baseUrl,
        token,
        authHeader,
        rate,
        stateFolder,
        userAgent,
        ...trace,
        ...waiting,
        limits,
      }),
    );
  }

  override async catch(error: Error & { oclif?: { exit?: number }; code?: string }): Promise<void> {
    // An ExitError is how oclif itself ends, for example after --help.
    if (error.code === 'EEXIT') throw error;
    const known = error instanceof HemicycleError ? error : foreignError(error);
    process.exitCode = known.exit;
    if (this.argv.includes('--json') || /^--format=?json$/.test(formatIn(this.argv))) {
      process.stderr.write(`${errorJson(known).trimEnd()}\n`);
      return;
    }
    process.stderr.write(
      `Error: ${sanitiseText(known.message)}\n${known.hint ? `${sanitiseText(known.hint)}\n` : ''}`,
    );
    if (this.argv.includes('--debug') && known.exit === exitCodes.unexpected)
      process.stderr.write(`${error.stack}\n`);
  }

  override async finally(error: Error | undefined): Promise<void> {
    for (const close of this.closers) await close();
    await super.finally(error);
  }
}

/** Who is to be cited for what a mirror holds: what the user stated, else what the last sync stated. */
export function citationOf(settings: Settings, mirror: Mirror | null): Citation {
  if (settings.isCitationStated || !mirror) return settings.citation;
  const name = readMeta(mirror, 'service_name');
  return name === null ? settings.citation : { name, siteUrl: readMeta(mirror, 'site_url') };
}

type ReadingFlags = CommonFlags & {
  format?: string;
  columns?: string | undefined;
  header?: boolean;
  source?: string;
  'max-age'?: string | undefined;
};

/** A command that answers from the mirror or the service, in every format. */
export abstract class ReadingCommand extends HemicycleCommand {
  static override baseFlags: Interfaces.FlagInput = {
    ...HemicycleCommand.baseFlags,
    format: Flags.string({
      description: 'how to write the answer',
      options: [...outputFormats],
      default: 'table',
      helpGroup: 'OUTPUT',
    }),
    columns: Flags.string({
      description: 'columns to show, with commas between',
      helpValue: 'a,b',
      helpGroup: 'OUTPUT',
    }),
    header: Flags.boolean({
      description: 'a line of column names first; --no-header leaves it out',
      allowNo: true,
      default: true,
      helpGroup: 'OUTPUT',
    }),
    pager: Flags.boolean({
      description: 'answers are never paged; --no-pager says so for scripts',
      allowNo: true,
      helpGroup: 'OUTPUT',
    }),
    source: Flags.string({
      description:
        'who answers: the mirror alone, the service, or the mirror and for what it never held the service',
      options: ['mirror', 'service', 'auto'],
      default: 'auto',
      helpGroup: 'SOURCE',
    }),
    'max-age': Flags.string({
      description: 'refuse a mirror that is older (90s, 30m, 12h, 7d)',
      helpValue: 'DURATION',
      helpGroup: 'SOURCE',
    }),
  };

  protected outputOptions(flags: ReadingFlags): OutputOptions {
    const format = (flags.json ? 'json' : flags.format) as OutputFormat;
    const columns = flags.columns
      ?.split(',')
      .map((column) => column.trim())
      .filter((column) => column !== '');
    return {
      format,
      columns,
      header: flags.header ?? true,
      terminal: this.terminal(flags),
      quiet: flags.quiet,
    };
  }

  /** The source that the flags name, and how its answers are to be attributed. */
  protected async source(flags: ReadingFlags): Promise<{
    source: Source;
    attribution: (retrievedAt: string | null, licence?: Licence) => Attribution;
  }> {
    const settings = this.settingsWith(flags);
    const { source, mirror } = await this.openSource(flags, settings);
    const citation = citationOf(settings, mirror);
    return {
      source,
      attribution: (retrievedAt, licence) =>
        attributionOf(citation, { retrievedAt, licence: licence ?? null }),
    };
  }

  private async openSource(
    flags: ReadingFlags,
    settings: Settings,
  ): Promise<{ source: Source; mirror: Mirror }> {
    if (flags.source === 'service') {
      const client = await this.client(settings, flags, { attempts: 2 });
      const mirror = this.closing(openWritableMirror(settings.db));
      return { source: await serviceOf(mirror, client), mirror };
    }
    const mirror = this.mirror(settings);
    refuseStale(mirror, flags['max-age']);
    const known = knownService(settings, mirror);
    if (flags.source === 'mirror' || known === null) return { source: mirrorSource(mirror), mirror };
    const ask = async (why: string) => {
      if (!flags.quiet) process.stderr.write(`${sanitiseLine(why)}; asking the service\n`);
      const client = await this.client(known, flags, { attempts: 1 });
      return serviceOf(this.closing(openWritableMirror(settings.db)), client);
    };
    return { source: autoSource(mirrorSource(mirror), ask), mirror };
  }
}

async function serviceOf(mirror: Mirror, client: Client): Promise<Source> {
  const { serviceSource } = await import('./mirror/service-source.ts');
  return serviceSource(mirror, client);
}

/** Throws a StaleError if the mirror was last filled longer ago than the user allows. */
export function refuseStale(mirror: Mirror, maxAge: string | undefined): void {
  if (maxAge === undefined) return;
  const allowed = durationMs(maxAge);
  if (allowed === null)
    throw new UsageError(`--max-age "${maxAge}" is not a duration`, 'write 90s, 30m, 12h or 7d');
  const filled = lastFilled(mirror);
  if (filled === null) throw new StaleError('the mirror was never filled to the end');
  if (Date.now() - Date.parse(filled) > allowed)
    throw new StaleError(`the mirror was last filled at ${filled}, longer ago than ${maxAge}`);
}

/** Errors of oclif (a flag that does not exist) are usage errors; anything else is unexpected. */
function foreignError(error: Error & { oclif?: { exit?: number } }): HemicycleError {
  if (error.oclif?.exit !== undefined)
    return new UsageError(error.message.split('\nSee more help')[0]!, 'see --help');
  return new HemicycleError(
    { code: 'UNEXPECTED', exit: exitCodes.unexpected },
    error.message,
    'this is a fault of Hemicycle; --debug shows where',
    error,
  );
}

function formatIn(argv: string[]): string {
  const at = argv.indexOf('--format');
  return at >= 0
    ? `--format=${argv[at + 1]}`
    : (argv.find((argument) => argument.startsWith('--format=')) ?? '');
}

/**
 * The settings to ask the service with, or null where no address is known. An address that only the mirror
 * remembers gets no token: the file may come from anybody.
 */
function knownService(settings: Settings, mirror: Mirror): Settings | null {
  if (settings.baseUrl !== null) return settings;
  const baseUrl = readMeta(mirror, 'base_url');
  return baseUrl === null ? null : { ...settings, baseUrl, token: null, rate: allowedRate(null) };
}
