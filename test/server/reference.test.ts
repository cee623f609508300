import { expect } from 'chai';
import { type DemoServer, startDemoServer } from './demo-server.ts';

type Operation = { operationId: string; summary: string; parameters?: { name: string; description: string }[] };

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const plain = (text: string) => text.replaceAll('`', '');

describe('the API reference', () => {
  let server: DemoServer;
  let operations: Operation[];
  let api: { info: { description: string }; paths: Record<string, { get: Operation }> };
  let descriptions: Set<string>;
  const read = async (url: string, lang = 'en') =>
    unescaped((await server.app.inject({ url, headers: { host: 'mirror.example', 'accept-language': lang } })).body)
      .replaceAll(/\u00a0/g, ' ')
      .replaceAll(/<\/?code>/g, '');
  before(async () => {
    server = await startDemoServer();
    api = (await server.app.inject('/openapi.json')).json();
    operations = Object.values(api.paths).flatMap(({ get }) => get ?? []);
    descriptions = new Set();
    JSON.stringify(api, (name, value) => {
      if (['description', 'summary'].includes(name) && typeof value === 'string') descriptions.add(value);
      return value;
    });
  });
  after(() => server.close());

  it('gives in English the summary and the parameters of every operation, as OpenAPI has them', async () => {
    for (const { operationId, summary, parameters = [] } of operations) {
      const body = await read(`/docs/${operationId}`);
      expect(body, operationId).to.include(plain(summary));
      for (const { name, description } of parameters)
        expect(body, `${operationId} ${name}`).to.include(plain(description)).and.to.include(`name="${name}"`);
    }
  });

  it('gives the same in French, with every answer and field, without an English sentence', async () => {
    const english = new Set<string>();
    const names = [...(await read('/docs')).matchAll(/<a href="\/docs\/(\w+)"/g)].map(([, name]) => name!);
    expect(names).to.have.length.above(operations.length);
    for (const name of names) {
      const body = await read(`/docs/${name}`, 'fr');
      expect(body).not.to.include('<span lang="en">');
      for (const text of descriptions) if (body.includes(`>${plain(text)}<`)) english.add(text);
    }
    expect([...english]).to.deep.equal([]);
    const contents = await read('/docs', 'fr');
    const { description } = api.info;
    const paragraphs = description.split('\n\n').filter((part) => !/^(?:Source|```)/.test(part));
    for (const text of [...operations.map(({ summary }) => summary), ...paragraphs])
      expect(contents).not.to.include(plain(text));
  });

  it('links every operation and schema beside each of them, and marks the one shown', async () => {
    const linksIn = (body: string) => [...body.matchAll(/<a href="\/docs\/(\w+)"/g)].map(([, name]) => name);
    const contents = new Set(linksIn(await read('/docs')));
    for (const name of ['listBallots', 'BallotsPage']) {
      const body = await read(`/docs/${name}`);
      const [nav = ''] = /<nav class="operations"[\s\S]*?<\/nav>/.exec(body) ?? [];
      expect(new Set(linksIn(nav))).to.deep.equal(contents);
      expect([...nav.matchAll(/href="\/docs\/(\w+)" aria-current="page"/g)].map(([, each]) => each)).to.deep.equal([
        name,
      ]);
    }
  });

  it('writes the request with the values of its address, for a shell, JavaScript and Python', async () => {
    const body = await read("/docs/getPolitician?slug=l'autre&as_of=2026-11-01");
    const address = 'http://mirror.example/api/v1/politicians/l%27autre?as_of=2026-11-01';
    expect(body)
      .to.include(`>curl '${address}'<`)
      .and.include(`await fetch("${address}");\nconst answer = await response.json();`)
      .and.include(`urllib.request.urlopen("${address}")`)
      .and.include('answer = json.load(response)');
    const file = await read('/docs/exportDataset?dataset=quotes&format=csv');
    expect(file).to.include('await response.text();').and.include('response.read().decode()');
  });

  it('sends a filled-in form without a script to the address that it describes', async () => {
    const { statusCode, headers } = await server.app.inject('/docs/listBallots?q=trains+de+nuit&try=1');
    expect([statusCode, headers.location]).to.deep.equal([302, '/api/v1/ballots?q=trains+de+nuit']);
  });

  it('writes samples for the base path of the server', async () => {
    const below = await startDemoServer({ settings: { basePath: '/mirror' } });
    try {
      const { body } = await below.app.inject({ url: '/docs/getStatus', headers: { host: 'mirror.example' } });
      expect(unescaped(body)).to.include("curl 'http://mirror.example/mirror/statusz'");
    } finally {
      await below.close();
    }
  });
});
