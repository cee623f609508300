import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { writeSite } from '../../src/server/site/site.ts';
import { browsingDemo } from '../helpers/browser.ts';

const types: Record<string, string> = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' };

describe('a static site in a browser', () => {
  const demo = browsingDemo();
  let folder: string;
  let host: Server;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-static-'));
    await writeSite(demo.server.mirror, {
      folder,
      assetsFolder: fileURLToPath(new URL('../../dist/assets', import.meta.url)),
      citation: { name: 'Vitrine', siteUrl: null },
      language: 'en',
      site: null,
    });
    host = createServer(({ url = '/' }, answer) => {
      const file = join(folder, new URL(url, 'http://x').pathname);
      answer.setHeader('content-type', types[extname(file)] ?? 'image/svg+xml').end(readFileSync(file));
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
  });
  after(() => {
    host?.closeAllConnections();
    host?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  for (const [from, addressOf] of [
    ['files', () => `file://${folder}`],
    ['a web host', () => `http://127.0.0.1:${(host.address() as AddressInfo).port}`],
  ] as const)
    it(`searches, has its style and its pictures from ${from}, and may run nothing that a page brings along`, async () => {
      const { page } = demo;
      await page.open(`${addressOf()}/search.html?q=ecluse`);
      const hitCount = await page.until<number>("document.querySelectorAll('#found a').length");
      expect(hitCount).to.be.greaterThan(0);
      await page.run(`document.querySelector('#q').value = ''; document.querySelector('#q').focus()`);
      await page.type('bruyevr');
      await page.until(`document.querySelector('#found h2')?.textContent === 'Océane Bruyèvre'`);
      expect(await page.run(`document.querySelector('#found p').textContent`)).to.match(/^Found: \d+$/);
      expect(await page.run("getComputedStyle(document.querySelector('.masthead')).display")).to.not.equal('');
      expect(await page.run('document.styleSheets.length')).to.equal(1);
      expect(await page.run("document.querySelector('.brand img').naturalWidth > 0")).to.equal(true);
      expect(page.complaints).to.deep.equal([]);
      await page.run(
        "const written = document.createElement('p'); written.setAttribute('onclick', 'window.ran = 1'); document.body.append(written); written.click();",
      );
      expect(await page.run('window.ran ?? null')).to.equal(null);
    });
});
