import { expect } from 'chai';
import { NotFoundError } from '../../src/errors.ts';
import { itemsOf } from '../../src/index.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { createServiceAnswerer } from '../../src/questions/answering.ts';
import { audit } from '../../src/questions/audit.ts';
import { ballots } from '../../src/questions/ballots.ts';
import { feed } from '../../src/questions/feed.ts';
import { getProfileByName, resolveSlugFilter } from '../../src/questions/from-service.ts';
import { readValues } from '../../src/questions/parameter.ts';
import { parties } from '../../src/questions/parties.ts';
import { politicians } from '../../src/questions/politicians.ts';
import { countRows } from '../../src/store/rows.ts';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { listeningServers } from '../helpers/loopback-servers.ts';
import { createImpatientClient, createTemporaryMirror } from '../helpers/sync-run.ts';

describe('a question to the service', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  let client: Awaited<ReturnType<typeof createImpatientClient>>;
  beforeEach(async () => {
    own = createTemporaryMirror();
    service = await startFakeService(dialects[0]!);
    client = await createImpatientClient(service.baseUrl);
  });
  afterEach(async () => {
    await client.close();
    await service.close();
    own.remove();
  });
  const context = () => ({ mirror: own.mirror, client });
  const storedCount = (name: Parameters<typeof kindOf>[0]) => countRows(own.mirror, kindOf(name));
  const paths = () => service.requests.map(({ path }) => path.replace(/^.*\/api\/v1/, ''));
  const failure = (asking: Promise<unknown>) =>
    asking.then(
      () => null,
      (error: Error & { exit: number }) => error,
    );

  it('is answered with a page, of which every record is kept', async () => {
    const values = readValues(politicians.parameters, { limit: '5' }).values;
    const { items, origin } = await createServiceAnswerer(context()).list(politicians, values);
    const count = (await itemsOf({ items })).length;
    expect(count).to.be.greaterThan(0);
    expect([origin.from, storedCount('politician')]).to.deep.equal(['service', count]);
  });

  it('is answered with no more than was asked for, and how much there is, where all comes at once', async () => {
    const servers = listeningServers();
    const all = ['ada', 'bea', 'cid'].map((slug) => ({ slug, full_name: slug }));
    const generous = await createImpatientClient(
      await servers.serve((_, response) => response.end(JSON.stringify(all))),
    );
    const { values } = readValues(politicians.parameters, { limit: '2' });
    const listing = await createServiceAnswerer({ mirror: own.mirror, client: generous }).list(politicians, values);
    expect([(await itemsOf(listing)).length, listing.total, storedCount('politician')]).to.deep.equal([2, 3, 3]);
    await generous.close();
    servers.closeAll();
  });

  it('never asks for more than the interface gives in one answer', async () => {
    const values = { ...readValues(audit.parameters, {}).values, limit: 1000 };
    await createServiceAnswerer(context()).list(audit, values);
    expect(service.requests.at(-1)!.query.get('limit')).to.equal('200');
  });

  it('takes no name of a person from a moderation entry', async () => {
    service.records.audit = [
      { id: 'a1', role: 'editor', entity_type: 'quote', date: '2026-11-01', who: 'Jean Ondoyer' },
    ];
    const { items } = await createServiceAnswerer(context()).list(audit, readValues(audit.parameters, {}).values);
    expect(JSON.stringify(await itemsOf({ items }))).not.to.include('Ondoyer');
    const stored = own.mirror.column<string>("SELECT row FROM record WHERE kind = 'audit'").all();
    expect([stored.length, stored.join().includes('Ondoyer')]).to.deep.equal([1, false]);
  });

  it('finds the slug of a name in the list, once, and asks with a slug as it is', async () => {
    expect(await resolveSlugFilter(context(), 'politician', undefined)).to.equal(undefined);
    expect(await resolveSlugFilter(context(), 'politician', 'some-slug')).to.equal('some-slug');
    expect(paths()).to.deep.equal([]);
    expect(await resolveSlugFilter(context(), 'politician', 'Océane Bruyèvre')).to.equal('oceane-bruyevre');
    const count = paths().length;
    expect(await resolveSlugFilter(context(), 'politician', 'Océane Bruyèvre')).to.equal('oceane-bruyevre');
    expect(paths()).to.have.length(count);
  });

  it('keeps a profile that it fetched, and says whom the service does not have', async () => {
    const { item } = await getProfileByName(context(), 'politician', 'Océane Bruyèvre');
    expect(item.slug).to.equal('oceane-bruyevre');
    const details = own.mirror.column<number>('SELECT count(*) FROM record WHERE detail IS NOT NULL').all();
    expect(details).to.deep.equal([1]);
    const error = await failure(getProfileByName(context(), 'politician', 'nobody-here'));
    expect(error).to.be.instanceOf(NotFoundError);
    expect(error!.message).to.equal('the service has no politician "nobody-here"');
  });

  it('filters by a day what the service cannot, and refuses what only the mirror answers', async () => {
    const values = readValues(feed.parameters, { limit: '50' }).values;
    const all = await itemsOf(await createServiceAnswerer(context()).list(feed, values));
    const since = String(all[3]!.date);
    const some = await itemsOf(await feed.requestFromService!(context(), { ...values, since } as typeof values));
    expect(some).to.deep.equal(all.filter(({ date }) => String(date) >= since));
    const error = await failure(
      createServiceAnswerer(context()).list(ballots, readValues(ballots.parameters, {}).values),
    );
    expect([error!.exit, error!.message]).to.deep.equal([2, 'the service does not support ballots']);
  });

  it('names a filter that the service does not support by its flag', async () => {
    const values = readValues(parties.parameters, { q: 'verger' }).values;
    const error = await failure(createServiceAnswerer(context()).list(parties, values));
    expect(error!.message).to.equal('the service does not support --query');
  });
});
