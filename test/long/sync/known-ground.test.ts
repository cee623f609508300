import { expect } from 'chai';
import type { Document } from '../../../src/model/document.ts';
import { kindOf } from '../../../src/model/kinds.ts';
import { feed } from '../../../src/questions/feed.ts';
import { readValues } from '../../../src/questions/parameter.ts';
import { listGaps } from '../../../src/store/records/contents.ts';
import { countRows } from '../../../src/store/rows.ts';
import { lastFillStart } from '../../../src/store/syncs/runs.ts';
import { dialects } from '../../helpers/dialects.ts';
import { type Dialect, type FakeService, startFakeService } from '../../helpers/fake-service.ts';
import {
  createImpatientClient,
  createTemporaryMirror,
  hashesOf,
  syncOnce,
  wholeScope,
} from '../../helpers/sync-run.ts';

const validating: Dialect = { ...dialects[0]!, hasValidators: true };
const day = 86_400_000;
const noon = Date.parse('2026-11-01T12:00:00Z');

describe('what a sync takes for known', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  const otherServices: FakeService[] = [];
  beforeEach(async () => {
    own = createTemporaryMirror();
    service = await startFakeService(validating);
  });
  afterEach(async () => {
    own.remove();
    for (const each of [service, ...otherServices.splice(0)]) await each.close();
  });

  const break500 = (path: RegExp, times = 1) =>
    service.faults.push({
      path,
      times,
      answer: (_request, response) => response.writeHead(500).end('{"detail":"oops"}'),
    });
  const storedKeys = (kind: string) => Object.keys(hashesOf(own.mirror, kind));
  const requestsMatching = (pattern: RegExp) =>
    service.requests.filter(({ path, query }) => pattern.test(`${path}?${query}`));
  const detailOf = (kind: string, key: string) =>
    JSON.parse(
      own.mirror.sql('SELECT detail FROM record WHERE kind = ? AND key = ?').pluck().get(kind, key) as string,
    ) as Document;

  describe('of the feed', () => {
    it('is not a page whose walk broke off: what was withdrawn below it is still found', async () => {
      service.records.content!.sort((a, b) => (String(a.date) < String(b.date) ? 1 : -1));
      await syncOnce(own, service.baseUrl);
      service.records.content!.splice(5, 1);
      break500(/^\/feed\?.*cursor/);
      expect((await syncOnce(own, service.baseUrl, { scope: { ...wholeScope, full: true } })).report.exit).to.equal(5);
      await syncOnce(own, service.baseUrl);
      for (const afterDays of [8, 9]) await syncOnce(own, service.baseUrl, { now: () => Date.now() + afterDays * day });
      expect(storedKeys('content').length).to.equal(service.records.content!.length);
    });

    it('is not one that was refused for having shrunk', async () => {
      await syncOnce(own, service.baseUrl);
      const before = storedKeys('content').length;
      service.records.content!.splice(0, Math.ceil(before / 2));
      const scope = { ...wholeScope, full: true };
      expect((await syncOnce(own, service.baseUrl, { scope })).report.exit).to.equal(5);
      service.requests.length = 0;
      await syncOnce(own, service.baseUrl);
      expect(requestsMatching(/^\/feed/)[0]!.headers['if-none-match']).to.not.equal(undefined);
      expect(storedKeys('content').length).to.equal(before);
      const { report } = await syncOnce(own, service.baseUrl, { scope, maxShrink: 1 });
      expect(report.exit).to.equal(0);
      expect(storedKeys('content').length).to.equal(service.records.content!.length);
    });

    it('is asked for anew, once, where the service refuses a cursor that it has just given', async () => {
      service.faults.push({
        path: /^\/feed\?.*cursor/,
        times: 99,
        answer: (_request, response) => response.writeHead(422).end('{"detail":"too deep"}'),
      });
      expect((await syncOnce(own, service.baseUrl)).report.exit).to.equal(5);
      expect(requestsMatching(/^\/feed/).length).to.equal(2);
      service.requests.length = 0;
      expect((await syncOnce(own, service.baseUrl)).report.exit).to.equal(5);
      expect(requestsMatching(/^\/feed/).length).to.be.within(2, 4);
    });

    it('is walked to its end once a week, because an edit far down moves no count', async () => {
      // Its end is asked for twice by a new mirror.
      for (const _each of [1, 2]) await syncOnce(own, service.baseUrl, { now: () => noon });
      const old = service.records.content!.toSorted((a, b) => (String(a.date) < String(b.date) ? -1 : 1))[0]!;
      old.title = 'Un titre corrigé';
      const edited = async (afterDays: number) =>
        (await syncOnce(own, service.baseUrl, { now: () => noon + afterDays * day })).report.records.content?.edited ??
        0;
      expect([await edited(1), await edited(6), await edited(8), await edited(9)]).to.deep.equal([0, 0, 1, 0]);
    });

    it('is not what a question brought: what lies between is walked', async () => {
      await syncOnce(own, service.baseUrl);
      const first = service.records.content![0]!;
      for (let n = 0; n < 90; n += 1)
        service.records.content!.push({
          ...first,
          id: `new-${n}`,
          date: new Date(noon + n * 60_000).toISOString().slice(0, 10),
        });
      const client = await createImpatientClient(service.baseUrl);
      await feed.requestFromService!(
        { mirror: own.mirror, client },
        readValues(feed.parameters, { limit: '50' }).values,
      );
      await client.close();
      expect(storedKeys('content').length).to.equal(service.records.content!.length - 40);
      await syncOnce(own, service.baseUrl);
      expect(storedKeys('content').length).to.equal(service.records.content!.length);
    });
  });

  describe('of the list of updated profiles', () => {
    const updated = (from: number, to: number, next: string | null) => () =>
      service.faults.push({
        path: new RegExp(`^/politicians\\?.*${from === 0 ? 'limit=100$' : `cursor=${from}`}`),
        answer: (_request, response) => {
          const rows = service.records.politicians!.slice(from, to);
          const items = rows.map(({ slug }, n) => ({
            slug,
            updated_at: `2027-01-${String(28 - n).padStart(2, '0')}`,
          }));
          response.end(JSON.stringify({ items, next_cursor: next, total: 40 }));
        },
      });

    it('is not a first page whose walk broke off', async () => {
      await syncOnce(own, service.baseUrl);
      updated(0, 20, '20')();
      break500(/^\/politicians\?.*cursor=20/);
      expect((await syncOnce(own, service.baseUrl)).report.exit).to.equal(5);
      service.requests.length = 0;
      updated(0, 20, '20')();
      updated(20, 40, null)();
      await syncOnce(own, service.baseUrl);
      expect(requestsMatching(/^\/politicians\/[^?]/).length).to.equal(20);
    });

    it('brings no record that no dataset lists, and none back that was withdrawn', async () => {
      const withdrawn = service.records.politicians!.pop()!;
      await syncOnce(own, service.baseUrl);
      for (const each of ['2027-01-01', '2027-02-01'])
        service.faults.push({
          path: /^\/politicians\?/,
          answer: (_request, response) =>
            response.end(JSON.stringify({ items: [{ slug: withdrawn.slug, updated_at: each }], total: 1 })),
        });
      await syncOnce(own, service.baseUrl);
      expect(storedKeys('politician')).not.to.include(withdrawn.slug);
    });
  });

  it('of a profile ends where a promise, or the party, of the politician changed', async () => {
    const promises = () => service.records.promises!;
    service.records.politicians = service.records.politicians!.map((row) => ({
      ...row,
      get promises() {
        return promises().filter(({ politician }) => politician === row.slug);
      },
    })) as Document[];
    await syncOnce(own, service.baseUrl);
    const [promise] = promises();
    const slug = String(promise!.politician);
    promise!.title = 'Un autre titre';
    service.requests.length = 0;
    await syncOnce(own, service.baseUrl);
    expect(requestsMatching(/^\/politicians\/[^?]/).map(({ path }) => path)).to.deep.equal([`/politicians/${slug}`]);
    const profilePromises = detailOf('politician', slug).promises as Document[];
    expect(profilePromises.map(({ title }) => title)).to.include('Un autre titre');
    promises().splice(0, 1);
    await syncOnce(own, service.baseUrl);
    expect((detailOf('politician', slug).promises as Document[]).length).to.equal(profilePromises.length - 1);
    const mover = service.records.politicians[3]!;
    const from = mover.party;
    const to = service.records.parties!.find((each) => each.slug !== mover.party)!.slug;
    mover.party = to!;
    service.requests.length = 0;
    await syncOnce(own, service.baseUrl);
    expect(requestsMatching(/^\/parties\/[^?]/).map(({ path }) => path)).to.have.members([
      `/parties/${from}`,
      `/parties/${to}`,
    ]);
  });

  it('of one address is not known of another that the service moved to', async () => {
    const another = await startFakeService(validating);
    otherServices.push(another);
    for (const row of another.records.politicians!) row.full_name = `${row.full_name} bis`;
    for (const item of another.records.content!) item.title = `${item.title} bis`;
    await syncOnce(own, service.baseUrl);
    const before = [hashesOf(own.mirror, 'politician'), hashesOf(own.mirror, 'content')];
    await syncOnce(own, another.baseUrl, { hasMoved: true });
    expect(hashesOf(own.mirror, 'politician')).not.to.deep.equal(before[0]);
    await syncOnce(own, service.baseUrl, { hasMoved: true });
    expect([hashesOf(own.mirror, 'politician'), hashesOf(own.mirror, 'content')]).to.deep.equal(before);
  });

  describe('of the moderation log', () => {
    const entries = (type: string, from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => ({
        id: `${type}-${from + n}`,
        role: 'moderator',
        entity_type: type,
        action: 'update',
        date: new Date(Date.UTC(2026, 0, 1) + (from + n) * 60_000).toISOString(),
      }));

    it('leaves no gap unrecorded although the sync broke off before it asked for each type', async () => {
      service.records.audit = entries('promise', 0, 50);
      await syncOnce(own, service.baseUrl);
      service.records.audit.push(...entries('promise', 1000, 1600));
      break500(/^\/audit\?.*entity_type/);
      expect((await syncOnce(own, service.baseUrl)).report.exit).to.equal(5);
      const { report } = await syncOnce(own, service.baseUrl);
      expect([report.exit, report.gaps, listGaps(own.mirror).length]).to.deep.equal([0, 1, 1]);
    });

    it('has a gap where one type is out of reach, although another is not', async () => {
      service.records.audit = [...entries('promise', 0, 30), ...entries('party', 30, 50)];
      await syncOnce(own, service.baseUrl);
      service.records.audit.push(...entries('promise', 1000, 1600), ...entries('party', 1590, 1591));
      expect((await syncOnce(own, service.baseUrl)).report.gaps).to.equal(1);
    });

    it('has one where the log comes cut short and shows nothing of what was reached', async () => {
      service.records.audit = entries('promise', 0, 50);
      await syncOnce(own, service.baseUrl);
      service.records.audit.push(...entries('promise', 1000, 1090));
      const cut = service.records.audit.slice(-5);
      service.faults.push({
        path: /^\/audit/,
        times: 99,
        answer: (_request, response) => response.end(JSON.stringify({ items: cut })),
      });
      const { report, notes } = await syncOnce(own, service.baseUrl);
      expect([report.gaps, listGaps(own.mirror).length]).to.deep.equal([1, 1]);
      expect(notes.join()).to.include('none up to');
    });

    it('has none where asking for each type reaches everything', async () => {
      service.records.audit = [...entries('promise', 0, 30), ...entries('party', 30, 50)];
      await syncOnce(own, service.baseUrl);
      service.records.audit.push(
        ...entries('quote', 900, 910),
        ...entries('promise', 1000, 1195),
        ...entries('party', 1500, 1510),
      );
      expect((await syncOnce(own, service.baseUrl)).report.gaps).to.equal(0);
      expect(storedKeys('audit').length).to.equal(service.records.audit.length);
    });
  });

  describe('of what the service does not have', () => {
    const absent = (path: RegExp, times: number) =>
      service.faults.push({
        path,
        times,
        answer: (_request, response) => response.writeHead(404).end('{"detail":"none"}'),
      });

    it('is asked for again in a week', async () => {
      absent(/^\/politicians\/oceane-bruyevre/, 1);
      const own404 = async (afterDays: number) => {
        service.requests.length = 0;
        const { report } = await syncOnce(own, service.baseUrl, { now: () => noon + afterDays * day });
        return [report.exit, requestsMatching(/^\/politicians\/oceane-bruyevre/).length];
      };
      expect([await own404(0), await own404(6), await own404(8), await own404(9)]).to.deep.equal([
        [0, 1],
        [0, 0],
        [0, 1],
        [0, 0],
      ]);
      expect(detailOf('politician', 'oceane-bruyevre').slug).to.equal('oceane-bruyevre');
    });

    it('is not believed where all of it is said to be missing, nor asked for to the end', async () => {
      absent(/^\/politicians\/[^?]/, 20);
      expect((await syncOnce(own, service.baseUrl)).report.exit).to.equal(5);
      const { report } = await syncOnce(own, service.baseUrl);
      expect([report.exit, report.records.politician!.details]).to.deep.equal([0, 50]);
    });
  });

  it('does not end at one answer that cannot be understood', async () => {
    const [, second] = service.records.politicians!;
    service.faults.push({
      path: new RegExp(`^/politicians/${second!.slug}`),
      times: 9,
      answer: (_request, response) => response.end('{"slug":"somebody-else"}'),
    });
    const ballots = ['VAL1V1', 'VAL1V2', 'VAL1V3'].map((scrutinId) => ({
      chamber: 'AN' as const,
      scrutinId,
    }));
    break500(/^\/votes\/VAL1V1\?/);
    const { report } = await syncOnce(own, service.baseUrl, { scope: { ...wholeScope, ballots } });
    expect(report.exit).to.equal(5);
    expect(report.errors.map(({ stage }) => stage)).to.deep.equal(['ballots', 'politician details']);
    expect(report.records.politician!.details).to.equal(49);
    expect(storedKeys('ballot')).to.include('AN:VAL1V3');
  });

  it('of a dataset is gated by the rows that would be gone, whatever came in their place', async () => {
    await syncOnce(own, service.baseUrl);
    const before = storedKeys('quote');
    service.records.quotes = service.records.quotes!.map((row) => ({ ...row, id: `other-${row.id}` }));
    const { report, error } = await syncOnce(own, service.baseUrl);
    expect(report.exit).to.equal(5);
    expect((error as Error).message).to.include(`lost ${before.length} of ${before.length} rows`);
    expect(storedKeys('quote')).to.deep.equal(before);
    expect(requestsMatching(/^\/export\/dataset\?entity=quotes&format=csv/)).to.deep.equal([]);
    expect(countRows(own.mirror, kindOf('promise'))).to.be.greaterThan(0);
  });

  it('by whoever asks what changed since the last sync, begins after the last one that ended well', async () => {
    await syncOnce(own, service.baseUrl, { now: () => noon });
    service.records.politicians![0]!.bio = 'Une autre.';
    break500(/^\/audit/);
    await syncOnce(own, service.baseUrl, { now: () => noon + day });
    await syncOnce(own, service.baseUrl, { now: () => noon + 2 * day });
    expect(lastFillStart(own.mirror)).to.equal(new Date(noon + day - 1).toISOString());
    await syncOnce(own, service.baseUrl, { now: () => noon + 3 * day });
    expect(lastFillStart(own.mirror)).to.equal(new Date(noon + 3 * day - 1).toISOString());
  });
});
