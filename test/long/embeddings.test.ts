import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { type EmbeddingServer, sendJson, startEmbeddingServer } from '../helpers/embedding-server.ts';
import { runProgram } from '../helpers/program.ts';

describe('a model of semantic search', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let server: EmbeddingServer;
  let env: Record<string, string>;

  beforeEach(async () => {
    demo = await createDemoMirror();
    server = await startEmbeddingServer();
    env = {
      HOME: demo.folder,
      HEMICYCLE_DB: demo.db,
      FEATURE_SEMANTIC_SEARCH: 'on',
      HEMICYCLE_EMBEDDINGS_URL: server.url,
      HEMICYCLE_EMBEDDINGS_MODEL: 'petit',
    };
  });

  afterEach(async () => {
    await server.close();
    demo.remove();
  });

  const run = (argv: string[], more: Parameters<typeof runProgram>[1] = {}) => runProgram(argv, { env, ...more });

  const search = async (...argv: string[]) => {
    const { stdout, stderr } = await run(['search', '--semantic', 'forêt', '-k', '3', ...argv]);
    const { mode, method, fallback } = JSON.parse(stdout);
    return { strategy: [mode, method, fallback], stderr };
  };

  it('is given every text once, and compares with what it made of them', async () => {
    const before = await search('--json');
    expect(before.strategy).to.deep.equal(['fulltext', 'words', true]);
    const { stdout, exit } = await run(['sync', '--embed', 'only']);
    expect([stdout, exit]).to.match(/^\d+ records now have an embedding by petit; \d+ texts were sent\n,0$/);
    const texts = server.requests.flatMap(({ input }) => input);
    expect(new Set(texts).size).to.equal(texts.length);
    expect((await run(['sync', '--embed', 'only'])).stdout).to.equal('every record has an embedding\n');
    expect((await search('--json')).strategy).to.deep.equal(['semantic', 'embeddings', false]);
    const requestCount = server.requests.length;
    expect((await search('--json', '--source', 'mirror')).strategy).to.deep.equal(['fulltext', 'words', true]);
    expect(server.requests.length).to.equal(requestCount);
    server.bent = (_, response) => sendJson(response, 500, { error: 'out of memory' });
    const { stderr } = await run(['search', '--semantic', 'forêt']);
    expect(stderr).to.match(/semantic search is not available \(.*out of memory\); full-text search was used/);
  });

  it('is told of where it is not set, and where it cannot be reached', async () => {
    const unset = await run(['sync', '--embed', 'only'], { env: { ...env, HEMICYCLE_EMBEDDINGS_URL: '' } });
    expect(unset.exit).to.equal(10);
    expect(unset.stderr).to.include('no embeddings service is configured');
    const there = { ...env, HEMICYCLE_EMBEDDINGS_KEY: 'clef-secrete-42' };
    server.bent = (_, response) => sendJson(response, 401, { error: 'bad key clef-secrete-42' });
    const refused = await run(['sync', '--embed', 'only', '--debug'], { env: there });
    expect(refused.exit).to.equal(4);
    expect(refused.stderr).to.include('embeddings-key').and.not.to.include('clef-secrete');
  });

  it('keeps its key in a file of mode 0600, shows it nowhere, and sends it to no other origin', async () => {
    const { HEMICYCLE_EMBEDDINGS_URL: url = '', ...otherVariables } = env;
    const runOptions = { env: otherVariables };
    await run(['config', 'set', 'embeddings-url', url], runOptions);
    expect((await run(['config', 'set', 'embeddings-key', 'clef-secrete-42'], runOptions)).exit).to.equal(2);
    await run(['config', 'set', 'embeddings-key'], { ...runOptions, input: 'clef-secrete-42\n' });
    const file = join(demo.folder, '.config', 'hemicycle', 'config.json');
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(readFileSync(file, 'utf8')).to.include('clef-secrete-42');
    const shown = [
      await run(['config', 'list'], runOptions),
      await run(['config', 'get', 'embeddings-key'], runOptions),
    ];
    expect(shown.map(({ stdout }) => stdout).join())
      .to.include('(set, not shown)')
      .and.not.to.include('clef-secrete');
    const other = await startEmbeddingServer();
    await run(['sync', '--embed', 'only'], {
      env: { ...otherVariables, HEMICYCLE_EMBEDDINGS_URL: other.url },
    });
    expect(other.requests[0]!.headers.authorization).to.equal(undefined);
    await other.close();
    await run(['search', '--semantic', 'forêt'], runOptions);
    expect(server.requests[0]!.headers.authorization).to.equal('Bearer clef-secrete-42');
  });
});
