import type { ServerResponse } from 'node:http';
import type { Document } from '../../src/model/document.ts';
import type { Limits } from '../../src/service/options.ts';
import { type Bent, type Dialect, type FakeService, type Fault, startFakeService, type Truth } from './fake-service.ts';

/** One way in which a service lies, moves or breaks; what it is asked for meanwhile is a matter of the test. */
export type Lie = {
  name: string;
  /** Made anew for each service: some lies count what they are asked. */
  bend: () => Bent;
};

/** The fake service, which can be told to lie and to stop it. */
export type HostileService = FakeService & { lie(lie: Lie): void; tellTheTruth(): void };

/** The fake service with more content than three pages of a feed, and a lie that can be begun and ended. */
export async function startHostileService(dialect: Dialect): Promise<HostileService> {
  const service = await startFakeService(dialect);
  service.records.content = manyContents(service.records.content!, 248);
  return Object.assign(service, {
    lie(lie: Lie) {
      service.bent = lie.bend();
    },
    tellTheTruth() {
      service.bent = null;
    },
  });
}

/** So many items of content, made from a few, each a minute older than the one before. */
export function manyContents(models: Document[], count: number): Document[] {
  const newestMs = Date.UTC(2026, 9, 31, 12);
  return Array.from({ length: count }, (_, n) => ({
    ...models[n % models.length]!,
    id: `content-${String(n).padStart(4, '0')}`,
    date: new Date(newestMs - n * 60_000).toISOString(),
  }));
}

const feed = /^\/feed/;
/** The datasets of promises as text, which does not say itself where it ends; no other format is to be had. */
const promises = /entity=promises/;

/** Lies of a list that is walked by offset, and what a walk that met them leaves as not seen; null where it is refused. */
export const feedLies: (Lie & { missingCount: number | null })[] = [
  {
    name: 'one record is deleted at its head during the walk',
    missingCount: 0,
    bend: () => ({ path: feed, move: (records, nth) => nth === 3 && deleteNewest(records, 0) }),
  },
  {
    name: 'a record is deleted below its head during the walk',
    missingCount: 1,
    bend: () => ({ path: feed, move: (records, nth) => nth === 3 && deleteNewest(records, 70) }),
  },
  {
    name: 'a page in the middle is empty',
    missingCount: 0,
    bend: () => ({ path: feed, page: (page, nth) => (nth === 3 ? { ...page, items: [] } : page) }),
  },
  {
    name: 'a page in the middle is empty, and the last',
    missingCount: 48,
    bend: () => ({ path: feed, page: (page, nth) => (nth === 5 ? { items: [], next: null } : page) }),
  },
  {
    name: 'a page in the middle says that it is the last',
    missingCount: 0,
    bend: () => ({ path: feed, page: (page, nth) => (nth === 4 ? { ...page, next: null } : page) }),
  },
  {
    name: 'the first page says that it is the last',
    missingCount: null,
    bend: () => ({ path: feed, page: (page, nth) => (nth === 1 ? { ...page, next: null } : page) }),
  },
  {
    name: 'the last page ends after 3 items',
    missingCount: 45,
    bend: () => ({
      path: feed,
      page: (page, nth) => (nth === 5 ? { ...page, items: page.items.slice(0, 3) } : page),
    }),
  },
  {
    name: 'a page comes again under a cursor of its own',
    missingCount: 0,
    bend() {
      let before: Document[] = [];
      return {
        path: feed,
        page(page, nth) {
          if (nth === 2) before = page.items;
          return nth === 4 ? { ...page, items: before } : page;
        },
      };
    },
  },
  {
    name: 'a page in the middle has 5 items',
    missingCount: 0,
    bend: () => ({
      path: feed,
      page: (page, nth) => (nth === 3 ? { ...page, items: page.items.slice(0, 5) } : page),
    }),
  },
];

/** Two pages that follow one another without end, each time by another cursor. */
export const endlessFeed: Lie = {
  name: 'two pages alternate without end',
  bend() {
    const pages: Document[][] = [];
    return {
      path: feed,
      page(page, nth) {
        if (nth <= 2) pages.push(page.items);
        return { items: pages[(nth - 1) % 2]!, next: `50.${nth}` };
      },
    };
  },
};

/** Lies of a dataset that comes as one body of text. */
export const datasetLies: Lie[] = [
  { name: 'a part with status 206', bend: () => text((cut, response) => send(response, 206, cut)) },
  {
    name: 'a body that ends with its connection',
    bend: () => text((cut, response) => raw(response, 'HTTP/1.1 200 OK\r\nconnection: close\r\n', cut)),
  },
  {
    name: 'a body of HTTP/1.0',
    bend: () => text((cut, response) => raw(response, 'HTTP/1.0 200 OK\r\n', cut)),
  },
  {
    name: 'a Content-Length that is too small',
    bend: () => text((cut, response) => raw(response, `HTTP/1.1 200 OK\r\ncontent-length: ${cut.length}\r\n`, cut)),
  },
];

/** A dataset of promises as text, cut behind one of its rows; without any other format. */
function text(sendCut: (cut: Buffer, response: ServerResponse) => void): Bent {
  return {
    path: promises,
    send(truth, response) {
      if (truth.headers['content-type'] !== 'text/csv') return send(response, 404, Buffer.from('{}'));
      sendCut(cutBehindRow(truth, 0.85), response);
    },
  };
}

function cutBehindRow({ body }: Truth, share: number): Buffer {
  return body.subarray(0, body.lastIndexOf('\n', Math.floor(body.length * share)) + 1);
}

function send(response: ServerResponse, status: number, body: Buffer): void {
  response.writeHead(status, { 'content-type': 'text/csv' }).end(body);
}

/** Writes to the connection itself, and closes it. */
function raw(response: ServerResponse, head: string, body: Buffer): void {
  response.socket?.end(Buffer.concat([Buffer.from(`${head}content-type: text/csv\r\n\r\n`), body]));
}

/** Takes the item of that rank, from the newest, off the feed. */
function deleteNewest(records: FakeService['records'], rank: number): void {
  records.content = [...records.content!].sort((a, b) => (String(a.date) < String(b.date) ? 1 : -1)).toSpliced(rank, 1);
}

/** What one address of an otherwise sound service answers, whenever it is asked; `status` as a report states it. */
export const refusals: {
  name: string;
  status: number | null;
  exit: number;
  limits?: Partial<Limits>;
  answer: Fault['answer'];
}[] = [
  ...(
    [
      [401, 4],
      [403, 4],
      [429, 7],
      [500, 5],
      [503, 5],
    ] as const
  ).map(([status, exit]) => ({
    name: String(status),
    status,
    exit,
    answer: ((_request, response) => response.writeHead(status).end('{"detail":"no"}')) as Fault['answer'],
  })),
  {
    name: 'with a connection that is cut',
    status: null,
    exit: 6,
    answer: (request) => request.socket.destroy(),
  },
  { name: 'with nothing at all', status: null, exit: 6, limits: { totalJsonMs: 300 }, answer: () => {} },
  {
    name: 'with another profile',
    status: null,
    exit: 5,
    answer: (_request, response) => response.end('{"slug":"somebody-else"}'),
  },
];

/** Writes `"NESTED n"` in an answer of JSON as a list nested n deep: no writer of JSON would. */
export function nested(): Bent {
  return {
    path: /^\/(feed|audit|politicians)/,
    send({ status, headers, body }, response) {
      const text = body
        .toString()
        .replace(/"NESTED (\d+)"/g, (_all, depth) => `${'['.repeat(Number(depth))}${']'.repeat(Number(depth))}`);
      response.writeHead(status, headers).end(text);
    },
  };
}
