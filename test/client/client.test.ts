import { expect } from 'chai';
import { type AnswerOf, ApiError, createClient, type ItemOf } from '../../src/client/client.ts';
import { createRequestCounter } from '../../src/server/request-counter.ts';
import { listeningServers } from '../helpers/loopback-servers.ts';
import { type DemoServer, startDemoServer } from '../server/demo-server.ts';

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('the client', () => {
  const servers = listeningServers();
  let server: DemoServer;
  let client: ReturnType<typeof createClient>;
  before(async () => {
    server = await startDemoServer();
    client = createClient({ baseUrl: `${server.url}/api/v1/` });
  });
  afterEach(() => servers.closeAll());
  after(() => server.close());

  const refusal = async (request: Promise<unknown>) => {
    const error = await request.catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ApiError);
    return error as ApiError;
  };

  it('asks addresses by their names, with parameters of the path and the query, and has typed answers', async () => {
    const ballot: AnswerOf<'/votes/{scrutin_id}'> = await client.get('/votes/{scrutin_id}', {
      scrutin_id: 'VAL1V4',
      chamber: 'AN',
    });
    expect([ballot.scrutin_id, typeof ballot.totals?.for]).to.deep.equal(['VAL1V4', 'number']);
    const page = await client.get('/ballots', { voted: ['ADR:for', 'UDC:against'], limit: 2 });
    expect(page.items).to.have.length(2);
    expect((await client.get('/topics')).items[0]!.topic).to.be.a('string');
    const slug = 'no/such slug?';
    expect((await refusal(client.get('/politicians/{slug}', { slug }))).url).to.match(/no%2Fsuch%20slug%3F$/);
  });

  it('is held to the types by the compiler', () => {
    const expectCallable = (ask: () => unknown) => expect(ask).to.be.a('function');
    // @ts-expect-error no such address
    expectCallable(() => client.get('/nothing'));
    // @ts-expect-error the slug is missing
    expectCallable(() => client.get('/politicians/{slug}', {}));
    // @ts-expect-error a file is no JSON
    expectCallable(() => client.get('/export/dataset', { entity: 'quotes' }));
    // @ts-expect-error one record has no items
    expectCallable(() => client.items('/politicians/{slug}', { slug: 'x' }));
    // @ts-expect-error a word that the address does not take
    expectCallable(() => client.get('/ballots', { chamber: 'XX' }));
  });

  it('goes through the items of a list to its end, a page at a time', async () => {
    const ballots: ItemOf<'/ballots'>[] = [];
    for await (const ballot of client.items('/ballots', { limit: 7 })) ballots.push(ballot);
    const [first] = await allOf(client.pages('/ballots', { limit: 7 }));
    expect(first!.items).to.deep.equal(ballots.slice(0, 7));
    expect(ballots).to.have.length(first!.total!);
    expect(new Set(ballots.map(({ chamber, scrutin_id }) => `${chamber}:${scrutin_id}`)).size).to.equal(ballots.length);
    const requestedUrls: string[] = [];
    const counting = createClient({
      baseUrl: `${server.url}/api/v1`,
      fetch: (url, init) => {
        requestedUrls.push(String(url));
        return fetch(url, init);
      },
    });
    for await (const _ of counting.items('/ballots', { limit: 7 })) break;
    expect(requestedUrls).to.deep.equal([`${server.url}/api/v1/ballots?limit=7`]);
  });

  it('gives a file as it comes', async () => {
    const file = await client.open('/export/dataset', { entity: 'quotes', format: 'csv' });
    expect(file.headers.get('content-type')).to.match(/^text\/csv/);
    expect((await file.text()).split('\n')[0]).to.match(/^id,/);
  });

  it('throws what the server says of a refusal', async () => {
    const bad = await refusal(client.get('/ballots', { limit: 100_000 }));
    expect([bad.status, bad.problem?.errors?.[0]?.parameter]).to.deep.equal([422, 'limit']);
    expect(bad.message).to.include(bad.problem!.detail);
    const none = await refusal(client.get('/politicians/{slug}', { slug: 'oceane-bruyevr' }));
    expect([none.status, none.problem?.suggestions?.[0]?.slug]).to.deep.equal([404, 'oceane-bruyevre']);
    const parts = await client.get('/politicians/{slug}', { slug: '..' }).catch((error: unknown) => error);
    expect(parts).to.be.instanceOf(RangeError);
  });

  it('waits as long as a refusal asks for, and no longer than it may', async () => {
    const requestCounter = createRequestCounter(() => 1);
    const limited = await startDemoServer({ settings: { rateLimit: true }, requestCounter });
    try {
      const slept: number[] = [];
      const baseUrl = `${limited.url}/api/v1`;
      const patient = createClient({ baseUrl, retries: 2, sleep: async (ms) => slept.push(ms) });
      for (let n = 0; n < 60; n += 1) await patient.get('/topics');
      const over = await refusal(patient.get('/topics'));
      expect([over.status, slept]).to.deep.equal([429, [60_000, 60_000]]);
      expect(over.retryAfterMs).to.equal(60_000);
      const hasty = createClient({ baseUrl, maxWaitMs: 1000, sleep: async () => expect.fail('it waited') });
      expect((await refusal(hasty.get('/topics'))).status).to.equal(429);
    } finally {
      await limited.close();
    }
  });

  it('asks again after a refusal that passes, with its token', async () => {
    const tokens: (string | undefined)[] = [];
    const sleeps: number[] = [];
    const baseUrl = await servers.serve((request, response) => {
      tokens.push(request.headers.authorization);
      if (tokens.length === 1) response.writeHead(503, { 'retry-after': new Date(Date.now() + 5000).toUTCString() });
      else response.setHeader('content-type', 'application/json');
      response.end('{"items":[]}');
    });
    const client = createClient({ baseUrl, token: 'a-token', sleep: async (ms) => sleeps.push(ms) });
    expect(await client.get('/topics')).to.deep.equal({ items: [] });
    expect(tokens).to.deep.equal(['Bearer a-token', 'Bearer a-token']);
    expect(sleeps[0]).to.be.within(1, 5000);
  });

  it('takes no page for JSON, and no circle for a list', async () => {
    const page = await servers.serve((_, response) => response.setHeader('content-type', 'text/html').end('<p>'));
    const error = await refusal(createClient({ baseUrl: page }).get('/topics'));
    expect([error.status, error.message]).to.deep.equal([200, `${page}/topics: answers text/html, not JSON`]);
    const circle = await servers.serve((_, response) =>
      response.setHeader('content-type', 'application/json').end('{"items":[1],"next_cursor":"same"}'),
    );
    const walked = allOf(createClient({ baseUrl: circle }).items('/feed'));
    expect(String(await walked.catch((thrown: unknown) => thrown))).to.include('leads in a circle');
    const broken = await servers.serve((_, response) => response.writeHead(500).end('oh'));
    const refused = await refusal(createClient({ baseUrl: broken }).get('/topics'));
    expect([refused.problem, refused.message]).to.deep.equal([
      null,
      `${broken}/topics: answered 500 Internal Server Error`,
    ]);
  });

  it('can be told to stop', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    expect(String(await client.get('/topics', {}, { signal }).catch((error: unknown) => error))).to.include('enough');
  });

  it('stops at once while it waits for the limit', async () => {
    const stopping = new AbortController();
    const baseUrl = await servers.serve((_, response) => {
      response.writeHead(429, { 'retry-after': '60' }).end('{}');
      // The answer is read, and the wait begun, by then.
      response.on('close', () => setImmediate(() => setImmediate(() => stopping.abort(new Error('enough')))));
    });
    const request = createClient({ baseUrl }).get('/topics', {}, { signal: stopping.signal });
    expect(String(await request.catch((thrown: unknown) => thrown))).to.include('enough');
  });
});
