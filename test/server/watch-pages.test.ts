import { expect } from 'chai';
import { type DemoServer, startDemoServer } from './demo-server.ts';
import { watchPromises } from './promise-watch.ts';

describe('what watches told', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer({ settings: { isOperators: true } });
  });
  after(() => server.close());
  const html = { accept: 'text/html' };

  it('is nothing on a page that says how to begin, and then stands there, with feeds, and without secrets', async () => {
    const empty = await server.app.inject({ url: '/watches', headers: html });
    expect([empty.statusCode, empty.body]).to.satisfy(
      ([status, body]: [number, string]) => status === 200 && body.includes('hemicycle watch add'),
    );
    expect((await server.app.inject('/watches/promesses.atom')).statusCode).to.equal(404);
    await watchPromises(server);
    const page = await server.app.inject({ url: '/watches?lang=fr', headers: html });
    expect(page.statusCode).to.equal(200);
    expect(page.body)
      .to.include('<h1>Veilles</h1>')
      .and.include('feed --types promise')
      .and.include('href="/watches/promesses.atom"')
      .and.include('Une &lt;neuve&gt;');
    const atom = await server.app.inject('/watches/promesses.atom');
    expect(atom.headers['content-type']).to.equal('application/atom+xml; charset=utf-8');
    expect(atom.body)
      .to.include('/records/promise/neuve"/>')
      .and.match(/Nouveau : promesse, « Une .*»/);
    for (const { body } of [page, atom]) expect(body).to.not.match(/whsec_|geheim|receiver\.example/);
    const { etag } = atom.headers;
    const again = await server.app.inject({
      url: '/watches/promesses.atom',
      headers: { 'if-none-match': etag! },
    });
    expect(again.statusCode).to.equal(304);
    for (const name of ['promesses', 'none.atom', 'promesses.xml'])
      expect((await server.app.inject(`/watches/${name}`)).statusCode, name).to.equal(404);
  });
});
