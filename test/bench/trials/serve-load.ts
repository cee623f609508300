import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { timed } from '../child.ts';
import { importedMirror } from '../imported-mirror.ts';
import { limitOf } from '../limit.ts';
import { freePort, startProgram, startServer } from '../server.ts';
import { median, type Place, type Row, type Trial } from '../trial.ts';
import { type Load, load } from '../wrk.ts';

const seconds = 10;
const connections = 64;
const turns = 3;
const mostStartMs = 400;
const mostP99Ms = 30;

/** The program under load, whole and half of what it can, while syncs write to the mirror that it serves; and how soon it answers. */
export const serveLoad: Trial = {
  name: 'serve-load',
  isOfReal: true,
  async run(workspace) {
    const program = [join(workspace.root, 'bin/run.js')];
    const upstream = await serveOn(workspace, program, await importedMirror(workspace, 'upstream.db'));
    const served = await serveOn(workspace, program, await importedMirror(workspace, 'served.db'));
    const bare = await startServer('server-bare', 'same');
    try {
      const paths = await mixedPaths(served.origin);
      let isOver = false;
      const syncs = syncAgainAndAgain(workspace, program, { from: upstream.origin, isOver: () => isOver });
      const loadOptions = { folder: workspace.folder, seconds, connections };
      const most = await load(served.origin, paths, loadOptions);
      const pauseMs = (2 * connections * 1000) / most.perSecond - most.p50Ms / 2;
      const [halves, bares]: [Load[], Load[]] = [[], []];
      for (let round = 0; round < turns; round += 1) {
        halves.push(await load(served.origin, paths, { ...loadOptions, pauseMs }));
        bares.push(await load(bare.origin, paths, { ...loadOptions, pauseMs }));
      }
      isOver = true;
      const synced = await syncs;
      // What the machine adds is as much for one that only sends the same bytes: sorted by what is ours.
      const beyond = (at: number) => halves[at]!.p99Ms - bares[at]!.p99Ms;
      const middle = [...halves.keys()].sort((one, other) => beyond(one) - beyond(other))[turns >> 1]!;
      const [errors, answers] = (['errors', 'answers'] as const).map((what) =>
        [most, ...halves].reduce((sum, each) => sum + each[what], 0),
      );
      const shown = ({ perSecond, p50Ms, p99Ms }: Load) =>
        `${Math.round(perSecond)} requests/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
      const limit = limitOf(mostP99Ms);
      const plain = { peer: '', ratio: null, must: null, rssMb: null };
      return [
        await startRow(workspace, program),
        {
          ...plain,
          name: `serve: ${paths.length} addresses, ${connections} connections, ${synced} syncs meanwhile`,
          ours: shown(most),
          rssMb: residentMb(served.child.pid!),
          mostRssMb: 250,
        },
        {
          ...plain,
          name: 'serve: the same at half of that',
          ours: shown(halves[middle]!),
          peer: `node:http p99 ${bares[middle]!.p99Ms.toFixed(1)} ms, and ${limit.peer}`,
          ratio: limit.ratioOf(beyond(middle)),
          must: { most: 1 },
        },
        {
          ...plain,
          name: 'serve: errors among these answers',
          ours: String(errors),
          peer: `${answers} answers`,
          ratio: errors!,
          must: { most: 0 },
        },
      ];
    } finally {
      bare.child.kill();
      await served.stop();
      await upstream.stop();
    }
  },
};

/** A person's question, start to end, while a sync writes to the mirror, against the same while that sync is halted. */
export const besideSync: Trial = {
  name: 'beside-sync',
  isQuick: true,
  async run(workspace) {
    const program = [join(workspace.root, 'bin/run.js')];
    const upstream = await serveOn(workspace, program, await importedMirror(workspace, 'upstream.db'));
    // A mirror of its own: a sync refuses one that was synced from another address.
    const mirror = await importedMirror(workspace, 'beside-sync.db');
    const [beside, alone]: number[][] = [[], []];
    try {
      while (alone!.length < 21) {
        const [command, ...argv] = syncCommand(program, { from: upstream.origin, mirror });
        const sync = spawn(command!, argv, { stdio: 'ignore', env: { ...process.env, ...anyRate } });
        await sleep(500);
        while (sync.exitCode === null && alone!.length < 21) {
          const ask = () => timed(process.execPath, [...program, 'search', 'retraites', '--db', mirror]);
          const seconds = await ask();
          if (sync.exitCode !== null) break;
          sync.kill('SIGSTOP');
          alone!.push(await ask());
          beside!.push(seconds);
          sync.kill('SIGCONT');
          await sleep(50);
        }
        if (sync.exitCode) throw new Error(`the sync beside the searches ended with exit ${sync.exitCode}`);
        sync.kill('SIGKILL');
      }
    } finally {
      await upstream.stop();
    }
    return [
      {
        name: 'hemicycle search, whole process, while a sync runs',
        ours: `${Math.round(median(beside!) * 1000)} ms`,
        peer: `while it is halted ${Math.round(median(alone!) * 1000)} ms`,
        ratio: median(beside!.map((seconds, n) => seconds / alone![n]!)),
        must: { most: 1.5 },
        rssMb: null,
      },
    ];
  },
};

const anyRate = { HEMICYCLE_RATE: '1000000' };

const syncCommand = (program: string[], { from, mirror }: { from: string; mirror: string }) => [
  process.execPath,
  ...program,
  ...['sync', '--full', '--quiet', '--from', `${from}/api/v1`, '--db', mirror],
  '--accept-shrink',
];

async function serveOn({ folder }: Place, program: string[], mirror: string) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const argv = [...program, 'serve', '--db', mirror, '--port', String(port), '--rate-limit', 'off'];
  process.env.HOME = folder;
  return { origin, ...(await startProgram(process.execPath, argv, `${origin}/api/v1/politicians`)) };
}

/** Lists, profiles, feeds, ballots and searches, as callers of all kinds ask for them. */
async function mixedPaths(origin: string): Promise<string[]> {
  const itemsOf = async (path: string) =>
    ((await (await fetch(`${origin}/api/v1${path}`)).json()) as { items: { slug: string }[] }).items;
  const people = (await itemsOf('/politicians?limit=40')).map(({ slug }) => slug);
  const parties = (await itemsOf('/parties')).slice(0, 28).map(({ slug }) => slug);
  const paths = [
    ...['', '?limit=100', '?sort=updated_at', '?sort=freshness&limit=5'].map((query) => `/politicians${query}`),
    ...people.map((slug) => `/politicians/${slug}`),
    ...people.map((slug) => `/feed?politician=${slug}&limit=50`),
    ...parties.map((slug) => `/parties/${slug}`),
    ...['retraites', 'budget', 'climat', 'loi de finances', 'école'].map(
      (words) => `/search?q=${encodeURIComponent(words)}`,
    ),
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

/** Full syncs one after another, until it is over; resolves with how many there were. */
async function syncAgainAndAgain(
  workspace: Place,
  program: string[],
  { from, isOver }: { from: string; isOver: () => boolean },
): Promise<number> {
  const [command, ...argv] = syncCommand(program, { from, mirror: join(workspace.folder, 'served.db') });
  let count = 0;
  for (; !isOver(); count += 1) await timed(command!, argv, { env: anyRate });
  return count;
}

async function startRow(workspace: Place, program: string[]): Promise<Row> {
  const times: number[] = [];
  for (let n = 0; n < 9; n += 1) {
    const { startMs, stop } = await serveOn(workspace, program, await importedMirror(workspace, 'upstream.db'));
    times.push(startMs);
    await stop();
  }
  const limit = limitOf(mostStartMs);
  return {
    name: 'serve: start to first answer',
    ours: `${Math.round(median(times))} ms`,
    peer: limit.peer,
    ratio: limit.ratioOf(median(times)),
    must: { most: 1 },
    rssMb: null,
  };
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024);
}
