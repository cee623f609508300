import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { AuthenticationError, NetworkError, RateLimitedError, ServiceAnswerError } from '../../src/errors.ts';
import { retryAfterMs } from '../../src/service/headers.ts';
import { getPage, pages } from '../../src/service/pages.ts';
import { createImpatientClient } from '../helpers/sync-run.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

describe('the client', () => {
  const answers: Answer[] = [];
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    answer(request, response);
  });
  let baseUrl = '';
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    answers.length = 0;
    requests.length = 0;
  });

  const json =
    (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
    (_request, response) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  const failing = async (get: () => Promise<unknown>) =>
    get().then(
      () => expect.fail('it succeeded'),
      (error: unknown) => error as Error,
    );

  const waits: [string, Record<string, string>, number, number][] = [
    ['seconds', { 'retry-after': '7' }, 429, 7500],
    [
      'an HTTP date',
      { 'retry-after': 'Sun, 01 Nov 2026 12:00:30 GMT', date: 'Sun, 01 Nov 2026 12:00:00 GMT' },
      429,
      30_500,
    ],
    [
      'an HTTP date by a clock of its own',
      { 'retry-after': 'Thu, 01 Jan 1998 00:00:20 GMT', date: 'Thu, 01 Jan 1998 00:00:00 GMT' },
      503,
      20_500,
    ],
    ['nothing', {}, 429, 60_500],
    ['seconds with 503', { 'retry-after': '3' }, 503, 3500],
    ['nothing with 502', {}, 502, 1000],
    ['nothing with 504', {}, 504, 1000],
    ['nothing with 408', {}, 408, 1000],
    ['nothing with 425', {}, 425, 1000],
    ['nothing with 520', {}, 520, 1000],
  ];
  for (const [what, headers, status, expected] of waits) {
    it(`waits ${expected} ms when a refusal asks for ${what}, then asks again`, async () => {
      answers.push(json({}, status, headers), json([{ id: 'a' }]));
      const client = await createImpatientClient(baseUrl);
      const { body } = await client.getJson('/feed');
      expect(body).to.deep.equal([{ id: 'a' }]);
      expect(client.slept).to.deep.equal([expected]);
      await client.close();
    });
  }

  it('gives up on a limit that stays, saying when to come back', async () => {
    answers.push(json({}, 429, { 'retry-after': '5' }));
    const client = await createImpatientClient(baseUrl);
    const error = await failing(() => client.getJson('/feed'));
    expect(error).to.be.instanceOf(RateLimitedError).with.property('exit', 7);
    expect(requests.length).to.equal(5);
    await client.close();
  });

  for (const status of [429, 503]) {
    it(`waits no week where ${status} asks for one, and says until when it is`, async () => {
      answers.push(json({}, status, { 'retry-after': '604800' }));
      const client = await createImpatientClient(baseUrl);
      const error = await failing(() => client.getJson('/feed'));
      expect(error).to.be.instanceOf(RateLimitedError).with.property('exit', 7);
      expect((error as RateLimitedError).hint).to.include('in 7 days, not before 2026-11-08T12:00:00Z');
      expect([requests.length, client.slept]).to.deep.equal([1, []]);
      await client.close();
    });
  }

  for (const status of [400, 404, 422, 500]) {
    it(`never asks again after ${status}`, async () => {
      answers.push(json({ detail: 'ce n’est pas possible' }, status));
      const client = await createImpatientClient(baseUrl);
      const error = await failing(() => client.getJson('/feed'));
      expect(error).to.be.instanceOf(ServiceAnswerError).with.property('status', status);
      expect(error.message).to.include('ce n’est pas possible');
      expect(requests.length).to.equal(1);
      await client.close();
    });
  }

  it('takes 401 and 403 for a refused token, and tells nobody the token', async () => {
    answers.push(json({ message: 'no' }, 401));
    const client = await createImpatientClient(baseUrl, 'top-secret');
    const error = await failing(() => client.getJson('/feed'));
    expect(error).to.be.instanceOf(AuthenticationError).with.property('exit', 4);
    expect(requests[0]!.headers.authorization).to.equal('Bearer top-secret');
    expect(JSON.stringify([error.message, client.traced])).not.to.include('top-secret');
    await client.close();
  });

  it('tries a connection that is cut five times, then says what happened', async () => {
    answers.push((_request, response) => response.socket?.destroy());
    const client = await createImpatientClient(baseUrl);
    const error = await failing(() => client.getJson('/feed'));
    expect(error).to.be.instanceOf(NetworkError).with.property('exit', 6);
    expect(error.message).to.include('the connection was cut');
    expect(client.slept).to.deep.equal([1000, 2000, 4000, 8000]);
    await client.close();
  });

  it('asks again for a body that is cut in the middle', async () => {
    answers.push(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"items":[');
        setImmediate(() => response.socket?.destroy());
      },
      json({ items: [] }),
    );
    const client = await createImpatientClient(baseUrl);
    expect((await client.getJson('/feed')).body).to.deep.equal({ items: [] });
    await client.close();
  });

  const unreadable: [string, Answer, RegExp][] = [
    [
      'a page',
      (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Hi</title>'),
      /web page/,
    ],
    ['nothing', (_request, response) => response.writeHead(200).end(), /empty/],
    ['cut JSON', (_request, response) => response.writeHead(200).end('{"a":[1,'), /ends too early/],
    ['text', (_request, response) => response.writeHead(200).end('Bonjour'), /begins with "Bonjour"/],
    [
      'bytes of no known charset',
      (_request, response) => response.writeHead(200).end(Buffer.from([0x22, 0xe9, 0x22])),
      /not UTF-8/,
    ],
    [
      'a bomb',
      (_request, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(300_000, 32))),
      /larger than 200 kB/,
    ],
  ];
  for (const [what, answer, reason] of unreadable) {
    it(`says what came when it is answered ${what}`, async () => {
      answers.push(answer);
      const client = await createImpatientClient(baseUrl);
      const error = await failing(() => client.getJson('/audit'));
      expect(error).to.be.instanceOf(ServiceAnswerError).with.property('exit', 5);
      expect(error.message).to.include(`${baseUrl}/audit`).and.match(reason);
      await client.close();
    });
  }

  it('takes whole numbers by their digits where a double would make one of two', async () => {
    answers.push((_request, response) => {
      response.end(
        '{"items":[{"id":9007199254740993},{"id":9007199254740992},{"id":12,"share":0.25,"text":"1,1e16"}]}',
      );
    });
    const client = await createImpatientClient(baseUrl);
    const ids = [{ id: '9007199254740993' }, { id: '9007199254740992' }, { id: 12, share: 0.25, text: '1,1e16' }];
    expect((await client.getJson('/feed')).body).to.deep.equal({ items: ids });
    await client.close();
  });

  it('believes another charset where the bytes are not UTF-8', async () => {
    answers.push((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json; charset=iso-8859-1' })
        .end(Buffer.from('{"a":"é"}', 'latin1')),
    );
    const client = await createImpatientClient(baseUrl);
    expect((await client.getJson('/x')).body).to.deep.equal({ a: 'é' });
    await client.close();
  });

  it('follows a redirect within the origin, and no circle', async () => {
    answers.push(
      (_request, response) => response.writeHead(302, { location: '/api/v1/there' }).end(),
      json({ ok: true }),
    );
    const client = await createImpatientClient(baseUrl, 'token');
    expect((await client.getJson('/here')).body).to.deep.equal({ ok: true });
    answers.length = 0;
    answers.push((request, response) => response.writeHead(302, { location: request.url }).end());
    expect((await failing(() => client.getJson('/here'))).message).to.include('redirects too many times');
    await client.close();
  });

  it('follows a redirect to this machine or a private network only where the service is there itself', async () => {
    const other = createServer((request, response) => json({ from: request.headers.host })(request, response));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const redirect = (host: string) => {
      answers.length = 0;
      answers.push((_, response) => response.writeHead(302, { location: `http://${host}:${port}/` }).end());
    };
    const near = await createImpatientClient(baseUrl);
    // An address of this machine that no network calls private, as that of a public service would be.
    const far = await createImpatientClient(baseUrl.replace('127.0.0.1', '0.0.0.0'));
    for (const host of ['127.0.0.1', 'localhost']) {
      redirect(host);
      expect((await near.getJson('/x')).body).to.deep.equal({ from: `${host}:${port}` });
      const refused = await failing(() => far.getJson('/x'));
      expect(refused).to.be.instanceOf(ServiceAnswerError);
      expect(refused.message).to.match(/leads to this machine or a private network/);
    }
    for (const host of ['10.1.2.3', '169.254.169.254', '[::1]', '[::ffff:192.168.1.1]']) {
      redirect(host);
      expect((await failing(() => far.getJson('/x'))).message, host).to.match(/private network/);
    }
    await Promise.all([near.close(), far.close()]);
    other.closeAllConnections();
    other.close();
  });

  it('takes no token to another origin', async () => {
    const strangers: IncomingMessage[] = [];
    const stranger = createServer((request, response) => {
      strangers.push(request);
      response.end('{}');
    });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const there = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`;
    answers.push((_request, response) => response.writeHead(307, { location: there }).end());
    const client = await createImpatientClient(baseUrl, 'token');
    expect((await failing(() => client.getJson('/here'))).message).to.include('the token was not sent there');
    const anonymous = await createImpatientClient(baseUrl);
    expect((await anonymous.getJson('/here')).body).to.deep.equal({});
    expect(strangers.map(({ headers }) => headers.authorization)).to.deep.equal([undefined]);
    await client.close();
    await anonymous.close();
    stranger.closeAllConnections();
    stranger.close();
  });

  it('stops a walk whose cursor or page comes again', async () => {
    const client = await createImpatientClient(baseUrl);
    const list = { path: '/feed', query: {}, names: [] };
    const walk = async () => {
      for await (const _page of pages(client, list, await getPage(client, list)));
    };
    let page = 0;
    answers.push((_request, response) =>
      response.end(JSON.stringify({ items: [{ id: page++ }], next_cursor: 'same' })),
    );
    expect((await failing(walk)).message).to.include('the cursor same came twice');
    answers.length = 0;
    answers.push((_request, response) =>
      response.end(JSON.stringify({ items: [{ id: 1 }], next_cursor: String(page++) })),
    );
    expect((await failing(walk)).message).to.include('pages in a row held no new record');
    await client.close();
  });
});

describe('a Retry-After header', () => {
  const now = Date.parse('2026-11-01T12:00:00Z');
  const table: [string | null, number | null][] = [
    [null, null],
    ['0', 0],
    ['120', 120_000],
    ['9999999999', 9_999_999_999_000],
    ['soon', null],
    ['Sun, 01 Nov 2026 12:01:00 GMT', 60_000],
    ['Sun, 01 Nov 2026 11:00:00 GMT', 0],
  ];
  for (const [header, expected] of table) {
    it(`of ${header} is ${expected} ms`, () => expect(retryAfterMs(header, now)).to.equal(expected));
  }
});
