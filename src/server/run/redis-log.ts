import { randomUUID } from 'node:crypto';
import { type CommandParser, createClient, defineScript } from '@redis/client';
import { ConfigurationError } from '../../errors.ts';
import { say } from '../../words/speech.ts';
import type { Admission } from '../sliding-log.ts';
import { Circuit } from './circuit.ts';

/** A log of admissions that several servers share. */
export type SharedLog = {
  /** Admits a request as `SlidingLog` does; rejects where the store does not answer. */
  admit(key: string, windowMs: number, max: number): Promise<Admission>;
  close(): void;
};

/** Are told once whenever a store is lost, and whenever it is found again. */
export type StoreWatch = { onLost: (error: Error & { code?: string }) => void; onFound: () => void };

/** The store is asked for every request: who waits longer is better served without it. */
const patienceMs = 500;

/** How long it may take to connect. */
const connectMs = 2000;

/** How often a store that is lost is looked for. */
const retryMs = 1000;

/**
 * The sliding log of one caller, as a sorted set by time in microseconds. The store's clock is the only one, so that
 * processes on several machines agree; what is from its future was left by a clock that was set back.
 */
const admitLua = `
local window, max = tonumber(ARGV[1]) * 1000, tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local text = function (number) return string.format('%.0f', number) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. text(now - window))
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. text(now), '+inf')
local current = redis.call('ZCARD', KEYS[1]) + 1
if current <= max then
  redis.call('ZADD', KEYS[1], text(now), ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[1] + 1000)
else
  current = max + 1
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] or now
return { current, math.ceil((oldest + window - now) / 1000) + 1 }`;

const admitScript = defineScript({
  SCRIPT: admitLua,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser: CommandParser, key: string, windowMs: number, max: number) {
    parser.pushKey(key);
    parser.push(String(windowMs), String(max), randomUUID());
  },
  transformReply: (reply: [number, number]) => ({ current: reply[0], ttl: reply[1] }),
});

/**
 * Opens the log in a Redis or Valkey. While that does not answer it is not asked, and looked for in the background.
 * Returns when it is connected, or once that failed for the first time.
 */
export async function openRedisLog(url: string, { onLost, onFound }: StoreWatch): Promise<SharedLog> {
  refuseForeign(url);
  const circuit = new Circuit({
    connect: (lose) => connected(url, lose),
    retryMs,
    onLost: (error) => onLost(error as Error),
    onFound,
  });
  await circuit.open();
  return {
    admit: (key, windowMs, max) =>
      circuit.ask((client) => within(patienceMs, client.admit(`hemicycle:limit:${key}`, windowMs, max))),
    close: () => circuit.close(),
  };
}

/** A client whose store has counted; a store that only accepts connections, or cannot write, is none. */
async function connected(url: string, lose: (error: unknown) => void) {
  const client = clientOf(url);
  client.on('error', lose);
  try {
    await within(connectMs, client.connect());
    await within(patienceMs, client.admit('hemicycle:limit-probe', 1, 1));
    return client;
  } catch (error) {
    client.destroy();
    throw error;
  }
}

function refuseForeign(url: string): void {
  if (URL.canParse(url) && /^(redis|valkey)s?:$/.test(new URL(url).protocol)) return;
  throw new ConfigurationError(
    say`the limit store is not an address of Redis or Valkey`,
    say`it should look like redis://127.0.0.1:6379`,
  );
}

function clientOf(url: string) {
  return createClient({
    url: url.replace(/^valkey/, 'redis'),
    scripts: { admit: admitScript },
    // What cannot be asked now is answered without the store, not later.
    disableOfflineQueue: true,
    // The circuit connects again.
    socket: { connectTimeout: connectMs, reconnectStrategy: false },
  });
}

async function within<Result>(ms: number, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it did not answer in time')), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
