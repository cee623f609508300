import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importedMirror } from '../imported.ts';
import { freePort, type RunningServer, startProgram, startServer } from '../server.ts';
import { median, type Place, type Row, type Trial } from '../trial.ts';
import { load } from '../wrk.ts';

const list = '/api/v1/politicians?limit=20';
const longList = '/api/v1/politicians?limit=100';

/** Requests a second of our server against node:http: over the same queries, and with the same bytes from memory. */
export const serve: Trial = {
  name: 'serve',
  isOfReal: true,
  async run(place) {
    const mirror = await importedMirror(place);
    const uncached = await startServer('server-ours', mirror, 'uncached');
    const cached = await startServer('server-ours', mirror);
    const bare = await startServer('server-bare', mirror);
    const memory = await startServer('server-bare', mirror, 'memory');
    try {
      const { items } = (await (await fetch(cached.origin + longList)).json()) as {
        items: { slug: string }[];
      };
      const profile = `/api/v1/politicians/${items[0]!.slug}`;
      const plain = { headers: { 'accept-encoding': 'identity' } };
      const tag = (await fetch(cached.origin + list, plain)).headers.get('etag')!;
      const least = 0.8;
      return [
        await compared('list of 100', place, { path: longList, ours: uncached, bare, least }),
        await compared('profile', place, { path: profile, ours: uncached, bare, least }),
        await compared('list, kept', place, { path: list, ours: cached, bare: memory, least: 0.4 }),
        await compared('304', place, { path: list, ours: cached, bare: memory, least: 0.4, tag }),
        await againstJsonServer(place, cached, items),
        await workers(place, mirror, cached),
      ];
    } finally {
      for (const { child } of [uncached, cached, bare, memory]) child.kill();
    }
  },
};

type Comparison = { path: string; ours: RunningServer; bare: RunningServer; least: number; tag?: string };

async function compared(
  name: string,
  { folder }: Place,
  { path, ours, bare, least, tag }: Comparison,
): Promise<Row> {
  const headers: Record<string, string> = tag === undefined ? {} : { 'If-None-Match': tag };
  const rates: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
  for (let n = 0; n < 5; n += 1) {
    rates.ours.push(await rateOf(ours.origin, path, { folder, headers }));
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

/** The list of the same records from json-server, fetched by npx for the occasion. */
async function againstJsonServer(place: Place, ours: RunningServer, items: object[]): Promise<Row> {
  const { folder } = place;
  const file = join(folder, 'db.json');
  writeFileSync(file, JSON.stringify({ politicians: await allPoliticians(ours, items) }));
  const row = { name: 'serve: list, against json-server', must: { least: 20 }, rssMb: null };
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const argv = [
    '--yes',
    'json-server@0.17.4',
    '--quiet',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    file,
  ];
  const server = await startProgram('npx', argv, `${origin}/politicians?_limit=1`).catch(() => null);
  if (server === null) return { ...row, ours: 'json-server cannot be fetched', peer: '', ratio: null };
  try {
    const mine = await rateOf(ours.origin, list, { folder });
    const theirs = await rateOf(origin, '/politicians?_page=1&_limit=20', { folder });
    return {
      ...row,
      ours: `${Math.round(mine)} requests/s`,
      peer: `json-server ${Math.round(theirs)} requests/s`,
      ratio: mine / theirs,
    };
  } finally {
    server.stop();
  }
}

async function allPoliticians(ours: RunningServer, first: object[]): Promise<object[]> {
  const items = [...first];
  let { next_cursor: cursor } = await pageOf(ours, '');
  while (cursor !== null) {
    const page = await pageOf(ours, `&cursor=${encodeURIComponent(cursor)}`);
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

async function pageOf({ origin }: RunningServer, more: string) {
  const answer = await fetch(origin + longList + more);
  return (await answer.json()) as { items: object[]; next_cursor: string | null };
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

async function rateOf(
  origin: string,
  path: string,
  options: { folder: string; headers?: Record<string, string> },
): Promise<number> {
  const { perSecond, errors } = await load(origin, [path], options);
  if (errors > 0) throw new Error(`${path}: ${errors} errors`);
  return perSecond;
}
