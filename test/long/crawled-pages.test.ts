import { expect } from 'chai';
import { type DemoServer, startDemoServer } from '../server/demo-server.ts';

const most = 5000;

describe('the links of all pages', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
  });
  after(() => server?.close());

  it('lead somewhere, each of them', async () => {
    const visited = new Set(['/']);
    const waiting = ['/'];
    const dead = [] as string[];
    const from = new Map<string, string>();
    for (let url = waiting.shift(); url !== undefined && visited.size < most; url = waiting.shift()) {
      const { statusCode, headers, body } = await server.app.inject({
        url,
        headers: { accept: 'text/html' },
      });
      if (statusCode >= 400) dead.push(`${url} of ${from.get(url)}: ${statusCode}`);
      if (!String(headers['content-type']).startsWith('text/html')) continue;
      for (const [, written] of body.matchAll(/(?:href|src)="(\/[^"]*)/g)) {
        const address = written!.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
        const [href] = address.split('#') as [string];
        if (visited.has(href)) continue;
        visited.add(href);
        from.set(href, url);
        waiting.push(href);
      }
    }
    expect(dead.slice(0, 20)).to.deep.equal([]);
    expect(visited.size).to.be.greaterThan(1000);
  });
});
