import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { chooseEncoding } from '../../src/server/encodings.ts';
import { ResponseCache } from '../../src/server/response-cache.ts';
import { askPlainly, type DemoServer, demoRecords, saveAll, startDemoServer } from './demo-server.ts';

const decoders = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };
const codings = Object.keys(decoders) as (keyof typeof decoders)[];
const list = '/api/v1/politicians?limit=100';

describe('answers that are kept', () => {
  let server: DemoServer;
  beforeEach(async () => {
    server = await startDemoServer();
  });
  afterEach(() => server.close());

  const ask = (path: string, headers: Record<string, string> = {}) => askPlainly(server.url + path, headers);

  for (const path of [list, '/openapi.json', '/api/v1/export/dataset?entity=parties']) {
    for (const coding of codings) {
      it(`give ${path} in ${coding}, under a tag of its own`, async () => {
        const plain = await ask(path);
        const coded = await ask(path, { 'accept-encoding': coding });
        expect(plain.headers['content-encoding']).to.equal(undefined);
        expect(coded.headers['content-encoding']).to.equal(coding);
        expect(decoders[coding](coded.bytes).equals(plain.bytes)).to.equal(true);
        expect(coded.bytes.length).to.be.below(plain.bytes.length / 2);
        expect(coded.headers.etag).to.equal(plain.headers.etag!.replace(/"$/, `-${coding}"`));
        expect(coded.headers.vary).to.match(/Accept-Encoding/);
        const again = await ask(path, { 'accept-encoding': coding, 'if-none-match': coded.headers.etag! });
        expect([again.status, again.bytes.length, again.headers['content-encoding']]).to.deep.equal([
          304,
          0,
          undefined,
        ]);
        const other = await ask(path, { 'accept-encoding': coding, 'if-none-match': plain.headers.etag! });
        expect(other.status).to.equal(200);
      });
    }
  }

  it('are the same bytes the second time, and leave short ones as they are', async () => {
    const first = await ask(list, { 'accept-encoding': 'br' });
    const second = await ask(list, { 'accept-encoding': 'br' });
    expect(second.bytes.equals(first.bytes)).to.equal(true);
    const short = await ask('/api/v1/search?q=zzzz', { 'accept-encoding': 'br' });
    expect(short.headers['content-encoding']).to.equal(undefined);
  });

  it('leave what is compressed already', async () => {
    const path = '/api/v1/export/dataset?entity=parties&format=parquet';
    const { headers } = await ask(path, { 'accept-encoding': 'br' });
    expect(headers['content-encoding']).to.equal(undefined);
  });

  it('are all made anew once a sync has saved anything, with no restart', async () => {
    const paths = ['/api/v1/parties', '/api/v1/parties/union-des-clairieres', list];
    const before = await Promise.all(paths.map((path) => ask(path, { 'accept-encoding': 'br' })));
    saveAll(server.writer, 'party', [...demoRecords(kindOf('party')), { slug: 'parti-neuf', name: 'Parti neuf' }]);
    const after = await Promise.all(paths.map((path) => ask(path, { 'accept-encoding': 'br' })));
    for (const [n, { headers }] of after.entries()) {
      expect(headers.etag).not.to.equal(before[n]!.headers.etag);
    }
    expect(brotliDecompressSync(after[0]!.bytes).toString()).to.include('Parti neuf');
  });

  it('keep no refusal', async () => {
    expect((await ask('/api/v1/parties/parti-neuf')).status).to.equal(404);
    saveAll(server.writer, 'party', [{ slug: 'parti-neuf', name: 'Parti neuf' }]);
    expect((await ask('/api/v1/parties/parti-neuf')).status).to.equal(200);
  });
});

describe('the choice of a coding', () => {
  const choices: [header: string | undefined, chosen: string | null][] = [
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'zstd'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0.1, identity', null],
    ['gzip;q=0', null],
    ['gzip;q=nonsense', null],
    ['compress', null],
  ];
  for (const [header, chosen] of choices) {
    it(`is ${chosen ?? 'none'} for ${header === undefined ? 'no header' : `"${header}"`}`, () => {
      expect(chooseEncoding(header)).to.equal(chosen);
    });
  }
});

describe('ResponseCache', () => {
  const text = (letter: string, length = 2000) => letter.repeat(length);

  it('forgets the longest unused first and never holds more than it may', () => {
    const cache = new ResponseCache(40_000);
    for (let n = 0; n < 100; n += 1) {
      const body = cache.put(`k${n}`, text('a'));
      cache.encode(`k${n}`, body, 'gzip');
      cache.get('k0');
    }
    expect(cache.get('k0')).not.to.equal(undefined);
    expect(cache.get('k1')).to.equal(undefined);
    expect(cache.get('k99')).not.to.equal(undefined);
    const bodies = Array.from({ length: 100 }, (_, n) => cache.get(`k${n}`)).filter((each) => each !== undefined);
    const buffers = bodies.flatMap(({ plain, encoded }) => [plain, ...Object.values(encoded)]);
    expect(Buffer.concat(buffers)).to.have.property('length').above(20_000).and.at.most(40_000);
  });

  it('compresses once', () => {
    const cache = new ResponseCache(1_000_000);
    const body = cache.put('k', text('a'));
    expect(cache.encode('k', body, 'br')).to.equal(cache.encode('k', cache.get('k')!, 'br'));
  });

  it('keeps nothing that is larger than a quarter of it', () => {
    const cache = new ResponseCache(7000);
    expect(cache.put('k', text('a')).plain).to.have.length(2000);
    expect(cache.get('k')).to.equal(undefined);
  });

  it('forgets everything when the edition is another one', () => {
    const cache = new ResponseCache(1_000_000);
    cache.setEdition('1');
    cache.put('k', text('a'));
    cache.setEdition('1');
    expect(cache.get('k')).not.to.equal(undefined);
    cache.setEdition('2');
    expect(cache.get('k')).to.equal(undefined);
  });
});
