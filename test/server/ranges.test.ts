import { expect } from 'chai';
import { asyncBufferFromUrl, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { kindOf } from '../../src/model/kinds.ts';
import { type DemoServer, demoRecords, saveAll, startDemoServer } from './demo-server.ts';

const path = '/api/v1/export/dataset?entity=politicians&format=parquet';

describe('parts of Parquet files', () => {
  let server: DemoServer;
  let whole: Buffer;
  let etag: string;
  beforeEach(async () => {
    server = await startDemoServer();
    const response = await server.get(path);
    expect(response.headers.get('accept-ranges')).to.equal('bytes');
    etag = response.headers.get('etag')!;
    whole = Buffer.from(await response.arrayBuffer());
  });
  afterEach(() => server.close());

  async function part(headers: Record<string, string>, method = 'GET') {
    const response = await server.get(path, { method, headers });
    const { status } = response;
    const [range, length, tag] = ['content-range', 'content-length', 'etag'].map((name) =>
      response.headers.get(name),
    );
    return { status, range, length, tag, bytes: Buffer.from(await response.arrayBuffer()) };
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
      expect([answer.status, answer.range, answer.length], range).to.deep.equal([
        200,
        null,
        String(whole.length),
      ]);
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
    const head = await fresh.get(path, { method: 'HEAD', headers: { range: 'bytes=0-3' } });
    expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, String(whole.length)]);
    await fresh.close();
  });

  it('are what hyparquet reads a table from, several at a time', async () => {
    const bounded = await startDemoServer({ bounds: { exports: 1, exportsOfOne: 1 } });
    const asked: string[] = [];
    const file = await asyncBufferFromUrl({
      url: bounded.url + path,
      fetch: (url, init) => {
        asked.push(new Headers(init?.headers).get('range') ?? String(init?.method));
        return fetch(url, init);
      },
    });
    const rows = await parquetReadObjects({ file, compressors, columns: ['slug', 'full_name'] });
    expect(rows.map(({ slug }) => slug)).to.have.members(
      demoRecords(kindOf('politician')).map(({ slug }) => slug),
    );
    expect(asked.filter((each) => each.startsWith('bytes='))).not.to.deep.equal([]);
    const at = [0, 40, 80, 120].map((from) =>
      fetch(bounded.url + path, { headers: { range: `bytes=${from}-${from + 9}` } }),
    );
    expect((await Promise.all(at)).map(({ status }) => status)).to.deep.equal([206, 206, 206, 206]);
    await bounded.close();
  });

  it('are none of text, which has a length in every coding', async () => {
    const csv = await server.get('/api/v1/export/dataset?entity=politicians', {
      headers: { range: 'bytes=0-3' },
    });
    expect([csv.status, csv.headers.get('accept-ranges')]).to.deep.equal([200, null]);
  });
});
