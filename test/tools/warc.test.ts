import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createWarc } from '../../src/evidence/warc.ts';
import { captureAddresses } from '../../src/service/capture.ts';
import { listeningServers } from '../helpers/loopback-servers.ts';

type WarcRecord = {
  warcType: string;
  warcTargetURI: string | null;
  warcPayloadDigest: string | null;
  httpHeaders: { statusCode: number } | null;
  readFully(isHttp: boolean): Promise<Uint8Array>;
};
type Warcio = { WARCParser: new (source: AsyncIterable<Uint8Array>) => AsyncIterable<WarcRecord> };

/** The reader of the Webrecorder project: `npm install --prefix FOLDER warcio@2.4.11`, WARCIO=FOLDER. */
function warcioIn(folder: string): Warcio | null {
  try {
    return createRequire(join(folder, 'package.json'))('warcio');
  } catch {
    return null;
  }
}

describe('captures, in a reader of web archives', () => {
  const servers = listeningServers();
  afterEach(() => servers.closeAll());

  it('are what the server sent: chunked, compressed, binary, redirects and refusals', async function () {
    const warcio = warcioIn(process.env.WARCIO ?? '.');
    if (warcio === null) {
      console.log('    skipped: warcio is not installed (WARCIO=FOLDER says where)');
      this.skip();
    }
    const text = '<p>Planter mille arbres, dès demain</p>\r\n\r\n'.repeat(50);
    const binary = Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7) % 256));
    const server = createServer((request, response) => {
      if (request.url === '/chunked') {
        response.write(text);
        response.end(text);
      } else if (request.url === '/gzip') response.setHeader('content-encoding', 'gzip').end(gzipSync(text));
      else if (request.url === '/binary') response.setHeader('content-type', 'application/pdf').end(binary);
      else if (request.url === '/old') response.writeHead(302, { location: '/gone' }).end();
      else response.writeHead(410).end();
    });
    const base = `http://127.0.0.1:${await servers.listen(server)}`;
    const paths = ['/chunked', '/gzip', '/binary', '/old', '/gone'];
    const captures = await captureAddresses(
      paths.map((path) => base + path),
      {
        ...{ userAgent: 'test', now: Date.now, sleep: async () => {}, isPrivate: true },
        ...{ baseUrl: null, pace: { waitForSlot: async () => {}, pause: () => {} } },
      },
    );
    const { bytes } = createWarc(captures, { software: 'test', madeAt: '2026-11-22T10:00:00.000Z' });
    const source = async function* () {
      yield new Uint8Array(bytes);
    };
    const read: Record<string, [number, string]> = {};
    const types: string[] = [];
    for await (const record of new warcio.WARCParser(source())) {
      types.push(record.warcType);
      const payload = Buffer.from(await record.readFully(record.warcType === 'response'));
      if (record.warcType !== 'response') continue;
      const path = new URL(record.warcTargetURI!).pathname;
      read[path] = [record.httpHeaders!.statusCode, payload.toString('latin1')];
      const { body } = captures.find(({ address }) => address === record.warcTargetURI)!.response!;
      expect(record.warcPayloadDigest).to.equal(`sha256:${createHash('sha256').update(body).digest('hex')}`);
    }
    expect(types).to.deep.equal(['warcinfo', ...paths.flatMap(() => ['request', 'response'])]);
    const latin1 = (content: string) => Buffer.from(content).toString('latin1');
    expect(read).to.deep.equal({
      '/chunked': [200, latin1(text + text)],
      '/gzip': [200, latin1(text)],
      '/binary': [200, binary.toString('latin1')],
      '/old': [302, ''],
      '/gone': [410, ''],
    });
  });
});
