import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { saveMeta } from '../../src/store/mirror.ts';
import { withdraw } from '../../src/store/saving/withdrawals.ts';
import { transaction } from '../../src/store/transaction.ts';
import { readPromises } from './contract-document.ts';
import { type DemoServer, demoRecords, saveAll, startDemoServer } from './demo-server.ts';

const asBrowser = { accept: 'text/html' };

describe('the page of a withdrawn record', () => {
  let server: DemoServer;
  const withdrawn = demoRecords(kindOf('promise'))[0]!;
  const key = String(withdrawn.id);
  before(async () => {
    server = await startDemoServer();
    const { writer } = server;
    const find = writer.column<number>('SELECT id FROM record WHERE kind = ? AND key = ?');
    transaction(writer, () => {
      for (const [kind, each] of [
        ['promise', key],
        ['politician', 'oceane-bruyevre'],
        ['ballot', 'AN:VAL1V4'],
      ])
        withdraw(writer, find.get(kind, each)!, '2026-03-03T05:00:00.000Z');
    });
  });
  after(() => server.close());

  for (const [path, lastText] of [
    [`/records/promise/${key}`, String(withdrawn.text ?? withdrawn.title)],
    ['/politicians/oceane-bruyevre', 'Bruyèvre'],
    ['/votes/AN/VAL1V4', 'retraites des gardiens'],
  ] as const)
    it(`answers 410 at ${path}, with the day, what it last said, and its history`, async () => {
      const { statusCode, headers, body } = await server.app.inject({
        url: `${path}?lang=fr`,
        headers: asBrowser,
      });
      expect(statusCode).to.equal(410);
      expect(headers['x-robots-tag']).to.equal('noindex');
      expect(body).to.match(/<title>Retiré le 3\smars\s2026/);
      const plain = body.replaceAll('&#39;', '’').replaceAll('&quot;', '"');
      expect(plain).to.include(lastText.slice(0, 40).replaceAll("'", '’'));
      expect(body).to.match(/href="\/history\/(promise|politician|ballot)\//);
    });

  it('is a problem with the same facts for programs, which the endpoints of the interface do not know', async () => {
    const ours = await server.app.inject(`/api/v1/records/promise/${key}`);
    expect(ours.statusCode).to.equal(410);
    expect(ours.json().withdrawn).to.deep.include({
      ...{ kind: 'promise', key, withdrawn_at: '2026-03-03T05:00:00.000Z', document: withdrawn },
    });
    const { items: versions } = (await server.app.inject(`/api/v1/history/promise/${key}`)).json();
    expect(ours.json().withdrawn.history).to.deep.equal(versions);
    expect(versions[0]).to.include({ ended_by: 'withdrawn' });
    const later = await server.app.inject(`/api/v1/records/promise/${key}?as_of=2026-03-04`);
    expect([later.statusCode, later.json().withdrawn.history]).to.deep.equal([410, versions]);
    const asData = await server.app.inject(`/records/promise/${key}.json`);
    expect([asData.statusCode, asData.headers['x-robots-tag']]).to.deep.equal([410, 'noindex']);
    for (const path of ['/politicians/oceane-bruyevre.json', '/votes/AN/VAL1V4.json']) {
      const page = await server.app.inject(path);
      expect([page.statusCode, page.json().withdrawn?.withdrawn_at], path).to.deep.equal([
        410,
        '2026-03-03T05:00:00.000Z',
      ]);
    }
    for (const path of ['politicians/oceane-bruyevre', 'votes/VAL1V4'])
      expect((await server.app.inject(`/api/v1/${path}`)).statusCode, path).to.equal(404);
  });

  it('is described wherever records are asked for, with what the problem holds', async () => {
    const promises = readPromises((await server.app.inject('/openapi.json')).json());
    const naming = promises.operations.filter(({ responses }) => '404' in responses && '429' in responses);
    const silent = naming.filter(({ responses }) => !('410' in responses)).map(({ path }) => path);
    const nameNone = ['/api/v1/texts/{text}', '/api/v1/ask/{name}', '/api/v1/mirror'];
    expect(silent).to.deep.equal(nameNone);
    const record = promises.operations.find(({ path }) => path === '/api/v1/records/{kind}/{key}')!;
    const { body } = await server.app.inject(`/api/v1/records/promise/${key}`);
    const expectedAnswer = { status: 410, type: 'application/problem+json' };
    expect(promises.faultOfBody(record, expectedAnswer, JSON.parse(body))).to.equal(null);
  });
});

describe('the CSV file of a list', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
    const speeches = Array.from({ length: 1203 }, (_, n) => ({
      id: `s${n}`,
      text: `Discours ${n}`,
      date: '2026-01-01',
    }));
    saveAll(server.writer, 'speech', speeches, '2026-03-02T00:00:00.000Z');
    saveMeta(server.writer, 'synced_at', '2026-03-02T00:00:00.000Z');
  });
  after(() => server.close());
  const csv = async (path: string, headers = {}) => {
    const answer = await server.app.inject({ url: path, headers });
    return { ...answer, status: answer.statusCode, rows: answer.body.trimEnd().split('\n').slice(1) };
  };
  const total = async (path: string) => (await server.app.inject(path)).json().total;

  it('holds every row, in order, and says so to programs', async () => {
    const { rows, headers } = await csv('/records/speech.csv');
    expect(rows.length).to.equal(await total('/api/v1/records/speech?limit=1'));
    expect(new Set(rows).size).to.equal(rows.length);
    expect(headers['content-type']).to.match(/^text\/csv; charset=utf-8; header=present$/);
    expect(headers['content-disposition']).to.equal('attachment; filename="speech.csv"');
    const again = await csv('/records/speech.csv', { 'if-none-match': headers.etag });
    expect(again.status).to.equal(304);
  });

  it('has every column of the kinds that it lists, behind those of the page', async () => {
    const headOf = async (path: string) => (await csv(path)).body.split('\n', 1)[0]!.split(',');
    for (const [path, kinds] of [
      ['/records/source.csv', ['source']],
      ['/records/speech.csv', ['speech']],
      ['/feed.csv', ['content', 'promise', 'position']],
      ['/feed.csv?types=promise', ['promise']],
      ['/topics/retraites.csv', ['content', 'promise', 'position']],
    ] as const) {
      const own = kinds.flatMap((kind) => kindOf(kind).columns.map(({ name }) => name));
      expect(await headOf(path), path).to.include.members(own);
    }
    const [promise] = demoRecords(kindOf('promise'));
    const { body } = await csv('/records/promise.csv');
    expect(body).to.include(String(promise!.text));
  });

  it('is one that a spreadsheet takes, without formulas, and in French where asked for', async () => {
    const [promise] = demoRecords(kindOf('promise'));
    saveAll(server.writer, 'speech', [{ ...promise!, id: 'formula', title: '=1+1' }]);
    const row = async (query: string) =>
      (await csv(`/records/speech.csv${query}`)).body.split('\n').find((each) => each.startsWith('formula'));
    expect(await row('')).to.match(/,=1\+1(,|$)/);
    expect(await row('?spreadsheet=safe')).to.match(/,'=1\+1(,|$)/);
    expect(await row('?spreadsheet=fr')).to.match(/;'=1\+1(;|$)/);
    expect((await csv('/records/speech.csv?spreadsheet=fr')).body).to.match(/^\ufeff/);
    expect((await csv('/records/speech.csv?spreadsheet=xls')).status).to.equal(422);
  });

  it('holds the filtered rows of lists that take long, too, and only as many as a limit says', async () => {
    expect((await csv('/changes.csv?since=2020-01-01')).rows.length).to.be.greaterThan(1203);
    expect((await csv('/votes.csv?chamber=AN')).rows.length).to.equal(
      await total('/api/v1/ballots?chamber=AN&limit=1'),
    );
    expect((await csv('/records/speech.csv?limit=3')).rows.length).to.equal(3);
    expect((await csv('/votes.csv?voted=nobody:for')).status).to.equal(422);
  });

  it('says on its page how many rows it has', async () => {
    const { body } = await server.app.inject({ url: '/records/speech?lang=en', headers: asBrowser });
    expect(body).to.match(/<a href="[^"]*\.csv[^"]*"[^>]*>CSV \(1,2\d\d rows\)<\/a>/);
  });
});

describe('a version of a record', () => {
  it('leads to the page on that date', async () => {
    const server = await startDemoServer();
    const { body } = await server.app.inject({
      url: '/history/politician/oceane-bruyevre',
      headers: asBrowser,
    });
    expect(body).to.match(/href="\/politicians\/oceane-bruyevre\?as_of=2026-03-01/);
    await server.close();
  });
});
