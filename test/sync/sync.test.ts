import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ServiceAnswerError } from '../../src/errors.ts';
import { readBallot } from '../../src/model/ballot.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { createApp } from '../../src/server/app.ts';
import { mirrorVersion, readMeta } from '../../src/store/mirror.ts';
import { openMirror } from '../../src/store/open.ts';
import { readRecord } from '../../src/store/record.ts';
import { citationOf, lastFilledAt, listGaps } from '../../src/store/records/contents.ts';
import { referencedBallots } from '../../src/store/syncs/to-fetch.ts';
import type { SyncScope } from '../../src/sync/context.ts';
import { findImportFiles, importFiles } from '../../src/sync/import.ts';
import { planSync } from '../../src/sync/stages.ts';
import { dialects } from '../helpers/dialects.ts';
import { demoRecords, type FakeService, shown, startFakeService } from '../helpers/fake-service.ts';
import { createTemporaryMirror, firstSync, hashesOf, syncOnce, wholeScope } from '../helpers/sync-run.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/demo', import.meta.url));
const smallData = fileURLToPath(new URL('../../../shared/data/small', import.meta.url));
const exported = ['politician', 'party', 'promise', 'position', 'quote', 'source'];

describe('a sync', () => {
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

  it('is failed by no slug that is a segment of paths', async () => {
    const people = service.records.politicians!;
    for (const [at, slug] of ['.', '..'].entries()) people[at] = { ...people[at]!, slug };
    service.bent = { path: /^\/(politicians\/?)?$/, send: (_, response) => void response.writeHead(200).end('[]') };
    const noon = Date.parse('2026-11-01T12:00:00Z');
    for (const days of [0, 1]) {
      const { report } = await syncOnce(own, service.baseUrl, { now: () => noon + days * 86_400_000 });
      expect(report.exit).to.equal(0);
    }
    expect(readRecord(own.mirror, kindOf('politician'), '..')).to.include({ slug: '..' });
  });

  for (const dialect of dialects) {
    it(`reads the same records from a service that answers ${dialect.name}`, async () => {
      const source = createTemporaryMirror();
      const other = await startFakeService(dialect);
      const folder = join(source.folder, 'records');
      mkdirSync(folder);
      for (const plural of Object.keys(other.records))
        writeFileSync(
          join(folder, `${plural}.ndjson`),
          shown(other, dialect, plural)
            .map((record) => JSON.stringify(record))
            .join('\n'),
        );
      await importFiles(source.mirror, findImportFiles(folder), { at: '2026-11-01T00:00:00.000Z' });
      const { report, error } = await syncOnce(own, other.baseUrl);
      expect(error).to.equal(null);
      expect(report.exit).to.equal(0);
      for (const kind of [...exported, 'content', 'audit']) {
        expect(hashesOf(own.mirror, kind), kind).to.deep.equal(hashesOf(source.mirror, kind));
      }
      expect(other.unexpected).to.deep.equal([]);
      await other.close();
      source.remove();
    });

    it(`reads the same counts of ballots from a service that answers ${dialect.name}`, async () => {
      const other = await startFakeService(dialect);
      await syncOnce(own, other.baseUrl, { scope: { ...wholeScope, only: ['position', 'ballot'] } });
      const scrutinIds = referencedBallots(own.mirror).map(({ scrutinId }) => scrutinId);
      expect(scrutinIds.length).to.be.greaterThan(5);
      for (const ballot of demoRecords('ballots').filter(({ scrutin_id }) => scrutinIds.includes(String(scrutin_id)))) {
        const storedBallot = readRecord(own.mirror, kindOf('ballot'), `${ballot.chamber}:${ballot.scrutin_id}`);
        const votes = (document: typeof ballot) =>
          readBallot(document).votes_by_party.map(({ party, for: inFavour, against, abstention, non_voting }) => ({
            party,
            inFavour,
            against,
            abstention,
            non_voting,
          }));
        expect(storedBallot && votes(storedBallot)).to.deep.equal(votes(ballot));
      }
      await other.close();
    });
  }

  /** What a second sync covers, whether the feed answers it, and whether the mirror is as new as that sync then. */
  const runs: [only: SyncScope['only'], isAnswered: boolean, isFresh: boolean][] = [
    [null, true, true],
    [null, false, false],
    [[], true, false],
    [['content'], true, false],
    [['content'], false, false],
  ];
  for (const [only, isAnswered, isFresh] of runs)
    it(`of ${only?.length ?? 'all'} kinds ${isAnswered ? '' : 'without the feed '}leaves the mirror ${isFresh ? 'as new as it is' : 'as old as it was'}`, async () => {
      const moments = ['2026-11-01T12:00:00.000Z', '2026-11-02T12:00:00.000Z'] as const;
      const syncAt = (at: string, scope: SyncScope) =>
        syncOnce(own, service.baseUrl, { scope, now: () => Date.parse(at) });
      await syncAt(moments[0], wholeScope);
      expect(readMeta(own.mirror, 'synced_at')).to.equal(moments[0]);
      if (!isAnswered)
        service.faults.push({
          ...{ path: /^\/feed/, times: 99 },
          answer: (_request, response) => response.writeHead(500).end('{}'),
        });
      await syncAt(moments[1], { ...wholeScope, only });
      expect(readMeta(own.mirror, 'synced_at')).to.equal(moments[isFresh ? 1 : 0]);
    });

  it('asks at most 12 requests and changes nothing when nothing changed', async () => {
    await firstSync(own, service);
    const version = mirrorVersion(own.mirror);
    service.requests.length = 0;
    const { report } = await syncOnce(own, service.baseUrl);
    expect(service.requests.length).to.be.at.most(12);
    expect(report.requests).to.equal(service.requests.length);
    expect(mirrorVersion(own.mirror)).to.equal(version);
    expect(own.mirror.database.prepare('SELECT count(*) FROM version').pluck().get()).to.equal(0);
  });

  it('keeps what was said before an edit, and makes no version of a moved updated_at', async () => {
    await firstSync(own, service);
    const [first, second] = service.records.politicians!;
    first!.current_role = 'Présidente du conseil des phares';
    second!.updated_at = '2026-12-31';
    const { report } = await syncOnce(own, service.baseUrl);
    expect(report.records.politician).to.include({ edited: 1, touched: 1, withdrawn: 0 });
    const versions = own.mirror.database.prepare('SELECT json, ended_by FROM version WHERE part = ?').all('row') as {
      json: string;
      ended_by: string;
    }[];
    expect(versions.map(({ ended_by }) => ended_by)).to.deep.equal(['edited']);
    expect(JSON.parse(versions[0]!.json).slug).to.equal(first!.slug);
  });

  it('asks again only for the profiles that changed', async () => {
    await firstSync(own, service);
    service.records.politicians![3]!.bio = 'Une autre biographie.';
    service.requests.length = 0;
    await syncOnce(own, service.baseUrl);
    const profiles = service.requests.filter(({ path }) => path.startsWith('/politicians/'));
    expect(profiles.map(({ path }) => path)).to.deep.equal([`/politicians/${service.records.politicians![3]!.slug}`]);
  });

  it('of some kinds does not make the whole mirror look fresh', async () => {
    const at = (n: number) => ({ now: () => Date.UTC(2026, 10, 1 + n) });
    await syncOnce(own, service.baseUrl, at(0));
    const filled = lastFilledAt(own.mirror);
    await syncOnce(own, service.baseUrl, { ...at(3), scope: { ...wholeScope, only: ['quote'] } });
    expect(lastFilledAt(own.mirror)).to.equal(filled);
    await syncOnce(own, service.baseUrl, at(3));
    expect(lastFilledAt(own.mirror)).to.equal('2026-11-04T00:00:00.000Z');
  });

  it('withdraws what the datasets of two days no longer list, and takes it back when it returns', async () => {
    const night = async (n: number) =>
      (await syncOnce(own, service.baseUrl, { now: () => Date.UTC(2026, 10, 1 + n) })).report.records.promise;
    await night(0);
    const [removed] = service.records.promises!.splice(5, 1);
    expect(await night(1)).to.include({ withdrawn: 0, unseen: 1 });
    expect(await night(2)).to.include({ withdrawn: 1 });
    expect(readRecord(own.mirror, kindOf('promise'), String(removed!.id))).to.equal(undefined);
    service.records.promises!.push(removed!);
    expect(await night(3)).to.include({ returned: 0 });
    expect(await night(4)).to.include({ returned: 1 });
    expect(readRecord(own.mirror, kindOf('promise'), String(removed!.id))).to.deep.equal(removed);
  });

  it('refuses a dataset that lost more than a fifth of its rows, keeps the last good one and goes on', async () => {
    await firstSync(own, service);
    const before = hashesOf(own.mirror, 'quote');
    service.records.quotes!.splice(0, 20);
    service.records.promises![0]!.title = 'Autrement dit';
    const { report, error } = await syncOnce(own, service.baseUrl);
    expect(report.exit).to.equal(5);
    expect((error as Error).message).to.match(/quotes lost 20 of 46 rows/);
    expect(hashesOf(own.mirror, 'quote')).to.deep.equal(before);
    expect(report.records.promise).to.include({ edited: 1 });
    const accepted = await syncOnce(own, service.baseUrl, { maxShrink: 1 });
    expect(accepted.report.records.quote).to.include({ withdrawn: 20 });
  });

  const nonsense: [string, string, string, RegExp][] = [
    ['a web page', '<html><title>Maintenance</title></html>', 'text/html', /web page/],
    ['nothing', '', 'application/json', /empty/],
    ['half of a JSON document', '{"items":[{"id":"a"', 'application/json', /ends too early/],
    ['text', 'bonjour', 'text/plain', /not JSON/],
    ['a number', '7', 'application/json', /no list/],
    ['a list of numbers', '[1,2]', 'application/json', /not a record/],
  ];
  for (const [what, body, type, reason] of nonsense) {
    it(`ends the feed with exit 5 when it is answered ${what}, and saves the rest`, async () => {
      service.faults.push({
        path: /^\/feed/,
        answer: (_request, response) => response.writeHead(200, { 'content-type': type }).end(body),
      });
      const { report, error } = await syncOnce(own, service.baseUrl);
      expect(error).to.be.instanceOf(ServiceAnswerError);
      expect((error as Error).message)
        .to.include(`${service.baseUrl}/feed`)
        .and.match(reason);
      expect(report.exit).to.equal(5);
      expect(Object.keys(hashesOf(own.mirror, 'audit')).length).to.equal(60);
    });

    it(`keeps the good dataset when both formats of it are answered with ${what}`, async () => {
      await firstSync(own, service);
      const before = hashesOf(own.mirror, 'party');
      service.faults.push({
        path: /entity=parties/,
        times: 2,
        answer: (_request, response) => response.writeHead(200, { 'content-type': type }).end(body),
      });
      const { report } = await syncOnce(own, service.baseUrl);
      expect(report.exit).to.equal(5);
      expect(report.errors.map(({ stage }) => stage)).to.deep.equal(['datasets: parties']);
      expect(hashesOf(own.mirror, 'party')).to.deep.equal(before);
    });
  }

  it('goes on with a feed that broke off, and misses nothing that came meanwhile', async () => {
    service.faults.push({
      path: /^\/feed\?.*cursor=100/,
      times: 9,
      answer: (_request, response) => response.socket?.destroy(),
    });
    const broken = await syncOnce(own, service.baseUrl);
    expect(broken.report.exit).to.equal(6);
    expect(Object.keys(hashesOf(own.mirror, 'content')).length).to.equal(100);
    service.faults.length = 0;
    service.records.content!.push({ ...service.records.content![0]!, id: 'content-new', date: '2027-01-01' });
    const { report } = await syncOnce(own, service.baseUrl);
    expect(report.exit).to.equal(0);
    expect(Object.keys(hashesOf(own.mirror, 'content')).length).to.equal(service.records.content!.length);
  });

  it('starts a walk anew when the service no longer takes its cursor', async () => {
    service.faults.push({
      path: /^\/feed\?.*cursor=100/,
      times: 9,
      answer: (_request, response) => response.socket?.destroy(),
    });
    await firstSync(own, service);
    service.faults.length = 0;
    service.faults.push({
      path: /^\/feed\?.*cursor=100/,
      answer: (_request, response) => response.writeHead(422).end('{"detail":"cursor expired"}'),
    });
    const { report } = await syncOnce(own, service.baseUrl);
    expect(report.exit).to.equal(0);
    expect(Object.keys(hashesOf(own.mirror, 'content')).length).to.equal(service.records.content!.length);
  });

  it('holds all content, entries and ballots once the first profile is asked for, and goes on from there', async () => {
    service.faults.push({
      path: /^\/parties\//,
      times: 99,
      answer: (request) => request.socket.destroy(),
    });
    const { report } = await syncOnce(own, service.baseUrl);
    expect(report.exit).to.equal(6);
    const [dataset, log, feed, ballot, profile] = [
      /^\/export\//,
      /^\/audit/,
      /^\/feed/,
      /^\/votes\//,
      /^\/(parties|politicians)\//,
    ].map((path) => service.requests.findIndex((request) => path.test(request.path)));
    expect([dataset, log, feed, ballot, profile]).to.deep.equal(
      [dataset!, log!, feed!, ballot!, profile!].sort((a, b) => a - b),
    );
    for (const kind of ['content', 'audit'])
      expect(Object.keys(hashesOf(own.mirror, kind)).length, kind).to.equal(
        service.records[kind === 'audit' ? 'audit' : 'content']!.length,
      );
    expect(Object.keys(hashesOf(own.mirror, 'ballot')).length).to.be.greaterThan(5);
    const requestCount = service.requests.length;
    service.faults.length = 0;
    const again = await syncOnce(own, service.baseUrl);
    expect([again.report.exit, again.report.records.party!.details]).to.deep.equal([0, 8]);
    // Its head, and once more what a new mirror took for its end.
    expect(service.requests.slice(requestCount).filter(({ path }) => path === '/feed').length).to.equal(2);
  });

  it('records a gap when the log moved on by more than it shows, and none when the polls overlap', async () => {
    const entry = (n: number) => ({
      id: `a${n}`,
      role: 'moderator',
      entity_type: 'quote',
      action: 'update',
      date: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
    });
    const entries = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => entry(from + index));
    service.records.audit = entries(0, 200);
    await firstSync(own, service);
    service.records.audit = entries(0, 300);
    const overlapping = await syncOnce(own, service.baseUrl);
    expect(overlapping.report.gaps).to.equal(0);
    service.records.audit = entries(0, 900);
    const gapped = await syncOnce(own, service.baseUrl);
    expect(gapped.report.gaps).to.equal(1);
    expect(listGaps(own.mirror).length).to.equal(1);
    expect(Object.keys(hashesOf(own.mirror, 'audit')).length).to.equal(500);
  });

  it('saves a log without what may identify persons, and says which fields were left out', async () => {
    const [first, second] = service.records.audit!;
    Object.assign(first!, { moderator_email: 'someone@valombre.example', meta: { ip: '192.0.2.7' } });
    Object.assign(second!, { performed_by: 'someone' });
    const { report, notes } = await syncOnce(own, service.baseUrl);
    expect(report.exit).to.equal(0);
    expect(report.left_out).to.deep.include.members([
      { field: 'moderator_email', entries: 1 },
      { field: 'meta', entries: 1 },
      { field: 'performed_by', entries: 1 },
    ]);
    expect(notes.filter((note) => /omitted because/.test(note)).length).to.equal(3);
    expect(Object.keys(hashesOf(own.mirror, 'audit')).length).to.equal(service.records.audit!.length);
    const auditRows = own.mirror.sql("SELECT group_concat(row) FROM record WHERE kind = 'audit'").pluck().get();
    expect(`${auditRows} ${JSON.stringify({ report, notes })}`).to.not.match(/someone|192\.0/);
  });

  it('keeps nothing but a moment of how far the log was read', async () => {
    service.records.audit![0]!.date = '2026-11-01T09:00:00Z (someone)';
    expect((await syncOnce(own, service.baseUrl)).report.exit).to.equal(0);
    const storedRows = own.mirror.sql("SELECT group_concat(state) FROM progress WHERE stage = 'audit'").pluck().get();
    expect(storedRows)
      .to.match(/reached/)
      .and.not.match(/someone/);
  });

  it('asks once for a ballot that does not exist, and again for one that could not be answered', async () => {
    const ballots = [
      { chamber: 'AN', scrutinId: 'VAL1V900' },
      { chamber: 'AN', scrutinId: 'VAL1V1' },
    ] as const;
    const scope = { ...wholeScope, only: ['ballot' as const], ballots: [...ballots] };
    service.faults.push({
      path: /^\/votes\/VAL1V1\b/,
      answer: (_request, response) => response.writeHead(500).end('{}'),
    });
    const first = await syncOnce(own, service.baseUrl, { scope });
    expect(first.report.exit).to.equal(5);
    await syncOnce(own, service.baseUrl, { scope });
    service.requests.length = 0;
    const { report } = await syncOnce(own, service.baseUrl, { scope });
    expect(report.requests).to.equal(0);
    expect(Object.keys(hashesOf(own.mirror, 'ballot'))).to.deep.equal(['AN:VAL1V1']);
  });

  it('is planned before it runs, and the plan of a full mirror is what it then asks', async () => {
    const empty = planSync(null, service.baseUrl, { scope: wholeScope, rate: 60 });
    expect(empty.stages.map(({ stage, requests }) => [stage, requests])).to.deep.equal([
      ['datasets', 6],
      ['audit', 1],
      ['feed', 1],
      ['ballots', 0],
      ['party details', 0],
      ['politician details', 0],
    ]);
    expect(empty.atLeast).to.equal(true);
    expect(empty).to.deep.include({
      requests: 8,
      expected: 6 + 400 + 1 + 130 + 12 + 20,
      expectedMinutes: 10,
      most: 6 + 400 + 1 + 130 + 140 + 3400,
      mostMinutes: 68,
      assumed: ['20,000 records in the feed', '130 ballots named', '140 parties', '3,400 politicians'],
    });
    const audit = { ...wholeScope, only: ['audit' as const] };
    expect(planSync(null, service.baseUrl, { scope: audit, rate: 60 })).to.deep.include({
      expected: 1,
      expectedMinutes: 0,
      most: null,
      mostMinutes: null,
      assumed: [],
    });
    await firstSync(own, service);
    const plan = planSync(own.mirror, service.baseUrl, {
      scope: { ...wholeScope, details: 'all' },
      rate: 60,
    });
    service.requests.length = 0;
    await syncOnce(own, service.baseUrl, { scope: { ...wholeScope, details: 'all' } });
    expect(service.requests.length).to.equal(plan.requests);
    expect(plan.minutes).to.equal(1);
  });
});

describe('who is cited after a sync', () => {
  it('is the service that answered, not one that was asked in vain', async () => {
    const service = await startFakeService(dialects[0]!);
    const other = createTemporaryMirror();
    const cited = () => citationOf({ citation: { name: null, siteUrl: null }, baseUrl: null }, other.mirror);
    await syncOnce(other, service.baseUrl);
    await service.close();
    const { origin } = new URL(service.baseUrl);
    expect(cited().siteUrl).to.equal(origin);
    const { report } = await syncOnce(other, service.baseUrl);
    expect([report.exit, cited().siteUrl]).to.deep.equal([6, origin]);
    const empty = createTemporaryMirror();
    expect((await syncOnce(empty, 'http://127.0.0.1:9/api/v1')).report.exit).to.equal(6);
    empty.remove();
    other.remove();
  });
});

describe('mirror → serve → mirror', () => {
  for (const [name, folder] of [
    ['the fictional records', fixtures],
    ['the small cut of real records', smallData],
  ] as const) {
    it(`gives the same records from ${name}`, async function () {
      if (!existsSync(folder)) {
        console.log(`      (${folder} is not here: not run)`);
        return this.skip();
      }
      const source = createTemporaryMirror();
      const copy = createTemporaryMirror();
      await importFiles(source.mirror, findImportFiles(folder), { at: '2026-11-01T00:00:00.000Z' });
      const reader = openMirror(source.mirror.path);
      const app = await createApp({
        mirror: reader,
        settings: { citation: { name: 'Test', siteUrl: null }, rateLimit: false, semantic: false },
      });
      const origin = await app.listen({ host: '127.0.0.1', port: 0 });
      const { report, error } = await syncOnce(copy, `${origin}/api/v1`);
      await app.close();
      reader.close();
      expect(error).to.equal(null);
      expect(report.exit).to.equal(0);
      for (const kind of [...exported, 'content', 'audit']) {
        expect(hashesOf(copy.mirror, kind), kind).to.deep.equal(hashesOf(source.mirror, kind));
      }
      const all = hashesOf(source.mirror, 'ballot');
      const copiedHashes = hashesOf(copy.mirror, 'ballot');
      expect(Object.keys(copiedHashes).length).to.be.greaterThan(0);
      for (const [key, hash] of Object.entries(copiedHashes)) expect(hash, key).to.equal(all[key]);
      source.remove();
      copy.remove();
    });
  }
});
