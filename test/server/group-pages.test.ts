import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';

describe('pages of groups', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
  });
  after(() => server.close());
  const page = async (path: string) => (await server.get(path)).text();
  const items = async (path: string): Promise<Document[]> =>
    ((await (await server.get(path)).json()) as { items: Document[] }).items;

  it('show how often a group agrees with each other group of its chamber, the closest first, with the votes counted', async () => {
    const body = await page('/parties/alliance-des-rivages');
    const others = [...body.matchAll(/href="\/compare\?group=alliance-des-rivages&amp;group=([^"]+)"/g)].map(
      ([, slug]) => slug!,
    );
    const groups = [...new Set(others)].filter((slug) => slug !== 'majority');
    expect(groups).not.to.have.length(0);
    const pairs = await Promise.all(
      groups.map((slug) => items(`/compare.json?group=alliance-des-rivages&group=${slug}`)),
    );
    const cells = [...body.matchAll(/data-label="Agreement"><a href="\/compare[^>]*>([^<]+)</g)].map(
      ([, cell]) => cell!,
    );
    // Of few votes, the cell says how many of how many.
    const shares = cells.map((cell) => cell.match(/\d+/g)!.map(Number)).map(([one, all = 100]) => one! / all);
    expect(shares).to.have.length(pairs.flat().length);
    expect(shares).to.deep.equal(shares.toSorted((one, other) => other - one));
    for (const { n } of pairs.flat()) expect(body).to.include(`data-label="Votes counted">${n}<`);
  });

  it('show the votes in which a group was divided, and search its votes on whole texts', async () => {
    const body = await page('/parties/alliance-des-rivages');
    const divided = await items('/votes.json?dissent=alliance-des-rivages:0.2&limit=5');
    for (const { chamber, scrutin_id: id } of divided) expect(body).to.include(`/votes/${chamber}/${id}`);
    expect(body).to.include('/votes?dissent=alliance-des-rivages%3A0.2');
    expect(body).to.match(/<form class="filters" action="\/votes">[\s\S]*?name="group" value="alliance-des-rivages"/);
  });

  it('have none of it for a party that does not vote', async () => {
    expect(await page('/parties/parti-du-verger')).to.include('<h1>');
  });
});
