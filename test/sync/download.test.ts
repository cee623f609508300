import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { datasets, kindOf } from '../../src/model/kinds.ts';
import { downloadedBytes, keptDownload, partBytes } from '../../src/store/download.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { findImportFiles, importFiles } from '../../src/sync/import.ts';

import { dialects } from '../helpers/dialects.ts';
import { type Dialect, type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { makeOlder } from '../helpers/older-mirror.ts';
import { createTemporaryMirror, hashesOf, syncOnce } from '../helpers/sync-run.ts';

const demoFiles = findImportFiles(fileURLToPath(new URL('../../fixtures/demo', import.meta.url)));
const plain = dialects[0]!;
const quotes = kindOf('quote');
const noon = Date.parse('2026-11-01T12:00:00Z');
const day = 86_400_000;

describe('the bytes of a dataset', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  const start = async (dialect: Dialect) => {
    service = await startFakeService(dialect);
  };
  const sync = (days = 0, options: Parameters<typeof syncOnce>[2] = {}) =>
    syncOnce(own, service.baseUrl, { now: () => noon + days * day, ...options });
  const kept = () => {
    const download = keptDownload(own.mirror, quotes)!;
    return { ...download, body: Buffer.concat([...downloadedBytes(own.mirror, download)]) };
  };
  const sent = async (plural: string, format: string) => {
    const answer = await fetch(`${service.baseUrl}/export/dataset?entity=${plural}&format=${format}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  /** The next answer with the quotes, however often it is asked for. */
  const answerQuotes = (answer: FakeService['faults'][number]['answer']) =>
    service.faults.push({ path: /^\/export\/dataset\?entity=quotes/, times: 10, answer });
  beforeEach(() => {
    own = createTemporaryMirror();
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  for (const dataset of ['parquet', 'csv', 'semicolon', 'tab'] as const) {
    it(`are kept as the service sent them (${dataset}), with their hash and date`, async () => {
      await start({ ...plain, dataset });
      await sync();
      const format = dataset === 'parquet' ? 'parquet' : 'csv';
      for (const kind of datasets) {
        const download = keptDownload(own.mirror, kind)!;
        const body = await sent(kind.plural, format);
        expect(Buffer.concat([...downloadedBytes(own.mirror, download)]).equals(body)).to.equal(true);
        expect(download).to.deep.include({
          format,
          bytes: body.length,
          sha256: createHash('sha256').update(body).digest('hex'),
          rows: service.records[kind.plural]!.length,
          retrievedAt: new Date(noon).toISOString(),
          delimiter: { parquet: null, csv: ',', semicolon: ';', tab: '\t' }[dataset],
        });
      }
    });
  }

  it('are those behind a content encoding, in as many parts as it takes', async () => {
    await start({ ...plain, dataset: 'csv' });
    const rows = service.records.quotes!.map(({ id }, n) => `${id},"${'é'.repeat(40_000)}${n}"\n`);
    const body = Buffer.from(`\ufeffid,text\n${rows.join('')}`);
    answerQuotes((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/csv', 'content-encoding': 'gzip' }).end(gzipSync(body)),
    );
    const { report } = await sync(0, { limits: { maxFileBytes: 10_000_000 } });
    expect(report.exit).to.equal(0);
    expect(kept().body.equals(body)).to.equal(true);
    const parts = own.mirror.sql('SELECT count(*) FROM download_part WHERE kind = ?').pluck().get('quote');
    expect(parts)
      .to.equal(Math.ceil(body.length / partBytes))
      .and.to.be.greaterThan(3);
  });

  it('stay with their date where the service says that nothing changed', async () => {
    await start({ ...plain, hasValidators: true });
    await sync();
    await sync(1);
    const { report } = await sync(2);
    expect(report.requests_by_status).to.deep.equal({ 304: 9 });
    expect(kept()).to.include({ retrievedAt: new Date(noon).toISOString() });
  });

  it('have the date of the last download where the service sends the same ones again', async () => {
    await start(plain);
    await sync();
    const first = kept();
    await sync(1);
    expect({ ...kept(), retrievedAt: first.retrievedAt }).to.deep.equal(first);
    expect(kept().retrievedAt).to.equal(new Date(noon + day).toISOString());
  });

  it('follow what the service sends, with nothing of the former ones left', async () => {
    await start(plain);
    await sync();
    service.records.quotes![0]!.text = 'Une correction.';
    await sync(1);
    expect(kept().body.equals(await sent('quotes', 'parquet'))).to.equal(true);
    answerQuotes((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/csv' }).end('id,text\nseule,"Une ligne."\n'),
    );
    await sync(2, { maxShrink: 1 });
    expect(kept()).to.include({ format: 'csv', rows: 1 });
    expect(kept().body.toString()).to.equal('id,text\nseule,"Une ligne."\n');
  });

  const failures: [string, FakeService['faults'][number]['answer']][] = [
    [
      'breaks off',
      (_request, response) => {
        response.writeHead(200, { 'content-length': 100_000 });
        response.write('id,text\n1,"half', () => response.destroy());
      },
    ],
    ['cannot be read to its end', (_request, response) => response.end('id,text\n1,"a"\n2,"b\n')],
    ['lost too many rows', (_request, response) => response.end('id,text\n1,"a"\n')],
    ['has another key', (_request, response) => response.end('number,text\n1,"a"\n')],
  ];
  for (const [what, answer] of failures) {
    it(`stay whole, like the records, when the next download ${what}`, async () => {
      await start(plain);
      await sync();
      const before = { download: kept(), records: hashesOf(own.mirror, 'quote') };
      answerQuotes(answer);
      const { report } = await sync(1);
      expect(report.exit).to.be.oneOf([5, 6]);
      expect({ download: kept(), records: hashesOf(own.mirror, 'quote') }).to.deep.equal(before);
    });
  }

  it('are asked for once by a mirror that an older program filled, changed or not', async () => {
    await start({ ...plain, hasValidators: true });
    await sync();
    await sync(1);
    const before = own.mirror.database.prepare('SELECT * FROM record ORDER BY id').all();
    makeOlder(own.mirror.database, 2);
    const { path } = own.mirror;
    own.mirror.close();
    own.mirror = openWritableMirror(path);
    expect(keptDownload(own.mirror, quotes)).to.equal(null);
    const first = await sync(2);
    expect(first.report.requests_by_status).to.deep.equal({ 200: 6, 304: 3 });
    expect(own.mirror.database.prepare('SELECT * FROM record ORDER BY id').all()).to.deep.equal(before);
    expect(kept().body.equals(await sent('quotes', 'parquet'))).to.equal(true);
    expect((await sync(3)).report.requests_by_status).to.deep.equal({ 304: 9 });
  });

  it('do not come from an import, nor go with one', async () => {
    await start(plain);
    await importFiles(own.mirror, demoFiles, { at: new Date(noon).toISOString() });
    expect(keptDownload(own.mirror, quotes)).to.equal(null);
    await sync(1);
    const before = kept();
    await importFiles(own.mirror, demoFiles, { at: new Date(noon + 2 * day).toISOString() });
    expect(kept()).to.deep.equal(before);
  });

  const damages: [string, string][] = [
    ['a part is gone', 'DELETE FROM download_part WHERE part = 0'],
    ['a part is spoilt', "UPDATE download_part SET zstd = x'00112233445566778899'"],
    [
      'a part is another',
      "UPDATE download_part SET zstd = (SELECT zstd FROM download_part WHERE kind = 'party')",
    ],
  ];
  for (const [what, sql] of damages) {
    it(`are not given out where ${what}`, async () => {
      await start(plain);
      await sync();
      own.mirror.database.exec(sql);
      expect(() => kept())
        .to.throw(/the kept download of the dataset quote is damaged/)
        .with.property('exit', 10);
    });
  }
});
