import { setImmediate } from 'node:timers/promises';
import { pacedSink } from '../format/sink.ts';
import type { ExportWatch } from '../terminal/export-progress.ts';
import type { ExportPart } from './part.ts';

/** What to throw once a run is to end; null until then. */
export type Interruption = () => Error | null;

const signalEveryMs = 20;

/** The same watch, which throws what `interruption` answers as soon as it answers anything. */
export function interruptibleWatch(
  watch: ExportWatch | undefined,
  interruption: Interruption,
  now: () => number,
): ExportWatch {
  const pause = pausing(interruption, now);
  return (table, rows) => {
    const turn = pause();
    if (!turn) return watch?.(table, rows);
    return turn.then(() => watch?.(table, rows));
  };
}

/** The same part, whose writing throws what `interruption` answers, at the latest when all of it is written. */
export function interruptiblePart(
  part: ExportPart,
  interruption: Interruption,
  now: () => number,
): ExportPart {
  return {
    ...part,
    async write(sink) {
      const rows = await part.write(pacedSink(sink, pausing(interruption, now)));
      await refuseInterrupted(interruption);
      return rows;
    },
  };
}

/** Gives a signal its turn; throws what `interruption` answers, if anything. */
export async function refuseInterrupted(interruption: Interruption): Promise<void> {
  await setImmediate();
  const error = interruption();
  if (error) throw error;
}

/** To be called often: refuses an interrupted run as often as a person would notice. */
function pausing(interruption: Interruption, now: () => number): () => Promise<void> | undefined {
  let dueMs = now() + signalEveryMs;
  return () => {
    const ms = now();
    if (ms < dueMs) return;
    dueMs = ms + signalEveryMs;
    return refuseInterrupted(interruption);
  };
}
