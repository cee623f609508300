import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createServiceClient } from '../../src/service/client.ts';
import { createPace } from '../../src/service/pace.ts';
import { openBudget } from '../../src/store/budget.ts';
import { bootClock } from '../../src/sync/connect.ts';

describe('the waits of a client', () => {
  it('count where the budget is spent, and where the service asks to wait', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    let requestCount = 0;
    const server = createServer((_request, response) => {
      requestCount += 1;
      const headers = { 'content-type': 'application/json', 'retry-after': '5' };
      response.writeHead(requestCount === 4 ? 503 : 200, headers).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
    const budget = openBudget(join(folder, 'budget.db'), { account: 'anonymous', limit: 2 });
    let nowMs = Date.parse('2026-11-01T12:00:00Z');
    const now = () => nowMs;
    const sleep = async (ms: number) => {
      nowMs += ms;
    };
    const client = await createServiceClient({
      baseUrl,
      token: null,
      authHeader: 'Authorization: Bearer {token}',
      userAgent: 'hemicycle-test',
      pace: createPace({ rate: 100, budget, now, sleep }),
      now,
      sleep,
      random: () => 0,
    });

    await client.getJson('/one');
    await client.getJson('/two');
    expect(client.tally.waitedMs).to.equal(0);
    await client.getJson('/three');
    expect(client.tally.waitedMs).to.equal(61_000);
    // The fourth is refused and asked again after five seconds, which takes the last place but one of its minute.
    await client.getJson('/four');
    expect(requestCount).to.equal(5);
    expect(client.tally.waitedMs).to.equal(nowMs - Date.parse('2026-11-01T12:00:00Z'));
    expect(client.tally.waitedMs).to.be.greaterThan(66_000);

    await client.close();
    budget.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('the pace of a run whose system clock is set', () => {
  for (const [what, jumpMs] of [
    ['back by an hour', -3_600_000],
    ['forward by ten minutes', 600_000],
  ] as const)
    it(`is the same where it is set ${what}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
      const budget = openBudget(join(folder, 'budget.db'), { account: 'any', limit: 2 });
      let bootMs = 5_000;
      let wallMs = Date.parse('2026-11-01T12:00:00Z');
      const slept: number[] = [];
      const sleep = async (ms: number) => {
        slept.push(ms);
        bootMs += ms;
        wallMs += ms;
      };
      const pace = createPace({ rate: 100, budget, now: () => bootMs, wallNow: () => wallMs, sleep });
      for (const at of [1, 2, 3, 4]) {
        if (at === 3) wallMs += jumpMs;
        await pace.waitForSlot('https://service.example/');
      }
      expect(slept).to.deep.equal([61_000]);
      pace.pause(3_600_000, 'https://service.example/');
      const error = await pace.waitForSlot('https://service.example/').catch((refused) => refused);
      expect(error.hint).to.include(new Date(wallMs + 3_600_000).toISOString().slice(0, 16));
      budget.close();
      rmSync(folder, { recursive: true, force: true });
    });

  it('counts by a clock that names its boot and goes on in every process', () => {
    const one = bootClock();
    const other = bootClock();
    expect(one.boot).to.equal(other.boot);
    const first = one.now();
    expect(other.now() - first).to.be.within(0, 1000);
    expect(Number.isInteger(first)).to.equal(true);
  });
});

describe('a pause', () => {
  const home = 'https://service.example';
  const world = () => {
    const blocked: number[] = [];
    const slept: number[] = [];
    const clock = { ms: Date.parse('2026-11-01T12:00:00Z') };
    const pace = createPace({
      rate: 100,
      origin: home,
      budget: { take: () => 0, block: (_now, ms) => void blocked.push(ms) },
      now: () => clock.ms,
      sleep: async (ms) => {
        slept.push(ms);
        clock.ms += ms;
      },
    });
    return { blocked, slept, pace };
  };

  it('that another origin asks for, where a redirect led, keeps nobody from the service itself', async () => {
    const { blocked, slept, pace } = world();
    pace.pause(604_800_000, 'https://files.example/sources.csv');
    await pace.waitForSlot(`${home}/api/v1/feed`);
    expect([blocked, slept]).to.deep.equal([[], []]);
    pace.pause(30_000, `${home}/api/v1/feed`);
    expect(blocked).to.deep.equal([30_000]);
  });
});

describe('several requests that ask for their turn at once', () => {
  it('wait one behind the other, and no wait counts twice', async () => {
    const clock = { ms: 0 };
    const starts: number[] = [];
    const pace = createPace({
      rate: 100,
      budget: {
        take(nowMs) {
          const waitMs = (starts.at(-1) ?? -1000) + 1000 - nowMs;
          if (waitMs > 0) return waitMs;
          starts.push(nowMs);
          return 0;
        },
        block: () => {},
      },
      now: () => clock.ms,
      sleep: async (ms) => {
        clock.ms += ms;
      },
    });
    let waited = 0;
    const count = (ms: number) => {
      waited += ms;
    };
    await Promise.all([1, 2, 3, 4].map((each) => pace.waitForSlot(`http://service.example/${each}`, count)));
    expect([starts, waited]).to.deep.equal([[0, 1000, 2000, 3000], 3000]);
  });

  it('do not keep those behind them from theirs where one is refused', async () => {
    const waits = [10_000_000, 0];
    const pace = createPace({
      rate: 100,
      budget: { take: () => waits.shift()!, block: () => {} },
      now: () => 0,
      sleep: async () => {},
    });
    const ended = await Promise.allSettled([1, 2].map((each) => pace.waitForSlot(`http://service.example/${each}`)));
    expect(ended.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled']);
  });
});
