import { ConfigurationError } from '../../errors.ts';
import { say } from '../../words/speech.ts';
import { type AdmissionLog, SlidingLog } from '../sliding-log.ts';
import { remark, type ServeRun, type Telling } from './parts.ts';
import type { SharedLog } from './redis-log.ts';

/** Where the requests to one server are counted, whatever the number of its processes: here, or in the store of its flags. */
export async function openAdmissions(run: ServeRun, { log, onFailure }: Telling): Promise<AdmissionLog> {
  const { flags, closing } = run;
  const own = new SlidingLog(Date.now);
  const url = flags['limit-store'];
  if (url === undefined || flags['rate-limit'] === 'off') return own;
  const { openRedisLog } = await import('./redis-log.ts');
  const isOpen = flags['limit-store-down'] === 'open';
  const meanwhile = isOpen ? 'this server counts alone' : 'requests are refused (503)';
  // Named without its password.
  const store = () => `the limit store at ${new URL(url).host}`;
  const shared = await openRedisLog(url, {
    onLost: ({ code, message }) =>
      onFailure(
        new ConfigurationError(
          say`${store()} cannot be used (${code ?? message})`,
          say`until it answers again, ${meanwhile} (--limit-store-down)`,
        ),
      ),
    onFound() {
      const text = `${store()} answers again`;
      if (log) log.note(text);
      else remark(run, text);
    },
  });
  closing(shared);
  return isOpen ? withFallback(shared, own) : shared;
}

/**
 * Counts in the shared log and in the own one alike, so that neither the loss of the shared one nor its return gives
 * anybody a second quota; while it is lost the own one counts alone.
 */
function withFallback(shared: SharedLog, own: SlidingLog): AdmissionLog {
  return {
    async admit(key, windowMs, max) {
      // Before the shared one is asked: whoever waits as long as that says is not refused here for the time between.
      const counted = own.admit(key, windowMs, max);
      if (counted.current > max) return counted;
      const answer = await shared.admit(key, windowMs, max).catch(() => null);
      if (answer === null) return counted;
      if (answer.current > max) own.withdraw(key);
      return answer;
    },
  };
}
