import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ConfigurationError } from '../../src/errors.ts';
import { audit } from '../../src/questions/audit.ts';
import { listChanges } from '../../src/store/history/changes.ts';
import { refuseOtherService } from '../../src/store/syncs/service.ts';
import { dialects } from '../helpers/dialects.ts';
import { demoRecords, type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { runProgram } from '../helpers/program.ts';
import { createTemporaryMirror, hashesOf, syncOnce, wholeScope } from '../helpers/sync-run.ts';

const facts = { ...wholeScope, only: ['quote' as const, 'audit' as const] };

describe('a mirror of one service', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let [service, another]: FakeService[] = [];
  beforeEach(async () => {
    own = createTemporaryMirror();
    [service, another] = await Promise.all([startFakeService(dialects[0]!), startFakeService(dialects[0]!)]);
    another!.records.audit = demoRecords('audit').map((entry) => ({ ...entry, id: `other-${entry.id}` }));
  });
  afterEach(async () => {
    own.remove();
    await Promise.all([service!.close(), another!.close()]);
  });
  const refused = async () => {
    try {
      await syncOnce(own, another!.baseUrl, { scope: facts });
    } catch (error) {
      return error as ConfigurationError;
    }
    throw new Error('it was not refused');
  };
  const bytes = () => {
    own.mirror.database.pragma('wal_checkpoint(TRUNCATE)');
    return readFileSync(own.mirror.path).toString('base64');
  };

  it('takes nothing from another one, asks it nothing, and says what to do', async () => {
    await syncOnce(own, service!.baseUrl, { scope: facts });
    const before = bytes();
    const error = await refused();
    expect(error).to.be.instanceOf(ConfigurationError);
    expect(error.exit).to.equal(10);
    expect(error.message).to.include(service!.baseUrl).and.include(another!.baseUrl);
    expect(error.hint).to.match(/--db.*--moved/);
    expect(another!.requests).to.deep.equal([]);
    expect(bytes()).to.equal(before);
    expect((await syncOnce(own, service!.baseUrl, { scope: facts })).report.exit).to.equal(0);
  });

  it('goes on where its service is said to have moved: the same records, nothing told as new', async () => {
    await syncOnce(own, service!.baseUrl, { scope: facts, now: () => Date.parse('2026-11-01T06:00:00Z') });
    another!.records.audit = service!.records.audit!;
    const hashes = hashesOf(own.mirror, 'quote');
    const since = '2026-11-01T12:00:00.000Z';
    expect((await syncOnce(own, another!.baseUrl, { scope: facts, hasMoved: true })).report.exit).to.equal(0);
    expect([hashesOf(own.mirror, 'quote'), [...listChanges(own.mirror, { since })]]).to.deep.equal([hashes, []]);
    expect((await syncOnce(own, another!.baseUrl, { scope: facts })).report.exit).to.equal(0);
    expect(() => refuseOtherService(own.mirror, service!.baseUrl)).to.throw(ConfigurationError);
  });

  it('takes https for http, and a slash at the end for none', async () => {
    await syncOnce(own, service!.baseUrl, { scope: facts });
    refuseOtherService(own.mirror, `${service!.baseUrl.replace('http:', 'https:')}/`);
  });

  it('is made from any, as long as it holds no records of any', async () => {
    await syncOnce(own, 'http://127.0.0.1:9/api/v1', { scope: facts });
    expect((await syncOnce(own, service!.baseUrl, { scope: facts })).report.exit).to.equal(0);
  });

  it('does not keep what another one answers to a question', async () => {
    await syncOnce(own, service!.baseUrl, { scope: facts });
    const before = hashesOf(own.mirror, 'audit');
    const { stdout, stderr, exit } = await runProgram([audit.name, '--source', 'service', '--limit', '1'], {
      env: { HEMICYCLE_DB: own.mirror.path, HEMICYCLE_BASE_URL: another!.baseUrl, HOME: own.folder },
    });
    expect([exit, stdout !== '']).to.deep.equal([0, true]);
    expect(stderr).to.include('the response is not cached');
    expect(hashesOf(own.mirror, 'audit')).to.deep.equal(before);
  });
});
