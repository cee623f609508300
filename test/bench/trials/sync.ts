import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { SyncReport } from '../../../src/sync/sync.ts';
import { cpuMs, peakMb, runChild } from '../child.ts';
import { generateContent } from '../generate.ts';
import { importedMirror } from '../imported-mirror.ts';
import { limitOf } from '../limit.ts';
import { startServer } from '../server.ts';
import { median, type Place, type Row, type Trial } from '../trial.ts';

/** What one run of `sync` said of itself, how long it took, and the most memory that it held. */
export type Synced = { report: SyncReport; seconds: number; cpuSeconds: number; rssMb: number };

/** Syncs of the real data (the fictional where they are not here) from our own server, whose limit is off. */
export const sync: Trial = {
  name: 'sync',
  isOfReal: true,
  run: (workspace) =>
    withService(workspace, async (origin) => {
      const rows: Row[] = [];
      const whole = await runSync(workspace, { origin, db: 'whole.db', more: [] });
      rows.push({
        name: `sync of ${whole.report.requests} requests into a new mirror`,
        ours: `${whole.report.duration_s} s`,
        peer: '',
        ratio: null,
        must: null,
        rssMb: whole.rssMb,
        mostRssMb: 300,
      });
      await runSync(workspace, { origin, db: 'whole.db', more: [] });
      const again = await runSync(workspace, { origin, db: 'whole.db', more: [] });
      rows.push({
        name: `the same again, nothing changed: ${again.report.requests} requests`,
        ours: `${again.seconds.toFixed(2)} s`,
        peer: limitOf(2000).peer,
        ratio: limitOf(2000).ratioOf(again.seconds * 1000),
        must: { most: 1 },
        rssMb: again.rssMb,
      });
      const feed = await feedSeconds(workspace, origin, 3);
      rows.push({
        name: 'the feed of 20,000 records into a new mirror, page by page: asked for, read, saved, indexed',
        ours: `${feed.toFixed(2)} s of CPU`,
        peer: limitOf(4000, 'of CPU').peer,
        ratio: limitOf(4000, 'of CPU').ratioOf(feed * 1000),
        must: { most: 1 },
        rssMb: null,
      });
      return rows;
    }),
};

/** The feed of many invented records, so that what starts with the program counts little. */
export const longFeed: Trial = {
  name: 'long-feed',
  async run(workspace) {
    const source = join(workspace.folder, 'long-feed');
    const count = 150_000;
    mkdirSync(source);
    await generateContent(source, count);
    await runChild('import-ours', [source, `${source}.db`]);
    const { origin, child } = await startServer('server-ours', `${source}.db`);
    try {
      const rate = count / (await feedSeconds(workspace, origin, 1));
      const name = `the feed of ${count} generated records into a new mirror`;
      const ours = `${Math.round(rate)} records/s of CPU`;
      const limit = limitOf(count / 10, 'of CPU');
      return [
        { name, ours, peer: limit.peer, ratio: limit.ratioOf((count / rate) * 1000), must: { most: 1 }, rssMb: null },
      ];
    } finally {
      child.kill();
    }
  },
};

/** The processor time in seconds that the feed takes into a new mirror; the middle of some runs, behind one not counted. */
async function feedSeconds(workspace: Place, origin: string, runs: number): Promise<number> {
  const seconds: number[] = [];
  // The first walk has the server make its pages, on the same two cores: what is measured is who reads them.
  for (let n = 0; n <= runs; n += 1) {
    const feed = await runSync(workspace, { origin, db: 'feed.db', more: ['--only', 'content'] });
    if (n > 0) seconds.push(feed.cpuSeconds);
    for (const ending of ['', '-wal', '-shm']) rmSync(join(workspace.folder, `feed.db${ending}`), { force: true });
  }
  return median(seconds);
}

/**
 * How close to its budget a sync runs that the budget binds: wall time against requests ÷ budget. The rate is the worst
 * for it: the last request has to wait for two whole minutes of the service.
 */
export const syncBudget: Trial = {
  name: 'sync-budget',
  isOfReal: true,
  run: (workspace) =>
    withService(workspace, async (origin) => {
      const more = ['--only', 'politician', '--details', 'all'];
      const free = await runSync(workspace, { origin, db: 'free.db', more });
      const rate = Math.floor((free.report.requests - 1) / 2);
      const { report } = await runSync(workspace, { origin, db: 'budget.db', more, rate });
      const leastSeconds = (report.requests / rate) * 60;
      return [
        {
          name: `${report.requests} requests at ${rate} a minute`,
          ours: `${report.duration_s} s`,
          peer: `requests ÷ budget ${leastSeconds.toFixed(1)} s`,
          ratio: report.duration_s / leastSeconds,
          must: { most: 1.05 },
          rssMb: null,
        },
      ];
    }),
};

async function withService(workspace: Place, measure: (origin: string) => Promise<Row[]>): Promise<Row[]> {
  const mirror = await importedMirror(workspace);
  const { origin, child } = await startServer('server-ours', mirror);
  try {
    return await measure(origin);
  } finally {
    child.kill();
  }
}

/** One run of the program, with its own report and the most memory that it held. */
export async function runSync(
  { folder, root }: Place,
  { origin, db, more, rate = 1_000_000 }: { origin: string; db: string; more: string[]; rate?: number },
): Promise<Synced> {
  const report = join(folder, 'report.json');
  const argv = ['sync', '--from', `${origin}/api/v1`, '--rate', String(rate), '--quiet', '--report', report];
  const begin = performance.now();
  const child = spawn(process.execPath, [join(root, 'bin/run.js'), ...argv, '--db', join(folder, db), ...more], {
    stdio: 'inherit',
    env: { ...process.env, HOME: folder, XDG_STATE_HOME: join(folder, `${db}.state`) },
  });
  let rssMb = 0;
  let ms = 0;
  const watch = setInterval(() => {
    ms = Math.max(ms, cpuMs(child.pid!));
    rssMb = Math.max(rssMb, peakMb(child.pid!));
  }, 20);
  const exit = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(watch);
  if (exit !== 0) throw new Error(`sync: exit ${exit}`);
  const seconds = (performance.now() - begin) / 1000;
  return { report: JSON.parse(readFileSync(report, 'utf8')), seconds, cpuSeconds: ms / 1000, rssMb };
}
