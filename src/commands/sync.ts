import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Flags } from '@oclif/core';
import { HemicycleCommand } from '../command.ts';
import type { Settings } from '../config.ts';
import { ConfigurationError, HemicycleError, UsageError } from '../errors.ts';
import { readBallotRanges } from '../mirror/ballot-ranges.ts';
import { kindNamed } from '../mirror/import.ts';
import { planSync, type SyncScope } from '../mirror/plan.ts';
import { runSync } from '../mirror/sync.ts';
import { durationMs } from '../model/duration.ts';
import { writeAtomically } from '../output/atomic-file.ts';
import { planText, reportText, syncProgress } from '../output/sync-text.ts';
import { takeLock } from '../store/lock.ts';
import { openMirror, openWritableMirror } from '../store/open.ts';

export default class Sync extends HemicycleCommand {
  static override summary = 'bring the mirror up to date from the service, within its rate limit';
  static override description =
    'Interrupt it at any time: what was saved stays, and the next sync goes on from there.';
  static override examples = [
    {
      description: 'What it would ask, and how long that takes',
      command: '<%= config.bin %> sync --from https://service.example/api/v1 --dry-run',
    },
    {
      description: 'From cron: silent, with a report for a monitor',
      command: '<%= config.bin %> sync --quiet --report sync.json',
    },
    {
      description: 'Only ballots, by number',
      command: '<%= config.bin %> sync --only ballot --ballots AN:1-50,Senat:2025-300',
    },
  ];
  static override flags = {
    from: Flags.string({ description: 'address of the service (HEMICYCLE_BASE_URL)', helpValue: 'URL' }),
    only: Flags.string({ description: 'kinds to bring up to date', helpValue: 'KIND,…' }),
    full: Flags.boolean({ description: 'ask for everything again' }),
    ballots: Flags.string({
      description: 'ballots to fetch: AN:1-50,Senat:2025-300',
      helpValue: 'CHAMBER:IDS,…',
    }),
    'ids-from': Flags.string({
      description: 'a file of ballots, CHAMBER:ID a line (- for stdin)',
      helpValue: 'FILE|-',
    }),
    details: Flags.string({
      description: 'which full profiles to fetch',
      options: ['changed', 'all', 'none'],
      default: 'changed',
    }),
    'dry-run': Flags.boolean({ description: 'print the plan, its requests and minutes; ask nothing' }),
    report: Flags.string({ description: 'write a report of the run as JSON', helpValue: 'FILE' }),
    rate: Flags.string({
      description: 'requests a minute; more than the service allows only for a server of your own',
    }),
    'wait-lock': Flags.string({
      description: 'wait that long for another run to end (5m)',
      helpValue: 'DURATION',
    }),
    'accept-shrink': Flags.boolean({
      description: 'apply a dataset even if it lost more than a fifth of its rows',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Sync);
    const settings = this.settingsWith(flags, { 'base-url': flags.from, rate: flags.rate });
    const scope = scopeOf(flags);
    if (flags['dry-run']) return this.showPlan(settings, scope, flags.json === true);
    const controller = this.interruptible();
    const terminal = this.terminal(flags, 'stderr');
    const progress = this.progress(flags);
    const reporter = syncProgress(progress, { isTTY: terminal.isTTY, rate: settings.rate });
    const client = await this.client(settings, flags, { signal: controller.signal, onWait: reporter.wait });
    const mirror = this.closing(openWritableMirror(settings.db));
    const lock = await takeLock(settings.db, {
      waitMs: waitOf(flags['wait-lock']),
      sleep: (ms) => sleep(ms),
    });
    this.closing({ close: () => lock.release() });
    const workFolder = await mkdtemp(join(tmpdir(), 'hemicycle-'));
    const context = {
      mirror,
      client,
      scope,
      now: () => Date.now(),
      signal: controller.signal,
      workFolder,
      maxShrink: flags['accept-shrink'] ? 1 : 0.2,
      progress: reporter,
      tally: { kinds: {}, gaps: 0, errors: [] },
    };
    const { report, error } = await runSync(context, settings.isCitationStated ? settings.citation : null);
    progress.stop();
    if (flags.report)
      await writeAtomically(flags.report, (sink) => sink.write(`${JSON.stringify(report, null, 2)}\n`));
    await this.sinks().stdout.write(
      flags.json ? `${JSON.stringify(report)}\n` : flags.quiet ? '' : reportText(report, settings.db),
    );
    if (controller.signal.aborted) throw interrupted();
    if (error) throw error;
  }

  private async showPlan(settings: Settings, scope: SyncScope, json: boolean): Promise<void> {
    if (settings.baseUrl === null)
      throw new ConfigurationError(
        'the address of the service is not set',
        'name it with --from URL or HEMICYCLE_BASE_URL',
      );
    const mirror = existsSync(settings.db) ? this.closing(openMirror(settings.db)) : null;
    const plan = planSync(mirror, settings.baseUrl, { scope, rate: settings.rate });
    await this.sinks().stdout.write(json ? `${JSON.stringify(plan)}\n` : planText(plan, settings.rate));
  }

  /** The first Ctrl-C ends the run after what is being saved, the second at once. */
  private interruptible(): AbortController {
    const controller = new AbortController();
    process.on('SIGINT', () => {
      if (controller.signal.aborted) process.exit(130);
      controller.abort();
    });
    return controller;
  }
}

type SyncFlags = {
  only?: string | undefined;
  full: boolean;
  details: string;
  ballots?: string | undefined;
  'ids-from'?: string | undefined;
};

function scopeOf(flags: SyncFlags): SyncScope {
  const listed =
    flags['ids-from'] === undefined
      ? ''
      : readFileSync(flags['ids-from'] === '-' ? 0 : flags['ids-from'], 'utf8')
          .split(/\s+/)
          .join(',');
  return {
    only: flags.only === undefined ? null : flags.only.split(',').map((word) => kindNamed(word.trim()).name),
    full: flags.full,
    details: flags.details as SyncScope['details'],
    ballots: [...readBallotRanges(flags.ballots ?? ''), ...readBallotRanges(listed)],
  };
}

function waitOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const ms = durationMs(text);
  if (ms === null) throw new UsageError(`--wait-lock "${text}" is not a duration`, 'write 90s, 5m or 1h');
  return ms;
}

function interrupted(): HemicycleError {
  return new HemicycleError(
    { code: 'INTERRUPTED', exit: 130 },
    'interrupted; what was saved stays',
    'run `hemicycle sync` again to go on from here',
  );
}
