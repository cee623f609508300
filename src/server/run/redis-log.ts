import { randomUUID } from 'node:crypto';
import { type CommandParser, createClient, defineScript } from '@redis/client';
import { ConfigurationError } from '../../errors.ts';
import type { AdmissionLog } from '../sliding-log.ts';

/** A log of admissions that several processes share. */
export type SharedLog = {
  /** Admits a request as `SlidingLog` does; rejects where the store does not answer. */
  admit(key: string, windowMs: number, max: number): Promise<{ current: number; ttl: number }>;
  close(): void;
};

/** The store is asked for every request: who waits longer is better served without it. */
const patienceMs = 500;

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
 * Opens the log in a Redis or Valkey; it connects again by itself, and `onFailure` is told once whenever it is lost.
 * Returns when it is connected, or once that failed for the first time.
 */
export async function openRedisLog(url: string, onFailure: (error: unknown) => void): Promise<SharedLog> {
  const client = clientOf(url);
  let isUp = true;
  const noteUp = () => {
    isUp = true;
  };
  const noteDown = (error: Error & { code?: string }) => {
    if (isUp) onFailure(unusable(url, error));
    isUp = false;
  };
  await new Promise<void>((resolve) => {
    client.on('ready', resolve);
    client.on('error', (error) => {
      noteDown(error);
      resolve();
    });
    // Errors are told by the event; the promise is rejected only when the client is closed before it is connected.
    client.connect().catch(() => resolve());
  });
  return {
    async admit(key, windowMs, max) {
      try {
        const result = await patiently(client.admit(`hemicycle:limit:${key}`, windowMs, max));
        noteUp();
        return result;
      } catch (error) {
        noteDown(error as Error);
        throw error;
      }
    },
    close: () => client.destroy(),
  };
}

/** Names the store without its password. */
function unusable(url: string, { code, message }: Error & { code?: string }): ConfigurationError {
  return new ConfigurationError(
    `the limit store at ${new URL(url).host} cannot be used (${code ?? message})`,
    'it is asked again; meanwhile --limit-store-down says what happens',
  );
}

/** The shared log, in whose place each process counts by itself while that does not answer; null: the request fails. */
export function sharedStore(log: SharedLog, alone: AdmissionLog | null): AdmissionLog {
  if (!alone) return log;
  return {
    admit: (...request) => log.admit(...request).catch(() => alone.admit(...request)),
  };
}

function clientOf(url: string) {
  if (!URL.canParse(url) || !/^(redis|valkey)s?:$/.test(new URL(url).protocol)) {
    throw new ConfigurationError(
      'the limit store is not an address of Redis or Valkey',
      'it should look like redis://127.0.0.1:6379',
    );
  }
  return createClient({
    url: url.replace(/^valkey/, 'redis'),
    scripts: { admit: admitScript },
    // What cannot be asked now is answered without the store, not later.
    disableOfflineQueue: true,
    socket: { connectTimeout: 2000, reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 5000) },
  });
}

async function patiently<Result>(promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the limit store did not answer in time')), patienceMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
