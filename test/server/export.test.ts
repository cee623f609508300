import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { writeTable } from '../../src/export/table.ts';
import { exportTable } from '../../src/export/tables.ts';
import { datasets, kindOf } from '../../src/model/kinds.ts';
import { Semaphore } from '../../src/server/semaphore.ts';
import { type DemoServer, demoRecords, saveAll, startDemoServer } from './demo-server.ts';

/** So many bytes that an export of them waits for its reader: few records of one long word each. */
const longPromises = () =>
  Array.from({ length: 2000 }, (_, number) => ({ id: `p${number}`, text: 'x'.repeat(10_000) }));

describe('exports', () => {
  let server: DemoServer;
  beforeEach(async () => {
    server = await startDemoServer();
  });
  afterEach(() => server.close());

  const file = (entity: string, format = '') =>
    server.get(`/api/v1/export/dataset?entity=${entity}${format && `&format=${format}`}`);

  it('tell their length to HEAD, in each coding', async () => {
    const url = `${server.url}/api/v1/export/dataset?entity=promises`;
    for (const coding of ['identity', 'gzip']) {
      const headers = { 'accept-encoding': coding };
      const lengthOf = async () => (await fetch(url, { method: 'HEAD', headers })).headers.get('content-length');
      const length = await lengthOf();
      const { rawPayload } = await server.app.inject({
        url: '/api/v1/export/dataset?entity=promises',
        headers,
      });
      expect(length, coding).to.equal(String(rawPayload.length));
    }
  });

  for (const kind of datasets) {
    it(`of ${kind.plural} as CSV hold every record in the service's columns`, async () => {
      const response = await file(kind.plural);
      expect(response.headers.get('content-type')).to.match(/^text\/csv; charset=utf-8/);
      expect(response.headers.get('content-disposition')).to.equal(`attachment; filename="${kind.plural}.csv"`);
      const records = demoRecords(kind);
      const [header, ...rows] = parse(await response.text()) as string[][];
      expect(header).to.deep.equal([...new Set(records.flatMap((record) => Object.keys(record)))]);
      const key = header!.indexOf(kind.keyField);
      expect(rows.map((row) => row[key])).to.have.members(records.map((record) => record[kind.keyField]));
    });

    it(`of ${kind.plural} as Parquet hold the same, with licence and attribution`, async () => {
      const response = await file(kind.plural, 'parquet');
      expect(response.headers.get('content-type')).to.equal('application/vnd.apache.parquet');
      expect(response.headers.get('content-disposition')).to.include(`"${kind.plural}.parquet"`);
      const bytes = await response.arrayBuffer();
      const facts = parquetMetadata(bytes).key_value_metadata!;
      expect(facts.find(({ key }) => key === 'licence')?.value).to.equal('ODbL-1.0');
      expect(facts.find(({ key }) => key === 'attribution')?.value).to.include('https://transparence.example/');
      const rows = await parquetReadObjects({ file: bytes, compressors });
      const keys = demoRecords(kind).map((record) => record[kind.keyField]);
      expect(rows.map((row) => row[kind.keyField])).to.have.members(keys);
    });
  }

  it('are compressed where they are text and the request takes it, under an ETag of their own', async () => {
    const path = '/api/v1/export/dataset?entity=politicians';
    const sent = async (coding: string, more = '') => {
      const headers = { 'accept-encoding': coding };
      const { headers: got } = await server.app.inject({ url: `${path}${more}`, headers });
      return { coding: got['content-encoding'], etag: got.etag };
    };
    const plain = await sent('identity');
    const small = await sent('gzip');
    expect([plain.coding, small.coding]).to.deep.equal([undefined, 'gzip']);
    expect(small.etag).to.equal(String(plain.etag).replace(/"$/, '-gzip"'));
    expect((await sent('gzip', '&format=parquet')).coding).to.equal(undefined);
  });

  it('are the bytes that the command writes, in both formats', async () => {
    const citation = { name: 'Transparence Valombre', siteUrl: 'https://transparence.example/' };
    for (const kind of datasets) {
      for (const format of ['csv', 'parquet'] as const) {
        const chunks: Uint8Array[] = [];
        const sink = {
          closed: false,
          write: (chunk: string | Uint8Array) => void chunks.push(Buffer.from(chunk as string)),
          end: async () => {},
          abort: async () => {},
        };
        const table = exportTable(server.mirror, kind, { citation, filter: {} });
        await writeTable(table, { format, header: true }, sink);
        const served = Buffer.from(await (await file(kind.plural, format)).arrayBuffer());
        expect(served.equals(Buffer.concat(chunks)), `${kind.plural} as ${format}`).to.equal(true);
      }
    }
  });

  it('have days as dates in Parquet', async () => {
    const bytes = await (await file('quotes', 'parquet')).arrayBuffer();
    const column = parquetMetadata(bytes).schema.find(({ name }) => name === 'date');
    expect(column).to.include({ type: 'INT32', converted_type: 'DATE' });
  });

  it('are read by DuckDB', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hemicycle-export-'));
    const path = join(folder, 'politicians.parquet');
    writeFileSync(path, Buffer.from(await (await file('politicians', 'parquet')).arrayBuffer()));
    const connection = await (await DuckDBInstance.create()).connect();
    const result = await connection.runAndReadAll(`SELECT count(*), count(DISTINCT slug) FROM '${path}'`);
    expect(result.getRows()).to.deep.equal([[50n, 50n]]);
    connection.closeSync();
    rmSync(folder, { recursive: true });
  });

  it('are of one state of the mirror, however slowly they are read', async () => {
    const many = longPromises();
    saveAll(server.writer, 'promise', many);
    const response = await file('promises');
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader.read()).value!;
    saveAll(server.writer, 'promise', [{ id: 'zz-late', text: 'Trop tard' }]);
    const feed = await (await server.get('/api/v1/feed?types=promise&limit=1')).json();
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
    expect(text.split(many[0]!.text)).to.have.length(1 + many.length);
    expect(text).not.to.include('zz-late');
    expect(feed).to.have.property('total', 66 + many.length + 1);
  });

  it('stop when the reader goes away, and the server goes on', async () => {
    saveAll(server.writer, 'promise', longPromises());
    const aborting = new AbortController();
    const response = await server.get('/api/v1/export/dataset?entity=promises', { signal: aborting.signal });
    await response.body!.getReader().read();
    aborting.abort();
    expect((await file('parties')).status).to.equal(200);
    expect(server.failures).to.deep.equal([]);
  });

  it('have no rows but their columns while the mirror is empty', async () => {
    const empty = await startDemoServer({ empty: true });
    const response = await empty.get('/api/v1/export/dataset?entity=quotes');
    expect(await response.text()).to.equal(
      `${kindOf('quote')
        .columns.map(({ name }) => name)
        .join(',')}\n`,
    );
    await empty.close();
  });

  it('are refused with 503 while too many are sent, and give their places back', async () => {
    const bounded = await startDemoServer({ bounds: { exports: 1, exportsPerCaller: 1 } });
    const full = await startDemoServer({ bounds: { exports: 0 } });
    const path = '/api/v1/export/dataset?entity=parties';
    for (const method of ['GET', 'HEAD', 'GET']) {
      const answer = await bounded.get(path, { method });
      expect(answer.status).to.equal(200);
      await answer.arrayBuffer();
    }
    const refused = await full.get(path);
    expect(refused.status).to.equal(503);
    expect(refused.headers.get('retry-after')).to.equal('10');
    expect(refused.headers.get('content-disposition')).to.equal(null);
    await bounded.close();
    await full.close();
  });

  it('are refused with 429 to who has two of them already, and not to others', async () => {
    const behind = await startDemoServer({ settings: { trustedProxies: ['127.0.0.1'] } });
    saveAll(behind.writer, 'promise', longPromises());
    const ask = (caller: string) =>
      behind.get('/api/v1/export/dataset?entity=promises', { headers: { 'x-forwarded-for': caller } });
    const pendingAnswers = [await ask('192.0.2.1'), await ask('192.0.2.1')];
    const third = await ask('192.0.2.1');
    expect([third.status, third.headers.get('retry-after')]).to.deep.equal([429, '10']);
    expect(await third.json())
      .to.have.property('detail')
      .that.matches(/2 exports at a time/);
    const otherAnswers = [await ask('192.0.2.2'), await ask('192.0.2.3')];
    expect(otherAnswers.map(({ status }) => status)).to.deep.equal([200, 200]);
    for (const answer of [...pendingAnswers, ...otherAnswers]) await answer.body!.cancel();
    await behind.close();
  });
});

describe('slots', () => {
  it('are so many for all, so many for one, and free again when they are given back', () => {
    const slots = new Semaphore({ maxTotal: 3, maxPerCaller: 2 });
    const first = slots.tryAcquire('one') as () => void;
    expect([first, slots.tryAcquire('one'), slots.tryAcquire('one')].map((slot) => typeof slot)).to.deep.equal([
      'function',
      'function',
      'string',
    ]);
    expect(slots.tryAcquire('other')).to.be.a('function');
    expect([slots.tryAcquire('one'), slots.tryAcquire('third')]).to.deep.equal(['caller', 'all']);
    first();
    expect(slots.tryAcquire('third')).to.be.a('function');
  });
});
