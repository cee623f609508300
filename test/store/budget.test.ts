import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { NoStateError } from '../../src/errors.ts';
import { type Budget, openBudget } from '../../src/store/budget.ts';

describe('the budget of requests', () => {
  let folder: string;
  const opened: Budget[] = [];
  const open = (account = 'https://service.example anonymous', limit = 60, isSpread = false) => {
    const budget = openBudget(join(folder, 'budget.db'), { account, limit, spreadsRequests: isSpread });
    opened.push(budget);
    return budget;
  };
  const openSpread = (limit = 60) => open(undefined, limit, true);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
  });
  afterEach(() => {
    for (const budget of opened.splice(0)) budget.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('lets at most 60 requests start in any 60 seconds, over two processes', () => {
    const budgets = [open(), open()];
    const starts: number[] = [];
    for (let now = 1_000_000; now < 1_400_000; now += 137) {
      if (budgets[now % 2]!.take(now) === 0) starts.push(now);
    }
    const most = Math.max(
      ...starts.map((start) => starts.filter((each) => each >= start && each < start + 60_000).length),
    );
    expect(most).to.equal(60);
    expect(starts.length).to.be.greaterThan(350);
  });

  it('counts for a process that read its clock before another took a place, and waited for the file', () => {
    const first = open(undefined, 1);
    const second = open(undefined, 1);
    expect([first.take(1000), first.take(62_000)]).to.deep.equal([0, 0]);
    expect(second.take(61_999)).to.be.greaterThan(0);
    const wide = [open('wide', 2), open('wide', 2)] as const;
    expect([wide[0].take(1000), wide[0].take(62_000)]).to.deep.equal([0, 0]);
    expect(wide[1].take(61_999)).to.equal(1);
  });

  it('says how long to wait, and lets the request start then', () => {
    const budget = open(undefined, 2);
    expect([budget.take(0), budget.take(10)]).to.deep.equal([0, 0]);
    const wait = budget.take(20);
    expect(wait).to.equal(60_980);
    expect(budget.take(20 + wait)).to.equal(0);
  });

  it('pauses every process until the moment that the service named', () => {
    const first = open();
    const second = open();
    first.block(50_000, 40_000);
    first.block(51_000, 1000);
    expect(second.take(60_000)).to.equal(30_000);
    expect(second.readAvailability(60_000)).to.deep.equal({ requests: 60, blockedUntilMs: 90_000 });
    expect(second.take(90_000)).to.equal(0);
  });

  it('is blocked for a day at most, and no more once somebody lifts that', () => {
    const first = open();
    const second = open();
    first.block(50_000, 400 * 86_400_000);
    expect(second.readAvailability(50_000).blockedUntilMs).to.equal(50_000 + 86_400_000);
    second.unblock();
    expect(first.take(50_001)).to.equal(0);
  });

  it('keeps the accounts of origins and identities apart', () => {
    const anonymous = open('a', 1);
    const viewer = open('b', 1);
    expect([anonymous.take(0), viewer.take(0)]).to.deep.equal([0, 0]);
    expect(anonymous.take(1)).to.be.greaterThan(0);
  });

  it('is not blocked for ever by a clock that was set back', () => {
    const budget = open(undefined, 1);
    budget.take(10_000_000);
    expect(budget.take(5_000_000)).to.equal(0);
    budget.block(10_000_000, 3_000_000);
    expect(budget.readAvailability(5_000_000).blockedUntilMs).to.equal(null);
    budget.block(5_000_000, 1000);
    expect(budget.readAvailability(5_000_000).blockedUntilMs).to.equal(5_001_000);
  });

  it('tells what is left without spending any', () => {
    const budget = open();
    budget.take(0);
    expect(budget.readAvailability(1).requests).to.equal(59);
    expect(budget.readAvailability(61_001).requests).to.equal(60);
  });

  describe('whose file is damaged', () => {
    const path = () => join(folder, 'budget.db');
    const notes: string[] = [];
    const reopened = () => {
      notes.length = 0;
      const budget = openBudget(path(), { account: 'any', limit: 2, note: (text) => notes.push(text) });
      opened.push(budget);
      return budget;
    };
    const damages: [name: string, damage: () => void][] = [
      ['text', () => writeFileSync(path(), 'no database at all, but a text of some length\n'.repeat(200))],
      ['a cut file', () => truncateSync(path(), 700)],
      ['a file with noise inside', () => writeFileSync(path(), noisy(readFileSync(path())))],
      [
        'another database',
        () => {
          rmSync(path());
          const other = new Database(path());
          other.exec('CREATE TABLE start (something TEXT); CREATE TABLE pause (other TEXT)');
          other.close();
        },
      ],
    ];
    /** The same bytes, but for the pages behind the header. */
    const noisy = (bytes: Buffer) => bytes.fill(0xa5, 100);

    for (const [name, damage] of damages) {
      it(`is made anew, says so and counts on: ${name}`, () => {
        open('any', 2).take(0);
        for (const budget of opened.splice(0)) budget.close();
        damage();
        const budget = reopened();
        expect([0, 1, 2].map((at) => budget.take(at) === 0)).to.deep.equal([true, true, false]);
        expect(notes).to.have.length(1);
        expect(notes[0]).to.match(/^.+budget\.db was damaged and is made anew/);
        expect(reopened().readAvailability(3).requests).to.equal(0);
        expect(notes).to.deep.equal([]);
      });
    }

    it('and cannot be made anew names it, and says nothing of a mirror', () => {
      mkdirSync(path());
      expect(() => reopened())
        .to.throw(NoStateError, path())
        .with.property('message')
        .that.does.not.match(/mirror/);
    });
  });

  describe('of a run that is spread', () => {
    const most = (starts: number[], ms: number) =>
      Math.max(...starts.map((start) => starts.filter((each) => each >= start && each < start + ms).length));

    /** A run that asks as soon as it is told that it may; `until` plays it up to that moment, `starts` are its requests. */
    function createRun(budget: Budget) {
      const run = { atMs: 0, starts: [] as number[], until };
      function until(endMs: number): void {
        while (run.atMs < endMs) {
          const wait = budget.take(run.atMs);
          if (wait === 0) run.starts.push(run.atMs);
          // The answer takes a while.
          run.atMs += wait === 0 ? 80 : wait;
        }
      }
      return run;
    }

    /** Several runs beside one another; when each request started. */
    function busy(budgets: Budget[], untilMs: number): number[] {
      const runs = budgets.map(createRun);
      for (let endMs = 0; endMs < untilMs; endMs += 100) for (const run of runs) run.until(endMs);
      return runs.flatMap(({ starts }) => starts).sort((a, b) => a - b);
    }

    it('starts the first few at once, so that a run of few requests is not slow', () => {
      const budget = openSpread();
      expect(Array.from({ length: 12 }, () => budget.take(1000))).to.deep.equal(Array(12).fill(0));
      const seven = open('another', 7, true);
      expect(Array.from({ length: 7 }, () => seven.take(1000))).to.deep.equal(Array(7).fill(0));
    });

    it('is even from the start for an hour after a pause that the service requested', () => {
      const budget = openSpread();
      budget.block(0, 5000);
      const run = createRun(budget);
      run.until(60_000);
      expect(most(run.starts, 1000)).to.be.at.most(2);
      expect(run.starts.length).to.be.at.least(48);
      run.atMs = 3_700_000;
      run.until(3_701_000);
      expect(run.starts.filter((start) => start >= 3_700_000).length).to.be.at.least(12);
    });

    it('lies evenly over the minute after that, and uses all of it but a handful', () => {
      const starts = busy([openSpread()], 600_000);
      expect(most(starts, 60_000)).to.equal(58);
      const settled = starts.filter((start) => start > 180_000);
      expect(most(settled, 10_000)).to.be.at.most(12);
      expect(starts.length).to.be.at.least(9.5 * 58);
    });

    it('is shared by the runs of several processes, which never pass the limit together', () => {
      const runs = [openSpread(), openSpread(), openSpread(), openSpread()];
      const starts = busy(runs, 400_000);
      expect(most(starts, 60_000)).to.equal(58);
      expect(
        most(
          starts.filter((start) => start > 180_000),
          10_000,
        ),
      ).to.be.at.most(12);
    });

    it('says how long to wait until the next one may start, and lets it start then', () => {
      const budget = openSpread();
      let now = 0;
      const waits: number[] = [];
      for (let count = 0; count < 300; count += 1) {
        for (let wait = budget.take(now); wait > 0; wait = budget.take(now)) {
          waits.push(wait);
          now += wait;
        }
      }
      expect(Math.max(...waits)).to.be.at.most(2000);
      expect(now / 60_000).to.be.closeTo(300 / 58, 0.5);
    });

    for (const [limit, name] of [
      [60, 'without a token'],
      [600, 'with one'],
    ] as const)
      it(`leaves every question of a person to start within three seconds, ${name}`, () => {
        const run = createRun(openSpread(limit));
        const waits: number[] = [];
        for (let round = 1; round <= 15; round += 1) {
          let now = round * 13_700;
          const person = open(undefined, limit);
          // Three questions, each asked when the one before it was answered.
          for (let question = 0; question < 3; question += 1) {
            const begin = now;
            run.until(now);
            for (let wait = person.take(now, true); wait > 0; wait = person.take(now, true)) {
              now += wait;
              run.until(now);
            }
            waits.push(now - begin);
            now += 80;
          }
        }
        expect(Math.max(...waits)).to.be.at.most(3000);
        expect(waits.filter((wait) => wait === 0).length).to.be.at.least(waits.length / 2);
      });
  });
});
