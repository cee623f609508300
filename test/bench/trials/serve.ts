import { join } from 'node:path';
import { importedMirror } from '../imported-mirror.ts';
import { freePort, type RunningServer, startProgram, startServer } from '../server.ts';
import { median, type Place, type Row, type Trial } from '../trial.ts';
import { load } from '../wrk.ts';

const longList = '/api/v1/politicians?limit=100';

/** Requests a second of our server against node:http over the same queries, and of two processes against one. */
export const serve: Trial = {
  name: 'serve',
  isOfReal: true,
  async run(workspace) {
    const mirror = await importedMirror(workspace);
    const uncached = await startServer('server-ours', mirror, 'uncached');
    const bare = await startServer('server-bare', mirror);
    try {
      const { items } = (await (await fetch(uncached.origin + longList)).json()) as {
        items: { slug: string }[];
      };
      const profile = `/api/v1/politicians/${items[0]!.slug}`;
      const least = 0.8;
      return [
        await compared('list of 100', workspace, { path: longList, ours: uncached, bare, least }),
        await compared('profile', workspace, { path: profile, ours: uncached, bare, least }),
        await workers(workspace, mirror, uncached),
      ];
    } finally {
      for (const { child } of [uncached, bare]) child.kill();
    }
  },
};

type Comparison = { path: string; ours: RunningServer; bare: RunningServer; least: number };

async function compared(name: string, { folder }: Place, { path, ours, bare, least }: Comparison): Promise<Row> {
  const rates: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
  for (let n = 0; n < 5; n += 1) {
    rates.ours.push(await rateOf(ours.origin, path, { folder }));
    rates.bare.push(await rateOf(bare.origin, path, { folder }));
  }
  return {
    name: `serve: ${name}`,
    ours: `${Math.round(median(rates.ours))} requests/s`,
    peer: `node:http ${Math.round(median(rates.bare))} requests/s`,
    ratio: median(rates.ours.map((rate, n) => rate / rates.bare[n]!)),
    must: { least },
    rssMb: null,
  };
}

/** Two processes against one, asked for what neither has kept: each question comes once. */
async function workers({ folder, root }: Place, mirror: string, ours: RunningServer): Promise<Row> {
  const { items } = (await (await fetch(`${ours.origin}/api/v1/parties`)).json()) as {
    items: { slug: string }[];
  };
  const limits = Array.from({ length: 100 }, (_, n) => ((n * 37) % 100) + 1);
  const paths = limits.flatMap((limit) =>
    ['name', 'updated_at'].flatMap((sort) =>
      items.map(({ slug }) => `/api/v1/politicians?party=${slug}&sort=${sort}&limit=${limit}`),
    ),
  );
  const rates: number[] = [];
  for (const count of ['1', '2']) {
    const port = await freePort();
    const program = [join(root, 'bin/run.js'), 'serve', '--db', mirror, '--rate-limit', 'off'];
    const argv = [...program, '--port', String(port), '--workers', count];
    const server = await startProgram(process.execPath, argv, `http://127.0.0.1:${port}/healthz`);
    // The second process is not there yet when the first one answers.
    await load(`http://127.0.0.1:${port}`, ['/healthz'], { folder, seconds: 2 });
    const { perSecond } = await load(`http://127.0.0.1:${port}`, paths, { folder, seconds: 5 });
    rates.push(perSecond);
    server.stop();
  }
  const [one = 0, two = 0] = rates;
  return {
    name: 'serve: two workers, nothing kept (who asks is on the same cores)',
    ours: `${Math.round(two)} requests/s`,
    peer: `one ${Math.round(one)} requests/s`,
    ratio: two / one,
    must: { least: 1.6 },
    rssMb: null,
  };
}

async function rateOf(origin: string, path: string, options: { folder: string }): Promise<number> {
  const { perSecond, errors } = await load(origin, [path], options);
  if (errors > 0) throw new Error(`${path}: ${errors} errors`);
  return perSecond;
}
