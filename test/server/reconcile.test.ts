import { Ajv } from 'ajv';
import { expect } from 'chai';
import { type DemoServer, startDemoServer } from './demo-server.ts';

const text = { type: 'string' };
const object = (required: string[], properties: object, more: object = {}) => ({
  type: 'object',
  required,
  properties,
  ...more,
});
const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more });
const namedEntity = object(['id', 'name'], { id: text, name: text, description: text });
const suggesting = object(['service_url', 'service_path'], {
  service_url: { type: 'string', pattern: '^https?://[^ ]+[^/]$' },
  service_path: { type: 'string', pattern: '^/' },
});

/** What the specification has as JSON Schemas, written down from its text (version 0.2). */
const schemas = {
  manifest: object(['versions', 'name', 'identifierSpace', 'schemaSpace'], {
    versions: list({ enum: ['0.1', '0.2'] }),
    name: text,
    identifierSpace: text,
    schemaSpace: text,
    defaultTypes: list(namedEntity),
    view: object(['url'], { url: { type: 'string', pattern: '\\{\\{id\\}\\}' } }),
    preview: object(['url', 'width', 'height'], {
      url: { type: 'string', pattern: '\\{\\{id\\}\\}' },
      width: { type: 'integer' },
      height: { type: 'integer' },
    }),
    suggest: object(
      [],
      { entity: suggesting, type: suggesting, property: suggesting },
      { additionalProperties: false },
    ),
    extend: object(['propose_properties'], {
      propose_properties: suggesting,
      property_settings: list(
        object(['name', 'label', 'type', 'default', 'help_text'], {
          name: text,
          label: text,
          type: { enum: ['number', 'text', 'checkbox', 'select'] },
          help_text: text,
        }),
      ),
    }),
  }),
  results: {
    type: 'object',
    patternProperties: {
      '': object(['result'], {
        result: list(
          object(['id', 'name', 'score', 'match', 'type'], {
            id: text,
            name: text,
            type: list(namedEntity, { minItems: 1 }),
            score: { type: 'number' },
            match: { type: 'boolean' },
            features: list(object(['id', 'value'], { id: text, value: { type: ['number', 'boolean'] } })),
          }),
        ),
      }),
    },
  },
  extension: object(['meta', 'rows'], {
    meta: list(object(['id', 'name'], { id: text, name: text, type: namedEntity })),
    rows: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: list({
          anyOf: [
            namedEntity,
            object(['str'], { str: text }, { additionalProperties: false }),
            object(['float'], { float: { type: 'number' } }, { additionalProperties: false }),
            object(['date'], { date: text }, { additionalProperties: false }),
            object([], {}, { additionalProperties: false }),
          ],
        }),
      },
    },
  }),
  entities: object(['result'], {
    result: list(object(['id', 'name'], { id: text, name: text, description: text, notable: list(namedEntity) })),
  }),
  words: object(['result'], { result: list(namedEntity) }),
  proposals: object(['type', 'properties'], {
    type: text,
    limit: { type: 'integer' },
    properties: list(namedEntity),
  }),
};

const ajv = new Ajv({ strict: false });
const valid = (name: keyof typeof schemas, answer: unknown) => {
  expect(ajv.validate(schemas[name], answer), `${ajv.errorsText()} ${JSON.stringify(answer)}`).to.equal(true);
};

type Answer = Awaited<ReturnType<typeof JSON.parse>>;

describe('the reconciliation API', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
  });
  after(() => server.close());

  const get = async (path: string): Promise<Answer> => (await server.get(`/reconcile${path}`)).json();
  const post = (form: Record<string, unknown>) => {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(form)) body.set(name, JSON.stringify(value));
    return server.get('/reconcile', { method: 'POST', body });
  };
  const queried = async (queries: object): Promise<Answer> => {
    const answer = await (await post({ queries })).json();
    valid('results', answer);
    return answer;
  };
  const extended = async (extend: object): Promise<Answer> => {
    const answer = await (await post({ extend })).json();
    valid('extension', answer);
    return answer;
  };

  it('tells what it is and where everything is, at the address by which it was asked', async () => {
    for (const path of ['', '/']) {
      const manifest = await get(path);
      valid('manifest', manifest);
      expect(manifest.view.url).to.equal(`${server.url}/reconcile/view?id={{id}}`);
      expect(manifest.defaultTypes.map(({ id }: { id: string }) => id)).to.deep.equal(['politician', 'party']);
    }
  });

  it('answers queries in a form or in the address, of each type, and never matches a homonym', async () => {
    const queries = {
      q0: { query: 'bruyevre oceane', type: 'politician', limit: 3 },
      q1: { query: 'ADR', type: ['party'], type_strict: 'any' },
      q2: { query: 'Camille Rouvre' },
      q3: { query: 'Camille Rouvre', properties: [{ pid: 'party', v: { id: 'party:parti-du-verger' } }] },
      q4: { query: 'Nobody Zzqxwv' },
      q5: { query: '' },
      q6: { query: 'ADR', type: 'no such type' },
    };
    const answer = await queried(queries);
    type Result = { id: string; match: boolean };
    const matchIds = Object.values(answer).map((each) =>
      (each as { result: Result[] }).result.map(({ id, match }) => `${id}${match ? '!' : ''}`),
    );
    expect(matchIds[0]).to.deep.equal(['politician:oceane-bruyevre!']);
    expect(matchIds[1]).to.deep.equal(['party:alliance-des-rivages!']);
    expect(matchIds[2]).to.have.members(['politician:camille-rouvre', 'politician:camille-rouvre-2']);
    expect(matchIds[3]).to.deep.equal(['politician:camille-rouvre', 'politician:camille-rouvre-2']);
    expect(matchIds.slice(4)).to.deep.equal([[], [], []]);
    const properties = [
      { pid: 'group', v: { id: 'party:alliance-des-rivages' } },
      { pid: 'birth_date', v: '1900-01-01T00:00:00Z' },
    ];
    const { q7 } = await queried({ q7: { query: 'Océane Bruyèvre', properties: properties } });
    const [{ features }] = (q7 as { result: [{ features: object[] }] }).result;
    expect(features, 'by the properties that stated them').to.deep.equal([
      { id: 'group', value: true },
      { id: 'birth_date', value: false },
    ]);
    expect(await get(`?queries=${encodeURIComponent(JSON.stringify(queries))}`)).to.deep.equal(answer);
  });

  it('extends a table by parties, offices, departments and days', async () => {
    const { meta, rows } = await extended({
      ids: ['politician:barnabe-oeillevent', 'party:alliance-des-rivages', 'politician:nobody', 'x'],
      properties: [
        { id: 'party' },
        { id: 'department' },
        { id: 'affiliation_end' },
        { id: 'short_name' },
        { id: 'unknown' },
      ],
    });
    expect(meta.map(({ id }: { id: string }) => id).join()).to.equal(
      'party,department,affiliation_end,short_name,unknown',
    );
    expect(rows['politician:barnabe-oeillevent']).to.deep.equal({
      party: [{ id: 'party:oeuvre-commune', name: 'Œuvre commune' }],
      department: [{ str: 'Île-aux-Hérons' }],
      affiliation_end: [{ date: '2019-08-31T00:00:00' }, {}],
      short_name: [],
      unknown: [],
    });
    expect(rows['party:alliance-des-rivages'].short_name).to.deep.equal([{ str: 'ADR' }]);
    expect(rows['politician:nobody'].party).to.deep.equal([]);
  });

  it('extends by the party of a day, and by so many values at most', async () => {
    const settled = async (settings: object) => {
      const ids = ['politician:barnabe-oeillevent'];
      const { rows } = await extended({ ids, properties: [{ id: 'affiliations', settings }] });
      return rows[ids[0]!].affiliations.map(({ id }: { id: string }) => id);
    };
    expect(await settled({ date: '2005-06-01' })).to.deep.equal(['party:alliance-des-rivages']);
    expect(await settled({ date: '2005-06-01T00:00:00' })).to.deep.equal(['party:alliance-des-rivages']);
    expect(await settled({ date: '2025-06-01' })).to.deep.equal(['party:oeuvre-commune']);
    expect(await settled({ limit: '1' })).to.deep.equal(['party:alliance-des-rivages']);
    expect((await settled({})).length).to.equal(2);
  });

  it('adds a property that is asked for twice once, as it was asked for last', async () => {
    const ids = ['politician:barnabe-oeillevent', 'politician:barnabe-oeillevent'];
    const properties = [{ id: 'affiliations' }, { id: 'party' }, { id: 'affiliations', settings: { limit: 1 } }];
    const { meta, rows } = await extended({ ids, properties });
    expect(meta.map(({ id }: { id: string }) => id)).to.deep.equal(['affiliations', 'party']);
    expect(rows[ids[0]!].affiliations.length).to.equal(1);
  });

  it('suggests entities, types and properties, and what there is to be added', async () => {
    const entities = await get('/suggest/entity?prefix=bruy');
    valid('entities', entities);
    expect(entities.result[0].id).to.equal('politician:oceane-bruyevre');
    expect((await get('/suggest/entity?prefix=bruy&type=party')).result).to.deep.equal([]);
    expect((await get('/suggest/entity?prefix=bruy&cursor=1')).result).to.deep.equal([]);
    for (const [what, prefix, id] of [
      ['type', 'pol', 'politician'],
      ['property', 'dep', 'department'],
    ]) {
      const words = await get(`/suggest/${what}?prefix=${prefix}`);
      valid('words', words);
      expect(words.result[0].id).to.equal(id);
    }
    const proposed = await get('/properties?type=politician');
    valid('proposals', proposed);
    const ids = proposed.properties.map(({ id }: { id: string }) => id);
    expect(ids).to.include.members(['party', 'group', 'current_role', 'department', 'birth_date']);
    expect((await get('/properties?type=party&limit=2')).properties.length).to.equal(2);
  });

  it('completes names from two letters as the search box does', async () => {
    for (const prefix of ['br', 'bru', 'Océane B', 'riv', 'Alliance d', 'bruyevr oceane']) {
      const ids = (await get(`/suggest/entity?prefix=${encodeURIComponent(prefix)}`)).result.map(
        ({ id }: { id: string }) => id,
      );
      const response = await server.app.inject(`/suggest.json?q=${encodeURIComponent(prefix)}`);
      const names = response
        .json()
        .items.filter(({ href }: { href: string }) => /^\/(politicians|parties)\//.test(href))
        .map(
          ({ href, value }: Record<string, string>) => `${href!.includes('parties') ? 'party' : 'politician'}:${value}`,
        );
      expect(names, prefix).to.have.length.above(0);
      expect(ids.slice(0, names.length), prefix).to.deep.equal(names);
    }
    for (const prefix of ['b', ' ', ''])
      expect((await get(`/suggest/entity?prefix=${prefix}`)).result).to.deep.equal([]);
  });

  it('shows an entity in a few lines that may stand in pages of others, and leads to its page', async () => {
    const preview = await server.get('/reconcile/preview?id=politician:oceane-bruyevre&lang=fr');
    expect(preview.headers.get('content-security-policy')).to.contain('frame-ancestors *');
    expect(await preview.text())
      .to.contain('<html lang="fr">')
      .and.contain('<h1>Océane Bruyèvre</h1>');
    const view = await server.get('/reconcile/view?id=politician%3Aoceane-bruyevre', { redirect: 'manual' });
    expect(view.headers.get('location')).to.equal('/politicians/oceane-bruyevre');
    for (const path of ['preview', 'view'])
      for (const id of ['politician:nobody', 'ballot:AN:1', '', '%00'])
        expect((await server.get(`/reconcile/${path}?id=${id}`)).status).to.equal(404);
  });

  it('answers pages of every origin, and never as a script that calls what they name', async () => {
    const answer = await post({ queries: { q0: { query: 'ADR' } } });
    expect(answer.headers.get('access-control-allow-origin')).to.equal('*');
    const options = await server.get('/reconcile', { method: 'OPTIONS' });
    expect(options.headers.get('access-control-allow-methods')).to.equal('GET, HEAD, OPTIONS, POST');
    const callbackAnswer = await server.get('/reconcile?callback=jQuery1_2.done');
    expect([callbackAnswer.status, callbackAnswer.headers.get('content-type')]).to.deep.equal([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(await callbackAnswer.json()).to.include.keys('versions', 'name');
  });

  it('refuses what is too much or makes no sense, and stays as it was', async () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`q${at}`, { query: 'x' }]));
    const statuses = [];
    for (const form of [
      { queries: many },
      { queries: { q0: { query: 'x'.repeat(501) } } },
      { queries: { q0: { query: 1 } } },
      { queries: { q0: null } },
      { queries: [] },
      { queries: { q0: { query: 'x', properties: 'x' } } },
      { extend: { ids: 'x' } },
      { extend: { ids: [], properties: [null] } },
      {
        extend: {
          ids: Array.from({ length: 200 }, (_, at) => String(at)),
          properties: Array.from({ length: 16 }, (_, at) => ({ id: `p${at}` })),
        },
      },
      { extend: { ids: Array.from({ length: 201 }, String), properties: [] } },
      { extend: { ids: [], properties: [{ id: 'party', settings: { date: 'x' } }] } },
      {},
    ])
      statuses.push((await post(form)).status);
    expect(new Set(statuses)).to.deep.equal(new Set([422]));
    const sent = async (body: string | URLSearchParams, type?: string) => {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      return (await server.get('/reconcile', { method: 'POST', body, headers })).status;
    };
    expect(await sent(new URLSearchParams({ queries: 'x' }))).to.equal(422);
    expect(await sent(new URLSearchParams({ queries: 'x'.repeat(300_000) }))).to.equal(413);
    expect(await sent('{}', 'application/json')).to.equal(415);
    expect((await server.get('/reconcile', { method: 'DELETE' })).status).to.equal(405);
    expect((await server.get('/api/v1/politicians', { method: 'POST' })).status).to.equal(405);
    expect(server.failures).to.deep.equal([]);
    expect((await queried({ ['__proto__']: { query: 'x' }, q0: { query: '__proto__' } })).q0.result).to.deep.equal([]);
  });

  it('counts a batch as one request', async () => {
    const limited = await startDemoServer({ settings: { rateLimit: true } });
    try {
      const queries = JSON.stringify({ q0: { query: 'ADR' }, q1: { query: 'PDV' }, q2: { query: 'LDA' } });
      const body = new URLSearchParams({ queries });
      const remaining = [];
      for (let times = 0; times < 2; times++) {
        const { headers } = await limited.get('/reconcile', { method: 'POST', body });
        remaining.push(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
      }
      expect(remaining).to.deep.equal(['59', '58']);
    } finally {
      await limited.close();
    }
  });
});
