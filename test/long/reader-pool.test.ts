import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { ReadRequest } from '../../src/server/reader.ts';
import { ReaderPool } from '../../src/server/reader-pool.ts';
import { childrenOf, computedTicks, isZombie } from '../helpers/child-processes.ts';
import { type DemoServer, saveAll, startDemoServer } from '../server/demo-server.ts';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const real = pathOf('../../src/server/run/reader.ts');
const stuck = pathOf('../server/stuck-reader.ts');
/** Long enough for a process to start on a machine that is busy. */
const bounds = { readMs: 5000, readWallMs: 5000 };

const search = (q: string) => `/api/v1/search?q=${encodeURIComponent(q)}`;

/** The processes of ours that read now. */
const reading = () => childrenOf(process.pid, 'reader.ts');

describe('questions that take long, answered in processes of their own', () => {
  let server: DemoServer;
  afterEach(() => server.close());

  it('give what a search in the server gives, byte by byte', async () => {
    const here = await startDemoServer();
    server = await startDemoServer({ readerProgram: real });
    for (const path of [
      search('train'),
      search('trains de nuit'),
      search('nothing-at-all'),
      `${search('mer*')}&type=promise,politician&limit=2`,
      '/api/v1/search/semantic?q=des+trains+de+nuit+partout&k=3',
    ]) {
      const one = await here.get(path);
      const other = await server.get(path);
      expect(other.status, path).to.equal(200);
      expect(await other.text(), path).to.equal(await one.text());
      expect(other.headers.get('etag'), path).to.match(/^"/);
    }
    await here.close();
  });

  it('show what was saved since, and 304 while nothing was', async () => {
    server = await startDemoServer({ readerProgram: real });
    const before = await server.get(search('zygomatique'));
    expect(await before.json()).to.deep.include({ items: [] });
    const cachedOptions = { headers: { 'if-none-match': before.headers.get('etag')! } };
    expect((await server.get(search('zygomatique'), cachedOptions)).status).to.equal(304);
    saveAll(server.writer, 'content', [{ id: 'new-1', title: 'Zygomatique', date: '2026-01-01' }]);
    const after = await server.get(search('zygomatique'), cachedOptions);
    expect(after.status).to.equal(200);
    expect(await after.json()).to.nested.include({ 'items[0].id': 'new-1' });
  });

  it('are cut when they take too long, and hold up nobody meanwhile', async () => {
    server = await startDemoServer({ readerProgram: stuck, bounds: { ...bounds, readers: 2 } });
    const long = server.get(search('endless'));
    expect((await server.get('/api/v1/politicians')).status).to.equal(200);
    expect((await server.get(search('train'))).status).to.equal(200);
    const answer = await long;
    expect(answer.status).to.equal(503);
    expect(answer.headers.get('retry-after')).to.equal('5');
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    expect(await answer.json())
      .to.have.property('detail')
      .that.match(/stopped after 5 s/);
    expect(server.failures, 'a search that is cut is no fault of the server').to.deep.equal([]);
  });

  it('are cut by the CPU time that they use, not by the time that they take', async () => {
    server = await startDemoServer();
    const { path: mirrorPath } = server.mirror;
    const own = { readers: 1, readersPerCaller: 1, readWallMs: 60_000 };
    const poolOf = (program: string, readMs: number) =>
      new ReaderPool({ program, mirrorPath, edition: () => 0, ...own, readMs });
    const reading = { searchesByMeaning: false, asOf: null };
    // Its process measures no CPU time, and takes longer than a millisecond to start.
    const unmeasured = poolOf(stuck, 1);
    expect(await unmeasured.read({ question: 'topics', values: {}, reading }, { key: 'a' })).to.have.property('text');
    await unmeasured.close();
    const measured = poolOf(real, 1000);
    const statement = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n';
    const endless = { question: 'sql', values: { statement, param: {}, limit: 1 }, reading };
    const error = await measured.read(endless, { key: 'a' }).catch((each) => each);
    expect([error.status, error.message]).to.deep.equal([
      503,
      'The query was stopped after 1 s of CPU time; use a smaller range or a narrower filter.',
    ]);
    await measured.close();
  });

  it('are batches of names too: read as in the server, refused as there, and cut', async () => {
    const here = await startDemoServer();
    const pooled = await startDemoServer({ readerProgram: real, bounds: { readMs: 60_000 } });
    const posted = (to: DemoServer, form: Record<string, string>) =>
      to.get('/reconcile', { method: 'POST', body: new URLSearchParams(form) });
    for (const form of [
      { queries: '{"q0":{"query":"Océane Bruyevre"},"q1":{"query":"ADR","type":"party"}}' },
      { extend: '{"ids":["politician:oceane-bruyevre"],"properties":[{"id":"party"}]}' },
      { queries: '[]' },
    ] as Record<string, string>[]) {
      const one = await posted(here, form);
      const other = await posted(pooled, form);
      expect(other.status).to.equal(one.status);
      expect(await other.text()).to.equal(await one.text());
    }
    await Promise.all([here.close(), pooled.close()]);
    server = await startDemoServer({ readerProgram: stuck, bounds: { ...bounds, readers: 1 } });
    expect((await posted(server, { queries: '{"q0":{"query":"endless"}}' })).status).to.equal(503);
    expect((await server.get('/reconcile')).status).to.equal(200);
  });

  it('wait for each other, and are refused when they wait too long', async () => {
    server = await startDemoServer({ readerProgram: stuck, bounds: { ...bounds, readers: 1 } });
    const many = await Promise.all(['a', 'b', 'c', 'd'].map((q) => server.get(search(q))));
    expect(many.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    const all = await Promise.all(
      ['endless', 'endless', 'endless', 'endless'].map((q, n) => server.get(`${search(q)}&limit=${n + 1}`)),
    );
    expect(all.map(({ status }) => status)).to.deep.equal([503, 503, 503, 503]);
    expect((await server.get(search('train'))).status).to.equal(200);
  });

  it('are made once for all who ask the same at one time', async () => {
    server = await startDemoServer({ readerProgram: stuck, bounds: { ...bounds, readers: 1 } });
    // One after another these would wait longer than a search may.
    const all = await Promise.all(Array.from({ length: 10 }, () => server.get(search('endless'))));
    const details = await Promise.all(all.map(async (answer) => ((await answer.json()) as { detail: string }).detail));
    expect(new Set(details).size).to.equal(1);
    expect(details[0]).to.match(/was stopped after/);
  });

  it('of one caller, however many and long, leave a process to others, who share an answer but no queue', async () => {
    server = await startDemoServer({
      readerProgram: stuck,
      bounds: { ...bounds, readers: 2, readersPerCaller: 1 },
      settings: { trustedProxies: ['127.0.0.1'] },
    });
    const ask = (caller: string, q: string) => server.get(search(q), { headers: { 'x-forwarded-for': caller } });
    const endless = Array.from({ length: 40 }, (_, at) => ask('192.0.2.1', `endless ${at}`));
    // The last of one caller's queue is the first of another's.
    const last = ask('192.0.2.1', 'train');
    const otherAnswers = ['mer', 'train', 'gare'].map((q, at) => ask(`192.0.2.${at + 2}`, q));
    for (const other of otherAnswers) expect((await other).status).to.equal(200);
    expect((await last).status).to.equal(200);
    const refused = await Promise.all(endless.map(async (each) => (await each).status));
    expect(new Set(refused)).to.deep.equal(new Set([503]));
  });

  it('are an error of the server when their process falls, and the next one starts another', async () => {
    server = await startDemoServer({ readerProgram: stuck });
    const answer = await server.get(search('fatal'));
    expect(answer.status).to.equal(500);
    expect(String(server.failures[0])).to.match(/ended \(exit 9\)/);
    expect((await server.get(search('train'))).status).to.equal(200);
  });

  it('cost the question that a killed process was at, at once, and no other', async () => {
    server = await startDemoServer({ readerProgram: stuck, bounds: { readMs: 60_000, readers: 2 } });
    const lost = server.get(search('endless'));
    while (reading().length === 0) await server.get('/healthz');
    const [busy] = reading() as [number];
    const pendingAnswers = ['train', 'mer', 'gare'].map((q) => server.get(search(q)));
    expect((await pendingAnswers[0]!).status).to.equal(200);
    // More than a start takes: it is at the question that never ends.
    while (computedTicks(busy) < 200) await server.get('/healthz');
    process.kill(busy, 'SIGKILL');
    expect((await lost).status).to.equal(500);
    expect(String(server.failures[0])).to.match(/ended \(SIGKILL\)/);
    pendingAnswers.push(server.get(search('train de nuit')));
    expect((await Promise.all(pendingAnswers)).map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    for (const pid of reading()) process.kill(pid, 'SIGKILL');
    while (reading().length > 0) await server.get('/healthz');
    expect((await server.get(search('quai'))).status).to.equal(200);
  });

  it('are put to another process where one was killed while it had none', async () => {
    server = await startDemoServer();
    const pool = new ReaderPool({
      ...{ program: real, mirrorPath: server.mirror.path, edition: () => null },
      ...{ readers: 2, readersPerCaller: 2, readMs: 60_000, readWallMs: 60_000 },
    });
    const caller = { key: '192.0.2.1' };
    const readRequest: ReadRequest = {
      question: 'topics',
      values: {},
      reading: { searchesByMeaning: false, asOf: null },
    };
    const first = await pool.read(readRequest, caller);
    const pids = reading();
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    // This process does nothing else until they are gone, and so hears nothing of it before it asks again.
    while (!pids.every(isZombie));
    expect((await pool.read(readRequest, caller)).text).to.equal(first.text);
    await pool.close();
  });

  it('leave no process behind when the server ends', async () => {
    server = await startDemoServer({ readerProgram: real });
    await server.get(search('train'));
    expect(reading()).not.to.deep.equal([]);
    await server.app.close();
    expect(reading()).to.deep.equal([]);
  });
});
