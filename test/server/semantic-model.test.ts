import { expect } from 'chai';
import { createQueryModel } from '../../src/questions/query-vector.ts';
import { createEmbeddingService } from '../../src/service/embeddings.ts';
import { embedRecords } from '../../src/sync/embed.ts';
import { type EmbeddingServer, sendJson, startEmbeddingServer } from '../helpers/embedding-server.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';

const clock = { now: () => 0, sleep: async () => {}, random: () => 0, userAgent: 'test' };

describe('semantic search over HTTP, by a model', () => {
  let model: EmbeddingServer;
  let server: DemoServer;

  beforeEach(async () => {
    model = await startEmbeddingServer();
    const queryModel = createQueryModel({ ...clock, url: model.url, model: 'petit', key: null });
    server = await startDemoServer({ settings: { semantic: true, queryModel } });
  });

  afterEach(async () => {
    await server.close();
    await model.close();
  });

  const ask = async (headers: Record<string, string> = {}) => {
    const answer = await server.get('/api/v1/search/semantic?q=for%C3%AAt&k=3', { headers });
    const text = await answer.text();
    const { mode, method, fallback } = text === '' ? ({} as never) : JSON.parse(text);
    return { status: answer.status, etag: answer.headers.get('etag')!, strategy: [mode, method, fallback] };
  };

  const embed = async () => {
    const service = await createEmbeddingService({ ...clock, url: model.url, model: 'petit', key: null });
    await embedRecords({
      mirror: server.writer,
      service,
      signal: new AbortController().signal,
      progress: () => {},
    });
    await service.close();
  };

  it('begins once every record has an embedding; until then full text answers, and the operator is told once', async () => {
    const before = await ask();
    expect(before.strategy).to.deep.equal(['fulltext', 'words', true]);
    expect((await ask()).strategy).to.deep.equal(before.strategy);
    expect(server.failures.map(String)).to.have.length(1);
    expect(String(server.failures[0])).to.include('no vectors yet');
    await embed();
    const after = await ask({ 'if-none-match': before.etag });
    expect([after.status, ...after.strategy]).to.deep.equal([200, 'semantic', 'embeddings', false]);
    expect((await ask({ 'if-none-match': after.etag })).status).to.equal(304);
  });

  it('keeps nothing that stands in for an answer while the service of embeddings fails', async () => {
    await embed();
    model.bent = (_, response) => sendJson(response, 500, { error: 'out of memory' });
    const failing = await ask();
    expect(failing.strategy).to.deep.equal(['fulltext', 'words', true]);
    expect(String(server.failures.at(-1))).to.include('out of memory');
    model.bent = null;
    const mended = await ask({ 'if-none-match': failing.etag });
    expect([mended.status, ...mended.strategy]).to.deep.equal([200, 'semantic', 'embeddings', false]);
  });
});
