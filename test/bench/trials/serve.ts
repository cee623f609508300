import { join } from 'node:path';
import { importedMirror } from '../imported-mirror.ts';
import { freePort, type RunningServer, startProgram, startServer } from '../server.ts';
import { median, type Row, type Trial, type Workspace } from '../trial.ts';
import { load } from '../wrk.ts';

const roundCount = 5;
const listPath = '/api/v1/politicians?limit=100';

/** Rate of the server without cache beside node:http over the same queries, and of two workers beside one. */
export const serve: Trial = {
  name: 'serve',
  needsRealRecords: true,
  async run(workspace) {
    const mirror = await importedMirror(workspace);
    const hemicycle = await startServer('hemicycle-server', mirror, 'uncached');
    const nodeHttp = await startServer('node-http-server', mirror);
    try {
      const firstSlug = (await slugsOf(hemicycle.origin + listPath))[0]!;
      const partySlugs = await slugsOf(`${hemicycle.origin}/api/v1/parties`);
      const servers = { hemicycle, nodeHttp };
      const list = await serverRow('list of 100', listPath, servers, workspace);
      const profile = await serverRow('profile', `/api/v1/politicians/${firstSlug}`, servers, workspace);
      return [list, profile, await workersRow(workspace, mirror, partySlugs)];
    } finally {
      for (const { child } of [hemicycle, nodeHttp]) child.kill();
    }
  },
};

type Servers = { hemicycle: RunningServer; nodeHttp: RunningServer };

async function serverRow(
  name: string,
  path: string,
  { hemicycle, nodeHttp }: Servers,
  { folder }: Workspace,
): Promise<Row> {
  const rates: { hemicycle: number; nodeHttp: number }[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    rates.push({
      hemicycle: await rateOf(hemicycle.origin, path, folder),
      nodeHttp: await rateOf(nodeHttp.origin, path, folder),
    });
  }
  return {
    name: `serve: ${name}, uncached`,
    result: `${Math.round(median(rates.map((rate) => rate.hemicycle)))} requests/s`,
    reference: `node:http ${Math.round(median(rates.map((rate) => rate.nodeHttp)))} requests/s`,
    ratio: median(rates.map((rate) => rate.hemicycle / rate.nodeHttp)),
    requiredRatio: { atLeast: 0.8 },
    rssMb: null,
  };
}

/** Each path is requested once or rarely, so that few responses come from the cache. */
async function workersRow({ folder, root }: Workspace, mirror: string, partySlugs: string[]): Promise<Row> {
  const limits = Array.from({ length: 100 }, (_, n) => ((n * 37) % 100) + 1);
  const paths = limits.flatMap((limit) =>
    ['name', 'updated_at'].flatMap((sort) =>
      partySlugs.map((slug) => `/api/v1/politicians?party=${slug}&sort=${sort}&limit=${limit}`),
    ),
  );
  const rateOfWorkers = async (workerCount: number) => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const program = [join(root, 'bin/run.js'), 'serve', '--db', mirror, '--rate-limit', 'off'];
    const argv = [...program, '--port', String(port), '--workers', String(workerCount)];
    const server = await startProgram(process.execPath, argv, `${origin}/healthz`);
    // The second worker may still be starting when the first one responds.
    await load(origin, ['/healthz'], { folder, seconds: 2 });
    const { requestsPerSecond } = await load(origin, paths, { folder, seconds: 5 });
    server.stop();
    return requestsPerSecond;
  };
  const oneWorker = await rateOfWorkers(1);
  const twoWorkers = await rateOfWorkers(2);
  return {
    name: 'serve: two workers, lists that are not in the cache, client on the same cores',
    result: `${Math.round(twoWorkers)} requests/s`,
    reference: `one worker ${Math.round(oneWorker)} requests/s`,
    ratio: twoWorkers / oneWorker,
    requiredRatio: { atLeast: 1.6 },
    rssMb: null,
  };
}

async function slugsOf(url: string): Promise<string[]> {
  const response = await fetch(url);
  const { items } = (await response.json()) as { items: { slug: string }[] };
  return items.map(({ slug }) => slug);
}

async function rateOf(origin: string, path: string, folder: string): Promise<number> {
  const { requestsPerSecond, errors } = await load(origin, [path], { folder });
  if (errors > 0) throw new Error(`${path}: ${errors} errors`);
  return requestsPerSecond;
}
