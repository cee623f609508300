import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect } from 'chai';
import { BadTargetError, ServiceAnswerError } from '../../../src/errors.ts';
import { createServiceClient } from '../../../src/service/client.ts';
import { createProxy, listeningServers } from '../../helpers/loopback-servers.ts';
import { runProgram } from '../../helpers/program.ts';
import { createImpatientClient } from '../../helpers/sync-run.ts';

const { listen, serve, closeAll } = listeningServers();

const failing = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => error as Error & { exit: number },
  );

describe('the network', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
  });
  afterEach(() => {
    closeAll();
    rmSync(folder, { recursive: true, force: true });
  });

  const encodings: [string, (text: string) => Buffer][] = [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ];
  for (const [name, compress] of encodings) {
    it(`brings answers that are compressed as ${name}, and sees where they end too early`, async () => {
      const whole = compress(JSON.stringify({ items: Array.from({ length: 900 }, (_, id) => ({ id })) }));
      const bodies = [whole.subarray(0, whole.length - 12), whole];
      const accepted: unknown[] = [];
      const baseUrl = await serve((request, response) => {
        accepted.push(request.headers['accept-encoding']);
        response.writeHead(200, { 'content-encoding': name }).end(bodies.shift() ?? whole);
      });
      const client = await createImpatientClient(baseUrl);
      const { body } = await client.getJson('/feed');
      expect((body as { items: unknown[] }).items.length).to.equal(900);
      expect(accepted.length).to.equal(2);
      expect(String(accepted[0])).to.include(name);
      await client.close();
    });
  }

  it('brings a body that is small only while it is compressed, and one that is long even so', async () => {
    const much = JSON.stringify({ items: [{ id: 'a'.repeat(5_000_000) }] });
    const digits = Array.from({ length: 40_000 }, (_, at) => Math.sin(at)).join();
    const bodies = [much, JSON.stringify({ items: [{ id: digits }] })];
    const lengths: number[] = [];
    const baseUrl = await serve((_request, response) => {
      const compressed = gzipSync(bodies[lengths.length]!);
      lengths.push(compressed.length);
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(compressed);
    });
    const client = await createImpatientClient(baseUrl, null, { limits: { maxJsonBytes: 2 ** 23 } });
    for (const body of bodies) expect(JSON.stringify((await client.getJson('/feed')).body) === body).to.equal(true);
    expect(lengths[0]).to.be.below(2 ** 16);
    expect(lengths[1]).to.be.above(2 ** 16);
    await client.close();
  });

  it('brings nothing that is compressed in a way nobody asked for', async () => {
    const baseUrl = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'compress' }).end('x'),
    );
    const client = await createImpatientClient(baseUrl);
    expect((await failing(client.getJson('/feed'))).message).to.include('compressed as "compress"');
    await client.close();
  });

  it('is asked with a name, a version and an address of the project', async () => {
    const agents: unknown[] = [];
    const baseUrl = await serve((request, response) => {
      agents.push(request.headers['user-agent']);
      response.writeHead(404).end();
    });
    const env = { HOME: folder, HEMICYCLE_BASE_URL: baseUrl };
    await runProgram(['vote', 'X1', '--source', 'service', '--db', join(folder, 'm.db')], { env });
    expect(agents[0]).to.match(/^hemicycle\/\d+\.\d+\.\d+ \(\+https:\/\/\S+\)$/);
  });

  it('is reached through the proxy that the environment names, except where it says not to', async () => {
    const tunnelled: (string | undefined)[] = [];
    const baseUrl = await serve((_request, response) => response.writeHead(404).end());
    const HTTP_PROXY = `http://127.0.0.1:${await listen(createProxy(tunnelled))}`;
    const ask = (more: Record<string, string>) =>
      runProgram(['vote', 'X1', '--source', 'service', '--db', join(folder, 'm.db')], {
        env: { HOME: folder, HEMICYCLE_BASE_URL: baseUrl, HTTP_PROXY, ...more },
      });
    expect((await ask({})).exit).to.equal(3);
    expect(tunnelled.length).to.equal(1);
    expect((await ask({ NO_PROXY: '127.0.0.1' })).exit).to.equal(3);
    expect(tunnelled.length).to.equal(1);
  });

  it('is trusted by the authorities of NODE_EXTRA_CA_CERTS, and not without, at the first try', async () => {
    const key = join(folder, 'key.pem');
    const cert = join(folder, 'cert.pem');
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
        ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert],
      ],
      { stdio: 'ignore' },
    );
    let connections = 0;
    const secure = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) =>
      response.writeHead(404).end(),
    );
    secure.on('connection', () => {
      connections += 1;
    });
    const env = { HOME: folder, HEMICYCLE_BASE_URL: `https://localhost:${await listen(secure)}/api/v1` };
    const argv = ['vote', 'X1', '--source', 'service', '--db', join(folder, 'm.db')];
    const distrusted = await runProgram(argv, { env });
    expect(distrusted.exit).to.equal(6);
    expect(distrusted.stderr).to.include('certificate is not trusted').and.include('NODE_EXTRA_CA_CERTS');
    expect(connections).to.equal(1);
    const trusted = await runProgram(argv, { env: { ...env, NODE_EXTRA_CA_CERTS: cert } });
    expect(trusted.exit, trusted.stderr).to.equal(3);
  });

  for (const proxy of ['http://user:proxy-pass-7@bad host', 'user:proxy-pass-7@proxy:3128', '127.0.0.1:3128']) {
    it(`is not looked for through a proxy called ${proxy}, whose password is not shown`, async () => {
      const env = { HOME: folder, HEMICYCLE_BASE_URL: 'https://service.example', HTTPS_PROXY: proxy };
      const argv = ['vote', 'X1', '--source', 'service', '--debug', '--db', join(folder, 'm.db')];
      const { exit, stdout, stderr } = await runProgram(argv, { env });
      expect(exit).to.equal(10);
      expect(stderr).to.include('HTTPS_PROXY');
      expect(stdout + stderr).not.to.include('proxy-pass');
    });
  }

  it('that asked for an hour is left alone for an hour, by the next run too', async () => {
    let requestCount = 0;
    const baseUrl = await serve((_request, response) => {
      requestCount += 1;
      response.writeHead(429, { 'retry-after': '3600' }).end('{}');
    });
    const env = { HOME: folder, HEMICYCLE_BASE_URL: baseUrl };
    for (const _each of [1, 2]) {
      const { exit, stderr } = await runProgram(['sync', '--quiet', '--db', join(folder, 'm.db')], { env });
      expect(exit).to.equal(7);
      expect(stderr).to.match(/retry in 3[56]\d\d s/);
    }
    expect(requestCount).to.equal(1);
  });

  it('is not asked again by what does not speak HTTP', async () => {
    const stranger = createSocketServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    const client = await createImpatientClient(`http://127.0.0.1:${await listen(stranger)}/api/v1`);
    expect(await failing(client.getJson('/feed')))
      .to.be.instanceOf(ServiceAnswerError)
      .with.property('exit', 5);
    expect(client.slept).to.deep.equal([]);
    await client.close();
  });

  it('lets an answer that is on its way arrive after the signal, and starts no other', async () => {
    const controller = new AbortController();
    let requestCount = 0;
    const baseUrl = await serve((_request, response) => {
      requestCount += 1;
      controller.abort(new Error('stop'));
      setImmediate(() => response.end('{"items":[]}'));
    });
    const client = await createServiceClient({
      baseUrl,
      token: null,
      authHeader: 'Authorization: Bearer {token}',
      userAgent: 'test',
      pace: { waitForSlot: async () => controller.signal.throwIfAborted(), pause: () => {} },
      now: Date.now,
      sleep: async () => {},
      signal: controller.signal,
    });
    expect((await client.getJson('/feed')).body).to.deep.equal({ items: [] });
    expect((await failing(client.getJson('/feed'))).message).to.equal('stop');
    expect(requestCount).to.equal(1);
    await client.close();
  });

  it('gives a file to a disk that refuses it only once', async () => {
    let requestCount = 0;
    const baseUrl = await serve((_request, response) => {
      requestCount += 1;
      response.end('a,b\n');
    });
    const client = await createImpatientClient(baseUrl);
    const to = { file: join(folder, 'no such folder', 'file'), validator: null };
    expect(await failing(client.download('/export/dataset', {}, to))).to.be.instanceOf(BadTargetError);
    expect(requestCount).to.equal(1);
    await client.close();
  });
});
