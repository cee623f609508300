import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { type DemoServer, demoRecords, saveAll, startDemoServer } from './demo-server.ts';

type Item = { slug?: string; id?: string; type?: string; full_name?: string };
type List = { items: Item[]; total: number; next_cursor: string | null };

describe('lists', () => {
  let server: DemoServer;
  beforeEach(async () => {
    server = await startDemoServer();
  });
  afterEach(() => server.close());

  const list = async (path: string) => (await (await server.get(`/api/v1${path}`)).json()) as List;

  async function walk(path: string, between: () => void = () => {}): Promise<Item[]> {
    const items: Item[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: List = await list(`${path}${cursor ? `&cursor=${cursor}` : ''}`);
      items.push(...page.items);
      cursor = page.next_cursor;
      between();
    }
    return items;
  }

  it('have items, a total and a next cursor, and records as they were stored, with nothing derived', async () => {
    const parties = await list('/parties');
    expect(Object.keys(parties)).to.deep.equal(['items', 'total', 'next_cursor']);
    expect(parties).to.include({ total: 8, next_cursor: null });
    expect(parties.items).to.have.deep.members(demoRecords(kindOf('party')));
    const politicians = await list('/politicians?limit=100');
    expect(politicians.items).to.have.deep.members(demoRecords(kindOf('politician')));
    expect((await list('/audit')).total).to.equal(60);
  });

  for (const sort of ['name', 'freshness', 'updated_at']) {
    it(`of politicians by ${sort} are walked whole, each exactly once`, async () => {
      const items = await walk(`/politicians?limit=7&sort=${sort}`);
      expect(new Set(items.map(({ slug }) => slug)).size).to.equal(50);
      expect(items).to.have.length(50);
    });
  }

  it('of the moderation log are walked whole, of all records or of one type', async () => {
    const entries = demoRecords(kindOf('audit'));
    expect(await walk('/audit?limit=7')).to.have.deep.members(entries);
    const promises = await walk('/audit?limit=2&entity_type=promise');
    expect(promises).to.deep.equal(await walk('/audit?limit=200&entity_type=promise'));
    expect(promises).to.have.deep.members(entries.filter(({ entity_type: type }) => type === 'promise'));
  });

  it('are walked exactly once while a sync adds records before and behind', async () => {
    let added = 0;
    const items = await walk('/feed?limit=40', () => {
      added += 1;
      saveAll(server.writer, 'promise', [
        { id: `new-${added}`, title: 'Un pont de plus', date: '2027-01-01' },
        { id: `old-${added}`, title: 'Un vieux pont', date: '1999-01-01' },
      ]);
    });
    const ids = items.map(({ type, id }) => `${type}:${id}`);
    expect(new Set(ids).size).to.equal(ids.length);
    const original = (['content', 'promise', 'position'] as const).flatMap((name) =>
      demoRecords(kindOf(name)).map(({ id }) => `${name}:${id}`),
    );
    expect(ids).to.include.members(original);
    expect(ids.some((id) => id.includes('new-'))).to.equal(false);
  });

  it('show a sync at the next request, with no restart', async () => {
    const before = await server.get('/api/v1/politicians/zelie-pontaven');
    expect(before.status).to.equal(404);
    saveAll(server.writer, 'politician', [{ slug: 'zelie-pontaven', full_name: 'Zélie Pontaven' }]);
    const profile = await server.get('/api/v1/politicians/zelie-pontaven');
    expect(await profile.json()).to.include({ full_name: 'Zélie Pontaven' });
    expect((await list('/politicians')).total).to.equal(51);
    expect((await list('/search?q=pontaven')).items[0]).to.include({ slug: 'zelie-pontaven' });
  });

  it('of the feed carry the type of each item and filter by it', async () => {
    const items = await walk('/feed?types=promise,position&limit=50');
    expect(new Set(items.map(({ type }) => type))).to.deep.equal(new Set(['promise', 'position']));
    const all = await list('/feed');
    expect(all.total).to.equal(140 + 66 + 95);
  });
});

describe('single records', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
  });
  after(() => server.close());

  it('of politicians are full profiles', async () => {
    const profile = await (await server.get('/api/v1/politicians/aicha-dunevive')).json();
    expect(profile).to.include({ slug: 'aicha-dunevive', full_name: 'Aïcha Dunevive' });
    expect(profile).to.include.keys('bio', 'positions', 'quotes', 'affiliations', 'sources', 'current_role');
  });

  it('of parties have members and sources', async () => {
    const party = await (await server.get('/api/v1/parties/union-des-clairieres')).json();
    expect(party).to.include.keys('description', 'members', 'sources');
  });

  it('of ballots are told apart by chamber', async () => {
    const ballot = await (await server.get('/api/v1/votes/VAL1V7')).json();
    expect(ballot).to.include({ scrutin_id: 'VAL1V7', chamber: 'AN', required: 51 });
    expect((await server.get('/api/v1/votes/VAL1V7?chamber=Senat')).status).to.equal(404);
    expect((await server.get('/api/v1/votes/2026-9?chamber=Senat')).status).to.equal(200);
  });

  it('that do not exist are 404 with a sentence and near misses', async () => {
    const slug = await server.get('/api/v1/politicians/aicha-dunevivve');
    expect(slug.status).to.equal(404);
    const problem = (await slug.json()) as { detail: string; suggestions: object[] };
    expect(problem.detail).to.match(/^[A-Z].*\.$/);
    expect(problem.suggestions).to.deep.include({ slug: 'aicha-dunevive', full_name: 'Aïcha Dunevive' });
    for (const path of ['/politicians/AICHA-DUNEVIVE', '/parties/none', '/votes/none', '/nothing', '/politicians/']) {
      const response = await server.get(`/api/v1${path}`);
      expect(response.status, path).to.equal(404);
      expect(response.headers.get('content-type')).to.match(/^application\/problem\+json/);
      expect(await response.json()).to.include({ status: 404, title: 'Not Found' });
    }
  });
});

describe('searches', () => {
  let server: DemoServer;
  afterEach(() => server.close());

  const ask = async (path: string) => (await server.get(`/api/v1${path}`)).json() as Promise<{ items: Item[] }>;

  it('say how they were made, and fall back to full text', async () => {
    server = await startDemoServer();
    const answer = await ask('/search?q=dunevive');
    expect(answer).to.include({ query: 'dunevive', mode: 'fulltext', fallback: false });
    expect(answer.items[0]).to.include({ type: 'politician', slug: 'aicha-dunevive' });
    expect(answer.items[0]).to.include.keys('title', 'snippet', 'score');
    const semanticAnswer = await ask('/search/semantic?q=que%20faire%20pour%20les%20for%C3%AAts');
    expect(semanticAnswer).to.include({ mode: 'fulltext', fallback: true });
    expect(semanticAnswer.items).not.to.have.length(0);
  });

  it('are semantic where that is enabled', async () => {
    server = await startDemoServer({ settings: { semantic: true } });
    expect(await ask('/search/semantic?q=for%C3%AAts')).to.include({ mode: 'semantic', fallback: false });
  });
});
