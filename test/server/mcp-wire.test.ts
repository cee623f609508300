import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { maxMessageBytes } from '../../src/server/mcp/assistant.ts';
import { tools } from '../../src/server/mcp/tools.ts';
import { tokenHash } from '../../src/server/viewer-tokens.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';
import { type Answer, openWire, type Wire } from './mcp-client.ts';

const call = (id: number, name = 'ballots', toolArguments: object = { limit: 1 }) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: toolArguments } });

describe('what assistants write on stdin', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let wire: Wire;
  before(async () => {
    demo = await createDemoMirror();
  });
  beforeEach(async () => {
    wire = await openWire(demo.db);
  });
  afterEach(() => wire.end());
  after(() => demo.remove());

  const deep = '{"a":'.repeat(40_000);
  const nonsense: [string, string | Buffer][] = [
    ['is no JSON', 'hello\n'],
    ['is half of a message', '{"jsonrpc":"2.0","id":1,"meth\n'],
    ['holds NULs', '\0\0\0\n'],
    ['is no UTF-8', Buffer.from([0xff, 0xfe, 0x80, 0x0a])],
    ['is a batch', `[${call(1)}]\n`],
    ['is a number', '12\n'],
    ['is of another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}\n'],
    ['has an id of another kind', '{"jsonrpc":"2.0","id":{},"method":"ping"}\n'],
    ['has no method', '{"jsonrpc":"2.0","id":7}\n'],
    ['has parameters of another kind', '{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}\n'],
    ['is a line without end', Buffer.concat([Buffer.alloc(40 * maxMessageBytes, 'x'), Buffer.from('\n')])],
    ['is nested too deep', `{"jsonrpc":"2.0","id":7,"method":"x","params":${deep}1${'}'.repeat(40_001)}\n`],
  ];
  for (const [what, bytes] of nonsense)
    it(`is passed over where it ${what}, and what comes next is answered`, async () => {
      wire.write(bytes);
      expect(await wire.call('ballots', { limit: 1 })).to.include({ isError: false });
    });

  it('may come in any pieces, with blank lines and Windows line ends', async () => {
    const bytes = Buffer.from(`\r\n\n  \n${call(90, 'search', { q: 'océane' })}\r\n`);
    for (const byte of bytes) wire.write(Buffer.from([byte]));
    expect(await wire.next()).to.have.property('id', 90);
  });

  it('is answered where it ends in the middle of a line', async () => {
    wire.write(call(91));
    wire.input.end();
    expect(await wire.next()).to.have.property('id', 91);
  });

  it('is told that a method is unknown, and an answer to nothing is left alone', async () => {
    expect((await wire.ask('sampling/createMessage', {})).error).to.include({
      code: -32601,
    });
    wire.write('{"jsonrpc":"2.0","id":5,"result":{}}\n{"jsonrpc":"2.0","id":6,"error":{"code":1,"message":""}}\n');
    expect(await wire.ask('ping')).to.have.property('result');
  });

  it('is answered whole where much is asked at a time and the input ends behind it', async () => {
    const count = 100;
    wire.write(Array.from({ length: count }, (_, at) => `${call(1000 + at)}\n`).join(''));
    wire.input.end();
    const ids = new Set<unknown>();
    for (let at = 0; at < count; at += 1) ids.add((await wire.next()).id);
    expect(ids).to.have.property('size', count);
  });

  it('may cancel what nobody asked for', async () => {
    for (const requestId of [1, 'none', null, {}])
      wire.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })}\n`);
    expect(await wire.call('ballots', { limit: 1 })).to.include({ isError: false });
  });

  it('need not begin with a handshake', async () => {
    const bare = await openWire(demo.db, { shakesHands: false });
    expect((await bare.ask('tools/list')).result!.tools).to.have.lengthOf(tools.length);
    await bare.end();
  });

  it('may stop to be read: then it ends', async () => {
    const closedWire = await openWire(demo.db);
    closedWire.output.destroy(new Error('EPIPE'));
    closedWire.write(`${call(1)}\n`);
    await once(closedWire.input, 'close');
    await closedWire.end();
  });
});

describe('what assistants ask over HTTP', () => {
  const token = 'a-token-of-the-demo';
  let server: DemoServer;
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-mcp-'));
    const tokens = { demo: { sha256: tokenHash(token).toString('hex'), created_at: null } };
    writeFileSync(join(folder, 'tokens.json'), JSON.stringify(tokens));
  });
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    server = await startDemoServer({
      assistants: { version: '1.2.3' },
      settings: {
        rateLimit: true,
        allowedHosts: ['data.example'],
        viewerTokenFile: join(folder, 'tokens.json'),
      },
    });
  });
  afterEach(() => server.close());

  const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
    server.get('/mcp', { method: 'POST', body: body as string, headers: { ...usual, ...headers } });

  /** The message of an answer, whether it came as JSON or as an event. */
  const messageOf = async (response: Response): Promise<Answer> =>
    JSON.parse((await response.text()).replace(/^[\s\S]*?data: /, ''));

  it('is answered without a session, within the limits of the API', async () => {
    const response = await post(call(1));
    expect(response.status).to.equal(200);
    expect(response.headers.get('ratelimit')).to.equal('"anonymous";r=59;t=60');
    expect(response.headers.has('mcp-session-id')).to.equal(false);
    const { result } = await messageOf(response);
    expect(JSON.parse(result!.content![0]!.text)).to.nested.include({ shown: 1, 'origin.from': 'mirror' });
    for (let at = 0; at < 59; at += 1) await (await post('no')).text();
    expect((await post(call(2))).status).to.equal(429);
    expect((await post(call(2), { authorization: `Bearer ${token}` })).status).to.equal(200);
  });

  it('is no business of pages of other origins', async () => {
    for (const origin of ['https://elsewhere.example', 'null', 'http://127.0.0.1.elsewhere.example', 'file://', 'x']) {
      const response = await post(call(1), { origin });
      expect(response.status, origin).to.equal(403);
    }
    const own = await post(call(1), { origin: 'http://localhost:6274' });
    expect(own.status).to.equal(200);
    expect(own.headers.has('access-control-allow-origin')).to.equal(false);
    await own.text();
    const preflight = await server.get('/mcp', {
      method: 'OPTIONS',
      headers: { origin: 'https://elsewhere.example' },
    });
    expect(preflight.headers.has('access-control-allow-origin')).to.equal(false);
  });

  it('needs no token, for a proxy may say nothing of whom it passes on; a wrong one is refused, as another host is', async () => {
    for (const headers of [{ 'x-forwarded-for': '198.51.100.7' }, { forwarded: 'for=198.51.100.7' }] as Record<
      string,
      string
    >[])
      expect((await post(call(1), headers)).status).to.equal(200);
    const postAs = (host: string) =>
      server.raw(
        `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${call(1).length}\r\nConnection: close\r\n\r\n${call(1)}`,
      );
    expect(await postAs('rebound.example')).to.match(/^HTTP\/1\.1 421 /);
    for (const host of ['data.example', 'localhost']) expect(await postAs(host)).to.match(/^HTTP\/1\.1 200 /);
    const refused = await post(call(1), { authorization: 'Bearer wrong' });
    expect([refused.status, refused.headers.get('www-authenticate')?.slice(0, 6)]).to.deep.equal([401, 'Bearer']);
  });

  it('is refused where it is nonsense or too much', async () => {
    const refused = async (body: string | Buffer, status: number) =>
      expect((await post(body)).status, String(body).slice(0, 20)).to.equal(status);
    await refused('', 400);
    await refused('\0', 400);
    await refused(Buffer.from([0xff]), 400);
    await refused(`[${call(1)}]`, 400);
    await refused(`\ufeff [${call(1)}]`, 400);
    await refused('['.repeat(100_000), 400);
    await refused('{"a":'.repeat(50_000), 400);
    await refused('x'.repeat(maxMessageBytes + 1), 413);
    const plain = await server.get('/mcp', {
      method: 'POST',
      body: call(1),
      headers: { ...usual, 'content-type': 'text/plain' },
    });
    expect(plain.status).to.equal(415);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const refused = await server.get('/mcp', { method, headers: usual });
      expect([refused.status, refused.headers.get('allow')], method).to.deep.equal([405, 'OPTIONS, POST']);
      expect(refused.headers.get('content-type'), method).to.match(/^application\/problem\+json/);
    }
    expect((await post(call(3))).status).to.equal(200);
    expect(server.failures).to.deep.equal([]);
  });

  it('is there only where it is asked for', async () => {
    const plain = await startDemoServer();
    expect((await plain.get('/mcp', { method: 'POST', body: '{}' })).status).to.equal(404);
    await plain.close();
    expect(JSON.stringify(await (await server.get('/openapi.json')).json())).not.to.include('/mcp');
  });
});
