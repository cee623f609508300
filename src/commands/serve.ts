import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Flags, type Interfaces } from '@oclif/core';
import type { FastifyInstance } from 'fastify';
import { assetsFolder, type CommonFlags, HemicycleCommand, searchProgram } from '../command.ts';
import type { Settings } from '../config.ts';
import { ConfigurationError, UsageError } from '../errors.ts';
import { failureText, serverSettings, serveWarnings, syncEvery } from '../serve-settings.ts';
import type { AppOptions } from '../server/app.ts';
import type { RequestLog } from '../server/request-log.ts';
import { contents, lastFilled } from '../store/contents.ts';
import { type Mirror, openWritableMirror } from '../store/open.ts';
import { viewerTokensFlag } from '../token-command.ts';

/** How long answers that are being sent may take once the server is to end. */
const graceMs = 10_000;

type StartWorkers = typeof import('../server/workers.ts')['startWorkers'];

type ServeFlags = Interfaces.InferredFlags<typeof Serve.flags> & CommonFlags;

export default class Serve extends HemicycleCommand {
  static override summary = 'run the whole service on this machine, from the mirror';
  static override examples = [
    { description: 'On http://127.0.0.1:8000/api/v1', command: '<%= config.bin %> serve' },
    {
      description: 'On any free port, without limits',
      command: '<%= config.bin %> serve --port 0 --rate-limit off',
    },
    {
      description: 'Behind a proxy on this machine, brought up to date four times a day',
      command: '<%= config.bin %> serve --trust-proxy 127.0.0.1 --allow-host data.example --sync-every 6h',
    },
  ];
  static override flags = {
    host: Flags.string({ description: 'address to listen on', default: '127.0.0.1' }),
    port: Flags.integer({ description: 'port; 0 takes a free one', min: 0, max: 65_535, default: 8000 }),
    'rate-limit': Flags.string({
      description: '60 requests a minute for each address and 600 for each viewer token, or no limits',
      options: ['on', 'off'],
      default: 'on',
    }),
    'viewer-tokens': viewerTokensFlag,
    'trust-proxy': Flags.string({
      description: 'believe X-Forwarded-For from these addresses and networks only (default: from nobody)',
      helpValue: 'ADDRESS,…',
    }),
    'allow-host': Flags.string({
      description: 'names by which it may be asked on loopback, beside those of this machine',
      helpValue: 'NAME,…',
    }),
    'limit-store': Flags.string({
      description: 'count requests in that Redis or Valkey, together with other servers',
      helpValue: 'redis://…',
      env: 'HEMICYCLE_LIMIT_STORE',
    }),
    'limit-store-down': Flags.string({
      description: 'while that does not answer, count alone (open) or refuse requests (closed)',
      options: ['open', 'closed'],
      default: 'open',
    }),
    'sync-every': Flags.string({
      description: 'sync whenever the mirror is as old as that (6h)',
      helpValue: 'DURATION',
    }),
    from: Flags.string({
      description: 'address of the service to sync from (HEMICYCLE_BASE_URL)',
      helpValue: 'URL',
      dependsOn: ['sync-every'],
    }),
    workers: Flags.integer({
      description: 'processes that answer, up to one for each core',
      min: 1,
      max: 64,
      default: 1,
    }),
    'metrics-port': Flags.integer({
      description: 'show /metrics for Prometheus on that port; 0 takes a free one',
      min: 0,
      max: 65_535,
    }),
    'metrics-host': Flags.string({ description: 'address to show /metrics on', default: '127.0.0.1' }),
    log: Flags.string({
      description: 'append one JSON object for every answer to a file, or write it to stderr (-)',
      helpValue: 'FILE|-',
    }),
    'log-query': Flags.boolean({ description: 'log what was asked for, too', dependsOn: ['log'] }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Serve);
    const settings = this.settingsWith(flags, { 'base-url': flags.from });
    const everyMs = syncEvery(flags['sync-every'], settings);
    if (flags.workers === 1) return this.serveAlone(flags, settings, everyMs);
    const workers = await import('../server/workers.ts');
    if (workers.isWorker)
      return this.serveAsWorker(flags, settings, workers).catch((error) => {
        workers.leaveFirst();
        throw error;
      });
    return this.leadWorkers(flags, settings, { everyMs, startWorkers: workers.startWorkers });
  }

  private async serveAlone(flags: ServeFlags, settings: Settings, everyMs: number | null): Promise<void> {
    if (everyMs !== null && !existsSync(settings.db)) openWritableMirror(settings.db).close();
    const mirror = this.mirror(settings);
    const log = await this.openLog(flags);
    const onFailure = log ? log.failed : (error: unknown) => this.sinks().stderr(failureText(error));
    const metrics = await this.openMetrics(flags, { mirror, onFailure });
    const app = await this.createApp(flags, settings, {
      mirror,
      onFailure,
      observers: [log, metrics].flatMap((each) => each?.answered ?? []),
    });
    await this.announce(flags, settings, { mirror, address: await listen(app, flags) });
    const schedule =
      everyMs === null ? null : await this.keepFresh({ flags, settings, mirror, everyMs, log });
    const exit = await endOf();
    const { closeGracefully } = await import('../server/closing.ts');
    await Promise.all([closeGracefully(app, graceMs), schedule?.stop()]);
    process.exitCode = exit;
  }

  /** One of several processes: it answers, counts in the first one, and ends when that says so. */
  private async serveAsWorker(
    flags: ServeFlags,
    settings: Settings,
    { logOfFirst, tellAddress, endOfWorker }: typeof import('../server/workers.ts'),
  ): Promise<void> {
    // A terminal sends its signals to every process; the first one says when to end.
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
    const mirror = this.mirror(settings);
    const log = await this.openLog(flags);
    const onFailure = log ? log.failed : (error: unknown) => this.sinks().stderr(failureText(error));
    const app = await this.createApp(flags, settings, {
      mirror,
      onFailure,
      observers: log ? [log.answered] : [],
      admissions: logOfFirst(),
    });
    const told = endOfWorker();
    tellAddress(await listen(app, flags));
    await told;
    const { closeGracefully } = await import('../server/closing.ts');
    await closeGracefully(app, graceMs);
    await this.finally(undefined);
    process.exit(0);
  }

  /** The first of several processes: it starts the others, counts for them, and keeps the mirror fresh. */
  private async leadWorkers(
    flags: ServeFlags,
    settings: Settings,
    { everyMs, startWorkers }: { everyMs: number | null; startWorkers: StartWorkers },
  ): Promise<void> {
    if (flags['metrics-port'] !== undefined)
      throw new UsageError(
        '--metrics-port shows one process, and --workers are several',
        'leave one of them out',
      );
    if (everyMs !== null && !existsSync(settings.db)) openWritableMirror(settings.db).close();
    const mirror = this.mirror(settings);
    const workers = await startWorkers(flags.workers, {
      clock: Date.now,
      onEnd: (reason) => this.sinks().stderr(reason),
    });
    if ('exit' in workers) {
      // The worker said why.
      process.exitCode = workers.exit;
      return;
    }
    await this.announce(flags, settings, { mirror, address: workers.address });
    const schedule =
      everyMs === null ? null : await this.keepFresh({ flags, settings, mirror, everyMs, log: null });
    const exit = await endOf();
    await Promise.all([workers.stop(), schedule?.stop()]);
    process.exitCode = exit;
  }

  private async createApp(
    flags: ServeFlags,
    settings: Settings,
    parts: Pick<AppOptions, 'mirror' | 'observers' | 'admissions'> & { onFailure: (error: unknown) => void },
  ): Promise<FastifyInstance> {
    const { createApp } = await import('../server/app.ts');
    return createApp({
      ...parts,
      settings: await serverSettings(flags, settings, parts.mirror),
      assetsFolder,
      searchProgram,
      ...(await this.openLimits(flags, parts.onFailure)),
    });
  }

  private async announce(
    flags: ServeFlags,
    settings: Settings,
    { mirror, address }: { mirror: Mirror; address: string },
  ): Promise<void> {
    const records = contents(mirror).reduce((sum, each) => sum + each.records, 0);
    await this.sinks().stdout.write(`${address}/api/v1\n`);
    this.remark(flags, `serving ${records} records of ${settings.db}; Ctrl-C ends it`);
    for (const warning of await serveWarnings(flags)) this.sinks().stderr(warning);
  }

  private remark({ quiet }: CommonFlags, text: string): void {
    if (!quiet) this.sinks().stderr(text);
  }

  private async openLog(flags: ServeFlags): Promise<RequestLog | null> {
    if (flags.log === undefined) return null;
    const { openRequestLog } = await import('../server/request-log.ts');
    return this.closing(await openRequestLog(flags.log, { withQuery: flags['log-query'] }));
  }

  private async openLimits(flags: ServeFlags, onFailure: (error: unknown) => void) {
    const url = flags['limit-store'];
    if (url === undefined || flags['rate-limit'] === 'off') return {};
    const { openRedisLog, sharedStore } = await import('../server/redis-log.ts');
    const { SlidingLog } = await import('../server/sliding-log.ts');
    const log = this.closing(await openRedisLog(url, onFailure));
    return {
      admissions: sharedStore(log, flags['limit-store-down'] === 'open' ? new SlidingLog(Date.now) : null),
    };
  }

  private async openMetrics(
    flags: ServeFlags,
    { mirror, onFailure }: { mirror: Mirror; onFailure: (error: unknown) => void },
  ) {
    const port = flags['metrics-port'];
    if (port === undefined) return null;
    const { createMetrics, createMetricsApp } = await import('../server/metrics.ts');
    const { isLoopback } = await import('../server/allowed-hosts.ts');
    const metrics = createMetrics(mirror, Date.now);
    const host = flags['metrics-host'];
    const app = createMetricsApp(metrics, { onFailure, ...(isLoopback(host) ? { allowedHosts: [] } : {}) });
    this.closing(app);
    this.remark(flags, `metrics on ${await listen(app, { host, port })}/metrics`);
    return metrics;
  }

  /** Syncs in a process of its own, so that no caller waits for it. */
  private async keepFresh({
    flags,
    settings,
    mirror,
    everyMs,
    log,
  }: {
    flags: ServeFlags;
    settings: Settings;
    mirror: Mirror;
    everyMs: number;
    log: RequestLog | null;
  }) {
    const { scheduleSyncs } = await import('../server/sync-schedule.ts');
    const { beginSyncChild } = await import('../sync-child.ts');
    const from = flags.from === undefined ? [] : ['--from', flags.from];
    const argv = ['--quiet', '--db', settings.db, ...from];
    return scheduleSyncs({
      everyMs,
      filledAt: () => lastFilled(mirror),
      begin: () => beginSyncChild([process.execPath, process.argv[1] ?? ''], { argv, graceMs }),
      onEnd: (exit) => {
        if (log) log.note('synced', { exit });
        else this.remark(flags, exit === 0 ? 'synced' : `a sync did not end well: exit ${exit}`);
      },
      now: Date.now,
      sleep: (ms, signal) => sleep(ms, null, { signal }),
    });
  }
}

async function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<string> {
  return app.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(
      `cannot listen on ${host}:${port} (${error.code ?? error.message})`,
      'choose another port, or 0 for a free one',
    );
  });
}

/** The exit code of the signal that ends the server; a second signal ends it at once. */
async function endOf(): Promise<number> {
  const ends = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const;
  const exit = await new Promise<number>((resolve) => {
    for (const [signal, code] of ends) process.once(signal, () => resolve(code));
  });
  for (const [signal, code] of ends) process.on(signal, () => process.exit(code));
  return exit;
}
