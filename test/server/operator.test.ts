import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { askPlainly, type DemoServer, startDemoServer } from './demo-server.ts';
import { watchPromises } from './promise-watch.ts';
import { routesOf } from './routes.ts';

/** What only an operator's own listener has; `/metrics` is added to it by `serve`. */
const ofOperators = ['/watches', '/watches/:file'];

/** What pages of other origins are refused on the public listener. */
const ofPrograms = ['/statusz', '/mcp', '/api/v1/mirror'];

const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const asProgram = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const postOf = (path: string) =>
  path === '/mcp' ? { method: 'POST', body: JSON.stringify(call), headers: asProgram } : { headers: {} };

/** A reverse proxy without any setting: it names the server as host, and says nothing of itself or of the caller. */
async function startBareProxy(to: string): Promise<{ proxy: Server; url: string }> {
  const proxy = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, host: new URL(to).host };
    const onward = request(to + incoming.url, { headers, method: incoming.method ?? 'GET' }, (got) => {
      answer.writeHead(got.statusCode!, got.headers);
      got.pipe(answer);
    });
    incoming.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return { proxy, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
}

describe('what is the operator\u2019s own', () => {
  let server: DemoServer;
  let own: DemoServer;
  let proxy: Server;
  let outside: string;
  before(async () => {
    server = await startDemoServer({ settings: { rateLimit: true }, assistants: { version: '1' } });
    own = await startDemoServer({ settings: { isOperators: true, allowedHosts: [] } });
    await watchPromises(server);
    await watchPromises(own);
    ({ proxy, url: outside } = await startBareProxy(server.url));
  });
  after(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await Promise.all([server.close(), own.close()]);
  });

  it('is each route that the public listener lacks, and no other', () => {
    const open = new Set(routesOf(server.app));
    expect(routesOf(own.app).filter((route) => !open.has(route))).to.have.members(ofOperators);
    expect([...open])
      .to.include.members(ofPrograms)
      .and.not.include.members(ofOperators);
  });

  it('is at no public address, behind a proxy that says nothing of itself either', async () => {
    for (const at of [server.url, outside])
      for (const path of ['/watches', '/watches/', '/watches/promesses.atom', '/metrics'])
        expect((await fetch(at + path)).status, at + path).to.equal(404);
    expect((await own.get('/watches/promesses.atom')).status).to.equal(200);
  });

  it('is answered to no page of another origin, or under another name, and to none without being asked by it', async () => {
    for (const path of ['/watches', '/watches/promesses.atom', '/api/v1/parties', '/'])
      for (const headers of [
        { origin: 'https://elsewhere.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      ] as Record<string, string>[]) {
        const { status } = await askPlainly(own.url + path, headers);
        expect(status, `${path} ${JSON.stringify(headers)}`).to.equal(403);
      }
    const answer = await own.get('/watches', { headers: { accept: 'text/html' } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).to.deep.equal([200, null]);
    const preflight = await own.get('/watches', { method: 'OPTIONS' });
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
    const reboundAnswer = await own.raw('GET /watches HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n');
    expect(reboundAnswer).to.match(/^HTTP\/1\.1 421 /);
  });

  for (const path of ofPrograms)
    it(`is not ${path}: that is counted, answered to every program, and refused to pages of other origins`, async () => {
      for (const at of [server.url, outside]) {
        const answer = await fetch(at + path, postOf(path));
        expect(answer.status).to.equal(200);
        expect(answer.headers.get('ratelimit')).to.match(/^"anonymous";r=\d+/);
        expect(answer.headers.get('access-control-allow-origin')).to.equal(null);
        await answer.arrayBuffer();
        const elsewhere = { origin: 'https://elsewhere.example' };
        const { headers, ...post } = postOf(path);
        expect((await fetch(at + path, { ...post, headers: { ...headers, ...elsewhere } })).status).to.equal(403);
        const embedded = await askPlainly(at + path, {
          'sec-fetch-site': 'cross-site',
          'sec-fetch-mode': 'no-cors',
        });
        expect(embedded.status).to.equal(403);
        const followed = await askPlainly(at + path, {
          'sec-fetch-site': 'cross-site',
          'sec-fetch-mode': 'navigate',
        });
        expect(followed.status, 'a link that somebody follows').to.equal(path === '/mcp' ? 405 : 200);
      }
    });
});
