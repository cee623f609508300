import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { type ApiDocument, readPromises } from './contract-document.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';

type Parameter = { name: string; description?: string; schema: Record<string, unknown> };
type Operation = {
  parameters?: Parameter[];
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
};
type Description = {
  info: { description: string };
  components: object;
  paths: Record<string, { get: Operation }>;
};

describe('/openapi.json', () => {
  let server: DemoServer;
  let description: Description;
  before(async () => {
    server = await startDemoServer({ settings: { rateLimit: false } });
    description = (await (await server.get('/openapi.json')).json()) as Description;
  });
  after(() => server.close());

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(description));
    expect(errors).to.equal(undefined);
    expect(valid).to.equal(true);
    expect(validator.version).to.equal('3.1');
  });

  it('has every endpoint of the interface, each parameter described', () => {
    const paths = [
      'politicians',
      'politicians/{slug}',
      'parties',
      'parties/{slug}',
      'search',
      'search/semantic',
    ];
    paths.push('feed', 'votes/{scrutin_id}', 'export/dataset', 'audit');
    expect(Object.keys(description.paths)).to.include.members(paths.map((path) => `/api/v1/${path}`));
    for (const { get } of Object.values(description.paths)) {
      for (const parameter of get.parameters ?? []) expect(parameter.description).to.match(/\.$/);
    }
    const limits = Object.entries(description.paths).flatMap(([path, { get }]) =>
      (get.parameters ?? [])
        .filter(({ schema }) => schema.type === 'integer')
        .map(({ name, schema }) => `${path} ${name} ${schema.default} ${schema.maximum}`),
    );
    expect(limits).to.deep.equal([
      '/api/v1/politicians limit 20 100',
      '/api/v1/search limit 20 100',
      '/api/v1/search/semantic k 20 50',
      '/api/v1/feed limit 20 50',
      '/api/v1/audit limit 20 200',
      '/api/v1/ballots margin undefined undefined',
      '/api/v1/ballots limit 20 100',
      '/api/v1/changes limit 20 100',
    ]);
  });

  it('names source, licence and limits', async () => {
    expect(description.info.description).to.match(
      /Transparence Valombre \(https:\/\/transparence\.example\/\)/,
    );
    expect(description.info.description).to.match(/Open Database License/);
    const limited = await startDemoServer({ settings: { rateLimit: true } });
    const { info } = (await (await limited.get('/openapi.json')).json()) as Description;
    expect(info.description).to.match(/60 requests .* 600 for a viewer/);
    await limited.close();
  });

  const asked: [path: string, address: string, status: number][] = [
    ['/api/v1/politicians', '/api/v1/politicians?limit=100', 200],
    ['/api/v1/politicians/{slug}', '/api/v1/politicians/aicha-dunevive', 200],
    ['/api/v1/politicians/{slug}', '/api/v1/politicians/aicha-dunevivve', 404],
    ['/api/v1/parties', '/api/v1/parties', 200],
    ['/api/v1/parties/{slug}', '/api/v1/parties/union-des-clairieres', 200],
    ['/api/v1/search', '/api/v1/search?q=port&limit=100', 200],
    ['/api/v1/search', '/api/v1/search', 422],
    ['/api/v1/search/semantic', '/api/v1/search/semantic?q=port', 200],
    ['/api/v1/feed', '/api/v1/feed?limit=50', 200],
    ['/api/v1/votes/{scrutin_id}', '/api/v1/votes/VAL1V15', 200],
    ['/api/v1/votes/{scrutin_id}', '/api/v1/votes/2026-1?chamber=Senat', 200],
    ['/api/v1/audit', '/api/v1/audit?limit=200', 200],
    ['/api/v1/ballots', '/api/v1/ballots?voted=ADR:for&limit=5', 200],
    ['/api/v1/topics', '/api/v1/topics', 200],
    ['/api/v1/records/{kind}/{key}', '/api/v1/records/ballot/AN:VAL1V4', 200],
    ['/api/v1/changes', '/api/v1/changes?since=2020-01-01&limit=3', 200],
    ['/api/v1/history/{kind}/{key}', '/api/v1/history/party/parti-du-verger', 200],
  ];
  for (const [path, address, status] of asked) {
    it(`describes what ${address} answers (${status})`, async () => {
      const response = await server.get(address);
      const type = response.headers.get('content-type')!.split(';')[0]!;
      expect(response.status).to.equal(status);
      const promises = readPromises(description as unknown as ApiDocument);
      const operation = promises.operations.find((each) => each.path === path)!;
      expect(promises.faultOfBody(operation, { status, type }, await response.json())).to.equal(null);
    });
  }
});
