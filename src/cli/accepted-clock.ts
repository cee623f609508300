import { mendMoments } from '../store/history/mended-moments.ts';
import type { Mirror } from '../store/mirror.ts';
import { atOnce } from '../store/transaction.ts';
import { refuseFutureMirror, steadyClock } from '../sync/clock.ts';
import { type Phrase, say } from '../words/speech.ts';
import { Flags } from './oclif.ts';

/** The flag `--accept-clock`: trust the clock of this machine. */
export const acceptClockFlag = Flags.boolean({
  description: 'go by the clock of this machine, whatever the service and the moments in the mirror say',
});

/**
 * Returns the steady clock of a run. Throws a ClockError if the mirror holds future moments; with
 * `isAccepted` they are moved back to now instead, and `note` reports how many.
 */
export function clockOf(
  mirror: Mirror,
  { isAccepted, note }: { isAccepted: boolean; note: (line: Phrase) => void },
): { now: () => number; behindMs: number } {
  if (isAccepted) {
    const mended = atOnce(mirror, () => mendMoments(mirror, Date.now()));
    if (mended > 0)
      note(
        say`${mended} moments of the mirror were in the future: they were moved back to now, in their order (mended_moment keeps the originals)`,
      );
  } else refuseFutureMirror(mirror, Date.now());
  return steadyClock(mirror);
}
