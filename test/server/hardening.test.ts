import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { closeGracefully } from '../../src/server/run/serve.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';

describe('a server that is asked by name', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer({ settings: { allowedHosts: ['data.example'] } });
  });
  after(() => server.close());
  const askedAs = async (host: string, path = '/api/v1/parties') =>
    /^HTTP\/1\.1 (\d+)/.exec(
      await server.raw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    )![1];

  for (const host of [
    'localhost',
    'localhost:8000',
    '127.0.0.1:8000',
    '127.1.2.3',
    '[::1]:8000',
    'a.localhost',
    'data.example',
    'DATA.example:443',
  ]) {
    it(`answers as ${host}`, async () => {
      expect(await askedAs(host)).to.equal('200');
    });
  }

  for (const host of [
    'rebound.example',
    'localhost.rebound.example',
    '127.0.0.1.rebound.example',
    '192.0.2.1',
    'data.example.rebound.example',
    'rebound.example/x?.localhost',
    'rebound.example#.localhost',
    'user@localhost',
  ]) {
    it(`answers nothing as ${host}, on any path`, async () => {
      for (const path of ['/api/v1/parties', '/statusz', '/', '/nothing']) {
        expect(await askedAs(host, path)).to.equal('421');
      }
    });
  }
});

describe('the origin that answers state', () => {
  let server: DemoServer;
  afterEach(() => server.close());
  const pathsWithAddresses = ['/votes/AN/VAL1V4', '/votes.atom', '/oembed.json', '/catalog.jsonld'];

  for (const trustedProxies of [undefined, ['127.0.0.1']])
    it(`is that of Host, whatever others claim, with ${trustedProxies ? 'a trusted proxy' : 'no proxy'}`, async () => {
      const allowedHosts = ['data.example'];
      server = await startDemoServer({
        settings: { allowedHosts, ...(trustedProxies && { trustedProxies }) },
      });
      for (const path of pathsWithAddresses)
        for (const scheme of ['https', 'javascript', 'http, https', '']) {
          const answer = await server.raw(
            [
              `GET ${path} HTTP/1.1`,
              'Host: data.example',
              'Accept: text/html',
              'X-Forwarded-Host: evil.example',
              'Forwarded: host=evil.example;proto=https',
              `X-Forwarded-Proto: ${scheme}`,
              'Connection: close\r\n\r\n',
            ].join('\r\n'),
          );
          const isSecure = trustedProxies !== undefined && scheme.endsWith('https');
          expect(answer, `${path} ${scheme}`)
            .to.match(/^HTTP\/1\.1 200 /)
            .and.include(isSecure ? 'https://data.example/' : 'http://data.example/')
            .and.not.match(/evil\.example|javascript:/);
        }
    });
});

describe('a server within its bounds', () => {
  let server: DemoServer;
  afterEach(() => server.close());

  it('closes connections beyond the number that it may hold', async () => {
    server = await startDemoServer({ bounds: { connections: 2 } });
    const port = Number(new URL(server.url).port);
    const heldSockets = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    await Promise.all(heldSockets.map((socket) => once(socket, 'connect')));
    const third = connect(port, '127.0.0.1');
    third.on('error', () => {});
    third.resume();
    await once(third, 'close');
    for (const socket of heldSockets) socket.destroy();
  });

  it('closes the longest idle connections of one address beyond its number, and answers whoever asks', async () => {
    server = await startDemoServer({ bounds: { connectionsPerAddress: 3 } });
    const other = await openConnection(server, '127.0.0.2');
    const silent = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {});
    await once(silent, 'connect');
    const first = await openConnection(server);
    const second = await openConnection(server);
    const third = await openConnection(server);
    await closeOf(silent);
    second!.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(second!, 'data');
    const fourth = await openConnection(server);
    await closeOf(first!);
    const fifth = await openConnection(server);
    await closeOf(third!);
    expect([other, second, fourth, fifth].map((each) => each?.destroyed)).to.deep.equal(Array(4).fill(false));
    expect(server.failures, 'said once').to.have.length(1);
    expect(String(server.failures[0])).to.match(/one address opened more than 3 connections/);
    for (const connection of [other, second, fourth, fifth]) connection!.destroy();
  });

  it('closes none of one address that it is answering', async () => {
    server = await startDemoServer({ bounds: { connectionsPerAddress: 1 } });
    const busy = connect(Number(new URL(server.url).port), '127.0.0.1');
    const head = ['POST /reconcile HTTP/1.1', 'Host: a', 'Content-Length: 10', 'Expect: 100-continue'];
    busy.write(`${head.join('\r\n')}\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n`);
    expect(String((await once(busy, 'data'))[0])).to.match(/^HTTP\/1\.1 100 /);
    expect(await openConnection(server)).to.equal(null);
    busy.write('queries={}');
    expect(String((await once(busy, 'data'))[0])).to.match(/^HTTP\/1\.1 200 /);
    expect(await openConnection(server)).not.to.equal(null);
    await closeOf(busy);
  });

  for (const trustedProxies of [['127.0.0.1'], ['10.0.0.0/8', '127.0.0.0/8'], ['::ffff:127.0.0.1']]) {
    it(`lets a proxy that is trusted (${trustedProxies}) hold as many as all`, async () => {
      server = await startDemoServer({ settings: { trustedProxies }, bounds: { connectionsPerAddress: 1 } });
      const heldConnections = await Promise.all(Array.from({ length: 5 }, () => openConnection(server)));
      expect(heldConnections).not.to.include(null);
      for (const connection of heldConnections) connection?.destroy();
    });
  }

  it('closes a connection whose headers never end', async () => {
    server = await startDemoServer({ bounds: { headersMs: 100, requestMs: 200 } });
    expect(await server.raw('GET /api/v1/parties HTTP/1.1\r\nHost: a\r\nX-Slow: ')).to.match(
      /^HTTP\/1\.1 408 .*access-control-allow-origin: \*.*took too long/is,
    );
  });

  it('refuses headers that are too long', async () => {
    server = await startDemoServer({ bounds: { headerBytes: 1000 } });
    const answer = await server.raw(
      `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(2000)}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).to.match(/^HTTP\/1\.1 431 .*problem\+json/s);
  });
});

/** Comes back once the server has closed that connection. */
const closeOf = (socket: Socket) => (socket.closed ? undefined : once(socket.resume(), 'close'));

/** A connection that was answered and is kept, or null if it was closed. */
async function openConnection(server: DemoServer, localAddress = '127.0.0.1'): Promise<Socket | null> {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  const answered = once(socket, 'data').then(() => socket);
  const closed = new Promise<null>((resolve) => socket.once('close', () => resolve(null)));
  return Promise.race([answered.catch(() => closed), closed]);
}

describe('a server that is to end', () => {
  it('finishes what it is answering and takes nothing new', async () => {
    let finish = () => {};
    const released = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let onStart = () => {};
    const isAsked = new Promise<void>((resolve) => {
      onStart = resolve;
    });
    const server = await startDemoServer({
      extend: (app) =>
        app.get('/slow', async () => {
          onStart();
          await released;
          return { finished: true };
        }),
    });
    const answer = server.get('/slow');
    await isAsked;
    const closed = closeGracefully(server.app, 60_000);
    while (server.app.server.listening) await sleep(1);
    const refused = await server.get('/healthz').catch((error: Error) => error.cause);
    expect(refused).to.include({ code: 'ECONNREFUSED' });
    finish();
    expect(await (await answer).json()).to.deep.equal({ finished: true });
    await closed;
    await server.close();
  });

  it('cuts what does not finish in the time it is given', async () => {
    let onStart = () => {};
    const isAsked = new Promise<void>((resolve) => {
      onStart = resolve;
    });
    const server = await startDemoServer({
      extend: (app) =>
        app.get('/never', () => {
          onStart();
          return new Promise(() => {});
        }),
    });
    const answer = server.get('/never').catch((error: Error) => error);
    await isAsked;
    await closeGracefully(server.app, 20);
    expect(await answer).to.be.instanceOf(Error);
    await server.close();
  });
});
