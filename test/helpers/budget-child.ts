import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { createServiceClient } from '../../src/service/client.ts';
import { createPace, type SharedBudget } from '../../src/service/pace.ts';
import { openBudget } from '../../src/store/budget.ts';

/** What one process asks for, and by which clock. */
export type BudgetChildPlan = {
  name: string;
  /** The file of the budget that all processes share. */
  file: string;
  limit: number;
  baseUrl: string;
  requests: number;
  /** Rest between an answer and the next request, in milliseconds of the fast clock. */
  restMs: number;
  epochMs: number;
};

/** What one process did, by the fast clock. */
export type BudgetChildReport = {
  answers: number;
  /** When its requests were given a place. */
  startsMs: number[];
  /** When it had told the others to pause, in all its refusals. */
  blockedMs: number[];
};

const speed = 30;

/** A clock that runs 30 times as fast, in every process that is told the same beginning. */
export function fastClock(epochMs: number): { now: () => number; sleep: (ms: number) => Promise<unknown> } {
  return {
    now: () => epochMs + (Date.now() - epochMs) * speed,
    sleep: (ms) => delay(ms / speed),
  };
}

async function askAll({ name, file, limit, baseUrl, requests, restMs, epochMs }: BudgetChildPlan) {
  const { now, sleep } = fastClock(epochMs);
  const budget = openBudget(file, { account: `${baseUrl} anonymous`, limit });
  const shared = { baseUrl, token: null, authHeader: 'Authorization: {token}', userAgent: name, now, sleep };
  // A first request takes as long as loading a client does, which this clock would make seconds of.
  const warming = await createServiceClient({
    ...shared,
    pace: { waitForSlot: async () => {}, pause: () => {} },
  });
  await warming.getJson('/warm');
  await warming.close();
  const report: BudgetChildReport = { answers: 0, startsMs: [], blockedMs: [] };
  // Starts are noted where they are given: how long a request is on its way says how busy the machine is.
  const noted: SharedBudget = {
    take(nowMs, isUrgent) {
      const waitMs = budget.take(nowMs, isUrgent);
      if (waitMs === 0) report.startsMs.push(nowMs);
      return waitMs;
    },
    block(nowMs, ms) {
      budget.block(nowMs, ms);
      report.blockedMs.push(now());
    },
  };
  const client = await createServiceClient({
    ...shared,
    pace: createPace({ rate: limit, budget: noted, now, sleep }),
  });
  process.stdout.write('ready\n');
  await once(process.stdin, 'data');
  for (; report.answers < requests; report.answers += 1) {
    await client.getJson('/thing', { n: report.answers });
    if (restMs > 0) await sleep(restMs);
  }
  await client.close();
  budget.close();
  process.stdin.destroy();
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

if (import.meta.main) await askAll(JSON.parse(process.argv[2]!));
