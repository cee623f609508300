import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { type DemoServer, demoRecords, saveAll, startDemoServer } from './demo-server.ts';

type List = {
  items: Record<string, unknown>[];
  total: number | null;
  next_cursor: string | null;
  suggestions?: { parameter: string; value: string }[];
};
type Problem = {
  status: number;
  detail: string;
  errors: { parameter: string }[];
  suggestions?: { value: string }[];
};

/** When the demo server's records came, and a moment before and after. */
const longAgo = '2020-01-01';

describe('questions beyond the interface', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
  });
  after(() => server.close());
  const list = async (path: string) => (await (await server.get(`/api/v1${path}`)).json()) as List;
  const problem = async (path: string) => (await (await server.get(`/api/v1${path}`)).json()) as Problem;

  it('resolves names of groups on the service’s own paths as on the others, and finds nothing for unknown ones', async () => {
    for (const path of ['/politicians', '/feed']) {
      const bySlug = await list(`${path}?group=alliance-des-rivages&limit=5`);
      expect(bySlug.total, path).to.be.greaterThan(0);
      expect((await list(`${path}?group=ADR&limit=5`)).total, path).to.equal(bySlug.total);
      expect((await list(`${path}?group=xyzzy`)).total, path).to.equal(0);
    }
  });

  describe('/ballots', () => {
    const all = () => demoRecords(kindOf('ballot')) as Record<string, unknown>[];

    it('lists every ballot, the newest first, without its votes by party', async () => {
      const { items, total } = await list('/ballots?limit=100');
      expect(total).to.equal(all().length);
      expect(items).to.have.length(all().length);
      const dates = items.map(({ date }) => String(date ?? ''));
      expect(dates).to.deep.equal(dates.toSorted().reverse());
      expect(items[0]).not.to.have.property('votes_by_party');
      expect(items[0]).to.have.property('margin');
    });

    it('finds those on which every group asked about took the position that the source states', async () => {
      const { items, total } = await list('/ballots?voted=ADR:for,PDV:for&voted=UDC:against&limit=100');
      const stance = (ballot: Record<string, unknown>, slug: string) =>
        (ballot.votes_by_party as { party: string; position: string | null }[]).find(({ party }) => party === slug)
          ?.position;
      const expected = all().filter(
        (ballot) =>
          stance(ballot, 'alliance-des-rivages') === 'pour' &&
          stance(ballot, 'parti-du-verger') === 'pour' &&
          stance(ballot, 'union-des-clairieres') === 'contre',
      );
      expect(expected).not.to.deep.equal([]);
      expect(total).to.equal(expected.length);
      expect(items.map(({ scrutin_id }) => scrutin_id)).to.have.members(expected.map(({ scrutin_id }) => scrutin_id));
      expect(items[0]!.voted).to.have.length(3);
    });

    it('knows no margin where a count is not published, and that of a motion of censure by what it needed', async () => {
      const { items } = await list('/ballots?limit=100');
      const byId = new Map(items.map((item) => [item.scrutin_id, item]));
      expect(byId.get('VAL1V7')).to.include({ margin: 16, required: 51 });
      expect(byId.get('VAL1V11')).to.include({ margin: 0 });
      expect(byId.get('2026-1')).to.include({ margin: null });
      const close = await list('/ballots?margin=5&sort=margin');
      const margins = close.items.map(({ margin }) => margin as number);
      expect(margins).to.deep.equal(margins.toSorted((a, b) => a - b));
      expect(Math.max(...margins)).to.be.at.most(5);
    });

    it('is walked by cursors, each ballot once, in either order', async () => {
      for (const sort of ['date', 'margin']) {
        const whole = await list(`/ballots?sort=${sort}&limit=100`);
        const walked: unknown[] = [];
        for (let cursor: string | null = ''; cursor !== null; ) {
          const page: List = await list(`/ballots?sort=${sort}&limit=7${cursor ? `&cursor=${cursor}` : ''}`);
          walked.push(...page.items);
          cursor = page.next_cursor;
        }
        expect(walked).to.deep.equal(whole.items);
      }
    });

    it('filters by words, days, chamber, result and dissent', async () => {
      const { items } = await list('/ballots?q=retraites&chamber=AN&since=2025-11-01&until=2025-11-30&result=adopté');
      expect(items.map(({ scrutin_id }) => scrutin_id)).to.include('VAL1V4');
      const dissenting = await list('/ballots?dissent=40%25&limit=100');
      expect(dissenting.total).to.be.greaterThan(0).and.lessThan(all().length);
      expect((await list('/ballots?dissent=0.41&limit=100')).total).to.be.at.most(dissenting.total!);
    });

    it('refuses a name of nothing with near ones, and a bad value by its parameter', async () => {
      const unknown = await problem('/ballots?voted=ADX:for');
      expect(unknown).to.include({ status: 422 });
      expect(unknown.errors[0]).to.include({ parameter: 'voted', message: 'matches no record' });
      const result = await problem('/ballots?result=adoptée');
      expect(result.suggestions![0]).to.include({ value: 'adopté' });
      expect((await problem('/ballots?voted=ADR')).errors[0]).to.include({ parameter: 'voted' });
      expect((await problem('/ballots?dissent=2')).errors[0]).to.include({ parameter: 'dissent' });
      // A party that is known and voted in no ballot is told so, not answered with an empty list.
      expect((await problem('/ballots?voted=oeuvre-commune:for')).errors[0]).to.include({
        parameter: 'voted',
      });
      const damaged = Buffer.from('["ballots date","abc",1]').toString('base64url');
      expect((await problem(`/ballots?cursor=${damaged}`)).errors[0]).to.include({ parameter: 'cursor' });
    });
  });

  describe('/topics', () => {
    it('counts every topic for each kind', async () => {
      const { items, total } = await list('/topics');
      const promises = demoRecords(kindOf('promise')) as { topic: string | null }[];
      const logement = promises.filter(({ topic }) => topic === 'logement').length;
      expect(total).to.equal(items.length);
      expect(items.find(({ topic }) => topic === 'logement')).to.have.nested.property('kinds.promise', logement);
    });

    it('is what an empty list of the interface hints at where a filter matches no record', async () => {
      const { items, suggestions } = await list('/feed?topic=logemnt');
      expect(items).to.deep.equal([]);
      expect(suggestions![0]).to.include({ parameter: 'topic', value: 'logement' });
      const { suggestions: parties } = await list('/politicians?party=alliance-des-rivage');
      expect(parties![0]).to.include({ parameter: 'party', value: 'alliance-des-rivages' });
      expect(await list('/feed?topic=logement')).not.to.have.property('suggestions');
    });
  });

  describe('/records/{kind}/{key}', () => {
    it('gives any record whole, and near ones for a key of none', async () => {
      const [source] = demoRecords(kindOf('source'));
      const response = await server.get(`/api/v1/records/source/${source!.id}`);
      expect(await response.json()).to.deep.equal(source);
      const ballot = await (await server.get('/api/v1/records/ballot/AN:VAL1V4')).json();
      expect(ballot).to.deep.equal(await (await server.get('/api/v1/votes/VAL1V4')).json());
      const missing = await problem('/records/politician/oceane-bruyevra');
      expect(missing).to.include({ status: 404 });
      expect(missing.suggestions![0]).to.include({ kind: 'politician', key: 'oceane-bruyevre' });
      expect((await problem('/records/ministry/x')).errors[0]).to.include({ parameter: 'kind' });
      const byName = await (await server.get('/api/v1/records/party/ADR')).json();
      expect(byName).to.include({ slug: 'alliance-des-rivages' });
      const lower = await (await server.get('/api/v1/records/ballot/an:VAL1V4')).json();
      expect(lower).to.deep.equal(ballot);
    });
  });
});

describe('the past over HTTP', () => {
  let server: DemoServer;
  let then: string;
  beforeEach(async () => {
    server = await startDemoServer();
    const first = server.mirror.column<string>('SELECT max(first_seen) FROM record').get()!;
    then = new Date(Date.parse(first) + 1).toISOString();
    const parties = demoRecords(kindOf('party')).map((party) =>
      party.slug === 'parti-du-verger' ? { ...party, name: 'Parti des Vergers réunis' } : party,
    );
    saveAll(server.writer, 'party', parties, new Date(Date.parse(first) + 60_000).toISOString());
    saveAll(
      server.writer,
      'content',
      [{ id: 'later-1', title: 'Zygomatique', date: '2026-01-01' }],
      new Date(Date.parse(first) + 60_000).toISOString(),
    );
  });
  afterEach(() => server.close());

  it('is what the mirror had seen by then, on every endpoint that reads, and says of when it is', async () => {
    const now = (await (await server.get('/api/v1/parties/parti-du-verger')).json()) as { name: string };
    expect(now.name).to.equal('Parti des Vergers réunis');
    const past = await server.get(`/api/v1/parties/parti-du-verger?as_of=${then}`);
    expect(((await past.json()) as { name: string }).name).to.equal('Parti du Verger');
    expect(past.headers.get('memento-datetime')).to.equal(new Date(then).toUTCString());
    const paths = ['politicians', 'parties', 'feed', 'audit', 'ballots', 'topics', 'search?q=port', 'changes'];
    for (const path of [...paths, 'search/semantic?q=port', 'votes/VAL1V4', 'history/party/parti-du-verger']) {
      const answer = await server.get(`/api/v1/${path}${path.includes('?') ? '&' : '?'}as_of=${then}`);
      expect(answer.status, path).to.equal(200);
      expect(answer.headers.get('memento-datetime'), path).to.equal(new Date(then).toUTCString());
    }
  });

  it('finds by search what stood then, and nothing that came later', async () => {
    const hits = async (path: string) => ((await (await server.get(`/api/v1${path}`)).json()) as List).items;
    expect(await hits('/search?q=zygomatique')).to.have.length(1);
    expect(await hits(`/search?q=zygomatique&as_of=${then}`)).to.deep.equal([]);
    expect(await hits('/search?q="vergers+réunis"&type=party')).to.have.length(1);
    expect(await hits(`/search?q="vergers+réunis"&type=party&as_of=${then}`)).to.deep.equal([]);
    expect(await hits(`/search?q=verger&type=party&as_of=${then}`)).to.have.length(1);
  });

  it('refuses a moment before the first record, or still to come, on every endpoint that reads', async () => {
    for (const path of ['politicians', 'search?q=port', 'changes', 'history/party/parti-du-verger', 'ballots'])
      for (const moment of [longAgo, '2999-01-01']) {
        const answer = await server.get(`/api/v1/${path}${path.includes('?') ? '&' : '?'}as_of=${moment}`);
        const body = (await answer.json()) as Problem;
        expect(answer.status, `${path} ${moment}`).to.equal(422);
        expect(body.errors[0]!.parameter).to.equal('as_of');
      }
    expect((await server.get('/api/v1/parties?as_of=hiver+2026')).status).to.equal(422);
  });

  it('is what a dataset export holds, too', async () => {
    const exported = async (query: string) =>
      (await server.get(`/api/v1/export/dataset?entity=parties${query}`)).text();
    expect(await exported('')).to.include('Parti des Vergers réunis');
    expect(await exported(`&as_of=${then}`))
      .to.include('Parti du Verger')
      .and.not.include('réunis');
    expect((await server.get(`/api/v1/export/dataset?entity=parties&as_of=${longAgo}`)).status).to.equal(422);
  });

  it('is answered 304 to who has it', async () => {
    const address = `/api/v1/parties?as_of=${then}`;
    const etag = (await server.get(address)).headers.get('etag')!;
    const again = await server.get(address, { headers: { 'if-none-match': etag } });
    expect([again.status, again.headers.get('memento-datetime')]).to.deep.equal([304, new Date(then).toUTCString()]);
  });

  it('tells changes page by page, and of the past only what was seen by then', async () => {
    const changes = async (query: string) => (await (await server.get(`/api/v1/changes?${query}`)).json()) as List;
    const newest = await changes(`since=${then}`);
    expect(newest.items.map(({ change, key }) => `${change} ${key}`)).to.have.members([
      'edited parti-du-verger',
      'added later-1',
    ]);
    expect((await changes(`since=${longAgo}&as_of=${then}&kind=party`)).items[0]).to.include({
      change: 'added',
    });
    const whole = await changes(`since=${longAgo}&limit=100`);
    const walked: unknown[] = [];
    for (let cursor: string | null = ''; walked.length < 100; ) {
      const page = await changes(`since=${longAgo}&limit=9${cursor ? `&cursor=${cursor}` : ''}`);
      walked.push(...page.items);
      cursor = page.next_cursor;
    }
    expect(walked.slice(0, 99)).to.deep.equal(whole.items.slice(0, 99));
  });
});
