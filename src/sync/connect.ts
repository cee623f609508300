import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hrtime } from 'node:process';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { orNull } from '../errors.ts';
import { createServiceClient, type ServiceClient } from '../service/client.ts';
import type { ServiceClientOptions } from '../service/options.ts';
import { createPace } from '../service/pace.ts';
import { isLoopback } from '../service/public-address.ts';
import { type Budget, openBudget } from '../store/budget.ts';
import { whileOpen } from '../store/mirror.ts';
import { type Phrase, say } from '../words/speech.ts';

/** Options of a client: its service and limits, and the budget that its requests count against. */
export type ConnectOptions = Pick<
  ServiceClientOptions,
  'baseUrl' | 'token' | 'authHeader' | 'userAgent' | 'trace' | 'limits' | 'signal' | 'onDate'
> & {
  rate: number; // requests per minute
  stateFolder: string;
  /** True for interactive requests, which may use the whole budget. */
  isUrgent?: boolean;
  /** True for long runs, which leave part of the budget to interactive requests. */
  isSpread?: boolean;
  onWait?: (ms: number, reason: Phrase) => void;
  /** Receives notes about repairs of the budget file. */
  note?: ((text: string) => void) | undefined;
  /** Clock that stamps responses, milliseconds; the system clock by default. */
  now?: () => number;
};

/** Returns a client whose requests count against the budget shared by all processes of this user. */
export async function connectService(options: ConnectOptions): Promise<ServiceClient> {
  const { now = Date.now } = options;
  const { pace, sleep, close } = openSharedPace(options);
  const client = await createServiceClient({ ...options, pace, now, sleep });
  return {
    ...client,
    async close() {
      await client.close();
      close();
    },
  };
}

type SharedBudgetOptions = Pick<ConnectOptions, 'stateFolder' | 'rate' | 'baseUrl' | 'token' | 'isSpread' | 'note'>;

/** Opens the shared budget; returns the pace that it sets, an abortable sleep, and `close`. */
export function openSharedPace(options: SharedBudgetOptions & Pick<ConnectOptions, 'isUrgent' | 'signal' | 'onWait'>) {
  const { baseUrl, signal, onWait } = options;
  const budget = openSharedBudget(options);
  const sleep = (ms: number) => sleepFor(ms, undefined, signal ? { signal } : {});
  const pace = createPace({
    ...options,
    origin: new URL(baseUrl).origin,
    budget,
    now: bootClock().now,
    wallNow: () => Date.now(),
    sleep,
    onWait: (ms) => onWait?.(ms, say`the rate limit`),
  });
  return { pace, sleep, close: () => budget.close() };
}

/** Returns the boot id and the milliseconds since the boot, which nobody can set; else '' and the system clock. */
export function bootClock(): { boot: string; now: () => number } {
  const boot = orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  if (boot === null) return { boot: '', now: () => Date.now() };
  // CLOCK_MONOTONIC counts from the boot on Linux.
  return { boot, now: () => Number(hrtime.bigint() / 1_000_000n) };
}

/** Returns the host and port that own a budget; no IP address, since services behind a CDN share and change them. */
export function budgetHost(baseUrl: string): string {
  const { hostname, port } = new URL(baseUrl);
  return `${isLoopback(hostname) ? 'localhost' : hostname.replace(/\.$/, '')}:${port}`;
}

/** Ends, for all processes, a pause that the service requested. */
export function liftBlock(options: SharedBudgetOptions): void {
  whileOpen(openSharedBudget(options), ({ unblock }) => unblock());
}

/** Opens the budget of a host and token, which counts by the boot clock; only a hash of the token is stored. */
export function openSharedBudget(options: SharedBudgetOptions): Budget {
  const { stateFolder, rate, baseUrl, token, isSpread = false, note } = options;
  const identity = token === null ? 'anonymous' : createHash('sha256').update(token).digest('hex').slice(0, 16);
  return openBudget(join(stateFolder, 'budget.db'), {
    account: `${budgetHost(baseUrl)} ${identity} ${bootClock().boot}`.trim(),
    limit: rate,
    spreadsRequests: isSpread,
    note,
  });
}
