import { expect } from 'chai';
import type { HemicycleError } from '../../src/errors.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { countRows } from '../../src/store/rows.ts';
import { listFailures } from '../../src/store/syncs/failures.ts';
import { dialects } from '../helpers/dialects.ts';
import type { Fault } from '../helpers/fake-service.ts';
import { refusals, startHostileService } from '../helpers/hostile-service.ts';
import { isLong } from '../helpers/random.ts';
import { createTemporaryMirror, syncOnce, wholeScope } from '../helpers/sync-run.ts';

type Service = Awaited<ReturnType<typeof startHostileService>>;

const chosen = [dialects[0]!, dialects[1]!, dialects[3]!, dialects.at(-1)!];
const noon = Date.parse('2026-11-01T12:00:00Z');
const hour = 3_600_000;
const ordinal = ['', 'first', 'second', 'third'];

describe('an address that fails', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: Service;
  beforeEach(() => {
    own = createTemporaryMirror();
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  const sync = (afterHours = 0, options: Parameters<typeof syncOnce>[2] = {}) => {
    service.requests.length = 0;
    return syncOnce(own, service.baseUrl, {
      now: () => noon + afterHours * hour,
      ...options,
    });
  };
  const fail = (path: RegExp, answer: Fault['answer']) =>
    service.faults.push({ path, times: Number.POSITIVE_INFINITY, answer });
  const requestCount = (path: RegExp) => service.requests.filter((request) => path.test(request.path)).length;
  const storedCounts = () => ({
    profiles: own.mirror.database
      .prepare("SELECT count(*) FROM record WHERE kind = 'politician' AND detail IS NOT NULL")
      .pluck()
      .get(),
    content: countRows(own.mirror, kindOf('content')),
    audit: countRows(own.mirror, kindOf('audit')),
    ballots: countRows(own.mirror, kindOf('ballot')),
  });
  const all = { profiles: 50, content: 248, audit: 60 };
  const slug = (nth: number) => service.records.politicians!.map((each) => String(each.slug)).sort()[nth]!;

  for (const [at, dialect] of chosen.entries()) {
    describe(`in ${dialect.name}`, () => {
      // Each refusal in one dialect, and in a long run in all.
      const tried = refusals.filter((_, nth) => isLong || nth % chosen.length === at);
      for (const { name, answer, status, exit, limits = {} } of tried) {
        it(`keeps nothing else from being brought where a profile answers ${name}`, async () => {
          service = await startHostileService(dialect);
          const bad = new RegExp(`^/politicians/${slug(1)}$`);
          fail(bad, answer);
          const { report, error } = await sync(0, { limits });
          expect(report.exit).to.equal(exit);
          expect((error as Error).message).to.include(`/politicians/${slug(1)}`);
          const { ballots, ...otherCounts } = storedCounts();
          expect(otherCounts).to.deep.equal({ ...all, profiles: 49 });
          expect(ballots).to.be.greaterThan(5);
          expect(requestCount(bad)).to.be.at.most(5);
          expect(report.failures.map(({ url, count, status }) => [url, count, status])).to.deep.equal([
            [`${service.baseUrl}/politicians/${slug(1)}`, 1, status],
          ]);
          service.faults.length = 0;
          expect((await sync(24)).report.exit).to.equal(0);
          expect(listFailures(own.mirror, 'politician details')).to.deep.equal([]);
          expect(storedCounts()).to.include(all);
        });
      }

      it('leaves the rest of the alphabet to be asked where five neighbours answer 500', async () => {
        service = await startHostileService(dialect);
        const bad = new RegExp(`^/politicians/(${[3, 4, 5, 6, 7].map(slug).join('|')})$`);
        fail(bad, (_request, response) => response.writeHead(500).end('{}'));
        const { report, error } = await sync();
        expect(report.exit).to.equal(5);
        expect((error as Error).message).to.match(/^5 parts could not be read, .*; and 2 more$/);
        expect(storedCounts()).to.include({ ...all, profiles: 45 });
        expect(requestCount(bad)).to.equal(5);
      });
    });
  }

  it('is asked last, once, and then less and less often', async () => {
    service = await startHostileService(dialects[0]!);
    const bad = new RegExp(`^/politicians/${slug(0)}$`);
    fail(bad, (_request, response) => response.writeHead(503).end('{}'));
    const triesAt = async (hours: number) => {
      service.records.politicians![9]!.bio = `Une biographie, ${hours}.`;
      const { report } = await sync(hours);
      const profiles = service.requests.map(({ path }) => path).filter((path) => /^\/politicians\/./.test(path));
      return [report.exit, requestCount(bad), profiles.length > 1 ? bad.test(profiles.at(-1)!) : false];
    };
    expect(await triesAt(0)).to.deep.equal([5, 5, false]);
    expect(await triesAt(0.1)).to.deep.equal([5, 1, true]);
    expect(await triesAt(1)).to.deep.equal([0, 0, false]);
    expect(await triesAt(1.2)).to.deep.equal([5, 1, true]);
    expect(await triesAt(5)).to.deep.equal([0, 0, false]);
    const [failure] = listFailures(own.mirror);
    expect(failure).to.include({ count: 3, status: 503, first_at: new Date(noon).toISOString() });
    expect(await triesAt(6)).to.deep.equal([5, 1, true]);
    service.requests.length = 0;
    await syncOnce(own, service.baseUrl, {
      now: () => noon + 7 * hour,
      scope: { ...wholeScope, details: 'all' },
    });
    expect(requestCount(bad)).to.equal(1);
  });

  it('is no matter of one address where every one is refused: the run ends at once with exit 4', async () => {
    service = await startHostileService(dialects[0]!);
    fail(/./, (_request, response) => response.writeHead(403).end('{}'));
    for (const hours of [0, 1, 2]) {
      const { report } = await sync(hours);
      expect([report.exit, report.requests]).to.deep.equal([4, 4]);
    }
  });

  it('is no matter of one address where profiles are refused one after another', async () => {
    service = await startHostileService(dialects[0]!);
    fail(/^\/politicians\//, (_request, response) => response.writeHead(401).end('{}'));
    const { report } = await sync();
    expect(report.exit).to.equal(4);
    expect(requestCount(/^\/politicians\//)).to.equal(3);
    expect(storedCounts()).to.include({ ...all, profiles: 0 });
  });

  for (const [what, runs, address, lacking] of [
    ['a dataset', 3, () => /entity=parties/, {}],
    ['the feed', 3, () => /^\/feed/, { content: 0 }],
    ['a profile', 2, () => new RegExp(`^/politicians/${slug(1)}$`), { profiles: 49 }],
  ] as const) {
    it(`that is ${what} and sends everybody away for a day ends run after run, but is asked last by the ${ordinal[runs]}`, async () => {
      service = await startHostileService(dialects[0]!);
      const stayAway: Fault['answer'] = (_request, response) =>
        response.writeHead(429, { 'retry-after': '86400' }).end('{}');
      fail(address(), stayAway);
      for (let run = 0; run < runs; run += 1) expect((await sync(run * 25)).report.exit).to.equal(7);
      expect(listFailures(own.mirror).length).to.equal(1);
      expect(storedCounts()).to.include({ ...all, ...lacking });
    });
  }

  it('that is one among many tells what it was refused for, and so do many for one reason', async () => {
    service = await startHostileService(dialects[0]!);
    const exits: (number | undefined)[] = [];
    const audit = /^\/audit/;
    for (const [nth, [status, ...laterStatuses]] of [
      [401],
      [429],
      [500],
      [401, 401],
      [401, 429],
      [429, 500],
    ].entries()) {
      service.faults.length = 0;
      fail(audit, (_request, response) => response.writeHead(status!).end('{}'));
      for (const other of laterStatuses)
        fail(/entity=sources/, (_request, response) => response.writeHead(other).end('{}'));
      const { report, error } = await sync(nth * 30);
      expect((error as HemicycleError).exit).to.equal(report.exit);
      exits.push(report.exit);
      expect(storedCounts().profiles).to.equal(50);
    }
    expect(exits).to.deep.equal([4, 7, 5, 4, 5, 5]);
  });

  it('that is the only one asked tells what it was refused for', async () => {
    service = await startHostileService(dialects[0]!);
    const exits: number[] = [];
    for (const status of [401, 429, 500]) {
      service.faults.length = 0;
      fail(/^\/audit/, (_request, response) => response.writeHead(status).end('{}'));
      exits.push((await sync(0, { scope: { ...wholeScope, only: ['audit'] } })).report.exit);
    }
    expect(exits).to.deep.equal([4, 7, 5]);
  });

  it('ends its stage where six different ones in a row answer 500, wherever they stand', async () => {
    service = await startHostileService(dialects[0]!);
    fail(/^\/politicians\//, (_request, response) => response.writeHead(500).end('{}'));
    const { report } = await sync();
    expect([report.exit, requestCount(/^\/politicians\//)]).to.deep.equal([5, 6]);
    const again = await sync(1);
    expect([again.report.exit, requestCount(/^\/politicians\//)]).to.deep.equal([5, 6]);
    service.faults.length = 0;
    await sync(3);
    expect(storedCounts()).to.include(all);
  });

  it('ends the run where nothing is answered, stage after stage', async () => {
    service = await startHostileService(dialects[0]!);
    fail(/./, (_request, response) => response.writeHead(503).end('{}'));
    const { report } = await sync();
    expect(report.exit).to.equal(5);
    expect(report.requests).to.be.at.most(35);
  });

  it('is asked once a run while its record is in doubt, and forgotten once that is proven to be gone', async () => {
    service = await startHostileService(dialects[0]!);
    const missingSlug = slug(2);
    const address = new RegExp(`^/politicians/${missingSlug}$`);
    fail(address, (_request, response) => response.writeHead(500).end('{}'));
    await sync();
    expect(listFailures(own.mirror).length).to.equal(1);
    service.records.politicians = service.records.politicians!.filter((each) => each.slug !== missingSlug);
    await sync(1);
    expect(listFailures(own.mirror).map(({ count }) => count)).to.deep.equal([2]);
    expect(requestCount(address)).to.equal(1);
    service.faults.length = 0;
    await sync(25);
    expect(listFailures(own.mirror)).to.deep.equal([]);
    await sync(49);
    expect(countRows(own.mirror, kindOf('politician'))).to.equal(49);
  });
});

describe('profiles that the service does not have', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: Service;
  beforeEach(async () => {
    own = createTemporaryMirror();
    service = await startHostileService(dialects[0]!);
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });
  const day = 24 * hour;
  const missing = (path: RegExp) =>
    service.faults.push({
      path,
      times: Number.POSITIVE_INFINITY,
      answer: (_request, response) => response.writeHead(404).end('{"detail":"none"}'),
    });
  const syncOn = async (days: number, options: Parameters<typeof syncOnce>[2] = {}) => {
    service.requests.length = 0;
    const { report, error } = await syncOnce(own, service.baseUrl, {
      now: () => noon + days * day,
      ...options,
    });
    const profileRequests = service.requests.filter(({ path }) => /^\/politicians\/./.test(path)).length;
    return { exit: report.exit, profileRequests, error: error as (Error & { hint: string }) | null };
  };

  it('are half of them said once, with what to do, and asked for again in a week', async () => {
    const every = service.records.politicians!.map(({ slug }) => String(slug));
    const half = every.filter((_, index) => index % 2 === 0);
    missing(new RegExp(`^/politicians/(${half.join('|')})$`));
    const { exit, profileRequests, error } = await syncOn(0);
    expect([exit, profileRequests]).to.deep.equal([5, 50]);
    expect(error!.message).to.include('25 of 50');
    expect(error!.hint).to.include('--details all').and.include('for a week');
    const later = [];
    for (const days of [1, 2, 8, 9]) {
      const result = await syncOn(days);
      later.push([result.exit, result.profileRequests]);
    }
    expect(later).to.deep.equal([
      [0, 0],
      [0, 0],
      [0, 25],
      [0, 0],
    ]);
  });

  it('are all of them not asked for to the end, and taken for known with --accept-shrink', async () => {
    missing(/^\/politicians\/./);
    const first = await syncOn(0);
    expect([first.exit, first.profileRequests]).to.deep.equal([5, 20]);
    expect(first.error!.hint).to.include('--accept-shrink').and.include('--details none');
    const second = await syncOn(0.01);
    expect([second.exit, second.profileRequests]).to.deep.equal([5, 20]);
    expect((await syncOn(0.02)).profileRequests).to.equal(0);
    const accepted = await syncOn(1, { maxShrink: 1 });
    expect([accepted.exit, accepted.profileRequests]).to.deep.equal([0, 50]);
    expect(await syncOn(2)).to.include({ exit: 0, profileRequests: 0 });
  });
});

describe('a format that a service does not give', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: Service;
  beforeEach(async () => {
    own = createTemporaryMirror();
    service = await startHostileService(dialects[0]!);
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });
  const refuseParquet = (entity = '') =>
    service.faults.push({
      path: new RegExp(`entity=${entity}.*format=parquet`),
      times: Number.POSITIVE_INFINITY,
      answer: (_request, response) => response.writeHead(503).end('{}'),
    });
  const syncAt = async (days: number, full = false) => {
    service.requests.length = 0;
    const { report } = await syncOnce(own, service.baseUrl, {
      now: () => noon + days * 24 * hour,
      ...(full ? { scope: { only: null, full, details: 'changed', ballots: [] } } : {}),
    });
    const formats = service.requests
      .filter(({ path }) => path === '/export/dataset')
      .map(({ query }) => query.get('format'));
    const of = (format: string) => formats.filter((each) => each === format).length;
    return [report.exit, of('parquet'), of('csv')];
  };

  for (const dialect of chosen) {
    it(`is tried for two datasets and left alone for the others, in ${dialect.name}`, async () => {
      await service.close();
      service = await startHostileService({ ...dialect, dataset: 'parquet' });
      refuseParquet();
      expect(await syncAt(0)).to.deep.equal([0, 6, 6]);
      expect(await syncAt(0.5)).to.deep.equal([0, 0, 6]);
    });
  }

  it('although it once gave it is asked for again with --full alone', async () => {
    expect(await syncAt(0)).to.deep.equal([0, 6, 0]);
    refuseParquet();
    expect(await syncAt(1)).to.deep.equal([0, 6, 6]);
    expect(await syncAt(2)).to.deep.equal([0, 0, 6]);
    service.faults.length = 0;
    expect(await syncAt(3)).to.deep.equal([0, 0, 6]);
    expect(await syncAt(4, true)).to.deep.equal([0, 6, 0]);
    expect(await syncAt(5)).to.deep.equal([0, 6, 0]);
    expect(listFailures(own.mirror)).to.deep.equal([]);
  });

  it('for one dataset alone is asked for for the others', async () => {
    refuseParquet('quotes');
    expect(await syncAt(0)).to.deep.equal([0, 10, 1]);
    expect(await syncAt(0.5)).to.deep.equal([0, 5, 1]);
  });
});
