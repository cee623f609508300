import { expect } from 'chai';
import type { HemicycleError } from '../../src/errors.ts';
import { createEmbeddingService, type EmbeddingService, embeddingsAddress } from '../../src/service/embeddings.ts';
import { type EmbeddingServer, sendJson, startEmbeddingServer, vectorByHand } from '../helpers/embedding-server.ts';

describe('a service of embeddings', () => {
  let server: EmbeddingServer;
  let service: EmbeddingService;
  let slept: number[];
  let traced: string[];

  const connect = (more: object = {}) =>
    createEmbeddingService({
      url: server.url,
      model: 'petit',
      key: 'clef-secrete-42',
      userAgent: 'test',
      now: () => 0,
      random: () => 0,
      sleep: async (ms) => void slept.push(ms),
      trace: (line) => void traced.push(line),
      ...more,
    });

  beforeEach(async () => {
    [slept, traced] = [[], []];
    server = await startEmbeddingServer();
    service = await connect();
  });

  afterEach(async () => {
    await service.close();
    await server.close();
  });

  const refusal = (pending: Promise<unknown>) =>
    pending.then(
      () => expect.fail('was not refused'),
      (error: HemicycleError) => error,
    );

  it('gives the vectors of texts in their order, whatever the order of the answer', async () => {
    const texts = ['une forêt', 'un logement', 'une école, une classe'];
    expect(await service.embed(texts)).to.deep.equal(texts.map(vectorByHand));
    const [{ url, model, input, headers }] = server.requests as [(typeof server.requests)[0]];
    expect({ url, model, input }).to.deep.equal({ url: '/v1/embeddings', model: 'petit', input: texts });
    expect(headers.authorization).to.equal('Bearer clef-secrete-42');
  });

  it('is known by its host, by what ends in /v1, or by the whole address', () => {
    const whole = 'http://127.0.0.1:11434/v1/embeddings';
    for (const written of ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1/', whole])
      expect(embeddingsAddress(written)).to.equal(whole);
  });

  it('is asked again after a refusal that passes, as late as it says', async () => {
    server.bent = (_, response, nth) => {
      if (nth > 2) return false;
      response.writeHead(503, { 'retry-after': '7' }).end();
      return true;
    };
    expect(await service.embed(['forêt'])).to.have.length(1);
    expect(slept).to.deep.equal([7000, 7000]);
  });

  it('is asked for fewer texts at once where it refuses that many', async () => {
    server.bent = ({ input }, response) => input.length > 2 && sendJson(response, 422, { error: 'batch size > 2' });
    const texts = ['forêt', 'toit', 'école', 'bois', 'loyer'];
    expect(await service.embed(texts)).to.deep.equal(texts.map(vectorByHand));
  });

  const nonsense: [string, unknown][] = [
    ['no data', { ok: true }],
    ['too few vectors', { data: [] }],
    [
      'vectors of two lengths',
      {
        data: [
          { index: 0, embedding: [1, 2] },
          { index: 1, embedding: [1] },
        ],
      },
    ],
    [
      'what is no number',
      {
        data: [
          { index: 0, embedding: [1, null] },
          { index: 1, embedding: [1, 2] },
        ],
      },
    ],
    [
      'one text twice',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [2] },
        ],
      },
    ],
  ];
  for (const [what, body] of nonsense)
    it(`is refused where it answers ${what}`, async () => {
      server.bent = (_, response) => sendJson(response, 200, body);
      const error = await refusal(service.embed(['a', 'b']));
      expect(error).to.include({ exit: 5 });
      expect(error.message).to.include('does not hold 2 vectors of one length');
    });

  it('never gets its key, nor any text, sent elsewhere', async () => {
    const other = await startEmbeddingServer();
    server.bent = (_, response) => {
      response.writeHead(307, { location: `${other.url}/embeddings` }).end();
      return true;
    };
    for (const key of ['clef-secrete-42', null]) {
      const redirected = await connect({ key });
      expect((await refusal(redirected.embed(['a']))).message).to.include('redirects to');
      await redirected.close();
    }
    expect(other.requests).to.deep.equal([]);
    await other.close();
  });

  it('shows its key nowhere, not where it repeats it either', async () => {
    server.bent = (_, response) => sendJson(response, 500, { error: { message: 'bad key clef-secrete-42' } });
    const error = await refusal(service.embed(['a']));
    expect(error.message).to.include('bad key [token]');
    server.bent = (_, response) => sendJson(response, 401, {});
    const refused = await refusal(service.embed(['a']));
    expect(refused).to.include({ exit: 4 });
    expect(refused.hint).to.include('embeddings-key');
    expect(JSON.stringify([traced, refused.message])).not.to.include('clef-secrete');
  });

  it('says what to check where nobody listens', async () => {
    const unreachable = await connect({ url: 'http://127.0.0.1:9/v1', limits: { attempts: 1 } });
    const error = await refusal(unreachable.embed(['a']));
    expect(error).to.include({ exit: 6 });
    expect(error.hint).to.include('embeddings-url');
    await unreachable.close();
  });
});
