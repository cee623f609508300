import { expect } from 'chai';
import { type DemoServer, saveAll, startDemoServer } from './demo-server.ts';

describe('the page of contradictions', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
    const votes_by_party = [{ party: 'parti-du-verger', for: 1 }];
    saveAll(server.writer, 'ballot', [{ scrutin_id: 'VAL0V1', chamber: 'AN', date: '1950-01-01', votes_by_party }]);
    saveAll(server.writer, 'source', [{ id: 'src-without', title: 'Sans adresse' }], '2026-03-02T06:00:00.000Z');
  });
  after(() => server.close());

  it('counts them by rule, and lists those of one with both figures and a link to the record', async () => {
    const rules = await (await server.get('/contradictions?lang=fr')).text();
    expect(rules).to.include('une source a une adresse').and.include('rule=no-address');
    const page = await (await server.get('/contradictions?rule=no-address&lang=en')).text();
    expect(page).to.include('/sources/src-without').and.include('Both figures are shown as published');
    const french = await (await server.get('/contradictions?rule=group-days&lang=fr')).text();
    expect(french).to.include('premier jour de parti-du-verger').and.not.include('first day of');
    const csv = await (await server.get('/contradictions.csv?rule=no-address')).text();
    expect(csv).to.include('src-without');
    expect((await server.get('/contradictions?rule=none')).status).to.equal(422);
    expect(await (await server.get('/about?lang=en')).text()).to.include('/contradictions');
  });
});
