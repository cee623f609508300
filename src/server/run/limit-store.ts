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
  { flags, closeAtEnd: closing }: ServeRun,
  { logError, note }: Pick<ServerLog, 'logError' | 'note'>,
): Promise<AdmissionLog> {
  const localLog = new SlidingLog(Date.now);
  const url = flags['limit-store'];
  if (url === undefined || flags['rate-limit'] === 'off') return localLog;
  const allowsFallback = flags['limit-store-down'] === 'open';
  const fallbackText = allowsFallback ? 'this server counts alone' : 'requests are refused (503)';
  // The host only: the URL may contain a password.
  const storeName = () => `the limit store at ${new URL(url).host}`;
  const sharedLog = await openRedisLog(url, {
    onLost: ({ code, message }) =>
      logError(
        new ConfigurationError(
          say`${storeName()} cannot be used (${code ?? message})`,
          say`until it responds again, ${fallbackText} (--limit-store-down)`,
        ),
      ),
    onRecovered: () => note(`${storeName()} answers again`),
  });
  closing(sharedLog);
  return allowsFallback ? withFallback(sharedLog, localLog) : sharedLog;
}

/** Counts in both logs: during an outage of the shared log the local one decides, and gives nobody a second quota. */
function withFallback(sharedLog: SharedLog, localLog: SlidingLog): AdmissionLog {
  return {
    async admit(key, windowMs, max) {
      // Counted here first, so that a caller who waits for the shared `ttl` is not refused here.
      const localAdmission = localLog.admit(key, windowMs, max);
      if (localAdmission.current > max) return localAdmission;
      const sharedAdmission = await sharedLog.admit(key, windowMs, max).catch(() => null);
      if (sharedAdmission === null) return localAdmission;
      if (sharedAdmission.current > max) localLog.withdraw(key);
      return sharedAdmission;
    },
  };
}

/** An admission log shared by several servers. */
export type SharedLog = Awaited<ReturnType<typeof openRedisLog>>;

/** Called once each time the store is lost or reachable again. */
type StoreEvents = { onLost: (error: Error & { code?: string }) => void; onRecovered: () => void };

/** Timeout of a call: each request waits for one. */
const callTimeoutMs = 500;

const connectTimeoutMs = 2000;

const retryMs = 1000;

// Also removes entries in the future, which stay when the store's clock is set back.
/** Sliding log of a caller: a sorted set by the store's clock in µs, so that several machines agree. */
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
export async function openRedisLog(url: string, { onLost, onRecovered }: StoreEvents) {
  refuseOtherProtocols(url);
  let client: Connection | null = null;
  let isClosed = false;
  let retryTimer: NodeJS.Timeout | undefined;
  const handleLoss = (lostClient: Connection | null, error: unknown) => {
    // All pending calls fail together; only the first reports it.
    if (client !== lostClient) return;
    client = null;
    lostClient?.destroy();
    onLost(error as Error);
    reconnect();
  };
  const connect = async (report = () => {}) => {
    const newClient = await connectClient(url);
    if (isClosed) return newClient.destroy();
    newClient.on('error', (error) => handleLoss(newClient, error));
    client = newClient;
    report();
  };
  const reconnect = () => {
    if (isClosed) return;
    retryTimer = setTimeout(() => connect(onRecovered).catch(reconnect), retryMs);
  };
  await connect().catch((error) => handleLoss(null, error));
  return {
    /** Admits a request as `SlidingLog` does; rejects while the store is unavailable. */
    async admit(key: string, windowMs: number, max: number): Promise<Admission> {
      const currentClient = client;
      if (currentClient === null) throw new Error('it did not answer a moment ago and is not asked now');
      try {
        return await withTimeout(callTimeoutMs, currentClient.admit(`hemicycle:limit:${key}`, windowMs, max));
      } catch (error) {
        handleLoss(currentClient, error);
        throw error;
      }
    },
    close() {
      isClosed = true;
      clearTimeout(retryTimer);
      client?.destroy();
      client = null;
    },
  };
}

type Connection = Awaited<ReturnType<typeof connectClient>>;

/** Returns a client after one test admission, which fails on a store that hangs or is read-only. */
async function connectClient(url: string) {
  // Loaded only here: few servers share their limits.
  const { createClient, defineScript } = await import('@redis/client');
  const client = createClient({
    url: url.replace(/^valkey/, 'redis'),
    scripts: { admit: defineScript(admitScript) },
    // Calls fail at once while disconnected, instead of waiting.
    disableOfflineQueue: true,
    // `openRedisLog` reconnects.
    socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: false },
  });
  // Without a listener an error would end the process; the calls below reject too.
  client.on('error', () => {});
  try {
    await withTimeout(connectTimeoutMs, client.connect());
    await withTimeout(callTimeoutMs, client.admit('hemicycle:limit-probe', 1, 1));
    return client;
  } catch (error) {
    client.destroy();
    throw error;
  }
}

function refuseOtherProtocols(url: string): void {
  if (URL.canParse(url) && /^(redis|valkey)s?:$/.test(new URL(url).protocol)) return;
  const hint = say`it should look like redis://127.0.0.1:6379`;
  throw new ConfigurationError(say`the limit store is not an address of Redis or Valkey`, hint);
}

async function withTimeout<Result>(ms: number, promise: Promise<Result>): Promise<Result> {
  const timeout = sleep(ms, null, { ref: false }).then(() => {
    throw new Error('it did not answer in time');
  });
  return Promise.race([promise, timeout]);
}
