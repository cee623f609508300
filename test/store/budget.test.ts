import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Budget, openBudget } from '../../src/store/budget.ts';

describe('the budget of requests', () => {
  let folder: string;
  const opened: Budget[] = [];
  const open = (account = 'https://service.example anonymous', limit = 60) => {
    const budget = openBudget(join(folder, 'budget.db'), { account, limit });
    opened.push(budget);
    return budget;
  };
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

  it('says how long to wait, and lets the request start then', () => {
    const budget = open(undefined, 2);
    expect([budget.take(0), budget.take(10)]).to.deep.equal([0, 0]);
    const wait = budget.take(20);
    expect(wait).to.equal(60_980);
    expect(budget.take(20 + wait)).to.equal(0);
  });

  it('pauses every process until the moment that the service named', () => {
    const [first, second] = [open(), open()];
    first.block(50_000, 40_000);
    first.block(51_000, 1000);
    expect(second.take(60_000)).to.equal(30_000);
    expect(second.left(60_000)).to.deep.equal({ requests: 60, blockedUntilMs: 90_000 });
    expect(second.take(90_000)).to.equal(0);
  });

  it('keeps the accounts of origins and identities apart', () => {
    const [anonymous, viewer] = [open('a', 1), open('b', 1)];
    expect([anonymous.take(0), viewer.take(0)]).to.deep.equal([0, 0]);
    expect(anonymous.take(1)).to.be.greaterThan(0);
  });

  it('is not blocked for ever by a clock that was set back', () => {
    const budget = open(undefined, 1);
    budget.take(10_000_000);
    expect(budget.take(5_000_000)).to.equal(0);
    budget.block(10_000_000, 3_000_000);
    expect(budget.left(5_000_000).blockedUntilMs).to.equal(null);
    budget.block(5_000_000, 1000);
    expect(budget.left(5_000_000).blockedUntilMs).to.equal(5_001_000);
  });

  it('tells what is left without spending any', () => {
    const budget = open();
    budget.take(0);
    expect(budget.left(1).requests).to.equal(59);
    expect(budget.left(61_001).requests).to.equal(60);
  });
});
