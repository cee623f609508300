import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { kinds, schemaNameOf } from '../../src/model/kinds.ts';
import { type ApiDocument, readPromises } from './contract-document.ts';
import { type DemoServer, demoRecords, startDemoServer } from './demo-server.ts';

type Parameter = {
  name: string;
  description?: string;
  schema: Schema;
  style?: string;
  explode?: boolean;
};
type Answer = { description: string; headers?: object; content?: Record<string, { schema: Schema }> };
type Operation = { operationId: string; parameters?: Parameter[]; responses: Record<string, Answer> };
type Schema = {
  [keyword: string]: unknown;
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
};
type Description = {
  info: { description: string };
  components: { schemas: Record<string, Schema>; headers: Record<string, { description: string }> };
  paths: Record<string, { get: Operation }>;
};

/** Every name that TypeScript knows without an import: of the language, of browsers and of its own utility types. */
function namesOfTypeScript(): Set<string> {
  const platform = `typescript-${process.platform}-${process.arch}`;
  const folder = fileURLToPath(new URL(`../../node_modules/@typescript/${platform}/lib`, import.meta.url));
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  const declared = /^(?:declare )?(?:interface|type|var|const|class|function|namespace) (\w+)/gm;
  return new Set(texts.flatMap((text) => [...text.matchAll(declared)].map(([, name]) => name!)));
}

/** Every part of a document that is a schema, or looks like one, by its place. */
function* parts(node: unknown, path = ''): Generator<[place: string, part: Schema]> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield [path, node as Schema];
  for (const [name, inner] of Object.entries(node)) yield* parts(inner, `${path}/${name}`);
}

/** The fields of a value, and of what is in it, that its schema says nothing about. */
function undeclared(value: unknown, schema: Schema, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const fitting = [schema, ...(schema.anyOf ?? [])];
  if (Array.isArray(value)) {
    const items = fitting.find(({ items }) => items)?.items;
    return items ? value.flatMap((item) => undeclared(item, items, `${path}[]`)) : [path];
  }
  const properties = fitting.find(({ properties }) => properties)?.properties;
  if (!properties) return [path];
  return Object.entries(value).flatMap(([name, inner]) => {
    const property = properties[name];
    return property?.description ? undeclared(inner, property, `${path}.${name}`) : [`${path}.${name}`];
  });
}

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
    const paths = ['politicians', 'politicians/{slug}', 'parties', 'parties/{slug}', 'search', 'search/semantic'];
    paths.push('feed', 'votes/{scrutin_id}', 'export/dataset', 'audit');
    expect(Object.keys(description.paths)).to.include.members(paths.map((path) => `/api/v1/${path}`));
    for (const { get } of Object.values(description.paths)) {
      for (const parameter of get.parameters ?? []) expect(parameter.description).to.match(/\.$/);
    }
    const limits = Object.entries(description.paths).flatMap(([path, { get }]) =>
      (get.parameters ?? [])
        .filter(({ name }) => name === 'limit' || name === 'k')
        .map(({ name, schema }) => `${path} ${name} ${schema.default} ${schema.maximum}`),
    );
    const ofInterface = [
      '/api/v1/politicians limit 20 100',
      '/api/v1/search limit 20 100',
      '/api/v1/search/semantic k 20 50',
      '/api/v1/feed limit 20 50',
      '/api/v1/audit limit 20 200',
    ];
    expect(limits.slice(0, ofInterface.length)).to.deep.equal(ofInterface);
    // Lists beyond the interface have one default and one maximum.
    const beyond = limits.slice(ofInterface.length);
    expect(beyond.length).to.be.greaterThan(2);
    expect(beyond.filter((each) => !each.endsWith(' limit 20 100'))).to.deep.equal([]);
  });

  it('marks the parameters that the endpoints of the interface lack', () => {
    const marked = (path: string) =>
      description.paths[`/api/v1/${path}`]!.get.parameters!.filter((each) => each.schema['x-beyond-interface']).map(
        ({ name }) => name,
      );
    const facets = ['in_office', 'chamber', 'department', 'constituency', 'place', 'group', 'subject'];
    expect(marked('politicians')).to.deep.equal(facets);
    const places = ['chamber', 'department', 'place', 'group'];
    expect(marked('feed')).to.deep.equal([...places, 'q', 'since', 'until', 'subject', 'literal']);
    expect(marked('export/dataset')).to.deep.equal([]);
  });

  it('names source, licence and limits', async () => {
    expect(description.info.description).to.match(/Transparence Valombre \(https:\/\/transparence\.example\/\)/);
    expect(description.info.description).to.match(/Open Database License/);
    // One for all of it would be more than the service states.
    expect(description.info).to.deep.include({
      license: {
        name: 'Open Database License 1.0 for whole-dataset exports; free for non-commercial use for the rest',
        url: '/about',
      },
    });
    const limited = await startDemoServer({ settings: { rateLimit: true } });
    const { info } = (await (await limited.get('/openapi.json')).json()) as Description;
    expect(info.description).to.match(/60 requests .* 600 for a viewer/);
    await limited.close();
  });

  it('gives nothing a name that programs have already, so that clients can be generated', () => {
    const typeNames = namesOfTypeScript();
    for (const name of ['Promise', 'Record', 'Request', 'Position', 'Error'])
      expect(typeNames.has(name), name).to.equal(name !== 'Position');
    const names = Object.keys(description.components.schemas);
    expect(names.filter((name) => typeNames.has(name))).to.deep.equal([]);
    expect(names).to.include.members(kinds.map(({ name }) => schemaNameOf(name)));
    const operations = Object.values(description.paths).map(({ get }) => get.operationId);
    expect(new Set(operations).size).to.equal(operations.length);
    expect(operations.filter((name) => !/^[a-z]+([A-Z][a-z]+)*$/.test(name))).to.deep.equal([]);
  });

  it('says of every list what is in it, and of every answer what it is', () => {
    const all = [...parts(description)];
    const lists = all.filter(([, { type }]) => [type].flat().includes('array'));
    expect(lists.length).to.be.greaterThan(30);
    expect(lists.filter(([, { items }]) => items === undefined).map(([path]) => path)).to.deep.equal([]);
    const unsaid = all.filter(([, part]) => part.description === 'Default Response');
    expect(unsaid.map(([path]) => path)).to.deep.equal([]);
  });

  const demoKinds = kinds.filter((kind) => demoRecords(kind).length > 0);

  it('is held against records of ten kinds', () => {
    expect(demoKinds.length).to.be.greaterThan(9);
  });

  for (const kind of demoKinds) {
    it(`declares every field that a ${kind.name} has, and what is in it`, () => {
      const schema = description.components.schemas[schemaNameOf(kind.name)]!;
      const missing = demoRecords(kind).flatMap((record) => undeclared(record, schema, kind.name));
      expect([...new Set(missing)]).to.deep.equal([]);
      expect(schema.additionalProperties).to.equal(true);
    });
  }

  it('tells the items of the feed apart by their type', async () => {
    const { schemas } = description.components;
    const { oneOf, discriminator } = schemas.FeedItem as {
      oneOf: Schema[];
      discriminator: { propertyName: string; mapping: Record<string, string> };
    };
    expect(discriminator.propertyName).to.equal('type');
    expect(Object.keys(discriminator.mapping)).to.deep.equal(['content', 'promise', 'position']);
    expect(oneOf.map(({ $ref }) => $ref)).to.deep.equal(Object.values(discriminator.mapping));
    const promises = readPromises(description as unknown as ApiDocument);
    const feed = promises.operations.find(({ path }) => path === '/api/v1/feed')!;
    const answer = (await (await server.get('/api/v1/feed?limit=50')).json()) as { items: object[] };
    const faultOf = (items: object[]) =>
      promises.faultOfBody(feed, { status: 200, type: 'application/json' }, { ...answer, items });
    expect(faultOf(answer.items)).to.equal(null);
    expect(faultOf(answer.items.map((item) => ({ ...item, type: 'quote' })))).to.be.a('string');
  });

  it('names licence and terms, and describes what a webhook is sent', async () => {
    const { info, webhooks } = (await (await server.get('/openapi.json')).json()) as {
      info: { termsOfService: string };
      webhooks: Record<'watch', { post: { requestBody: { content: Record<string, { schema: object }> } } }>;
    };
    expect(info.termsOfService).to.equal('/about');
    const { schema } = webhooks.watch.post.requestBody.content['application/json']!;
    const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } });
    const change = { id: 'urn:uuid:1', change: 'new', kind: 'promise', key: 'p', title: 't' };
    const data = {
      watch: { name: 'w', question: 'q' },
      changes: [change],
      shown: 1,
      more: 0,
      show: 's',
      attribution: {},
    };
    const message = { type: 'watch.changes', id: 'msg_1', timestamp: '2026-03-01T06:00:00.000Z', data };
    expect(ajv.validate(schema, message), ajv.errorsText()).to.equal(true);
    expect(ajv.validate(schema, { ...message, data: { ...data, changes: [{}] } })).to.equal(false);
  });

  it('describes lists in an address as they are written, with commas or again and again', async () => {
    const listParameters = Object.entries(description.paths).flatMap(([path, { get }]) =>
      (get.parameters ?? [])
        .filter(({ schema }) => schema.type === 'array')
        .map(({ name, style, explode }) => `${path} ${name} ${style} ${explode}`),
    );
    expect(listParameters).to.deep.equal([
      '/api/v1/politicians subject form false',
      '/api/v1/search type form false',
      '/api/v1/search types form false',
      '/api/v1/search subject form false',
      '/api/v1/search/semantic type form false',
      '/api/v1/search/semantic types form false',
      '/api/v1/search/semantic subject form false',
      '/api/v1/feed types form false',
      '/api/v1/feed subject form false',
      '/api/v1/ballots voted form false',
      '/api/v1/ballots voted_stated form false',
      '/api/v1/ballots ballots form false',
      '/api/v1/ballots subject form false',
      '/api/v1/ballots group form false',
      '/api/v1/compare group form false',
      '/api/v1/compare voted form false',
      '/api/v1/compare voted_stated form false',
      '/api/v1/compare ballots form false',
      '/api/v1/compare subject form false',
      '/api/v1/cohesion group form false',
      '/api/v1/cohesion voted form false',
      '/api/v1/cohesion voted_stated form false',
      '/api/v1/cohesion ballots form false',
      '/api/v1/cohesion subject form false',
      '/api/v1/texts/{text} subject form false',
      '/api/v1/texts/{text} group form false',
      '/api/v1/affiliations subject form false',
      '/api/v1/records/{kind} subject form false',
      '/api/v1/changes only form false',
      '/api/v1/changes kind form false',
      '/api/v1/changes subject form false',
      '/api/v1/brief subject form false',
      '/api/v1/contradictions subject form false',
      '/api/v1/ask/{name} with form false',
      '/api/v1/mirror kinds form false',
      '/api/v1/mirror since form false',
    ]);
    for (const [commas, repeated] of [
      ['search?q=port&type=content,speech', 'search?q=port&type=content&type=speech'],
      ['feed?types=content,position', 'feed?types=content&types=position'],
      ['ballots?voted=ADR:for,UDC:against', 'ballots?voted=ADR:for&voted=UDC:against'],
      ['changes?since=2020-01-01&kind=party,quote', 'changes?since=2020-01-01&kind=party&kind=quote'],
    ]) {
      const answers = await Promise.all(
        [commas, repeated].map(async (each) => (await server.get(`/api/v1/${each}`)).json()),
      );
      expect((answers[0] as { items: object[] }).items, commas).not.to.deep.equal([]);
      expect(answers[0], commas).to.deep.equal(answers[1]);
    }
  });

  it('describes the headers of answers, problems too', () => {
    const { headers } = description.components;
    for (const { description } of Object.values(headers)) expect(description).to.match(/\.$/);
    for (const [path, { get }] of Object.entries(description.paths)) {
      if (!path.startsWith('/api/')) continue;
      for (const status of ['200', '304'])
        expect(Object.keys(get.responses[status]!.headers!), `${path} ${status}`).to.include.members([
          'ETag',
          'Last-Modified',
          'Link',
          'RateLimit',
          'RateLimit-Policy',
        ]);
      for (const status of ['422', '429']) {
        expect(Object.keys(get.responses[status]!.headers!)).to.include('RateLimit');
        expect(Object.keys(get.responses[status]!.content!)).to.deep.equal(['application/problem+json']);
      }
      // A mirror that keeps no journal cannot be followed; the list of a kind is always there.
      const isNamed = /\{(?!kind\}$)/.test(path) || path === '/api/v1/mirror';
      expect('404' in get.responses, `${path} 404`).to.equal(isNamed);
    }
  });

  const requests: [path: string, address: string, status: number][] = [
    ['/api/v1/politicians', '/api/v1/politicians?limit=100', 200],
    ['/api/v1/politicians/{slug}', '/api/v1/politicians/aicha-dunevive', 200],
    ['/api/v1/politicians/{slug}', '/api/v1/politicians/aicha-dunevivve', 404],
    ['/api/v1/parties', '/api/v1/parties', 200],
    ['/api/v1/parties/{slug}', '/api/v1/parties/union-des-clairieres', 200],
    ['/api/v1/search', '/api/v1/search?q=port&limit=100', 200],
    ['/api/v1/search', '/api/v1/search', 422],
    ['/api/v1/search/semantic', '/api/v1/search/semantic?q=port', 200],
    ['/api/v1/search/semantic', '/api/v1/search/semantic?q=port&topic=retraite', 200],
    ['/api/v1/search', '/api/v1/search?q=bruyevr', 200],
    ['/api/v1/feed', '/api/v1/feed?limit=50', 200],
    ['/api/v1/feed', '/api/v1/feed?topic=retraite', 200],
    ['/api/v1/ballots', '/api/v1/ballots?topic=retraite', 422],
    ['/api/v1/votes/{scrutin_id}', '/api/v1/votes/VAL1V15', 200],
    ['/api/v1/votes/{scrutin_id}', '/api/v1/votes/2026-1?chamber=Senat', 200],
    ['/api/v1/audit', '/api/v1/audit?limit=200', 200],
    ['/api/v1/ballots', '/api/v1/ballots?voted=ADR:for&limit=5', 200],
    ['/api/v1/topics', '/api/v1/topics', 200],
    ['/api/v1/records/{kind}/{key}', '/api/v1/records/ballot/AN:VAL1V4', 200],
    ['/api/v1/changes', '/api/v1/changes?since=2020-01-01&limit=3', 200],
    ['/api/v1/history/{kind}/{key}', '/api/v1/history/party/parti-du-verger', 200],
  ];
  for (const [path, address, status] of requests) {
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
