import Database from 'better-sqlite3';
import { expect } from 'chai';
import { parties } from '../../src/questions/parties.ts';
import { politician } from '../../src/questions/politicians.ts';
import { vote } from '../../src/questions/vote.ts';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { createImpatientClient, createTemporaryMirror, hashesOf } from '../helpers/sync-run.ts';

describe('a question to the service while a sync writes the mirror', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  let client: Awaited<ReturnType<typeof createImpatientClient>>;
  let writing: Database.Database;
  beforeEach(async () => {
    own = createTemporaryMirror();
    service = await startFakeService(dialects[0]!);
    client = await createImpatientClient(service.baseUrl);
    writing = new Database(own.mirror.path);
    writing.exec('BEGIN IMMEDIATE');
  });
  afterEach(async () => {
    writing.close();
    await client.close();
    await service.close();
    own.remove();
  });

  it('is answered, and what cannot be kept then is kept the next time', async () => {
    const context = { mirror: own.mirror, client };
    const slug = String(service.records.politicians![0]!.slug);
    expect((await politician.requestFromService!(context, { slug })).item.slug).to.equal(slug);
    expect(
      (await parties.requestFromService!(context, { q: undefined, chamber: undefined, limit: 20 })).items,
    ).to.not.deep.equal([]);
    const { chamber, scrutin_id } = service.records.ballots![0] as { chamber: string; scrutin_id: string };
    expect((await vote.requestFromService!(context, { chamber, scrutin_id } as never)).item.scrutin_id).to.equal(
      scrutin_id,
    );
    expect(['politician', 'party', 'ballot'].map((kind) => hashesOf(own.mirror, kind))).to.deep.equal([{}, {}, {}]);
    expect(own.mirror.database.pragma('busy_timeout', { simple: true })).to.equal(10_000);
    writing.exec('ROLLBACK');
    await vote.requestFromService!(context, { chamber, scrutin_id } as never);
    expect(Object.keys(hashesOf(own.mirror, 'ballot')).length).to.equal(1);
  });
});
