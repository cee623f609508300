import { spawn } from 'node:child_process';
import { get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createApp } from '../../../src/server/app.ts';
import { openMirror } from '../../../src/store/open.ts';
import { type KnownKeys, type Route, routesAddedBy, worstRequest } from '../../helpers/route-table.ts';
import type { Onslaught } from '../children/ask-worst.ts';
import { importedMirror } from '../imported-mirror.ts';
import { freePort, startProgram } from '../server.ts';
import type { Place, Row, Trial } from '../trial.ts';

/** What one caller asks at one time of each route: all that the limits allow in a minute, a fifth of it of the past. */
const requestsOfOne = 60;

/** Answers to the other that are measured at least, for each route, all of them while somebody asks the worst. */
const leastAnswers = 100;

/** How long another waits for a list while one caller does the worst that limits allow, on every route. */
export const otherSearches: Trial = {
  name: 'others',
  isOfReal: true,
  async run(workspace) {
    const mirror = await importedMirror(workspace);
    const routes = await routesOf(mirror, workspace);
    const rows: Row[] = [];
    for (const workers of [1, 2]) rows.push(await waitOfOthers(workspace, { mirror, routes, workers }));
    return rows;
  },
};

/** The routes of the program, but those that only redirect. */
async function routesOf(path: string, { root }: Place): Promise<Route[]> {
  const mirror = openMirror(path);
  const routes = await routesAddedBy(async () => {
    const app = await createApp({
      mirror,
      settings: { citation: { name: 'bench', siteUrl: null }, rateLimit: true, semantic: true },
      assetsFolder: join(root, 'dist/assets'),
      assistants: { version: 'bench' },
    });
    await app.close();
  });
  mirror.close();
  return routes.filter(({ url }) => url === '/' || !url.endsWith('/'));
}

async function waitOfOthers(
  { folder, root }: Place,
  { mirror, routes, workers }: { mirror: string; routes: Route[]; workers: number },
): Promise<Row> {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const list = `${origin}/api/v1/politicians?limit=20`;
  const flags = ['--db', mirror, '--port', new URL(origin).port, '--workers', String(workers), '--mcp'];
  Object.assign(process.env, { HOME: folder, FEATURE_SEMANTIC_SEARCH: 'on' });
  const program = await startProgram(process.execPath, [join(root, 'bin/run.js'), 'serve', ...flags], list);
  const attacker = startAttacker(origin);
  try {
    const knownKeyValues = await knownKeys(origin);
    const other = createOther(list);
    await other.waits(sleep(1000));
    const atRest = p99(await other.waits(sleep(3000)));
    const limitMs = Math.max(100, 10 * atRest);
    let worst = { ms: 0, route: '' };
    for (const [at, route] of routes.entries()) {
      const requests = Array.from({ length: requestsOfOne }, (_, number) =>
        worstRequest(route, knownKeyValues, {
          number,
          asOf: number % 5 === 0 ? new Date().toISOString() : null,
        }),
      );
      // One caller after the other, each within the limits: no answer is measured at rest.
      const waited: number[] = [];
      for (let caller = 1; waited.length < leastAnswers && caller < 250; caller += 1) {
        const onslaught = attacker.ask({ from: `127.${1 + workers}.${at}.${caller}`, requests });
        waited.push(...(await other.waits(onslaught)));
      }
      const ms = p99(waited);
      if (ms > worst.ms) worst = { ms, route: `${route.method} ${route.url}` };
    }
    return {
      name: `others: a list while one caller asks the worst, of ${routes.length} routes in turn, ${workers} workers`,
      ours: `p99 ${worst.ms.toFixed(1)} ms, at ${worst.route}`,
      // On an idle machine 100 ms; where others work, ten times what the same answers take at rest.
      peer: `${limitMs.toFixed(0)} ms; p99 at rest ${atRest.toFixed(1)} ms`,
      ratio: worst.ms / limitMs,
      must: { most: 1 },
      rssMb: null,
    };
  } finally {
    attacker.stop();
    await program.stop();
  }
}

/** Another process, so that what it reads takes no time from whom it hinders. */
function startAttacker(origin: string) {
  const file = fileURLToPath(new URL('../children/ask-worst.ts', import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, origin], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(onslaught: Onslaught): Promise<void> {
      child.stdin.write(`${JSON.stringify(onslaught)}\n`);
      await lines.next();
    },
    stop: () => child.stdin.end(),
  };
}

/** Somebody who asks for a list again and again, from so many addresses that none is over its limit. */
function createOther(list: string) {
  let requestCount = 0;
  const wait = () =>
    new Promise<number>((resolve, reject) => {
      requestCount += 1;
      const localAddress = `127.1.${Math.floor(requestCount / 50 / 250)}.${1 + (Math.floor(requestCount / 50) % 250)}`;
      const begunMs = performance.now();
      get(list, { localAddress, agent: false }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`the other was answered ${answer.statusCode}`));
        answer.resume().once('end', () => resolve(performance.now() - begunMs));
      }).once('error', reject);
    });
  return {
    /** Milliseconds of each answer until that has ended. */
    async waits(until: Promise<void>): Promise<number[]> {
      let hasEnded = false;
      const end = until.then(() => {
        hasEnded = true;
      });
      const waited: number[] = [];
      while (!hasEnded) {
        waited.push(await wait());
        await sleep(2);
      }
      await end;
      return waited;
    },
  };
}

function p99(waited: number[]): number {
  return waited.sort((a, b) => a - b)[Math.ceil(waited.length * 0.99) - 1]!;
}

async function knownKeys(origin: string): Promise<KnownKeys> {
  const firstOf = async (path: string) => {
    const answer = await fetch(`${origin}/api/v1${path}`);
    return ((await answer.json()) as { items: Record<string, string>[] }).items[0]!;
  };
  const { slug: politician } = await firstOf('/politicians?sort=freshness&limit=1');
  const { slug: party } = await firstOf('/parties');
  const { chamber, scrutin_id: ballot } = await firstOf('/ballots?limit=1');
  return { politician: politician!, party: party!, chamber: chamber!, ballot: ballot!, groups: 'RN,LFI-NFP' };
}
