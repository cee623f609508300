import { expect } from 'chai';
import { dialects } from '../helpers/dialects.ts';
import { datasetLies, feedLies, type Lie, startHostileService } from '../helpers/hostile-service.ts';
import { createTemporaryMirror, hashesOf, syncOnce, wholeScope } from '../helpers/sync-run.ts';

type Service = Awaited<ReturnType<typeof startHostileService>>;

/** Dialects that count nothing. */
const uncounted = [dialects[0]!, dialects[1]!, dialects[3]!];
const whole = { ...wholeScope, full: true };

describe('a service that lies', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: Service;
  beforeEach(() => {
    own = createTemporaryMirror();
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  const held = (kind: string) => Object.keys(hashesOf(own.mirror, kind));
  const shown = (plural: string) => service.records[plural]!.map(({ id }) => String(id)).sort();

  async function mirrored(dialect: (typeof dialects)[number]): Promise<void> {
    service = await startHostileService(dialect);
    expect((await syncOnce(own, service.baseUrl)).report.exit).to.equal(0);
  }

  async function syncWithin(lie: Lie, scope = wholeScope) {
    service.lie(lie);
    const met = await syncOnce(own, service.baseUrl, { scope });
    service.tellTheTruth();
    return met;
  }

  it('is told which address answered a part, and that all of it was asked for', async () => {
    await mirrored(dialects[1]!);
    const { report, error } = await syncWithin(datasetLies.find(({ name }) => name.includes('206'))!);
    expect(report.exit).to.equal(5);
    expect((error as Error).message)
      .to.include(`${service.baseUrl}/export/dataset?entity=promises`)
      .and.include('answered a part (206), although all of it was asked for');
  });

  for (const dialect of uncounted) {
    describe(`in ${dialect.name}`, () => {
      for (const lie of feedLies) {
        it(`has nothing withdrawn where ${lie.name}`, async () => {
          await mirrored(dialect);
          const { report } = await syncWithin(lie, whole);
          expect(report.records.content!.withdrawn).to.equal(0);
          const { report: next } = await syncOnce(own, service.baseUrl);
          expect(next.records.content!.withdrawn).to.equal(0);
          expect(held('content')).to.include.members(shown('content'));
        });
      }
      for (const lie of datasetLies) {
        it(`has nothing withdrawn where a dataset comes as ${lie.name}`, async () => {
          await mirrored(dialect);
          const before = held('promise');
          const { report } = await syncWithin(lie);
          expect(report.records.promise?.withdrawn ?? 0).to.equal(0);
          expect(held('promise')).to.deep.equal(before);
          const { report: next } = await syncOnce(own, service.baseUrl);
          expect([next.exit, next.records.promise!.withdrawn]).to.deep.equal([0, 0]);
          expect(held('promise')).to.deep.equal(before);
        });
      }
    });
  }
});
