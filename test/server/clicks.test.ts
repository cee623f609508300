import { expect } from 'chai';
import { type DemoServer, startDemoServer } from './demo-server.ts';

/** Somebody who reads pages without a script, and counts what they click on. */
function readerOf(server: DemoServer) {
  const reader = { clicks: 0, body: '', path: '' };
  const open = async (url: string) => {
    const answer = await server.app.inject({ url, headers: { accept: 'text/html' } });
    expect(answer.statusCode, url).to.equal(200);
    Object.assign(reader, { body: answer.body, path: url.split('?')[0] });
  };
  const click = async (url: string) => {
    reader.clicks += 1;
    await open(url.replaceAll('&amp;', '&'));
  };
  return Object.assign(reader, {
    open,
    /** Follows the first link that says so. */
    async follow(text: string) {
      const links = [...reader.body.matchAll(/<a [^>]*?href="(\/[^"]*)"[^>]*>([\s\S]*?)<\/a>/g)];
      const link = links.find(([, , inner]) => inner!.replaceAll(/<[^>]*>/g, '').includes(text));
      expect(link, `${text} on ${reader.path}`).not.to.equal(undefined);
      await click(link![1]!);
    },
    /** Fills the fields of the form of the page, or of the search above it, and sends it. */
    async send(fields: Record<string, string>, form = 'filters') {
      const [, action, inner] = new RegExp(`<form class="${form}" action="([^"]*)"[^>]*>([\\s\\S]*?)</form>`).exec(
        reader.body,
      )!;
      for (const name of Object.keys(fields)) expect(inner, name).to.include(`name="${name}"`);
      await click(`${action}?${new URLSearchParams(fields)}`);
    },
    items: () => [...reader.body.matchAll(/<li class="item">[\s\S]*?<\/li>/g)].map(([item]) => item),
  });
}

describe('questions of a journalist, by clicking', () => {
  let server: DemoServer;
  let reader: ReturnType<typeof readerOf>;
  before(async () => {
    server = await startDemoServer();
  });
  after(() => server.close());
  beforeEach(async () => {
    reader = readerOf(server);
    await reader.open('/');
  });
  afterEach(() => expect(reader.clicks).to.be.at.most(4));

  it('how did each group vote on the last motion of censure', async () => {
    await reader.follow('Votes');
    await reader.send({ q: 'motion de censure' });
    const [first] = reader.items();
    await reader.follow(/lang="fr">([^<]{20})/.exec(first!)![1]!);
    expect(reader.path).to.match(/^\/votes\/AN\//);
    expect(reader.body).to.include('How groups voted').and.include('Alliance des Rivages');
  });

  it('which votes were decided by fewer than five', async () => {
    await reader.follow('Votes');
    await reader.send({ margin: '4', sort: 'margin' });
    const margins = reader.items().map((item) => Number(/margin (\d+)/.exec(item)![1]));
    expect(margins).not.to.have.length(0);
    expect(Math.max(...margins)).to.be.below(5);
  });

  it('what did somebody promise on a topic', async () => {
    await reader.follow('Facts');
    await reader.send({ politician: 'Océane Bruyèvre', types: 'promise', topic: 'retraites' });
    expect(reader.items()).not.to.have.length(0);
    for (const item of reader.items())
      expect(item).to.include('Océane Bruyèvre').and.include('href="/topics/retraites"');
  });

  it('who joined or left a party lately', async () => {
    await reader.follow('Politicians');
    await reader.follow('Who joined or left which party or group');
    await reader.send({ since: '2024-01-01', party: 'alliance-des-rivages' });
    expect(reader.path).to.equal('/affiliations');
    const rows = [...reader.body.matchAll(/<tr[^>]*><td[^>]*>[\s\S]*?<\/tr>/g)].map(([row]) => row);
    expect(rows).not.to.have.length(0);
    for (const row of rows)
      expect(row)
        .to.include('href="/parties/alliance-des-rivages"')
        .and.match(/datetime="202[4-9]-/);
  });

  it('who left one group, from its own page', async () => {
    await reader.follow('Parties and groups');
    await reader.follow('Alliance des Rivages');
    await reader.follow('Who joined or left it');
    await reader.send({ party: 'alliance-des-rivages', event: 'ended' });
    const rows = [...reader.body.matchAll(/<tr[^>]*><td[^>]*>[\s\S]*?<\/tr>/g)].map(([row]) => row);
    expect(rows).not.to.have.length(0);
    for (const row of rows) expect(row).to.match(/>ended<\/td>/);
  });

  it('to whom did somebody belong, and since when', async () => {
    await reader.send({ q: 'bruyevre' }, 'search');
    await reader.follow('Bruyèvre');
    expect(reader.path).to.equal('/politicians/oceane-bruyevre');
    expect(reader.body).to.include('id="affiliations"');
  });

  it('which group is least of one mind', async () => {
    await reader.follow('Compare');
    await reader.follow('How united each group voted');
    expect(reader.body.match(/<tr[^>]*><th scope="row"/g)!.length).to.be.greaterThan(2);
  });
});
