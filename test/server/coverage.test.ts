import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { ballots } from '../../src/questions/ballots.ts';
import { itemsAt, refusalAt } from '../questions/question-results.ts';
import { type DemoServer, saveAll, startDemoServer } from './demo-server.ts';

const asBrowser = { accept: 'text/html', host: 'mirror.example' };
const covered = [
  { kind: 'ballot', chamber: 'AN', first: '2026-01-05', last: '2026-02-02', records: 3 },
  { kind: 'ballot', chamber: 'Senat', first: '2026-02-03', last: '2026-02-03', records: 1 },
];

describe('a served list of ballots', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer({ empty: true });
    const totals = { for: 3, against: 1, abstention: 0, non_voting: 0 };
    const ballot = (scrutin_id: string, date: string, more: Document): Document => ({
      ...{ scrutin_id, date, totals, chamber: 'AN', title: 'Sur les fanaux', votes_by_party: [] },
      ...more,
    });
    saveAll(server.writer, 'ballot', [
      ballot('S-1', '2026-01-05', { type: 'motion de censure', result: 'rejeté' }),
      ballot('S-2', '2026-01-09', { type: 'Motion de censure', result: 'Rejeté' }),
      ballot('S-3', '2026-02-02', { type: 'motion de censure', result: 'rejeté' }),
      ballot('S-4', '2026-02-03', { type: 'scrutin public', result: 'adopté', chamber: 'Senat' }),
    ]);
    saveAll(server.writer, 'promise', [{ id: 'p-1', topic: 'fanaux', title: 'Plus de fanaux', date: '2026-01-01' }]);
  });
  after(() => server.close());
  const json = async (url: string) => (await server.app.inject({ url, headers: { host: 'mirror.example' } })).json();
  const page = async (url: string) => (await server.app.inject({ url, headers: asBrowser })).body;

  it('states its coverage where it is empty or bounded, and not otherwise', async () => {
    expect(await json('/api/v1/ballots?q=zzqxzzq')).to.deep.include({ items: [], coverage: covered });
    expect(await json('/api/v1/ballots?since=2026-02-01')).to.deep.include({ total: 2, coverage: covered });
    expect(await json('/api/v1/ballots?chamber=AN&until=2020')).to.deep.include({ coverage: covered.slice(0, 1) });
    expect(await json('/api/v1/ballots')).not.to.have.property('coverage');
  });

  it('leaves the endpoints of the interface as they are, and states it in the files of their pages', async () => {
    for (const url of ['/search?q=zzqxzzq', '/feed?since=2030', '/politicians?q=zzqxzzq', '/audit'])
      expect(await json(`/api/v1${url}`), url).not.to.have.property('coverage');
    const { coverage } = await json('/feed.json?topic=fanaux&types=promise&since=2030');
    expect(coverage).to.deep.equal([
      { kind: 'promise', chamber: null, first: '2026-01-01', last: '2026-01-01', records: 1 },
    ]);
  });

  it('shows it on pages, in both languages', async () => {
    expect(await page('/votes?since=2027')).to.include(
      '<p class="meta coverage">In this mirror ballots of the Assemblée nationale run from 5 January 2026 to 2 February 2026 (3); ballots of the Sénat are of 3 February 2026 (1).</p>',
    );
    expect(await page('/votes?topic=fanaux&lang=fr')).to.include(
      'Thème\u00a0: non renseigné pour les 4\u00a0scrutins.',
    );
    expect(await page('/search?q=zzqxzzq&type=promise')).to.include(
      'In this mirror promises are of 1 January 2026 (1).',
    );
    expect(await page('/votes')).not.to.include('class="meta coverage"');
  });

  it('takes spellings that differ by case alone as one value, and shows each record as its source spells it', async () => {
    for (const type of ['motion de censure', 'Motion de censure', 'MOTION DE CENSURE']) {
      const items = await itemsAt(server.mirror, ballots, { type, result: 'rejeté', sort: 'oldest' });
      expect(items.map((each) => [each.type, each.result])).to.deep.equal([
        ['motion de censure', 'rejeté'],
        ['Motion de censure', 'Rejeté'],
        ['motion de censure', 'rejeté'],
      ]);
    }
    expect((await json('/api/v1/ballots?type=Motion%20de%20censure')).total).to.equal(3);
  });

  it('offers one of these spellings, as near miss and as option of a form', async () => {
    const { hint } = await refusalAt(server.mirror, ballots, { type: 'motion de cencure' });
    expect(hint!.match(/motion de censure/gi)).to.deep.equal(['motion de censure']);
    const body = await page('/votes?type=Motion%20de%20censure');
    expect(body.match(/<option[^>]*motion de censure[^>]*>/gi)).to.deep.equal([
      '<option value="motion de censure" selected>',
    ]);
  });
});
