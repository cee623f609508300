import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { createQueryModel, withVector } from '../../src/questions/query-vector.ts';
import { createEmbeddingService } from '../../src/service/embeddings.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { readEdition } from '../../src/store/records/contents.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { searchInMode } from '../../src/store/search/search.ts';
import { transaction } from '../../src/store/transaction.ts';
import { removeFromIndex } from '../../src/store/word-index/search-index.ts';
import { embedRecords } from '../../src/sync/embed.ts';
import { type EmbeddingServer, sendJson, startEmbeddingServer, vectorByHand } from '../helpers/embedding-server.ts';

const clock = { now: () => 0, sleep: async () => {}, random: () => 0, userAgent: 'test' };

const texts: Document[] = [
  { id: 'bois', title: 'Amendement 1', text: 'Le bois, et les arbres.' },
  { id: 'toit', title: 'Amendement 2', text: 'Un toit pour chacun, un loyer juste.' },
  { id: 'classe', title: 'Amendement 3', text: 'Vingt élèves par classe.' },
  { id: 'copie', title: 'Amendement 4', text: 'Un toit pour chacun, un loyer juste.' },
  { id: 'vide', title: '', text: '' },
];

describe('vectors of records', () => {
  let folder: string;
  let mirror: Mirror;
  let server: EmbeddingServer;

  const save = (kind: 'content' | 'promise', documents: Document[]) =>
    transaction(mirror, () => {
      const saver = createSaver(mirror, kindOf(kind), { at: '2026-01-01T00:00:00.000Z' });
      for (const document of documents) saver.save(document);
      saver.finish();
    });

  const embed = async (model = 'petit', signal = new AbortController().signal, progressCalls: number[][] = []) => {
    const service = await createEmbeddingService({
      ...clock,
      url: server.url,
      model,
      key: null,
      limits: { attempts: 1 },
    });
    try {
      const progress = (done: number, total: number) => void progressCalls.push([done, total]);
      return await embedRecords({ mirror, service, signal, progress });
    } finally {
      await service.close();
    }
  };

  const search = async (
    query: string,
    { model = 'petit', topic, limit = 10 }: { model?: string; topic?: string; limit?: number } = {},
  ) => {
    const queryModel = createQueryModel({ ...clock, url: server.url, model, key: null });
    const reading = { searchesByMeaning: true, asOf: null };
    const { vector } = await withVector(mirror, reading, { query, filter: { topic }, queryModel });
    return searchInMode(mirror, 'semantic', {
      query,
      topic,
      limit,
      vector: vector!,
    });
  };

  const ids = (answer: { items: { id?: string }[] }) => answer.items.map(({ id }) => id);
  const sent = () => server.requests.flatMap(({ input }) => input);

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-embed-'));
    mirror = openWritableMirror(join(folder, 'mirror.db'));
    save('content', texts);
    server = await startEmbeddingServer();
  });

  afterEach(async () => {
    mirror.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are made once for each text, and both records with one text get it', async () => {
    expect(await embed()).to.deep.equal({ records: 5, texts: 3 });
    expect(sent().sort()).to.deep.equal(
      texts
        .slice(0, 3)
        .map(({ text }) => text)
        .sort(),
    );
    const answer = await search('habiter sous un toit');
    expect(answer).to.include({ mode: 'semantic', method: 'embeddings', fallback: false });
    expect(answer.items[0]).to.include({ id: 'copie', copies: 1 });
  });

  it('find what no word of the query stands in, the nearest first', async () => {
    await embed();
    // By hand: (1 0 0 .1) against (2 0 0 .1), (0 2 0 .1), (0 0 2 .1).
    expect(vectorByHand('forêt')).to.deep.equal([1, 0, 0, 0.1]);
    expect(ids(await search('forêt'))[0]).to.equal('bois');
    expect(ids(await search('école'))[0]).to.equal('classe');
  });

  it('are not made again for what has not changed, in another run either', async () => {
    await embed();
    const before = server.requests.length;
    expect(await embed()).to.deep.equal({ records: 0, texts: 0 });
    save('content', [{ id: 'neuf', title: 'Amendement 6', text: 'Le bois, et les arbres.' }]);
    expect(await embed()).to.deep.equal({ records: 1, texts: 0 });
    expect(server.requests.length).to.equal(before);
    save('content', [{ id: 'bois', title: 'Amendement 1', text: 'Des classes pour des élèves.' }]);
    expect(await embed()).to.deep.equal({ records: 1, texts: 1 });
    expect(ids(await search('école')).slice(0, 2)).to.have.members(['classe', 'bois']);
  });

  it('are not compared while any record lacks one: full text answers, and says why', async () => {
    const never = await search('forêt');
    expect(never).to.include({ mode: 'fulltext', method: 'words', fallback: true });
    expect(never.trouble).to.match(/no vectors yet/);
    await embed();
    save('content', [{ id: 'neuf', title: 'Amendement 6', text: 'Une forêt.' }]);
    const half = await search('forêt');
    expect(half).to.include({ mode: 'fulltext', fallback: true });
    expect(half.trouble).to.match(/not all records have their vector yet/);
    expect(ids(half)).to.deep.equal(['neuf']);
    // The service is not asked for what can be compared with nothing.
    expect(sent()).not.to.include('forêt');
  });

  it('go on where a run was ended, and send no text again', async () => {
    const many = Array.from({ length: 100 }, (_, n) => ({
      id: `n${n}`,
      title: 'x',
      text: `Texte ${n} du bois.`,
    }));
    save('content', many);
    server.bent = (_, response, nth) => nth === 3 && sendJson(response, 500, { error: 'out of memory' });
    const failed = await embed().catch((error) => error.message);
    expect(failed).to.include('out of memory');
    expect((await search('forêt')).trouble).to.match(/not all records have their vector yet/);
    server.bent = null;
    const controller = new AbortController();
    server.vectorOf = (text) => {
      controller.abort(new Error('interrupted'));
      return vectorByHand(text);
    };
    expect(await embed('petit', controller.signal).catch((error) => error.message)).to.equal('interrupted');
    server.vectorOf = vectorByHand;
    await embed();
    const sentTexts = sent().filter((text) => text !== 'forêt');
    const refused = server.requests[2]!.input;
    expect(new Set(sentTexts).size).to.equal(103);
    expect(sentTexts.length).to.equal(103 + refused.length);
    expect(await search('forêt', { limit: 3 })).to.include({ method: 'embeddings', fallback: false });
  });

  it('tell how far they are', async () => {
    const progressCalls: number[][] = [];
    await embed('petit', undefined, progressCalls);
    expect(progressCalls[0]).to.deep.equal([0, 5]);
    expect(progressCalls.at(-1)).to.deep.equal([5, 5]);
  });

  it('of another model are made anew, and the two are never compared', async () => {
    await embed();
    const other = await search('forêt', { model: 'grand' });
    expect(other).to.include({ mode: 'fulltext', fallback: true });
    expect(other.trouble).to.match(/another model than grand/);
    server.vectorOf = (text) => [0, 0, ...vectorByHand(text)];
    expect(await embed('grand')).to.deep.equal({ records: 5, texts: 3 });
    expect(ids(await search('forêt', { model: 'grand' }))[0]).to.equal('bois');
    expect((await search('forêt')).trouble).to.match(/another model than petit/);
    const storedModels = mirror.column<string>('SELECT DISTINCT model FROM embedding').all();
    expect(storedModels).to.deep.equal(['grand']);
  });

  it('of another length under the same name are refused, and the search does without them', async () => {
    await embed();
    server.vectorOf = (text) => [...vectorByHand(text), 1];
    const answer = await search('forêt');
    expect(answer).to.include({ mode: 'fulltext', fallback: true });
    expect(answer.trouble).to.equal('petit gives 5 dimensions now, the vectors of this mirror have 4');
    save('content', [{ id: 'neuf', title: 'x', text: 'Une autre forêt.' }]);
    const refused = await embed().catch((error) => error);
    expect(refused).to.include({ exit: 5 });
    expect(refused.message).to.include('embeddings of 5 dimensions');
  });

  it('are done without where their service fails', async () => {
    await embed();
    server.bent = (_, response) => sendJson(response, 500, { error: 'out of memory' });
    const answer = await search('le bois');
    expect(answer).to.include({ mode: 'fulltext', method: 'words', fallback: true });
    expect(answer.trouble).to.include('out of memory');
    expect(ids(answer)).to.include('bois');
  });

  it('are of withdrawn records no more, and keep to a topic', async () => {
    save('promise', [
      { id: 'p1', title: 'Bois', text: 'Planter des arbres.', topic: 'forets' },
      { id: 'p2', title: 'Bois', text: 'Planter des arbres.', topic: 'budget' },
    ]);
    await embed();
    expect(ids(await search('forêt', { topic: 'forets' }))).to.deep.equal(['p1']);
    expect(ids(await search('forêt', { topic: 'budget' }))).to.deep.equal(['p2']);
    const id = mirror.column<number>("SELECT id FROM record WHERE key = 'bois'").get()!;
    transaction(mirror, () => {
      mirror.sql("UPDATE record SET withdrawn = '2026-02-01' WHERE id = ?").run(id);
      removeFromIndex(mirror, id);
    });
    expect(ids(await search('forêt'))).not.to.include('bois');
  });

  it('leave a mirror readable by who knows nothing of them, and what was kept of its answers invalid', async () => {
    const before = readEdition(mirror);
    await embed();
    expect(readEdition(mirror)).to.deep.include({ version: before.version });
    expect(readEdition(mirror).state).not.to.equal(before.state);
    const reader = openMirror(mirror.path);
    expect(searchInMode(reader, 'fulltext', { query: 'bois', limit: 5 }).items).to.have.length(1);
    reader.close();
  });
});
