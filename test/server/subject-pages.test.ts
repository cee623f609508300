import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { saveSubjects } from '../helpers/demo-subject.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';

describe('pages of subjects', () => {
  let server: DemoServer;
  beforeEach(async () => {
    server = await startDemoServer();
  });
  afterEach(() => server.close());

  const page = async (url: string) => (await server.get(url)).text();
  const json = async (url: string) => (await server.get(url)).json() as Promise<{ items: Document[] }>;

  it('list the operator’s subjects before the built-in ones, each with its words', async () => {
    const { items } = await json('/subjects.json');
    expect(items.map(({ name }) => name)).to.include('retraites');
    await saveSubjects(server.mirror.path, { vergers: ['word: pommiers', 'person: oceane-bruyevre'] });
    const [first] = (await json('/subjects.json?limit=1')).items;
    expect(first).to.deep.equal({ name: 'vergers', rules: ['word: pommiers', 'person: oceane-bruyevre'] });
    const body = await page('/subjects');
    expect(body).to.include('pommiers, person: oceane-bruyevre');
    expect(body.indexOf('/subjects/vergers')).to.be.within(0, body.indexOf('/subjects/retraites'));
  });

  it('show the last votes on whole texts with the positions of groups, and the words that put them there', async () => {
    const body = await page('/subjects/retraites');
    const { items } = await json('/api/v1/ballots?subject=retraites&nature=whole&limit=5');
    expect(items).not.to.have.length(0);
    for (const { chamber, scrutin_id: id } of items) expect(body).to.include(`href="/votes/${chamber}/${id}"`);
    expect(body).to.match(/<p class="meta">(Pour|Contre|Abstention): [^<]+<\/p>/);
    expect(body, 'its only word is stated once').to.include('>retraite</span>').and.not.include('here for:');
    await saveSubjects(server.mirror.path, { champs: ['word: retraites', 'word: gardiens'] });
    expect(await page('/subjects/champs')).to.include('here for: retraites<');
    expect(body).to.include('/votes?subject=retraites&amp;nature=whole');
  });

  it('lead to a text and back', async () => {
    const [, address] = /href="(\/texts\/[^"]+)"/.exec(await page('/subjects/retraites')) ?? [];
    expect(await page(address!)).to.include('href="/subjects/retraites"');
  });

  it('have a feed of what changes in a subject, and no page for an unknown name', async () => {
    const feed = await page('/subjects/retraites.atom');
    expect(feed)
      .to.match(/<entry>/)
      .and.include('retraites');
    const response = await server.get('/subjects/retraitess', { headers: { accept: 'text/html' } });
    expect(response.status).to.equal(404);
    expect((await server.get('/texts/zorglub')).status).to.equal(404);
    for (const path of ['/texts/retraitess', '/api/v1/texts/retraitess']) {
      const misspelt = await server.get(path);
      expect(misspelt.status, path).to.equal(404);
      expect(await misspelt.text(), path).to.include('projet de loi relatif aux retraites des gardiens');
    }
    expect(await response.text()).to.include('>retraites<');
  });

  it('take an operator’s subject in place of the built-in one of its name', async () => {
    await saveSubjects(server.mirror.path, { Retraites: ['word: pommiers'] });
    expect(await page('/subjects/retraites'))
      .to.include('pommiers')
      .and.not.include('>retraite<');
    expect((await json('/subjects.json')).items.filter(({ name }) => /^retraites$/i.test(String(name)))).to.have.length(
      1,
    );
  });

  it('change with the rules of a subject, without a sync', async () => {
    const rules = async (words: string) => saveSubjects(server.mirror.path, { veille: [`word: ${words}`] });
    await rules('trains');
    for (const _ of [1, 2, 3]) expect(await page('/subjects/veille')).to.include('>trains<');
    await rules('gardiens');
    expect(await page('/subjects/veille')).to.include('>gardiens<');
  });
});
