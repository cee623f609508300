import { type IncomingHttpHeaders, request } from 'node:http';
import { expect } from 'chai';
import { createRequestCounter } from '../../src/server/request-counter.ts';
import { type Route, routesAddedBy, type WorstRequest, worstRequest } from '../helpers/route-table.ts';
import { type DemoServer, saveAll, startDemoServer } from '../server/demo-server.ts';

/** Asks over a connection of its own, from that address; what comes is read to its end. */
function askOver({ url: origin }: DemoServer, { url, body, ...options }: WorstRequest & { localAddress: string }) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const outgoing = request(origin + url, { ...options, agent: false }, (answer) => {
      answer.resume().once('close', () => resolve({ status: answer.statusCode!, headers: answer.headers }));
    });
    outgoing.once('error', reject).end(body);
  });
}

describe('one caller of many requests', () => {
  let server: DemoServer;
  afterEach(() => server.close());

  for (const path of ['mirror', 'export/dataset?entity=promises', 'export/dataset?entity=promises&format=parquet'])
    it(`answers whoever connects behind sixty connections before a file ends that they asked for at ${path}`, async () => {
      server = await startDemoServer({ settings: { rateLimit: true } });
      // Some thirty parts: fewer than connections, of which each turn of the event loop accepts one.
      const long = Array.from({ length: 2000 }, (_, at) => ({ id: `p${at}`, text: `${at} `.repeat(150) }));
      saveAll(server.writer, 'promise', long);
      const ended: string[] = [];
      const ask = async (caller: string, url: string, localAddress: string) => {
        const { status } = await askOver(server, { method: 'GET', url, localAddress });
        if (status === 200) ended.push(caller);
      };
      const many = Array.from({ length: 60 }, () => ask('one', `/api/v1/${path}`, '127.0.0.2'));
      await Promise.all([...many, ask('other', '/api/v1/politicians?limit=5', '127.0.0.3')]);
      expect(ended[0]).to.equal('other');
      expect(ended).to.have.length.above(1);
    });

  /** Routes that count against no limit: what they give is made once, or tiny. */
  const uncounted = ['/assets/:file', '/assets/:version/:file', '/healthz', '/readyz'];

  for (const asOf of [null, '2026-03-01T07:00:00.000Z'])
    it(`makes nobody wait for all that it asks at one time, on any route, ${asOf ? 'of the past' : 'of today'}`, async () => {
      let now = Date.parse('2026-03-02');
      const settings = { rateLimit: true, semantic: true, showsWatches: true };
      const routes = await routesAddedBy(async () => {
        const requestCounter = createRequestCounter(() => now);
        server = await startDemoServer({ settings, assistants: { version: '1' }, clock: () => now, requestCounter });
      });
      const faults: string[] = [];
      for (const route of routes) {
        now += 61_000;
        const answered = await answersInTurn(route, asOf);
        const isCounted = answered.every(({ headers }) => headers.ratelimit !== undefined);
        const at = answered.findIndex(({ caller }) => caller === 'other');
        const isFair = isCounted ? at < 5 : uncounted.includes(route.url);
        if (!isFair) faults.push(`${route.method} ${route.url}: the other is answered as number ${at}`);
      }
      expect(routes).to.have.length.above(100);
      expect(faults).to.deep.equal([]);
    });

  /** Who is answered in which order when one asks the worst twelve times, and another once behind them for a list. */
  async function answersInTurn(route: Route, asOf: string | null) {
    const answered: { caller: string; headers: Record<string, unknown> }[] = [];
    const ask = async (caller: string, worstCase: WorstRequest) => {
      const localAddress = caller === 'one' ? '127.0.0.2' : '127.0.0.3';
      const { headers } = await askOver(server, { ...worstCase, localAddress });
      answered.push({ caller, headers });
    };
    const worst = Array.from({ length: 12 }, (_, number) => worstRequest(route, keys, { number, asOf }));
    await Promise.all([
      ...worst.map((request) => ask('one', request)),
      ask('other', { method: 'GET', url: '/api/v1/politicians?limit=5', headers: {} }),
    ]);
    return answered;
  }

  const keys = {
    ...{ politician: 'oceane-bruyevre', party: 'parti-du-verger' },
    ...{ chamber: 'AN', ballot: 'VAL1V4', groups: 'ADR,UC' },
  };
});
