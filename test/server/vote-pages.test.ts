import { expect } from 'chai';
import { readBallot, stanceOf } from '../../src/model/ballot.ts';
import { ballotSentence } from '../../src/model/ballot-sentence.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { groupVotesNote } from '../../src/server/pages/views/group-votes.ts';
import { saveMeta } from '../../src/store/mirror.ts';
import { type DemoServer, demoRecords, filledAt, saveAll, startDemoServer } from './demo-server.ts';

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const later = '2026-03-02T06:00:00.000Z';

type Voted = { chamber: string; scrutin_id: string; voted: { position: string; for: number }[] };

describe('pages of votes, changes and versions', () => {
  let server: DemoServer;
  const get = (url: string, headers: Record<string, string> = {}) =>
    server.app.inject({ url, headers: { ...asBrowser, host: 'mirror.example', ...headers } });
  const body = async (url: string) => (await get(url)).body;
  before(async () => {
    server = await startDemoServer({ clock: () => Date.parse('2026-03-03T00:00:00.000Z') });
    const promises = demoRecords(kindOf('promise'));
    const [first] = promises;
    saveAll(server.writer, 'promise', [{ ...first, title: `${first!.title} demain` }, ...promises.slice(1)], later);
    const ballots = demoRecords(kindOf('ballot')).map((each) =>
      each.scrutin_id === 'VAL1V8' ? { ...each, totals: { ...(each.totals as object), abstention: 77 } } : each,
    );
    saveAll(server.writer, 'ballot', ballots, later);
    saveMeta(server.writer, 'synced_at', later);
  });
  after(() => server.close());

  it('find ballots by how groups voted, with plain fields of a form', async () => {
    const { items } = (await get('/api/v1/ballots?voted=ADR:for&voted=UDC:against')).json();
    expect(items).not.to.have.length(0);
    const page = await body('/votes?voted=&voted=ADR:for&voted=UDC:against&chamber=&q=&margin=');
    for (const { chamber, scrutin_id } of items) expect(page).to.include(`href="/votes/${chamber}/${scrutin_id}"`);
    expect(page.match(/<li class="item">/g)).to.have.length(items.length);
    expect(page).to.match(/<details class="pattern" open>/);
    expect(page).to.match(/name="voted"/);
  });

  it('draw a ballot with as many seats as its groups have, beside the result that the house announced', async () => {
    const ballot = (await get('/api/v1/votes/VAL1V4')).json();
    const page = await body('/votes/AN/VAL1V4');
    const seats = [...page.matchAll(/class="seats" [^>]*data-seats="(\d+)"/g)].map(([, count]) => Number(count));
    expect(seats.reduce((sum, each) => sum + each, 0)).to.equal(97);
    expect(page).to.include(`<strong class="result">${ballotSentence(readBallot(ballot))}</strong>`);
  });

  it('are headed by what was voted on, and name the text of an amendment below', async () => {
    const { items } = (await get('/api/v1/ballots?nature=amendment')).json();
    expect(items).not.to.have.length(0);
    for (const { chamber, scrutin_id, title } of items as { chamber: string; scrutin_id: string; title: string }[]) {
      const page = await body(`/votes/${chamber}/${scrutin_id}`);
      const heading = /<h1>(.*?)<\/h1>/.exec(page)![1]!.replaceAll(/<[^>]*>/g, '');
      expect(heading, title).to.match(/amendement/i);
      expect(heading.length, title).to.be.at.most(80);
    }
    const [censure] = (await get('/api/v1/ballots?nature=censure')).json().items;
    expect(await body(`/votes/${censure.chamber}/${censure.scrutin_id}`)).to.match(/<h1>.*[Mm]otion de censure/);
  });

  it('draw shapes whose size no rule of the style sheet changes', async () => {
    const sheet = (await get('/assets/pages.css')).body;
    const sized = sheet
      .split('}')
      .filter((rule) => /[{;]\s*(?:width|height|x|y|r):/.test(rule))
      .flatMap((rule) => rule.slice(0, rule.lastIndexOf('{')).split(/[,{]/))
      .flatMap((selector) => /^\.([\w-]+)$/.exec(selector.trim())?.[1] ?? []);
    expect(sized).not.to.have.length(0);
    const shapes: string[] = [];
    for (const url of [
      '/votes/AN/VAL1V4',
      '/votes/AN/VAL1V11',
      '/',
      '/topics',
      '/compare',
      '/politicians/oceane-bruyevre',
    ])
      for (const [, classes] of (await body(url)).matchAll(/<(?:rect|path|circle|g|use)\b[^>]*class="([^"]+)"/g))
        shapes.push(...classes!.split(' '));
    expect(shapes).to.include.members(['votes', 'bar']);
    expect(shapes.filter((name) => sized.includes(name))).to.deep.equal([]);
  });

  it('show how the group of a politician voted on whole texts, that of each day, and link to all of them', async () => {
    const { items } = (await get('/api/v1/ballots?nature=whole&group=ADR&limit=40')).json();
    const voted: Voted[] = items.filter((each: Voted) => each.voted.length > 0);
    expect(voted).not.to.have.length(0);
    const [, section = ''] = (await body('/politicians/oceane-bruyevre')).split('id="group-votes"');
    const list = section.slice(0, section.indexOf('</section>'));
    expect(list).to.include('The service publishes votes by group, not by person.');
    for (const { chamber, scrutin_id: id, voted: groups } of voted.slice(0, 3)) {
      expect(list).to.include(`href="/votes/${chamber}/${id}"`);
      expect(list).to.include(`Alliance des Rivages: ${stanceOf(groups[0]!.position)} (${groups[0]!.for} for,`);
    }
    expect(list).to.include('href="/votes?group=');
    expect(list.match(/<li>/g)).to.have.length.within(1, 5);
  });

  it('list what changed of a politician, but not that the first fill added it', async () => {
    const { items } = (await get('/api/v1/changes?since=2000&politician=oceane-bruyevre&limit=100')).json();
    expect(items.map(({ change }: { change: string }) => change)).to.include('added');
    const [, section = ''] = (await body('/politicians/oceane-bruyevre')).split('id="changes"');
    const list = section.slice(0, section.indexOf('</section>'));
    expect(list).to.include('Every version of this record').and.not.include('added');
  });

  it('say which days in a group the votes rest on, and where none are stated', () => {
    const terms = [{ party: 'phares', first: '2026-06-01', last: null }];
    expect(`${groupVotesNote(terms)}`).to.match(/group that the affiliations state for that day\.$/);
    const undated = [{ party: 'phares', first: null, last: null }];
    expect(`${groupVotesNote(undated)}`).to.match(/days in the group are not stated/);
  });

  it('show no vote against a motion of censure, and nothing where no counts are published', async () => {
    const motion = await body('/votes/AN/VAL1V7');
    expect(motion).not.to.match(/<div class="(against|abstention)">/);
    expect(motion).to.include('needs an absolute majority of all members');
    expect(await body('/votes/Senat/2026-1')).to.include('The counts are not published.');
  });

  it('say where the groups of a ballot add up to another number than its total', async () => {
    expect(await body('/votes/AN/VAL1V8')).to.match(
      /the sums of the groups differ from the totals of the source: abstention \d+ \(total 77\)<\/strong>/,
    );
    expect(await body('/votes/AN/VAL1V4')).not.to.include('add up');
  });

  it('give a ballot away as a picture and as a table, and let the page of anybody show it', async () => {
    const svg = await get('/votes/AN/VAL1V4.svg');
    expect(svg.headers['content-type']).to.equal('image/svg+xml');
    expect(svg.headers['content-security-policy']).to.equal("default-src 'none'; sandbox");
    expect(svg.body).to.include('Source: Transparence Valombre');
    const french = await body('/votes/AN/VAL1V4.svg?lang=fr');
    expect(french).to.include('non-votants').and.include('membres').and.include('Source : Transparence Valombre');
    expect(await body('/votes/AN/VAL1V4.csv'))
      .to.match(/^ballot,chamber,scrutin_id,date,title,result,party,/)
      .and.match(/,position,stated_position,no_vote_recorded,dissent\r?\n/)
      .and.match(/,24,19,1,3,0,pour,pour,1,0\.17\d*\r?\n/);
    const embedded = await get('/embed/votes/AN/VAL1V4');
    expect(embedded.headers['content-security-policy']).to.match(/frame-ancestors \*$/);
    expect((await get('/votes/AN/VAL1V4')).headers['content-security-policy']).to.match(/frame-ancestors 'none'$/);
    expect(embedded.body).to.match(/: for 19, against 1, abstention 3, no vote recorded 1</);
    expect(embedded.body).to.include('href="/votes/AN/VAL1V4"').and.not.include('<nav');
  });

  it('tell other sites how to embed a ballot, under the name that they ask by', async () => {
    const page = await body('/votes/AN/VAL1V4');
    const [, discovery] = /application\/json\+oembed" href="([^"]+)"/.exec(page)!;
    expect(discovery).to.match(/^http:\/\/mirror\.example\/oembed\.json\?url=http%3A%2F%2Fmirror\.example%2Fvotes/);
    const embed = (await get(discovery!.slice('http://mirror.example'.length))).json();
    expect(embed).to.include({ version: '1.0', type: 'rich', provider_name: 'Transparence Valombre' });
    expect(embed.html).to.match(/^<iframe src="http:\/\/mirror\.example\/embed\/votes\/AN\/VAL1V4"/);
    const [, pasted] = /id="take-away".*?<textarea[^>]*>([^<]+)</s.exec(page)!;
    expect(
      pasted!.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    ).to.equal(embed.html);
    const narrow = (await get(`${discovery!.slice('http://mirror.example'.length)}&maxwidth=320`)).json();
    expect(narrow.width).to.equal(320);
    expect(narrow.height).to.equal(Number(/height="(\d+)"/.exec(narrow.html)![1]));
    expect((await get('/oembed.json?url=http://other.example/votes/AN/VAL1V4')).statusCode).to.equal(404);
    expect((await get(`/oembed.json?url=${encodeURIComponent(embed.html)}&format=xml`)).statusCode).to.equal(501);
    const malformed = encodeURIComponent('http://mirror.example/votes/AN/%ff');
    for (const path of ['/oembed.json', '/oembed'])
      expect((await get(`${path}?url=${malformed}`)).statusCode, path).to.equal(404);
    expect((await get('/oembed.json?format=json')).json().endpoints[0].formats).to.deep.equal(['json']);
    expect(page).to.include('<meta property="og:url" content="http://mirror.example/votes/AN/VAL1V4">');
  });

  it('are made anew for another name of the server, and for none that is no name', async () => {
    const feedBody = (await get('/changes.atom', { host: 'other.example:8080' })).body;
    expect(feedBody).to.include('href="http://other.example:8080/changes.atom"').and.not.include('mirror.example');
    const strange = (await get('/changes.atom', { host: 'a"><b' })).body;
    expect(strange).not.to.include('<b');
  });

  it('show changes day by day with the words that came', async () => {
    const page = await body('/changes?since=2026-03-02');
    expect(page).to.include('<time datetime="2026-03-02">2 March 2026</time>');
    expect(page).to.include('<ins> demain</ins>');
    expect(await body('/changes?since=2026-03-02&lang=fr')).to.include('2\u00a0mars 2026');
  });

  it('show what changed between two days, by a form without a script and by the same parameters as data', async () => {
    const form = await body('/changes?since=7d&kind=promise');
    expect(form)
      .to.match(/<input id="f-since" name="since" type="date" value="\d{4}-\d\d-\d\d"/)
      .and.include('<input id="f-until" name="until" type="date" value=""');
    // What a browser sends where the second day was left alone, and where both were stated.
    expect(await body('/changes?since=2026-03-02&until=&kind=&politician=&party=')).to.include('<ins> demain');
    const before = '/changes?since=2026-03-01&until=2026-03-01';
    expect(await body(before))
      .to.include('value="2026-03-01"')
      .and.not.include('<ins> demain');
    const days = async (query: string) => {
      const { items } = (await get(`/api/v1/changes${query}`)).json() as { items: { seen_at: string }[] };
      return [...new Set(items.map(({ seen_at }) => seen_at.slice(0, 10)))];
    };
    expect(await days('?since=2026-03-01&until=2026-03-01')).to.deep.equal(['2026-03-01']);
    expect(await days('?since=2026-03-02&until=2026-03-02')).to.deep.equal(['2026-03-02']);
    expect((await get('/api/v1/changes?since=2026-03-01&until=2026-02-01')).statusCode).to.equal(422);
    expect(await days('?since=2026-03-01&until=2026-03-02&as_of=2026-03-01')).to.deep.equal(['2026-03-01']);
    // An end before the last sync asks for all that was seen by then.
    expect(await days('?until=2026-03-01')).to.deep.equal(['2026-03-01']);
    expect(await body('/changes?until=2026-03-01')).to.include('Shown since the beginning until');
    expect((await get('/changes?since=2026-03-02&until=gestern')).statusCode).to.equal(422);
  });

  it('subscribe to changes of a politician and to any filter, under ids that stay', async () => {
    const [first] = demoRecords(kindOf('promise'));
    const newestOf = async (url: string) => (await get(url)).body.split('<entry>')[1]!;
    const newest = await newestOf(`/politicians/${first!.politician}.atom`);
    expect(newest).to.include(`<updated>${later}</updated>`).and.include('&lt;ins&gt; demain&lt;/ins&gt;');
    const idIn = (entry: string) => /<id>(.*?)<\/id>/.exec(entry)![1];
    expect(idIn(await newestOf('/changes.atom?kind=promise&since=2026-03-02'))).to.equal(idIn(newest));
    const ballots = (await get('/votes.atom?voted=ADR:for&limit=3')).body.split('<entry>').slice(1);
    expect(ballots).to.have.length(3);
    expect(ballots[0]).to.match(/href="http:\/\/mirror\.example\/votes\//);
    for (const url of ['/feed.atom?types=promise', '/search.atom?q=port', '/parties.atom', '/audit.atom'])
      expect((await get(url)).body, url).to.match(/<entry>/);
  });

  it('show every version of a record, each of them as it was then', async () => {
    const { id } = demoRecords(kindOf('promise'))[0]!;
    const page = await get(`/records/promise/${id}?as_of=${filledAt}`);
    expect(page.headers.link).to.include(`</records/promise/${id}>; rel="original"`);
    expect(page.headers['memento-datetime']).to.equal('Sun, 01 Mar 2026 06:00:00 GMT');
    const history = await body(`/history/promise/${id}`);
    expect(history).to.include('<ins> demain</ins>');
    const then = [...history.matchAll(/href="(\/records\/promise\/[^"]*as_of=[^"]*)"/g)];
    const states = await Promise.all(then.map(([, address]) => body(address!)));
    expect(states.map((text) => text.includes('demain')).sort()).to.deep.equal([false, true]);
  });

  it('ask two groups of a comparison, and neither before they are chosen', async () => {
    const before = await body('/compare?group=&group=');
    expect(before).to.not.include('Same position');
    const { items } = (await get('/compare.json?group=ADR&group=majority')).json();
    const page = await body('/compare?group=ADR&group=majority');
    expect(page).to.include(`${Math.round(items[0].agreement * 100)}%`);
    expect(page).to.include('<title>Compare groups · ADR, the side with more votes');
    expect((await get('/compare?group=ADR')).statusCode).to.equal(422);
  });

  it('preview no figure where no ballot counts', async () => {
    const pictureOf = async (selection: string) =>
      (await get(`/compare/share.png?group=ADR&group=PDV&${selection}`)).rawPayload;
    const missing = await pictureOf('nature=censure');
    expect(missing.equals(await pictureOf('since=1990&until=1991'))).to.equal(true);
    expect(missing.equals(await pictureOf('chamber=AN'))).to.equal(false);
  });

  it('show the agreement of all groups of each chamber that they sit in, each figure as the page of its pair has it', async () => {
    const [, assembly = '', senate = ''] = (await body('/compare')).split('<h2>');
    expect(assembly).to.include('Agreement of groups: Assemblée nationale');
    expect(senate).to.include('Agreement of groups: Sénat');
    for (const part of [assembly, senate]) {
      const [, address = '', figure = ''] = /<a class="share-\d" href="([^"]+)" title="[^"]*">(\d+)%/.exec(part) ?? [];
      const { items } = (await get(address.replaceAll('&amp;', '&').replace('?', '.json?'))).json();
      expect(Math.round(items[0].agreement * 100)).to.equal(Number(figure));
      expect(part).to.include(`${items[0].n} ballots`);
      // Each pair of five groups once.
      expect(part.split('scope="row"')).to.have.length(5);
      expect(part.match(/<a class="share-/g)).to.have.length(10);
    }
  });

  it('offer every page as of a day, its filters kept', async () => {
    const page = await body('/votes?chamber=AN&cursor=');
    expect(page).to.match(/<form class="past" action="\/votes">.*name="as_of" type="date".*name="chamber" value="AN"/s);
  });

  it('state the catalog in linked data with licences of exports only', async () => {
    const { '@graph': graph } = (await get('/catalog.jsonld')).json();
    const licensed = graph.filter(
      ({ identifier, license }: { identifier?: string; license?: string }) => identifier && license,
    );
    expect(licensed).to.have.length(6);
  });

  it('hold hostile ballots and changes as text alone', async () => {
    const hostile = `"><script>alert(1)</script>]]>\u202e`;
    const other = await startDemoServer({ empty: true });
    const ballot = {
      scrutin_id: 'H1',
      chamber: 'AN',
      title: hostile,
      result: hostile,
      type: hostile,
      url: 'javascript:alert(1)',
    };
    const groups = [{ party: hostile, party_name: hostile, for: 1, position: hostile }];
    saveAll(other.writer, 'ballot', [{ ...ballot, votes_by_party: groups }]);
    saveAll(other.writer, 'ballot', [{ ...ballot, title: `${hostile} 2`, votes_by_party: groups }], later);
    saveMeta(other.writer, 'synced_at', later);
    try {
      for (const url of [
        '/votes',
        '/votes/AN/H1',
        '/embed/votes/AN/H1',
        '/votes/AN/H1.svg',
        '/changes',
        '/changes.atom',
        '/votes.atom',
        '/history/ballot/AN:H1',
        '/compare',
        '/cohesion',
      ]) {
        const answer = await other.app.inject({ url, headers: asBrowser });
        expect(answer.statusCode, url).to.equal(200);
        expect(answer.body, url).not.to.match(/<script>|\u202e|href="javascript:/);
      }
    } finally {
      await other.close();
    }
  });
});
