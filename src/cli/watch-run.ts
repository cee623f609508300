import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeliveryError } from '../errors.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import type { OutputSinks } from '../format/sink.ts';
import { takeLock } from '../store/lock.ts';
import type { Mirror } from '../store/mirror.ts';
import { openMirror } from '../store/open.ts';
import { reviveDead } from '../store/outbox.ts';
import type { CitationSettings } from '../store/records/citation.ts';
import { listWatches, openWatchesIfAny, type WatchBook, watchPath } from '../store/watches.ts';
import type { SendingSettings } from '../watches/channel.ts';
import { channelKinds } from '../watches/channels.ts';
import { runWatches, type WatchReport } from '../watches/run.ts';
import { figure, type Phrase, say, saying, textIn, type UserText } from '../words/speech.ts';
import type { CommonFlags } from './base-command.ts';
import type { Settings } from './settings.ts';
import { noWatch, sendingSettings } from './watch-command.ts';

/** Result of a run of watches: its report, a one-sentence summary, and an error if messages were refused. */
export type WatchesRun = { report: WatchReport; text: Phrase; error: DeliveryError | null };

type Running = {
  citation: CitationSettings;
  settings: SendingSettings;
  signal: AbortSignal;
  only?: number[];
  note(line: UserText): void;
};

/** Registers a resource to close when the command ends; returns it. */
export type Closing = <Opened extends { close(): void | Promise<void> }>(opened: Opened) => Opened;

/** Options of a run of watches; each opened resource is registered with `closing`. */
type Opening = {
  settings: Settings;
  userAgent: string;
  closing: Closing;
  signal: AbortSignal;
  note(line: UserText): void;
  /** Name of the only watch to run; all run if it is omitted. */
  name?: string | undefined;
  /** True to retry messages that were given up. */
  isRetried?: boolean;
  /** Longest wait for another run's lock, in milliseconds. */
  waitMs?: number;
};

/**
 * Runs the watches of a mirror under a lock, so that nothing is sent twice; null if there are none. Throws a
 * LockedError while another run holds the lock, and a NotFoundError for an unknown name.
 */
export async function runWatchesOf(opening: Opening): Promise<WatchesRun | null> {
  const { settings, userAgent, closing, name, isRetried = false, waitMs = 0, signal, note } = opening;
  const book = openWatchesIfAny(settings.db);
  if (!book) {
    if (name !== undefined) throw noWatch(name);
    return null;
  }
  closing(book);
  const lock = await takeLock(watchPath(settings.db), { waitMs, sleep });
  closing({ close: () => lock.release() });
  const mirror = closing(openMirror(settings.db));
  if (isRetried) reviveDead(book, new Date().toISOString());
  const [named] = name === undefined ? [] : listWatches(book, name);
  if (name !== undefined && !named) throw noWatch(name);
  const only = named ? { only: [named.id] } : {};
  return tellWatches(book, mirror, {
    ...only,
    citation: settings,
    settings: sendingSettings(settings, userAgent),
    signal,
    note,
  });
}

/** Runs the watches after a sync; returns an error if messages were refused, else null. */
export async function tellAfterSync({
  flags: { quiet, json },
  sinks: { stdout, stderr },
  ...opening
}: Omit<Opening, 'note'> & { flags: CommonFlags; sinks: OutputSinks }): Promise<DeliveryError | null> {
  if (!existsSync(opening.settings.db)) return null;
  const note = (line: UserText) => void (quiet || stderr(line));
  const ended = await runWatchesOf({ ...opening, note, waitMs: 60_000 });
  if (ended === null) return null;
  const { lang: language } = opening.settings;
  if (!quiet && !json) await stdout.write(`${textIn(ended.text, language)}\n`);
  return ended.error?.withRemark(say`the mirror is up to date; its watches have not told all`) ?? null;
}

/** Runs watches on a mirror and sends what is new; each refusal of a channel is noted as it comes. */
async function tellWatches(
  book: WatchBook,
  mirror: Mirror,
  { note, ...running }: Running,
): Promise<WatchesRun> {
  let first: string | null = null;
  const report = await runWatches(book, mirror, {
    ...running,
    kinds: channelKinds,
    now: Date.now,
    note({ watch, channel, reason, isDead }) {
      const line = sanitiseLine(reason);
      first ??= `${watch}: ${line}`;
      note(
        isDead
          ? say`${watch}, ${channel.kind}: ${line}; given up, see \`hemicycle watch list --dead\``
          : say`${watch}, ${channel.kind}: ${line}`,
      );
    },
  });
  for (const { watch, trouble } of report.troubles) note(say`${watch}: ${sanitiseLine(trouble)}`);
  const failed = report.failed + report.dead;
  const error =
    failed === 0
      ? null
      : new DeliveryError(
          say`${failed} messages were not taken`,
          saying(() => first ?? ''),
        );
  return { report, text: sentenceOf(report), error };
}

function sentenceOf({ watches, changes, told, waiting, dead_in_all }: WatchReport): Phrase {
  const parts = say`${figure(watches)} watches, ${figure(changes)} changes, ${figure(told)} messages told`;
  const waits = waiting > 0 ? say`; ${figure(waiting)} wait` : '';
  const dead = dead_in_all > 0 ? say`; ${figure(dead_in_all)} given up` : '';
  return say`${parts}${waits}${dead}`;
}
