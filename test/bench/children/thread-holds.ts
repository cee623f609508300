import { setImmediate as nextTurn } from 'node:timers/promises';
import { datasets } from '../../../src/model/kinds.ts';
import { createApp } from '../../../src/server/app.ts';
import { openMirror } from '../../../src/store/open.ts';
import { type Route, routesAddedBy, type WorstRequest, worstRequest } from '../../helpers/route-table.ts';
import { sampleKeys, startBurstClient } from '../burst-client.ts';
import { report } from '../child.ts';

// Longest time in ms of processor time for which the thread of Hemicycle's server is busy without handling another
// event, by request. Nothing is cached, and long reads run in processes, as in `hemicycle serve`.
const [path, assetsFolder, readerProgram] = process.argv.slice(2) as [string, string, string];
const roundCount = 3;

/** Lists with filters, and datasets, that `worstRequest` does not vary. */
const furtherPaths = [
  ...['feed', 'politicians', 'records/quote', 'ballots', 'parties'].map((list) => `${list}?chamber=AN&limit=50`),
  ...['feed', 'politicians', 'records/quote'].map((list) => `${list}?department=Paris&limit=50`),
  ...['feed', 'records/quote', 'ballots'].map((list) => `${list}?subject=climate&limit=50`),
  ...datasets.flatMap(({ plural }) =>
    ['csv', 'parquet'].map((format) => `export/dataset?entity=${plural}&format=${format}`),
  ),
];

const mirror = openMirror(path);
let app!: Awaited<ReturnType<typeof createApp>>;
const routes = await routesAddedBy(async () => {
  app = await createApp({
    mirror,
    settings: { citation: { name: 'bench', siteUrl: null }, rateLimit: false, semantic: false },
    bounds: { cacheBytes: 0 },
    assistants: { version: 'bench' },
    assetsFolder,
    readerProgram,
  });
});
const origin = await app.listen({ host: '127.0.0.1', port: 0 });
const client = startBurstClient(origin);
const keys = await sampleKeys(origin);

let longestMs = 0;
let turnStartMs = threadCpuMs();
let isMeasuring = true;
const measuring = measureTurns();
const holds: Record<string, number> = {};
for (const [name, requestOf] of requestsByName(routes)) {
  const roundsMs: number[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    longestMs = 0;
    await client.send({ clientAddress: '127.0.0.1', requests: [requestOf(round)] });
    roundsMs.push(longestMs);
  }
  // The least of three: a garbage collection may fall into any of them.
  holds[name] = Math.min(...roundsMs);
}
isMeasuring = false;
await measuring;
client.stop();
await app.close();
mirror.close();
report(holds);

function requestsByName(all: readonly Route[]): [string, (round: number) => WorstRequest][] {
  const measuredRoutes = all.filter(({ url }) => url === '/' || !url.endsWith('/'));
  return [
    ...measuredRoutes.flatMap((route) =>
      // Even numbers are CSV and compressed, odd ones Parquet and not.
      [0, 1].map((parity): [string, (round: number) => WorstRequest] => [
        `${route.method} ${route.url}${parity === 0 ? ' (br)' : ''}`,
        (round) => worstRequest(route, keys, { number: 2 * round + parity, asOf: null }),
      ]),
    ),
    ...furtherPaths.map((each): [string, () => WorstRequest] => [
      `GET /api/v1/${each}`,
      () => ({ method: 'GET', url: `/api/v1/${each}` }),
    ]),
  ];
}

/** Notes the processor time of each turn of the event loop. */
async function measureTurns(): Promise<void> {
  while (isMeasuring) {
    const nowMs = threadCpuMs();
    longestMs = Math.max(longestMs, nowMs - turnStartMs);
    turnStartMs = nowMs;
    await nextTurn();
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
