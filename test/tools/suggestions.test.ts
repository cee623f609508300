import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import { hasBrowser, openPage, type Page } from '../helpers/browser.ts';
import { type DemoServer, startDemoServer } from '../server/demo-server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe('a field that suggests names, in a browser', () => {
  let server: DemoServer;
  let page: Page;
  /** Searches that the server holds back, until they are let go. */
  const heldSearches = new Map<string, { come: () => void; letGo: Promise<void> }>();
  before(async function () {
    if (!hasBrowser()) this.skip();
    server = await startDemoServer({
      extend: (app) =>
        app.addHook('onRequest', async ({ query }) => {
          const search = heldSearches.get(String((query as { q?: string }).q));
          search?.come();
          await search?.letGo;
        }),
    });
    page = await openPage();
  });
  after(async () => {
    await page?.close();
    await server?.close();
  });
  beforeEach(() => {
    page.complaints.length = 0;
  });
  const begin = async (path: string, field = '#q') => {
    await page.open(server.url + path);
    await page.run(`document.querySelector('${field}').focus()`);
  };
  const offered = `[...document.querySelector('.offered:not([hidden])')?.children ?? []].map((each) => each.firstChild.textContent)`;
  const shown = `${offered}.length > 0 && ${offered}`;
  const hidden = `document.querySelector('.offered:not([hidden])') === null`;
  const active = () => page.run<string>(`document.activeElement.closest('.offered > *')?.firstChild.textContent ?? ''`);

  for (const [lang, suggestionsLabel] of [
    ['en', 'suggestions'],
    ['fr', 'suggestions'],
  ])
    it(`is used with the keyboard alone, and says what it offers (${lang})`, async () => {
      await begin(`/?lang=${lang}`);
      await page.type('rouvre');
      const names = await page.until<string[]>(shown);
      expect(names.slice(0, 2)).to.deep.equal(['Camille Rouvre', 'Camille Rouvre']);
      expect(await page.run(`document.querySelector('#q-offered + [role=status]').textContent`)).to.equal(
        `${names.length} ${suggestionsLabel}`,
      );
      const about = `[...document.querySelectorAll('#q-offered .meta')].map((each) => each.textContent)`;
      const [one, other] = (await page.run<string[]>(about)).slice(0, 2).sort();
      expect(one).to.include('Bocage-Doré').and.include('1968');
      expect(other).to.include('Étain').and.include('1991');
      expect(await active()).to.equal('');
      await page.press('ArrowUp');
      expect(await active()).to.equal(names.at(-1));
      await page.press('ArrowDown');
      expect(await page.run('document.activeElement.id')).to.equal('q');
      await page.press('ArrowDown');
      expect(await active()).to.equal(names[0]);
      const violations = await page.run<unknown[]>(
        `${axe}; axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
      );
      expect(violations).to.deep.equal([]);
      await page.press('Escape');
      expect(await page.run(`document.activeElement.id === 'q' && document.activeElement.value`)).to.equal('rouvre');
      expect(await page.run(hidden)).to.equal(true);
      await page.type(' ');
      await page.until(shown);
      await page.press('ArrowDown');
      await page.press('ArrowDown');
      await page.press('Enter');
      await page.until(`/^.politicians.camille-rouvre(-2)?$/.test(location.pathname)`);
      expect(await page.run('location.search')).to.equal(`?lang=${lang}`);
      expect(page.complaints).to.deep.equal([]);
    });

  it('searches for the words where nothing is chosen', async () => {
    await begin('/');
    await page.type('bruyevre');
    await page.until(shown);
    await page.press('Enter');
    await page.until(`location.pathname === '/search' && location.search === '?q=bruyevre'`);
  });

  it('fills a filter with a click, and keeps the focus in the field', async () => {
    await page.open(`${server.url}/feed`);
    await page.run(`document.querySelector('.more').open = true; document.querySelector('#f-party').focus()`);
    await page.type('ALLÍAN');
    await page.until(shown);
    await page.run(`document.querySelector('#f-party-offered button').click()`);
    expect(await page.run(`[document.activeElement.id, document.activeElement.value, ${hidden}]`)).to.deep.equal([
      'f-party',
      'alliance-des-rivages',
      true,
    ]);
    await page.press('Enter');
    await page.until(`new URLSearchParams(location.search).get('party') === 'alliance-des-rivages'`);
  });

  it('shows the answer to what was typed last, however slow the others are', async () => {
    let come = () => {};
    let letGo = () => {};
    const came = new Promise<void>((resolve) => {
      come = resolve;
    });
    heldSearches.set('rouv', { come, letGo: new Promise((resolve) => (letGo = resolve)) });
    await begin('/');
    await page.type('rouv');
    await came;
    await page.run(`document.querySelector('#q').value = ''`);
    await page.type('bruy');
    expect(await page.until<string[]>(shown)).to.include('Océane Bruyèvre');
    letGo();
    heldSearches.clear();
    await page.type('è');
    await page.until(`${shown} && document.querySelector('#q').value === 'bruyè'`);
    expect(await page.run(offered))
      .to.include('Océane Bruyèvre')
      .and.not.include('Camille Rouvre');
  });

  it('is a plain field where the server does not answer', async () => {
    await begin('/');
    await page.type('bruy');
    await page.until(shown);
    await page.run(`document.querySelector('#q').dataset.completes = '/none.json'`);
    await page.type('e');
    await page.until(hidden);
    await page.press('Enter');
    await page.until(`location.search === '?q=bruye'`);
  });

  it('fits into the width of a phone', async () => {
    await page.size(320, 640);
    await begin('/');
    await page.type('alliance');
    await page.until(shown);
    const { left, right, over } = await page.run<{ left: number; right: number; over: number }>(
      `(({ left, right }) => ({ left, right, over: document.documentElement.scrollWidth - innerWidth }))(document.querySelector('#q-offered').getBoundingClientRect())`,
    );
    expect(over).to.be.at.most(0);
    expect(left).to.be.at.least(0);
    expect(right).to.be.at.most(320);
    await page.size(1280);
  });
});
