import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { expect } from 'chai';
import { readBallot } from '../../../src/model/ballot.ts';
import type { Document } from '../../../src/model/document.ts';
import { type KindName, kindOf, kinds } from '../../../src/model/kinds.ts';
import { legislativeTextName } from '../../../src/parliament/ballot-text.ts';
import { type SiteOptions, writeSite } from '../../../src/server/site/site.ts';
import { createSiteLinks } from '../../../src/server/site/site-links.ts';
import { saveMeta } from '../../../src/store/mirror.ts';
import { openMirror } from '../../../src/store/open.ts';
import { votedTexts } from '../../../src/store/records/ballot-texts.ts';
import { loadLanguage } from '../../../src/words/speech.ts';
import { demoSeating } from '../../helpers/demo-mirror.ts';
import { type DemoServer, demoRecords, filledAt, saveAll, startDemoServer } from '../../server/demo-server.ts';

const citation = { name: 'Transparence Valombre', siteUrl: 'https://transparence.example/' };
const later = '2026-03-02T06:00:00.000Z';
const assetsFolder = fileURLToPath(new URL('../../../dist/assets', import.meta.url));

/** Some records of a kind: enough for every sort of file. */
function few(name: KindName): Document[] {
  const all = demoRecords(kindOf(name));
  const ofOne = all.filter((each) => JSON.stringify(each).includes('oceane-bruyevre') || each.scrutin_id === 'VAL1V4');
  return [...new Set([...ofOne.slice(0, 8), ...all.slice(0, 6), ...(name === 'party' ? all : [])])];
}

/** Every file below a folder. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();

describe('pages written as files', () => {
  let server: DemoServer;
  let above: string;
  let folder: string;
  const write = (
    into = folder,
    { site = null, language = 'en', onProgress }: Partial<Pick<SiteOptions, 'site' | 'language' | 'onProgress'>> = {},
  ) =>
    writeSite(server.mirror, {
      groupOrder: demoSeating.split(','),
      folder: into,
      assetsFolder,
      citation,
      language,
      site,
      ...(onProgress && { onProgress }),
    });
  const text = (path: string, of = folder) => readFileSync(join(of, path), 'utf8');

  before(async () => {
    server = await startDemoServer({ empty: true });
    for (const { name } of kinds) saveAll(server.writer, name, few(name));
    saveMeta(server.writer, 'synced_at', filledAt);
    const [one] = few('politician');
    saveAll(
      server.writer,
      'politician',
      [{ ...one!, slug: 'a/b ?#"é', full_name: 'Une Barre', current_role: null }],
      '2026-04-01T06:00:00.000Z',
    );
    saveMeta(server.writer, 'synced_at', '2026-04-01T06:00:00.000Z');
    above = mkdtempSync(join(tmpdir(), 'hemicycle-site-'));
    folder = join(above, 'site');
    await write();
  });
  after(async () => {
    await server.close();
    rmSync(above, { recursive: true });
  });

  it('lead from the front to each other, by links of which none is dead, whole, or a question', () => {
    const all = new Set(filesIn(folder));
    const waiting = ['index.html'];
    const reached = new Set(waiting);
    const wrong: string[] = [];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (!file.endsWith('.html')) continue;
      const page = text(file);
      const anchors = [...page.matchAll(/ id="([^"]*)"/g)].map(([, anchor]) => anchor);
      if (new Set(anchors).size < anchors.length) wrong.push(`anchors of ${file}`);
      for (const [, written] of page.matchAll(/ (?:href|src|action)="([^"]*)"/g)) {
        if (/^https?:|^#/.test(written!)) continue;
        const [path = '', anchor] = written!.split('#');
        const target = normalize(join(dirname(file), decodeURIComponent(path)));
        const isDead = !all.has(target) || (anchor && !text(target).includes(` id="${anchor}"`));
        if (written === '' || /^\/|\?/.test(written!) || isDead) wrong.push(`${written} of ${file}`);
        else if (!reached.has(target)) {
          reached.add(target);
          waiting.push(target);
        }
      }
    }
    expect(wrong).to.deep.equal([]);
    const unreached = [...all].filter((file) => file.endsWith('.html') && !reached.has(file));
    expect(unreached).to.deep.equal(['404.html']);
    expect(reached.size).to.be.greaterThan(100);
  });

  it('say what the pages of the server say, and every record; small ones share files', async () => {
    const served = await (await server.get('/votes/AN/VAL1V4', { headers: { accept: 'text/html' } })).text();
    const table = /<tbody[^>]*>[\s\S]*?<\/tbody>/;
    const plain = (page: string) => table.exec(page)![0].replaceAll(/ href="[^"]*"/g, '');
    expect(plain(text('votes/AN/VAL1V4.html'))).to.equal(plain(served));
    for (const { id } of few('promise')) expect(text('records/promise/p0.html')).to.include(`id="${id}"`);
    for (const file of ['records/promise/p0.html', '404.html']) expect(text(file)).to.not.include('actions');
    const [odd] = filesIn(join(folder, 'politicians')).filter((name) => /^a-b-.*\.html$/.test(name));
    expect(text(`politicians/${odd}`)).to.include('<h1>Une Barre</h1>');
    expect(text('changes.html'))
      .to.include('href="changes/2026-03-01.html"')
      .and.include('href="changes/2026-04-01.html"');
    expect(text('changes/2026-04-01.html')).to.include('Une Barre').and.not.include('Océane');
    expect(text('data/promises.csv').split('\n')[0]).to.include('id,');
  });

  it('have no form, no date and no link that needs a server, and say so', () => {
    for (const file of filesIn(folder).filter((each) => each.endsWith('.html'))) {
      // The guide speaks of servers in its prose.
      const page = text(file).replace(/<div class="prose guide">[\s\S]*/, '');
      expect(page.match(/<form/g), file).to.have.length(1);
      expect(page, file).not.to.match(/as_of|lang=fr|pages\.js|site\.invalid|undefined|\[object/);
    }
    expect(text('about.html')).to.include('What these pages cannot do');
  });

  it('state a policy before all that they load, and hold nothing that it would keep from running', () => {
    for (const file of filesIn(folder).filter((each) => each.endsWith('.html'))) {
      const page = text(file);
      const [before = '', policy] =
        /^([\s\S]*?)<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page)?.slice(1) ?? [];
      expect(policy, file).to.match(/^default-src &#39;self&#39; file:; base-uri &#39;none&#39;/);
      expect(before, file).not.to.match(/<(?:link|script|img|style)/);
      expect(page, file).not.to.match(/<script(?![^>]* src=)|<style| style=| on[a-z]+=/);
    }
  });

  it('keep files that say the same, write what changed, and remove what is gone', async () => {
    const unchangedPage = 'records/promise/p0.html';
    const edited = 'politicians/oceane-bruyevre.html';
    const old = new Date('2020-01-01');
    for (const file of filesIn(folder)) utimesSync(join(folder, file), old, old);
    expect(await write()).to.include({ written: 0, removed: 0 });
    writeFileSync(join(folder, 'index.html'), 'cut');
    unlinkSync(join(folder, unchangedPage));
    expect((await write()).written).to.equal(2);
    utimesSync(join(folder, unchangedPage), old, old);
    const at = '2026-05-01T06:00:00.000Z';
    const [one] = few('politician').filter(({ slug }) => slug === 'oceane-bruyevre');
    const otherPoliticians = few('politician').filter(({ slug }) => slug !== 'oceane-bruyevre');
    const last = 'politicians/none-before.html';
    writeFileSync(join(folder, 'note.txt'), 'of somebody else');
    saveAll(server.writer, 'politician', [{ ...one!, bio: 'Une autre vie.' }, ...otherPoliticians], at);
    saveMeta(server.writer, 'synced_at', at);
    const outcome = await write();
    expect(outcome.written).to.be.within(2, 60);
    expect(statSync(join(folder, unchangedPage)).mtime).to.deep.equal(old);
    expect(text(edited)).to.include('Une autre vie.');
    expect(existsSync(join(folder, last))).to.equal(false);
    expect(text('note.txt')).to.equal('of somebody else');
    expect(text('history/politician/p0.html')).to.include('id="oceane-bruyevre"');
  });

  it('remove only files that they wrote, and are taken up where a run was killed', async () => {
    const again = join(above, 'again');
    await write(again);
    // What a run had written before it was killed: it had listed it as begun, and nothing else of it is known.
    const mine = 'records/promise/gone.html';
    const changed = 'records/promise/changed.html';
    const { createHash } = await import('node:crypto');
    const hash = createHash('sha256').update('ours').digest('hex').slice(0, 16);
    for (const path of [mine, changed]) writeFileSync(join(again, path), 'ours');
    writeFileSync(join(again, changed), 'of somebody else');
    writeFileSync(
      join(again, '.hemicycle-site-begun'),
      `${hash} ${mine}\n${hash} ${changed}\n${hash} ../site/index.html\n`,
    );
    expect(await write(again)).to.include({ written: 0, removed: 1 });
    expect(existsSync(join(again, mine))).to.equal(false);
    expect(existsSync(join(again, changed))).to.equal(true);
    expect(existsSync(join(again, '.hemicycle-site-begun'))).to.equal(false);
    expect(existsSync(join(folder, 'index.html'))).to.equal(true);
  });

  it('are written by one run at a time, which a marker that is gone does not stop', async () => {
    const shared = join(above, 'shared');
    const isAlone: boolean[] = [];
    const first = write(shared, {
      onProgress() {
        isAlone.push(existsSync(join(shared, '.hemicycle-site.lock')));
        rmSync(join(shared, '.hemicycle-site-begun'), { force: true });
      },
    });
    const [one, other] = await Promise.all([first, write(shared)]);
    expect(new Set(isAlone)).to.deep.equal(new Set([true]));
    expect(one.written).to.equal(one.files);
    expect(other).to.include({ files: one.files, written: 0, removed: 0 });
    expect(filesIn(shared).filter((file) => /lock|begun/.test(file))).to.deep.equal([]);
    writeFileSync(join(folder, '.hemicycle-site.lock'), '');
    await write();
    expect(existsSync(join(folder, '.hemicycle-site.lock'))).to.equal(false);
  });

  it('are begun anew in a folder where a killed run left no more than its lock', async () => {
    const leftoverFolder = join(above, 'left');
    mkdirSync(leftoverFolder);
    writeFileSync(join(leftoverFolder, '.hemicycle-site.lock'), '');
    expect((await write(leftoverFolder)).written).to.be.greaterThan(100);
  });

  it('are all made but those of a record that cannot be shown, which is reported and says so', async () => {
    const other = await startDemoServer();
    const broken = join(above, 'broken');
    try {
      const damage = (key: string, text: string) =>
        other.writer.sql('UPDATE record SET detail = ? WHERE key = ?').run(text, key);
      damage('oceane-bruyevre', '{"slug":');
      damage('promise-bruyevre-2025-001', '{"id":');
      const { failures } = await writeSite(other.mirror, {
        ...{ folder: broken, assetsFolder, citation, language: 'en', site: null },
      });
      const addresses = failures.map(({ address }) => address);
      expect(addresses).to.include('/politicians/oceane-bruyevre');
      expect(addresses).to.include('/records/promise/promise-bruyevre-2025-001');
      expect(text('politicians/oceane-bruyevre.html', broken)).to.include('This page could not be generated');
      const shared = filesIn(join(broken, 'records/promise')).map((file) => text(`records/promise/${file}`, broken));
      expect(shared.join('')).to.match(
        /id="promise-bruyevre-2025-001"><h2>This page could not be generated<\/h2>[^<]*<p>/,
      );
      expect(existsSync(join(broken, 'index.html'))).to.equal(true);
    } finally {
      await other.close();
    }
  });

  it('lead nowhere for an address that means nothing', () => {
    const links = createSiteLinks(server.mirror, 'https://site.example/');
    for (const address of ['/politicians/%zz', '/%zz', '/records/promise/%E0%A4'])
      expect(links.fileOf(address), address).to.equal(null);
  });

  it('lead from every spelling of a text to its one page', async () => {
    const other = await startDemoServer();
    try {
      const ballots = demoRecords(kindOf('ballot'));
      const texts = [...votedTexts(other.mirror).values()].filter((each) => each.ballots > 1);
      const [first = ''] = texts.flatMap(({ names }) => names).filter((name) => /^\p{Ll}/u.test(name));
      const spelling = first.replace(/^./, (letter) => letter.toUpperCase());
      const [ballot] = ballots.filter((each) => legislativeTextName(readBallot(each)) === first);
      saveAll(other.writer, 'ballot', [...ballots, { ...ballot, scrutin_id: 'VAL1V99', dossier: spelling }], later);
      const { body } = await other.app.inject({ url: '/votes/AN/VAL1V99', headers: { accept: 'text/html' } });
      const addresses = [...body.matchAll(/href="(\/texts\/[^"]+)"/g)].map(([, address]) => address!);
      expect(addresses).to.include(`/texts/${encodeURIComponent(first)}`);
      const links = createSiteLinks(openMirror(other.mirror.path), null);
      expect(links.fileOf(`/texts/${encodeURIComponent(first)}`)).to.match(/^texts\//);
    } finally {
      await other.close();
    }
  });

  it('are never written into a folder of something else', async () => {
    const other = join(above, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'index.html'), 'of somebody else');
    const error = await write(other).catch((thrown) => thrown);
    expect(error).to.have.property('code', 'BAD_TARGET');
    expect(text('index.html', other)).to.equal('of somebody else');
  });

  it('are refused at once where no folder can be made', async () => {
    const error = await write('/proc/none').catch((thrown) => thrown);
    expect(error).to.have.property('code', 'ENOENT');
  });

  it('have feeds and whole addresses where it is said where they will stand, and the same bytes each time', async () => {
    const one = join(above, 'one');
    const two = join(above, 'two');
    const site = 'https://data.example/mirror/';
    const hostileText = 'See https://site.invalid/politicians/%zz and https://site.invalid/votes.';
    const [promise] = few('promise');
    saveAll(server.writer, 'promise', [{ ...promise!, id: 'hostile', text: hostileText }, ...few('promise')]);
    await loadLanguage('fr');
    for (const each of [one, two]) await write(each, { site, language: 'fr' });
    expect(filesIn(one)).to.deep.equal(filesIn(two));
    for (const file of filesIn(one)) expect(text(file, one), file).to.equal(text(file, two));
    expect(text('feed.atom', one))
      .to.include(`href="${site}feed.html"`)
      .and.match(new RegExp(`href="${site}records/\\w+/p0\\.html#[\\w-]+"`));
    // Whoever holds an office has a feed of changes.
    const [person] = few('politician');
    const feed = `politicians/${person!.slug}.atom`;
    expect(text(feed, one)).to.include(`href="${site}politicians/${person!.slug}.html"`);
    expect(text(feed.replace('atom', 'html'), one)).to.include(`href="${person!.slug}.atom"`);
    expect(filesIn(join(one, 'politicians')).filter((file) => /^a-b-.*\.atom$/.test(file))).to.deep.equal([]);
    expect(text('votes/AN/VAL1V4.html', one)).to.include(`content="${site}votes/AN/VAL1V4.html"`);
    expect(text('records/promise/p0.html', one)).to.include(hostileText);
    expect(filesIn(one).filter((file) => /\b[0-9a-f]{32}\.invalid/.test(text(file, one)))).to.deep.equal([]);
    expect(text('index.html', one)).to.include('<html lang="fr">');
    expect(existsSync(join(folder, 'feed.atom'))).to.equal(false);
    expect(text('sitemap.xml', one)).to.include(`<loc>${site}votes/AN/VAL1V4.html</loc>`).and.not.include('404.html');
    expect(text('robots.txt', one)).to.equal(`Sitemap: ${site}sitemap.xml\n`);
    // A host shows that page in any folder.
    expect(text('404.html', one)).to.include('410').and.include(`href="${site}assets/pages.css"`);
    expect(text('404.html', one).match(/ (?:href|src|action)="(?!https:|#)/g)).to.equal(null);
    expect(text('404.html')).to.include('href="assets/pages.css"');
  });

  it('are found by the words of their titles and texts, a few small files a question', async () => {
    const hits = await searched('bruyevre');
    expect(hits[0]!.slice(0, 3)).to.deep.equal(['Océane Bruyèvre', 'politicians/oceane-bruyevre.html', 'politician']);
    const [promise] = few('promise');
    const words = String(promise!.text)
      .match(/\p{L}{5,}/gu)!
      .slice(-5);
    const files = (await searched(words.join(' ').toUpperCase())).map(([, file]) => file);
    expect(files).to.include(`records/promise/p0.html#${promise!.id}`);
    expect(await searched('bruyevre nulle-part-ailleurs')).to.deep.equal([]);
  });

  /** What the script of the search page shows for words, run with a page of its own. */
  async function searched(q: string): Promise<string[][]> {
    const listed: string[][] = [];
    const element = () => ({
      dataset: {},
      append() {},
      addEventListener() {},
      replaceChildren() {},
      querySelector: () => element(),
    });
    const shared: Record<string, unknown> = {
      URLSearchParams,
      location: { search: `?${new URLSearchParams({ q })}` },
      document: {
        querySelector: element,
        createElement: element,
        head: { append: ({ src }: { src: string }) => runInContext(text(src), context) },
      },
    };
    shared.globalThis = shared;
    const context = createContext(shared);
    const script = readFileSync(join(assetsFolder, 'site-search.js'), 'utf8');
    runInContext(
      script.replace(
        'function itemOf([title',
        'function itemOf(entry) { listed(entry); return shownItem(entry); }\nfunction shownItem([title',
      ),
      Object.assign(context, { listed: (entry: string[]) => listed.push(entry) }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    return listed;
  }
});
