import { expect } from 'chai';
import { phares, pharesPeople } from '../helpers/phares.ts';
import { type DemoServer, saveAll, startDemoServer } from './demo-server.ts';

describe('members on pages', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
    saveAll(server.writer, 'party', phares, '2026-11-03T00:00:00.000Z');
    saveAll(server.writer, 'politician', pharesPeople, '2026-11-03T00:00:00.000Z');
  });
  after(() => server.close());

  const page = async (path: string) => (await server.get(path)).text();
  const partOf = (text: string, id: string) => text.slice(text.indexOf(`id="${id}"`)).split('</section>')[0]!;

  it('are listed apart from those attached financially, and counted with what is counted', async () => {
    const text = await page('/parties/parti-des-phares?lang=en');
    expect(text).to.include(
      '2 today (affiliations); 2 financially attached, counted apart; 208 stated by the service, undated',
    );
    expect(partOf(text, 'members')).to.include('Members today').and.include('ada-jetee').and.not.include('bea-digue');
    expect(partOf(text, 'financially_attached')).to.include('bea-digue').and.include('cleo-mole');
    expect(partOf(text, 'no_lasting_affiliation')).to.include('dora-quai').and.include('ella-bac');
    const french = await page('/parties/parti-des-phares?lang=fr');
    expect(french)
      .to.include('2 rattachés financièrement, comptés à part')
      .and.include('Cités sans appartenance en cours');
  });

  it('are counted in the list of parties beside the number of the service', async () => {
    const text = await page('/parties?lang=en');
    for (const heading of ['Members today', 'Financially attached', 'Stated, undated'])
      expect(text).to.include(heading);
    expect(
      text
        .split('parti-des-phares')[1]!
        .replace(/<[^>]*>/g, ' ')
        .split(/\s+/),
    ).to.include.members(['2', '208']);
  });

  it('are told from attached politicians in lists and on their own pages', async () => {
    expect(await page('/politicians?party=PDP&lang=en')).to.include('financial attachment (derived)');
    const text = await page('/politicians/bea-digue?lang=fr');
    expect(text.match(/rattachement financier \(déduit du premier jour\)/g)).to.have.length(2);
    expect(await page('/politicians/ada-jetee?lang=en')).not.to.include('financial attachment');
  });

  it('are told in the CSV files of lists', async () => {
    const people = await page('/politicians.csv?party=PDP');
    expect(people.split(/\r?\n/)[0]).to.match(/,party_link$/);
    expect(people).to.match(/^bea-digue,.*,financial attachment \(derived\)\r?$/m);
    const parties = await page('/parties.csv');
    expect(parties.split(/\r?\n/)[0]).to.match(/,members_today,attached_today$/);
    expect(parties).to.match(/^parti-des-phares,.*,208,.*,2,2\r?$/m);
  });
});
