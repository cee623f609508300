import { existsSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConfigurationError,
  HemicycleError,
  InterruptedError,
  NoMirrorError,
  UsageError,
} from '../../errors.ts';
import { durationMs } from '../../model/moment.ts';
import { takeLock } from '../../store/lock.ts';
import { asMirrorError, type Mirror } from '../../store/mirror.ts';
import { openMirror, openWritableMirror } from '../../store/open.ts';
import { refuseOtherService } from '../../store/syncs/service.ts';
import { newTally, type SyncContext, type SyncScope } from '../../sync/context.ts';
import { planSync } from '../../sync/stages.ts';
import { runSync, unbegunReport } from '../../sync/sync.ts';
import { verifyMirror } from '../../sync/verify.ts';
import { shellLine } from '../../terminal/schedule-text.ts';
import { comparisonText, planText, reportText, syncProgress } from '../../terminal/sync-text.ts';
import { say, type UserText } from '../../words/speech.ts';
import { acceptClockFlag, clockOf } from '../accepted-clock.ts';
import { type CommonFlags, HemicycleCommand } from '../base-command.ts';
import { conditionOf } from '../condition.ts';
import { embed, embedFlag } from '../embedding.ts';
import { Flags } from '../oclif.ts';
import { keepHeapSmall, onEndSignal } from '../process.ts';
import { allowedRate } from '../setting-forms.ts';
import type { Settings } from '../settings.ts';
import { readSyncScope } from '../sync-scope.ts';
import type { Closing } from '../watch-run.ts';

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
      description: 'Prove that the mirror is what the service says now (exit 12 if it is not)',
      command: '<%= config.bin %> sync --verify --details none',
    },
    {
      description: 'Only the vectors of semantic search, of a model that is set',
      command: '<%= config.bin %> sync --embed only',
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
    'max-shrink': Flags.integer({
      description: 'refuse a dataset that lost more than that share of its rows, in per cent',
      min: 0,
      max: 100,
      default: 20,
    }),
    'accept-shrink': Flags.boolean({ description: 'apply a dataset whatever rows or columns it lost' }),
    embed: embedFlag(['also', 'only', 'none']),
    watch: Flags.boolean({ description: 'then have the watches tell what is new' }),
    'accept-clock': acceptClockFlag,
    moved: Flags.boolean({
      description: 'the service of this mirror has moved to this address: go on with the records held',
    }),
    verify: Flags.boolean({
      description: 'change nothing: fill a mirror anew beside this one and compare them, record for record',
    }),
  };

  /** Aborted by the first end signal. */
  private readonly stopped = new AbortController();

  async run(): Promise<void> {
    const { flags } = await this.parse(Sync);
    const settings = this.settingsWith(flags, { 'base-url': flags.from, rate: flags.rate });
    const scope = readSyncScope(flags);
    if (flags['dry-run']) return this.showPlan(settings, scope, flags);
    if (flags.embed === 'only') return this.embedOnly(settings, flags);
    const keepReport = await this.openReport(flags.report);
    const startedMs = Date.now();
    const { report, error, text } = await this.bringUpToDate(settings, scope, flags).catch(
      (thrown: Error): Ended => {
        const known = asMirrorError(settings.db, thrown) as Error;
        const told = known instanceof HemicycleError ? known : (conditionOf(known) ?? known);
        const origin = settings.baseUrl;
        return { report: unbegunReport(told, { origin, startedMs, endedMs: Date.now() }), error: told };
      },
    );
    const unkept = await keepReport(report).then(
      () => null,
      (refused: unknown) => refused,
    );
    if (text !== undefined) {
      const shown = flags.json ? `${JSON.stringify(report)}\n` : flags.quiet ? '' : text;
      await this.sinks().stdout.write(shown);
    }
    const untold = flags.watch ? await this.tellWatches(settings, flags) : null;
    // The run's own error takes precedence over errors of its report and of watches.
    if (error || unkept || untold) throw error ?? unkept ?? untold;
  }

  private async bringUpToDate(settings: Settings, scope: SyncScope, flags: RunFlags): Promise<Ended> {
    keepHeapSmall(8);
    const controller = this.interruptible();
    const mirror = await this.openLocked(settings, flags['wait-lock'], controller.signal);
    const progress = this.progress(flags);
    const clock = clockOf(mirror, {
      isAccepted: flags['accept-clock'],
      note: (line) => progress.note(line),
    });
    const { isTTY } = this.terminal(flags, 'stderr');
    const reporter = syncProgress(progress, { isTTY, rate: settings.rate, now: () => Date.now() });
    if (clock.behindMs > 0)
      progress.note(say`the clock of this machine is behind the mirror: moments are counted from its newest`);
    const context: SyncContext = {
      mirror,
      client: await this.client(settings, flags, {
        signal: controller.signal,
        isSpread: true,
        onWait: reporter.wait,
        now: clock.now,
        ...(flags['accept-clock'] ? { onDate: undefined } : {}),
      }),
      scope,
      now: clock.now,
      signal: controller.signal,
      workFolder: `${settings.db}.incoming`,
      hasMoved: flags.moved,
      maxShrink: flags['accept-shrink'] ? 1 : flags['max-shrink'] / 100,
      inFlight: settings.rate > allowedRate(null) ? 4 : 1,
      progress: reporter,
      tally: newTally(),
    };
    const ended = flags.verify ? await this.verify(context, settings) : await this.sync(context, settings);
    reporter.ended();
    progress.stop();
    if (ended.error || flags.verify || flags.embed === 'none' || settings.embeddings === null) return ended;
    try {
      const made = await this.embed(settings, flags, { mirror, signal: controller.signal });
      if (made !== null) progress.done(made);
      return ended;
    } catch (error) {
      return { ...ended, error: told(error, say`the mirror is up to date; its vectors are not`) };
    }
  }

  /** Runs the watches, however the sync ended; returns an error if messages were refused. */
  private async tellWatches(settings: Settings, flags: RunFlags): Promise<unknown> {
    const { tellAfterSync } = await import('../watch-run.ts');
    const closing: Closing = (opened) => this.closing(opened);
    const [{ signal }, { userAgent }, sinks] = [this.stopped, this, this.sinks()];
    return tellAfterSync({ settings, userAgent, closing, signal, flags, sinks });
  }

  /** Computes missing vectors only; sends no request to the mirrored service. */
  private async embedOnly(settings: Settings, flags: RunFlags): Promise<void> {
    if (!existsSync(settings.db)) throw new NoMirrorError(settings.db);
    const { signal } = this.interruptible();
    const mirror = await this.openLocked(settings, flags['wait-lock'], signal);
    const made = await this.embed(settings, flags, { mirror, signal });
    if (!flags.quiet)
      await this.sinks().stdout.write(`${this.speech.tell(made ?? say`every record has its vector`)}\n`);
  }

  private embed(
    settings: Settings,
    flags: RunFlags,
    { mirror, signal }: { mirror: Mirror; signal: AbortSignal },
  ) {
    const [progress, trace] = [this.progress(flags), this.trace(flags)];
    const { userAgent } = this;
    return embed({ mirror, embeddings: settings.embeddings, userAgent, trace, signal, progress });
  }

  private async sync(context: SyncContext, settings: Settings): Promise<Ended> {
    const { report, error } = await runSync(context, settings.citation);
    return { report, error, text: reportText(report, settings.db, this.speech) };
  }

  /** Fills a temporary mirror from scratch, compares it with ours, and deletes it. */
  private async verify(context: SyncContext, settings: Settings): Promise<Ended> {
    const path = `${settings.db}.verify`;
    removeMirror(path);
    this.closing({ close: () => removeMirror(path) });
    const fresh = this.closing(openWritableMirror(path));
    const { report, kinds, error } = await verifyMirror(context, fresh);
    const exit = error instanceof HemicycleError ? error.exit : report.exit;
    return { report: { ...report, exit, verified: kinds }, error, text: comparisonText(kinds, this.speech) };
  }

  /** Takes the lock before opening the mirror: its holder may be writing to the file. */
  private async openLocked(settings: Settings, wait: string | undefined, signal: AbortSignal) {
    const lock = await takeLock(settings.db, {
      waitMs: waitOf(wait),
      sleep: (ms) => sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted()),
    });
    this.closing({ close: () => lock.release() });
    return this.closing(openWritableMirror(settings.db, { cacheMb: 24 }));
  }

  private async showPlan(settings: Settings, scope: SyncScope, flags: PlanFlags): Promise<void> {
    if (settings.baseUrl === null)
      throw new ConfigurationError(
        say`the address of the service is not set`,
        say`name it with --from URL or HEMICYCLE_BASE_URL`,
      );
    // A verification starts from an empty mirror.
    const isHeld = existsSync(settings.db) && !flags.verify;
    const mirror = isHeld ? this.closing(openMirror(settings.db)) : null;
    if (mirror && !flags.moved) refuseOtherService(mirror, settings.baseUrl);
    const plan = planSync(mirror, settings.baseUrl, { scope, rate: settings.rate });
    await this.sinks().stdout.write(
      flags.json ? `${JSON.stringify(plan)}\n` : planText(plan, settings.rate, this.speech),
    );
  }

  /** The first signal stops the run after the current save, the second at once. */
  private interruptible(): AbortController {
    const controller = this.stopped;
    const again = shellLine(['hemicycle', 'sync', ...this.argv]);
    onEndSignal((exit) =>
      controller.abort(
        new InterruptedError(exit, say`interrupted; what was saved stays`, say`to go on: ${again}`),
      ),
    );
    return controller;
  }
}

/** Result of a run; `text` is missing if the run never began. */
type Ended = { report: object; error: unknown; text?: string };

type PlanFlags = { json?: boolean | undefined; verify: boolean; moved: boolean };

type RunFlags = CommonFlags & {
  'wait-lock'?: string | undefined;
  'accept-shrink': boolean;
  'max-shrink': number;
  moved: boolean;
  'accept-clock': boolean;
  verify: boolean;
  embed: string;
};

/** Adds a remark to an error of ours on what still holds. */
function told(error: unknown, remark: UserText): unknown {
  return error instanceof HemicycleError ? error.withRemark(remark) : error;
}

function removeMirror(path: string): void {
  for (const ending of ['', '-wal', '-shm', '.incoming'])
    rmSync(`${path}${ending}`, { force: true, recursive: true });
}

function waitOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const ms = durationMs(text);
  if (ms === null)
    throw new UsageError(say`--wait-lock "${text}" is not a duration`, say`write 90s, 5m or 1h`);
  return ms;
}
