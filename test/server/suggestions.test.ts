import { expect } from 'chai';
import { copiesOfOneText } from '../questions/parameter-grid.ts';
import { type DemoServer, saveAll, startDemoServer } from './demo-server.ts';

const words = encodeURIComponent('gardiens xylophage');

describe('suggestions over HTTP', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
    saveAll(server.writer, 'content', copiesOfOneText);
  });
  after(() => server.close());

  const text = async (path: string) => (await server.app.inject(path)).body;
  const json = async (path: string) => JSON.parse(await text(path));

  it('are items of the service’s own search, which says so and counts none', async () => {
    for (const path of ['/search', '/search/semantic']) {
      const { items, total, relaxed, next_cursor, near } = await json(`/api/v1${path}?q=${words}`);
      expect(items, path).not.to.be.empty;
      expect([total, relaxed, next_cursor, near], path).to.deep.equal([0, 'any-word', null, undefined]);
    }
    expect(await json('/api/v1/search?q=gardiens')).to.include({ relaxed: null });
    expect((await json(`/api/v1/search?q=${words}&type=content`)).items).to.deep.equal([]);
  });

  it('stand apart from the items everywhere else, and in no file or feed', async () => {
    for (const path of ['/search.json', '/votes.json', '/api/v1/ballots']) {
      const { items, total, near } = await json(`${path}?q=${words}`);
      expect([items, total], path).to.deep.equal([[], 0]);
      expect(near, path).to.include({ relaxed: 'any-word' });
      expect(near.total, path).to.be.at.least(near.items.length);
    }
    for (const page of ['/search', '/votes']) {
      expect((await text(`${page}.csv?q=${words}`)).trim().split('\n'), page).to.have.length(1);
      expect(await text(`${page}.atom?q=${words}`), page).not.to.include('<entry>');
      const html = await text(`${page}?q=${words}&lang=en`);
      expect(html, page).to.match(/id="suggestions"><h2>Suggestions, \d+ of \d+:/);
      expect(html.indexOf('class="none"'), page).to.be.within(0, html.indexOf('id="suggestions"'));
    }
  });

  it('are left out where another filter narrows, and where something matches', async () => {
    for (const path of [
      `/votes.json?q=${words}&chamber=AN`,
      `/votes.json?q=${words}&margin=0`,
      `/votes.json?q=${words}&voted=ADR:for`,
      `/search.json?q=${words}&topic=retraites`,
      '/votes.json?q=gardiens',
    ])
      expect(await json(path), path).not.to.have.property('near');
  });

  it('are not the only way to a person whose name has a slip', async () => {
    const { items, near } = await json('/search.json?q=Bruyevra');
    expect(items).to.deep.equal([]);
    expect(near.items[0]).to.include({ slug: 'oceane-bruyevre', matched: 'corrected' });
  });

  it('do not fold copies: only the page does, and names their authors', async () => {
    const path = `q=${encodeURIComponent('retrait des gardiens de phare')}`;
    const ids = ({ items }: { items: { id?: string }[] }) => items.filter(({ id }) => id?.startsWith('copy-'));
    expect(ids(await json(`/api/v1/search?${path}&type=content`))).to.have.length(5);
    const [folded, ...otherHits] = ids(await json(`/api/v1/search?${path}&type=content&all_copies=false`));
    expect(otherHits).to.deep.equal([]);
    expect(folded).to.deep.include({ copies: 4, co_authors: ['a', 'b', 'c', 'oceane-bruyevre'] });
    expect(await text(`/search?${path}&type=content&lang=en`)).to.match(/4 others with the same text: a, b, c, <a /);
  });
});
