import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { networkOf } from '../../../src/server/limits.ts';
import { createRequestCounter } from '../../../src/server/request-counter.ts';
import type { ServerSettings } from '../../../src/server/serving.ts';
import { tokenHash } from '../../../src/server/viewer-tokens.ts';
import { type DemoServer, saveAll, startDemoServer } from '../../server/demo-server.ts';

const token = 'a-token-of-the-demo';
const as = (bearerToken: string) => ({ headers: { authorization: `Bearer ${bearerToken}` } });

describe('limits', () => {
  let server: DemoServer;
  let now = 0;
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-limits-'));
    const tokens = { demo: { sha256: tokenHash(token).toString('hex'), created_at: null } };
    writeFileSync(join(folder, 'tokens.json'), JSON.stringify(tokens));
  });
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    now = 1_000_000;
    const viewerTokenFile = join(folder, 'tokens.json');
    const requestCounter = createRequestCounter(() => now);
    server = await startDemoServer({ settings: { rateLimit: true, viewerTokenFile }, requestCounter });
  });
  const otherServers: DemoServer[] = [];
  afterEach(() => Promise.all([server, ...otherServers.splice(0)].map((each) => each.close())));

  /** Another server for one test, closed behind it however it ends. */
  const startOther = async (settings?: Partial<ServerSettings>) => {
    otherServers.push(await startDemoServer(settings && { settings: { rateLimit: true, ...settings } }));
    return otherServers[0]!;
  };

  it('admit 60 requests of an address, then say how long to wait, and keep that promise', async () => {
    for (let remaining = 59; remaining >= 0; remaining -= 1) {
      const response = await server.get('/api/v1/parties');
      expect(response.status).to.equal(200);
      expect(response.headers.get('ratelimit-policy')).to.equal('"anonymous";q=60;w=60');
      expect(response.headers.get('ratelimit')).to.match(new RegExp(`^"anonymous";r=${remaining};t=60$`));
    }
    now += 20_500;
    const refused = await server.get('/api/v1/feed');
    expect(refused.status).to.equal(429);
    expect(refused.headers.get('content-type')).to.match(/^application\/problem\+json/);
    expect(refused.headers.get('retry-after')).to.equal('40');
    expect(refused.headers.get('cache-control')).to.equal('no-store');
    expect(await refused.json()).to.include({ status: 429, title: 'Too Many Requests' });
    now += 39_000;
    expect((await server.get('/api/v1/feed')).status).to.equal(429);
    now += 1_000;
    expect((await server.get('/api/v1/feed')).status).to.equal(200);
  });

  it('count unknown paths, methods, bad parameters, 304s and the state, but no probes, no assets and no OPTIONS', async () => {
    for (const path of ['/api/v1/nothing', '/api/v1/feed?limit=0', '/statusz', '/openapi.json']) await server.get(path);
    expect((await server.get('/api/v1/parties', { method: 'POST' })).status).to.equal(405);
    for (const path of ['/healthz', '/readyz', '/assets/pages.css', '/assets/none.css']) {
      expect((await server.get(path)).headers.has('ratelimit'), path).to.equal(false);
    }
    await server.get('/api/v1/feed', { method: 'OPTIONS' });
    const response = await server.get('/api/v1/parties', { headers: { 'if-none-match': '*' } });
    expect(response.status).to.equal(304);
    expect(response.headers.get('ratelimit')).to.match(/r=54/);
  });

  /** Name, and number that is left, of the limit that counts a request. */
  const limitOf = async (path: string, init: RequestInit = {}) => {
    const { headers } = await server.get(path, { redirect: 'manual', ...init });
    const [, policy, max] = /^"(\w+)";q=(\d+);w=60$/.exec(headers.get('ratelimit-policy') ?? '') ?? [];
    const [, name, remaining] = /^"(\w+)";r=(\d+);t=60$/.exec(headers.get('ratelimit') ?? '') ?? [];
    expect(name, path).to.equal(policy);
    return `${name} ${Number(max) - Number(remaining)} of ${max}`;
  };

  it('count pages, suggestions and the interface of an address apart, the 404s of each with it', async () => {
    const asBrowser = { headers: { accept: 'text/html' } };
    const pages = ['/about', '/docs', '/nothing', '/politicians.csv', '/about/', '/robots.txt', '/favicon.ico'];
    for (const [at, path] of pages.entries())
      expect(await limitOf(path, asBrowser), path).to.equal(`pages ${at + 1} of 240`);
    const suggestions = ['/suggest?q=bru', '/suggest.json?q=bru', '/reconcile/suggest/entity?prefix=bru'];
    for (const [at, path] of suggestions.entries())
      expect(await limitOf(path), path).to.equal(`suggestions ${at + 1} of 600`);
    const others = ['/api/v1/parties', '/%61pi/v1/parties', '/reconcile', '/reconcile/none', '/openapi.json'];
    for (const [at, path] of others.entries()) expect(await limitOf(path), path).to.equal(`anonymous ${at + 1} of 60`);
  });

  it('refuse no pages for calls of the interface, and no calls for pages, unknown ones included', async () => {
    const statuses = async (path: string, count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, () => server.get(path)));
      return Object.groupBy(answers, ({ status }) => status);
    };
    expect((await statuses('/nothing', 250))[429]).to.have.length(10);
    expect((await server.get('/about', { headers: { accept: 'text/html' } })).status).to.equal(429);
    const refused = await server.get('/nothing', { headers: { accept: 'text/html', 'accept-language': 'fr' } });
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([429, '60']);
    expect(await refused.text()).to.include('<h1>Trop de requêtes</h1>');
    expect((await statuses('/openapi.json', 61))[429]).to.have.length(1);
    expect((await server.get('/api/v1/parties')).status).to.equal(429);
    expect((await server.get('/suggest.json?q=bru')).status).to.equal(200);
    expect((await server.get('/about', as(token))).status).to.equal(200);
    expect(await limitOf('/suggest.json?q=bru', as(token))).to.equal('viewer 2 of 600');
  });

  it('count a whole mirror by its megabytes, and cut none that has begun', async () => {
    const long = (from: number) =>
      Array.from({ length: 1000 }, (_, at) => ({ id: `p${from + at}`, text: 'x'.repeat(10_000) }));
    saveAll(server.writer, 'promise', long(0));
    const { length } = await (await server.get('/api/v1/mirror')).text();
    const after = await server.get('/api/v1/parties');
    const remaining = Number(/r=(\d+)/.exec(after.headers.get('ratelimit')!)![1]);
    expect(remaining).to.be.within(56 - length / 2 ** 20, 60 - length / 2 ** 20);
    for (let from = 1000; from < 6000; from += 1000) saveAll(server.writer, 'promise', long(from));
    expect(await (await server.get('/api/v1/mirror')).text()).to.match(/\{"end":\{"records":\d+\}\}\n$/);
    expect((await server.get('/api/v1/parties')).status).to.equal(429);
  });

  it('give a viewer 600, apart from those of the address', async () => {
    const viewer = await server.get('/api/v1/parties', as(token));
    expect(viewer.headers.get('ratelimit-policy')).to.equal('"viewer";q=600;w=60');
    expect(viewer.headers.get('ratelimit')).to.match(/^"viewer";r=599/);
    expect((await server.get('/api/v1/parties')).headers.get('ratelimit')).to.match(/^"anonymous";r=59/);
  });

  it('refuse a wrong token at the cost of the address', async () => {
    for (const headers of [as('wrong').headers, { authorization: 'Basic YTpi' }, { authorization: 'Bearer' }]) {
      const response = await server.get('/api/v1/parties', { headers });
      expect(response.status).to.equal(401);
      expect(response.headers.get('www-authenticate')).to.match(/^Bearer/);
      expect(await response.json()).to.include({ status: 401 });
    }
    expect((await server.get('/api/v1/parties')).headers.get('ratelimit')).to.match(/r=56/);
    for (let count = 0; count < 56; count += 1) await server.get('/api/v1/nothing', as('guess'));
    expect((await server.get('/api/v1/parties', as('guess'))).status).to.equal(429);
    expect((await server.get('/api/v1/parties', as(token))).status).to.equal(200);
  });

  it('can be switched off', async () => {
    const open = await startOther();
    for (let count = 0; count < 70; count += 1) {
      const response = await open.get('/api/v1/parties');
      expect(response.status).to.equal(200);
      expect(response.headers.has('ratelimit')).to.equal(false);
    }
  });

  const from = (...addresses: string[]) => ({ headers: { 'x-forwarded-for': addresses.join(', ') } });

  it('give a forged X-Forwarded-For no budget of its own', async () => {
    await server.get('/api/v1/parties', from('203.0.113.1'));
    const second = await server.get('/api/v1/parties', from('203.0.113.2'));
    expect(second.headers.get('ratelimit')).to.match(/r=58/);
  });

  it('believe a proxy that is trusted, and of its list what it added itself', async () => {
    const proxied = await startOther({ trustedProxies: ['127.0.0.1'] });
    const remainingRequests = async (...addresses: string[]) =>
      /r=(\d+)/.exec((await proxied.get('/api/v1/parties', from(...addresses))).headers.get('ratelimit')!)![1];
    expect(await remainingRequests('203.0.113.1')).to.equal('59');
    expect(await remainingRequests('203.0.113.2')).to.equal('59');
    expect(await remainingRequests('198.51.100.9', '203.0.113.2')).to.equal('58');
    expect(await remainingRequests('not an address')).to.equal('59');
    expect(await remainingRequests('nor this')).to.equal('58');
  });

  it('count a network of IPv6 as one caller, and the next network as another', async () => {
    const proxied = await startOther({ trustedProxies: ['127.0.0.1'] });
    const remainingRequests = async (address: string) =>
      /r=(\d+)/.exec((await proxied.get('/api/v1/parties', from(address))).headers.get('ratelimit')!)![1];
    expect(await remainingRequests('2001:db8:1:2::1')).to.equal('59');
    expect(await remainingRequests('2001:db8:1:2:ffff:ffff:ffff:ffff')).to.equal('58');
    expect(await remainingRequests('2001:DB8:1:2:0:0:0:9')).to.equal('57');
    expect(await remainingRequests('2001:db8:1:3::1')).to.equal('59');
    expect(await remainingRequests('::ffff:203.0.113.9')).to.equal('59');
    expect(await remainingRequests('::ffff:203.0.113.10')).to.equal('59');
    expect(await remainingRequests('203.0.113.9')).to.equal('58');
  });

  it('believe no header that comes past the proxy', async () => {
    const proxied = await startOther({ trustedProxies: ['10.0.0.0/8'] });
    await proxied.get('/api/v1/parties', from('203.0.113.1'));
    const second = await proxied.get('/api/v1/parties', from('203.0.113.2'));
    expect(second.headers.get('ratelimit')).to.match(/r=58/);
  });
});

describe('the network of a caller', () => {
  const networks: [address: string, network: string][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:8000::', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::', '2001:db8:1:3::/64'],
    ['no address', 'no address'],
  ];
  for (const [address, network] of networks)
    it(`of ${address} is ${network}`, () => {
      expect(networkOf(address)).to.equal(network);
    });
});

describe('the counter of requests', () => {
  it('counts callers apart, in minutes that begin with their first request', () => {
    let now = 1000;
    const counter = createRequestCounter(() => now);
    expect(counter.count('a')).to.deep.equal({ current: 1, ttl: 60_000 });
    now += 40_000;
    expect(counter.count('a')).to.deep.equal({ current: 2, ttl: 20_000 });
    expect(counter.count('b')).to.deep.equal({ current: 1, ttl: 60_000 });
    now += 20_001;
    expect(counter.count('a')).to.deep.equal({ current: 1, ttl: 60_000 });
    expect(counter.count('b')).to.deep.equal({ current: 2, ttl: 39_999 });
  });

  it('remembers at most 100,000 callers', () => {
    const counter = createRequestCounter();
    counter.count('the first');
    for (let caller = 0; caller < 100_000; caller += 1) counter.count(String(caller));
    expect(counter.count('the first').current).to.equal(1);
    expect(counter.count('99999').current).to.equal(2);
  });
});
