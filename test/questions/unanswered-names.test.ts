import { expect } from 'chai';
import { NotFoundError } from '../../src/errors.ts';
import { getCorrectedValues } from '../../src/questions/answering.ts';
import { feed } from '../../src/questions/feed.ts';
import { readValues } from '../../src/questions/parameter.ts';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { createImpatientClient, createTemporaryMirror } from '../helpers/sync-run.ts';
import { saveAll } from '../server/demo-server.ts';

describe('names that the service answered with nothing', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  let client: Awaited<ReturnType<typeof createImpatientClient>>;
  beforeEach(async () => {
    own = createTemporaryMirror();
    service = await startFakeService(dialects[0]!);
    client = await createImpatientClient(service.baseUrl);
    saveAll(own.mirror, 'promise', [{ id: 'p1', topic: 'retraites', text: 'Oui.' }]);
  });
  afterEach(async () => {
    await client.close();
    await service.close();
    own.remove();
  });
  const anew = (parameters: Record<string, string>) =>
    getCorrectedValues({ mirror: own.mirror, client }, feed.parameters, readValues(feed.parameters, parameters).values);

  it('are asked again in the words that its filters take', async () => {
    expect(await anew({ topic: 'RETRAITES' })).to.include({ topic: 'retraites', limit: 20 });
  });

  it('are asked once where they mean what was asked with', async () => {
    expect(await anew({ topic: 'retraites' })).to.equal(null);
    expect(await anew({ politician: 'oceane-bruyevre' })).to.equal(null);
    expect(await anew({})).to.equal(null);
  });

  it('are refused, with near misses, where they mean nothing', async () => {
    const failure = (parameters: Record<string, string>) =>
      anew(parameters).then(
        () => null,
        (error: unknown) => error,
      );
    const topic = (await failure({ topic: 'retraite' })) as NotFoundError;
    expect(topic).to.be.instanceOf(NotFoundError);
    expect(topic.hint).to.equal('did you mean: retraites?');
    expect(await failure({ politician: 'nobody-here' })).to.be.instanceOf(NotFoundError);
  });
});
