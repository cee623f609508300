import { expect } from 'chai';
import { type DemoServer, startDemoServer } from './demo-server.ts';

type Problem = { detail: string; errors: { parameter: string; message: string }[] };

describe('parameters', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
  });
  after(() => server.close());

  const refused: [path: string, parameter: string, message: RegExp][] = [
    ['/politicians?limit=0', 'limit', /at least 1/],
    ['/politicians?limit=-1', 'limit', /at least 1/],
    ['/politicians?limit=101', 'limit', /at most 100/],
    ['/politicians?limit=ten', 'limit', /whole number/],
    ['/politicians?limit=1.5', 'limit', /whole number/],
    ['/politicians?limit=0x10', 'limit', /whole number/],
    ['/politicians?limit=1e1', 'limit', /whole number/],
    ['/politicians?limit=%2010', 'limit', /whole number/],
    ['/politicians?limit=99999999999999999999', 'limit', /whole number/],
    ['/politicians?limit=1&limit=2', 'limit', /only once/],
    ['/politicians?sort=age', 'sort', /one of name, freshness, updated_at/],
    ['/politicians?q=a%00b', 'q', /U\+0000/],
    ['/politicians?cursor=damaged', 'cursor', /does not belong to this list/],
    ['/politicians?cursor=WyJmZWVkIiwiMjAyNiIsMV0', 'cursor', /does not belong to this list/],
    ['/feed?limit=51', 'limit', /at most 50/],
    ['/feed?types=quote', 'types', /one of content, promise, position/],
    ['/feed?topic=a&topic=b', 'topic', /only once/],
    ['/feed?cursor=%00', 'cursor', /U\+0000/],
    ['/search', 'q', /required/],
    ['/search?q=', 'q', /required/],
    ['/search?q=%20%09', 'q', /required/],
    [`/search?q=${'a'.repeat(2001)}`, 'q', /at most 2000 characters/],
    ['/search?q=a&limit=101', 'limit', /at most 100/],
    ['/search?q=a&type=audit', 'type', /one of politician, party, content/],
    ['/search/semantic?q=a&k=51', 'k', /at most 50/],
    ['/search/semantic?q=a&k=0', 'k', /at least 1/],
    ['/search/semantic', 'q', /required/],
    ['/votes/VAL1V1?chamber=an', 'chamber', /one of AN, Senat/],
    ['/votes/VAL1V1?chamber=AN&chamber=Senat', 'chamber', /only once/],
    ['/audit?limit=201', 'limit', /at most 200/],
    ['/export/dataset', 'entity', /required/],
    ['/export/dataset?entity=audit', 'entity', /one of politicians, parties/],
    ['/export/dataset?entity=politicians&format=xml', 'format', /one of csv, parquet/],
  ];
  for (const [path, parameter, message] of refused) {
    it(`refuses ${path.slice(0, 60)} and names the parameter`, async () => {
      const response = await server.get(`/api/v1${path}`);
      const problem = (await response.json()) as Problem;
      expect(response.status).to.equal(422);
      expect(response.headers.get('content-type')).to.match(/^application\/problem\+json/);
      expect(response.headers.get('cache-control')).to.equal('no-store');
      expect(problem.errors.map((error) => error.parameter)).to.deep.equal([parameter]);
      expect(problem.errors[0]!.message).to.match(message);
      expect(problem.detail).to.include(parameter);
    });
  }

  const counts: [path: string, count: number][] = [
    ['/politicians', 20],
    ['/politicians?limit=1', 1],
    ['/politicians?limit=100', 50],
    ['/politicians?q=', 20],
    ['/feed', 20],
    ['/feed?limit=50', 50],
    ['/feed?limit=50&types=promise,%20promise', 50],
    ['/audit', 20],
    ['/audit?limit=200', 60],
    ['/search?q=ministre&limit=1', 1],
    ['/search?q=projet&type=ballot&limit=2', 2],
    ['/search/semantic?q=les%20ports,%20la%20mer,%20les%20phares%20et%20le%20logement', 20],
    ['/search/semantic?q=les%20ports,%20la%20mer,%20les%20phares%20et%20le%20logement&k=50', 50],
    ['/search/semantic?q=port&topic=no-such-topic', 0],
    ['/politicians?unknown=1&unknown=2&limit=3', 3],
    ['/politicians?constructor=1&__proto__=2&limit=3', 3],
  ];
  for (const [path, count] of counts) {
    it(`answers ${count} items for ${path}`, async () => {
      const response = await server.get(`/api/v1${path}`);
      expect(response.status).to.equal(200);
      expect(((await response.json()) as { items: unknown[] }).items).to.have.length(count);
    });
  }

  it('takes an empty form field, and an empty end of a list, for not given', async () => {
    const answer = async (path: string) => {
      const response = await server.get(`/api/v1${path}`);
      expect(response.status, path).to.equal(200);
      return response.json();
    };
    const feed = await answer('/feed');
    expect(await answer('/feed?types=&topic=&politician=&party=&cursor=&limit=&as_of=')).to.deep.equal(feed);
    expect(await answer('/feed?types=content,')).to.deep.equal(await answer('/feed?types=content'));
    expect(await answer('/feed?types=content&types=')).to.deep.equal(await answer('/feed?types=content'));
    expect(await answer('/politicians?limit=&sort=&party=')).to.deep.equal(await answer('/politicians'));
  });

  it('names every bad parameter at once', async () => {
    const response = await server.get('/api/v1/feed?limit=0&types=x&cursor=damaged%00');
    const { errors } = (await response.json()) as Problem;
    expect(errors.map(({ parameter }) => parameter)).to.have.members(['limit', 'types', 'cursor']);
  });

  it('survives whatever a query can hold', async () => {
    const odd = ['"', '*', 'AND', 'NEAR(', '{name}:x', "'; DROP TABLE record;--", '%FF', '%F0%9F', '\u202e', '(('];
    for (const text of [...odd.map((each) => (each.startsWith('%') ? each : encodeURIComponent(each))), '%00x']) {
      for (const path of ['/search?q=', '/search/semantic?q=', '/politicians?q=', '/feed?topic=', '/politicians/']) {
        const { status } = await server.get(`/api/v1${path}${text}`);
        expect([200, 400, 404, 422], `${path}${text}`).to.include(status);
      }
    }
    const long = await server.get(`/api/v1/search?q=${'mot '.repeat(499).replaceAll(' ', '%20')}`);
    expect(long.status).to.equal(200);
    expect(server.failures).to.deep.equal([]);
  });
});
