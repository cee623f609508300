import { expect } from 'chai';
import type { Document } from '../../../src/model/document.ts';
import { kindOf } from '../../../src/model/kinds.ts';
import { listChanges } from '../../../src/store/history/changes.ts';
import { saveKindState } from '../../../src/store/kind-state.ts';
import { countRows } from '../../../src/store/rows.ts';
import { countMissing } from '../../../src/store/saving/missing-records.ts';
import { createSaver } from '../../../src/store/saving/save.ts';
import { transaction } from '../../../src/store/transaction.ts';
import { dialects } from '../../helpers/dialects.ts';
import { type Dialect, type FakeService, type Fault, startFakeService } from '../../helpers/fake-service.ts';
import { startHostileService } from '../../helpers/hostile-service.ts';
import { askProgram } from '../../helpers/program.ts';
import { createTemporaryMirror, firstSync, hashesOf, syncOnce, wholeScope } from '../../helpers/sync-run.ts';

const noon = Date.parse('2026-11-01T12:00:00Z');
const dayMs = 86_400_000;
const exported = ['politicians', 'parties', 'promises', 'positions', 'quotes', 'sources'];

describe('a record that an export lacks', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  const start = async (dialect: Partial<Dialect> = {}) => {
    service = await startFakeService({ ...dialects[0]!, dataset: 'csv', ...dialect });
    await firstSync(own, service, noon);
  };
  beforeEach(() => {
    own = createTemporaryMirror();
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  const night = async (n: number, maxShrink = 0.2) =>
    (await syncOnce(own, service.baseUrl, { now: () => noon + n * dayMs, maxShrink })).report;
  const withdrawals = () =>
    [...listChanges(own.mirror, { since: '2000' })]
      .filter(({ change }) => change === 'withdrawn')
      .map(({ kind, key }) => `${kind} ${key}`);
  const missingCount = (kind: Parameters<typeof kindOf>[0]) => countMissing(own.mirror, kindOf(kind)).unseen;
  /** The exports of these kinds, cut at a share of their lines, whole as bodies. */
  const cut = (plurals: string[], share: number) => {
    service.bent = {
      path: new RegExp(`entity=(${plurals.join('|')})&`),
      send({ status, headers, body }, response) {
        const lines = body.toString().split(/(?<=\n)/);
        response.writeHead(status, headers).end(lines.slice(0, Math.ceil(lines.length * share)).join(''));
      },
    };
  };
  /** Profiles that tell the facts about their politician. */
  const telling = (document: Document): Document => {
    if (!('full_name' in document)) return document;
    const about = (plural: string) => service.records[plural]!.filter(({ politician }) => politician === document.slug);
    return {
      ...document,
      promises: about('promises'),
      quotes: about('quotes'),
      positions: about('positions'),
    };
  };

  it('is no withdrawal where the export was cut at its source, however often it comes so', async () => {
    await start();
    cut(['politicians'], 0.85);
    for (const n of [1, 2, 3]) {
      expect((await night(n)).exit).to.equal(0);
      expect(missingCount('politician')).to.be.greaterThan(5);
    }
    service.bent = null;
    await night(4);
    expect([withdrawals(), missingCount('politician')]).to.deep.equal([[], 0]);
  });

  it('is no withdrawal where all exports were cut alike on two days', async () => {
    await start();
    cut(exported, 0.85);
    for (const n of [1, 2]) await night(n);
    service.bent = null;
    await night(3);
    expect(withdrawals()).to.deep.equal([]);
  });

  it('is no withdrawal where the end of an export is lacking in the order of its own, but what lacks elsewhere is', async () => {
    await start();
    service.records.quotes!.sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
    const [removed] = service.records.quotes!.splice(4, 1);
    cut(['quotes'], 0.85);
    for (const n of [1, 2, 3]) await night(n);
    expect(withdrawals()).to.deep.equal([`quote ${removed!.id}`]);
  });

  it('counts as lost though as many withdrawn ones return, which no second day confirms', async () => {
    await start();
    const removed = service.records.quotes!.splice(3, 6);
    for (const n of [1, 2, 3]) await night(n);
    expect(withdrawals().length).to.equal(6);
    service.records.quotes!.splice(3, Math.ceil(service.records.quotes!.length * 0.2) + 1, ...removed);
    expect((await night(4)).exit).to.equal(5);
  });

  it('is no withdrawal where every night lacks some more', async () => {
    await start();
    for (const [n, share] of [0.82, 0.68, 0.56, 0.46, 0.38].entries()) {
      cut(exported, share);
      expect((await night(n + 1)).exit).to.equal(n === 0 ? 0 : 5);
    }
    expect(withdrawals()).to.deep.equal([]);
    expect(countRows(own.mirror, kindOf('politician'))).to.equal(50);
  });

  it('is withdrawn the second night if its own address is gone on both, and that of another is not', async () => {
    await start();
    const [removed] = service.records.politicians!.splice(7, 1);
    const report = await night(1);
    expect(report.exit).to.equal(0);
    expect(report.records.politician).to.include({ withdrawn: 0, unseen: 1 });
    expect(report.missing.map(({ kind, key }) => `${kind} ${key}`)).to.deep.equal([`politician ${removed!.slug}`]);
    expect((await night(1.5)).records.politician).to.include({ withdrawn: 0 });
    expect((await night(2)).records.politician).to.include({ withdrawn: 1, unseen: 0 });
    expect(withdrawals()).to.deep.equal([`politician ${removed!.slug}`]);
  });

  it('is no withdrawal where the service rebuilds its index for a night: lists lack it, and addresses', async () => {
    await start();
    const politicians = [...service.records.politicians!];
    service.records.politicians!.splice(5, 6);
    expect((await night(1)).exit).to.equal(0);
    expect(missingCount('politician')).to.equal(6);
    service.records.politicians = politicians;
    for (const n of [2, 3]) await night(n);
    expect([withdrawals(), missingCount('politician')]).to.deep.equal([[], 0]);
  });

  it('is no withdrawal where a hole of every seventh row is in two exports, and its address or profile says nothing', async () => {
    await start();
    const quotes = service.records.quotes!;
    service.records.quotes = quotes.filter((_, n) => n % 7 !== 3);
    for (const n of [1, 2]) await night(n);
    service.records.quotes = quotes;
    for (const n of [3, 4]) await night(n);
    expect([withdrawals(), missingCount('quote')]).to.deep.equal([[], 0]);
  });

  it('is withdrawn the third night where so many others of its kind are, all of them at once', async () => {
    await start();
    const removed = service.records.politicians!.splice(5, 6);
    for (const n of [1, 2]) expect((await night(n)).records.politician).to.include({ withdrawn: 0 });
    expect((await night(3)).records.politician).to.include({ withdrawn: 6 });
    expect(withdrawals()).to.have.members(removed.map(({ slug }) => `politician ${slug}`));
  });

  it('is withdrawn at once where a person accepts it, unless its address still answers', async () => {
    await start();
    const removed = service.records.politicians!.splice(5, 20);
    const path = new RegExp(`/politicians/${removed[0]!.slug}`);
    const answer: Fault['answer'] = (_request, response) => response.end(JSON.stringify(removed[0]));
    service.faults.push({ path, times: 99, answer });
    expect((await night(1)).exit).to.equal(5);
    const accepted = { now: () => noon + dayMs, accepted: ['politician' as const] };
    expect((await syncOnce(own, service.baseUrl, accepted)).report.exit).to.equal(0);
    expect([withdrawals().length, missingCount('politician')]).to.deep.equal([19, 1]);
    expect((await night(2)).exit).to.equal(0);
  });

  /** What the address of a record that a list lacks answers, and whether that proves it to be gone. */
  const proofs: Record<number, boolean> = {
    ...{ 400: false, 401: false, 403: false, 404: true, 405: false, 409: false, 410: true, 411: false },
    ...{ 422: false, 429: false, 451: false, 500: false, 503: false },
  };
  for (const [status, isProof] of Object.entries(proofs))
    it(`is ${isProof ? '' : 'not '}withdrawn where its address answers ${status}`, async () => {
      await start();
      const [politician] = service.records.politicians!.splice(7, 1);
      const [party] = service.records.parties!.splice(2, 1);
      const path = new RegExp(`/(politicians/${politician!.slug}|parties/${party!.slug})`);
      service.faults.push({
        path,
        times: 99,
        answer: (_request, response) => response.writeHead(Number(status)).end('{}'),
      });
      for (const n of [1, 2]) await night(n);
      const removed = [`party ${party!.slug}`, `politician ${politician!.slug}`];
      expect(withdrawals().toSorted()).to.deep.equal(isProof ? removed : []);
      expect([missingCount('politician'), missingCount('party')]).to.deep.equal(isProof ? [0, 0] : [1, 1]);
    });

  it('is lost no second time where a person accepted a list that lacks it, though its address answers', async () => {
    await start();
    cut(['politicians'], 0.7);
    expect((await night(1)).exit).to.equal(5);
    const accepted = { now: () => noon + dayMs, accepted: ['politician' as const] };
    expect((await syncOnce(own, service.baseUrl, accepted)).report.exit).to.equal(0);
    for (const n of [2, 3]) expect((await night(n)).exit).to.equal(0);
    expect(withdrawals()).to.deep.equal([]);
    expect(missingCount('politician')).to.be.greaterThan(10);
  });

  it('is told as renamed once a list has it, if it was cut from one on the night when it got another key', async () => {
    await start();
    const person = service.records.politicians!.at(-1)!;
    const former = person.slug;
    person.slug = `${former}-2`;
    for (const plural of exported)
      for (const each of service.records[plural]!) if (each.politician === former) each.politician = person.slug;
    cut(['politicians'], 0.95);
    for (const n of [1, 2]) await night(n);
    expect(withdrawals()).to.deep.equal([`politician ${former}`]);
    service.bent = null;
    await night(2.1);
    const reportedChanges = [...listChanges(own.mirror, { since: new Date(noon).toISOString() })];
    expect(reportedChanges.map(({ change, former_key, key }) => [change, former_key, key])).to.deep.equal([
      ['renamed', former, person.slug],
    ]);
  });

  it('is not withdrawn where no profile of the kind answers', async () => {
    await start();
    service.records.politicians!.splice(7, 1);
    const path = /^\/politicians\/[^?]/;
    service.faults.push({
      path,
      times: 99,
      answer: (_request, response) => response.writeHead(404).end('{}'),
    });
    for (const n of [1, 2, 3]) await night(n);
    expect([withdrawals(), missingCount('politician')]).to.deep.equal([[], 1]);
  });

  it('is withdrawn the second night if the profile that told it does so no more', async () => {
    await start({ one: telling });
    const [removed] = service.records.promises!.splice(5, 1);
    await night(1);
    expect(withdrawals()).to.deep.equal([]);
    await night(2);
    expect(withdrawals()).to.deep.equal([`promise ${removed!.id}`]);
  });

  it('is withdrawn the second night by that profile though its id is the slug of the politician', async () => {
    service = await startFakeService({ ...dialects[0]!, dataset: 'csv', one: telling });
    const promise = service.records.promises![5]!;
    promise.id = promise.politician!;
    await firstSync(own, service, noon);
    service.records.promises!.splice(5, 1);
    for (const n of [1, 2]) await night(n);
    expect(withdrawals()).to.deep.equal([`promise ${promise.id}`]);
  });

  it('is no withdrawal where one export is short, and profiles show only the newest of their records', async () => {
    const newest = (document: Document): Document => {
      const profile = telling(document);
      return 'quotes' in profile ? { ...profile, quotes: (profile.quotes as Document[]).slice(-2) } : profile;
    };
    await start({ one: newest });
    const quotes = [...service.records.quotes!];
    const [busiest] = [...Map.groupBy(quotes, ({ politician }) => politician).values()].sort(
      (a, b) => b.length - a.length,
    );
    expect(busiest!.length).to.be.greaterThan(2);
    quotes.splice(quotes.indexOf(busiest![0]!), 1);
    const all = service.records.quotes!;
    service.records.quotes = quotes;
    await night(1);
    service.records.quotes = all;
    for (const n of [2, 3]) await night(n);
    expect(withdrawals()).to.deep.equal([]);
  });

  it('is no withdrawal of a source while a current record cites it, however many lists lack it', async () => {
    await start();
    const citing = (id: unknown) =>
      Object.values(service.records).flatMap((records) =>
        records.filter(({ source_ids: ids }) => Array.isArray(ids) && ids.includes(id as string)),
      );
    const sources = service.records.sources!;
    const source = sources.find(({ id }) => citing(id).length === 1 && citing(id)[0]!.text !== undefined)!;
    sources.splice(sources.indexOf(source), 1);
    for (const n of [1, 2, 3]) expect((await night(n)).exit).to.equal(0);
    expect([withdrawals(), missingCount('source')]).to.deep.equal([[], 1]);
    for (const record of citing(source.id)) record.source_ids = [];
    for (const n of [4, 5]) await night(n);
    expect(withdrawals()).to.deep.equal([`source ${source.id}`]);
  });

  it('stays, however many lists lack it, while its profile tells it', async () => {
    const promises = [...(await import('../../helpers/fake-service.ts')).demoRecords('promises')];
    const one = (document: Document): Document =>
      'full_name' in document
        ? { ...document, promises: promises.filter(({ politician }) => politician === document.slug) }
        : document;
    await start({ one });
    service.records.promises!.splice(5, 1);
    for (const n of [1, 2, 3]) await night(n);
    expect([withdrawals(), missingCount('promise')]).to.deep.equal([[], 1]);
  });

  it('is withdrawn by lists of two days where no profile tells such records, but not of one day', async () => {
    await start();
    const [gone] = service.records.quotes!.splice(5, 1);
    for (const n of [1, 1.1]) await night(n);
    expect(withdrawals()).to.deep.equal([]);
    await night(2);
    expect(withdrawals()).to.deep.equal([`quote ${gone!.id}`]);
  });

  it('stays where more than the guard would go within thirty days, until somebody accepts it', async () => {
    await start();
    const take = () => service.records.quotes!.splice(3, 6);
    take();
    for (const n of [1, 2, 3]) expect((await night(n)).exit).to.equal(0);
    expect(withdrawals().length).to.equal(6);
    take();
    for (const [n, exit] of [0, 0, 5].entries()) expect((await night(4 + n)).exit).to.equal(exit);
    expect([withdrawals().length, missingCount('quote')]).to.deep.equal([6, 6]);
    expect((await night(7, 1)).exit).to.equal(0);
    expect([withdrawals().length, missingCount('quote')]).to.deep.equal([12, 0]);
    service.records.quotes!.splice(3, 1);
    for (const n of [8, 9]) expect((await night(n)).exit).to.equal(0);
    expect(withdrawals().length).to.equal(13);
  });

  it('counts as lost only if no other key has it: renames fill no guard', async () => {
    await start();
    for (const round of [1, 2, 3]) {
      for (const quote of service.records.quotes!.slice(round * 8, round * 8 + 8))
        quote.id = `quote-renamed-${quote.id}`;
      for (const n of [round * 2, round * 2 + 1]) expect((await night(n)).exit).to.equal(0);
    }
    const reportedChanges = [...listChanges(own.mirror, { since: new Date(noon).toISOString() })];
    expect(reportedChanges.map(({ change }) => change)).to.deep.equal(Array(24).fill('renamed'));
  });
});

describe('what a service repeats', () => {
  it('is one record where two rows have its key, whichever comes first', async () => {
    const own = createTemporaryMirror();
    const service = await startFakeService({ ...dialects[0]!, dataset: 'csv' });
    const [first] = service.records.quotes!;
    const other = { ...first!, text: 'Autrement dit' };
    service.records.quotes!.push(other);
    for (const n of [0, 1, 2]) {
      const { report, notes } = await syncOnce(own, service.baseUrl, { now: () => noon + n * dayMs });
      expect(report.records.quote!.edited).to.equal(0);
      expect(notes.filter((note) => /repeat/.test(note))).to.deep.equal([]);
      const { stdout, stderr } = await askProgram(['status', '--db', own.mirror.path]);
      expect(`${stdout}${stderr}`.match(/quotes: 1 rows repeat a key/g)).to.have.length(1);
      service.records.quotes!.reverse();
    }
    service.records.quotes = service.records.quotes!.filter((quote) => quote !== first);
    const { report } = await syncOnce(own, service.baseUrl, { now: () => noon + 3 * dayMs });
    expect(report.records.quote!.edited).to.equal(1);
    own.remove();
    await service.close();
  });

  it('is not the whole feed, where its last page was full', async () => {
    const own = createTemporaryMirror();
    const service = await startHostileService({ ...dialects[0]!, dataset: 'csv' });
    service.records.content!.splice(200);
    await syncOnce(own, service.baseUrl, { now: () => noon });
    service.requests.length = 0;
    await syncOnce(own, service.baseUrl, { now: () => noon + dayMs });
    expect(service.requests.filter(({ path }) => path === '/feed').length).to.equal(2);
    own.remove();
    await service.close();
  });
});

describe('an answer about something else than was asked', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  beforeEach(async () => {
    own = createTemporaryMirror();
    service = await startFakeService({ ...dialects[0]!, dataset: 'csv' });
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  const keys = (kind: string) => Object.keys(hashesOf(own.mirror, kind)).sort();
  const ids = (plural: string) => service.records[plural]!.map(({ id }) => String(id)).sort();
  const answerWith = (plural: string, headers = {}) => {
    const { records } = service;
    const promises = records.promises!;
    service.bent = {
      path: /entity=promises&/,
      move: () => {
        records.promises = records[plural]!;
      },
      send: ({ status, headers: own, body }, response) => {
        records.promises = promises;
        response.writeHead(status, { ...own, ...headers }).end(body);
      },
    };
  };

  it('is no ballot of that name, and keeps no other from being asked for', async () => {
    const ballot = (chamber: 'AN' | 'Senat', scrutinId: string) => ({ chamber, scrutinId });
    const [other] = service.records.ballots!.filter(({ chamber }) => chamber === 'AN');
    service.faults.push({
      path: /^\/votes\/2025-300/,
      answer: (_request, response) => response.end(JSON.stringify(other)),
    });
    const ballots = [ballot('Senat', '2025-300'), ballot('AN', 'VAL1V1')];
    const scope = { ...wholeScope, only: ['ballot' as const], ballots };
    const { report, error } = await syncOnce(own, service.baseUrl, { scope });
    expect([report.exit, keys('ballot')]).to.deep.equal([5, ['AN:VAL1V1']]);
    expect((error as Error).message).to.include(`the answer is about "AN:${other!.scrutin_id}"`);
  });

  it('is refused where a dataset has the columns, the name or the bytes of another', async () => {
    answerWith('positions');
    const first = await syncOnce(own, service.baseUrl);
    expect(first.report.exit).to.equal(5);
    expect((first.error as Error).message).to.include('the answer holds positions, not promises');
    expect(keys('promise')).to.deep.equal([]);
    answerWith('promises', { 'content-disposition': 'attachment; filename="quotes-2026-11-01.csv"' });
    const second = await syncOnce(own, service.baseUrl);
    expect((second.error as Error).message).to.include('the answer holds quotes, not promises');
    service.bent = null;
    expect((await syncOnce(own, service.baseUrl)).report.exit).to.equal(0);
    expect(keys('promise')).to.deep.equal(ids('promises'));
  });

  it('is none where several kinds number their records from 1, with the same columns', async () => {
    const numbered = (word: string) =>
      Array.from({ length: 30 }, (_, at) => ({
        id: String(at + 1),
        politician: service.records.politicians![0]!.slug!,
        title: `${word} ${at}`,
        text: `${word} au sujet du phare ${at}`,
        date: '2026-01-05',
      }));
    Object.assign(service.records, { promises: numbered('Promesse'), positions: numbered('Position') });
    Object.assign(service.records, { quotes: numbered('Citation') });
    const { report } = await syncOnce(own, service.baseUrl);
    const counts = (['promise', 'position', 'quote'] as const).map((kind) => keys(kind).length);
    expect([report.exit, counts]).to.deep.equal([0, [30, 30, 30]]);
  });

  it('that an earlier program kept is put right by the next good dataset, and told to nobody', async () => {
    const kind = kindOf('promise');
    transaction(own.mirror, () => {
      const saver = createSaver(own.mirror, kind, { at: new Date(noon).toISOString() });
      for (const row of service.records.positions!) saver.save(row);
      saver.finish();
      const columns = Object.keys(service.records.positions![0]!);
      saveKindState(own.mirror, kind, { columns, fileColumns: columns, origin: service.baseUrl });
    });
    await syncOnce(own, service.baseUrl);
    const { report } = await syncOnce(own, service.baseUrl);
    expect([report.exit, keys('promise')]).to.deep.equal([0, ids('promises')]);
    const changes = [...listChanges(own.mirror, { since: '2000' })];
    expect(changes.filter(({ change }) => change === 'withdrawn')).to.deep.equal([]);
  });
});
