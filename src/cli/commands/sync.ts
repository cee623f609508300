import { existsSync, rmSync } from 'node:fs';
import {
  adviseOtherTarget,
  ConfigurationError,
  GoneServiceError,
  HemicycleError,
  NoMirrorError,
} from '../../errors.ts';
import { lastStatePhrase } from '../../model/attribution.ts';
import { asMirrorError } from '../../store/mirror-errors.ts';
import { openWritableMirror } from '../../store/open.ts';
import { isUnfilled } from '../../store/records/contents.ts';
import { readClosure, refuseOtherService } from '../../store/syncs/service.ts';
import { parseBallotRanges } from '../../sync/ballots.ts';
import { createClockGuard, createRunClock } from '../../sync/clock.ts';
import { newTally, type SyncContext, type SyncScope } from '../../sync/context.ts';
import { parseSyncedKinds, planSync } from '../../sync/stages.ts';
import { reportWithoutRequests, runSync } from '../../sync/sync.ts';
import { verifyMirror } from '../../sync/verify.ts';
import { comparisonText, planText, reportText, syncProgress } from '../../terminal/sync-text.ts';
import { say } from '../../words/speech.ts';
import { HemicycleCommand } from '../base-command.ts';
import { diskSpaceFor, lowSpaceWarning } from '../disk-space.ts';
import { embed, embedFlag } from '../embedding.ts';
import { toHemicycleError } from '../error-output.ts';
import { acceptClockFlag, parseDurationFlag, readTextFile } from '../flag-values.ts';
import { choiceFlag, Flags, type Interfaces, integerFlag, switchFlag, valueFlag } from '../oclif.ts';
import { limitHeapGrowth, stopSignal } from '../process.ts';
import { allowedRate, settingTable } from '../setting-table.ts';
import type { Settings } from '../settings.ts';

export default class Sync extends HemicycleCommand {
  static override flags = {
    from: valueFlag('address of the service (HEMICYCLE_BASE_URL)', 'URL'),
    only: valueFlag('kinds to update', 'KIND,…'),
    full: switchFlag('request everything again'),
    ballots: valueFlag('ballots to fetch: AN:1-50,Senat:2025-300', 'CHAMBER:IDS,…'),
    'ids-from': valueFlag('file of ballots to fetch, one CHAMBER:ID per line (- for stdin)', 'FILE|-'),
    details: choiceFlag('which full profiles to fetch', ['changed', 'all', 'none'], 'changed'),
    'dry-run': switchFlag('print the planned requests and their duration, without sending any'),
    report: valueFlag('write a report of the run as JSON', 'FILE'),
    rate: Flags.string({ description: settingTable.rate.description }),
    'wait-lock': valueFlag('wait up to this long for another run to finish (5m)', 'DURATION'),
    'max-shrink': integerFlag('refuse a dataset that lost more than this percentage of its rows', [0, 100], 20),
    accept: valueFlag('accept quarantined responses for these kinds', 'KIND,…'),
    'accept-shrink': switchFlag('accept datasets that lost rows or columns'),
    embed: embedFlag(['also', 'only', 'none']),
    watch: switchFlag('then run the watches'),
    'lift-block': switchFlag('send requests even though the service asked to wait'),
    'accept-clock': acceptClockFlag,
    moved: switchFlag('the service has moved to this address: keep the records of the mirror'),
    verify: switchFlag('fill a second mirror and compare it with this one, record by record, without changing either'),
  };

  private hasSucceeded = false;

  async run(): Promise<void> {
    const { flags } = await this.parse(Sync);
    const settings = this.settingsWith({ 'base-url': flags.from, rate: flags.rate });
    const scope = readSyncScope(flags);
    if (flags['dry-run']) return this.showPlan(settings, scope, flags);
    const signal = stopSignal(say`interrupted`, say`to continue: ${this.commandLine}`);
    if (flags.embed === 'only') return this.embedOnly(settings, flags, signal);
    const writeReport = await this.openReport(flags.report);
    const startedMs = Date.now();
    const { report, error, text } = await this.syncOrVerify({ settings, scope, flags, signal }).catch(
      (thrown: Error): SyncOutcome => {
        const error = asMirrorError(settings.db, thrown) as Error;
        const runInfo = { origin: settings.baseUrl, startedMs, endedMs: Date.now() };
        return { report: reportWithoutRequests(toHemicycleError(error), runInfo), error };
      },
    );
    const reportError = await writeReport(report).catch((thrown: unknown) => thrown);
    if (text !== undefined && (flags.json || !flags.quiet)) await this.print(report, text);
    const deliveryError = flags.watch ? await this.runWatches(settings, signal) : null;
    // The run's own error takes precedence over errors of its report and of watches.
    if (error || reportError || deliveryError) throw error ?? reportError ?? deliveryError;
    this.hasSucceeded = true;
  }

  /** Opens the file of the report now, to detect an unwritable one; returns the function that writes it. */
  private async openReport(path: string | undefined): Promise<(report: object) => Promise<void>> {
    if (path === undefined) return async () => {};
    const { openAtomicFile } = await import('../../format/atomic-file.ts');
    const sink = await openAtomicFile(path).catch(adviseOtherTarget('--report'));
    this.closeAtEnd({ close: () => sink.abort() });
    const write = async (report: object) => {
      sink.write(`${JSON.stringify(report, null, 2)}\n`);
      await sink.end();
    };
    return (report) => write(report).catch(adviseOtherTarget('--report'));
  }

  /** Syncs or verifies the mirror, then computes embeddings if configured; returns a report, even of a failed run. */
  private async syncOrVerify(request: SyncRequest): Promise<SyncOutcome> {
    const { settings, scope, flags, signal } = request;
    limitHeapGrowth({ nurseryMb: 8 });
    const mirror = await this.openLocked(settings, flags['wait-lock'], signal);
    const progress = this.progress();
    const clock = createRunClock(mirror, { isAccepted: flags['accept-clock'] });
    if (settings.serviceGone !== null) {
      progress.note(
        say`${lastStatePhrase(settings.serviceGone)}; no request was sent (to change this: \`hemicycle config unset service-gone\`)`,
      );
      const nowMs = clock.now();
      const runInfo = { origin: settings.baseUrl, startedMs: nowMs, endedMs: nowMs };
      return { report: reportWithoutRequests(null, runInfo), error: null };
    }
    const serviceClosure = readClosure(mirror);
    if (serviceClosure && Date.parse(serviceClosure.nextAt) > clock.now() && !scope.full)
      throw new GoneServiceError(serviceClosure.since, serviceClosure.nextAt);
    const { isTTY } = this.terminal('stderr');
    const reporter = syncProgress(progress, { isTTY, rate: settings.rate, now: () => Date.now() });
    if (clock.behindMs > 0)
      progress.note(say`the clock of this machine is behind the mirror: times are counted from the mirror’s latest`);
    if (flags['lift-block'] && settings.baseUrl !== null)
      (await import('../../sync/connect.ts')).liftBlock({ ...settings, baseUrl: settings.baseUrl });
    const spaceWarning = lowSpaceWarning(diskSpaceFor(settings.db));
    if (spaceWarning) progress.note(spaceWarning);
    const context = await this.connect(request, { mirror, now: clock.now, reporter });
    const outcome = flags.verify ? await this.verify(context, settings) : await this.sync(context, settings);
    reporter.endStage();
    progress.stop();
    const { embeddings } = settings;
    if (outcome.error || flags.verify || flags.embed === 'none' || embeddings === null) return outcome;
    try {
      const embedSummary = await embed(this, { mirror, embeddings, signal, progress });
      if (embedSummary !== null) progress.done(embedSummary);
      return outcome;
    } catch (error) {
      if (!(error instanceof HemicycleError)) return { ...outcome, error };
      return { ...outcome, error: error.withRemark(say`the mirror is up to date; its embeddings are not`) };
    }
  }

  /** Connects to the service; returns what every stage of the sync needs. */
  private async connect(
    { settings, scope, flags, signal }: SyncRequest,
    { mirror, now, reporter }: Pick<SyncContext, 'mirror' | 'now'> & { reporter: ReturnType<typeof syncProgress> },
  ): Promise<SyncContext> {
    const onDate = flags['accept-clock'] ? undefined : createClockGuard();
    return {
      mirror,
      client: await this.client(settings, { signal, isSpread: true, onWait: reporter.wait, now, onDate }),
      scope,
      now,
      signal,
      workFolder: `${settings.db}.incoming`,
      hasMoved: flags.moved,
      accepted: flags.accept === undefined ? [] : parseSyncedKinds(flags.accept),
      maxShrink: flags['accept-shrink'] ? 1 : flags['max-shrink'] / 100,
      inFlight: settings.rate > allowedRate(null) ? 4 : 1,
      progress: reporter,
      tally: newTally(),
    };
  }

  /** Runs the watches even after a failed sync; returns an error if messages were refused, else null. */
  private async runWatches(settings: Settings, signal: AbortSignal): Promise<Error | null> {
    if (!existsSync(settings.db)) return null;
    const { runWatchesOf } = await import('../watch-command.ts');
    const watchRun = await runWatchesOf(this, settings, { signal, waitMs: 60_000 });
    if (watchRun === null) return null;
    if (!this.common.quiet && !this.common.json) await this.print(null, watchRun.text);
    return watchRun.error?.withRemark(say`the mirror is up to date; some of its watches failed`) ?? null;
  }

  /** Computes missing vectors only; sends no request to the mirrored service. */
  private async embedOnly(settings: Settings, flags: SyncFlags, signal: AbortSignal): Promise<void> {
    if (!existsSync(settings.db)) throw new NoMirrorError(settings.db);
    const mirror = await this.openLocked(settings, flags['wait-lock'], signal);
    const { embeddings } = settings;
    const embedSummary = await embed(this, { mirror, embeddings, signal, progress: this.progress() });
    if (!this.common.quiet)
      await this.sinks().stdout.write(`${this.speech.render(embedSummary ?? say`every record has an embedding`)}\n`);
  }

  private async sync(context: SyncContext, settings: Settings): Promise<SyncOutcome> {
    const { report, error } = await runSync(context, settings.citation);
    const isMirrorEmpty = error !== null && isUnfilled(context.mirror);
    if (error instanceof HemicycleError)
      error.withRemark(isMirrorEmpty ? say`nothing was saved, so there is no mirror` : say`saved data is kept`);
    return { report, error, text: reportText(report, isMirrorEmpty ? null : settings.db, this.speech) };
  }

  /** Fills a temporary mirror from scratch, compares it with the mirror of the user, and deletes it. */
  private async verify(context: SyncContext, settings: Settings): Promise<SyncOutcome> {
    const path = `${settings.db}.verify`;
    removeMirror(path);
    this.closeAtEnd({ close: () => removeMirror(path) });
    const freshMirror = this.closeAtEnd(openWritableMirror(path, settings));
    const { report, kinds, error } = await verifyMirror(context, freshMirror);
    const exit = error instanceof HemicycleError ? error.exit : report.exit;
    return { report: { ...report, exit, verified: kinds }, error, text: comparisonText(kinds, this.speech) };
  }

  /** Locks, then opens the mirror for writing; at the end, a mirror that is still empty is deleted. */
  private async openLocked(settings: Settings, wait: string | undefined, signal: AbortSignal) {
    await this.lock(settings.db, wait === undefined ? 0 : parseDurationFlag('--wait-lock', wait), signal);
    const mirror = openWritableMirror(settings.db, { ...settings, cacheMb: 24 });
    const close = () => {
      // Remove a mirror without data: it would answer "nothing found" to every question.
      const isEmptyMirror = !this.hasSucceeded && isUnfilled(mirror);
      mirror.close();
      if (isEmptyMirror) removeMirror(settings.db);
    };
    this.closeAtEnd({ close });
    return mirror;
  }

  private async showPlan(settings: Settings, scope: SyncScope, flags: SyncFlags): Promise<void> {
    if (settings.baseUrl === null)
      throw new ConfigurationError(
        say`the address of the service is not set`,
        say`set it with --from URL or HEMICYCLE_BASE_URL`,
      );
    const mirror = existsSync(settings.db) ? this.mirror(settings) : null;
    if (mirror && !flags.moved) refuseOtherService(mirror, settings.baseUrl);
    const { baseUrl, rate, db } = settings;
    const plan = planSync(mirror, baseUrl, { scope, rate, isVerifying: flags.verify });
    await this.print(plan, planText({ ...plan, room: diskSpaceFor(db) }, rate, this.speech));
  }
}

type SyncOutcome = { report: object; error: unknown; text?: string }; // no text: the run did not start

type SyncFlags = Interfaces.InferredFlags<typeof Sync.flags>;

type SyncRequest = { settings: Settings; scope: SyncScope; flags: SyncFlags; signal: AbortSignal };

/** Parses the flags that limit a sync; throws a UsageError for an unknown kind or an invalid ballot. */
function readSyncScope(flags: SyncFlags): SyncScope {
  const path = flags['ids-from'];
  const listedIds = path === undefined ? '' : readTextFile(path, `--ids-from ${path}`);
  return {
    only: flags.only === undefined ? null : parseSyncedKinds(flags.only),
    full: flags.full,
    details: flags.details as SyncScope['details'],
    ballots: [...parseBallotRanges(flags.ballots ?? ''), ...parseBallotRanges(listedIds.split(/\s+/).join(','))],
  };
}

function removeMirror(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '.incoming']) rmSync(`${path}${suffix}`, { force: true, recursive: true });
}
