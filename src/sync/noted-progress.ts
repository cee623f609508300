import { noteProgress } from '../store/runs.ts';
import type { SyncContext, SyncProgress } from './context.ts';

/** How often it is written at most, in milliseconds. */
const everyMs = 1000;

/** Tells `progress`, and notes in the mirror how far run number `run` is, for those who read it meanwhile. */
export function notedProgress(
  { mirror, client, now, progress }: Pick<SyncContext, 'mirror' | 'client' | 'now' | 'progress'>,
  run: number,
): SyncProgress {
  let at: { stage: string; done: number; total: number | null } | null = null;
  let notedMs = Number.NEGATIVE_INFINITY;
  const note = () => {
    const nowMs = now();
    if (at === null || nowMs - notedMs < everyMs) return;
    notedMs = nowMs;
    noteProgress(mirror, {
      run,
      ...at,
      requests: client.tally.requests,
      noted_at: new Date(nowMs).toISOString(),
    });
  };
  return {
    stage(name, total) {
      progress.stage(name, total);
      at = { stage: name, done: 0, total };
      notedMs = Number.NEGATIVE_INFINITY;
      note();
    },
    advance(done, detail) {
      progress.advance(done, detail);
      if (at) at.done = done;
      note();
    },
    note: (line) => progress.note(line),
  };
}
