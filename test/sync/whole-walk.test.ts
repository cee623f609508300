import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import type { ServicePage } from '../../src/service/pages.ts';
import {
  addPage,
  createWalkStatistics,
  detectOrder,
  type FinishedWalk,
  hasIrregularPages,
  type WalkStatistics,
  whyIncomplete,
} from '../../src/sync/whole-walk.ts';

const kind = kindOf('content');

/** A page with the records `first` to `first + length - 1`. */
function pageFrom(first: number, length: number, more: Partial<ServicePage> = {}): ServicePage {
  const items = Array.from({ length }, (_, index) => ({ id: `c${first + index}` }));
  const at = '2026-11-01T06:00:00.000Z';
  const url = 'https://valombre.example/feed';
  return {
    items,
    next: null,
    followsEmptyPage: false,
    total: null,
    address: url,
    url,
    at,
    sentAt: at,
    validator: null,
    ...more,
  };
}

/** The statistics of a walk whose pages have so many items. */
function walkOf(lengths: number[], { total = null as number | null, hasNews = true } = {}): WalkStatistics {
  let first = 0;
  const pages = lengths.map((length) => {
    first += length;
    return pageFrom(first - length, length, { total });
  });
  const statistics = createWalkStatistics(pages[0]!);
  for (const [index, page] of pages.entries())
    addPage(statistics, page, { cursor: index === 0 ? null : `page ${index}`, hasNews });
  return statistics;
}

describe('the statistics of a walk to the end of a list', () => {
  const odd: [name: string, lengths: number[]][] = [
    ['two pages of the same length, since a third may have been cut off', [10, 10]],
    ['three pages, the last of them full', [10, 10, 10]],
    ['a page that lacks a single item before the last', [10, 9, 10, 4]],
    ['a first page that lacks a single item', [9, 10, 4]],
    ['a page in the middle shorter than the last', [10, 3, 7]],
    ['a last page longer than the others', [10, 11]],
  ];
  for (const [name, lengths] of odd)
    it(`is odd with ${name}`, () => {
      expect(hasIrregularPages(walkOf(lengths))).to.equal(true);
    });

  const regular: [name: string, lengths: number[]][] = [
    ['one page, however full it is', [10]],
    ['one empty page', [0]],
    ['full pages and a last one that lacks a single item', [10, 10, 9]],
    ['a full page and one item behind it', [10, 1]],
    ['a full page and an empty one behind it', [10, 0]],
  ];
  for (const [name, lengths] of regular)
    it(`is regular with ${name}`, () => {
      expect(hasIrregularPages(walkOf(lengths))).to.equal(false);
    });

  it('is odd once a page came behind an empty one, or brought nothing new', () => {
    const blank = walkOf([10]);
    addPage(blank, pageFrom(10, 4, { followsEmptyPage: true }), { cursor: 'b', hasNews: true });
    expect(hasIrregularPages(blank)).to.equal(true);
    expect(hasIrregularPages(walkOf([10, 4], { hasNews: false }))).to.equal(true);
  });

  it('samples at most twelve pages, evenly spread, and never the first', () => {
    const { sampledPages, stride } = walkOf(Array.from({ length: 100 }, () => 2));
    expect(stride).to.equal(8);
    expect(sampledPages.map(({ nth }) => nth)).to.deep.equal([8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96]);
    expect(sampledPages[0]).to.deep.equal({ nth: 8, cursor: 'page 7', items: [{ id: 'c14' }, { id: 'c15' }] });
    expect(walkOf([2, 2, 2]).sampledPages.map(({ nth }) => nth)).to.deep.equal([2, 3]);
  });
});

describe('a walk at its end', () => {
  const before = { missing: null, hadIrregularPages: false };
  const walkDoubt = (statistics: WalkStatistics, more: Partial<FinishedWalk> = {}) =>
    whyIncomplete(kind, {
      statistics,
      head: statistics.first,
      missing: null,
      previousWalk: before,
      rereadPages: [],
      ...more,
    });

  it('has missed nothing if its pages are regular and nothing moved', () => {
    expect(walkDoubt(walkOf([10, 10, 4]))).to.equal(null);
  });

  it('may have missed something if its pages are odd, but not where they always are or the count agrees', () => {
    for (const lengths of [
      [10, 10],
      [10, 9, 4],
    ]) {
      const statistics = walkOf(lengths);
      expect(walkDoubt(statistics)).to.match(/shorter than the others, or the last was full/);
      expect(walkDoubt(statistics, { previousWalk: { missing: null, hadIrregularPages: true } })).to.equal(null);
      expect(walkDoubt(statistics, { missing: 0 })).to.equal(null);
    }
  });

  it('may have missed what left its head, and nothing of what was put on top', () => {
    const statistics = walkOf([10, 10, 4]);
    expect(walkDoubt(statistics, { head: pageFrom(1, 10) })).to.match(/its head moved/);
    expect(walkDoubt(statistics, { head: pageFrom(-2, 10) })).to.equal(null);
    expect(walkDoubt(statistics, { head: pageFrom(0, 9) })).to.match(/its head moved/);
    expect(walkDoubt(statistics, { head: pageFrom(0, 0) })).to.match(/its head moved/);
  });

  it('may have missed something if a marked page lost an item', () => {
    const statistics = walkOf([10, 10, 4]);
    expect(walkDoubt(statistics, { rereadPages: [pageFrom(10, 10), pageFrom(20, 4)] })).to.equal(null);
    expect(walkDoubt(statistics, { rereadPages: [pageFrom(9, 10), pageFrom(19, 4)] })).to.equal(null);
    expect(walkDoubt(statistics, { rereadPages: [pageFrom(10, 10), pageFrom(21, 3)] })).to.match(/its pages moved/);
  });

  /** The numbers of the records on the first page, then and now, and whether the walk may have missed something. */
  const heads: [then: number[], now: number[], isMoved: boolean][] = [
    [[], [], false],
    [[], [1, 2], false],
    [[3, 4, 5], [3, 4, 5], false],
    [[3, 4, 5], [2, 3, 4], false],
    [[3, 4, 5], [0, 1, 2, 3], false],
    [[3, 4, 5], [3, 4, 5, 6], true],
    [[3, 4, 5], [3, 4], true],
    [[3, 4, 5], [2, 3], true],
    [[3, 4, 5], [3, 5, 6], true],
    [[3, 4, 5], [2, 3, 5], true],
    [[3, 4, 5], [4, 5, 6], true],
    [[3, 4, 5], [0, 1, 2], true],
    [[3, 4, 5], [], true],
  ];
  for (const [then, now, isMoved] of heads)
    it(`may ${isMoved ? '' : 'not '}have missed something where its head was ${then} and is ${now}`, () => {
      const page = (numbers: number[]) => pageFrom(0, 0, { items: numbers.map((number) => ({ id: `c${number}` })) });
      const statistics = createWalkStatistics(page(then));
      addPage(statistics, page(then), { cursor: null, hasNews: then.length > 0 });
      expect(walkDoubt(statistics, { head: page(now) })).to.equal(
        isMoved ? 'its head moved while it was walked' : null,
      );
    });

  it('is held against no count that the service does not state', () => {
    const counted = walkOf([10, 4], { total: 14 });
    const plain = walkOf([10, 4]);
    expect(walkDoubt(counted, { head: pageFrom(0, 10, { total: null }) })).to.equal(null);
    expect(walkDoubt(plain, { head: pageFrom(0, 10, { total: 14 }) })).to.equal(null);
    expect(walkDoubt(plain, { previousWalk: { missing: 1, hadIrregularPages: false } })).to.equal(null);
  });

  it('may end with a full page where the next sync asks for its end again, but has no gap', () => {
    expect(walkDoubt(walkOf([10, 10]), { isEndRechecked: true })).to.equal(null);
    expect(walkDoubt(walkOf([10, 9, 4]), { isEndRechecked: true })).to.match(/shorter than the others/);
  });

  it('holds the count of the service against what was met, and allows what it always counts besides', () => {
    const statistics = walkOf([10, 4], { total: 15 });
    expect(walkDoubt(statistics, { missing: 1 })).to.match(/counts 15 records, 1 more than were seen/);
    expect(walkDoubt(statistics, { missing: 1, previousWalk: { missing: 1, hadIrregularPages: false } })).to.equal(
      null,
    );
    expect(walkDoubt(statistics, { missing: 1, previousWalk: { missing: 2, hadIrregularPages: false } })).to.match(
      /1 more than/,
    );
    const shrunk = pageFrom(0, 10, { total: 14 });
    expect(walkDoubt(statistics, { missing: 0, head: shrunk })).to.match(/counted 15 records at first, and 14/);
    expect(walkDoubt(statistics, { missing: 0, head: pageFrom(-1, 10, { total: 16 }) })).to.equal(null);
  });
});

describe('the order of a walk', () => {
  /** A letter for each date, in the order of the list; a dot for an item without one. */
  const orders: [dates: string, order: ReturnType<typeof detectOrder>][] = [
    ['', 'descending'],
    ['a', 'descending'],
    ['aaa', 'descending'],
    ['...', 'descending'],
    ['dcba', 'descending'],
    ['abcd', 'ascending'],
    ['a.b.c', 'ascending'],
    ['aabb', 'ascending'],
    ['ba.', 'descending'],
    // Of four pairs or more, three quarters decide.
    ['dcab', 'descending'],
    ['abdc', 'ascending'],
    ['bbac', 'none'],
    ['acdb', 'none'],
    ['adcb', 'none'],
    ['bcda', 'none'],
    ['cabd', 'none'],
    ['aabbbbbba', 'none'],
    // Exactly three of four.
    ['aacbb', 'ascending'],
    ['acbb', 'none'],
  ];
  const itemsOf = (dates: string) =>
    [...dates].map((letter, nth) => ({ id: `${nth}`, ...(letter !== '.' && { date: `2026-11-0${letter}` }) }));
  for (const [dates, order] of orders)
    it(`is ${order} with dates such as "${dates}"`, () => {
      const statistics = createWalkStatistics(pageFrom(0, 0, { items: itemsOf(dates) }));
      expect(detectOrder(statistics)).to.equal(order);
    });

  it('is that of the first page and the marked ones', () => {
    const statistics = createWalkStatistics(pageFrom(0, 0, { items: itemsOf('ab') }));
    addPage(statistics, statistics.first, { cursor: null, hasNews: true });
    addPage(statistics, pageFrom(0, 0, { items: itemsOf('cd') }), { cursor: 'b', hasNews: true });
    expect(detectOrder(statistics)).to.equal('ascending');
    expect(detectOrder({ ...statistics, sampledPages: [] })).to.equal('ascending');
    expect(
      detectOrder({ ...statistics, sampledPages: [{ nth: 2, cursor: 'b', items: itemsOf('zyxwvutsrqponmlk') }] }),
    ).to.equal('descending');
  });

  it('excuses a count that grew at the end of a list that begins with the oldest', () => {
    const pageOf = (dates: string, total: number) => pageFrom(0, 0, { items: itemsOf(dates), total });
    const doubtOf = (dates: string) => {
      const statistics = createWalkStatistics(pageOf(dates, 3));
      addPage(statistics, statistics.first, { cursor: null, hasNews: true });
      const previousWalk = { missing: null, hadIrregularPages: false };
      const head = pageOf(dates, 4);
      return whyIncomplete(kind, { statistics, head, missing: 0, previousWalk, rereadPages: [] });
    };
    expect(doubtOf('abc')).to.equal(null);
    expect(doubtOf('cba')).to.match(/counted 3 records at first, and 4 at the end/);
  });
});
