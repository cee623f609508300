import { expect } from 'chai';
import { asyncBufferFromUrl, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { kindOf } from '../../src/model/kinds.ts';
import { type DemoServer, demoRecords, saveAll, startDemoServer } from './demo-server.ts';

const path = '/api/v1/export/dataset?entity=politicians&format=parquet';

describe('parts of files', () => {
  let server: DemoServer;
  let whole: Buffer;
  let etag: string;
  beforeEach(async () => {
    server = await startDemoServer();
    const { headers, rawPayload } = await server.app.inject(path);
    expect(headers['accept-ranges']).to.equal('bytes');
    etag = String(headers.etag);
    whole = rawPayload;
  });
  afterEach(() => server.close());

  async function part(headers: Record<string, string>) {
    const { statusCode: status, headers: got, rawPayload: bytes } = await server.app.inject({ url: path, headers });
    const { 'content-range': range = null, 'content-length': length, etag: tag } = got;
    return { status, range, length: String(length), tag, bytes };
  }

  it('are sent as the bytes that the whole file has there', async () => {
    const size = whole.length;
    for (const [range, from, to] of [
      ['bytes=0-3', 0, 4],
      ['bytes=-8', size - 8, size],
      [`bytes=10-`, 10, size],
      [`bytes=${size - 1}-${size + 100}`, size - 1, size],
      [`bytes=-${size * 2}`, 0, size],
    ] as const) {
      const answer = await part({ range });
      expect(answer.status, range).to.equal(206);
      expect(answer.range).to.equal(`bytes ${from}-${to - 1}/${size}`);
      expect(answer.length).to.equal(String(to - from));
      expect(answer.tag).to.equal(etag);
      expect(answer.bytes.equals(whole.subarray(from, to)), range).to.equal(true);
    }
  });

  it('are refused where the file has none (416), and not asked for by several or by nonsense (200)', async () => {
    for (const range of [`bytes=${whole.length}-`, 'bytes=-0']) {
      const answer = await part({ range });
      expect([answer.status, answer.range], range).to.deep.equal([416, `bytes */${whole.length}`]);
      expect(JSON.parse(answer.bytes.toString()).status).to.equal(416);
    }
    for (const range of ['bytes=0-1,3-4', 'bytes=5-2', 'bytes=-', 'lines=0-1', 'bytes=a-b']) {
      const answer = await part({ range });
      expect([answer.status, answer.range, answer.length], range).to.deep.equal([200, null, String(whole.length)]);
      expect(answer.bytes.equals(whole)).to.equal(true);
    }
  });

  it('are of the file that If-Range names, else the file that is there now comes whole', async () => {
    expect((await part({ range: 'bytes=0-3', 'if-range': etag })).status).to.equal(206);
    expect((await part({ range: 'bytes=0-3', 'if-none-match': etag })).status).to.equal(304);
    saveAll(server.writer, 'politician', [{ slug: 'new', full_name: 'Nouvelle Venue' }]);
    const answer = await part({ range: 'bytes=0-3', 'if-range': etag });
    expect([answer.status, answer.range]).to.deep.equal([200, null]);
    expect(answer.tag).not.to.equal(etag);
    expect(answer.bytes.subarray(-4).toString()).to.equal('PAR1');
  });

  it('are told apart by HEAD, which knows the length at once', async () => {
    const fresh = await startDemoServer();
    const headers = { range: 'bytes=0-3' };
    const head = await fresh.app.inject({ url: path, method: 'HEAD', headers });
    expect([head.statusCode, head.headers['content-length']]).to.deep.equal([200, String(whole.length)]);
    await fresh.close();
  });

  it('are of datasets alone: what else streams is never kept on the disk, nor made for HEAD', async () => {
    for (const url of ['/api/v1/mirror?whole=true', '/politicians.csv'])
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await server.app.inject({ url, method, headers: { range: 'bytes=0-3' } });
        const { 'accept-ranges': parts, 'content-length': length } = answer.headers;
        expect([answer.statusCode, parts, length], `${method} ${url}`).to.deep.equal([200, undefined, undefined]);
        expect(answer.rawPayload.length > 100, `${method} ${url}`).to.equal(method === 'GET');
      }
  });

  it('are what hyparquet reads a table from, several at a time', async () => {
    const bounded = await startDemoServer({ bounds: { exports: 1, exportsPerCaller: 1 } });
    const requestedRanges: string[] = [];
    const file = await asyncBufferFromUrl({
      url: bounded.url + path,
      fetch: (url, init) => {
        requestedRanges.push(new Headers(init?.headers).get('range') ?? String(init?.method));
        return fetch(url, init);
      },
    });
    const rows = await parquetReadObjects({ file, compressors, columns: ['slug', 'full_name'] });
    expect(rows.map(({ slug }) => slug)).to.have.members(demoRecords(kindOf('politician')).map(({ slug }) => slug));
    expect(requestedRanges.filter((each) => each.startsWith('bytes='))).not.to.deep.equal([]);
    const at = [0, 40, 80, 120].map((from) =>
      fetch(bounded.url + path, { headers: { range: `bytes=${from}-${from + 9}` } }),
    );
    expect((await Promise.all(at)).map(({ status }) => status)).to.deep.equal([206, 206, 206, 206]);
    await bounded.close();
  });

  it('are sent of text too, of its bytes in the coding that is asked for', async () => {
    const csv = '/api/v1/export/dataset?entity=politicians';
    for (const coding of ['identity', 'gzip']) {
      const headers = { 'accept-encoding': coding };
      const { rawPayload } = await server.app.inject({ url: csv, headers });
      const answer = await server.app.inject({ url: csv, headers: { ...headers, range: 'bytes=5-24' } });
      expect([answer.statusCode, answer.headers['content-range']], coding).to.deep.equal([
        206,
        `bytes 5-24/${rawPayload.length}`,
      ]);
      expect(answer.rawPayload.equals(rawPayload.subarray(5, 25)), coding).to.equal(true);
    }
  });
});
