import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { VerificationError } from '../../../src/errors.ts';
import { openWritableMirror } from '../../../src/store/open.ts';
import { verifyMirror } from '../../../src/sync/verify.ts';
import { dialects } from '../../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../../helpers/fake-service.ts';
import {
  contextOf,
  createImpatientClient,
  createTemporaryMirror,
  hashesOf,
  syncOnce,
  wholeScope,
} from '../../helpers/sync-run.ts';

describe('the verification of a mirror', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  beforeEach(async () => {
    own = createTemporaryMirror();
    service = await startFakeService(dialects[0]!);
    await syncOnce(own, service.baseUrl);
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  async function verify() {
    const path = join(own.folder, 'fresh.db');
    rmSync(path, { force: true });
    const fresh = openWritableMirror(path);
    const client = await createImpatientClient(service.baseUrl);
    const context = contextOf(own, client);
    const result = await verifyMirror(context, fresh);
    await client.close();
    fresh.close();
    rmSync(path, { force: true });
    return result;
  }
  const differing = ({ kinds }: Awaited<ReturnType<typeof verify>>) =>
    kinds
      .filter(({ agrees }) => !agrees)
      .map(({ kind, missing, extra, different }) => [kind, missing, extra, different]);

  it('agrees after a first sync, and after an incremental one', async () => {
    expect((await verify()).error).to.equal(null);
    service.records.politicians![2]!.bio = 'Une autre biographie.';
    service.records.promises!.splice(4, 1);
    service.records.content!.push({ ...service.records.content![0]!, id: 'new', date: '2027-01-01' });
    service.records.audit!.push({ ...service.records.audit![0]!, id: 'new', date: '2027-01-01T00:00:00Z' });
    await syncOnce(own, service.baseUrl);
    const result = await verify();
    expect(result.error).to.equal(null);
    expect(result.kinds.map(({ kind }) => kind)).to.have.members([
      'politician',
      'party',
      'promise',
      'position',
      'quote',
      'source',
      'content',
      'ballot',
      'audit',
    ]);
    expect(result.kinds.every(({ held, fresh }) => held >= fresh && fresh > 0)).to.equal(true);
  });

  it('names what is missing, what is too many and what says otherwise, and changes nothing', async () => {
    const before = hashesOf(own.mirror, 'promise');
    service.records.promises![0]!.title = 'Autrement dit';
    service.records.promises!.splice(1, 2);
    service.records.promises!.push({ id: 'new', title: 'Nouveau' });
    const result = await verify();
    expect(result.error).to.be.instanceOf(VerificationError).with.property('exit', 12);
    expect((result.error as Error).message).to.include('promise: 4');
    expect(differing(result)).to.deep.equal([['promise', 1, 2, 1]]);
    expect(hashesOf(own.mirror, 'promise')).to.deep.equal(before);
  });

  it('sees a full document that says otherwise', async () => {
    own.mirror.sql("UPDATE record SET detail_hash = 'x' WHERE key = 'oceane-bruyevre'").run();
    expect(differing(await verify())).to.deep.equal([['politician', 0, 0, 1]]);
  });

  it('sees an edit deep in the feed, which only a full sync brings', async () => {
    // A new mirror asks for the end of the feed twice.
    await syncOnce(own, service.baseUrl);
    const deep = [...service.records.content!].sort((a, b) => (String(a.date) < String(b.date) ? -1 : 1))[0]!;
    deep.title = 'Corrigé en silence';
    await syncOnce(own, service.baseUrl);
    expect(differing(await verify())).to.deep.equal([['content', 0, 0, 1]]);
    await syncOnce(own, service.baseUrl, { scope: { ...wholeScope, full: true } });
    expect((await verify()).error).to.equal(null);
  });

  it('keeps entries of the log and ballots that the service shows no longer', async () => {
    service.records.audit!.splice(0, 30);
    expect((await verify()).error).to.equal(null);
  });

  it('says why it could not be made', async () => {
    service.faults.push({ path: /^\/audit/, answer: (_request, response) => response.writeHead(500).end() });
    const result = await verify();
    expect(result.kinds).to.deep.equal([]);
    expect(result.error).to.have.property('exit', 5);
  });
});
