import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { type DemoServer, startDemoServer } from './demo-server.ts';

const asBrowser = { accept: 'text/html', 'accept-language': 'en' };

/** A proxy that makes a server known below `/hemicycle` alone: it takes that path away, or passes it on. */
async function startProxy(to: string, { isTakenAway }: { isTakenAway: boolean }) {
  const proxy = createServer((incoming, answer) => {
    const url = incoming.url ?? '';
    if (!/^\/hemicycle(?=[/?]|$)/.test(url)) return void answer.writeHead(404).end('elsewhere');
    const passed = isTakenAway ? url.slice('/hemicycle'.length) || '/' : url;
    const headers = { ...incoming.headers, host: 'news.example', 'x-forwarded-proto': 'https' };
    const onward = request(to + passed, { headers, method: incoming.method ?? 'GET' }, (got) => {
      answer.writeHead(got.statusCode!, got.headers);
      got.pipe(answer);
    });
    incoming.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return { proxy, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
}

for (const isTakenAway of [true, false])
  describe(`a server below a path, which the proxy ${isTakenAway ? 'takes away' : 'passes on'}`, () => {
    let server: DemoServer;
    let proxy: Server;
    let outside: string;
    const get = (path: string, init: RequestInit = {}) =>
      fetch(outside + path, { headers: asBrowser, redirect: 'manual', ...init });
    before(async () => {
      server = await startDemoServer({
        settings: { basePath: '/hemicycle', trustedProxies: ['127.0.0.1'] },
      });
      ({ proxy, url: outside } = await startProxy(server.url, { isTakenAway }));
    });
    after(async () => {
      proxy.closeAllConnections();
      proxy.close();
      await server.close();
    });

    it('has no link, form or file that leads out of it, and none that is dead', async () => {
      const pages = ['', '/', '/politicians/oceane-bruyevre', '/votes/AN/VAL1V4', '/search?q=retraite'];
      pages.push('/docs', '/redoc', '/changes?since=3650d', '/compare', '/about', '/nowhere', '/embed/votes/AN/VAL1V4');
      const addresses = new Set<string>();
      for (const page of pages) {
        const text = await (await get(`/hemicycle${page}`)).text();
        for (const [, address] of text.matchAll(/<[^>]* (?:href|src|action|data-completes)="([^"#]+)/g))
          if (!/^https?:/.test(address!)) addresses.add(address!.replaceAll('&amp;', '&'));
      }
      expect(addresses.size).to.be.greaterThan(80);
      for (const address of addresses) {
        expect(address).to.match(/^\/hemicycle(\/|$)/);
        expect((await get(address)).status, address).to.equal(address.includes('nowhere') ? 404 : 200);
      }
      const css = await (await get('/hemicycle/assets/pages.css')).text();
      expect(css.match(/url\("[^"]*"\)/g)).to.deep.equal(['url("colours.css")', 'url("masthead.css")']);
    });

    it('states whole addresses below it in feeds, embeds, catalog, interface and headers', async () => {
      const at = 'https://news.example/hemicycle';
      const feed = await (await get('/hemicycle/politicians/oceane-bruyevre.atom')).text();
      expect(feed).to.include(`href="${at}/politicians/oceane-bruyevre.atom`);
      expect([...feed.matchAll(/https:\/\/news\.example(\/[^/"<]*)/g)].map(([, first]) => first)).to.satisfy(
        (all: string[]) => all.every((first) => first === '/hemicycle'),
      );
      const page = await (await get('/hemicycle/votes/AN/VAL1V4')).text();
      expect(page).to.include(`&lt;iframe src=&quot;${at}/embed/votes/AN/VAL1V4&quot;`);
      const parameters = new URLSearchParams({ url: `${at}/votes/AN/VAL1V4` });
      const shown = (await (await get(`/hemicycle/oembed.json?${parameters}`)).json()) as { html: string };
      expect(shown.html).to.include(`src="${at}/embed/votes/AN/VAL1V4"`);
      const elsewhere = new URLSearchParams({ url: 'https://news.example/votes/AN/VAL1V4' });
      expect((await get(`/hemicycle/oembed.json?${elsewhere}`)).status).to.equal(404);
      expect(await (await get('/hemicycle/catalog.jsonld')).text()).to.include(`${at}/api/v1/export/dataset`);
      const { servers } = (await (await get('/hemicycle/openapi.json')).json()) as { servers: object[] };
      expect(servers).to.deep.equal([{ url: '/hemicycle', description: 'This server.' }]);
      const { headers } = await get('/hemicycle/politicians/oceane-bruyevre');
      expect(headers.get('link')).to.include('</hemicycle/politicians/oceane-bruyevre.json>; rel="alternate"');
    });

    it('has no link out of it on a page that begins with several slashes, or that is asked for whole', async () => {
      const host = new URL(server.url).host;
      for (const path of ['//evil.example/x', '///evil.example/x', '/\\evil.example/x', 'http://evil.example/x'])
        for (const target of [path, path.startsWith('/') ? `/hemicycle${path}` : path]) {
          const page = await server.raw(
            `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
          );
          expect(page, target).to.match(/^HTTP\/1\.1 404 /);
          const led = [...page.matchAll(/ (?:href|action)="([^"]*)"/g)].map(
            ([, to]) => new URL(to!, server.url).origin,
          );
          expect(led, target).to.include(server.url).and.not.include('http://evil.example');
        }
    });

    it('redirects within it, and names what was asked for in errors', async () => {
      const slash = await get('/hemicycle/politicians/');
      expect([slash.status, slash.headers.get('location')]).to.deep.equal([308, '/hemicycle/politicians']);
      const view = await get('/hemicycle/reconcile/view?id=politician:oceane-bruyevre');
      expect(view.headers.get('location')).to.equal('/hemicycle/politicians/oceane-bruyevre');
      const problem = await get('/hemicycle/api/v1/politicians/nobody', { headers: {} });
      expect(((await problem.json()) as { instance: string }).instance).to.match(
        /^(\/hemicycle)?\/api\/v1\/politicians\/nobody$/,
      );
    });

    it('answers the interface below it, and again from what it keeps', async () => {
      for (let n = 0; n < 2; n += 1) {
        const answer = await get('/hemicycle/api/v1/politicians?limit=2');
        expect(((await answer.json()) as { items: object[] }).items).to.have.length(2);
        expect((await get('/hemicycle/politicians')).status).to.equal(200);
      }
    });
  });
