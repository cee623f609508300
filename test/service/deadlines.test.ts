import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createPlainServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { EnvHttpProxyAgent } from 'undici';
import { type HemicycleError, type NetworkError, ServiceAnswerError } from '../../src/errors.ts';
import { collectBytes, limitBody } from '../../src/service/body.ts';
import { defaultLimits } from '../../src/service/options.ts';
import { createTransport } from '../../src/service/transport.ts';
import { createImpatientClient } from '../helpers/sync-run.ts';

describe('the end of a client', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  const origin = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  for (const [what, size] of [
    ['a short', 1000],
    ['a long', 64_000],
    ['a longer', 190_000],
  ] as const) {
    it(`does not wait for ${what} body in an encoding that nobody knows`, async () => {
      const baseUrl = await origin((_request, response) =>
        response.writeHead(200, { 'content-encoding': 'lzma' }).end(Buffer.alloc(size, 7)),
      );
      const client = await createImpatientClient(baseUrl, null, { limits: { attempts: 1 } });
      const error = await client.getJson('/feed').then(null, (refused) => refused);
      expect((error as Error).message).to.include('compressed as "lzma"');
      await client.close();
    });
  }

  it('does not wait for a refusal in an encoding that nobody knows, which refuses as well', async () => {
    const baseUrl = await origin((_request, response) =>
      response.writeHead(403, { 'content-encoding': 'lzma' }).end(Buffer.alloc(100_000, 7)),
    );
    const client = await createImpatientClient(baseUrl);
    const error = await client.getJson('/feed').then(null, (refused) => refused);
    expect((error as HemicycleError).code).to.equal('AUTHENTICATION');
    await client.close();
  });

  it('does not wait for the body of a redirect or of a part that never ends', async () => {
    const baseUrl = await origin((request, response) => {
      const status = request.url === '/there' ? 206 : 302;
      response.writeHead(status, { location: '/there', 'content-type': 'text/plain' });
      const fill = () => void (response.write(Buffer.alloc(16_384)) && setImmediate(fill));
      response.on('drain', fill);
      fill();
    });
    const client = await createImpatientClient(baseUrl);
    const error = await client.getJson('/here').then(null, (refused) => refused);
    expect((error as Error).message).to.include('206');
    await client.close();
  });
});

describe('an answer that does not come', () => {
  const impatient = { connectTimeoutMs: 500, headersTimeoutMs: 200, attempts: 1 };
  async function failing(speak: (socket: Socket) => void, options: Parameters<typeof createImpatientClient>[2]) {
    const sockets = new Set<Socket>();
    const server = createPlainServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      speak(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = await createImpatientClient(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      null,
      options,
    );
    const error = await client.getJson('/feed').then(null, (refused) => refused);
    await client.close();
    for (const socket of sockets) socket.destroy();
    server.close();
    return error as NetworkError;
  }
  const drip = (socket: Socket, text: () => string) => {
    const timer = setInterval(() => socket.write(text()), 30);
    socket.once('close', () => clearInterval(timer));
  };

  it('is given up where its headers never end', async () => {
    const error = await failing(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        drip(socket, () => 'x-more: 1\r\n');
      },
      { limits: impatient },
    );
    expect([error.exit, error.isOfAddress]).to.deep.equal([6, true]);
  });

  it('is given up where it is announced for ever', async () => {
    const error = await failing((socket) => drip(socket, () => 'HTTP/1.1 103 Early Hints\r\n\r\n'), {
      limits: impatient,
    });
    expect([error.exit, error.isOfAddress]).to.deep.equal([6, true]);
  });

  it('is given up where it drips for longer than a whole answer may take', async () => {
    const error = await failing(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n[');
        drip(socket, () => ' ');
      },
      { limits: { attempts: 1, totalJsonMs: 1000 } },
    );
    expect(error.message).to.include('the whole answer took too long');
    expect(error.isOfAddress).to.equal(true);
  });

  it('is given up where it comes with a few bytes a second, as an answer that no retry mends', async () => {
    async function* drips() {
      for (;;) yield await new Promise<Uint8Array>((resolve) => setTimeout(() => resolve(Buffer.from(' ')), 20));
    }
    const tally = { requests: 0, byStatus: {}, bytes: 0, waitedMs: 0, excess: [] };
    const body = limitBody({ body: drips }, { url: 'https://service.example', maxBytes: 1000, tally, rateAfterMs: 50 });
    const error = await collectBytes(body).then(null, (refused) => refused);
    expect(error).to.be.instanceOf(ServiceAnswerError);
    expect(error.message).to.include('less than 200 bytes a second');
    expect(tally.bytes).to.be.below(10);
  });

  it('is given up where a proxy takes the request and never says whether it connects', async () => {
    const sockets: Socket[] = [];
    const proxy = createPlainServer((socket) => sockets.push(socket.on('error', () => {})));
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const uri = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const agent = new EnvHttpProxyAgent({ httpProxy: uri, httpsProxy: uri, noProxy: '' });
    const { follow } = await createTransport({
      baseUrl: 'https://service.example',
      token: null,
      authHeader: 'Authorization: {token}',
      userAgent: 'hemicycle-test',
      pace: { waitForSlot: async () => {}, pause: () => {} },
      agentFor: async () => agent,
      tally: { requests: 0, byStatus: {}, bytes: 0, waitedMs: 0, excess: [] },
      limits: { ...defaultLimits, ...impatient },
    });
    for (const url of ['https://service.example/feed', 'http://service.example/feed']) {
      const error = await follow(url, { validator: null, totalMs: 60_000 }).then(null, (failed) => failed);
      expect([(error as Error).name, url]).to.deep.equal(['TimeoutError', url]);
    }
    expect(sockets.length).to.be.greaterThan(0);
    await agent.destroy();
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
});
