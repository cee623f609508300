import { createHmac } from 'node:crypto';
import type { lookup } from 'node:dns';
import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import { DeliveryError } from '../../src/errors.ts';
import { guardedLookup, isAllowedAddress, refuseAddress } from '../../src/service/public-address.ts';
import { isWebhookSecret, newWebhookSecret, postWebhook } from '../../src/service/webhook.ts';
import { listeningServers } from '../helpers/loopback-servers.ts';

const secret = newWebhookSecret();
const requestOptions = {
  ...{ secrets: [secret], id: 'msg_1', body: '{"é":1}', nowMs: 1_772_000_000_000 },
  ...{ isPrivate: true, userAgent: 'hemicycle/test' },
};

/** How posting ended: null where it was taken. */
async function refusalOf(posted: Promise<void>): Promise<DeliveryError | null> {
  return posted.then(
    () => null,
    (error: unknown) => {
      expect(error).to.be.instanceOf(DeliveryError);
      return error as DeliveryError;
    },
  );
}

describe('a webhook', () => {
  const servers = listeningServers();
  afterEach(() => servers.closeAll());
  let got: { headers: IncomingHttpHeaders; body: string; method: string }[];
  beforeEach(() => {
    got = [];
  });
  const receiver = (status: number, headers: Record<string, string> = {}) =>
    servers.serve((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        got.push({ headers: request.headers, body, method: request.method ?? '' });
        response.writeHead(status, headers).end('x');
      });
    });

  it('is signed over its id, its moment and its body, and carries an idempotency key', async () => {
    await postWebhook({ ...requestOptions, url: await receiver(204) });
    const [{ headers, body, method }] = got as [(typeof got)[0]];
    expect([method, body, headers['content-type']]).to.deep.equal(['POST', '{"é":1}', 'application/json']);
    expect(headers).to.include({
      'webhook-id': 'msg_1',
      'idempotency-key': 'msg_1',
      'webhook-timestamp': '1772000000',
    });
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const expected = createHmac('sha256', key).update('msg_1.1772000000.{"é":1}').digest('base64');
    expect(headers['webhook-signature']).to.equal(`v1,${expected}`);
  });

  it('is not taken by an answer other than 2xx; one that is gone is final, and one that is busy says how long', async () => {
    const refused = async (status: number, headers = {}) =>
      refusalOf(postWebhook({ ...requestOptions, url: await receiver(status, headers) }));
    expect(await refused(200)).to.equal(null);
    expect((await refused(500))!.message).to.match(/^http:\/\/127\.0\.0\.1:\d+: answered 500$/);
    expect(await refused(404)).to.include({ isFinal: false, isUnanswered: false });
    expect(await refused(410)).to.include({ isFinal: true, isUnanswered: false });
    expect(await refused(429, { 'retry-after': '120' })).to.include({
      retryAfterMs: 120_000,
      isFinal: false,
    });
  });

  it('follows no redirect', async () => {
    const target = await receiver(200);
    const refused = await refusalOf(postWebhook({ ...requestOptions, url: await receiver(307, { location: target }) }));
    expect(refused!.message).to.match(/redirects \(307\)/);
    expect(got).to.have.length(1);
  });

  it('tells of a receiver that is not there without what its address holds behind the host', async () => {
    const url = (await receiver(200)).replace('/api/v1', '/hook/geheim?token=geheim');
    servers.closeAll();
    const refused = await refusalOf(postWebhook({ ...requestOptions, url }));
    expect(refused!.message)
      .to.match(/refused/)
      .and.not.include('geheim');
    expect(refused).to.include({ isUnanswered: true });
  });

  it('asks nothing of this machine or of private networks unless that is allowed', async () => {
    const url = await receiver(200);
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1']) {
      const { port } = new URL(url);
      const refused = await refusalOf(
        postWebhook({ ...requestOptions, isPrivate: false, url: `http://${host}:${port}/` }),
      );
      expect(refused, host).to.be.instanceOf(DeliveryError);
    }
    expect(got).to.deep.equal([]);
  });

  it('asks nothing of a name of which one address is private', (done) => {
    const both = ((_host: string, _options: unknown, callback: (...results: unknown[]) => void) =>
      callback(null, [
        { address: '93.184.216.34', family: 4 },
        { address: '10.0.0.7', family: 4 },
      ])) as unknown as typeof lookup;
    guardedLookup(false, both)('receiver.example', {}, (error) => {
      expect(error).to.be.instanceOf(DeliveryError);
      guardedLookup(true, both)('receiver.example', {}, (refused, address) => {
        expect([refused, address]).to.deep.equal([null, '93.184.216.34']);
        done();
      });
    });
  });

  for (const address of [
    '169.254.169.254',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    'fe80::1',
    '::',
    'ff02::1',
    '64:ff9b::a00:1',
    '::7f00:1',
    '::a9fe:a9fe',
  ])
    it(`never asks ${address}`, () => {
      expect(isAllowedAddress(address, true)).to.equal(false);
      expect(() => refuseAddress(address, true)).to.throw(DeliveryError);
    });

  it('may ask private networks where that is allowed, and the public one always', () => {
    const privates = ['127.0.0.1', '10.1.2.3', '192.168.1.1', 'fd00::1', '::1', '100.64.0.1'];
    expect(privates.map((address) => isAllowedAddress(address, true))).to.not.include(false);
    expect(privates.map((address) => isAllowedAddress(address, false))).to.not.include(true);
    expect(isAllowedAddress('93.184.216.34', false)).to.equal(true);
  });

  it('takes secrets of 24 to 64 bytes', () => {
    expect(isWebhookSecret(secret)).to.equal(true);
    for (const text of ['', 'whsec_', 'whsec_c2hvcnQ=', secret.slice(6), `${secret}!`])
      expect(isWebhookSecret(text), text).to.equal(false);
  });
});
