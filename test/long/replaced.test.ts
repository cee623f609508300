import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { saveMeta } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { createMarkedMirror, markedPaths } from '../helpers/marked-mirror.ts';
import { type DemoServer, saveAll, startDemoServer } from '../server/demo-server.ts';

const readerProgram = fileURLToPath(new URL('../../src/server/run/reader.ts', import.meta.url));

describe('a mirror that is replaced while it is served', () => {
  let folder: string;
  let server: DemoServer;
  const at = (name: string) => join(folder, name);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-replaced-'));
    createMarkedMirror(at('a.db'), 'ancien');
    createMarkedMirror(at('n.db'), 'nouveau');
  });
  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(options: Parameters<typeof startDemoServer>[0] = {}): Promise<void> {
    server = await startDemoServer({
      db: at('a.db'),
      settings: { citation: { name: null, siteUrl: null } },
      // Long enough for processes to start on a machine that is busy.
      bounds: { readMs: 30_000 },
      ...options,
    });
    // A sync has no connection to the file any more.
    server.writer.close();
  }

  const copy = (from: string, to: string) => execFileSync('cp', [at(from), at(to)]);

  async function expectAll(word: string): Promise<void> {
    for (const path of markedPaths) {
      const answer = await server.get(path);
      expect(answer.status, path).to.equal(200);
      expect(answer.headers.get('link'), path).to.include(`https://${word}.example`);
      expect(await answer.text(), path).to.include(word);
    }
    expect(await (await server.get('/')).text()).to.include(`Service ${word}`);
    expect(await (await server.get('/docs')).text()).to.include(`Service ${word}`);
  }

  for (const [where, options] of [
    ['this process', {}],
    ['processes that read', { readerProgram }],
  ] as const) {
    it(`is answered from the new file at once, by ${where}`, async () => {
      await start(options);
      await expectAll('ancien');
      renameSync(at('a.db'), at('b.db'));
      copy('n.db', 'a.db');
      await expectAll('nouveau');
      expect(server.failures).to.deep.equal([]);
    });

    it(`is 503 while there is no file, and never an answer of the former one, by ${where}`, async () => {
      await start(options);
      await expectAll('ancien');
      renameSync(at('a.db'), at('b.db'));
      const page = await server.get('/');
      expect([page.status, page.headers.get('content-type')]).to.deep.equal([503, 'text/html; charset=utf-8']);
      expect(page.headers.get('retry-after')).to.match(/^\d+$/);
      for (const path of [...markedPaths, '/readyz', '/statusz']) {
        const answer = await server.get(path);
        expect(answer.status, path).to.equal(503);
        expect(answer.headers.get('retry-after'), path).to.match(/^\d+$/);
        expect(answer.headers.get('content-type'), path).to.match(/^application\/problem\+json/);
        expect(await answer.json(), path)
          .to.have.property('detail')
          .that.matches(/mirror is not available at the moment/);
      }
      for (const path of ['/healthz', '/openapi.json', '/docs'])
        expect((await server.get(path)).status, path).to.equal(200);
      expect(server.failures.map(String), 'said once').to.have.length(1);
      expect(String(server.failures[0])).to.match(/there is no mirror at .*a\.db/);
      renameSync(at('n.db'), at('a.db'));
      await expectAll('nouveau');
    });
  }

  it('is answered from the new file when that was written over the former one', async () => {
    await start({ readerProgram });
    createMarkedMirror(at('big.db'), 'grand', { more: 2000 });
    await expectAll('ancien');
    copy('big.db', 'a.db');
    await expectAll('grand');
    copy('n.db', 'a.db');
    await expectAll('nouveau');
  });

  it('is 503 as long as the new file is not whole', async () => {
    await start({ readerProgram });
    createMarkedMirror(at('big.db'), 'grand', { more: 2000 });
    await expectAll('ancien');
    const { size } = statSync(at('big.db'));
    for (const length of [0, 50, 4096, Math.round(size / 2)]) {
      copy('big.db', 'part.db');
      truncateSync(at('part.db'), length);
      renameSync(at('part.db'), at('a.db'));
      for (const path of markedPaths) expect((await server.get(path)).status, `${path} ${length}`).to.equal(503);
    }
    copy('big.db', 'a.db');
    await expectAll('grand');
  });

  it('is what a link points to', async () => {
    symlinkSync(at('a.db'), at('current.db'));
    await start({ readerProgram, db: at('current.db') });
    await expectAll('ancien');
    symlinkSync(at('n.db'), at('next'));
    renameSync(at('next'), at('current.db'));
    await expectAll('nouveau');
  });

  for (const [how, put] of [
    ['moved there', () => renameSync(at('n.db'), at('a.db'))],
    ['copied over it', () => copy('n.db', 'a.db')],
  ] as const)
    it(`gets tags of its own, and its dates say nothing of those before, ${how}`, async () => {
      createMarkedMirror(at('newer.db'), 'ancien', { filledAt: '2026-05-01T06:00:00.000Z' });
      renameSync(at('newer.db'), at('a.db'));
      await start();
      const former = await server.get('/api/v1/parties/parti');
      const etag = former.headers.get('etag')!;
      const date = former.headers.get('last-modified')!;
      expect(date).to.equal('Fri, 01 May 2026 06:00:00 GMT');
      put();
      const ask = (headers: Record<string, string>) => server.get('/api/v1/parties/parti', { headers });
      expect((await ask({ 'if-modified-since': date })).status).to.equal(200);
      const byTag = await ask({ 'if-none-match': etag });
      expect(byTag.status).to.equal(200);
      expect(await byTag.text()).to.include('nouveau');
      expect((await ask({ 'if-modified-since': byTag.headers.get('last-modified')! })).status).to.equal(304);
    });

  it('is refused beside the log of the former file, which would be read as part of it', async () => {
    await start();
    const writer = openWritableMirror(at('a.db'));
    saveAll(writer, 'party', [{ slug: 'parti', name: 'Parti ancien, autrement' }]);
    writer.close();
    expect(await (await server.get('/api/v1/parties/parti')).text()).to.include('autrement');
    expect(statSync(at('a.db-wal')).size).to.be.greaterThan(0);
    renameSync(at('a.db'), at('b.db'));
    copy('n.db', 'a.db');
    expect((await server.get('/api/v1/parties/parti')).status).to.equal(503);
    expect(String(server.failures[0])).to.match(/placed next to the log of the previous file/);
    renameSync(at('a.db-wal'), at('b.db-wal'));
    rmSync(at('a.db-shm'));
    await expectAll('nouveau');
  });

  for (const [what, journal, end] of [
    ['ends an export that is being sent, which breaks off', 'WAL', 'aborted'],
    ['completes an export that is being sent from a file without a log', 'DELETE', 'whole'],
  ] as const)
    it(what, async () => {
      const writer = openWritableMirror(at('a.db'));
      const long = Array.from({ length: 10_000 }, (_, n) => ({
        slug: `parti-${n}`,
        description: 'x'.repeat(4000),
      }));
      saveAll(writer, 'party', long);
      writer.database.pragma(`journal_mode = ${journal}`);
      writer.close();
      await start();
      const ended = new Promise<string>((resolve, reject) => {
        get(`${server.url}/api/v1/export/dataset?entity=parties`, (answer) => {
          answer.once('data', () => {
            // Nothing more is read until the file is another one.
            answer.pause();
            renameSync(at('n.db'), at('a.db'));
            void server.get('/api/v1/parties/parti').then(() => answer.resume(), reject);
          });
          answer.on('end', () => resolve('whole')).on('error', (error) => resolve(error.message));
        }).on('error', reject);
      });
      expect(await ended).to.equal(end);
      await expectAll('nouveau');
    });

  it('goes on with what a sync saves into the same file', async () => {
    await start({ readerProgram });
    const writer = openWritableMirror(at('a.db'));
    for (const name of ['un', 'deux', 'trois']) {
      saveAll(writer, 'party', [{ slug: 'parti', name }]);
      saveMeta(writer, 'service_name', name);
      writer.database.pragma('wal_checkpoint(TRUNCATE)');
      expect(await (await server.get('/api/v1/parties/parti')).text()).to.include(name);
      expect(await (await server.get('/')).text()).to.include(name);
    }
    writer.close();
    expect(server.failures).to.deep.equal([]);
  });
});
