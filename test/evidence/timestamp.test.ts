import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { HemicycleError } from '../../src/errors.ts';
import { sha256 } from '../../src/evidence/bag.ts';
import { stampEvidence } from '../../src/evidence/evidence.ts';
import { storedZip } from '../../src/evidence/stored-zip.ts';
import { readTimestamp, timestampRequest } from '../../src/evidence/timestamp.ts';
import { verifyEvidence } from '../../src/evidence/verify.ts';
import type { TimestampingOptions } from '../../src/service/timestamping.ts';
import { listeningServers } from '../helpers/listening.ts';
import { createRandom } from '../helpers/random.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';
import { createAuthority } from './authority.ts';
import { evidenceOf, fillWithPast } from './made.ts';

describe('a time stamp of evidence', () => {
  const servers = listeningServers();
  let authority: ReturnType<typeof createAuthority>;
  let own: ReturnType<typeof createTemporaryMirror>;
  before(() => {
    authority = createAuthority();
    own = createTemporaryMirror();
    fillWithPast(own.mirror);
  });
  afterEach(() => servers.closeAll());
  after(() => {
    own.remove();
    authority.remove();
  });

  const options = { userAgent: 'test', now: Date.now, sleep: async () => {} };
  const stamp = async (listener: RequestListener, more: Partial<TimestampingOptions> = {}) => {
    const url = await servers.serve(listener);
    return stampEvidence(evidenceOf(own.mirror), { ...options, url, ...more });
  };
  const refused = async (listener: RequestListener, more: Partial<TimestampingOptions> = {}) => {
    const error = await stamp(listener, more).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(HemicycleError);
    const { message, hint, exit } = error as HemicycleError;
    expect(hint).to.equal(
      'nothing was written; check --tsa, or leave it out for evidence without a time stamp',
    );
    return [message.replace(/^http:\S+: /, ''), exit];
  };

  it('is that of an authority, which openssl confirms, and lies beside the sums that it is of', async () => {
    const { entries, timestamp } = await stamp(authority.listener());
    const bytes = Buffer.concat([...storedZip(entries)]);
    const verified = verifyEvidence(bytes);
    expect(verified.faults).to.deep.equal([]);
    expect(verified.timestamp?.at).to.equal(timestamp.at);
    expect(Math.abs(Date.parse(timestamp.at) - Date.now())).to.be.below(3_600_000);
    for (const { path, bytes } of entries)
      if (/tagmanifest|timestamp/.test(path))
        writeFileSync(join(authority.folder, path.slice('evidence/'.length)), bytes);
    const files = ['-in', 'timestamp.tsr', '-data', 'tagmanifest-sha256.txt', '-CAfile', 'root.pem'];
    expect(authority.openssl('ts', '-verify', ...files).toString()).to.include('Verification: OK');
  });

  it('is found to be changed by any byte, or that of something else', async () => {
    const { entries } = await stamp(authority.listener());
    const bytes = Buffer.concat([...storedZip(entries)]);
    const answer = entries.at(-1)!.bytes;
    const begin = bytes.indexOf(answer);
    const random = createRandom(20261122);
    for (let place = begin; place < begin + answer.length; place += 7) {
      const changed = Buffer.from(bytes);
      changed[place] = changed[place]! ^ (1 + random.integer(255));
      expect(
        verifyEvidence(changed).faults.map(({ part }) => part),
        String(place),
      ).to.include('timestamp.tsr');
    }
    const other = {
      path: entries.at(-1)!.path,
      bytes: authority.answerTo(timestampRequest(sha256(answer)).bytes),
    };
    const swapped = Buffer.concat([...storedZip([...entries.slice(0, -1), other])]);
    expect(verifyEvidence(swapped).faults.map(({ reason }) => `${reason}`)).to.deep.equal([
      'it is the time stamp of something else',
    ]);
  });

  it('asks as openssl asks, and for the certificate', () => {
    writeFileSync(join(authority.folder, 'ours.tsq'), timestampRequest('ab'.repeat(32)).bytes);
    const told = authority.openssl('ts', '-query', '-in', 'ours.tsq', '-text').toString();
    expect(told).to.include('Hash Algorithm: sha256').and.to.include('Certificate required: yes');
    expect(told)
      .to.match(/Nonce: 0x[4-7][0-9A-F]{15}\n/)
      .and.to.match(/ab ab ab/);
  });

  it('is refused where the authority answers another request, or stamps another sum', async () => {
    const sum = sha256(evidenceOf(own.mirror).stamped);
    const another = () => Buffer.from(timestampRequest(sum).bytes);
    expect(await refused(authority.listener({ query: another }))).to.deep.equal([
      'its time stamp answers another request (the nonce differs)',
      5,
    ]);
    const swapped = () => Buffer.from(timestampRequest('00'.repeat(32)).bytes);
    expect(await refused(authority.listener({ query: swapped }))).to.deep.equal([
      'it stamped another hash than the one sent',
      5,
    ]);
  });

  it('is refused where the authority refuses, and its reason told', async () => {
    const unknown = (asked: Buffer) => {
      // The last byte of the name of SHA-256: what it is then openssl does not stamp.
      asked[asked.indexOf(Buffer.from('608648016503040201', 'hex')) + 8] = 0x02;
      return asked;
    };
    const [message, exit] = await refused(authority.listener({ query: unknown }));
    expect(message).to.match(/^the authority refused the request \(status 2(: .+)?\)$/);
    expect(exit).to.equal(5);
  });

  it('is refused where what comes is none: a page, half an answer, nonsense, too much, an error, nothing', async () => {
    const sends =
      (type: string, body: string | Buffer, status = 200): RequestListener =>
      (request, response) => {
        request.resume();
        response.writeHead(status, { 'content-type': type }).end(body);
      };
    const reply = 'application/timestamp-reply';
    expect(await refused(sends('text/html', '<html>'))).to.deep.equal([
      'answers text/html, not application/timestamp-reply',
      5,
    ]);
    const none = ['it is no answer of a time-stamping authority (RFC 3161)', 5];
    expect(await refused(sends(reply, '<html>'))).to.deep.equal(none);
    expect(await refused(sends(reply, ''))).to.deep.equal(none);
    expect(await refused(authority.listener({ answer: (given) => given.subarray(0, 200) }))).to.deep.equal(
      none,
    );
    const granted = Buffer.from('30053003020100', 'hex');
    expect(await refused(sends(reply, granted))).to.deep.equal(['its time stamp cannot be read', 5]);
    expect((await refused(sends(reply, Buffer.alloc(2 ** 20 + 1))))[0]).to.include(
      'larger than 1048576 bytes',
    );
    expect(await refused(sends('text/plain', 'closed', 404))).to.deep.equal(['answered 404: closed', 5]);
    const silent: RequestListener = (request) => request.resume();
    const [message, exit] = await refused(silent, { limits: { totalJsonMs: 50 } });
    expect([message, exit]).to.deep.equal(['the whole answer took too long', 6]);
  });

  it('is read from anything without harm', () => {
    const answer = authority.answerTo(timestampRequest('ab'.repeat(32)).bytes);
    expect(readTimestamp(answer).imprint).to.equal('ab'.repeat(32));
    const random = createRandom(20261122);
    for (let time = 0; time < 2000; time += 1) {
      const changed = Buffer.from(
        answer.subarray(0, random.isOneIn(3) ? random.integer(answer.length) : answer.length),
      );
      for (let n = 0; n < 4 && changed.length > 0; n += 1)
        changed[random.integer(changed.length)] = random.integer(256);
      try {
        readTimestamp(changed);
      } catch (error) {
        expect((error as Error).constructor.name).to.equal('NoTimestampError');
      }
    }
  });
});
