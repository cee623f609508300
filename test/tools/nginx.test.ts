import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { guidePage } from '../docs/guide.ts';
import { askPlainly, type DemoServer, startDemoServer } from '../server/demo-server.ts';
import { watchPromises } from '../server/promise-watch.ts';

/** The blocks for nginx that the guide has. */
const [serverBlock, locationBlock, upstreamBlock] = [
  ...`${guidePage('proxy')}${guidePage('scale')}`.matchAll(/```nginx\n([\s\S]*?)```/g),
].map(([, block]) => block!);

const forged = {
  host: 'data.example',
  'x-forwarded-host': 'evil.example',
  forwarded: 'for=192.0.2.9;host=evil.example;proto=https',
  'x-forwarded-proto': 'https',
};

describe('nginx in front of a server', () => {
  let folder: string;
  let server: DemoServer;
  let front: string;
  const nginx = (...words: string[]) =>
    spawnSync('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), ...words], { encoding: 'utf8' });
  before(function () {
    if (spawnSync('nginx', ['-v']).error) this.skip();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-nginx-'));
  });
  afterEach(async () => {
    nginx('-s', 'stop');
    await server.close();
    rmSync(folder, { recursive: true });
  });

  /** Starts nginx with that configuration of `http`; it listens when this returns. */
  async function start(http: string): Promise<void> {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    front = `http://127.0.0.1:${port}`;
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const httpConfig = http
      .replace(/listen 80;/, `listen 127.0.0.1:${port};`)
      .replaceAll(/127\.0\.0\.1:8000/g, new URL(server.url).host);
    writeFileSync(
      join(folder, 'nginx.conf'),
      `${process.getuid?.() === 0 ? 'user root;' : ''} pid ${folder}/pid; error_log ${folder}/error.log;
       events {} http { access_log off; ${temporary.join(' ')} ${httpConfig} }`,
    );
    const { status, stderr } = nginx();
    expect(status, stderr).to.equal(0);
  }
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const { status, headers: answered, bytes } = await askPlainly(front + path, { ...forged, ...headers });
    return { status, limit: String(answered.ratelimit), text: bytes.toString() };
  };
  const trusted = { trustedProxies: ['127.0.0.1'], allowedHosts: ['data.example'], rateLimit: true };

  for (const [name, http] of [
    ['as the guide has it', () => serverBlock!],
    [
      'for several servers',
      () =>
        upstreamBlock!.replaceAll(/10\.0\.0\.1[12]:8000/g, '127.0.0.1:8000') +
        serverBlock!.replace('http://127.0.0.1:8000', 'http://hemicycle'),
    ],
  ] as const)
    it(`passes nothing on that callers claim of themselves, ${name}`, async () => {
      server = await startDemoServer({ settings: trusted });
      await start(http());
      const page = await ask('/votes/AN/VAL1V4', { accept: 'text/html' });
      expect(page.text).to.include('http://data.example/embed/').and.not.include('evil.example');
      const limits = [];
      for (const caller of ['192.0.2.1', '192.0.2.2'])
        limits.push((await ask('/api/v1/parties', { 'x-forwarded-for': caller })).limit.split(';')[1]);
      // One caller by its own address; the page before counts in the limit of pages.
      expect(limits).to.deep.equal(['r=59', 'r=58']);
      expect((await ask('/', { host: 'evil.example' })).text).to.not.include('http://evil.example');
    });

  it('publishes no watches and no metrics, without a word of itself in front of them either', async () => {
    server = await startDemoServer({ settings: { allowedHosts: [] } });
    await watchPromises(server);
    await start('server { listen 80; location / { proxy_pass http://127.0.0.1:8000; } }');
    for (const path of ['/watches', '/watches/promesses.atom', '/metrics'])
      expect((await ask(path)).status, path).to.equal(404);
    expect((await ask('/statusz')).status).to.equal(200);
    expect((await ask('/statusz', { origin: 'https://elsewhere.example' })).status).to.equal(403);
  });

  it('makes a server known below a path, as the guide has it', async () => {
    server = await startDemoServer({ settings: { ...trusted, basePath: '/hemicycle' } });
    await start(`server { listen 80; ${locationBlock} }`);
    const { text } = await ask('/hemicycle/votes/AN/VAL1V4', { accept: 'text/html' });
    expect(text).to.include('http://data.example/hemicycle/embed/').and.not.include('evil.example');
  });
});
