import { expect } from 'chai';
import { type DemoServer, startDemoServer } from './demo-server.ts';

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
      .to.match(/>(exact|à peu près)</)
      .and.match(/href="\/records\/\w+\/[^"]+"/);
    expect(body)
      .to.match(/href="\/politicians\/[^"]+"/)
      .and.match(/<time datetime=/);
    expect(await page({ q: 'une phrase que personne ici ne dit jamais' })).to.include('>introuvable<');
  });

  it('reads an article for the votes that it states, and gives the rows as files', async () => {
    const q = 'Le scrutin n° 4 de l’Assemblée a été rejeté par 3 voix contre 2.';
    expect(await page({ q, article: 'true' })).to.match(/>(contredit|à peu près|introuvable)</);
    const { items } = (await server.app.inject({ url: '/check.json', query: { q: 'On greffe en mars' } })).json();
    expect(items[0].quoted).to.equal('On greffe en mars');
    expect((await server.app.inject('/check.csv')).body.split('\n')[0]).to.include('quoted,result');
  });
});
