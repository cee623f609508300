import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../../../src/server/app.ts';
import { openMirror } from '../../../src/store/open.ts';
import { type Route, routesAddedBy, worstRequest } from '../../helpers/route-table.ts';
import { sampleKeys, startBurstClient } from '../burst-client.ts';
import { importedMirror } from '../imported-mirror.ts';
import { freePort, startProgram } from '../server.ts';
import type { Row, Trial, Workspace } from '../trial.ts';

/** Simultaneous requests of the attacking client: all that the rate limit allows in a minute. */
const burstSize = 60;

/** One in that many requests of a burst is for a past date. */
const pastRequestInterval = 5;

/** Latencies measured per route, at least; all of them while a burst is being answered. */
const minLatencyCount = 100;

/** Attacking clients per route, at most. */
const maxAttackers = 250;

/** The limit of p99 on an idle machine. */
const minLimitMs = 100;

/** The limit of p99 ÷ p99 without attack, where that is more than `minLimitMs`. */
const maxSlowdown = 10;

/**
 * Latency (p99) of a list for one client while another client sends the most expensive requests that the rate limit
 * allows, to each route in turn; with one and with two workers.
 */
export const clientIsolation: Trial = {
  name: 'others',
  needsRealRecords: true,
  async run(workspace) {
    const mirror = await importedMirror(workspace);
    const routes = await routesOf(mirror, workspace);
    const rows: Row[] = [];
    for (const workerCount of [1, 2]) rows.push(await isolationRow(workspace, { mirror, routes, workerCount }));
    return rows;
  },
};

/** All routes of the server, without those that only redirect. */
async function routesOf(mirrorPath: string, { root }: Workspace): Promise<Route[]> {
  const mirror = openMirror(mirrorPath);
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

async function isolationRow(
  { folder, root }: Workspace,
  { mirror, routes, workerCount }: { mirror: string; routes: Route[]; workerCount: number },
): Promise<Row> {
  const path = '/api/v1/politicians?limit=20';
  const origin = `http://127.0.0.1:${await freePort()}`;
  const flags = ['--db', mirror, '--port', new URL(origin).port, '--workers', String(workerCount), '--mcp'];
  process.env.HOME = folder;
  process.env.FEATURE_SEMANTIC_SEARCH = 'on';
  const argv = [join(root, 'bin/run.js'), 'serve', ...flags];
  const program = await startProgram(process.execPath, argv, origin + path);
  const attacker = startBurstClient(origin);
  try {
    const keys = await sampleKeys(origin);
    const client = createClient(origin + path);
    // Not counted: it warms the server up.
    await client.latenciesUntil(sleep(1000));
    const idleP99Ms = p99(await client.latenciesUntil(sleep(3000)));
    const limitMs = Math.max(minLimitMs, maxSlowdown * idleP99Ms);
    let worst = { ms: 0, route: '' };
    for (const [routeIndex, route] of routes.entries()) {
      const requests = Array.from({ length: burstSize }, (_, number) =>
        worstRequest(route, keys, {
          number,
          asOf: number % pastRequestInterval === 0 ? new Date().toISOString() : null,
        }),
      );
      // One attacker after another, each within the rate limit, so that no latency is measured on an idle server.
      const latenciesMs: number[] = [];
      for (let n = 1; latenciesMs.length < minLatencyCount && n < maxAttackers; n += 1) {
        const clientAddress = `127.${1 + workerCount}.${routeIndex}.${n}`;
        const burst = attacker.send({ clientAddress, requests });
        latenciesMs.push(...(await client.latenciesUntil(burst)));
      }
      const ms = p99(latenciesMs);
      if (ms > worst.ms) worst = { ms, route: `${route.method} ${route.url}` };
    }
    const workers = workerCount === 1 ? '1 worker' : `${workerCount} workers`;
    const attack = `another client sends ${burstSize} worst-case requests to each of ${routes.length} routes`;
    return {
      name: `serve: list of 20 while ${attack}, ${workers}`,
      result: `p99 ${worst.ms.toFixed(1)} ms, during ${worst.route}`,
      reference: `limit ${limitMs.toFixed(0)} ms; p99 without attack ${idleP99Ms.toFixed(1)} ms`,
      ratio: worst.ms / limitMs,
      requiredRatio: { atMost: 1 },
      rssMb: null,
    };
  } finally {
    attacker.stop();
    await program.stop();
  }
}

/** Requests per address of the measuring client; below the rate limit of one address. */
const requestsPerAddress = 50;

/** A client that requests one URL repeatedly, from as many addresses as the rate limit requires. */
function createClient(url: string) {
  let requestCount = 0;
  const requestMs = () =>
    new Promise<number>((resolve, reject) => {
      requestCount += 1;
      const addressIndex = Math.floor(requestCount / requestsPerAddress);
      const localAddress = `127.1.${Math.floor(addressIndex / 250)}.${1 + (addressIndex % 250)}`;
      const startedAt = performance.now();
      get(url, { localAddress, agent: false }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url} from ${localAddress}: ${response.statusCode}`));
        response.resume().once('end', () => resolve(performance.now() - startedAt));
      }).once('error', reject);
    });
  return {
    /** Sends requests until `end` settles; the latency of each in ms. */
    async latenciesUntil(end: Promise<void>): Promise<number[]> {
      let hasEnded = false;
      const observedEnd = end.then(() => {
        hasEnded = true;
      });
      const latenciesMs: number[] = [];
      while (!hasEnded) {
        latenciesMs.push(await requestMs());
        await sleep(2);
      }
      await observedEnd;
      return latenciesMs;
    },
  };
}

function p99(latenciesMs: number[]): number {
  return latenciesMs.toSorted((a, b) => a - b)[Math.ceil(latenciesMs.length * 0.99) - 1]!;
}
