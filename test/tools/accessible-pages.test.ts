import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import { browsingDemo, type Page } from '../helpers/browser.ts';
import { views } from '../helpers/views.ts';
import type { DemoServer } from '../server/demo-server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const addresses = [
  ...views.map(({ path, example }) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example[name]!)),
  ),
  '/docs',
  '/docs/listBallots',
  '/docs/PoliticianProfile',
  '/search?q=port',
  '/search?q=zzzz',
  '/politicians?q=zzzz',
  '/politicians/none',
  '/?as_of=2026-03-01',
];

const widths = [320, 820, 1400];

/** A reader for each width: every address meets both languages and both schemes, four of them all twelve combinations. */
function readersOf(at: number) {
  const isFrench = at % 2 === 1;
  const isDark = at % 4 > 1;
  const settings = [
    [isFrench, isDark],
    [!isFrench, !isDark],
    [isFrench, !isDark],
  ];
  return widths.map((width, index) => ({
    width,
    lang: settings[index]![0] ? 'fr' : 'en',
    scheme: settings[index]![1] ? ('dark' as const) : ('light' as const),
  }));
}

type Violation = { id: string; nodes: { target: string[]; failureSummary: string }[] };

describe('every page', () => {
  const browsing = browsingDemo();
  let server: DemoServer;
  let page: Page;
  beforeEach(() => {
    ({ server, page } = browsing);
  });

  for (const [at, address] of addresses.entries()) {
    it(`can be read by everyone at ${address}: any width, dark or light, in both languages`, async () => {
      for (const { lang, width, scheme } of readersOf(at)) {
        await page.prefer(scheme);
        page.complaints.length = 0;
        page.requestedUrls.length = 0;
        await page.open(`${server.url}${address}${address.includes('?') ? '&' : '?'}lang=${lang}`);
        for (const each of [...widths.filter((other) => other !== width), width]) {
          await page.size(each);
          await page.until(`innerWidth === ${each}`);
          const over = await page.run('document.documentElement.scrollWidth - innerWidth');
          expect(over, `${address} ${each} ${lang}`).to.be.at.most(0);
        }
        const where = `${address} ${width} ${scheme} ${lang}`;
        const complaints = page.complaints.filter((text) => !/status of (404|422)/.test(text));
        expect(complaints, where).to.deep.equal([]);
        expect(
          page.requestedUrls.filter((url) => !url.startsWith(`${server.url}/`) && !url.startsWith('data:')),
        ).to.deep.equal([]);
        const violations = await page.run<Violation[]>(
          `${axe}; axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })) })))`,
        );
        expect(JSON.stringify(violations, null, 1), where).to.equal('[]');
      }
    });
  }

  it('has on a phone a card for each row of a table, which stays a table to a screen reader', async () => {
    for (const width of [320, 480]) {
      await page.size(width);
      for (const address of ['/parties', '/votes/AN/VAL1V4', '/compare', '/cohesion', '/politicians', '/about']) {
        await page.open(server.url + address);
        const wide = await page.run<string[]>(
          `[...document.querySelectorAll('.scroll:has(.list)')].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.ariaLabel)`,
        );
        expect(wide, `${address} ${width}`).to.deep.equal([]);
        const unlabelled = await page.run<string[]>(
          `[...document.querySelectorAll('.list td:not(:empty)')].filter((each) => !getComputedStyle(each, '::before').content.includes(each.dataset.label ?? '?')).map((each) => each.outerHTML)`,
        );
        expect(unlabelled, `${address} ${width}`).to.deep.equal([]);
        const roles = await page.roles();
        expect(roles, address).to.include.members(['table', 'row', 'columnheader', 'rowheader', 'cell']);
      }
    }
  });

  it('has figures of a row in one line on a phone, no arrow alone in a line, and no filter on a rule', async () => {
    await page.size(390);
    await page.open(`${server.url}/votes/AN/VAL1V4?lang=fr`);
    const apart = await page.run<string[]>(
      `[...document.querySelectorAll('.list tr')].flatMap((row) => { const boxes = [...row.querySelectorAll('td.number')].map((cell) => { const range = document.createRange(); range.selectNodeContents(cell); return { cell, whole: cell.getBoundingClientRect(), figure: range.getBoundingClientRect() }; }); return boxes.filter(({ cell, whole, figure }, at) => { const previous = boxes[at - 1]; const isBroken = whole.height >= 2 * parseFloat(getComputedStyle(cell).fontSize); return isBroken || (previous && figure.top < previous.figure.bottom && figure.bottom !== previous.figure.bottom); }).map(({ cell }) => cell.dataset.label + ' ' + cell.textContent); })`,
    );
    expect(apart).to.deep.equal([]);
    for (const address of ['/votes/AN/VAL1V4', '/cohesion', '/contradictions']) {
      await page.open(`${server.url}${address}?lang=fr`);
      const broken = await page.run<string[]>(
        `[...document.querySelectorAll('.list td')].filter((each) => { each.style.overflowWrap = 'normal'; return each.scrollWidth > each.clientWidth; }).map((each) => each.dataset.label)`,
      );
      expect(broken, `${address}: labels that end a line within a word`).to.deep.equal([]);
    }
    await page.open(`${server.url}/votes/AN/VAL1V4?lang=fr`);
    const arrow = await page.run(`getComputedStyle(document.querySelector('.next'), '::after').content`);
    expect(arrow).to.equal('"\u00a0→"');
    await page.open(`${server.url}/changes?lang=fr`);
    const gap = await page.run<number>(
      `document.querySelector('.chips').getBoundingClientRect().top - document.querySelector('.brief').getBoundingClientRect().bottom`,
    );
    expect(gap).to.be.greaterThan(0);
  });

  it('loses nothing on paper but what one cannot use there, and says where its links lead', async () => {
    await page.size(820);
    for (const address of addresses.filter((each) => !each.startsWith('/embed/'))) {
      await page.emulate({ 'prefers-color-scheme': 'dark' }, 'print');
      await page.open(server.url + address);
      const lost = await page.run<string[]>(
        `[...document.querySelectorAll('main *')].filter((each) => !each.closest('form, .pager, .actions, summary, datalist, noscript, svg, .skip, .unseen') && [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '') && !each.checkVisibility({ contentVisibilityAuto: true })).map((each) => each.outerHTML)`,
      );
      expect(lost, address).to.deep.equal([]);
      const shown = await page.run<string[]>(
        `[...document.querySelectorAll('.masthead nav, .search, .languages, .filters, .pager a, .actions, .past')].filter((each) => each.checkVisibility()).map((each) => each.outerHTML)`,
      );
      expect(shown, address).to.deep.equal([]);
      const silent = await page.run<string[]>(
        `[...document.querySelectorAll('main a[href^="http"]')].filter((each) => !getComputedStyle(each, '::after').content.includes(each.getAttribute('href'))).map((each) => each.href)`,
      );
      expect(silent, address).to.deep.equal([]);
      const paper = await page.run<string>(`getComputedStyle(document.body).backgroundColor`);
      expect(Math.min(...paper.match(/\d+/g)!.slice(0, 3).map(Number)), `${address} ${paper}`).to.be.at.least(240);
    }
    await page.emulate({});
  });

  it('is read at twice the size of letters, without motion, and in the colours of the system', async () => {
    await page.size(1280);
    await page.emulate({ 'prefers-reduced-motion': 'reduce', 'forced-colors': 'active' });
    for (const address of addresses) {
      await page.open(server.url + address);
      const over = await page.run(
        `(document.documentElement.style.fontSize = '200%', document.documentElement.scrollWidth - innerWidth)`,
      );
      expect(over, address).to.be.at.most(0);
      const moving = await page.run<string[]>(
        `[...document.querySelectorAll('*')].filter((each) => /[1-9]/.test(getComputedStyle(each).transitionDuration + getComputedStyle(each).animationDuration)).map((each) => each.outerHTML)`,
      );
      expect(moving, address).to.deep.equal([]);
    }
    await page.open(`${server.url}/votes/AN/VAL1V4`);
    const fills = await page.run<string[]>(
      `[...document.querySelectorAll('.legend .mark.for, .legend .mark.against')].map((each) => getComputedStyle(each).backgroundColor)`,
    );
    expect(new Set(fills).size, String(fills)).to.equal(fills.length);
    await page.emulate({});
  });

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
        const focusStyle = await page.run<string>(
          `(() => { const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement); const { width, height } = document.activeElement.getBoundingClientRect(); return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && width * height > 0 ? '' : document.activeElement.outerHTML; })()`,
        );
        expect(focusStyle, address).to.equal('');
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
