import Database from 'better-sqlite3';
import { expect } from 'chai';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { createTemporaryMirror, hashesOf, syncOnce, wholeScope } from '../helpers/sync-run.ts';

describe('several profiles on their way at once', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  beforeEach(async () => {
    own = createTemporaryMirror();
    service = await startFakeService(dialects[0]!);
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  /** Holds answers back until so many are waited for, or nobody asks any more; tells the most that were. */
  function holding(size: number) {
    const pendingAnswers: (() => void)[] = [];
    const most = { count: 0 };
    const release = () => {
      for (const answer of pendingAnswers.splice(0)) answer();
    };
    for (const { slug } of service.records.politicians!)
      service.faults.push({
        path: new RegExp(`^/politicians/${slug}$`),
        answer(_request, response) {
          pendingAnswers.push(() =>
            response.end(JSON.stringify(service.records.politicians!.find((each) => each.slug === slug))),
          );
          most.count = Math.max(most.count, pendingAnswers.length);
          if (pendingAnswers.length >= size) release();
        },
      });
    return { most, release };
  }

  it('are as many as the run was given, and bring the same records', async () => {
    // 50 profiles: the last two are alone.
    const { most, release } = holding(4);
    let profileRequests = 0;
    service.onRequest = () => {
      if (/^\/politicians\//.test(service.requests.at(-1)!.path)) profileRequests += 1;
      if (profileRequests >= 49) setImmediate(() => setImmediate(release));
    };
    const { report } = await syncOnce(own, service.baseUrl, { inFlight: 4 });
    expect([report.exit, report.records.politician!.details, most.count]).to.deep.equal([0, 50, 4]);
    const other = createTemporaryMirror();
    const alone = holding(1);
    await syncOnce(other, service.baseUrl);
    expect(alone.most.count).to.equal(1);
    const details = (mirror: typeof own.mirror) =>
      mirror.database.prepare("SELECT key, detail_hash FROM record WHERE kind = 'politician' ORDER BY key").all();
    expect(details(own.mirror)).to.deep.equal(details(other.mirror));
    expect(hashesOf(own.mirror, 'politician')).to.deep.equal(hashesOf(other.mirror, 'politician'));
    other.remove();
  });

  it('end where the service is gone, and what was on its way is saved', async () => {
    const { slug } = service.records.politicians![10]!;
    service.onRequest = () => {
      if (service.requests.at(-1)!.path === `/politicians/${slug}`)
        service.faults.push({ path: /./, times: 999, answer: (request) => request.socket.destroy() });
    };
    const { report } = await syncOnce(own, service.baseUrl, { inFlight: 4 });
    expect(report.exit).not.to.equal(0);
    const after = report.records.politician!.details;
    expect(after).to.be.greaterThan(0);
    const profileCount = own.mirror.database
      .prepare("SELECT count(*) FROM record WHERE kind = 'politician' AND detail IS NOT NULL")
      .pluck()
      .get();
    expect(profileCount).to.equal(after);
  });
});

describe('profiles that come one after the other', () => {
  for (const [pace, everyMs, least, most] of [
    ['fast', 10, 2, 10],
    ['a second apart', 1000, 45, 60],
  ] as const)
    it(`${pace} are seen by readers ${most < 45 ? 'some at a time' : 'one by one'}`, async () => {
      const own = createTemporaryMirror();
      const service = await startFakeService(dialects[0]!);
      const reader = new Database(own.mirror.path, { readonly: true });
      const states = new Set<unknown>();
      let nowMs = Date.parse('2026-11-01T12:00:00Z');
      service.onRequest = () => {
        if (!service.requests.at(-1)!.path.startsWith('/politicians/')) return;
        nowMs += everyMs;
        states.add(reader.pragma('data_version', { simple: true }));
      };
      try {
        const { report } = await syncOnce(own, service.baseUrl, {
          now: () => nowMs,
          scope: { ...wholeScope, details: 'all' },
        });
        expect([report.exit, report.records.politician!.details]).to.deep.equal([0, 50]);
        expect(states.size).to.be.within(least, most);
      } finally {
        reader.close();
        own.remove();
        await service.close();
      }
    });
});
