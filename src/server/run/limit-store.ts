import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError } from '../../errors.ts';
import { say } from '../../words/speech.ts';
import { createRequestCounter, type RequestCount, type RequestCounter, windowMs } from '../request-counter.ts';
import type { ServerLog } from './request-log.ts';
import type { ServeRun } from './settings.ts';

/** Opens the request counter of a server and its workers: in memory, or in the Redis or Valkey of `--limit-store`. */
export async function openRequestCounter(
  { flags, closeAtEnd }: ServeRun,
  { logError, note }: Pick<ServerLog, 'logError' | 'note'>,
): Promise<RequestCounter> {
  const localCounter = createRequestCounter();
  const url = flags['limit-store'];
  if (url === undefined || flags['rate-limit'] === 'off') return localCounter;
  const allowsFallback = flags['limit-store-down'] === 'open';
  const fallbackText = allowsFallback ? say`this server counts alone` : say`requests are refused (503)`;
  // The host only: the URL may contain a password.
  const describeStore = () => say`the limit store at ${new URL(url).host}`;
  const sharedCounter = await openRedisCounter(url, {
    onUnavailable({ code, message }) {
      const hint = say`until it responds again, ${fallbackText} (--limit-store-down)`;
      logError(new ConfigurationError(say`${describeStore()} cannot be used (${code ?? message})`, hint));
    },
    onRecovered: () => note(`${describeStore()} answers again`),
  });
  closeAtEnd(sharedCounter);
  if (!allowsFallback) return sharedCounter;
  return {
    // Count in both counters, so that an outage does not reset quotas; the shared count applies while it is available.
    async count(key) {
      const localCount = localCounter.count(key);
      return (await Promise.resolve(sharedCounter.count(key)).catch(() => null)) ?? localCount;
    },
  };
}

/** Listeners, each called once when the store becomes unreachable or reachable again. */
type StoreEvents = { onUnavailable: (error: Error & { code?: string }) => void; onRecovered: () => void };

const callTimeoutMs = 500; // each request waits for one call
const connectTimeoutMs = 2000;
const retryMs = 1000; // interval of attempts to reconnect

/** Redis script that counts a request; the window of a caller begins with the first one. */
const countLua = `
local current = redis.call('INCR', KEYS[1])
if current == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { current, redis.call('PTTL', KEYS[1]) }`;

/** Opens the counter in Redis or Valkey; while the store is unreachable its calls reject at once. */
export async function openRedisCounter(url: string, { onUnavailable, onRecovered }: StoreEvents) {
  const hint = say`it should look like redis://127.0.0.1:6379`;
  if (!/^(redis|valkey)s?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new ConfigurationError(say`the limit store is not an address of Redis or Valkey`, hint);
  // Loaded only here: few servers share their limits.
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url: url.replace(/^valkey/, 'redis'),
    disableOfflineQueue: true,
    socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: retryMs },
  });
  const count = async (key: string): Promise<RequestCount> => {
    const input = { keys: [`hemicycle:window:${key}`], arguments: [String(windowMs)] };
    const [current, ttl] = (await withTimeout(callTimeoutMs, client.eval(countLua, input))) as [number, number];
    return { current, ttl };
  };
  let isUnavailable = false;
  const handleDisconnect = (error: Error) => {
    if (isUnavailable) return;
    isUnavailable = true;
    onUnavailable(error);
    void waitForRecovery();
  };
  const waitForRecovery = async () => {
    while (isUnavailable && client.isOpen) {
      await sleep(retryMs, null, { ref: false });
      isUnavailable = (await count('probe').catch(() => null)) === null;
    }
    if (!isUnavailable) onRecovered();
  };
  client.on('error', handleDisconnect);
  client.connect().catch(handleDisconnect);
  await withTimeout(connectTimeoutMs, once(client, 'ready')).catch(handleDisconnect);
  return {
    async count(key: string): Promise<RequestCount> {
      if (isUnavailable) throw new Error('the limit store did not answer a moment ago');
      return count(key).catch((error: Error) => {
        handleDisconnect(error);
        throw error;
      });
    },
    close: () => client.destroy(),
  };
}

async function withTimeout<Result>(ms: number, promise: Promise<Result>): Promise<Result> {
  const timeout = sleep(ms, null, { ref: false }).then(() => {
    throw new Error('it did not answer in time');
  });
  return Promise.race([promise, timeout]);
}
