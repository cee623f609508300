import { expect } from 'chai';
import type { LightMyRequestResponse } from 'fastify';
import { type Document, documentsIn } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { saveKindState } from '../../src/store/kind-state.ts';
import { bumpVersion, saveMeta } from '../../src/store/mirror.ts';
import { findContradictions } from '../../src/store/records/contradictions.ts';
import { transaction } from '../../src/store/transaction.ts';
import { views } from '../helpers/views.ts';
import { type DemoServer, demoRecords, filledAt, saveAll, startDemoServer } from './demo-server.ts';

/** The address of a view, its places filled with what there is. */
function addressOf({ path, example }: (typeof views)[number]): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example[name]!));
}

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('pages for people', () => {
  let server: DemoServer;
  const page = (url: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> =>
    server.app.inject({ url, headers: { ...asBrowser, ...headers } });
  before(async () => {
    server = await startDemoServer();
  });
  after(() => server.close());

  // Free SQL has a page only where the operator gives it a file.
  for (const view of views.filter(({ path }) => path !== '/sql')) {
    it(`stand at ${view.path} in both languages, with nothing that runs and nothing from elsewhere`, async () => {
      for (const lang of ['en', 'fr']) {
        const { statusCode, headers, body } = await page(`${addressOf(view)}?lang=${lang}`);
        expect(statusCode, body).to.equal(200);
        expect(headers['content-type']).to.equal('text/html; charset=utf-8');
        expect(headers['content-language']).to.equal(lang);
        expect(headers['content-security-policy']).to.match(/^default-src 'self'; /);
        const policy = String(headers['content-security-policy']);
        expect(view.isEmbedded ? policy.replace('frame-ancestors *', '') : policy).not.to.match(/unsafe|https?:|\*/);
        expect(headers).not.to.have.property('set-cookie');
        expect(body).to.match(new RegExp(`^<!doctype html>\\n<html lang="${lang}">`));
        expect(body.match(/<h1>/g)).to.have.length(1);
        const ids = [...body.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
        expect(new Set(ids)).to.have.length(ids.length);
        expect(body).not.to.match(/<script(?! src="\/assets\/)|<style|\sstyle=|\son\w+=|javascript:/i);
        expect(body).not.to.match(/(src|<link(?! rel="(?:alternate|canonical)")[^>]*href)="(https?:)?\/\//);
        expect(body).to.not.match(/undefined|\[object|NaN/);
        expect(body).to.include('Transparence Valombre').and.include('https://transparence.example/');
      }
    });

    it(`come from ${view.path} in at most 15 kB, and in at most 50 kB with all that they load first`, async () => {
      const gzip = { 'accept-encoding': 'gzip' };
      const { body } = await page(addressOf(view), { 'accept-encoding': 'identity' });
      const { rawPayload } = await page(addressOf(view), gzip);
      expect(rawPayload.length).to.be.at.most(15_000);
      const loaded = new Set<string>();
      const load = async (path: string): Promise<number> => {
        if (loaded.has(path)) return 0;
        loaded.add(path);
        const plain = (await server.app.inject(path)).body;
        const own = (await server.app.inject({ url: path, headers: gzip })).rawPayload.length;
        const more = [...plain.matchAll(/@import url\("([^"]+)"\)/g)].map(([, url]) => url!);
        return own + (await total(more));
      };
      const total = async (paths: string[]) => {
        let sum = 0;
        for (const path of paths) sum += await load(path);
        return sum;
      };
      const assetUrls = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, url]) => url!);
      expect(assetUrls).not.to.have.length(0);
      expect(rawPayload.length + (await total(assetUrls))).to.be.at.most(50_000);
    });

    for (const ending of Object.keys(view.forms)) {
      it(`stand at ${view.path} as .${ending} too, which the page and its headers name`, async () => {
        const { headers, body } = await page(addressOf(view));
        const address = `${addressOf(view)}.${ending}`;
        expect(body).to.include(`href="${address}"`);
        expect(headers.link).to.include(`<${address}>; rel="alternate"`);
        const form = await server.app.inject({ url: address });
        expect(form.statusCode, form.body).to.equal(200);
        expect(form.headers['content-type']).to.equal(view.forms[ending]!.mediaType);
      });
    }
  }

  for (const ending of ['json', 'atom', 'jsonld']) {
    it(`tell programs as a problem what is wrong with an address in .${ending}`, async () => {
      const { statusCode, headers } = await server.app.inject({ url: `/politicians/none.${ending}` });
      expect(statusCode).to.be.oneOf([404, 422]);
      expect(headers['content-type']).to.match(/^application\/problem\+json/);
    });
  }

  it('name only forms that there are in their headers, of a politician without a dated affiliation too', async () => {
    const other = await startDemoServer({ empty: true });
    saveAll(other.writer, 'politician', [{ slug: 'undated', full_name: 'Un Dated', affiliations: [{ party: 'x' }] }]);
    saveMeta(other.writer, 'synced_at', filledAt);
    try {
      const { headers } = await other.app.inject({ url: '/politicians/undated', headers: asBrowser });
      const alternates = [...String(headers.link).matchAll(/<(\/[^>]+)>; rel="alternate"/g)];
      expect(alternates).not.to.have.length(0);
      for (const [, url] of alternates) expect((await other.app.inject({ url: url! })).statusCode, url).to.equal(200);
    } finally {
      await other.close();
    }
  });

  it('list the affiliations of a politician with their days, latest first and undated last', async () => {
    const other = await startDemoServer({ empty: true });
    const affiliations = [
      { name: 'Sans date', role: 'Membre', start: null, end: null },
      { name: 'Avant', role: 'Membre', start: '2012-05-01', end: '2019-12-31' },
      { name: 'Depuis', role: 'Membre', start: '2020-01-01', end: null },
    ];
    saveAll(other.writer, 'politician', [{ slug: 'ida-marc', full_name: 'Ida Marc', affiliations }]);
    saveMeta(other.writer, 'synced_at', filledAt);
    try {
      const { body } = await other.app.inject({ url: '/politicians/ida-marc', headers: asBrowser });
      const list = /<ol class="affiliations">([\s\S]*?)<\/ol>/.exec(body)?.[1] ?? '';
      const lines = list.split('<li>').map((line) =>
        line
          .replace(/<[^>]+>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      );
      expect(lines.slice(1)).to.deep.equal([
        'Membre Depuis 1 January 2020 – today',
        'Membre Avant 1 May 2012 – 31 December 2019',
        'Membre Sans date no dates stated',
      ]);
    } finally {
      await other.close();
    }
  });

  it('say of a mirror that was never filled that nothing was seen yet', async () => {
    const other = await startDemoServer({ empty: true });
    try {
      for (const [lang, message] of [
        ['en', 'No changes yet'],
        ['fr', 'ce miroir n’a jamais été synchronisé'],
      ]) {
        const answer = await other.app.inject({ url: `/changes?lang=${lang}`, headers: asBrowser });
        expect(answer.statusCode).to.equal(200);
        expect(answer.body).to.include(message);
      }
      const json = await other.app.inject('/changes.json');
      const csv = await other.app.inject('/changes.csv');
      expect(json.json()).to.deep.equal({ items: [], total: 0, next_cursor: null });
      expect(csv.body).to.equal('seen_at,change,kind,key,politician,title,fields,former_key\n');
    } finally {
      await other.close();
    }
  });

  it('are as data what the interface answers, filters included, and what is derived', async () => {
    const stated = (body: string) =>
      JSON.parse(body, (name, value) => (['party_link', 'nature'].includes(name) ? undefined : value));
    for (const [address, endpoint] of [
      ['/politicians.json?party=alliance-des-rivages', '/api/v1/politicians?party=alliance-des-rivages'],
      ['/politicians/oceane-bruyevre.json', '/api/v1/politicians/oceane-bruyevre'],
      ['/feed.json?types=promise&limit=3&party=', '/api/v1/feed?types=promise&limit=3'],
      ['/sources/src-an-textes.json', '/api/v1/records/source/src-an-textes'],
    ]) {
      const own = await server.app.inject(address!);
      const theirs = await server.app.inject(endpoint!);
      expect(stated(own.body), address).to.deep.equal(theirs.json());
      expect(theirs.body, endpoint).to.not.match(/"(party_link|nature|members_today)"/);
    }
    const csv = (await server.app.inject('/politicians.csv?q=bruy')).body.split('\n');
    const columns = kindOf('politician').columns.map(({ name }) => name);
    expect(csv[0]).to.equal([...columns, 'party_link'].join());
    expect(csv[1]).to.match(/^oceane-bruyevre,/);
  });

  it('speak the language that the address states, else the one that the reader prefers', async () => {
    const french = { 'accept-language': 'de, fr-CH;q=0.9, en;q=0.2' };
    expect((await page('/about', french)).body).to.include('<html lang="fr">');
    expect((await page('/about?lang=en', french)).body).to.include('<html lang="en">');
    expect((await page('/about', { 'accept-language': 'de' })).body).to.include('<html lang="en">');
    expect((await page('/about')).headers.vary).to.include('Accept-Language');
    expect((await page('/politicians?lang=fr&q=bruy')).body).to.include('href="/politicians?q=bruy&amp;lang=en"');
  });

  it('seat the groups of a vote in their order where it is known, else by vote, and draw a bar of each', async () => {
    const seats = /data-seats="\d+"/;
    const ordered = await page('/votes/AN/VAL1V4');
    const other = await page('/votes/AN/VAL1V4?order=LDA,PDV');
    expect(ordered.body).to.match(seats);
    expect(ordered.body).not.to.include('Arranged by vote, not by seat');
    expect(other.body).to.match(seats).and.include('Arranged by vote, not by seat');
    expect(other.body.match(/<svg class="votes"/g)).to.have.length(5);
    const groups = [...other.body.matchAll(/<th scope="row"[^>]*>.*?href="\/parties\/([^"?]+)/g)].map(
      ([, slug]) => slug,
    );
    expect(groups.slice(0, 2)).to.deep.equal(['ligue-des-ateliers', 'parti-du-verger']);
  });

  it('open with votes on whole texts, close votes and divided groups, and a first import in one line', async () => {
    const { body } = await page('/?lang=en');
    expect(body).to.match(
      /Last votes on a whole text<\/h2>\s*<ul class="brief"><li><a [^>]*>(?:Sur l|L)&#39;ensemble d/,
    );
    expect(body)
      .to.match(/Closest votes since \d+ \w+ \d{4}/)
      .and.include('Divided groups');
    expect(body.match(/first import/g)).to.have.length(1);
    expect((await page('/?lang=fr')).body)
      .to.match(/Scrutins les plus serrés depuis le \d+(?:er)?\s\S+\s\d{4}/)
      .and.match(/>textes<.*>entrées? du journal de modération</s);
    expect(body).not.to.include('class="change added"');
    const changes = (await page('/changes?lang=en')).body;
    expect(changes).to.include('first import: ').and.not.include('class="change added"');
    const [, promises = ''] = /href="([^"]*kind=promise[^"]*)">\d+ promises/.exec(changes)!;
    expect((await page(promises.replaceAll('&amp;', '&'))).body).to.include('class="change added"');
    expect((await page('/changes?lang=en&kind=promise')).body).not.to.include('first import');
  });

  it('have a picture beside links where they are shared, at an address that says when the data came', async () => {
    const shared = views.filter(({ hasPreview }) => hasPreview);
    const paths = ['/', kindOf('ballot').page, kindOf('politician').page, kindOf('party').page, '/compare'];
    expect(shared.map(({ path }) => path)).to.have.members(paths);
    for (const view of shared) {
      const { body } = await page(addressOf(view), { host: 'mirror.example' });
      const [, image = ''] = /property="og:image" content="http:\/\/mirror\.example([^"]+)"/.exec(body) ?? [];
      expect(image, view.path).to.match(/\/share\.png\?lang=en&amp;v=20260301060000$/);
      const { statusCode, headers, rawPayload } = await server.app.inject(image.replace('&amp;', '&'));
      expect([statusCode, headers['content-type'], rawPayload.readUInt32BE(16)]).to.deep.equal([
        200,
        'image/png',
        1200,
      ]);
    }
    expect((await server.app.inject('/votes/AN/none/share.png')).statusCode).to.equal(404);
  });

  it('say above their content how to subscribe, download, embed and cite, and subscribe in their language', async () => {
    const { body } = await page('/votes?lang=fr&chamber=AN', { host: 'mirror.example' });
    const [, row = ''] = /<div class="actions">(.*?)<\/div>/s.exec(body) ?? [];
    expect(row)
      .to.include('href="/votes.atom?chamber=AN&amp;lang=fr"')
      .and.match(/CSV \(\d+\slignes?\)/);
    const feedAddress = 'http://mirror.example/votes.atom?chamber=AN&amp;lang=fr';
    expect(row)
      .to.match(/<summary>S’abonner<\/summary><p>[^<]*lecteur de flux/)
      .and.include(`>${feedAddress}</textarea>`);
    expect(row).to.match(
      /<textarea[^>]*>Scrutins · Chambre\s: Assemblée nationale\. Source.*http:\/\/mirror\.example\/votes\?chamber=AN</s,
    );
    const ballotPage = (await page('/votes/AN/VAL1V4?lang=fr')).body;
    expect(ballotPage).to.include('<a href="#take-away">Intégrer</a>').and.not.include('.. Source');
    expect(ballotPage, 'a title that ends in a full stop').to.match(
      /<textarea[^>]*>[^<]*lecture\) · \d+(?:er)?\s\S+\s\d{4}\. Source/,
    );
    expect((await page('/parties/parti-du-verger?lang=fr')).body).to.include('parti-du-verger.atom?lang=fr');
    expect((await page('/nowhere')).body).not.to.include('class="actions"');
  });

  it('find politicians by chamber, group, department and office', async () => {
    const { body } = await page('/politicians?in_office=true&chamber=Senat&lang=en');
    expect(body).to.include('Chamber: Sénat');
    for (const name of ['chamber', 'group', 'department', 'constituency', 'in_office'])
      expect(body).to.include(`id="f-${name}"`);
  });

  it('say who was elected where: in each department, and in each constituency of it', async () => {
    const { body } = await page('/politicians/nour-bellecume?lang=en');
    expect(body).to.include('href="/departments/Sel-et-Gr%C3%A8ve?lang=en"');
    const department = (await page('/departments/Sel-et-Gr%C3%A8ve?lang=en')).body;
    expect(department)
      .to.include('href="/politicians/nour-bellecume?lang=en"')
      .and.include('href="/departments/Sel-et-Gr%C3%A8ve/1?lang=en"');
    const constituency = (await page('/departments/sel et greve/1?lang=en')).body;
    expect(constituency).to.include('Nour Bellécume').and.include('shown 1 of 1');
    const { items } = (await server.app.inject('/departments/Sel-et-Gr%C3%A8ve/1.json')).json();
    expect(items.map(({ slug }: { slug: string }) => slug)).to.deep.equal(['nour-bellecume']);
    expect((await page('/departments')).body).to.include('href="/departments/Sel-et-Gr%C3%A8ve"');
    expect((await page('/departments/Sel-et-Grav')).statusCode).to.equal(422);
    const data = (await server.app.inject('/departments.json')).json();
    const row = data.items.find((each: { department: string }) => each.department === 'Sel-et-Grève');
    const representatives = (await server.app.inject('/departments/Sel-et-Gr%C3%A8ve.json')).json().items;
    expect(row.AN + (row.Senat ?? 0)).to.equal(representatives.length);
    const byPlainName = (await page('/departments/sel et greve?lang=en')).body;
    expect(byPlainName).to.include('<title>Sel-et-Grève').and.not.include('sel et greve</');
  });

  it('suggest whom a name in a form could mean, and keep what was typed', async () => {
    const { body } = await page('/politicians?q=bruyevra&lang=en');
    expect(body)
      .to.include('value="bruyevra"')
      .and.match(/Did you mean: <a href="\/politicians\/oceane-bruyevre\?lang=en">Océane Bruyèvre<\/a>/);
    expect((await server.app.inject('/api/v1/politicians?q=bruyevra')).json()).to.deep.include({
      items: [],
      suggestions: [{ slug: 'oceane-bruyevre', full_name: 'Océane Bruyèvre' }],
    });
  });

  it('have titles that state their filters in the words of the tags, and the moment of the past that they show', async () => {
    for (const [path, title] of [
      ['/votes', 'Votes'],
      ['/votes?q=phare&chamber=AN&sort=oldest', 'Votes · Words: phare · Chamber: Assemblée nationale'],
      [
        '/politicians?in_office=true&party=parti-du-verger',
        'Politicians · Party or group: Parti du Verger · In office: yes',
      ],
      ['/search?q=phare&type=ballot', 'Search for “phare” · Kind: ballot'],
    ]) {
      const { body } = await page(`${path}${path!.includes('?') ? '&' : '?'}lang=en`);
      expect(/<title>(.*?) · [^·]*<\/title>/.exec(body)?.[1], path).to.equal(title);
      expect(body, path).to.match(new RegExp(`<h1>(?:<span[^>]*>)?${title!.split(' · ')[0]}`));
    }
    for (const [address, english, french] of [
      ['/votes?nature=whole', 'Voted on: whole text', 'Objet du vote : ensemble d’un texte'],
      ['/cohesion?chamber=Senat', 'Chamber: Sénat', 'Chambre : Sénat'],
      ['/votes?dissent=0.3', 'Dissent of at least: 30%', 'Dissidence d’au moins : 30 %'],
      ['/votes?dissent=:20%25', 'Dissent of at least: 20%', 'Dissidence d’au moins : 20 %'],
      ['/votes?margin=5', 'Maximum margin: 5 votes', 'Écart maximal : 5 voix'],
      ['/votes?since=2026', 'From: 1 January 2026', 'Depuis : 1er janvier 2026'],
      ['/changes?since=2026-01-31', 'From: 31 January 2026', 'Depuis : 31 janvier 2026'],
      ['/changes?since=last&only=edited', 'Kind of change: edited', 'Nature du changement : modifié'],
      ['/feed?types=promise', 'Kind: promise', 'Type : promesse'],
      ['/feed?q=phare&literal=true', 'Words taken literally', 'Mots pris à la lettre'],
      ['/affiliations?moved=true', 'Memberships: only moves', 'Appartenances : seulement les passages'],
    ] as const)
      for (const [lang, filter] of [['en', english] as const, ['fr', french] as const]) {
        const { body } = await page(`${address}&lang=${lang}`);
        const text = body.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll(/1<sup>er<\/sup>/g, '1er');
        expect(/<title>(.*?)<\/title>/.exec(text)?.[1], address).to.include(` · ${filter} · `);
        expect(text, address).to.include(`${filter} <span aria-hidden="true">×`);
        expect(text, `citation of ${address}`).to.include(` · ${filter}. Source`);
      }
  });

  it('name groups and positions in titles, also as typed', async () => {
    const { body } = await page('/votes?voted=ADR:pour&lang=fr');
    const title = /<title>(.*?)<\/title>/.exec(body.replaceAll('\u00a0', ' '))?.[1];
    expect(title).to.include('Comment les groupes ont voté : ADR : Pour');
  });

  it('say over how many ballots a turnout is, and what the mirror covers of the ballots of a saved question', async () => {
    const cohesion = (await page('/cohesion?chamber=AN&lang=fr')).body;
    expect(cohesion).to.match(/Participation<\/th><th [^>]*>Scrutins avec effectif</);
    const saved = (await page('/ask/ballots-by-month?chamber=Senat&lang=en')).body;
    expect(saved).to.match(/<p class="meta coverage">In this mirror ballots of the Sénat run from/);
    expect((await page('/ask/closest-votes?year=2026&lang=fr')).body).to.match(
      /<title>Les scrutins les plus serrés d’une année · 2026 · AN · /,
    );
  });

  it('keep search words as typed in French titles, tags and citations, even where a label has that name', async () => {
    for (const path of ['/votes', '/search', '/feed', '/politicians', '/check', '/records/quote']) {
      const { body } = await page(`${path}?q=budget&lang=fr`);
      expect(body, path).to.not.include('quota');
      expect(/<title>(.*?)<\/title>/.exec(body)?.[1], path).to.include('budget');
      expect(body.replaceAll('\u00a0', ' '), path).to.include(': budget <span aria-hidden="true">×');
    }
  });

  it('lead from an address that names a kind of record to its list, in English and French', async () => {
    for (const [typed, list] of [
      ['/ballots?q=phare', '/votes'],
      ['/scrutins', '/votes'],
      ['/promesses', '/feed?types=promise'],
      ['/quotes', '/records/quote'],
    ]) {
      const { statusCode, body } = await page(typed!);
      expect(statusCode, typed).to.equal(404);
      expect(body, typed).to.include(`<li><a href="${list}">`);
    }
  });

  it('keep in a form of days what was meant by a month, and say no count of nothing', async () => {
    const { body } = await page('/votes?since=2026-01&lang=en');
    expect(body).to.include('name="since" type="date" value="2026-01-01"');
    const nothing = (await page('/votes?q=phare&since=2031&lang=en')).body;
    expect(nothing)
      .to.include('value="2031-01-01"')
      .and.not.match(/shown 0|Few texts hold/);
  });

  it('count in a search the records of each kind in words, and tell once who somebody is', async () => {
    const { body } = await page('/search?q=Bruyevre&lang=fr');
    expect(body)
      .to.match(/>\d+\spromesses<\/a>/)
      .and.not.match(/>promesse <span/);
    const guessed = (await page('/search?q=Bruyevra&lang=fr')).body;
    const { items } = (await server.app.inject('/search.json?q=Bruyevra')).json().near;
    const profile = (await server.app.inject('/api/v1/politicians/oceane-bruyevre')).json();
    expect(items[0].snippet).to.equal(profile.current_role);
    const [, person = ''] = /<li class="item">(.*?)<\/li>/s.exec(guessed) ?? [];
    expect(person.split(items[0].snippet)).to.have.length(2);
  });

  it('of a search fold hits of one title below the best of them, and lose none', async () => {
    const { body } = await page('/search?q=trains de nuit&type=speech&lang=en');
    const { items } = (await server.app.inject('/search.json?q=trains de nuit&type=speech')).json();
    const titles = new Set(items.map(({ title }: { title: string }) => title));
    expect(titles.size).to.be.below(items.length);
    expect(body.match(/<li class="item">/g)).to.have.length(items.length);
    expect(body).to.match(/<details><summary>\d+ others with the same title<\/summary><ol/);
    expect(body.match(/with the same title/g)!.length).to.be.at.most(titles.size);
  });

  it('of the interface show blocks and words of code as such', async () => {
    const { body } = await page('/docs?lang=en');
    expect(body)
      .to.match(/<pre tabindex="0">SITE=\S+/)
      .and.include('<code>next_cursor</code>');
    expect(body).not.to.include('```');
  });

  it('tell search engines every record that is held, and what they need not ask', async () => {
    const read = async (url: string) => (await server.app.inject({ url, headers: { host: 'mirror.example' } })).body;
    expect(await read('/robots.txt'))
      .to.include('Disallow: /api/')
      .and.include('Sitemap: http://mirror.example/sitemap.xml');
    const addresses = (text: string) =>
      [...text.matchAll(/<loc>http:\/\/mirror\.example([^<]+)<\/loc>/g)].map(([, path]) =>
        path!.replaceAll('&amp;', '&'),
      );
    const files = addresses(await read('/sitemap.xml'));
    expect(files).to.include('/sitemap.xml?kind=politician&part=1');
    const all = (await Promise.all(files.map(read))).flatMap(addresses);
    expect(all).to.include('/politicians/nour-bellecume').and.include('/votes/AN/VAL1V4');
    const [politicians, ballots] = [
      await server.app.inject('/politicians.csv'),
      await server.app.inject('/votes.csv'),
    ].map(({ body }) => body.trimEnd().split('\n').length - 1);
    expect(all.filter((path) => path.startsWith('/politicians/'))).to.have.length(politicians!);
    expect(all.filter((path) => path.startsWith('/votes/'))).to.have.length(ballots!);
    const { statusCode, headers } = await server.app.inject('/favicon.ico');
    expect([statusCode, headers.location]).to.deep.equal([308, '/assets/icon.svg']);
  });

  it('show a topic with what is filed under it, and let one subscribe to it', async () => {
    const { body } = await page('/topics/retraites?lang=fr');
    expect(body).to.include('>Retraites<').and.include('href="/topics/retraites.atom?lang=fr"');
    const feed = await server.app.inject('/topics/retraites.atom');
    expect(feed.body.match(/<entry>/g)!.length).to.equal(
      (await server.app.inject('/topics/retraites.json?limit=50')).json().items.length,
    );
    expect((await page('/topics')).body).to.include('href="/topics/retraites"');
  });

  it('show each filter as a link that takes it away', async () => {
    const { body } = await page('/feed?types=promise&politician=oceane-bruyevre&lang=en');
    const [, list = ''] = /<ul class="chips" aria-label="Filters">(.*?)<\/ul>/s.exec(body) ?? [];
    expect([...list.matchAll(/<a href="([^"]+)">(.*?) <span/g)].map(([, href, text]) => [href, text])).to.deep.equal([
      ['/feed?politician=oceane-bruyevre&amp;lang=en', 'Kind: promise'],
      ['/feed?types=promise&amp;lang=en', 'Politician: Océane Bruyèvre'],
    ]);
    expect((await page('/feed?lang=en')).body).not.to.include('aria-label="Filters"');
  });

  it('show with a vote the others on the same text, and all of them on a page', async () => {
    const { body } = await page('/votes/AN/VAL1V11');
    const [, section = ''] = /<section id="text">(.*?)<\/section>/s.exec(body) ?? [];
    const all = /href="(\/texts\/[^"]+)"/.exec(section)?.[1];
    expect(section)
      .to.match(/href="\/votes\/AN\/VAL1V/)
      .and.not.include('VAL1V11');
    expect((await page(all!)).statusCode).to.equal(200);
  });

  it('keep language and moment in every link to another page', async () => {
    const { body } = await page(`/politicians/oceane-bruyevre?lang=fr&as_of=${filledAt}`);
    const links = [...body.matchAll(/href="(\/[^"]*)"/g)].map(([, href]) => href!);
    const inside = links.filter((href) => !/^\/(assets|docs|redoc)|lang=en|as_of=&|hreflang/.test(href));
    const lost = inside.filter((href) => !href.includes('lang=fr') || !href.includes('as_of='));
    expect(lost).to.deep.equal([
      // What leads back to now, and to the forms.
      ...lost.filter((href) => /^\/politicians\/oceane-bruyevre(\.\w+)?\?/.test(href)),
    ]);
    expect(body).to.include('class="banner"');
  });

  it('answer as of a moment, and say so', async () => {
    const { headers, body } = await page(`/?as_of=${filledAt}`);
    expect(headers['memento-datetime']).to.equal(new Date(filledAt).toUTCString());
    expect(body).to.include('class="banner"');
    const before = await page('/about?as_of=2020-01-01');
    expect(before.statusCode).to.equal(422);
    expect(before.body).to.include('2026-03-01');
  });

  it('are the same page for an empty field of a form as without it', async () => {
    const { statusCode, body } = await page('/feed?types=&topic=&politician=&party=');
    expect(statusCode).to.equal(200);
    expect(body).to.include('shown 20 of');
  });

  it('take names of people and parties where addresses have slugs', async () => {
    const { body } = await page('/politicians?party=Alliance%20des%20Rivages');
    expect(body).to.match(/shown \d+ of \d+/);
    const wrong = await page('/feed?topic=retraite');
    expect(wrong.statusCode).to.equal(422);
    expect(wrong.body).to.include('href="/feed?topic=retraites"');
  });

  it('suggest parties and groups wherever a form takes one, of the day and in the language of the page', async () => {
    for (const address of ['/search', '/politicians', '/affiliations', '/feed', '/changes']) {
      const { body } = await page(`${address}?lang=fr&as_of=2026-03-02`);
      const field = /<input id="f-party"[^>]*>/.exec(body)?.[0];
      expect(field, address).to.include('data-completes="/suggest.json?lang=fr&amp;as_of=2026-03-02&amp;kind=party"');
    }
  });

  it('of who joined or left are a feed, with the day as its moment and an id for each', async () => {
    const feed = (await server.app.inject('/affiliations.atom?lang=fr')).body;
    const { items } = (await server.app.inject('/affiliations.json?limit=50')).json();
    const [{ full_name, party_name, date }] = items;
    expect(feed).to.match(new RegExp(`<title>${full_name} · ${party_name} · (début|fin)`));
    expect(feed).to.include(`<published>${date}T00:00:00.000Z</published>`);
    expect(new Set(feed.match(/<id>[^<]+/g)).size).to.equal(items.length + 1);
  });

  it('of who joined tell two roles that began in one group on one day apart', async () => {
    const other = await startDemoServer({ empty: true });
    try {
      const affiliations = ['Membre', 'Présidente'].map((role) => ({
        party: 'aube',
        start: '2026-01-02',
        role,
      }));
      saveAll(other.writer, 'politician', [{ slug: 'ida-marc', full_name: 'Ida Marc', affiliations }]);
      const feed = (await other.app.inject('/affiliations.atom')).body;
      expect(new Set(feed.match(/<id>[^<]+/g)).size).to.equal(3);
    } finally {
      await other.close();
    }
  });

  it('of who moved say what was left out, and keep the choice in the form', async () => {
    const { body } = await page('/affiliations?moved=true');
    expect(body)
      .to.match(/<option value="true" selected>/)
      .and.match(/Excluded: \d+ \(/);
    expect(body)
      .to.match(/<th scope="col"[^>]*>Before<\/th>/)
      .and.not.match(/<th scope="col"[^>]*>Event<\/th>/);
    expect((await page('/affiliations')).body).to.match(/<th scope="col"[^>]*>Event<\/th>/);
  });

  it('mark what is searched for, and lead from every hit to its page', async () => {
    const { body } = await page('/search?q=port');
    expect(body).to.match(/<mark>ports?<\/mark>/i);
    const hits = [...body.matchAll(/<li class="item"><h2><a href="([^"]+)"/g)].map(([, href]) => href!);
    expect(hits).not.to.have.length(0);
    for (const href of hits.filter((each) => !each.startsWith('/votes/')))
      expect((await page(href)).statusCode, href).to.equal(200);
  });

  it('search what was promised, held and quoted too, without a kind or with a topic', async () => {
    const searchResult = async (query: string) => {
      const { items, counts } = (await page(`/search.json?q=retraites${query}`)).json();
      return { kinds: new Set(items.map(({ type }: { type: string }) => type)), counts };
    };
    const whole = await searchResult('&limit=100');
    expect([...whole.kinds]).to.include.members(['promise', 'position', 'quote', 'speech', 'ballot']);
    expect(whole.counts.quote).to.be.above(0);
    expect([...(await searchResult('&topic=retraites')).kinds]).to.include.members(['promise', 'position']);
    const { body } = await page('/search?q=retraites');
    expect(body).to.match(/<a href="\/search\?q=retraites&amp;type=quote">\d+ quotes/);
  });

  it('search among the records of one politician, by name or slug', async () => {
    for (const politician of ['oceane-bruyevre', 'Océane%20Bruyèvre']) {
      const { body } = await page(`/search?q=port&politician=${politician}`);
      const hits = [...body.matchAll(/<li class="item">.*?<\/li>/gs)].map(([hit]) => hit);
      expect(hits).not.to.have.length(0);
      for (const hit of hits) expect(hit).to.include('href="/politicians/oceane-bruyevre"');
    }
    const whole = await page('/search?q=port');
    expect(whole.body).to.include('name="politician"');
    const open = await page('/search.json?q="port&politician=oceane-bruyevre');
    expect(open.json().total).to.equal((await page('/search.json?q=port&politician=oceane-bruyevre')).json().total);
    const { statusCode, body } = await page('/search?q=port&politician=nobody');
    expect(statusCode).to.equal(422);
    expect(body).to.include('politician matches no record');
    const strange = (await page('/api/v1/search?q=port&politician=nobody')).json();
    expect([strange.items, strange.total]).to.deep.equal([[], 0]);
  });

  it('keep the days of changes in their form as they were given', async () => {
    const { body } = await page('/changes?since=2026-02-01&until=2026-03-02');
    expect(body).to.include('name="since" type="date" value="2026-02-01"');
    expect(body).to.include('name="until" type="date" value="2026-03-02"');
  });

  it('show their form, and judge no filter, where the address asks for nothing yet', async () => {
    for (const url of ['/search?topic=nothing', '/search?cursor=nothing', '/compare']) {
      const { statusCode, body } = await page(url);
      expect(statusCode, url).to.equal(200);
      expect(body).to.include('<form class="filters"');
    }
  });

  it('apply their filters to the matrix of all groups, and refuse one that names nothing', async () => {
    expect((await page('/compare?result=nothing')).statusCode).to.equal(422);
    const senate = (await page('/compare?chamber=Senat&since=2026')).body;
    expect(senate).not.to.include('Agreement of groups: Assemblée nationale');
    const [, address = ''] = /<a class="share-\d" href="([^"]+)"/.exec(senate) ?? [];
    expect(address).to.include('chamber=Senat').and.include('since=2026');
    const csv = (await page(/href="([^"]*compare\.csv[^"]*group=[^"]*)"/.exec(senate)![1]!.replaceAll('&amp;', '&')))
      .body;
    expect(csv.trim().split('\n').length, 'a line for each pair').to.equal(1 + 10);
  });

  it('say of those who sit in no group how they voted, and nothing of how they agree', async () => {
    const own = await startDemoServer({ empty: true });
    try {
      saveAll(own.writer, 'party', [{ slug: 'ni-an17', name: 'Non inscrits', chamber: 'AN' }]);
      const votes = { party: 'ni-an17', for: 2, against: 3, abstention: 0, non_voting: 1 };
      const ballot = { chamber: 'AN', scrutin_id: 'V1', title: "L'ensemble du projet de loi", date: '2026-01-01' };
      saveAll(own.writer, 'ballot', [{ ...ballot, votes_by_party: [votes] }]);
      const answer = await own.app.inject({ url: '/parties/ni-an17', headers: asBrowser });
      expect(answer.statusCode, answer.body).to.equal(200);
      expect(answer.body).to.include('href="/votes/AN/V1"').and.not.include('id="cohesion"');
    } finally {
      await own.close();
    }
  });

  it('say what was searched instead of a word with a slip, as a link', async () => {
    const { body } = await page('/search?q=Bruyevre%20Oceanne');
    expect(body).to.include('href="/politicians/oceane-bruyevre"');
  });

  it('are refused as a page, with near misses as links', async () => {
    const { statusCode, headers, body } = await page('/politicians/oceane-bruyevr');
    expect(statusCode).to.equal(404);
    expect(headers['cache-control']).to.equal('no-store');
    expect(body).to.include('href="/politicians/oceane-bruyevre"');
    expect((await page('/politician')).body).to.include('href="/politicians"');
    expect((await page('/politicians?limit=0&lang=fr')).body).to.include('<html lang="fr">');
  });

  it('say what is wrong, and what of a search was left aside, in the language of their reader', async () => {
    const pageText = async (url: string) =>
      (await page(url)).body.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll('&quot;', '"');
    const refused = await pageText('/votes?lang=fr&margin=x&limit=5');
    expect(refused).to.include('Le paramètre « margin » doit être un nombre entier.');
    expect(refused).to.include('href="/votes?lang=fr&amp;limit=5"');
    const past = await pageText('/?lang=fr&as_of=1999-01-01');
    expect(past).to.include(
      'Le paramètre « as_of » est antérieur au premier enregistrement de ce miroir, 1er mars 2026 à',
    );
    expect(await pageText('/?as_of=1999-01-01')).to.include(
      'as_of is before the first record of this mirror, 2026-03-01T06:00:00.000Z',
    );
    const strange = await pageText('/feed?lang=fr&topic=zzzz');
    expect(strange).to.include('Le paramètre « topic » ne correspond à aucun enregistrement.');
    const search = await pageText('/search?lang=fr&q=phare&party=zzzz');
    expect(search).to.include('Le paramètre « party » ne correspond à aucun enregistrement.');
    for (const body of [refused, past, strange, search]) expect(body).not.to.match(/The parameter|searched as words/);
  });

  it('let a reader choose where several bear a name, and keep all else that was asked for', async () => {
    const { statusCode, body } = await page('/feed?types=promise&politician=Camille+Rouvre');
    expect(statusCode).to.equal(422);
    expect(body).to.include('<h1>Several records have this name</h1>').and.not.include('Did you mean');
    const choices = [...body.matchAll(/<li><a href="(\/feed[^"]+)">([^<]+)<\/a>/g)];
    expect(choices.length).to.be.greaterThan(1);
    for (const [, href, text] of choices) {
      const parameters = new URL(href!.replaceAll('&amp;', '&'), 'http://localhost').searchParams;
      expect(parameters.get('types')).to.equal('promise');
      expect(text).to.equal(`Camille Rouvre · ${parameters.get('politician')}`);
      expect((await page(href!.replaceAll('&amp;', '&'))).statusCode).to.equal(200);
    }
  });

  it('show lists of a version in words, never as JSON', async () => {
    const { body } = await page('/history/politician/oceane-bruyevre?lang=fr');
    expect(body)
      .to.match(/<ul class="plain"><li><dl class="facts">/)
      .and.not.match(/\{&quot;|\[&quot;/);
  });

  it('list the contradictions within a record with its versions, and nothing where there is none', async () => {
    const own = await startDemoServer();
    try {
      const [ballot = {}] = demoRecords(kindOf('ballot'));
      const totals = { ...(ballot.totals as Document), for: 4711 };
      saveAll(own.writer, 'ballot', [{ ...ballot, scrutin_id: 'ODD', totals }]);
      const politician = demoRecords(kindOf('politician')).find(
        ({ affiliations }) => documentsIn(affiliations).length > 0,
      )!;
      const affiliations = [...documentsIn(politician.affiliations), ...documentsIn(politician.affiliations)];
      saveAll(own.writer, 'politician', [{ ...politician, slug: 'copied', affiliations }]);
      const contradictions = [...findContradictions(own.mirror)];
      for (const [kind, key] of [
        ['ballot', `${ballot.chamber}:ODD`],
        ['politician', 'copied'],
        ['politician', 'oceane-bruyevre'],
      ] as const) {
        const { body } = await own.app.inject(`/history/${kind}/${encodeURIComponent(key)}?lang=en`);
        const expected = contradictions.filter((each) => each.kind === kind && each.key === key);
        expect(body.match(/<li>contradiction: /g) ?? [], key).to.have.length(expected.length);
        expect(expected.length > 0, key).to.equal(key !== 'oceane-bruyevre');
      }
    } finally {
      await own.close();
    }
  });

  it('leave the errors of data and of the interface to programs', async () => {
    for (const url of ['/api/v1/nothing', '/api/v1/politicians/none']) {
      const { headers } = await page(url);
      expect(headers['content-type'], url).to.match(/^application\/problem\+json/);
    }
    const { headers } = await server.app.inject('/politicians/none.json');
    expect(headers['content-type']).to.match(/^application\/problem\+json/);
  });

  it('need not be sent again to who has them', async () => {
    for (const url of ['/', '/parties', '/parties.json', '/search?q=port']) {
      const { etag } = (await page(url)).headers;
      expect((await page(url, { 'if-none-match': String(etag) })).statusCode, url).to.equal(304);
    }
    const english = await page('/about?lang=en');
    const french = await page('/about?lang=fr');
    expect(english.headers.etag).not.to.equal(french.headers.etag);
  });

  it('lead from a profile to all records of each kind, where it shows only some', async () => {
    const own = await startDemoServer();
    try {
      const speech = { politician: 'oceane-bruyevre', date: '2026-02-01' };
      const spoken = Array.from({ length: 9 }, (_, at) => ({
        ...speech,
        id: `spoken-${at}`,
        text: `Mot ${at}`,
      }));
      saveAll(own.writer, 'speech', spoken);
      const read = async (path: string) => (await own.get(path, { headers: asBrowser })).text();
      const [, address = '', all] =
        /href="(\/records\/speech\?[^"]*)">All (\d+)</.exec(await read('/politicians/oceane-bruyevre?lang=en')) ?? [];
      const list = await read(address.replaceAll('&amp;', '&'));
      expect(list).to.include(`of ${all}<`).and.include('Politician: Océane Bruyèvre');
    } finally {
      await own.close();
    }
  });

  it('tell of a source what rests on it, and what came to rest on it since', async () => {
    const own = await startDemoServer();
    try {
      const read = async () => (await own.get('/sources/src-an-textes', { headers: asBrowser })).text();
      const [, before] = /Cited by (\d+) records of this copy/.exec(await read()) ?? [];
      const record = {
        id: 'new',
        title: 'Une promesse nouvelle',
        date: '2026-04-01',
        source_ids: ['src-an-textes'],
      };
      saveAll(own.writer, 'promise', [record]);
      const after = await read();
      expect(after).to.include(`Cited by ${Number(before) + 1} records of this copy`);
      expect(after).to.include('href="/records/promise/new"');
    } finally {
      await own.close();
    }
  });
});

describe('the page of a composed profile', () => {
  it('says so with its meaning, in both languages, and so does its JSON', async () => {
    const server = await startDemoServer();
    const path = '/politicians/oceane-bruyevre';
    const get = async (url: string) => (await server.app.inject({ url, headers: asBrowser })).body;
    transaction(server.writer, () => {
      saveKindState(server.writer, kindOf('politician'), { origin: 'https://transparence.example/api/v1' });
      bumpVersion(server.writer);
    });
    expect(await get('/parties/alliance-des-rivages?lang=en')).not.to.include('≈ composed');
    expect(await get(`${path}?lang=en`)).to.include('≈ composed from the datasets');
    expect(await get(`${path}?lang=fr`)).to.include('≈ composé');
    expect(JSON.parse(await get(`${path}.json`))).to.have.property('composed', true);
    await server.close();
  });
});

describe('pages of hostile records', () => {
  let server: DemoServer;
  const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)> \u202egnp.exe '"`;
  before(async () => {
    server = await startDemoServer({ empty: true });
    saveAll(server.writer, 'party', [{ slug: 'p', name: hostile, short_name: hostile, color: hostile }]);
    saveAll(server.writer, 'politician', [
      {
        slug: hostile,
        full_name: hostile,
        bio: hostile,
        website: 'javascript:alert(1)',
        party: 'p',
        affiliations: [{ party: 'p', role: hostile, start: hostile, end: '2020' }],
        source_ids: ['s', hostile],
      },
    ]);
    saveAll(server.writer, 'source', [{ id: 's', url: 'javascript:alert(1)', title: hostile, publisher: hostile }]);
    saveAll(server.writer, 'promise', [
      {
        id: hostile,
        politician: hostile,
        title: hostile,
        text: hostile,
        topic: hostile,
        date: hostile,
        source_ids: ['s'],
      },
    ]);
  });
  after(() => server.close());

  it('hold them as text alone', async () => {
    const key = encodeURIComponent(hostile);
    for (const url of [
      '/',
      '/politicians',
      `/politicians/${key}`,
      '/parties',
      '/parties/p',
      '/sources/s',
      `/records/promise/${key}`,
      '/feed',
      '/topics',
      `/search?q=${key}`,
      `/nothing/${key}`,
      `/feed?topic=${key}`,
      `/feed?topic=${key}x&lang=fr`,
    ]) {
      const { body } = await server.app.inject({ url, headers: asBrowser });
      expect(body, url).not.to.match(/<script>|<img src=x|\u202e|href="javascript:/);
      expect(body, url).to.include('</html>');
    }
  });
});

describe('pages beside a party that states no text as its name', () => {
  for (const odd of [7, true, ['x'], { toString: null }])
    it(`draw seats, and find groups by name: ${JSON.stringify(odd)}`, async () => {
      const server = await startDemoServer();
      try {
        const facts = {
          name: odd,
          short_name: odd,
          color: odd,
          chamber: odd,
          start_date: odd,
          end_date: odd,
        };
        saveAll(server.writer, 'party', [{ slug: 'odd', ...facts } as Document]);
        for (const url of [
          '/votes/AN/VAL1V1',
          '/oembed?url=http://localhost/votes/AN/VAL1V1',
          '/votes?group=adr',
          '/suggest?q=verger',
        ]) {
          const { statusCode, body } = await server.app.inject({
            url,
            headers: { ...asBrowser, host: 'localhost' },
          });
          expect(statusCode, body).to.equal(200);
        }
        expect(server.failures).to.deep.equal([]);
      } finally {
        await server.close();
      }
    });
});

describe('pages beside a politician who states no text as department and chamber', () => {
  for (const odd of [7, true, ['x'], { toString: null }])
    it(`count seats by department: ${JSON.stringify(odd)}`, async () => {
      const server = await startDemoServer();
      try {
        const before = await server.app.inject({ url: '/departments.json' });
        const person = { slug: 'odd', full_name: 'Odd', current_role: 'Odd', department: odd, chamber: odd };
        saveAll(server.writer, 'politician', [person as Document]);
        for (const url of ['/departments', '/suggest?q=haute', '/politicians?department=haute-ombre'])
          expect((await server.app.inject({ url, headers: asBrowser })).statusCode, url).to.equal(200);
        expect((await server.app.inject({ url: '/departments.json' })).json()).to.deep.equal(before.json());
        expect(server.failures).to.deep.equal([]);
      } finally {
        await server.close();
      }
    });
});

describe('pages of a politician and a party without a slug', () => {
  it('stand where lists link to them, and say their names', async () => {
    const server = await startDemoServer({ empty: true });
    try {
      // In one list: without a key, a similar name in a later list is the same record, edited.
      const people = ['', true, null, {}].map((slug, at) => ({ slug, full_name: `Sans Nom ${at}` }) as Document);
      saveAll(server.writer, 'politician', people);
      saveAll(server.writer, 'party', [{ slug: '', name: 'Parti sans nom' }]);
      const get = async (url: string) => (await server.app.inject({ url, headers: asBrowser })).body;
      for (const [list, count] of [
        ['/politicians', 4],
        ['/parties', 1],
      ] as const) {
        const text = await get(list);
        const links = [...text.matchAll(new RegExp(`href="(${list}/sha256[^"]*)"[^>]*>([^<]+)<`, 'g'))];
        expect(links, list).to.have.length(count);
        for (const [, url, name] of links) expect(await get(url!), url).to.include(`<h1>${name}<`);
      }
    } finally {
      await server.close();
    }
  });
});

describe('the files that pages load', () => {
  it('are kept by browsers for good, under a path that changes with them; others and refusals are not', async () => {
    const server = await startDemoServer();
    try {
      const { body } = await server.app.inject({ url: '/about', headers: asBrowser });
      const urls = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, url]) => url!);
      expect(new Set(urls)).to.have.property('size', 3);
      const cachingOf = async (url: string, headers = {}) => {
        const { statusCode, headers: sent } = await server.app.inject({ url, headers });
        return `${statusCode} ${sent['cache-control']}`;
      };
      const ofSheet = urls.find((url) => url.endsWith('.css'))!;
      for (const url of [...urls, ofSheet.replace('pages.css', 'colours.css')])
        expect(await cachingOf(url), url).to.equal('200 public, max-age=31536000, immutable');
      expect(await cachingOf(ofSheet, { 'if-none-match': '*' })).to.equal('304 public, max-age=31536000, immutable');
      for (const url of ['/assets/pages.css', '/assets/0000/pages.css'])
        expect(await cachingOf(url), url).to.equal('200 public, max-age=60, must-revalidate');
      expect(await cachingOf(ofSheet.replace('pages.css', 'none.css'))).to.equal('404 no-store');
    } finally {
      await server.close();
    }
  });
});

describe('pages under limits', () => {
  it('count as one with all that they load, apart from the calls of the interface', async () => {
    const server = await startDemoServer({ settings: { rateLimit: true }, clock: () => 0 });
    try {
      const remainingRequests = async (url: string) =>
        (await server.app.inject({ url, headers: asBrowser })).headers.ratelimit as string | undefined;
      expect(await remainingRequests('/about')).to.match(/^"pages";r=239;/);
      expect(await remainingRequests('/assets/pages.css')).to.equal(undefined);
      expect(await remainingRequests('/')).to.match(/^"pages";r=238;/);
      expect(await remainingRequests('/api/v1/parties')).to.match(/^"anonymous";r=59;/);
    } finally {
      await server.close();
    }
  });
});
