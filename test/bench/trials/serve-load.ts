import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { timed } from '../child.ts';
import { importedMirror } from '../imported.ts';
import { freePort, startProgram } from '../server.ts';
import { median, type Place, type Row, type Trial } from '../trial.ts';
import { load } from '../wrk.ts';

const seconds = 60;
const connections = 64;
const mostStartMs = 400;

/** The program under load for a minute, while syncs write to the mirror that it serves; and how soon it answers. */
export const serveLoad: Trial = {
  name: 'serve-load',
  isOfReal: true,
  async run(place) {
    const program = [join(place.root, 'bin/run.js')];
    const upstream = await serveOn(place, program, await importedMirror(place, 'upstream.db'));
    const served = await serveOn(place, program, await importedMirror(place, 'served.db'));
    try {
      const paths = await mixedPaths(served.origin);
      let isOver = false;
      const syncs = syncAgainAndAgain(place, program, { from: upstream.origin, isOver: () => isOver });
      const seen = await load(served.origin, paths, { folder: place.folder, seconds, connections });
      isOver = true;
      const synced = await syncs;
      const rssMb = residentMb(served.child.pid!);
      return [
        await startRow(place, program),
        {
          name: `serve: ${paths.length} addresses, ${connections} connections, ${seconds} s, ${synced} syncs meanwhile`,
          ours: `${Math.round(seen.perSecond)} requests/s, p50 ${seen.p50Ms.toFixed(1)} ms, p99 ${seen.p99Ms.toFixed(1)} ms, ${seen.errors} errors`,
          peer: '',
          ratio: null,
          must: null,
          rssMb,
          mostRssMb: 250,
        },
        {
          name: 'serve: errors among these answers',
          ours: String(seen.errors),
          peer: `${seen.answers} answers`,
          ratio: seen.errors,
          must: { most: 0 },
          rssMb: null,
        },
      ];
    } finally {
      await served.stop();
      await upstream.stop();
    }
  },
};

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
  const people = (await itemsOf('/politicians?limit=100')).map(({ slug }) => slug);
  const parties = (await itemsOf('/parties')).map(({ slug }) => slug);
  const paths = [
    ...['', '?limit=100', '?sort=updated_at', '?sort=freshness&limit=5'].map(
      (query) => `/politicians${query}`,
    ),
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
  { folder }: Place,
  program: string[],
  { from, isOver }: { from: string; isOver: () => boolean },
): Promise<number> {
  let count = 0;
  while (!isOver()) {
    const argv = ['sync', '--full', '--quiet', '--from', `${from}/api/v1`, '--db', join(folder, 'served.db')];
    await timed(process.execPath, [...program, ...argv, '--accept-shrink'], {
      env: { HEMICYCLE_RATE: '1000000' },
    });
    count += 1;
  }
  return count;
}

async function startRow(place: Place, program: string[]): Promise<Row> {
  const times: number[] = [];
  for (let n = 0; n < 9; n += 1) {
    const { startMs, stop } = await serveOn(place, program, await importedMirror(place, 'upstream.db'));
    times.push(startMs);
    await stop();
  }
  return {
    name: 'serve: start to first answer',
    ours: `${Math.round(median(times))} ms`,
    peer: `limit ${mostStartMs} ms`,
    ratio: median(times) / mostStartMs,
    must: { most: 1 },
    rssMb: null,
  };
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024);
}
