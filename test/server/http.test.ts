import { expect } from 'chai';
import { takeLock } from '../../src/store/lock.ts';
import { beginRun } from '../../src/store/syncs/runs.ts';
import { saveSubjects } from '../helpers/demo-subject.ts';
import { type DemoServer, saveAll, startDemoServer } from './demo-server.ts';

const paths = [
  '/api/v1/politicians?limit=2',
  '/api/v1/politicians/aicha-dunevive',
  '/api/v1/parties',
  '/api/v1/parties/union-des-clairieres',
  '/api/v1/search?q=port',
  '/api/v1/search/semantic?q=port',
  '/api/v1/feed',
  '/api/v1/votes/VAL1V7',
  '/api/v1/audit',
  '/api/v1/export/dataset?entity=parties',
  '/api/v1/export/dataset?entity=parties&format=parquet',
  '/openapi.json',
  '/docs',
  '/redoc',
  '/assets/icon.svg',
  '/',
];
const probes = ['/healthz', '/readyz', '/statusz'];

describe('HTTP', () => {
  let server: DemoServer;
  beforeEach(async () => {
    server = await startDemoServer();
  });
  afterEach(() => server.close());

  for (const path of paths) {
    it(`gives ${path} validators, and nothing again to who has it`, async () => {
      const first = await server.get(path);
      const etag = first.headers.get('etag')!;
      expect(first.status).to.equal(200);
      expect(etag).to.match(/^"[\w-]+"$/);
      expect(first.headers.get('cache-control')).to.equal('public, max-age=60, must-revalidate');
      expect(first.headers.get('vary')).to.match(/^(Accept(-Language)?, )?Accept-Encoding, Authorization$/);
      const via = '<https://transparence.example/>; rel="via"';
      const licence = '<https://opendatacommons.org/licenses/odbl/1-0/>; rel="license"';
      // The service states a licence for its dataset exports alone.
      const link = path.includes('/export/dataset') ? `${licence}, ${via}` : via;
      expect(first.headers.get('link')).to.equal(link);
      await first.arrayBuffer();
      for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await server.get(path, { headers: { 'if-none-match': tag } });
        expect(again.status, tag).to.equal(304);
        expect(again.headers.get('etag')).to.equal(etag);
        expect(again.headers.get('content-type')).to.equal(null);
        expect(await again.text()).to.equal('');
      }
      const other = await server.get(path, { headers: { 'if-none-match': '"other"' } });
      expect(other.status).to.equal(200);
      await other.arrayBuffer();
    });

    it(`answers HEAD ${path} as GET, without the body`, async () => {
      const headers = { 'accept-encoding': 'identity' };
      const [got, headAnswer] = await Promise.all([
        server.get(path, { headers }),
        server.get(path, { method: 'HEAD', headers }),
      ]);
      expect(headAnswer.status).to.equal(200);
      expect(headAnswer.headers.get('etag')).to.equal(got.headers.get('etag'));
      expect(headAnswer.headers.get('content-type')).to.equal(got.headers.get('content-type'));
      expect(await headAnswer.text()).to.equal('');
      const { byteLength } = await got.arrayBuffer();
      expect(headAnswer.headers.get('content-length')).to.be.oneOf([null, String(byteLength)]);
      const etag = got.headers.get('etag')!;
      const again = await server.get(path, {
        method: 'HEAD',
        headers: { ...headers, 'if-none-match': etag },
      });
      expect([again.status, again.headers.get('content-length')]).to.deep.equal([304, null]);
    });
  }

  for (const path of [...paths, ...probes]) {
    it(`is read-only at ${path}`, async () => {
      const options = await server.get(path, { method: 'OPTIONS' });
      expect(options.status).to.equal(204);
      expect(options.headers.get('allow')).to.equal('GET, HEAD, OPTIONS');
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
        const headers = { 'content-type': 'text/csv' };
        const body = 'a,b';
        const response = await server.get(path, { method, headers, body });
        expect(response.status, method).to.equal(405);
        expect(response.headers.get('allow')).to.equal('GET, HEAD, OPTIONS');
        expect(response.headers.get('content-type')).to.match(/^application\/problem\+json/);
        expect(await response.json()).to.include({ status: 405 });
      }
    });
  }

  it('dates answers by the last filling of the mirror', async () => {
    const response = await server.get('/api/v1/parties');
    expect(response.headers.get('last-modified')).to.equal('Sun, 01 Mar 2026 06:00:00 GMT');
    const since = (date: string) => server.get('/api/v1/parties', { headers: { 'if-modified-since': date } });
    expect((await since('Sun, 01 Mar 2026 06:00:00 GMT')).status).to.equal(304);
    expect((await since('Sun, 01 Mar 2026 05:59:59 GMT')).status).to.equal(200);
    expect((await since('yesterday')).status).to.equal(200);
    const described = await server.get('/openapi.json');
    expect(described.headers.get('last-modified')).to.equal('Sun, 01 Mar 2026 06:00:00 GMT');
    const dated = await server.get('/openapi.json', {
      headers: { 'if-modified-since': described.headers.get('last-modified')! },
    });
    expect(dated.status).to.equal(200);
  });

  it('never answers 304 for what a sync has changed, finished or not', async () => {
    const first = await server.get('/api/v1/parties');
    const etag = first.headers.get('etag')!;
    const date = first.headers.get('last-modified')!;
    saveAll(server.writer, 'party', [{ slug: 'parti-neuf', name: 'Parti neuf' }]);
    const byTag = await server.get('/api/v1/parties', { headers: { 'if-none-match': etag } });
    const byDate = await server.get('/api/v1/parties', { headers: { 'if-modified-since': date } });
    expect([byTag.status, byDate.status]).to.deep.equal([200, 200]);
    expect(byTag.headers.get('etag')).not.to.equal(etag);
  });

  it('never answers 304 for what the edit of a subject has changed', async () => {
    await saveSubjects(server.mirror.path, { veille: ['word: phare'] });
    const path = '/api/v1/ballots?subject=veille';
    const first = await server.get(path);
    await saveSubjects(server.mirror.path, { veille: ['word: retraites'] });
    for (const [name, validator] of Object.entries({ 'if-none-match': 'etag', 'if-modified-since': 'last-modified' })) {
      const headers = { [name]: first.headers.get(validator)! };
      expect((await server.get(path, { headers })).status, name).to.equal(200);
    }
  });

  it('gives the same tag to every spelling of one question, and another to another', async () => {
    const tag = async (path: string) => (await server.get(path)).headers.get('etag');
    const plain = await tag('/api/v1/politicians');
    expect(await tag('/api/v1/politicians?limit=20&sort=name&ignored=1')).to.equal(plain);
    expect(await tag('/api/v1/politicians?limit=21')).not.to.equal(plain);
  });

  it('lets pages of any origin read', async () => {
    const response = await server.get('/api/v1/nothing');
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    const preflight = await server.get('/api/v1/feed', { method: 'OPTIONS' });
    expect(preflight.headers.get('access-control-allow-headers')).to.include('Authorization');
  });

  it('lets no page of another origin read the state of this machine, however it is asked for', async () => {
    const crossing = ({ headers }: Response) =>
      [...headers.keys()].filter((name) => name.startsWith('access-control-'));
    for (const path of ['/statusz', '/%73tatusz', '/statusz?_=1']) {
      const answer = await server.get(path);
      expect([answer.status, crossing(answer)], path).to.deep.equal([200, []]);
    }
    for (const method of ['HEAD', 'OPTIONS', 'POST'])
      expect(crossing(await server.get('/statusz', { method })), method).to.deep.equal([]);
  });

  it('answers 404 to any method where there is nothing', async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
      expect((await server.get('/nothing', { method })).status).to.equal(404);
    }
  });

  it('refuses addresses that are too long or not percent-encoded', async () => {
    expect((await server.get(`/api/v1/search?q=${'a'.repeat(8192)}`)).status).to.equal(414);
    expect((await server.get(`/api/v1/search?q=${'a'.repeat(20_000)}`)).status).to.equal(431);
    const malformed = await server.raw('GET /api/v1/politicians/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(malformed).to.match(/^HTTP\/1\.1 400 .*application\/problem\+json/s);
  });

  for (const [what, line] of [
    ['letters beyond ASCII', 'GET /api/v1/search?q=\u00e9lus HTTP/1.1'],
    ['such letters in a path', 'GET /api/v1/parties/\u00e9lus HTTP/1.1'],
    ['spaces', 'GET /api/v1/search?q=deux mots HTTP/1.1'],
  ]) {
    it(`says that an address with ${what} must be percent-encoded`, async () => {
      const answer = await server.raw(`${line}\r\nHost: localhost\r\n\r\n`);
      expect(answer).to.match(/^HTTP\/1\.1 400 /);
      expect(answer).to.match(/application\/problem\+json.*must be percent-encoded UTF-8: %C3%A9 for/s);
    });
  }

  it('refuses a request that names several hosts, or none, also where the answer is known', async () => {
    const path = '/api/v1/parties?limit=1';
    await (await server.get(path)).text();
    const ask = (hosts: string, version = '1.1') =>
      server.raw(`GET ${path} HTTP/${version}\r\n${hosts}Connection: close\r\n\r\n`);
    for (const hosts of ['Host: a\r\nHost: b\r\n', 'host: a\r\nX-A: b\r\nHOST: a\r\n', '']) {
      const answer = await ask(hosts);
      expect(answer, hosts).to.match(/^HTTP\/1\.1 400 .*access-control-allow-origin: \*/is);
      expect(answer, hosts).to.match(/application\/problem\+json.*must have one Host header/s);
    }
    expect(await ask('Host: a\r\n')).to.match(/^HTTP\/1\.1 200 /);
    expect(await ask('', '1.0')).to.match(/^HTTP\/1\.1 200 /);
  });

  it('lets pages of any origin read what the parser refuses, and gives HEAD no body', async () => {
    const long = `X-Long: ${'a'.repeat(20_000)}`;
    const requests: [status: number, request: string][] = [
      [400, 'GET /\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n'],
      [400, 'HEAD /\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n'],
      [431, `GET / HTTP/1.1\r\nHost: a\r\n${long}\r\n\r\n`],
      [431, `HEAD / HTTP/1.1\r\nHost: a\r\n${long}\r\n\r\n`],
    ];
    for (const [status, request] of requests) {
      const [head = '', body = ''] = (await server.raw(request)).split('\r\n\r\n');
      expect(head).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(head).to.match(/^access-control-allow-origin: \*$/im);
      expect(head).to.match(/^content-type: application\/problem\+json/im);
      expect(head).to.match(/^content-length: [1-9]\d*$/im);
      if (request.startsWith('HEAD')) expect(body).to.equal('');
      else expect(JSON.parse(body)).to.include({ status });
    }
  });

  it('sends who writes a slash behind the path of a page to that page', async () => {
    for (const path of ['/docs', '/redoc', '/openapi.json', '/healthz', '/statusz']) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await server.get(`${path}/?a=1`, { method, redirect: 'manual' });
        expect([answer.status, answer.headers.get('location')]).to.deep.equal([308, `${path}?a=1`]);
      }
      expect((await server.get(`${path}//`)).status).to.equal(200);
    }
    for (const path of ['/politicians', '/politicians/oceane-bruyevre', '/votes/AN/VAL1V4']) {
      const answer = await server.get(`${path}/?lang=fr`, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).to.deep.equal([308, `${path}?lang=fr`]);
    }
    for (const path of ['//docs/', '//', '/nothing/', '/assets/', '/docs/x/y/', '//host.example/'])
      expect((await server.get(path)).status, path).to.equal(404);
  });

  it('refuses methods that Node does not know as it refuses others, and expectations of nobody are overlooked', async () => {
    const path = '/api/v1/parties';
    for (const [method, target] of [
      ['BREW', path],
      ['get', path],
      ['CONNECT', 'a:80'],
    ]) {
      const answer = await server.raw(`${method} ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expect(answer, method).to.match(/^HTTP\/1\.1 405 .*application\/problem\+json.*"status":405/s);
      expect(answer, method).to.match(/^allow: GET, HEAD, OPTIONS\r$/im);
    }
    const expecting = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nExpect: more\r\nConnection: close\r\n\r\n`;
    expect(await server.raw(expecting)).to.match(/^HTTP\/1\.1 200 /);
  });

  it('answers a problem to what is not HTTP', async () => {
    expect(await server.raw('hello\r\n\r\n')).to.match(/^HTTP\/1\.1 400 .*application\/problem\+json.*not valid HTTP/s);
  });
});

describe('the state of the server', () => {
  let server: DemoServer;
  afterEach(() => server.close());

  it('tells what the mirror holds and how old it is', async () => {
    server = await startDemoServer({ clock: () => Date.parse('2026-03-01T07:00:00Z') });
    await server.get('/api/v1/politicians');
    const response = await server.get('/statusz');
    const status = (await response.json()) as { kinds: { kind: string; records: number }[] };
    expect(response.headers.get('cache-control')).to.equal('no-store');
    expect(status).to.include({
      age_seconds: 3600,
      last_synced: '2026-03-01T06:00:00.000Z',
      sync_running: false,
    });
    expect(status).to.have.property('mirror_version', 10);
    expect(status.kinds).to.have.length(10);
    expect(status.kinds[0]).to.include({ kind: 'politician', records: 50 });
  });

  it('tells a running sync from one that was killed', async () => {
    server = await startDemoServer();
    const isRunning = async () =>
      ((await (await server.get('/statusz')).json()) as { sync_running: boolean }).sync_running;
    const lock = await takeLock(server.mirror.path, { sleep: async () => {} });
    expect(await isRunning()).to.equal(false);
    beginRun(server.writer, 'https://transparence.example/api/v1', '2026-03-02T06:00:00Z');
    expect(await isRunning()).to.equal(true);
    lock.close();
    expect(await isRunning()).to.equal(false);
  });

  it('is alive but not ready without records', async () => {
    server = await startDemoServer({ empty: true });
    expect((await server.get('/healthz')).status).to.equal(200);
    expect((await server.get('/readyz')).status).to.equal(503);
    expect(await (await server.get('/api/v1/feed')).json()).to.deep.equal({
      items: [],
      total: 0,
      next_cursor: null,
    });
    saveAll(server.writer, 'party', [{ slug: 'parti-neuf', name: 'Parti neuf' }]);
    expect((await server.get('/readyz')).status).to.equal(200);
  });

  it('says nothing of its inside when it fails', async () => {
    server = await startDemoServer();
    server.writer.database.exec('DROP TABLE record');
    const response = await server.get('/api/v1/politicians');
    const body = await response.text();
    expect(response.status).to.be.oneOf([500, 503]);
    expect(body).not.to.match(/SELECT|record|\.ts|\/tmp|SQLITE/i);
    expect(server.failures).to.have.length(1);
  });
});
