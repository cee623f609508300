import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '../../src/service/client.ts';
import { createPace } from '../../src/service/pace.ts';
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

const speed = 10;

/** A clock that runs 10 times as fast, in every process that is told the same beginning. */
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
  const warming = await createClient({ ...shared, pace: { turn: async () => {}, pause: () => {} } });
  await warming.getJson('/warm');
  await warming.close();
  const client = await createClient({ ...shared, pace: createPace({ rate: limit, budget, now, sleep }) });
  process.stdout.write('ready\n');
  await once(process.stdin, 'data');
  let answers = 0;
  for (; answers < requests; answers += 1) {
    await client.getJson('/thing', { n: answers });
    if (restMs > 0) await sleep(restMs);
  }
  await client.close();
  budget.close();
  process.stdin.destroy();
  process.stdout.write(`${answers}\n`);
}

if (import.meta.main) await askAll(JSON.parse(process.argv[2]!));
