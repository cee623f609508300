import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import type { ObservedResponse } from '../../src/server/response-observers.ts';
import { askPlainly, type DemoServer, demoRecords, type PlainAnswer, saveAll, startDemoServer } from './demo-server.ts';

const list = '/api/v1/politicians?limit=3';

function withoutDate({ headers: { date: _date, ...headers }, ...answer }: PlainAnswer) {
  return { ...answer, headers };
}

describe('an answer that is given again', () => {
  let server: DemoServer;
  const answered: ObservedResponse[] = [];
  beforeEach(async () => {
    answered.length = 0;
    server = await startDemoServer({
      settings: { allowedHosts: ['data.example'] },
      observers: [(each) => answered.push(each)],
    });
  });
  afterEach(() => server.close());

  for (const coding of ['identity', 'br', 'gzip']) {
    it(`is the same in every header and byte (${coding})`, async () => {
      for (const path of [list, '/api/v1/feed?limit=50']) {
        const first = await askPlainly(server.url + path, { 'accept-encoding': coding });
        const again = await askPlainly(server.url + path, { 'accept-encoding': coding });
        expect(first.status).to.equal(200);
        expect(withoutDate(again)).to.deep.equal(withoutDate(first));
      }
    });
  }

  it('is 304 to who has it, with the headers that 304 has', async () => {
    const { headers } = await askPlainly(server.url + list);
    const conditionalHeaders = { 'if-none-match': headers.etag! };
    const first = await askPlainly(`${server.url}/api/v1/politicians?limit=3&sort=name`, conditionalHeaders);
    const again = await askPlainly(server.url + list, conditionalHeaders);
    const dated = await askPlainly(server.url + list, { 'if-modified-since': headers['last-modified']! });
    expect([first.status, again.status, dated.status]).to.deep.equal([304, 304, 304]);
    expect(withoutDate(again)).to.deep.equal(withoutDate(first));
    expect(withoutDate(dated)).to.deep.equal(withoutDate(first));
  });

  it('is another one as soon as the mirror has changed', async () => {
    await askPlainly(server.url + list);
    const before = await askPlainly(server.url + list);
    const changed = demoRecords(kindOf('politician')).map((record) => ({
      ...record,
      bio: 'Something else.',
    }));
    saveAll(server.writer, 'politician', changed);
    const after = await askPlainly(server.url + list);
    expect(before.bytes.toString()).not.to.contain('Something else.');
    expect(after.bytes.toString()).to.contain('Something else.');
    expect(after.headers.etag).not.to.equal(before.headers.etag);
  });

  it('is refused under another host, with a wrong token, and to another method', async () => {
    await askPlainly(server.url + list);
    const refused = [
      await askPlainly(server.url + list, { host: 'elsewhere.example' }),
      await askPlainly(server.url + list, { authorization: 'Bearer wrong' }),
      await askPlainly(server.url + list, {}, 'DELETE'),
    ];
    expect(refused.map(({ status }) => status)).to.deep.equal([421, 401, 405]);
    expect((await askPlainly(server.url + list, { host: 'data.example' })).status).to.equal(200);
  });

  it('is told to the log and the metrics like the first', async () => {
    await askPlainly(server.url + list);
    await askPlainly(server.url + list);
    expect(answered.map(({ isCached }) => isCached)).to.deep.equal([false, true]);
    const logEntries = answered.map(({ ms: _ms, isCached: _cached, ...each }) => each);
    expect(logEntries[1]).to.deep.equal(logEntries[0]);
    expect(logEntries[1]).to.deep.include({ status: 200, route: '/api/v1/politicians', caller: 'anonymous' });
  });
});
