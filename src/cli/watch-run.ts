import { setTimeout as sleep } from 'node:timers/promises';
import { DeliveryError } from '../errors.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import { takeLock } from '../store/lock.ts';
import { reviveDead } from '../store/outbox.ts';
import { openWatchesIfAny, watchPath } from '../store/watches.ts';
import { channelKinds } from '../watches/channels.ts';
import { runWatches, type WatchReport } from '../watches/run.ts';
import { figure, type Phrase, say } from '../words/speech.ts';
import type { HemicycleCommand } from './base-command.ts';
import type { Settings } from './settings.ts';
import { noWatch, sendingSettings, watchNamed } from './watch-command.ts';

/** Result of a run of watches: its report, a one-sentence summary, and an error if messages were refused. */
type WatchesRun = { report: WatchReport; text: Phrase; error: DeliveryError | null };

/** Options of a run of watches. */
type WatchRunOptions = {
  signal: AbortSignal;
  /** Name of the only watch to run; all run if it is omitted. */
  name?: string | undefined;
  /** True to retry messages that were given up. */
  isRetried?: boolean;
  /** Longest wait for another run's lock, in milliseconds. */
  waitMs?: number;
};

/**
 * Runs the watches of a mirror under a lock, so that nothing is sent twice; null if there are none. Each
 * refusal of a channel is noted as it comes. Throws a LockedError while another run holds the lock, and a
 * NotFoundError for an unknown name.
 */
export async function runWatchesOf(
  command: HemicycleCommand,
  settings: Settings,
  { name, isRetried = false, waitMs = 0, signal }: WatchRunOptions,
): Promise<WatchesRun | null> {
  const book = openWatchesIfAny(settings.db);
  if (!book) {
    if (name !== undefined) throw noWatch(name);
    return null;
  }
  command.closing(book);
  command.closing(await takeLock(watchPath(settings.db), { waitMs, sleep }));
  const mirror = command.mirror(settings);
  if (isRetried) reviveDead(book, new Date().toISOString());
  let first: string | null = null;
  const report = await runWatches(book, mirror, {
    ...(name === undefined ? {} : { only: [watchNamed(book, name).id] }),
    citation: settings,
    settings: sendingSettings(settings, command.userAgent),
    signal,
    kinds: channelKinds,
    now: Date.now,
    note({ watch, channel, reason, isDead }) {
      const line = sanitiseLine(reason);
      first ??= `${watch}: ${line}`;
      command.note(
        isDead
          ? say`${watch}, ${channel.kind}: ${line}; given up, see \`hemicycle watch list --dead\``
          : say`${watch}, ${channel.kind}: ${line}`,
      );
    },
  });
  for (const { watch, trouble } of report.troubles) command.note(say`${watch}: ${sanitiseLine(trouble)}`);
  const failed = report.failed + report.dead;
  const error =
    failed === 0 ? null : new DeliveryError(say`${failed} messages were not delivered`, first ?? '');
  return { report, text: sentenceOf(report), error };
}

function sentenceOf({ watches, changes, told, waiting, dead_in_all }: WatchReport): Phrase {
  const parts = say`${figure(watches)} watches, ${figure(changes)} changes, ${figure(told)} messages told`;
  const waits = waiting > 0 ? say`; ${figure(waiting)} wait` : '';
  const dead = dead_in_all > 0 ? say`; ${figure(dead_in_all)} given up` : '';
  return say`${parts}${waits}${dead}`;
}
