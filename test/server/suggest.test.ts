import { expect } from 'chai';
import { saveMeta } from '../../src/store/mirror.ts';
import { type DemoServer, filledAt, saveAll, startDemoServer } from './demo-server.ts';

type Suggestion = { name: string; about: string; href: string; value?: string };

describe('suggestions while one types', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer({ settings: { basePath: '/below' } });
  });
  after(() => server.close());
  const suggest = async (query: Record<string, string>, from = server) =>
    (await from.app.inject({ url: '/suggest.json', query })).json<{ items: Suggestion[]; told: string }>();
  const namesOf = async (query: Record<string, string>) => (await suggest(query)).items.map(({ name }) => name);

  it('begin with who bears the name, whatever the accents and capitals, and lead to the page', async () => {
    for (const q of ['bruy', 'BRUYÈ', 'bruyevre oc', 'oceane', 'Bruyevres']) {
      const { items } = await suggest({ q });
      const [first] = items.filter(({ href }) => href.startsWith('/below/politicians/'));
      expect(first, q).to.deep.include({
        name: 'Océane Bruyèvre',
        href: '/below/politicians/oceane-bruyevre',
        value: 'oceane-bruyevre',
      });
    }
  });

  it('guess no name for a word that texts say, as the name of a town', async () => {
    const own = await startDemoServer();
    saveAll(own.writer, 'politician', [{ slug: 'ada-lille', full_name: 'Ada Gillé', last_name: 'Gillé' }]);
    const town = (id: number) => ({
      id: `town-${id}`,
      title: 'Logement',
      text: `La ville de Lille loge ${id} élèves.`,
    });
    saveAll(own.writer, 'content', [1, 2, 3, 4, 5].map(town));
    try {
      expect((await suggest({ q: 'lille' }, own)).items).to.deep.equal([]);
      expect((await suggest({ q: 'pille' }, own)).items.map(({ name }) => name)).to.deep.equal(['Ada Gillé']);
    } finally {
      await own.close();
    }
  });

  it('put surnames that begin so before first names, and whoever holds an office before others', async () => {
    const own = await startDemoServer({ empty: true });
    const person = (slug: string, first_name: string, last_name: string, more = {}) => ({
      ...{ slug, first_name, last_name, full_name: `${first_name} ${last_name}`, ...more },
    });
    saveAll(own.writer, 'politician', [
      person('a', 'Barnabé', 'Orme'),
      person('b', 'Ada', 'Barques'),
      person('c', 'Zoé', 'Bardane', { current_role: 'Sénatrice (Gironde)', department: 'Gironde' }),
    ]);
    saveMeta(own.writer, 'synced_at', filledAt);
    try {
      const { items } = await suggest({ q: 'bar' }, own);
      expect(items.map(({ name }) => name)).to.deep.equal(['Zoé Bardane', 'Ada Barques', 'Barnabé Orme']);
      for (const q of ['33', 'giron', '33800']) {
        const [suggestion] = (await suggest({ q, lang: 'fr' }, own)).items.filter(({ href }) =>
          href.startsWith('/departments/Gironde'),
        );
        expect(suggestion?.about, q).to.match(/^département/);
      }
      expect((await suggest({ q: '33800' }, own)).items[0]?.about).to.equal('usual department of postcode 33800');
      expect((await suggest({ q: '20000' }, own)).items).to.deep.equal([]);
    } finally {
      await own.close();
    }
  });

  it('tell people of one name apart by role, group and years, and fill a filter with what names one of them', async () => {
    const own = await startDemoServer({ empty: true });
    saveAll(own.writer, 'party', [{ slug: 'grp', name: 'Groupe des Phares', start_date: '2020-01-01' }]);
    saveAll(own.writer, 'politician', [
      { slug: 'jean-orme-1', full_name: 'Jean Orme', birth_date: '1920-05-01', death_date: '1999-01-01' },
      { slug: 'jean-orme-2', full_name: 'Jean Orme', current_role: 'Sénateur (Lot)', group: 'grp' },
    ]);
    saveMeta(own.writer, 'synced_at', filledAt);
    try {
      const { items, told } = await suggest({ q: 'jean orme', kind: 'politician', lang: 'fr' }, own);
      expect(told).to.equal('2 suggestions');
      expect(items.map(({ about, value }) => [about, value])).to.have.deep.members([
        ['1920–1999', 'jean-orme-1'],
        ['Sénateur (Lot) · Groupe des Phares', 'jean-orme-2'],
      ]);
    } finally {
      await own.close();
    }
  });

  it('offer parties by a word or short name, with the slug for a filter', async () => {
    for (const q of ['ADR', 'alli', 'RIVÁGES', 'riv']) {
      const { items } = await suggest({ q, kind: 'party' });
      expect(items[0], q).to.include({ name: 'Alliance des Rivages', value: 'alliance-des-rivages' });
      expect(items[0]?.about).to.equal('ADR · party · 1995–');
    }
  });

  it('go on with topics and texts that were voted on', async () => {
    const { items } = await suggest({ q: 'retraites des gard' });
    expect(items.find(({ href }) => href.includes('/texts/'))?.about).to.match(/^text with \d+ ballots?$/);
    expect(await namesOf({ q: 'retrait' })).to.include('retraites');
  });

  it('are at most eight, none for a letter or nothing, and say how many in the language of the page', async () => {
    expect(await namesOf({ q: 'de' })).to.have.length.of.at.most(8);
    for (const q of ['a', ' ', '"', '-']) expect((await suggest({ q })).items, q).to.deep.equal([]);
    expect((await suggest({ q: 'zzzzz' })).told).to.equal('0 suggestions');
    expect((await suggest({ q: 'zzzzz', lang: 'fr' })).told).to.equal('0 suggestion');
  });

  it('stand above the results of a search as pages: departments, topics and texts that were voted on', async () => {
    const { body } = await server.app.inject({
      url: '/search?q=retraites',
      headers: { accept: 'text/html' },
    });
    expect(body).to.match(/<ul class="plain meant"><li><a href="\/below\/topics\/retraites"/);
    expect(body).to.match(/href="\/below\/texts\/[^"]+"[^>]*>[^<]*retraites/);
    const next = await server.app.inject({ url: '/search?q=zzzz', headers: { accept: 'text/html' } });
    expect(next.body).not.to.include('meant');
  });
});

describe('results of a search', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
  });
  after(() => server.close());
  const resultsOf = async (q: string, type: string) => {
    const url = `/search?q=${encodeURIComponent(q)}&type=${type}`;
    const { body } = await server.app.inject({ url, headers: { accept: 'text/html' } });
    return [...body.matchAll(/<li class="item"><h2>[\s\S]*?<p class="meta">(.*?)<\/p>/g)].map(([, meta]) =>
      meta!.replaceAll(/<[^>]+>/g, ''),
    );
  };

  it('answer: who somebody is, how a vote ended as the source says, whose stance it is', async () => {
    expect((await resultsOf('bruyevre', 'politician'))[0]).to.match(
      /^politician · Députée \(Côtes-Cendrées, 1re circonscription\) · Alliance des Rivages · 1979–$/,
    );
    expect((await resultsOf('trains de nuit', 'ballot'))[0]).to.match(/^ballot · .* · \w+.*: \d+ for, \d+ against/);
    const stances = await resultsOf('retraites', 'position');
    expect(
      stances.some((meta) => /· (pour|contre|nuancé|favorable|opposé)/i.test(meta)),
      stances.join('\n'),
    ).to.equal(true);
  });
});
