import { type IncomingHttpHeaders, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { views } from '../../src/server/pages/table.ts';
import { createRequestCounter } from '../../src/server/request-counter.ts';
import { readContents } from '../../src/store/records/contents.ts';
import { type Route, routesAddedBy, type WorstRequest, worstRequest } from '../helpers/route-table.ts';
import { type DemoServer, saveAll, startDemoServer } from './demo-server.ts';

/** Counts the turns of the event loop, in each of which other callers are served, until it is stopped. */
function countTurns(): () => number {
  let turns = 0;
  const countTurn = () => {
    turns += 1;
    next = setImmediate(countTurn);
  };
  let next = setImmediate(countTurn);
  return () => {
    clearImmediate(next);
    return turns;
  };
}

/** Asks over a connection of its own, from that address; what comes is read to its end. */
function askOver({ url: origin }: DemoServer, { url, body, ...options }: WorstRequest & { localAddress: string }) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const outgoing = request(origin + url, { ...options, agent: false }, (answer) => {
      answer.resume().once('close', () => resolve({ status: answer.statusCode!, headers: answer.headers }));
    });
    outgoing.once('error', reject).end(body);
  });
}

describe('one caller', () => {
  let server: DemoServer;
  afterEach(() => server.close());

  for (const path of ['/api/v1/mirror', '/api/v1/export/dataset?entity=promises'])
    it(`lets others in between the parts of ${path}, however fast it takes them`, async () => {
      server = await startDemoServer();
      const long = Array.from({ length: 500 }, (_, at) => ({ id: `p${at}`, text: 'x'.repeat(10_000) }));
      saveAll(server.writer, 'promise', long);
      const turns = countTurns();
      // Takes every part at once: no socket is between.
      const { statusCode, rawPayload } = await server.app.inject(path);
      expect(turns()).to.be.above(rawPayload.length / 100_000);
      expect([statusCode, rawPayload.length > 5_000_000]).to.deep.equal([200, true]);
    });

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

  it('lets others in between the rows of a Parquet file', async () => {
    server = await startDemoServer();
    saveAll(
      server.writer,
      'promise',
      Array.from({ length: 5000 }, (_, at) => ({ id: `p${at}` })),
    );
    const turns = countTurns();
    await server.app.inject('/api/v1/export/dataset?entity=promises&format=parquet');
    expect(turns()).to.be.above(5000 / 500);
  });

  it('lets others in while the past of an export is put together', async () => {
    server = await startDemoServer();
    const promises = (text: string) => Array.from({ length: 3000 }, (_, at) => ({ id: `p${at}`, text }));
    saveAll(server.writer, 'promise', promises('before'), '2026-03-02T06:00:00.000Z');
    saveAll(server.writer, 'promise', promises('after'), '2026-03-03T06:00:00.000Z');
    const turns = countTurns();
    const { body } = await server.app.inject('/api/v1/export/dataset?entity=promises&as_of=2026-03-02T12:00:00Z');
    expect(turns()).to.be.above(3000 / 200);
    expect(body.match(/before/g)).to.have.length(3000);
    expect(body).not.to.match(/after/);
  });

  it('lets others in between the examples of /openapi.json', async () => {
    server = await startDemoServer();
    const turns = countTurns();
    const { statusCode } = await server.app.inject('/openapi.json');
    expect(turns()).to.be.above(20);
    expect(statusCode).to.equal(200);
  });

  it('is let through once in each turn, however many requests come at one time', async () => {
    server = await startDemoServer({ settings: { rateLimit: true, trustedProxies: ['127.0.0.1'] } });
    const answered: string[] = [];
    const ask = async (caller: string) => {
      const { statusCode } = await server.app.inject({
        url: '/api/v1/parties',
        headers: { 'x-forwarded-for': caller },
      });
      answered.push(`${caller} ${statusCode}`);
    };
    await Promise.all([...Array.from({ length: 30 }, () => '192.0.2.1'), '192.0.2.2'].map(ask));
    expect(answered).to.have.length(31);
    expect(answered.indexOf('192.0.2.2 200')).to.be.within(0, 10);
  });

  it('has names completed, and lists of one step written as CSV, in another process', async () => {
    const readerProgram = fileURLToPath(new URL('stuck-reader.ts', import.meta.url));
    server = await startDemoServer({ readerProgram });
    const withWords = views.filter(({ forms, parameters }) => forms.csv && 'q' in parameters && 'limit' in parameters);
    const lists = withWords.map(({ path, example }) => {
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(example[name]!));
      return `${address}.csv?q=fatal&limit=5`;
    });
    expect(lists).to.have.length.above(5);
    const names = ['/suggest?q=fatal', '/suggest.json?q=fatal', '/reconcile/suggest/entity?prefix=fatal'];
    const answered: [url: string, status: number][] = [];
    for (const url of [...names, ...lists]) answered.push([url, (await server.app.inject(url)).statusCode]);
    // The process falls at this word; here it would be a word like others.
    expect(answered.filter(([, status]) => status !== 500)).to.deep.equal([]);
  });

  it('lets others in between the steps of a whole list as CSV', async () => {
    server = await startDemoServer();
    const person = (at: number) => ({ slug: `p${at}`, full_name: `Person ${at}`, last_name: `${at}` });
    saveAll(
      server.writer,
      'politician',
      Array.from({ length: 3000 }, (_, at) => person(at)),
    );
    const turns = countTurns();
    const { body } = await server.app.inject('/politicians.csv');
    expect(turns()).to.be.above(3000 / 100);
    expect(body.match(/\n/g)).to.have.length.above(3000);
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

  it('makes nobody count the mirror twice between two of its commits', async () => {
    server = await startDemoServer();
    const counted = readContents(server.mirror);
    expect(readContents(server.mirror)).to.equal(counted);
    saveAll(server.writer, 'promise', [{ id: 'new' }]);
    const [, , , promises] = readContents(server.mirror);
    expect(promises).to.not.equal(counted[3]);
  });
});
