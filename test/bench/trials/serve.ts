import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Pool } from 'undici';
import { runChild } from '../child.ts';
import { type RunningServer, startServer } from '../server.ts';
import { median, type Row, type Trial } from '../trial.ts';

const seconds = 2;
const connections = 16;

/** Requests a second of our server against node:http over the same queries. */
export const serve: Trial = {
  name: 'serve',
  async run({ folder, root }) {
    const real = join(root, '../shared/data/real');
    const mirror = join(folder, 'serve.db');
    await runChild('import-ours', [existsSync(real) ? real : join(root, 'fixtures/demo'), mirror]);
    const uncached = await startServer('server-ours', mirror, 'uncached');
    const cached = await startServer('server-ours', mirror);
    const bare = await startServer('server-bare', mirror);
    const memory = await startServer('server-bare', mirror, 'memory');
    try {
      const list = '/api/v1/politicians?limit=100';
      const first = await fetch(cached.origin + list);
      const { items } = (await first.json()) as { items: { slug: string }[] };
      const profile = `/api/v1/politicians/${items[0]!.slug}`;
      const tag = (await fetch(cached.origin + list, plain)).headers.get('etag')!;
      return [
        await compared('list of 100', { path: list, ours: uncached, bare, least: 0.6 }),
        await compared('profile', { path: profile, ours: uncached, bare }),
        await compared('list of 100, kept (bounded by who asks)', {
          path: list,
          ours: cached,
          bare: memory,
          least: 0.5,
        }),
        await compared('304', { path: list, ours: cached, bare: memory, tag }),
      ];
    } finally {
      for (const { child } of [uncached, cached, bare, memory]) child.kill();
    }
  },
};

const plain = { headers: { 'accept-encoding': 'identity' } };

type Comparison = { path: string; ours: RunningServer; bare: RunningServer; least?: number; tag?: string };

async function compared(name: string, { path, ours, bare, least, tag }: Comparison): Promise<Row> {
  const rates: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
  for (let n = 0; n < 5; n += 1) {
    rates.ours.push(await rateOf(ours.origin, path, tag));
    rates.bare.push(await rateOf(bare.origin, path));
  }
  return {
    name: `serve: ${name}`,
    ours: `${Math.round(median(rates.ours))} requests/s`,
    peer: `node:http ${Math.round(median(rates.bare))} requests/s`,
    ratio: median(rates.ours.map((rate, n) => rate / rates.bare[n]!)),
    must: least === undefined ? null : { least },
    rssMb: null,
  };
}

/** Answers a second over kept-alive connections for a fixed time. */
async function rateOf(origin: string, path: string, tag?: string): Promise<number> {
  const pool = new Pool(origin, { connections });
  const end = performance.now() + seconds * 1000;
  const headers = tag === undefined ? {} : { 'if-none-match': tag };
  let answered = 0;
  const ask = async () => {
    while (performance.now() < end) {
      const { body, statusCode } = await pool.request({ path, method: 'GET', headers });
      await body.dump({ limit: 1 << 26 });
      if (statusCode !== (tag === undefined ? 200 : 304)) throw new Error(`${path}: ${statusCode}`);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, ask));
  await pool.close();
  return answered / seconds;
}
