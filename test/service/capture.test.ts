import { createServer, type RequestListener } from 'node:http';
import { createServer as createPlainServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type Capture, type CaptureOptions, captureAddresses } from '../../src/service/capture.ts';
import { listeningServers } from '../helpers/loopback-servers.ts';

const nowMs = Date.parse('2026-11-22T10:00:00Z');

describe('captures of web addresses', () => {
  const servers = listeningServers();
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    servers.closeAll();
  });

  const ask = (addresses: string[], more: Partial<CaptureOptions> = {}) =>
    captureAddresses(addresses, {
      ...{ userAgent: 'hemicycle-test', now: () => nowMs, sleep: async () => {} },
      ...{ baseUrl: null, pace: { waitForSlot: async () => {}, pause: () => {} }, isPrivate: true, ...more },
    });
  const one = async (address: string, more: Partial<CaptureOptions> = {}) => (await ask([address], more))[0]!;
  const serve = async (listener: RequestListener, host = '127.0.0.1') =>
    `http://${host}:${await servers.listen(createServer(listener))}`;
  /** A server that says what it likes once it was asked. */
  async function serveBytes(speak: (socket: Socket, request: string) => void): Promise<string> {
    const server = createPlainServer((socket) => {
      sockets.push(socket.on('error', () => {}));
      socket.once('data', (request) => speak(socket, request.toString('latin1')));
    });
    return `http://127.0.0.1:${await servers.listen(server)}`;
  }
  const captureFacts = ({ response, redirectsTo, reason }: Capture) => [
    response?.status ?? null,
    redirectsTo,
    reason && `${reason}`,
  ];

  it('hold the request as it was sent, and status, headers and bytes as they came', async () => {
    let request = '';
    const head = 'HTTP/1.1 404 Pas  trouv\xc3\xa9\r\nX-Odd:  caf\xe9 \r\nset-cookie: a=1\r\nSet-Cookie: b=2\r\n';
    const base = await serveBytes((socket, received) => {
      request = received;
      socket.end(Buffer.from(`${head}Content-Length: 4\r\n\r\n\0\xff\r\n`, 'latin1'));
    });
    const captured = await one(`${base}/a%20b?q=1#part`);
    expect(captured.request).to.equal(request);
    expect(request).to.match(/^GET \/a%20b\?q=1 HTTP\/1\.1\r\n/);
    expect(request).to.not.match(/authorization|cookie/i);
    expect(captured).to.include({
      address: `${base}/a%20b?q=1`,
      at: '2026-11-22T10:00:00.000Z',
      reason: null,
    });
    expect(captured.response).to.deep.equal({
      status: 404,
      type: null,
      head: 'HTTP/1.1 404 Pas  trouv\xc3\xa9\r\nX-Odd: caf\xe9 \r\nset-cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 4\r\n\r\n',
      body: Buffer.from('\0\xff\r\n', 'latin1'),
      cut: null,
    });
  });

  it('take off the transfer coding, whose header is renamed, and no content coding', async () => {
    const bomb = gzipSync(Buffer.alloc(2 ** 24));
    const base = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/html' }).end(bomb),
    );
    const { response } = await one(base);
    expect(response!.body.equals(bomb)).to.equal(true);
    const chunked = await serve((_request, response) => {
      response.write('a');
      response.end('b');
    });
    const { head, body } = (await one(chunked)).response!;
    expect([head.includes('\r\nX-Archive-Orig-Transfer-Encoding: chunked\r\n'), `${body}`]).to.deep.equal([true, 'ab']);
  });

  it('ask each address once, one at a time, and keep every redirect as an answer of its own', async () => {
    const requestedUrls: string[] = [];
    let now = 0;
    let most = 0;
    const base = await serve((request, response) => {
      requestedUrls.push(request.url!);
      now += 1;
      most = Math.max(most, now);
      setImmediate(() => {
        now -= 1;
        if (request.url === '/old') response.writeHead(301, { location: '/new#there' });
        response.end(request.url);
      });
    });
    const captures = await ask([`${base}/old`, `${base}/x`, `${base}/new`, `${base}/x#1`]);
    expect(requestedUrls).to.deep.equal(['/old', '/new', '/x']);
    expect(most).to.equal(1);
    expect(captures.map(captureFacts)).to.deep.equal([
      [301, `${base}/new`, null],
      [200, null, null],
      [200, null, null],
    ]);
  });

  it('end where redirects go in a circle, without end, or to what is no web address', async () => {
    const base = await serve((request, response) => {
      const [, name, n] = /^\/(\D+)(\d*)/.exec(request.url!)!;
      const to = {
        circle: '/other',
        other: '/circle',
        far: `/far${Number(n) + 1}`,
        file: 'file:///etc/passwd',
      };
      response.writeHead(302, { location: to[name as keyof typeof to] }).end();
    });
    expect((await ask([`${base}/circle`])).map(captureFacts)).to.deep.equal([
      [302, `${base}/other`, null],
      [302, `${base}/circle`, 'redirects too many times'],
    ]);
    const far = await ask([`${base}/far1`]);
    expect([far.length, far.at(-1)!.reason?.toString()]).to.deep.equal([6, 'redirects too many times']);
    expect(captureFacts(await one(`${base}/file`))).to.deep.equal([302, null, 'redirects to an invalid address']);
  });

  it('ask nothing of this machine or of private networks, nor where a redirect leads there', async () => {
    let requestCount = 0;
    const inner = await serve((_request, response) => {
      requestCount += 1;
      response.end('secret');
    });
    const outer = await serve((_request, response) => response.writeHead(302, { location: inner }).end());
    const port = new URL(inner).port;
    const refused = 'was not requested: it is an address of this machine or of a private network';
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '169.254.169.254', '[::ffff:7f00:1]'])
      expect(captureFacts(await one(`http://${host}:${port}/`, { isPrivate: false })), host).to.deep.equal([
        null,
        null,
        refused,
      ]);
    // The service itself may be at home here; what it redirects to may not.
    const captures = await ask([outer], { isPrivate: false, baseUrl: `${outer}/api/v1` });
    expect(captures.map(captureFacts)).to.deep.equal([
      [302, `${inner}/`, null],
      [null, null, refused],
    ]);
    expect(requestCount).to.equal(0);
  });

  it('keep the beginning of what does not end, drips or is cut, and say so', async () => {
    const endless = await serve((_request, response) => {
      const write = () => {
        while (response.write('x'.repeat(1000)));
      };
      response.on('drain', write);
      write();
    });
    const cut = await one(endless, { bounds: { maxBytes: 5000 } });
    expect([cut.response!.cut, cut.response!.body.length]).to.deep.equal(['length', 5000]);
    expect(`${cut.reason}`).to.equal('the answer is larger than 5.0 kB: only its beginning is kept');
    const drip = await serveBytes((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n');
      const timer = setInterval(() => socket.write('y'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const late = await one(drip, { bounds: { responseMs: 1000 } });
    expect([late.response!.cut, `${late.reason}`]).to.deep.equal([
      'time',
      'the whole answer took too long: only its beginning is kept',
    ]);
    const short = await serveBytes((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nzz'));
    const broken = await one(short);
    expect([broken.response!.cut, `${broken.response!.body}`]).to.deep.equal(['disconnect', 'zz']);
  });

  it('ask no more once all of them together hold enough, or took long enough', async () => {
    const base = await serve((_request, response) => response.end('x'.repeat(600)));
    const full = await ask([`${base}/1`, `${base}/2`, `${base}/3`], { bounds: { maxTotalBytes: 1000 } });
    expect(full.map(({ response }) => response?.body.length)).to.deep.equal([600, 400, undefined]);
    expect(`${full[2]!.reason}`).to.equal('was not requested: the maximum file size was reached');
    const silent = await serveBytes(() => {});
    const late = await ask([silent, base], { bounds: { responseMs: 300, totalMs: 100 } });
    expect(late.map(({ reason }) => `${reason}`)).to.deep.equal([
      'the whole answer took too long',
      'was not requested: the time limit for all URLs was reached',
    ]);
  });

  it('say in a sentence why there is no answer', async () => {
    const reasonOf = async (answer: string) =>
      `${(await one(await serveBytes((socket) => socket.end(answer)))).reason}`;
    expect(await reasonOf('HTTP/1.1 200 OK\r\nx: a\x1b[2J\r\n\r\n')).to.equal('the answer is not valid HTTP');
    expect(await reasonOf('SSH-2.0-OpenSSH_9.6\r\n')).to.equal('the answer is not valid HTTP');
    expect(await reasonOf('')).to.equal('the connection was cut');
    expect(await reasonOf(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(99_999)}\r\n\r\n`)).to.equal('its headers are too long');
    const closedServer = createServer();
    const port = await servers.listen(closedServer);
    await new Promise((resolve) => closedServer.close(resolve));
    expect(captureFacts(await one(`http://127.0.0.1:${port}`))).to.deep.equal([
      null,
      null,
      'the connection was refused',
    ]);
    expect(`${(await one('http://service.invalid/')).reason}`).to.match(/no such host|cannot be looked up/);
  });

  it('wait for their turn, and pause where they are asked to', async () => {
    const [turns, pauses]: [string[], [number, string][]] = [[], []];
    const pace = {
      waitForSlot: async (url: string) => void turns.push(url),
      pause: (ms: number, url: string) => void pauses.push([ms, url]),
    };
    const busy = await serve((_request, response) => response.writeHead(429, { 'retry-after': '7' }).end());
    const [captured] = await ask([busy], { pace });
    expect([captured!.response!.status, turns, pauses]).to.deep.equal([429, [`${busy}/`], [[7000, `${busy}/`]]]);
  });
});
