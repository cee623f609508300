import { expect } from 'chai';
import { type DemoServer, saveAll, startDemoServer } from './demo-server.ts';

describe('the page that checks a quotation', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
  });
  after(() => server.close());
  const page = async (query: Record<string, string> = {}, path = '/check') =>
    (await server.app.inject({ url: path, query: { lang: 'fr', ...query }, headers: { accept: 'text/html' } })).body;

  it('is an empty form, to which the search and the plan of the site lead', async () => {
    const body = await page();
    expect(body).to.include('id="f-q"').and.include('peut néanmoins être authentique').and.not.include('<table');
    for (const path of ['/search', '/sitemap']) expect(await page({}, path)).to.include('href="/check?lang=fr"');
  });

  it('says whether the words stand in a record, whose they are, and leads to it', async () => {
    const body = await page({ q: 'On greffe en mars' });
    expect(body).to.match(/<th scope="row"[^>]*><span lang="fr">On greffe en mars<\/span>/);
    expect(body)
      .to.include('>exact<')
      .and.match(/href="\/records\/\w+\/[^"]+"/);
    expect(body)
      .to.match(/href="\/politicians\/[^"]+"/)
      .and.match(/<time datetime=/);
    expect(await page({ q: 'une phrase que personne ici ne dit jamais' })).to.include('>introuvable<');
  });

  it('shows the words in which a quotation differs from the record', async () => {
    const body = await page({ q: 'Nous demandons pourquoi il s’arrête au bord de la jetée', lang: 'en' });
    expect(body).to.match(/quoted “[^”]*bord[^”]*”, recorded “[^”]*pied[^”]*”/);
  });

  it('counts its rows alone, though other records have the same passage', async () => {
    const own = await startDemoServer({ empty: true });
    const text = 'La digue du nord tiendra encore cent ans';
    saveAll(
      own.writer,
      'quote',
      ['2026-01-02', '2026-01-02'].map((date, at) => ({ id: `q${at}`, text, date })),
    );
    try {
      const answer = async (ending: string) =>
        await own.app.inject({
          url: `/check${ending}`,
          query: { q: text, lang: 'en' },
          headers: { accept: 'text/html' },
        });
      expect((await answer('.json')).json().items.map(({ copies }: { copies: number }) => copies)).to.deep.equal([1]);
      expect((await answer('')).body).to.include('<p>shown 1 of 1</p>');
    } finally {
      await own.close();
    }
  });

  it('takes a text of several lines, up to a length that an address can hold', async () => {
    const body = await page({ q: 'On greffe en mars\r\n'.repeat(90) });
    expect(body.match(/<td [^>]*>exact</g)).to.have.length(90);
  });

  it('reads an article for the votes that it states, and gives the rows as files', async () => {
    const verdicts = [
      ['exact', 'Le scrutin n° 4 de l’Assemblée a été adopté par 58 voix contre 14.'],
      ['contredit', 'Le 4 novembre 2025, le scrutin n° 4 de l’Assemblée a été adopté par 57 voix contre 14.'],
      // A number alone may be of another legislature.
      ['à peu près', 'Le scrutin n° 4 de l’Assemblée a été rejeté par 3 voix contre 2.'],
      ['introuvable', 'Le scrutin n° 9999 de l’Assemblée a été rejeté par 3 voix contre 2.'],
    ] as const;
    let checked = '';
    for (const [verdict, q] of verdicts) {
      checked = await page({ q, article: 'true' });
      expect(/data-label="Résultat">([^<]+)</.exec(checked)?.[1], q).to.equal(verdict);
    }
    expect(checked)
      .to.match(/<textarea [^>]*maxlength="1800">Le scrutin n° 9999/)
      .and.include('hemicycle check --file');
    const { items } = (await server.app.inject({ url: '/check.json', query: { q: 'On greffe en mars' } })).json();
    expect(items[0].quoted).to.equal('On greffe en mars');
    expect((await server.app.inject('/check.csv')).body.split('\n')[0]).to.include('quoted,result');
  });
});
