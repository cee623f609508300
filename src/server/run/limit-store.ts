import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandParser } from '@redis/client';
import { ConfigurationError } from '../../errors.ts';
import { say } from '../../words/speech.ts';
import { type Admission, type AdmissionLog, SlidingLog } from '../sliding-log.ts';
import type { ServerLog } from './request-log.ts';
import type { ServeRun } from './settings.ts';

/** Opens the admission log of a server and its workers: in memory, or in the store of its flags. */
export async function openAdmissions(
  { flags, closing }: ServeRun,
  { failed, note }: Pick<ServerLog, 'failed' | 'note'>,
): Promise<AdmissionLog> {
  const own = new SlidingLog(Date.now);
  const url = flags['limit-store'];
  if (url === undefined || flags['rate-limit'] === 'off') return own;
  const isOpen = flags['limit-store-down'] === 'open';
  const meanwhile = isOpen ? 'this server counts alone' : 'requests are refused (503)';
  // The host only: the URL may contain a password.
  const store = () => `the limit store at ${new URL(url).host}`;
  const shared = await openRedisLog(url, {
    onLost: ({ code, message }) =>
      failed(
        new ConfigurationError(
          say`${store()} cannot be used (${code ?? message})`,
          say`until it responds again, ${meanwhile} (--limit-store-down)`,
        ),
      ),
    onRecovered: () => note(`${store()} answers again`),
  });
  closing(shared);
  return isOpen ? withFallback(shared, own) : shared;
}

/** Counts in both logs, so that an outage of the shared one gives nobody a second quota; the own log covers it. */
function withFallback(shared: SharedLog, own: SlidingLog): AdmissionLog {
  return {
    async admit(key, windowMs, max) {
      // Counted here first, so that a caller who waits for the shared `ttl` is not refused here.
      const counted = own.admit(key, windowMs, max);
      if (counted.current > max) return counted;
      const answer = await shared.admit(key, windowMs, max).catch(() => null);
      if (answer === null) return counted;
      if (answer.current > max) own.withdraw(key);
      return answer;
    },
  };
}

/** An admission log shared by several servers. */
export type SharedLog = Awaited<ReturnType<typeof openRedisLog>>;

/** Called once each time the store is lost or reachable again. */
type StoreWatch = { onLost: (error: Error & { code?: string }) => void; onRecovered: () => void };

/** Timeout of a call: each request waits for one. */
const patienceMs = 500;

const connectMs = 2000;

const retryMs = 1000;

// Entries later than the store's clock, left when it was set back, are removed.
/** The sliding log of a caller, as a sorted set by the store's clock in µs, so that several machines agree. */
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

const admitScript = {
  SCRIPT: admitLua,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser: CommandParser, key: string, windowMs: number, max: number) {
    parser.pushKey(key);
    parser.push(String(windowMs), String(max), randomUUID());
  },
  transformReply: (reply: [number, number]) => ({ current: reply[0], ttl: reply[1] }),
};

/** Opens the log in Redis or Valkey; after a failure calls reject at once, until a background reconnect succeeds. */
export async function openRedisLog(url: string, { onLost, onRecovered }: StoreWatch) {
  refuseForeign(url);
  const closing = new AbortController();
  const { signal } = closing;
  let client: Connection | null = null;
  const lose = (lost: Connection | null, error: unknown) => {
    // All pending calls fail together; only the first reports it.
    if (client !== lost) return;
    client = null;
    lost?.destroy();
    onLost(error as Error);
    void reconnect();
  };
  const connect = async () => {
    const opened = await connected(url);
    if (signal.aborted) return opened.destroy();
    opened.on('error', (error) => lose(opened, error));
    client = opened;
  };
  const reconnect = async () => {
    while (client === null) {
      await sleep(retryMs, null, { signal }).catch(() => {});
      if (signal.aborted) return;
      await connect().catch(() => {});
    }
    onRecovered();
  };
  await connect().catch((error) => lose(null, error));
  return {
    /** Admits a request as `SlidingLog` does; rejects while the store is unavailable. */
    async admit(key: string, windowMs: number, max: number): Promise<Admission> {
      const currentClient = client;
      if (currentClient === null) throw new Error('it did not answer a moment ago and is not asked now');
      try {
        return await within(patienceMs, currentClient.admit(`hemicycle:limit:${key}`, windowMs, max));
      } catch (error) {
        lose(currentClient, error);
        throw error;
      }
    },
    close() {
      closing.abort();
      client?.destroy();
      client = null;
    },
  };
}

type Connection = Awaited<ReturnType<typeof connected>>;

/** Returns a client after one test admission, which fails on a store that hangs or is read-only. */
async function connected(url: string) {
  // Loaded only here: few servers share their limits.
  const { createClient, defineScript } = await import('@redis/client');
  const client = createClient({
    url: url.replace(/^valkey/, 'redis'),
    scripts: { admit: defineScript(admitScript) },
    // Calls fail at once while disconnected, instead of waiting.
    disableOfflineQueue: true,
    // `openRedisLog` reconnects.
    socket: { connectTimeout: connectMs, reconnectStrategy: false },
  });
  // Without a listener an error would end the process; the calls below reject too.
  client.on('error', () => {});
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
  const hint = say`it should look like redis://127.0.0.1:6379`;
  throw new ConfigurationError(say`the limit store is not an address of Redis or Valkey`, hint);
}

async function within<Result>(ms: number, promise: Promise<Result>): Promise<Result> {
  const settled = new AbortController();
  const late = sleep(ms, null, { signal: settled.signal }).then(() => {
    throw new Error('it did not answer in time');
  });
  return Promise.race([promise, late]).finally(() => settled.abort());
}
