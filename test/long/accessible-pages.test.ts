import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import { views } from '../../src/server/pages/table.ts';
import { browsingDemo, type Page } from '../helpers/browser.ts';
import type { DemoServer } from '../server/demo-server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const addresses = [
  ...views.map(({ path, example }) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example[name]!)),
  ),
  '/search?q=port',
  '/search?q=zzzz',
  '/politicians?q=zzzz',
  '/politicians/none',
  '/?as_of=2026-03-01',
];

const widths = [320, 820, 1400];

/** Colours follow from the scheme, the length of words from the language: neither pair needs the other one's. */
const readers = [
  { lang: 'fr', width: 320, scheme: 'light' },
  { lang: 'en', width: 1400, scheme: 'dark' },
] as const;

type Violation = { id: string; nodes: { target: string[]; failureSummary: string }[] };

describe('every page', () => {
  const browsing = browsingDemo();
  let server: DemoServer;
  let page: Page;
  beforeEach(() => {
    ({ server, page } = browsing);
  });

  for (const address of addresses) {
    it(`can be read by everyone at ${address}: any width, dark or light, in both languages`, async function () {
      this.timeout(120_000);
      for (const { lang, width, scheme } of readers) {
        await page.prefer(scheme);
        page.complaints.length = 0;
        page.asked.length = 0;
        await page.open(`${server.url}${address}${address.includes('?') ? '&' : '?'}lang=${lang}`);
        for (const each of [...widths.filter((other) => other !== width), width]) {
          await page.size(each);
          await page.until(`innerWidth === ${each}`);
          const over = await page.run('document.documentElement.scrollWidth - innerWidth');
          expect(over, `${address} ${each} ${lang}`).to.be.at.most(0);
        }
        const where = `${address} ${width} ${scheme} ${lang}`;
        // Before axe, which tries styles of its own.
        const said = page.complaints.filter((text) => !/status of (404|422)/.test(text));
        expect(said, where).to.deep.equal([]);
        expect(
          page.asked.filter((url) => !url.startsWith(`${server.url}/`) && !url.startsWith('data:')),
        ).to.deep.equal([]);
        const found = await page.run<Violation[]>(
          `${axe}; axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })) })))`,
        );
        expect(JSON.stringify(found, null, 1), where).to.equal('[]');
      }
    });
  }

  it('can be used by keyboard alone: every stop is seen, the first one skips to the content', async () => {
    await page.size(820);
    for (const address of addresses.filter((each) => !each.startsWith('/embed/'))) {
      await page.open(server.url + address);
      await page.press('Tab');
      expect(await page.run(`document.activeElement.className`), address).to.equal('skip');
      const stops = await page.run<number>(
        `[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary, [tabindex="0"]')].filter((each) => each.checkVisibility()).length`,
      );
      for (let stop = 1; stop < Math.min(stops, 60); stop += 1) {
        await page.press('Tab');
        const seen = await page.run<string>(
          `(() => { const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement); const { width, height } = document.activeElement.getBoundingClientRect(); return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && width * height > 0 ? '' : document.activeElement.outerHTML; })()`,
        );
        expect(seen, address).to.equal('');
      }
    }
  });

  it('is left by the skip link for its content, and answers a search by Enter', async () => {
    await page.open(`${server.url}/`);
    await page.press('Tab');
    await page.press('Enter');
    expect(await page.run(`location.hash`)).to.equal('#content');
    await page.run(`(document.querySelector('#q').value = 'port', document.querySelector('#q').focus())`);
    await page.press('Enter');
    await page.until(`document.querySelector('.hits li') !== null`);
    expect(await page.run(`location.search`)).to.equal('?q=port');
  });
});
