import { Flags, type Interfaces } from '@oclif/core';
import { StaleError, UsageError } from '../errors.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import { type Attribution, attributionOf, type Licence } from '../model/attribution.ts';
import { type KindName, kindOf } from '../model/kinds.ts';
import { durationMs, momentOf } from '../model/moment.ts';
import { autoSource } from '../questions/auto-source.ts';
import { mirrorSource } from '../questions/mirror-source.ts';
import type { Source } from '../questions/source.ts';
import type { Client } from '../service/client.ts';
import { citationOf, lastFilled } from '../store/contents.ts';
import { readMeta } from '../store/meta.ts';
import type { Mirror } from '../store/mirror.ts';
import { openWritableMirror } from '../store/open.ts';
import { openPast } from '../store/past.ts';
import { type OutputFormat, type OutputOptions, outputFormats } from '../terminal/answer.ts';
import { type CommonFlags, HemicycleCommand } from './base-command.ts';
import { allowedRate, type Settings } from './settings.ts';

type ReadingFlags = CommonFlags & {
  format?: string;
  columns?: string | undefined;
  header?: boolean;
  source?: string;
  'max-age'?: string | undefined;
  'as-of'?: string | undefined;
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
    'as-of': Flags.string({
      description: 'as this mirror had seen it by then: 2026-11-01 (its end, UTC), a moment, or 7d ago',
      helpValue: 'DATE',
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

  /** The source that the flags name, for records of these kinds, and how its answers are to be attributed. */
  protected async source(
    flags: ReadingFlags,
    reads: readonly KindName[] = [],
  ): Promise<{
    source: Source;
    attribution: (retrievedAt: string | null, licence?: Licence) => Attribution;
  }> {
    const settings = this.settingsWith(flags);
    const { source, mirror } = await this.openSource(flags, settings, reads);
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
    reads: readonly KindName[],
  ): Promise<{ source: Source; mirror: Mirror }> {
    const searching = { searchesByMeaning: settings.semanticSearch };
    if (flags['as-of'] !== undefined) {
      if (flags.source === 'service')
        throw new UsageError(
          'the service does not say what it said before',
          '--as-of answers from the mirror',
        );
      const past = openPast(settings.db, asOfMoment(flags['as-of']), reads.map(kindOf));
      const mirror = this.closing(past);
      refuseStale(mirror, flags['max-age']);
      return { source: mirrorSource(mirror, searching), mirror };
    }
    if (flags.source === 'service') {
      const client = await this.client(settings, flags, { attempts: 2, ...waiting(flags) });
      const mirror = this.closing(openWritableMirror(settings.db));
      return { source: await serviceOf(mirror, client), mirror };
    }
    const mirror = this.mirror(settings);
    refuseStale(mirror, flags['max-age']);
    const known = knownService(settings, mirror);
    if (flags.source === 'mirror' || known === null)
      return { source: mirrorSource(mirror, searching), mirror };
    const ask = async (why: string) => {
      if (isTold(flags)) process.stderr.write(`${sanitiseLine(why)}; asking the service\n`);
      const client = await this.client(known, flags, { attempts: 1, ...waiting(flags) });
      return serviceOf(this.closing(openWritableMirror(settings.db)), client);
    };
    return { source: autoSource(mirrorSource(mirror, searching), ask), mirror };
  }
}

/** With JSON an error is all that stderr holds; who answered stands there after the answer came. */
function isTold({ quiet, json, format }: ReadingFlags): boolean {
  return !quiet && !json && format !== 'json';
}

/** A person waits: their request goes before those of a sync, and they are told how long it takes. */
function waiting(flags: ReadingFlags) {
  const onWait = (ms: number, awaited: string) =>
    void process.stderr.write(`waiting ${Math.ceil(ms / 1000)} s for ${sanitiseLine(awaited)}\n`);
  return { isUrgent: true, ...(isTold(flags) ? { onWait } : {}) };
}

async function serviceOf(mirror: Mirror, client: Client): Promise<Source> {
  const { serviceSource } = await import('../questions/service-source.ts');
  return serviceSource(mirror, client);
}

/** The moment that `--as-of` names, ISO 8601; throws a UsageError on what is no date or not yet past. */
export function asOfMoment(text: string): string {
  const at = momentOf(text, Date.now(), 'end');
  if (at === null)
    throw new UsageError(`--as-of "${text}" is not a date`, 'write 2026-11-01, 2026-11-01T08:00:00Z, or 7d');
  const now = new Date().toISOString();
  if (at <= now) return at;
  if (at.slice(0, 10) === now.slice(0, 10)) return now;
  throw new UsageError(`--as-of "${text}" is still to come`);
}

/** Throws a UsageError where history cannot answer. */
export function refuseAsOf(flags: ReadingFlags, why: string): void {
  if (flags['as-of'] !== undefined)
    throw new UsageError(why, '--as-of is for politicians, parties, feed, vote, audit and export');
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

/**
 * The settings to ask the service with, or null where no address is known. An address that only the mirror
 * remembers gets no token: the file may come from anybody.
 */
export function knownService(settings: Settings, mirror: Mirror): Settings | null {
  if (settings.baseUrl !== null) return settings;
  const baseUrl = readMeta(mirror, 'base_url');
  return baseUrl === null ? null : { ...settings, baseUrl, token: null, rate: allowedRate(null) };
}
