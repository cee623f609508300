import { expect } from 'chai';
import { kindOf } from '../../../src/model/kinds.ts';
import { listChanges } from '../../../src/store/history/changes.ts';
import { mirrorVersion } from '../../../src/store/mirror.ts';
import { countRows } from '../../../src/store/rows.ts';
import { deleteResponses } from '../../../src/store/syncs/validators.ts';
import { isNewestFirst } from '../../../src/sync/updated-profiles.ts';
import { countingDialect, dialects } from '../../helpers/dialects.ts';
import { type Dialect, type FakeService, startFakeService } from '../../helpers/fake-service.ts';
import { createTemporaryMirror, firstSync, hashesOf, syncOnce, wholeScope } from '../../helpers/sync-run.ts';

const plain = dialects[0]!;
const day = 86_400_000;

const counting = (service: () => FakeService) => countingDialect(() => service().records.content!);

describe('a sync after another', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  const start = async (dialect: Dialect) => {
    service = await startFakeService(dialect);
    return service;
  };
  const requestedPaths = (pattern: RegExp) =>
    service.requests.filter(({ path, query }) => pattern.test(`${path}?${query}`)).map(({ path }) => path);
  beforeEach(() => {
    own = createTemporaryMirror();
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  describe('from a service that gives validators', () => {
    beforeEach(() => start({ ...plain, hasValidators: true }));

    it('gets no body for what did not change, and writes to no record', async () => {
      await firstSync(own, service);
      await syncOnce(own, service.baseUrl);
      const before = own.mirror.database.prepare('SELECT * FROM record ORDER BY id').all();
      const version = mirrorVersion(own.mirror);
      const { report } = await syncOnce(own, service.baseUrl);
      expect(report.requests_by_status).to.deep.equal({ 304: 9 });
      expect(own.mirror.database.prepare('SELECT * FROM record ORDER BY id').all()).to.deep.equal(before);
      expect(mirrorVersion(own.mirror)).to.equal(version);
      expect(report.exit).to.equal(0);
    });

    it('asks for every body again with --full, and after seven days', async () => {
      const now = Date.parse('2026-11-01T12:00:00Z');
      await syncOnce(own, service.baseUrl, { now: () => now });
      const full = await syncOnce(own, service.baseUrl, {
        now: () => now,
        scope: { ...wholeScope, full: true },
      });
      expect(full.report.requests_by_status).not.to.have.property('304');
      await syncOnce(own, service.baseUrl, { now: () => now });
      const later = await syncOnce(own, service.baseUrl, { now: () => now + 8 * day });
      expect(later.report.requests_by_status).not.to.have.property('304');
    });

    it('asks for every body again once an import changed what the mirror holds', async () => {
      await firstSync(own, service);
      deleteResponses(own.mirror);
      const { report } = await syncOnce(own, service.baseUrl);
      expect(report.requests_by_status).to.have.all.keys('200');
    });

    it('does not take a dataset that it refused for one that it holds', async () => {
      await firstSync(own, service);
      const removedQuotes = service.records.quotes!.splice(0, 20);
      for (const _each of [1, 2]) {
        const { report } = await syncOnce(own, service.baseUrl);
        expect(report.exit).to.equal(5);
      }
      service.records.quotes!.unshift(...removedQuotes);
      const { report } = await syncOnce(own, service.baseUrl);
      expect(report.exit).to.equal(0);
      expect(countRows(own.mirror, kindOf('quote'))).to.equal(46);
    });

    it('knows a profile that its row calls changed to be the same by a 304', async () => {
      await syncOnce(own, service.baseUrl);
      own.mirror.sql("UPDATE record SET detail_stale = 1 WHERE key = 'oceane-bruyevre'").run();
      const { report } = await syncOnce(own, service.baseUrl);
      expect(requestedPaths(/^\/politicians\/oceane-bruyevre/).length).to.equal(2);
      expect(report.records.politician!.details).to.equal(0);
      service.requests.length = 0;
      await syncOnce(own, service.baseUrl);
      expect(requestedPaths(/^\/politicians\/oceane-bruyevre/)).to.deep.equal([]);
    });
  });

  describe('whose datasets lag behind its profiles', () => {
    for (const order of ['newest first', 'oldest first'] as const) {
      it(`asks for the profiles that a list of the ${order} says were updated`, async () => {
        await start({ ...plain, updated: order });
        await firstSync(own, service);
        const changed = service.records.politicians![7]!;
        service.faults.push({
          path: /^\/politicians\?/,
          answer: (_request, response) => {
            const rows = service.records.politicians!.map((row) =>
              row === changed ? { ...row, updated_at: '2027-03-01' } : row,
            );
            rows.sort((a, b) => (String(a.updated_at) < String(b.updated_at) ? -1 : 1));
            if (order === 'newest first') rows.reverse();
            response.end(JSON.stringify({ items: rows, total: rows.length }));
          },
        });
        service.requests.length = 0;
        await syncOnce(own, service.baseUrl);
        expect(requestedPaths(/^\/politicians\/[^?]/)).to.deep.equal([`/politicians/${changed.slug}`]);
        service.requests.length = 0;
        await syncOnce(own, service.baseUrl);
        expect(requestedPaths(/^\/politicians\/[^?]/)).to.deep.equal([]);
      });
    }

    it('reads the order of the list from its dates', () => {
      const isFalling = (...dates: (string | null)[]) => isNewestFirst(dates.map((updated_at) => ({ updated_at })));
      expect(isFalling('2026-03-01', '2026-02-01', '2026-02-01')).to.equal(true);
      expect(isFalling('2026-01-01', null, '2026-02-01T08:00:00Z')).to.equal(false);
      expect(isFalling('2026-03-01', '2026-01-01', '2026-02-01')).to.equal(false);
      expect(isFalling('2026-03-01', '2026-03-01')).to.equal(false);
      expect(isFalling(null, 'soon')).to.equal(false);
    });
  });

  describe('finds in the feed', () => {
    it('what was published below known ground, by the number that the service counts', async () => {
      await start(counting(() => service));
      await firstSync(own, service);
      service.records.content!.push({ ...service.records.content![0]!, id: 'late', date: '2001-01-01' });
      await syncOnce(own, service.baseUrl);
      expect(hashesOf(own.mirror, 'content')).to.have.property('late');
      service.requests.length = 0;
      await syncOnce(own, service.baseUrl);
      expect(requestedPaths(/^\/feed/).length).to.equal(1);
    });

    it('what was withdrawn, once it has seen all of it on two days', async () => {
      await start(counting(() => service));
      await firstSync(own, service);
      const [removed] = service.records.content!.splice(30, 1);
      const first = await syncOnce(own, service.baseUrl);
      expect(first.report.records.content).to.include({ unseen: 1, withdrawn: 0 });
      expect(hashesOf(own.mirror, 'content')).to.have.property(String(removed!.id));
      const second = await syncOnce(own, service.baseUrl, { now: () => Date.now() + day });
      expect(second.report.records.content).to.include({ unseen: 0, withdrawn: 1 });
      expect(hashesOf(own.mirror, 'content')).not.to.have.property(String(removed!.id));
    });

    it('nothing missing where the service counts what was met, although the last page is full', async () => {
      await start(counting(() => service));
      service.records.content!.splice(100);
      await firstSync(own, service);
      service.requests.length = 0;
      await syncOnce(own, service.baseUrl);
      expect(requestedPaths(/^\/feed/).length).to.equal(1);
    });

    it('each record once, although its head is asked for again at the end', async () => {
      await start(plain);
      await firstSync(own, service);
      service.requests.length = 0;
      const { report } = await syncOnce(own, service.baseUrl, { scope: { ...wholeScope, full: true } });
      expect(report.records.content!.same).to.equal(service.records.content!.length);
      expect(requestedPaths(/^\/feed/).length).to.equal(4);
    });

    it('no withdrawal in a walk that an earlier run began', async () => {
      await start(plain);
      service.faults.push({
        path: /^\/feed\?.*cursor=100/,
        times: 9,
        answer: (request) => request.socket.destroy(),
      });
      await firstSync(own, service);
      service.faults = [];
      const { report } = await syncOnce(own, service.baseUrl);
      expect(report.records.content!.withdrawn).to.equal(0);
      expect(countRows(own.mirror, kindOf('content'))).to.equal(service.records.content!.length);
    });

    it('no withdrawal where the service counts more than its feed showed', async () => {
      await start(counting(() => service));
      await firstSync(own, service);
      const before = countRows(own.mirror, kindOf('content'));
      service.faults.push({
        path: /^\/feed/,
        times: 1,
        answer: (_request, response) =>
          response.end(
            JSON.stringify({
              items: service.records.content!.slice(0, 40).map((each) => ({ type: 'content', ...each })),
              total: before + 1,
            }),
          ),
      });
      const { report } = await syncOnce(own, service.baseUrl, { maxShrink: 1 });
      expect(report.records.content!.withdrawn).to.equal(0);
      expect(countRows(own.mirror, kindOf('content'))).to.equal(before);
    });
  });

  describe('asks for a ballot', () => {
    const scope = {
      ...wholeScope,
      only: ['ballot' as const],
      ballots: [{ chamber: 'AN' as const, scrutinId: 'VAL1V1' }],
    };
    const startMs = Date.parse('2026-10-01T00:00:00Z');
    const sync = async (afterDays: number) => {
      service.requests.length = 0;
      const now = () => startMs + afterDays * day;
      const { report } = await syncOnce(own, service.baseUrl, { scope, now });
      return report.requests;
    };

    it('once a day while it is young, and then when its turn comes, after a week or more', async () => {
      await start(plain);
      service.records.ballots!.find(({ scrutin_id }) => scrutin_id === 'VAL1V1')!.date = '2026-10-01';
      const requests: number[] = [];
      for (const afterDays of [1, 1.5, 2.1, 10, 15, 15.5, 20, 400]) requests.push(await sync(afterDays));
      expect(requests).to.deep.equal([1, 0, 1, 1, 1, 0, 0, 1]);
    });

    it('again after a week where the service had none', async () => {
      await start(plain);
      const ballots = service.records.ballots!;
      service.records.ballots = [];
      expect([await sync(1), await sync(2), await sync(5)]).to.deep.equal([1, 0, 0]);
      service.records.ballots = ballots;
      expect([await sync(9), await sync(12), await sync(400)]).to.deep.equal([1, 0, 1]);
    });

    it('and keeps what it said before it was corrected', async () => {
      await start(plain);
      const ballot = service.records.ballots!.find(({ scrutin_id }) => scrutin_id === 'VAL1V1')!;
      ballot.date = '2026-10-01';
      await sync(1);
      ballot.title = 'Un titre corrigé';
      await sync(3);
      const reportedChanges = [...listChanges(own.mirror, { since: new Date(startMs + 2 * day).toISOString() })];
      expect(reportedChanges.map(({ key, fields }) => [key, fields.map(({ field }) => field)])).to.deep.equal([
        ['AN:VAL1V1', ['title']],
      ]);
    });
  });

  it('gives versions in their order although the clock was set back', async () => {
    await start(plain);
    const noon = Date.parse('2026-11-01T12:00:00Z');
    await syncOnce(own, service.baseUrl, { now: () => noon });
    service.records.politicians![0]!.bio = 'Une deuxième.';
    await syncOnce(own, service.baseUrl, { now: () => noon - 30 * day, isSteady: true });
    service.records.politicians![0]!.bio = 'Une troisième.';
    await syncOnce(own, service.baseUrl, { now: () => noon + day, isSteady: true });
    const spans = own.mirror.database
      .prepare("SELECT seen_from <= seen_to AS ordered FROM version WHERE part = 'row'")
      .pluck()
      .all();
    expect(spans).to.deep.equal([1, 1]);
  });
});
