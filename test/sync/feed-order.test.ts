import { expect } from 'chai';
import { planSync } from '../../src/sync/stages.ts';
import { addPage, createWalkStatistics, detectOrder } from '../../src/sync/whole-walk.ts';
import { countingDialect, dialects } from '../helpers/dialects.ts';
import { type Dialect, type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { createRandom } from '../helpers/random.ts';
import { createTemporaryMirror, hashesOf, syncOnce, wholeScope } from '../helpers/sync-run.ts';

const start = Date.parse('2026-11-01T03:00:00Z');

/** The statistics of a walk over items of those dates, ten a page. */
function walkOver(dates: (string | null)[]) {
  const pages = Array.from({ length: Math.ceil(dates.length / 10) }, (_, nth) => ({
    items: dates.slice(nth * 10, nth * 10 + 10).map((date) => ({ date })),
    ...{ next: null, followsEmptyPage: false, total: null, address: '', url: '', at: '', sentAt: '', validator: null },
  }));
  const statistics = createWalkStatistics(pages[0]!);
  for (const [nth, page] of pages.entries())
    addPage(statistics, page, { cursor: nth === 0 ? null : `${nth}`, hasNews: true });
  return statistics;
}

describe('the order of a feed', () => {
  const days = Array.from({ length: 300 }, (_, at) => new Date(start + at * 86_400_000).toISOString().slice(0, 10));
  const random = createRandom(54);
  const late = days.map((day) => (random.isOneIn(10) ? random.pick(days) : day));
  const byPerson = Array.from({ length: 30 }, (_, person) =>
    days.filter((_day, at) => at % 30 === person).reverse(),
  ).flat();
  const cases: [what: string, dates: (string | null)[], order: string][] = [
    ['the newest first', days.toReversed(), 'descending'],
    ['the oldest first', days, 'ascending'],
    ['one page of the oldest first', days.slice(0, 8), 'ascending'],
    ['no dates', [null, null], 'descending'],
    ['one day', Array(40).fill(days[0]), 'descending'],
    ['the newest first but for a wrong first one', ['1900-01-01', ...days.toReversed()], 'descending'],
    ['the oldest first but for every tenth', late, 'ascending'],
    ['persons, and of each the newest first', byPerson, 'none'],
    ['chance', days.map(() => random.pick(days)), 'none'],
  ];
  for (const [what, dates, order] of cases)
    it(`is ${order} with ${what}`, () => {
      expect(detectOrder(walkOver(dates))).to.equal(order);
    });
});

const items: Dialect = dialects[0]!;
for (const counted of [false, true])
  describe(`a feed ${counted ? 'with' : 'without'} a total`, () => {
    let own: ReturnType<typeof createTemporaryMirror>;
    let service: FakeService;
    let night: number;
    beforeEach(() => {
      own = createTemporaryMirror();
      night = 0;
    });
    afterEach(async () => {
      own.remove();
      await service.close();
    });

    const begin = async (dialect: Partial<Dialect>) => {
      const base = counted ? countingDialect(() => service.records.content!) : items;
      service = await startFakeService({ ...base, ...dialect });
    };
    const scope = { ...wholeScope, only: ['content' as const] };
    async function syncNight() {
      const at = start + night * 86_400_000;
      night += 1;
      service.requests.length = 0;
      const { report, notes } = await syncOnce(own, service.baseUrl, { scope, now: () => at });
      expect(report.exit).to.equal(0);
      return { ...report.records.content, notes, requests: service.requests.length };
    }
    it('has in its progress the total that it states, and on a first walk without one none', async () => {
      await begin({});
      const totals: unknown[] = [];
      const advance = (_done: number, _detail: string, total?: number | null) => void totals.push(total);
      await syncOnce(own, service.baseUrl, { scope, advance });
      expect(new Set(totals)).to.deep.equal(new Set([counted ? service.records.content!.length : null]));
    });

    let number = 0;
    function addTexts(count: number): void {
      for (let nth = 0; nth < count; nth += 1) {
        number += 1;
        const date = new Date(start + night * 86_400_000).toISOString().slice(0, 10);
        service.records.content!.push({
          ...service.records.content![0]!,
          id: `new-${number}`,
          date,
          text: `${number}`,
        });
      }
    }
    const keys = () => Object.keys(hashesOf(own.mirror, 'content')).sort();
    const shownKeys = () => service.records.content!.map(({ id }) => String(id)).sort();

    for (const feed of ['ascending', 'by title'] as const)
      it(`${feed} brings new texts on the day they come, whatever page they stand on`, async () => {
        await begin({ feed });
        await syncNight();
        for (const count of [1, 0, 70, 3, 0, 120]) {
          addTexts(count);
          const { added, requests, notes } = await syncNight();
          expect(added).to.equal(count);
          expect(keys()).to.deep.equal(shownKeys());
          expect(notes.some((note) => /not in the order/.test(note))).to.equal(feed === 'by title');
          if (feed === 'ascending' && night < 8) expect(requests).to.be.at.most(2 + Math.ceil(count / 50));
        }
      });

    it('that is oldest first asks one request on a quiet night, as planned', async () => {
      await begin({ feed: 'ascending' });
      await syncNight();
      const plan = planSync(own.mirror, service.baseUrl, { scope, rate: 60 });
      expect([plan.requests, (await syncNight()).requests]).to.deep.equal([1, 1]);
    });

    it('that is oldest first is read whole where its last page is gone', async () => {
      await begin({ feed: 'ascending' });
      service.records.content!.splice(110);
      await syncNight();
      service.records.content!.splice(0, 15);
      addTexts(2);
      await syncNight();
      expect(keys()).to.include.members(shownKeys());
    });

    it('that is oldest first is read whole where the cursor of its last page is refused', async () => {
      await begin({ feed: 'ascending' });
      await syncNight();
      addTexts(1);
      service.faults.push({
        path: /^\/feed\?.*cursor=100/,
        answer: (_request, response) => response.writeHead(422).end('{"detail":"cursor expired"}'),
      });
      await syncNight();
      expect(keys()).to.deep.equal(shownKeys());
    });

    it('that is oldest first grows from one page to several', async () => {
      await begin({ feed: 'ascending' });
      service.records.content!.splice(40);
      await syncNight();
      for (const count of [5, 5, 5, 60, 1]) {
        addTexts(count);
        await syncNight();
        expect(keys()).to.deep.equal(shownKeys());
      }
    });
  });
