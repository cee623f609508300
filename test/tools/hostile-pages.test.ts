import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { type KindName, recordPath } from '../../src/model/kinds.ts';
import { saveMeta } from '../../src/store/mirror.ts';
import { hasBrowser, openPage, type Page } from '../helpers/browser.ts';
import { type DemoServer, filledAt, saveAll, startDemoServer } from '../server/demo-server.ts';

/** What would run, load or turn a page around wherever it stood unescaped. */
const payloads = [
  '<script>window.ran = 1</script>',
  '"><script>window.ran = 1</script>',
  `'><img src=x onerror="window.ran = 1">`,
  '<svg/onload=window.ran=1>',
  '" onmouseover="window.ran = 1" autofocus onfocus="window.ran = 1" x="',
  "' style='position:fixed' onclick='window.ran=1",
  '</title><script>window.ran = 1</script>',
  '</textarea></select><iframe srcdoc="<script>parent.ran = 1</script>">',
  '<style>@import "//evil.example/x.css";</style>',
  '<base href="//evil.example/">',
  '<meta http-equiv="refresh" content="0;url=//evil.example/">',
  '<form action="//evil.example/"><button>x',
  'javascript:window.ran=1',
  'JaVaScRiPt:window.ran=1//https://example.org',
  'data:text/html,<script>window.ran=1</script>',
  '//evil.example/x',
  'https://evil.example/"onclick="window.ran=1',
  '\u202egnp.exe \u2066 \u200f turned',
  '{{constructor.constructor("window.ran=1")()}}',
  '--><!-- <![CDATA[ ]]> &lt;script&gt; &#x3c;script&#x3e;',
];

const kindsOfRecords: KindName[] = [
  'politician',
  'party',
  'promise',
  'position',
  'quote',
  'content',
  'speech',
  'source',
  'ballot',
  'audit',
];

/** So many of each kind, a thousand in all: of the log of moderation nothing is kept that could name a person. */
const ofEachKind = 112;

/** Of so many the own page is opened: every payload, in the place of the day too at every other. */
const opened = payloads.length;

/** Records of which every field that a page shows is hostile. */
function hostileRecords(kind: KindName): { key: string; record: Document }[] {
  return Array.from({ length: ofEachKind }, (_, at) => {
    const hostile = payloads[at % payloads.length]!;
    const key = `${kind}-${at} ${hostile}`.slice(0, 200);
    const fields = ['full_name', 'name', 'short_name', 'title', 'text', 'bio', 'description', 'context'];
    const more = ['outcome', 'status', 'stance', 'publisher', 'type', 'licence', 'topic', 'dossier', 'result'];
    const otherFields = [
      'role',
      'entity_type',
      'action',
      'current_role',
      'profession',
      'birth_place',
      'color',
      hostile,
    ];
    const hostileFields = Object.fromEntries(
      [...fields, ...more, ...otherFields].map((field) => [field, `${hostile} ${at}`]),
    );
    const record: Document = {
      ...hostileFields,
      id: key,
      slug: key,
      url: hostile,
      website: hostile,
      date: at % 2 === 0 ? '2026-01-01' : hostile,
      birth_date: hostile,
      politician: `politician-${at} ${hostile}`.slice(0, 200),
      party: `party-${at} ${hostile}`.slice(0, 200),
      source_ids: [`source-${at} ${hostile}`.slice(0, 200), hostile],
      affiliations: [{ party: hostile, role: hostile, start: '2020-01-01', end: hostile }, { start: hostile }],
      ...(kind === 'ballot'
        ? {
            chamber: 'AN',
            scrutin_id: `B${at}`,
            votes_by_party: [{ party: hostile, party_name: hostile, for: 1 }],
          }
        : {}),
    };
    return { key: kind === 'ballot' ? `AN:B${at}` : key, record };
  });
}

describe('a thousand hostile records', () => {
  let server: DemoServer;
  let page: Page;
  const recordsByKind = kindsOfRecords.map((kind) => ({ kind, records: hostileRecords(kind) }));
  before(async function () {
    if (!hasBrowser()) this.skip();
    server = await startDemoServer({ empty: true });
    for (const { kind, records } of recordsByKind)
      saveAll(
        server.writer,
        kind,
        records.map(({ record }) => record),
      );
    saveMeta(server.writer, 'synced_at', filledAt);
    page = await openPage();
  });
  after(async () => {
    await page?.close();
    await server?.close();
  });

  const expectQuiet = async (path: string) => {
    page.complaints.length = 0;
    page.requestedUrls.length = 0;
    await page.open(server.url + path);
    await page.until(`document.readyState === 'complete'`);
    // What waits for a pointer or a focus is given one.
    const ran = await page.run<unknown>(
      `[...document.querySelectorAll('main *')].slice(0, 400).forEach((each) => { each.dispatchEvent(new MouseEvent('mouseover')); each.focus?.(); }), window.ran ?? null`,
    );
    expect(ran, path).to.equal(null);
    const complaints = page.complaints.filter((text) => !/status of (404|422)/.test(text));
    expect(complaints, path).to.deep.equal([]);
    expect(
      page.requestedUrls.filter(
        // The browser draws the signs of its own controls so.
        (url) => !url.startsWith(`${server.url}/`) && !url.startsWith('data:image/svg+xml;base64,'),
      ),
      path,
    ).to.deep.equal([]);
    const links = await page.run<string[]>(
      `[...document.querySelectorAll('[href], [src], [action]')].map((each) => each.href?.baseVal ?? each.href ?? each.src ?? each.action).filter((href) => !/^(https?:|#)/.test(href))`,
    );
    expect(links, path).to.deep.equal([]);
  };

  it('do nothing in any list', async () => {
    for (const path of ['/', '/politicians', '/parties', '/topics', '/feed', '/audit', '/about', '/votes', '/changes'])
      await expectQuiet(path);
    for (const payload of payloads)
      for (const name of ['/search?q=', '/feed?topic=', '/politicians?q=', '/nothing?x=', '/politicians/'])
        await expectQuiet(name + encodeURIComponent(payload));
  });

  it('do nothing in lists of a hundred, in which every one stands', async () => {
    const walk = async (path: string): Promise<string[]> => {
      const htmlTexts: string[] = [];
      for (let next: string | null = path; next !== null; ) {
        await expectQuiet(next);
        const items = `document.querySelectorAll('main .item, main tbody tr, .changes > li')`;
        htmlTexts.push(...(await page.run<string[]>(`[...${items}].map((each) => each.innerHTML)`)));
        next = await page.run<string | null>(
          `document.querySelector('.pager a[rel=next]')?.getAttribute('href') ?? null`,
        );
      }
      return htmlTexts;
    };
    for (const path of [
      '/politicians?limit=100',
      '/feed?types=promise&limit=50',
      '/feed?types=position&limit=50',
      '/feed?types=content&limit=50',
      '/votes?limit=100',
    ])
      expect(await walk(path), path).to.have.length(ofEachKind);
    // A first import of all kinds is shown by its figures; that of one kind is a list.
    let changes = 0;
    for (const kind of kindsOfRecords)
      changes += (await walk(`/changes?kind=${kind}&since=1970-01-01&limit=100`)).length;
    expect(changes).to.be.at.least(1000);
  });

  for (const { kind, records } of recordsByKind) {
    it(`do nothing on the pages of each ${kind}`, async () => {
      for (const { key } of records.slice(0, opened)) await expectQuiet(recordPath(kind, key));
    });
  }
});
