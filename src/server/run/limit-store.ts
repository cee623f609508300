import { ConfigurationError } from '../../errors.ts';
import { say } from '../../words/speech.ts';
import { type AdmissionLog, SlidingLog } from '../sliding-log.ts';
import type { SharedLog } from './redis-log.ts';
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
  const { openRedisLog } = await import('./redis-log.ts');
  const isOpen = flags['limit-store-down'] === 'open';
  const meanwhile = isOpen ? 'this server counts alone' : 'requests are refused (503)';
  // The host only: the URL may contain a password.
  const store = () => `the limit store at ${new URL(url).host}`;
  const shared = await openRedisLog(url, {
    onLost: ({ code, message }) =>
      failed(
        new ConfigurationError(
          say`${store()} cannot be used (${code ?? message})`,
          say`until it answers again, ${meanwhile} (--limit-store-down)`,
        ),
      ),
    onFound: () => note(`${store()} answers again`),
  });
  closing(shared);
  return isOpen ? withFallback(shared, own) : shared;
}

/**
 * Counts in both logs, so that losing or regaining the shared one gives nobody a second quota. The own log
 * decides while the shared one is lost.
 */
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
