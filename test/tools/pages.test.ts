import { expect } from 'chai';
import { browsingDemo, type Page } from '../helpers/browser.ts';
import { type DemoServer, startDemoServer } from '../server/demo-server.ts';

const pages = ['/', '/docs', '/redoc'];
const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

describe('pages for people', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer({
      settings: { citation: { name: 'Transparence <b>Valombre</b>', siteUrl: 'https://valombre.example/' } },
    });
  });
  after(() => server.close());

  for (const path of pages) {
    it(`come at ${path} with everything from this server, and may load nothing else`, async () => {
      const response = await server.get(path, asBrowser);
      const text = await response.text();
      expect(response.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(response.headers.get('content-security-policy')).to.match(/^default-src 'self'; /);
      expect(response.headers.get('content-security-policy')).not.to.match(/unsafe|https?:|\*/);
      const loaded = [...text.matchAll(/(?:src|href|spec-url)="(\/assets\/[^"]+)"/g)].map((match) => match[1]!);
      expect(loaded).not.to.have.length(0);
      for (const address of loaded) expect((await server.get(address)).status, address).to.equal(200);
      expect(text).not.to.match(/(src|<link(?! rel="canonical")[^>]*href)="(https?:)?\/\//);
      expect(text).not.to.include('<b>');
    });
  }

  it('lead home from the reference', async () => {
    for (const path of ['/docs', '/redoc'])
      expect(await (await server.get(path)).text(), path).to.match(/<a class="brand" href="\/">/);
  });

  it('load only files that they need', async () => {
    for (const file of ['../package.json', '..%2f..%2fpackage.json', 'package.json', '.', '']) {
      expect((await server.get(`/assets/${file}`)).status).to.equal(404);
    }
  });
});

describe('pages in a browser without any other network', () => {
  const browsing = browsingDemo();
  let server: DemoServer;
  let page: Page;
  beforeEach(() => {
    ({ server, page } = browsing);
    page.requestedUrls.length = 0;
    page.complaints.length = 0;
  });
  const shown = (selector: string) => `[...document.querySelectorAll('${selector}')].map((e) => e.textContent)`;
  const expectNothingElse = () => {
    expect(page.complaints).to.deep.equal([]);
    const foreign = page.requestedUrls.filter((url) => !url.startsWith(`${server.url}/`) && !url.startsWith('data:'));
    expect(foreign).to.deep.equal([]);
  };

  it('begin with whose data it is and how old, and show what is searched for', async () => {
    await page.open(`${server.url}/`);
    const text = await page.until<string>('document.body.textContent');
    expect(text)
      .to.match(/local copy of Transparence Valombre/)
      .and.match(/1 March 2026, 06:00 UTC/);
    await page.open(`${server.url}/search?q=port`);
    expect(await page.until<string[]>(shown('.hits > li'))).to.have.length(20);
    expectNothingElse();
  });

  it('tell other sites a height in which an embedded vote is seen whole, in letters of 12 pixels and more', async () => {
    for (const lang of ['fr', 'en'])
      for (const id of ['VAL1V4', 'VAL1V7', 'VAL1V11', 'VAL1V13'])
        for (const width of [320, 480, 768]) {
          const url = encodeURIComponent(`${server.url}/votes/AN/${id}`);
          const response = await server.get(`/oembed.json?maxwidth=${width}&lang=${lang}&url=${url}`);
          const { height } = (await response.json()) as { height: number };
          await page.size(width, 100);
          await page.open(`${server.url}/embed/votes/AN/${id}?lang=${lang}`);
          const documentHeight = await page.run<number>('document.documentElement.scrollHeight');
          expect(height, `${id} ${width} ${lang}`).to.be.within(documentHeight, documentHeight * 1.3);
          const letters = await page.run<number>(
            `Math.min(...[...document.querySelectorAll('h1, p, li, figcaption, svg text')].map((each) => parseFloat(getComputedStyle(each).fontSize) * (each.ownerSVGElement?.getScreenCTM().a ?? 1)))`,
          );
          expect(letters, `${id} ${width} ${lang}`).to.be.at.least(12);
        }
    await page.size(1280);
  });

  it('show every path of the interface at /docs, and send a request in place', async () => {
    await page.open(`${server.url}/docs`);
    expect(await page.run(shown('main code'))).to.include.members([
      '/api/v1/politicians',
      '/api/v1/votes/{scrutin_id}',
      '/api/v1/export/dataset',
    ]);
    await page.open(`${server.url}/docs/getPolitician`);
    const values = await page.run<Record<string, string>>(
      `Object.fromEntries([...document.querySelectorAll('.reference input')].map(({ name, value }) => [name, value]))`,
    );
    expect(values, 'begins with a record that there is').to.deep.equal({
      slug: 'oceane-bruyevre',
      as_of: '',
    });
    await page.run(`document.querySelector('.reference button').click()`);
    await page.until(`document.querySelector('.answer').textContent.startsWith('200')`);
    const answer = await page.run<string>(`document.querySelector('.answer').textContent`);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).to.include({ slug: 'oceane-bruyevre' });
    expect(await page.run('location.pathname')).to.equal('/docs/getPolitician');
    await page.run(`document.querySelector('.reference [name=slug]').value = 'aicha-dunevive'`);
    await page.run(`document.querySelector('.reference button').click()`);
    await page.until(`document.querySelector('.answer').textContent.includes('aicha-dunevive')`);
    expect(await page.run(`document.querySelector('pre[data-address]').textContent`)).to.equal(
      `curl '${server.url}/api/v1/politicians/aicha-dunevive'`,
    );
    await page.run(
      `Object.assign(document.querySelector('.operations input'), { value: 'cohesion' }).dispatchEvent(new Event('input'))`,
    );
    expect(await page.run(shown('.operations li:not([hidden]) code')))
      .to.include('/cohesion')
      .and.not.include('/feed');
    expectNothingElse();
  });

  for (const path of ['/', '/docs'])
    it(`follow the colours that a reader prefers, at ${path}`, async () => {
      const brightness = (selector: string, of: string) =>
        `(getComputedStyle(document.querySelector('${selector}')).${of}.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 1))`;
      const colours: number[][] = [];
      for (const scheme of ['light', 'dark'] as const) {
        await page.prefer(scheme);
        await page.open(`${server.url}${path}`);
        colours.push([
          await page.until<number>(brightness('body', 'backgroundColor')),
          await page.until<number>(brightness('h1', 'color')),
        ]);
      }
      const [[paper = 0, ink = 0] = [], [darkPaper = 0, darkInk = 0] = []] = colours;
      expect(paper - ink, 'light').to.be.greaterThan(300);
      expect(darkInk - darkPaper, 'dark').to.be.greaterThan(300);
      expectNothingElse();
    });
});
