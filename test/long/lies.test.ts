import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { listChanges } from '../../src/store/history/changes.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { readContents } from '../../src/store/records/contents.ts';
import { completenessOf } from '../../src/store/syncs/completeness.ts';
import { countingDialect, dialects } from '../helpers/dialects.ts';
import type { FeedPage } from '../helpers/fake-service.ts';
import {
  datasetLies,
  endlessFeed,
  feedLies,
  type HostileService,
  type Lie,
  startHostileService,
} from '../helpers/hostile-service.ts';
import { makeOlder } from '../helpers/older-mirror.ts';
import { isLong } from '../helpers/random.ts';
import { createTemporaryMirror, hashesOf, syncOnce as syncAt, wholeScope } from '../helpers/sync-run.ts';

/** Dialects that count nothing. */
const uncounted = [dialects[0]!, dialects[1]!, dialects[3]!];

/** Each lie is told in one of them, and in all of them in a long run. */
const isTold = (lie: number, dialect: number) => isLong || (lie + dialect) % uncounted.length === 0;
const kinds = {
  feed: { ...wholeScope, only: ['content' as const] },
  promises: { ...wholeScope, only: ['promise' as const] },
};
const wholeFeed = { ...kinds.feed, full: true };

describe('a service that lies', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: HostileService;
  let nightMs = 0;
  beforeEach(() => {
    nightMs = Date.now();
    own = createTemporaryMirror();
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  /** Each sync is that of another night. */
  const syncOnce: typeof syncAt = (into, baseUrl, options = {}) => {
    nightMs += 86_400_000;
    return syncAt(into, baseUrl, { now: () => nightMs, ...options });
  };
  const storedKeys = (kind: string) => Object.keys(hashesOf(own.mirror, kind));
  const shown = (plural: string) => service.records[plural]!.map(({ id }) => String(id)).sort();
  const missingCount = (kind: string) => readContents(own.mirror).find((each) => each.kind === kind)!.unseen;
  const withdrawals = () =>
    [...listChanges(own.mirror, { since: '2000' })].filter(({ change }) => change === 'withdrawn');

  async function mirrored(dialect: (typeof dialects)[number], scope = wholeScope): Promise<void> {
    service = await startHostileService(dialect);
    expect((await syncOnce(own, service.baseUrl, { scope })).report.exit).to.equal(0);
  }

  async function syncWithin(lie: Lie, scope = wholeScope) {
    service.lie(lie);
    const result = await syncOnce(own, service.baseUrl, { scope });
    service.tellTheTruth();
    return result;
  }

  /** Kills a walk of the whole feed behind its second page. */
  async function breakWalk(scope = wholeFeed): Promise<void> {
    service.faults.push({
      path: /^\/feed\?.*cursor=100/,
      times: 9,
      answer: (request) => request.socket.destroy(),
    });
    expect((await syncOnce(own, service.baseUrl, { scope })).report.exit).to.equal(6);
    service.faults.length = 0;
  }

  it('leaves nothing unread in a mirror of an older program, which noted nothing as not seen', async () => {
    await mirrored(dialects[0]!, kinds.promises);
    makeOlder(own.mirror.database, 4);
    own.mirror.database.exec('DROP TABLE unseen');
    const reader = openMirror(own.mirror.path);
    expect(readContents(reader).map((each) => each.unseen)).to.deep.equal(readContents(reader).map(() => 0));
    reader.close();
    const writer = openWritableMirror(own.mirror.path);
    service.records.promises!.pop();
    for (const withdrawn of [0, 1]) {
      const { report } = await syncOnce({ ...own, mirror: writer }, service.baseUrl, {
        scope: kinds.promises,
      });
      expect(report.records.promise!.withdrawn).to.equal(withdrawn);
    }
    writer.close();
  });

  it('is told which address answered a part, and that all of it was asked for', async () => {
    await mirrored(dialects[1]!, kinds.promises);
    // The same night: Parquet, which this service does not give, is not tried again.
    nightMs -= 86_400_000;
    const lie = datasetLies.find(({ name }) => name.includes('206'))!;
    const { report, error } = await syncWithin(lie, kinds.promises);
    expect(report.exit).to.equal(5);
    expect((error as Error).message)
      .to.include(`${service.baseUrl}/export/dataset?entity=promises`)
      .and.include('sent partial content (206) for a full request');
  });

  for (const lie of feedLies.filter((_, row) => isLong || row % 2 === 0)) {
    it(`has nothing taken for gone by its own count where ${lie.name}`, async () => {
      await mirrored(
        countingDialect(() => service.records.content!),
        kinds.feed,
      );
      const { report } = await syncWithin(lie, wholeFeed);
      // Nothing is told of records where a full page names no next one: it is refused.
      expect(report.records.content ?? { withdrawn: 0, unseen: 0 }).to.include({ withdrawn: 0, unseen: 0 });
      for (const _each of [1, 2]) await syncOnce(own, service.baseUrl, { scope: kinds.feed });
      expect(storedKeys('content')).to.deep.equal(shown('content'));
      expect(withdrawals().length).to.equal(248 - service.records.content!.length);
    });
  }

  it('has nothing told as added where its items lose their ids, until they have them again', async () => {
    await mirrored(dialects[0]!, kinds.feed);
    const before = storedKeys('content');
    const lie = {
      name: 'items without ids',
      bend: () => ({
        path: /^\/feed/,
        page: (page: FeedPage) => ({ ...page, items: page.items.map(({ id: _id, ...item }) => item) }),
      }),
    };
    const { report, error } = await syncWithin(lie, kinds.feed);
    expect(report.exit).to.equal(5);
    expect((error as Error).message).to.match(/edits "id" of|response format changed: .*\bid\b/);
    expect(storedKeys('content')).to.deep.equal(before);
    const { report: next } = await syncOnce(own, service.baseUrl, { scope: kinds.feed });
    expect([next.exit, storedKeys('content')]).to.deep.equal([0, before]);
    // Where they are gone for good, whoever says so gets on, and every record keeps its key.
    service.lie(lie);
    const { report: acceptedReport } = await syncOnce(own, service.baseUrl, {
      scope: kinds.feed,
      accepted: ['content'],
    });
    service.tellTheTruth();
    expect(acceptedReport.records.content).to.include({ added: 0, edited: 248 });
    expect(storedKeys('content')).to.deep.equal(before);
  });

  it('has one withdrawn by its own count where another came in its place during the walk', async () => {
    await mirrored(
      countingDialect(() => service.records.content!),
      kinds.feed,
    );
    const [first] = service.records.content!;
    const exchange = (records: HostileService['records']) => {
      const otherContents = records.content!.filter(({ id }) => id !== first!.id);
      records.content = [{ ...first!, id: 'content-new', title: 'Un autre', text: 'Autre chose' }, ...otherContents];
    };
    const lie = {
      name: 'one comes, one goes',
      bend: () => ({
        path: /^\/feed/,
        move: (records: HostileService['records'], nth: number) => nth === 3 && exchange(records),
      }),
    };
    await syncWithin(lie, wholeFeed);
    for (const _each of [1, 2]) await syncOnce(own, service.baseUrl, { scope: kinds.feed });
    expect(storedKeys('content')).to.deep.equal(shown('content'));
    expect(withdrawals().map(({ key }) => key)).to.deep.equal([first!.id]);
  });

  for (const [column, dialect] of uncounted.entries()) {
    describe(`in ${dialect.name}`, () => {
      for (const lie of feedLies.filter((_, row) => isTold(row, column))) {
        it(`has nothing withdrawn where ${lie.name}, and the next sync mends it`, async () => {
          await mirrored(dialect, kinds.feed);
          const { report } = await syncWithin(lie, wholeFeed);
          const missed = lie.missingCount ?? 0;
          const { withdrawn = 0, unseen: lacked = 0 } = report.records.content ?? {};
          expect([report.exit, withdrawn]).to.deep.equal([lie.missingCount === null ? 5 : 0, 0]);
          expect([lacked, missingCount('content')]).to.deep.equal([missed, missed]);
          await syncOnce(own, service.baseUrl, { scope: kinds.feed });
          // What was truly deleted meanwhile has now been missed once, and is the only thing that was.
          const withdrawnCount = 248 - service.records.content!.length;
          expect(missingCount('content')).to.equal(withdrawnCount);
          expect(withdrawals()).to.deep.equal([]);
          await syncOnce(own, service.baseUrl, { scope: kinds.feed });
          expect(storedKeys('content')).to.deep.equal(shown('content'));
          expect([withdrawals().length, missingCount('content')]).to.deep.equal([withdrawnCount, 0]);
        });

        it(`keeps nothing from a new mirror for longer than a sync where ${lie.name}`, async () => {
          service = await startHostileService(dialect);
          await syncWithin(lie, kinds.feed);
          await syncOnce(own, service.baseUrl, { scope: kinds.feed });
          expect(storedKeys('content')).to.include.members(shown('content'));
        });
      }

      for (const lie of datasetLies.filter((_, row) => isTold(row, column))) {
        it(`has nothing withdrawn where a dataset comes as ${lie.name}`, async () => {
          await mirrored(dialect, kinds.promises);
          const before = storedKeys('promise');
          const { report } = await syncWithin(lie, kinds.promises);
          expect(report.records.promise?.withdrawn ?? 0).to.equal(0);
          expect(missingCount('promise') > 0).to.equal(report.exit === 0);
          expect(storedKeys('promise')).to.deep.equal(before);
          const { report: next } = await syncOnce(own, service.baseUrl, { scope: kinds.promises });
          expect([next.exit, next.records.promise!.withdrawn, missingCount('promise')]).to.deep.equal([0, 0, 0]);
          expect(storedKeys('promise')).to.deep.equal(before);
        });
      }

      for (const lie of datasetLies.slice(1).filter((_, row) => isTold(row, column))) {
        it(`has nothing withdrawn however often its end is lacking, as ${lie.name}`, async () => {
          await mirrored(dialect, kinds.promises);
          const before = storedKeys('promise');
          for (const _night of [1, 2, 3]) await syncWithin(lie, kinds.promises);
          expect([withdrawals(), storedKeys('promise')]).to.deep.equal([[], before]);
        });
      }

      it('has a walk that was killed, and resumed over deletions, made good by the next sync', async () => {
        service = await startHostileService(dialect);
        await breakWalk(kinds.feed);
        service.records.content!.splice(0, 40);
        await syncOnce(own, service.baseUrl, { scope: kinds.feed });
        expect(completenessOf(own.mirror, kindOf('content'))).to.equal('partial');
        await syncOnce(own, service.baseUrl, { scope: kinds.feed });
        expect(completenessOf(own.mirror, kindOf('content'))).to.equal('whole');
        expect(storedKeys('content')).to.include.members(shown('content'));
        expect(missingCount('content')).to.equal(40);
        for (const _third of [2, 3]) await syncOnce(own, service.baseUrl, { scope: kinds.feed });
        expect(storedKeys('content')).to.deep.equal(shown('content'));
      });

      it('has nothing taken for gone by a walk in two parts', async () => {
        await mirrored(dialect, kinds.feed);
        await breakWalk();
        service.records.content!.splice(0, 40);
        const { report } = await syncOnce(own, service.baseUrl, { scope: kinds.feed });
        expect(report.records.content).to.include({ withdrawn: 0, unseen: 0 });
        const { report: next } = await syncOnce(own, service.baseUrl, { scope: kinds.feed });
        expect(next.records.content).to.include({ withdrawn: 0, unseen: 40 });
      });

      it(`ends the stage and no more where ${endlessFeed.name}`, async () => {
        await mirrored(dialect);
        service.requests.length = 0;
        const { report, error } = await syncWithin(endlessFeed, {
          ...wholeScope,
          full: true,
          details: 'none',
        });
        expect([report.exit, report.errors.map(({ stage }) => stage)]).to.deep.equal([5, ['feed']]);
        expect((error as Error).message).to.match(/pages in a row held no new record; reading was stopped/);
        expect(service.requests.filter(({ path }) => path === '/feed').length).to.be.at.most(10);
        expect(report.records.audit!.same).to.be.greaterThan(0);
        expect(storedKeys('content')).to.deep.equal(shown('content'));
        const { report: next } = await syncOnce(own, service.baseUrl);
        expect([next.exit, storedKeys('content').length]).to.deep.equal([0, 248]);
      });
    });
  }
});
