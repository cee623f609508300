import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createMarkedMirror } from '../../helpers/marked-mirror.ts';
import { type DemoServer, startDemoServer } from '../../server/demo-server.ts';

type Described = { name: string; in: 'path' | 'query'; required?: boolean; example?: string | string[] };

/** Parameters that name a record, or a word that records have. */
const naming = new Set([
  'slug',
  'key',
  'scrutin_id',
  'party',
  'politician',
  'topic',
  'entity_type',
  'result',
  'type',
  'voted',
  'group',
]);

describe('the examples in /openapi.json', () => {
  let folder: string;
  let server: DemoServer;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-examples-'));
  });
  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function parametersByPath(): Promise<[path: string, parameters: Described[]][]> {
    const { paths } = (await (await server.get('/openapi.json')).json()) as {
      paths: Record<string, { get: { parameters?: Described[] } }>;
    };
    return Object.entries(paths).map(([path, { get }]) => [path, get.parameters ?? []]);
  }

  const written = (example: unknown) => encodeURIComponent([example].flat().join(','));

  /** Asks every path with each of its examples that name something; returns which were asked with. */
  async function expectAllToBeThere(): Promise<Record<string, string>> {
    const requestedPaths: Record<string, string> = {};
    for (const [path, parameters] of await parametersByPath()) {
      // A mirror may hold no ballot on a text.
      const isNameless = parameters.some(
        (each) => each.name === 'text' && each.in === 'path' && each.example === undefined,
      );
      if (isNameless) continue;
      const requestedPath = path.replace(/\{(\w+)\}/g, (_all, name) => {
        const { example } = parameters.find((each) => each.name === name)!;
        return written(example ?? 'politician');
      });
      if (requestedPath !== path) requestedPaths[path] = requestedPath;
      if (requestedPath !== path) expect((await server.get(requestedPath)).status, requestedPath).to.equal(200);
      for (const { name, example, in: where } of parameters) {
        if (where === 'path' || !naming.has(name) || example === undefined) continue;
        // Kinds of record, which need none.
        if (path === '/api/v1/search') continue;
        const required = parameters.filter((each) => each.required && each.in === 'query' && each.name !== name);
        // Where nothing can be named that must be, nothing can be asked.
        if (required.some((each) => each.name !== 'q' && each.example === undefined)) continue;
        const needed = required.map(
          (each) => `${each.name}=${each.name === 'q' ? 'zygomatique' : written(each.example)}&`,
        );
        const address = `${requestedPath}?${needed.join('')}${name}=${written(example)}`;
        const answer = await server.get(address);
        expect(answer.status, address).to.equal(200);
        const { suggestions = [] } = (await answer.json()) as { suggestions?: unknown[] };
        expect(suggestions, address).to.deep.equal([]);
        requestedPaths[`${path} ${name}`] = String(example);
      }
    }
    return requestedPaths;
  }

  it('name what the fictional records have', async () => {
    server = await startDemoServer();
    const requestedPaths = await expectAllToBeThere();
    expect(requestedPaths).to.include({
      '/api/v1/politicians/{slug}': '/api/v1/politicians/oceane-bruyevre',
      '/api/v1/votes/{scrutin_id}': '/api/v1/votes/VAL1V4',
      '/api/v1/ballots voted': 'ADR:for',
      '/api/v1/compare group': 'ADR,majority',
      '/api/v1/cohesion group': 'ADR',
      '/api/v1/audit entity_type': 'politician',
    });
  });

  it('name records of another mirror, and nothing that it has none of', async () => {
    createMarkedMirror(join(folder, 'a.db'), 'autre');
    server = await startDemoServer({ db: join(folder, 'a.db') });
    const requestedPaths = await expectAllToBeThere();
    expect(requestedPaths).to.include({
      '/api/v1/politicians/{slug}': '/api/v1/politicians/une-elue',
      '/api/v1/parties/{slug}': '/api/v1/parties/parti',
      '/api/v1/votes/{scrutin_id}': '/api/v1/votes/V1',
      '/api/v1/records/{kind}/{key}': '/api/v1/records/politician/une-elue',
      '/api/v1/feed politician': 'une-elue',
    });
    expect(requestedPaths).not.to.have.any.keys(
      '/api/v1/feed topic',
      '/api/v1/audit entity_type',
      '/api/v1/ballots voted',
    );
  });

  it('are left out of an empty mirror', async () => {
    server = await startDemoServer({ empty: true });
    for (const [path, parameters] of await parametersByPath()) {
      const namingParameters = parameters.filter(({ name, example }) => naming.has(name) && example !== undefined);
      // The kinds that are searched need no record.
      if (!path.startsWith('/api/v1/search')) expect(namingParameters, path).to.deep.equal([]);
    }
  });
});
