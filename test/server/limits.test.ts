import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { createApp } from '../../src/server/app.ts';
import { SlidingLog } from '../../src/server/sliding-log.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';

const token = 'a-token-of-the-demo';
const viewerTokenHashes = [createHash('sha256').update(token).digest('hex')];
const as = (given: string) => ({ headers: { authorization: `Bearer ${given}` } });

describe('limits', () => {
  let server: DemoServer;
  let now = 0;
  beforeEach(async () => {
    now = 1_000_000;
    server = await startDemoServer({ settings: { rateLimit: true, viewerTokenHashes }, clock: () => now });
  });
  afterEach(() => server.close());

  it('admit 60 requests of an address, then say how long to wait, and keep that promise', async () => {
    for (let left = 59; left >= 0; left -= 1) {
      const response = await server.get('/api/v1/parties');
      expect(response.status).to.equal(200);
      expect(response.headers.get('ratelimit-policy')).to.equal('"anonymous";q=60;w=60');
      expect(response.headers.get('ratelimit')).to.match(new RegExp(`^"anonymous";r=${left};t=6[01]$`));
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

  it('count unknown paths, bad parameters and 304s, but no probes and no OPTIONS', async () => {
    for (const path of ['/api/v1/nothing', '/api/v1/feed?limit=0', '/api/v1/votes/none'])
      await server.get(path);
    for (const path of ['/healthz', '/readyz', '/statusz', '/', '/openapi.json']) {
      expect((await server.get(path)).headers.has('ratelimit')).to.equal(false);
    }
    await server.get('/api/v1/feed', { method: 'OPTIONS' });
    const response = await server.get('/api/v1/parties', { headers: { 'if-none-match': '*' } });
    expect(response.status).to.equal(304);
    expect(response.headers.get('ratelimit')).to.match(/r=56/);
  });

  it('give a viewer 600, apart from those of the address', async () => {
    const viewer = await server.get('/api/v1/parties', as(token));
    expect(viewer.headers.get('ratelimit-policy')).to.equal('"viewer";q=600;w=60');
    expect(viewer.headers.get('ratelimit')).to.match(/^"viewer";r=599/);
    expect((await server.get('/api/v1/parties')).headers.get('ratelimit')).to.match(/^"anonymous";r=59/);
  });

  it('refuse a wrong token at the cost of the address', async () => {
    for (const headers of [
      as('wrong').headers,
      { authorization: 'Basic YTpi' },
      { authorization: 'Bearer' },
    ]) {
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
    const open = await startDemoServer();
    for (let count = 0; count < 70; count += 1) {
      const response = await open.get('/api/v1/parties');
      expect(response.status).to.equal(200);
      expect(response.headers.has('ratelimit')).to.equal(false);
    }
    await open.close();
  });

  it('refuse a token list that holds no hashes', async () => {
    const settings = { citation: { name: 'V', siteUrl: null }, rateLimit: true, semantic: false };
    let message = '';
    await createApp({ mirror: server.mirror, settings: { ...settings, viewerTokenHashes: [token] } }).catch(
      (error: Error) => {
        message = error.message;
      },
    );
    expect(message).to.match(/64 hexadecimal/);
    expect(message).not.to.include(token);
  });
});

describe('SlidingLog', () => {
  const ask = (log: SlidingLog, key: string, max = 60) => {
    let admitted = false;
    log.incr(key, (_error, result) => (admitted = result!.current <= max), 60_000, max);
    return admitted;
  };

  it('never admits more than 60 in any window of a minute, however the requests come', () => {
    let now = 0;
    let seed = 7;
    const random = () => {
      seed = (seed * 48271) % 2147483647;
      return seed / 2147483647;
    };
    const log = new SlidingLog(() => now);
    const admitted: number[] = [];
    for (let count = 0; count < 50_000; count += 1) {
      now += random() < 0.002 ? 45_000 * random() : random() < 0.5 ? 0 : 120 * random();
      if (ask(log, 'a')) admitted.push(now);
    }
    let most = 0;
    for (let first = 0, last = 0; last < admitted.length; last += 1) {
      while (admitted[last]! - admitted[first]! > 60_000) first += 1;
      most = Math.max(most, last - first + 1);
    }
    expect(most).to.equal(60);
    expect(admitted.length).to.be.greaterThan(1000);
  });

  it('admits 60 again after a minute of silence', () => {
    let now = 0;
    const log = new SlidingLog(() => now);
    const burst = () => Array.from({ length: 100 }, () => ask(log, 'a')).filter(Boolean).length;
    expect(burst()).to.equal(60);
    now += 60_001;
    expect(burst()).to.equal(60);
  });

  it('forgets callers who are quiet, and never remembers more than 100,000', () => {
    let now = 0;
    const log = new SlidingLog(() => now);
    for (let caller = 0; caller < 100_500; caller += 1) ask(log, String(caller));
    expect(log.size).to.equal(100_000);
    now += 60_001;
    ask(log, 'a');
    expect(log.size).to.equal(1);
  });
});
