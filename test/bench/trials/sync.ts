import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { SyncReport } from '../../../src/sync/sync.ts';
import { cpuMs, peakMb, runChild } from '../child.ts';
import { generateContent } from '../generate.ts';
import { deleteJournal, importedMirror } from '../imported-mirror.ts';
import { limitOf } from '../limit.ts';
import { withServer } from '../server.ts';
import { median, type Row, type Trial, type Workspace } from '../trial.ts';

const maxRssMb = 300;
const idleLimitMs = 2000;

/** The rate of the service with a token, which a sync of its feed cannot exceed. */
const requestsPerSecond = 10;

/** The most processor time that such a sync may take, as a share of the time that its requests take at that rate. */
const maxShareOfRate = 0.25;

/** Syncs of the imported records from Hemicycle's own server, followed as a mirror, without rate limit: time and memory. */
export const sync: Trial = {
  name: 'sync',
  needsRealRecords: true,
  run: async (workspace) =>
    withServer(await importedMirror(workspace), async (origin) => {
      const options = { origin, db: 'whole.db' };
      const first = await runSync(workspace, options);
      // Not counted: the first sync leaves some records to the second.
      await runSync(workspace, options);
      const idle = await runSync(workspace, options);
      const idleLimit = limitOf(idleLimitMs);
      return [
        {
          name: `sync into a new mirror, ${first.report.requests} requests`,
          result: `${first.report.duration_s} s`,
          reference: '',
          ratio: null,
          requiredRatio: null,
          rssMb: first.rssMb,
          maxRssMb,
        },
        {
          name: `sync with nothing new, ${idle.report.requests} requests`,
          result: `${idle.seconds.toFixed(2)} s`,
          reference: idleLimit.reference,
          ratio: idleLimit.ratioOf(idle.seconds * 1000),
          requiredRatio: { atMost: 1 },
          rssMb: idle.rssMb,
        },
      ];
    }),
};

/** Processor time of a sync of the feed of a service, page by page. */
export const feedPages: Trial = {
  name: 'feed',
  needsRealRecords: true,
  run: async (workspace) =>
    withServer(await serviceMirror(workspace), async (origin) => [await feedRow(workspace, origin, { runCount: 3 })]),
};

const longFeedCount = 150_000;

/** Processor time of a sync of 150,000 generated records, of which the start of the program is a small part. */
export const longFeed: Trial = {
  name: 'long-feed',
  async run(workspace) {
    const source = join(workspace.folder, 'long-feed');
    const served = `${source}.db`;
    mkdirSync(source);
    await generateContent(source, longFeedCount);
    await runChild('import-mirror', [source, served]);
    deleteJournal(served);
    return withServer(served, async (origin) => [await feedRow(workspace, origin, { runCount: 1 })]);
  },
};

/** Median processor time of syncs of the feed, each into a new mirror, beside the time of its requests at the rate. */
async function feedRow(workspace: Workspace, origin: string, { runCount }: { runCount: number }): Promise<Row> {
  const cpuSeconds: number[] = [];
  let requests = 0;
  let records = 0;
  // One run more, which is not counted: the server fills its cache during it, on the same cores.
  for (let n = 0; n <= runCount; n += 1) {
    const run = await runSync(workspace, { origin, db: 'feed.db', flags: ['--only', 'content'] });
    if (n > 0) cpuSeconds.push(run.cpuSeconds);
    requests = run.report.requests;
    records = run.report.records.content?.added ?? 0;
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(workspace.folder, `feed.db${suffix}`), { force: true });
  }
  const seconds = median(cpuSeconds);
  const rateSeconds = requests / requestsPerSecond;
  return {
    name: `sync of the feed of ${records} records into a new mirror, page by page`,
    result: `${seconds.toFixed(2)} s CPU (${Math.round(records / seconds)} records/s)`,
    reference: `${requests} requests at ${60 * requestsPerSecond} a minute ${rateSeconds.toFixed(0)} s`,
    ratio: seconds / rateSeconds,
    requiredRatio: { atMost: maxShareOfRate },
    rssMb: null,
  };
}

/**
 * Wall time of a sync that is slowed down by its rate, beside requests ÷ rate. The rate is the least favourable one:
 * the last request has to wait for two whole minutes of the service.
 */
export const syncBudget: Trial = {
  name: 'sync-budget',
  needsRealRecords: true,
  run: async (workspace) =>
    withServer(await serviceMirror(workspace), async (origin) => {
      const flags = ['--only', 'politician', '--details', 'all'];
      const unlimited = await runSync(workspace, { origin, db: 'free.db', flags });
      const requestsPerMinute = Math.floor((unlimited.report.requests - 1) / 2);
      const { report } = await runSync(workspace, { origin, db: 'budget.db', flags, requestsPerMinute });
      const minSeconds = (report.requests / requestsPerMinute) * 60;
      return [
        {
          name: `sync of ${report.requests} requests at ${requestsPerMinute} requests per minute`,
          result: `${report.duration_s} s`,
          reference: `requests ÷ rate ${minSeconds.toFixed(1)} s`,
          ratio: report.duration_s / minSeconds,
          requiredRatio: { atMost: 1.05 },
          rssMb: null,
        },
      ];
    }),
};

/** Path of a mirror of the imported records that clients read like any service. */
async function serviceMirror(workspace: Workspace): Promise<string> {
  const mirror = await importedMirror(workspace, 'service.db');
  deleteJournal(mirror);
  return mirror;
}

/** The report of one `sync`, its wall time in seconds, its processor time in seconds, and its peak memory. */
export type SyncRun = { report: SyncReport; seconds: number; cpuSeconds: number; rssMb: number };

type SyncOptions = {
  origin: string;
  /** File name of the mirror in the workspace's folder. */
  db: string;
  flags?: string[];
  requestsPerMinute?: number;
};

const samplingIntervalMs = 20;

/** Runs `sync` of the built program; processor time and memory are sampled until it ends. */
export async function runSync(
  { folder, root }: Workspace,
  { origin, db, flags = [], requestsPerMinute = 1_000_000 }: SyncOptions,
): Promise<SyncRun> {
  const reportPath = join(folder, 'report.json');
  const argv = [
    join(root, 'bin/run.js'),
    'sync',
    '--from',
    `${origin}/api/v1`,
    '--rate',
    String(requestsPerMinute),
    '--quiet',
    '--report',
    reportPath,
    '--db',
    join(folder, db),
    ...flags,
  ];
  const startedAt = performance.now();
  const child = spawn(process.execPath, argv, {
    stdio: 'inherit',
    env: { ...process.env, HOME: folder, XDG_STATE_HOME: join(folder, `${db}.state`) },
  });
  let rssMb = 0;
  let processorMs = 0;
  const sampling = setInterval(() => {
    processorMs = Math.max(processorMs, cpuMs(child.pid!));
    rssMb = Math.max(rssMb, peakMb(child.pid!));
  }, samplingIntervalMs);
  const exit = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(sampling);
  if (exit !== 0) throw new Error(`sync: exit ${exit}`);
  const seconds = (performance.now() - startedAt) / 1000;
  const report: SyncReport = JSON.parse(readFileSync(reportPath, 'utf8'));
  return { report, seconds, cpuSeconds: processorMs / 1000, rssMb };
}
