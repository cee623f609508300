import { expect } from 'chai';
import {
  largerSampleSize,
  maxFetchedWithoutSample,
  profileDifference,
  sampleSizes,
} from '../../../src/model/composition.ts';
import type { Document } from '../../../src/model/document.ts';
import { kindOf } from '../../../src/model/kinds.ts';
import { politician } from '../../../src/questions/politicians.ts';
import { listChanges } from '../../../src/store/history/changes.ts';
import { mirrorVersion } from '../../../src/store/mirror.ts';
import { openMirror } from '../../../src/store/open.ts';
import { readContents } from '../../../src/store/records/contents.ts';
import { readCompleteRecord } from '../../../src/store/records/profile.ts';
import { composedSlugs } from '../../../src/store/syncs/composition.ts';
import { listFailures } from '../../../src/store/syncs/failures.ts';
import { planSync } from '../../../src/sync/stages.ts';
import { verifyMirror } from '../../../src/sync/verify.ts';
import { dialects } from '../../helpers/dialects.ts';
import { type FakeService, type Fault, startFakeService } from '../../helpers/fake-service.ts';
import { makeOlder } from '../../helpers/older-mirror.ts';
import { createRandom, seedOf } from '../../helpers/random.ts';
import {
  contextOf,
  createImpatientClient,
  createTemporaryMirror,
  syncOnce,
  wholeScope,
} from '../../helpers/sync-run.ts';

const day = 86_400_000;
const sampleSize = sampleSizes.politician;
const start = Date.parse('2026-11-01T03:00:00Z');

describe('the profiles of a service that has many', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  /** What the service says of a politician beyond the row, its facts and its sources. */
  let more: (row: Document) => Document;
  beforeEach(async () => {
    own = createTemporaryMirror();
    more = () => ({});
    service = await startFakeService({ ...dialects[0]!, one: profileOf });
    for (let number = 0; number < 80; number += 1)
      service.records.politicians!.push({
        ...service.records.politicians![number % 50]!,
        slug: `personne-${number}`,
        full_name: `Personne ${number}`,
        updated_at: `2026-0${1 + (number % 9)}-11`,
        source_ids: [String(service.records.sources![number % 80]!.id)],
      });
    for (const [number, fact] of service.records.quotes!.entries()) fact.politician = `personne-${number}`;
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  function profileOf(document: Document): Document {
    if (!('full_name' in document)) return document;
    const about = (plural: string) => service.records[plural]!.filter(({ politician }) => politician === document.slug);
    const ids = document.source_ids as string[];
    return {
      ...document,
      positions: about('positions'),
      promises: about('promises'),
      quotes: about('quotes').reverse(),
      sources: service.records.sources!.filter(({ id }) => ids.includes(String(id))),
      ...more(document),
    };
  }

  const sync = async (days = 0, scope = wholeScope) => {
    service.requests.length = 0;
    const { integer } = createRandom(seedOf('COMPOSING_SEED') + days);
    const random = () => integer(2 ** 20) / 2 ** 20;
    const result = await syncOnce(own, service.baseUrl, {
      scope,
      now: () => start + days * day,
      isSteady: true,
      random,
    });
    return { ...result, requestedSlugs: askedFor() };
  };
  const askedFor = () => service.requests.flatMap(({ path }) => /^\/politicians\/(.+)/.exec(path)?.slice(1) ?? []);
  const versions = () => own.mirror.database.prepare('SELECT count(*) FROM version').pluck().get();
  const kindContents = (kind: string) => readContents(own.mirror).find((each) => each.kind === kind)!;
  const whole = (slug: string) => profileOf(service.records.politicians!.find((each) => each.slug === slug)!);
  const tellsAll = () => {
    for (const { slug } of service.records.politicians!) {
      const record = readCompleteRecord(own.mirror, kindOf('politician'), String(slug))!;
      expect(profileDifference(kindOf('politician'), record, whole(String(slug)))).to.equal(null);
    }
  };

  it('are composed of the datasets once a sample of the freshest, of those with facts and of others agrees', async () => {
    const { report, requestedSlugs, notes } = await sync();
    expect(report.exit).to.equal(0);
    expect(requestedSlugs.length).to.equal(sampleSize);
    const freshest = service.records.politicians!.map(({ updated_at }) => String(updated_at)).sort();
    expect(requestedSlugs.slice(0, 3).map((slug) => whole(slug).updated_at)).to.deep.equal(
      freshest.slice(-3).reverse(),
    );
    for (const facts of ['positions', 'promises', 'quotes'])
      expect(requestedSlugs.filter((slug) => (whole(slug)[facts] as unknown[]).length > 0)).to.have.length.greaterThan(
        1,
      );
    expect(report.records.politician).to.include({ details: 20, composed: 110 });
    expect(report.compositions).to.deep.equal([{ kind: 'politician', state: 'agrees', composed: 110, reason: null }]);
    expect(kindContents('politician')).to.include({ details: 20, composed: 110 });
    expect(notes.join()).to.include('110 others are composed');
    tellsAll();
    const isComposed = service.records.politicians!.filter(
      ({ slug }) => readCompleteRecord(own.mirror, kindOf('politician'), String(slug))!.composed,
    );
    expect(isComposed.length).to.equal(110);
    expect(isComposed.map(({ slug }) => slug)).to.not.include.members(requestedSlugs);
  });

  it('cost nothing the second time, and are no change when they are fetched and found the same', async () => {
    await sync();
    const version = mirrorVersion(own.mirror);
    expect((await sync()).requestedSlugs).to.deep.equal([]);
    expect(service.requests.length).to.be.at.most(12);
    const { requestedSlugs } = await sync(1);
    expect(requestedSlugs.length).to.equal(8);
    expect([versions(), mirrorVersion(own.mirror)]).to.deep.equal([0, version]);
    expect(kindContents('politician')).to.include({ details: 20, composed: 110 });
    await sync(2, { ...wholeScope, details: 'all' });
    expect(kindContents('politician')).to.include({ details: 130, composed: 0 });
    const since = new Date(start).toISOString();
    expect([versions(), [...listChanges(own.mirror, { since })]]).to.deep.equal([0, []]);
  });

  it('are all fetched, the freshest first, where they hold a field that no row has', async () => {
    more = ({ slug }) => ({ nickname: `le ${slug}` });
    const { report, requestedSlugs, notes } = await sync();
    expect(requestedSlugs.length).to.equal(130);
    expect(new Set(requestedSlugs).size).to.equal(130);
    const freshnessOfOthers = requestedSlugs.slice(sampleSize).map((slug) => String(whole(slug).updated_at));
    expect(freshnessOfOthers).to.deep.equal([...freshnessOfOthers].sort().reverse());
    expect(report.records.politician).to.include({ details: 130, composed: 0 });
    expect(report.compositions[0]).to.include({ state: 'differs', composed: 0 });
    expect(notes.join()).to.match(/\(20 of 20\), .+ \(nickname\); all are fetched: 110 requests/);
    tellsAll();
  });

  it('are fetched where they have the field in which they differ, and composed where they lack it', async () => {
    more = ({ slug }) => ({ quotes: slug === 'personne-7' ? [{ id: 'short' }] : [] });
    const isQuoted = (slug: string) => service.records.quotes!.some(({ politician }) => politician === slug);
    const quotedCount = service.records.politicians!.filter(({ slug }) => isQuoted(String(slug))).length;
    const { report, requestedSlugs, notes } = await sync();
    const sampledCount = requestedSlugs.slice(0, sampleSize).filter((slug) => !isQuoted(slug)).length;
    expect(requestedSlugs.length).to.equal(quotedCount + sampledCount);
    expect(report.compositions[0]).to.include({
      state: 'agrees',
      reason: 'quotes',
      composed: 130 - requestedSlugs.length,
    });
    expect(notes.join()).to.include(`those with quotes are fetched: ${requestedSlugs.length - sampleSize} requests`);
    tellsAll();
    // So it stays: of new ones, those with quotes are fetched, and the daily checks compare the others.
    const politicians = service.records.politicians!;
    for (const slug of ['nouvelle', 'citee']) politicians.push({ ...politicians[0]!, slug, full_name: slug });
    service.records.quotes!.push({ ...service.records.quotes![0]!, id: 'nouveau', politician: 'citee' });
    const again = await sync();
    expect(again.requestedSlugs).to.deep.equal(['citee']);
    const { report: next, requestedSlugs: checked } = await sync(1);
    expect(checked.filter(isQuoted)).to.deep.equal([]);
    expect(next.compositions[0]).to.include({ state: 'agrees', reason: 'quotes' });
    tellsAll();
    // A composed one that is quoted for the first time is fetched, too.
    const [composed] = composedSlugs(own.mirror, 'politician');
    service.records.quotes!.push({ ...service.records.quotes![0]!, id: 'premier', politician: composed! });
    expect((await sync(1)).requestedSlugs).to.deep.equal([composed]);
    tellsAll();
  });

  it('are composed where one of the sample is an exception and others agree; that one is stored as it is', async () => {
    const { slug } = service.records.politicians!.reduce((newest, each) =>
      String(each.updated_at) > String(newest.updated_at) ? each : newest,
    );
    more = (row): Document => (row.slug === slug ? { nickname: 'le phare' } : {});
    const { report, requestedSlugs, notes } = await sync();
    expect(requestedSlugs).to.have.length(largerSampleSize);
    expect(notes.join()).to.match(/\(nickname\); others are compared: 80 requests/);
    expect(report.compositions[0]).to.include({ state: 'agrees', composed: 30, reason: null });
    expect(kindContents('politician')).to.include({ details: 100, composed: 30 });
    tellsAll();
    expect((await sync()).requestedSlugs).to.deep.equal([]);
  });

  it('keep the failures of the sample while others are compared', async () => {
    const newest = service.records.politicians!.map(({ slug, updated_at }) => ({ slug: String(slug), updated_at }));
    newest.sort((one, other) => (String(one.updated_at) > String(other.updated_at) ? -1 : 1));
    const [exception, failing] = newest.map(({ slug }) => slug);
    more = (row): Document => (row.slug === exception ? { nickname: 'le phare' } : {});
    const path = new RegExp(`^/politicians/${failing}$`);
    service.faults.push({ path, times: 999, answer: (_request, response) => response.writeHead(500).end() });
    const { notes } = await sync();
    expect(notes.join()).to.match(/others are compared/);
    const failedUrls = listFailures(own.mirror, 'politician details').map(({ url }) => url);
    expect(failedUrls).to.deep.equal([`${service.baseUrl}/politicians/${failing}`]);
  });

  for (const [name, answer] of [
    ['fails', (request) => void request.socket.destroy()],
    ['refuses', (_request, response) => void response.writeHead(429, { 'retry-after': '90000' }).end()],
  ] satisfies [string, Fault['answer']][])
    it(`are all fetched once those of a day differ, though the service ${name} before the last of these`, async () => {
      await sync();
      more = ({ slug }) => ({ nickname: `le ${slug}` });
      let count = 0;
      service.onRequest = () => {
        count += Number(/^\/politicians\//.test(service.requests.at(-1)!.path));
        if (count === 6) service.faults.push({ path: /./, times: 999, answer });
      };
      const { report } = await sync(1);
      expect(report.exit).not.to.equal(0);
      expect(report.compositions[0]).to.include({ state: 'differs', composed: 0 });
      delete service.onRequest;
      service.faults.length = 0;
      const { requestedSlugs } = await sync(3);
      expect(requestedSlugs.length).to.equal(105);
    });

  it('are not judged by less than half of those to compare', async () => {
    more = ({ slug }) => ({ nickname: `le ${slug}` });
    let count = 0;
    service.onRequest = () => {
      count += Number(/^\/politicians\//.test(service.requests.at(-1)!.path));
      if (count === 6) service.faults.push({ path: /./, times: 999, answer: (request) => request.socket.destroy() });
    };
    expect((await sync()).report.compositions).to.deep.equal([]);
  });

  it('are found to differ later by those that are fetched each day, and all are fetched then', async () => {
    await sync();
    more = ({ slug }) => ({ nickname: `le ${slug}` });
    const { report, requestedSlugs, notes } = await sync(1);
    expect(requestedSlugs.length).to.equal(110);
    expect(report.compositions[0]!.reason).to.match(/^the profile of .+ says something else \(nickname\)$/);
    expect(notes.join()).to.match(/all are fetched: 10\d requests/);
    expect(versions()).to.equal(0);
    expect((await sync(2)).requestedSlugs).to.deep.equal([]);
  });

  it('are found to differ by a question, and all are fetched by the next sync', async () => {
    const { requestedSlugs } = await sync();
    more = () => ({ bio: 'Autrement dit.' });
    const slug = service.records
      .politicians!.map((each) => String(each.slug))
      .find((each) => !requestedSlugs.includes(each))!;
    const client = await createImpatientClient(service.baseUrl);
    const { item } = await politician.requestFromService!({ mirror: own.mirror, client }, { slug });
    await client.close();
    expect(item.bio).to.equal('Autrement dit.');
    expect(readCompleteRecord(own.mirror, kindOf('politician'), slug)!.bio).to.equal('Autrement dit.');
    expect((await sync()).requestedSlugs.length).to.equal(109);
  });

  it('are composed where they are new or changed; what was fetched once is fetched when it changes', async () => {
    const { requestedSlugs } = await sync();
    const [sampled] = requestedSlugs;
    const politicians = service.records.politicians!;
    for (const each of politicians)
      if (each.slug === sampled || each.slug === 'personne-33') each.current_role = 'Présidente des phares';
    politicians.push({ ...politicians[0]!, slug: 'nouvelle', full_name: 'La Nouvelle' });
    const again = await sync();
    expect(again.requestedSlugs).to.include(sampled);
    expect(again.requestedSlugs.length).to.be.at.most(2);
    expect(kindContents('politician').composed).to.be.at.least(110);
    tellsAll();
  });

  it('are fetched where the list says that they were updated later than their row', async () => {
    const { requestedSlugs } = await sync();
    const slug = service.records
      .politicians!.map((each) => String(each.slug))
      .find((each) => !requestedSlugs.includes(each))!;
    const row = service.records.politicians!.find((each) => each.slug === slug)!;
    const storedRow = JSON.stringify(row);
    const list = service.records.politicians!.splice(0, 129, {
      ...row,
      updated_at: '2026-11-02',
      bio: 'Depuis.',
    });
    expect(JSON.stringify(row)).to.equal(storedRow);
    service.records.politicians!.push(...list.filter((each) => each !== row));
    service.faults.push({
      path: /^\/export\/dataset\?entity=politicians/,
      times: 2,
      answer: (_request, response) => response.writeHead(500).end(),
    });
    const again = await sync();
    expect(again.requestedSlugs).to.deep.equal([slug]);
    expect(readCompleteRecord(own.mirror, kindOf('politician'), slug)!.bio).to.equal('Depuis.');
    expect(again.report.compositions[0]!.state).to.equal('agrees');
  });

  it('go on being sampled where a run was cut off', async () => {
    let count = 0;
    service.onRequest = () => {
      const last = service.requests.at(-1)!;
      if (/^\/politicians\//.test(last.path)) count += 1;
      if (count === 7) service.faults.push({ path: /./, times: 999, answer: (request) => request.socket.destroy() });
    };
    expect((await sync()).report.exit).not.to.equal(0);
    delete service.onRequest;
    service.faults.length = 0;
    expect(kindContents('politician').composed).to.equal(0);
    const { requestedSlugs, report } = await sync();
    expect([requestedSlugs.length <= sampleSize + 1, report.exit]).to.deep.equal([true, 0]);
    expect(kindContents('politician')).to.include({ records: 130 });
    expect(kindContents('politician').details + kindContents('politician').composed).to.equal(130);
  });

  it('are all fetched with --details all, with --full, and where there are few', async () => {
    expect((await sync(0, { ...wholeScope, details: 'all' })).requestedSlugs.length).to.equal(130);
    expect((await sync(1, { ...wholeScope, full: true })).requestedSlugs.length).to.equal(130);
    expect(kindContents('politician').composed).to.equal(0);
    const other = createTemporaryMirror();
    service.records.politicians!.splice(maxFetchedWithoutSample);
    service.requests.length = 0;
    await syncOnce(other, service.baseUrl);
    expect(askedFor().length).to.equal(maxFetchedWithoutSample);
    other.remove();
  });

  it('are verified as composed, whichever were the sample, and not where they say something else', async () => {
    await sync();
    const verify = async () => {
      const fresh = createTemporaryMirror();
      const client = await createImpatientClient(service.baseUrl);
      const { integer } = createRandom(1);
      const result = await verifyMirror(
        { ...contextOf(own, client), random: () => integer(1000) / 1000 },
        fresh.mirror,
      );
      await client.close();
      fresh.remove();
      return result.kinds.find(({ kind }) => kind === 'politician')!;
    };
    const first = await verify();
    expect(first).to.include({ agrees: true, held: 130 });
    // Fewer than three hundred are all asked for: the one that says something else is found, and no other.
    more = ({ slug }) => ({ ...(slug === 'personne-41' && { nickname: 'autre' }) });
    const one = await verify();
    expect([one.agrees, one.different, one.examples]).to.deep.equal([false, 1, ['personne-41']]);
    more = () => ({ nickname: 'autre' });
    expect(await verify()).to.include({ agrees: false, different: 130 });
  });

  it('are planned as a sample, and as what is checked once it agrees', async () => {
    const options = { scope: wholeScope, rate: 60, now: () => start };
    await sync(0, { ...wholeScope, details: 'none' });
    const planned = () =>
      planSync(own.mirror, service.baseUrl, options).stages.find(({ stage }) => stage === 'politician details')!;
    expect(planned().requests).to.equal(sampleSize);
    await sync();
    expect(planned().requests).to.equal(0);
    options.now = () => start + day;
    expect(planned().requests).to.equal(8);
  });

  it('are planned for a verification as those that it composes and then asks for', async () => {
    const planned = (mirror: typeof own.mirror | null) =>
      planSync(mirror, service.baseUrl, { scope: wholeScope, rate: 60, isVerifying: true }).stages.find(
        ({ stage }) => stage === 'comparison',
      );
    expect(planned(null)).to.include({ requests: 0, expected: 300 + 128 });
    await sync();
    expect(planned(own.mirror)).to.include({ requests: 0, expected: 130 - sampleSize });
  });

  it('are read from a mirror that never heard of composing', async () => {
    await sync();
    makeOlder(own.mirror.database, 4);
    own.mirror.database.exec('DROP TABLE composed; DROP TABLE composition');
    const reading = openMirror(own.mirror.path);
    expect(readContents(reading).find(({ kind }) => kind === 'politician')).to.include({ composed: 0 });
    expect(readCompleteRecord(reading, kindOf('politician'), 'personne-1')).to.include({ full_name: 'Personne 1' });
    reading.close();
  });
});
