import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { createServiceClient, type ServiceClient } from '../service/client.ts';
import type { ServiceClientOptions } from '../service/options.ts';
import { createPace } from '../service/pace.ts';
import { type Budget, openBudget } from '../store/budget.ts';

export type ConnectOptions = Pick<
  ServiceClientOptions,
  'baseUrl' | 'token' | 'authHeader' | 'userAgent' | 'trace' | 'limits' | 'signal' | 'onDate'
> & {
  rate: number;
  stateFolder: string;
  /** True where a person waits for the answer. */
  isUrgent?: boolean;
  /** True for a run of many requests, which leaves room for people beside it. */
  isSpread?: boolean;
  /** Told of every wait, and what is waited for. */
  onWait?: (ms: number, awaited: string) => void;
  /** Told of what was mended on the way. */
  note?: (text: string) => void;
  /** The moment that answers are stamped with, milliseconds; the clock of this machine where it is not given. */
  now?: () => number;
};

/** A client of the service whose requests are counted in the budget that all processes of this user share. */
export async function connectService({
  rate,
  stateFolder,
  isUrgent = false,
  isSpread = false,
  now: stamp = Date.now,
  note,
  ...options
}: ConnectOptions): Promise<ServiceClient> {
  const budget = openSharedBudget({
    stateFolder,
    rate,
    baseUrl: options.baseUrl,
    token: options.token,
    isSpread,
    note,
  });
  const { signal, onWait } = options;
  const sleep = (ms: number) => sleepFor(ms, undefined, signal ? { signal } : {});
  const pace = createPace({
    rate,
    origin: new URL(options.baseUrl).origin,
    budget,
    isUrgent,
    // All processes count by the same clock.
    now: () => Date.now(),
    sleep,
    ...(onWait ? { onWait: (ms: number) => onWait(ms, 'the rate limit') } : {}),
    ...(signal ? { signal } : {}),
  });
  const client = await createServiceClient({ ...options, pace, now: stamp, sleep });
  return {
    ...client,
    async close() {
      await client.close();
      budget.close();
    },
  };
}

/** The budget of an origin and identity; the token itself is never written down. */
export function openSharedBudget({
  stateFolder,
  rate,
  baseUrl,
  token,
  isSpread = false,
  note,
}: {
  stateFolder: string;
  rate: number;
  baseUrl: string;
  token: string | null;
  isSpread?: boolean;
  note?: ((text: string) => void) | undefined;
}): Budget {
  const identity =
    token === null ? 'anonymous' : createHash('sha256').update(token).digest('hex').slice(0, 16);
  return openBudget(join(stateFolder, 'budget.db'), {
    account: `${new URL(baseUrl).origin} ${identity}`,
    limit: rate,
    isSpread,
    note,
  });
}
