import { mendMoments } from '../store/history/mended-moments.ts';
import type { Mirror } from '../store/mirror.ts';
import { atOnce } from '../store/transaction.ts';
import { refuseFutureMirror, steadyClock } from '../sync/clock.ts';
import { type Phrase, say } from '../words/speech.ts';
import { Flags } from './oclif.ts';

/** The flag that says that the clock of this machine is right. */
export const acceptClockFlag = Flags.boolean({
  description: 'go by the clock of this machine, whatever the service and the moments in the mirror say',
});

/**
 * The clock that a run keeps its moments by; throws a ClockError where the mirror holds moments that are still to come,
 * unless this clock is said to be right: then they are taken back to now, and `note` is told.
 */
export function clockOf(
  mirror: Mirror,
  { isAccepted, note }: { isAccepted: boolean; note: (line: Phrase) => void },
): { now: () => number; behindMs: number } {
  if (isAccepted) {
    const mended = atOnce(mirror, () => mendMoments(mirror, Date.now()));
    if (mended > 0)
      note(
        say`${mended} moments of the mirror were still to come: they were taken back to now, in their order (mended_moment has what they were)`,
      );
  } else refuseFutureMirror(mirror, Date.now());
  return steadyClock(mirror);
}
