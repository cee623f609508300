import { existsSync } from 'node:fs';
import { StaleError } from '../../errors.ts';
import { createEditionFetcher } from '../../export/edition-fetcher.ts';
import { readEditionMark } from '../../store/edition-mark.ts';
import { say } from '../../words/speech.ts';
import type { ServerLog } from './request-log.ts';
import { bucketAccess, type ServeRun } from './settings.ts';
import { scheduleRuns } from './sync-schedule.ts';

/** Installs the mirror from the bucket of `--edition` if missing, or throws; then installs newer ones, with retries. */
export async function followEdition({ flags, settings: { db }, closeAtEnd }: ServeRun, log: ServerLog): Promise<void> {
  const location = flags.edition!;
  const fetchEdition = createEditionFetcher(location, db, bucketAccess);
  let lastFailure: string | null = null;
  const update = async () => {
    try {
      const mark = await fetchEdition();
      if (mark !== null) log.note(`edition of ${mark.made_at}: ${location}`);
      lastFailure = null;
      return 0; // exit code, as of a child process
    } catch (error) {
      const { message } = error as Error;
      const hint = say`serving that of ${readEditionMark(db)?.made_at ?? '?'}`;
      if (message !== lastFailure) log.logError(new StaleError(say`${location}: no newer edition: ${message}`, hint));
      lastFailure = message;
      return 1;
    }
  };
  // A server killed during its first download leaves the edition's mark without a mirror.
  if (!existsSync(db) || readEditionMark(db)?.location !== location) await fetchEdition();
  const updates = scheduleRuns({
    everyMs: (flags['edition-every'] ?? 60) * 1000,
    lastEndedAt: () => null,
    startRun: () => ({ exitCode: update(), stop() {} }),
    onEnd() {},
  });
  // Not awaited: a download may take long, and the next start repeats it.
  closeAtEnd({ close: () => void updates.stop() });
}
