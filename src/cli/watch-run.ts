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

/** How a run of watches ended: its report, one sentence for people, and what was not taken as an error. */
export type WatchesRun = { report: WatchReport; text: Phrase; error: DeliveryError | null };

type Running = {
  citation: CitationSettings;
  settings: SendingSettings;
  signal: AbortSignal;
  only?: number[];
  note(line: UserText): void;
};

/** Has what is opened closed when the command ends. */
export type Closing = <Opened extends { close(): void | Promise<void> }>(opened: Opened) => Opened;

/** What a command opens watches with; everything opened is handed to `closing`. */
type Opening = {
  settings: Settings;
  userAgent: string;
  closing: Closing;
  signal: AbortSignal;
  note(line: UserText): void;
  /** The one watch that is to run; all of them where it is not given. */
  name?: string | undefined;
  /** True where what was given up is to be tried once more. */
  isRetried?: boolean;
  /** How long to wait for another run that tells. */
  waitMs?: number;
};

/**
 * Has the watches of a mirror look and tell what is new, alone, so that nothing is told twice; null where nobody made any.
 * Throws a LockedError while another run tells, and a NotFoundError for a name that no watch has.
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

/** Has the watches tell what a sync brought; returns what was not taken as an error, null where all was. */
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

/** Has watches look at a mirror and tell what is new; what a channel refuses is told as it comes. */
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
