import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { wallSecondsOf } from '../child.ts';
import { importedMirror } from '../imported-mirror.ts';
import { limitOf } from '../limit.ts';
import { freePort, startProgram, startServer } from '../server.ts';
import { median, type Row, type Trial, type Workspace } from '../trial.ts';
import { type Load, load } from '../wrk.ts';

const loadSeconds = 10;
const connections = 64;
const roundCount = 3;
const startCount = 9;
const startLimitMs = 400;
const addedP99LimitMs = 30;
const maxRssMb = 250;

/**
 * `serve` under load, at its full rate and at half of it, while syncs write to the served mirror; and its start to the
 * first response.
 */
export const serveLoad: Trial = {
  name: 'serve-load',
  needsRealRecords: true,
  async run(workspace) {
    const program = [join(workspace.root, 'bin/run.js')];
    const upstream = await serveMirror(workspace, program, await importedMirror(workspace, 'upstream.db'));
    const served = await serveMirror(workspace, program, await importedMirror(workspace, 'served.db'));
    const nodeHttp = await startServer('node-http-server', 'constant');
    try {
      const paths = await mixedPaths(served.origin);
      let isOver = false;
      const syncs = syncRepeatedly(workspace, program, { from: upstream.origin, isOver: () => isOver });
      const loadOptions = { folder: workspace.folder, seconds: loadSeconds, connections };
      const full = await load(served.origin, paths, loadOptions);
      // The pause between requests of a connection that halves the rate.
      const pauseMs = (2 * connections * 1000) / full.requestsPerSecond - full.p50Ms / 2;
      const rounds: HalfLoad[] = [];
      for (let round = 0; round < roundCount; round += 1) {
        const serve = await load(served.origin, paths, { ...loadOptions, pauseMs });
        const peer = await load(nodeHttp.origin, paths, { ...loadOptions, pauseMs });
        rounds.push({ serve, peer });
      }
      isOver = true;
      const syncCount = await syncs;
      return [
        await startRow(workspace, program),
        {
          name: `serve: full load, ${paths.length} URLs, ${connections} connections, ${syncCount} syncs meanwhile`,
          result: loadText(full),
          reference: '',
          ratio: null,
          requiredRatio: null,
          // At the end, not the peak.
          rssMb: residentMb(served.child.pid!),
          maxRssMb,
        },
        halfLoadRow(rounds),
        errorsRow([full, ...rounds.map(({ serve }) => serve)]),
      ];
    } finally {
      nodeHttp.child.kill();
      await served.stop();
      await upstream.stop();
    }
  },
};

type HalfLoad = { serve: Load; peer: Load };

/**
 * The median round by what `serve` adds to the p99 of node:http. Delays by the machine itself affect node:http as much,
 * although it only sends constant bytes.
 */
function halfLoadRow(rounds: HalfLoad[]): Row {
  const addedMs = ({ serve, peer }: HalfLoad) => serve.p99Ms - peer.p99Ms;
  const medianRound = rounds.toSorted((a, b) => addedMs(a) - addedMs(b))[rounds.length >> 1]!;
  const limit = limitOf(addedP99LimitMs);
  return {
    name: 'serve: half of that rate, p99 above that of node:http',
    result: loadText(medianRound.serve),
    reference: `${limit.reference} above p99 of node:http ${medianRound.peer.p99Ms.toFixed(1)} ms`,
    ratio: limit.ratioOf(addedMs(medianRound)),
    requiredRatio: { atMost: 1 },
    rssMb: null,
  };
}

/** The ratio is the number of errors: none is allowed. */
function errorsRow(loads: Load[]): Row {
  const errors = loads.reduce((sum, each) => sum + each.errors, 0);
  const responses = loads.reduce((sum, each) => sum + each.responses, 0);
  return {
    name: 'serve: errors under full and half load',
    result: `${errors} errors`,
    reference: `${responses} responses`,
    ratio: errors,
    requiredRatio: { atMost: 0 },
    rssMb: null,
  };
}

function loadText({ requestsPerSecond, p50Ms, p99Ms }: Load): string {
  return `${Math.round(requestsPerSecond)} requests/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
}

const searchCount = 21;

/**
 * Wall time of `search` as a whole process while a sync writes to the mirror, beside the same while that sync is
 * halted.
 */
export const besideSync: Trial = {
  name: 'beside-sync',
  isQuick: true,
  async run(workspace) {
    const program = [join(workspace.root, 'bin/run.js')];
    const upstream = await serveMirror(workspace, program, await importedMirror(workspace, 'upstream.db'));
    // Its own mirror: a sync refuses a mirror that was synced from another address.
    const mirror = await importedMirror(workspace, 'beside-sync.db');
    const searchSeconds = () => wallSecondsOf(process.execPath, [...program, 'search', 'retraites', '--db', mirror]);
    const pairs: { besideSync: number; besideHaltedSync: number }[] = [];
    try {
      while (pairs.length < searchCount) {
        const argv = syncArguments(program, { from: upstream.origin, mirror });
        const sync = spawn(process.execPath, argv, { stdio: 'ignore', env: { ...process.env, ...unlimitedRate } });
        await sleep(500);
        while (sync.exitCode === null && pairs.length < searchCount) {
          const besideSync = await searchSeconds();
          // The sync may have ended during the search, which is not counted then.
          if (sync.exitCode !== null) break;
          sync.kill('SIGSTOP');
          const besideHaltedSync = await searchSeconds();
          pairs.push({ besideSync, besideHaltedSync });
          sync.kill('SIGCONT');
          await sleep(50);
        }
        if (sync.exitCode) throw new Error(`the sync beside the searches ended with exit ${sync.exitCode}`);
        sync.kill('SIGKILL');
      }
    } finally {
      await upstream.stop();
    }
    const medianMs = (side: 'besideSync' | 'besideHaltedSync') =>
      Math.round(median(pairs.map((pair) => pair[side])) * 1000);
    return [
      {
        name: 'hemicycle search, whole process, during a sync',
        result: `${medianMs('besideSync')} ms`,
        reference: `during the same sync, halted ${medianMs('besideHaltedSync')} ms`,
        ratio: median(pairs.map(({ besideSync, besideHaltedSync }) => besideSync / besideHaltedSync)),
        requiredRatio: { atMost: 1.5 },
        rssMb: null,
      },
    ];
  },
};

const unlimitedRate = { HEMICYCLE_RATE: '1000000' };

/** Arguments of node for a full sync into a mirror. */
const syncArguments = (program: string[], { from, mirror }: { from: string; mirror: string }) => [
  ...program,
  'sync',
  '--full',
  '--quiet',
  '--from',
  `${from}/api/v1`,
  '--db',
  mirror,
  '--accept-shrink',
];

async function serveMirror({ folder }: Workspace, program: string[], mirror: string) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const argv = [...program, 'serve', '--db', mirror, '--port', String(port), '--rate-limit', 'off'];
  process.env.HOME = folder;
  const running = await startProgram(process.execPath, argv, `${origin}/api/v1/politicians`);
  return { origin, ...running };
}

/** Paths of lists, profiles, feeds and searches; rejects if one of them does not respond with 200. */
async function mixedPaths(origin: string): Promise<string[]> {
  const slugsOf = async (path: string) => {
    const response = await fetch(`${origin}/api/v1${path}`);
    const { items } = (await response.json()) as { items: { slug: string }[] };
    return items.map(({ slug }) => slug);
  };
  const people = await slugsOf('/politicians?limit=40');
  const parties = (await slugsOf('/parties')).slice(0, 28);
  const searches = ['retraites', 'budget', 'climat', 'loi de finances', 'école'];
  const paths = [
    '/politicians',
    '/politicians?limit=100',
    '/politicians?sort=updated_at',
    '/politicians?sort=freshness&limit=5',
    ...people.map((slug) => `/politicians/${slug}`),
    ...people.map((slug) => `/feed?politician=${slug}&limit=50`),
    ...parties.map((slug) => `/parties/${slug}`),
    ...searches.map((query) => `/search?q=${encodeURIComponent(query)}`),
    '/feed?limit=50',
    '/feed?types=promise',
    '/audit?limit=50',
  ].map((path) => `/api/v1${path}`);
  for (const path of paths) {
    const { status } = await fetch(origin + path);
    if (status !== 200) throw new Error(`${path}: ${status}`);
  }
  return paths;
}

/** Runs full syncs into `served.db` one after another until `isOver` is true; returns their number. */
async function syncRepeatedly(
  workspace: Workspace,
  program: string[],
  { from, isOver }: { from: string; isOver: () => boolean },
): Promise<number> {
  const argv = syncArguments(program, { from, mirror: join(workspace.folder, 'served.db') });
  let count = 0;
  for (; !isOver(); count += 1) await wallSecondsOf(process.execPath, argv, { env: unlimitedRate });
  return count;
}

async function startRow(workspace: Workspace, program: string[]): Promise<Row> {
  const timesMs: number[] = [];
  for (let n = 0; n < startCount; n += 1) {
    const mirror = await importedMirror(workspace, 'upstream.db');
    const { startMs, stop } = await serveMirror(workspace, program, mirror);
    timesMs.push(startMs);
    await stop();
  }
  const limit = limitOf(startLimitMs);
  return {
    name: 'serve: start to first response',
    result: `${Math.round(median(timesMs))} ms`,
    reference: limit.reference,
    ratio: limit.ratioOf(median(timesMs)),
    requiredRatio: { atMost: 1 },
    rssMb: null,
  };
}

/** Current resident memory of a running process in MB (VmRSS, proc_pid_status(5)). */
function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024);
}
