import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createPace } from '../../src/service/pace.ts';
import { type Budget, openBudget } from '../../src/store/budget.ts';
import { type BudgetChildPlan, type BudgetChildReport, fastClock } from '../helpers/budget-child.ts';

const script = fileURLToPath(new URL('../helpers/budget-child.ts', import.meta.url));
const names = ['first', 'second', 'third', 'fourth'];

describe('the budget of four processes', () => {
  let folder: string;
  let service: CountingService | undefined;
  const children = new Set<ChildProcessWithoutNullStreams>();
  const budgets: Budget[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
  });
  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    for (const budget of budgets.splice(0)) budget.close();
    await service?.close();
    service = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  /** Four processes that begin together; resolves with what each did. */
  async function fourProcesses(
    plan: Pick<BudgetChildPlan, 'limit' | 'requests' | 'restMs' | 'baseUrl' | 'epochMs'>,
  ): Promise<BudgetChildReport[]> {
    const started = names.map((name) => {
      const argument: BudgetChildPlan = { ...plan, name, file: join(folder, 'budget.db') };
      const child = spawn(process.execPath, [script, JSON.stringify(argument)]);
      children.add(child);
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (chunk) => {
        stderr += chunk;
      });
      const lines: string[] = [];
      child.stdout.setEncoding('utf8').on('data', (chunk) => void lines.push(chunk.trim()));
      const ready = once(child.stdout, 'data');
      const ended = once(child, 'close').then(([exit]) => {
        children.delete(child);
        expect({ exit, stderr }, name).to.deep.equal({ exit: 0, stderr: '' });
        return JSON.parse(lines.at(-1)!) as BudgetChildReport;
      });
      return { child, ready, ended };
    });
    const all = Promise.all(started.map(({ ended }) => ended));
    await Promise.race([all, Promise.all(started.map(({ ready }) => ready))]);
    for (const { child } of started) child.stdin.write('go\n');
    return all;
  }

  it('never starts more than 60 requests in 60 seconds, with a second to spare', async () => {
    const epochMs = Date.now();
    service = await countingService(epochMs, () => null);
    const { baseUrl, received } = service;
    const reports = await fourProcesses({ limit: 60, requests: 50, restMs: 0, baseUrl, epochMs });
    expect(reports.map(({ answers }) => answers)).to.deep.equal([50, 50, 50, 50]);
    expect(received.length).to.equal(200);
    const starts = reports.flatMap(({ startsMs }) => startsMs);
    expect(starts.length).to.equal(200);
    const windows = starts.map((startMs) => starts.filter((each) => each >= startMs && each < startMs + 61_000).length);
    // Fewer where the machine is too busy for 60.
    expect(Math.max(...windows)).to.be.at.most(60);
  });

  it('is paused as a whole when the service refuses one of them', async () => {
    const epochMs = Date.now();
    service = await countingService(epochMs, ({ startsMs }) => (startsMs.length === 60 ? 30 : null));
    const { baseUrl, refused } = service;
    const reports = await fourProcesses({ limit: 600, requests: 30, restMs: 1000, baseUrl, epochMs });
    expect(reports.map(({ answers }) => answers)).to.deep.equal([30, 30, 30, 30]);
    expect(refused.length).to.equal(1);
    const [pausedMs, ...otherPausesMs] = reports.flatMap(({ blockedMs }) => blockedMs) as [number];
    expect(otherPausesMs).to.deep.equal([]);
    const starts = reports.flatMap(({ startsMs }) => startsMs);
    const refusedMs = refused[0]!.atMs;
    expect(starts.filter((atMs) => atMs > pausedMs && atMs < refusedMs + 30_000)).to.deep.equal([]);
    expect(starts.filter((atMs) => atMs >= refusedMs + 30_000)).not.to.deep.equal([]);
  });

  function open(limit = 60): Budget {
    const budget = openBudget(join(folder, 'budget.db'), {
      account: 'https://service.example anonymous',
      limit,
    });
    budgets.push(budget);
    return budget;
  }

  /** A world in which other processes ask for all that is free every 10 ms, for as long as somebody sleeps. */
  function busyWorld(otherBudgets: Budget[]) {
    const world = {
      nowMs: 0,
      starts: [] as { who: string; atMs: number }[],
      ask() {
        for (const other of otherBudgets)
          while (other.take(world.nowMs) === 0) world.starts.push({ who: 'another', atMs: world.nowMs });
      },
      async sleep(ms: number) {
        for (const untilMs = world.nowMs + ms; world.nowMs < untilMs; ) {
          world.nowMs = Math.min(untilMs, world.nowMs + 10);
          world.ask();
        }
      },
    };
    return world;
  }

  it('gives a person who waits the next request that comes free, before those that ask without end', async () => {
    const world = busyWorld([open(), open(), open()]);
    // One request a second, so that they come free one by one.
    for (let second = 0; second < 60; second += 1) {
      world.nowMs = second * 1000;
      expect(budgets[0]!.take(world.nowMs)).to.equal(0);
    }
    const pace = createPace({
      rate: 60,
      budget: open(),
      isUrgent: true,
      now: () => world.nowMs,
      sleep: world.sleep,
    });
    await pace.waitForSlot('http://service.example/');
    world.starts.push({ who: 'the person', atMs: world.nowMs });
    await world.sleep(2000);
    expect(world.starts).to.deep.equal([
      { who: 'the person', atMs: 61_000 },
      { who: 'another', atMs: 62_000 },
      { who: 'another', atMs: 63_000 },
    ]);
  });

  it('gives each of several persons theirs first', async () => {
    const world = busyWorld([open()]);
    for (let count = 0; count < 60; count += 1) expect(budgets[0]!.take(count)).to.equal(0);
    const persons = [open(), open(), open()];
    const waits = persons.map((person) => person.take(1000, true));
    await world.sleep(61_100);
    expect(world.starts.length).to.equal(57);
    expect(waits.every((ms) => ms > 0)).to.equal(true);
    expect(persons.map((person) => person.take(world.nowMs, true))).to.deep.equal([0, 0, 0]);
  });

  it('keeps no place for a person who went away', async () => {
    const world = busyWorld([open(1)]);
    expect(budgets[0]!.take(0)).to.equal(0);
    expect(open(1).take(1000, true)).to.equal(60_000);
    await world.sleep(64_000);
    expect(world.starts.length).to.equal(1);
  });
});

type Received = { name: string; atMs: number };

type CountingService = {
  baseUrl: string;
  received: Received[];
  refused: Received[];
  close(): Promise<void>;
};

/**
 * A service that counts requests by the fast clock; `refusal` gives the seconds after which a refused one may come
 * back, or null.
 */
async function countingService(
  epochMs: number,
  refusal: (requestTimes: { startsMs: number[]; nowMs: number }) => number | null,
): Promise<CountingService> {
  const { now } = fastClock(epochMs);
  const received: Received[] = [];
  const refused: Received[] = [];
  const server: Server = createServer((request, response) => {
    if (request.url?.endsWith('/warm')) return response.end('{}');
    const each = { name: String(request.headers['user-agent']), atMs: now() };
    const seconds = refusal({ startsMs: received.map(({ atMs }) => atMs), nowMs: each.atMs });
    received.push(each);
    if (seconds === null) return response.setHeader('content-type', 'application/json').end('{"thing":1}');
    refused.push(each);
    return response.writeHead(429, { 'retry-after': String(seconds) }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    received,
    refused,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
