import { DeliveryError, HemicycleError } from '../errors.ts';
import type { Mirror } from '../store/mirror.ts';
import {
  countMessages,
  dueMessages,
  type Message,
  newestSeq,
  pruneChanges,
  saveBundled,
  saveDelivery,
} from '../store/outbox.ts';
import { type CitationSettings, citationOf } from '../store/records/citation.ts';
import { lastFilled } from '../store/records/contents.ts';
import {
  type Channel,
  forgetContents,
  inOneStep,
  readWatch,
  type Watch,
  type WatchBook,
  watchIds,
} from '../store/watches.ts';
import type { ChannelKind, FeedChannel, MessageChannel, SendingSettings } from './channel.ts';
import { channelKindOf } from './channels.ts';
import { look } from './look.ts';
import { type Cited, type MessageBody, messageBody } from './message.ts';
import { shareAnswers } from './rows.ts';

/** Result of a run of all watches. */
export type WatchReport = {
  /** Watches that looked. */
  watches: number;
  /** Changes that were noticed. */
  changes: number;
  /** Messages and files delivered, failed in this run, and still waiting. */
  told: number;
  failed: number;
  waiting: number;
  /** Messages given up in this run, and in all. */
  dead: number;
  dead_in_all: number;
  /** Watches that could not look, and why. */
  troubles: { watch: string; trouble: string }[];
};

export type RunOptions = Omit<DeliverOptions, 'cited' | 'unanswered' | 'report'> & {
  citation: CitationSettings;
  /** Ids of the watches to run; all by default. */
  only?: number[];
};

/** Runs every watch on the mirror and delivers what is due. */
export async function runWatches(
  book: WatchBook,
  mirror: Mirror,
  { citation, only, ...options }: RunOptions,
): Promise<WatchReport> {
  const { signal, now } = options;
  const cited = { citation: citationOf(citation, mirror), retrievedAt: lastFilled(mirror) };
  const unanswered = new Set<string>();
  const shared = shareAnswers();
  const report: WatchReport = {
    ...{ watches: 0, changes: 0, told: 0, failed: 0, waiting: 0, dead: 0, dead_in_all: 0 },
    troubles: [],
  };
  for (const id of only ?? watchIds(book)) {
    if (signal.aborted) break;
    const watch = readWatch(book, id);
    if (!watch) continue;
    const changes = await look(book, mirror, watch, { nowMs: now(), shared, kinds: options.kinds });
    const looked = readWatch(book, id);
    if (!looked) continue;
    await deliver(book, looked, { ...options, cited, unanswered, report });
    report.watches += 1;
    report.changes += changes;
    if (looked.trouble !== null) report.troubles.push({ watch: looked.name, trouble: looked.trouble });
    if (changes > 0) pruneChanges(book, id, now());
  }
  if (report.changes > 0) inOneStep(book, () => forgetContents(book));
  report.waiting = countMessages(book, 'waiting');
  report.dead_in_all = countMessages(book, 'dead');
  return report;
}

type DeliverOptions = {
  cited: Cited;
  settings: SendingSettings;
  /** The table of channels. */
  kinds: readonly ChannelKind[];
  now: () => number;
  /** Aborted where the run is to end: the message under way is sent, and nothing more. */
  signal: AbortSignal;
  /** Receivers that did not answer in this run; their messages wait for the next. */
  unanswered: Set<string>;
  /** Counts what was delivered, failed for now, or was given up. */
  report: Pick<WatchReport, 'told' | 'failed' | 'dead'>;
  note(failure: { watch: string; channel: Channel; reason: string; isDead: boolean }): void;
};

type ChannelDelivery = DeliverOptions & { book: WatchBook; watch: Watch; channel: Channel };

/** Sends what the channels of a watch have to tell by now; each result is saved before the next message is sent. */
async function deliver(book: WatchBook, watch: Watch, options: DeliverOptions): Promise<void> {
  for (const channel of watch.channels) {
    if (options.signal.aborted) break;
    const delivery = { ...options, book, watch, channel };
    try {
      const kind = channelKindOf(channel, options.kinds);
      if (kind.delivers === 'feed') await writeFeed(kind, delivery);
      else await sendDue(kind, delivery);
    } catch (error) {
      if (!(error instanceof HemicycleError)) throw error;
      options.report.failed += 1;
      options.note({ watch: watch.name, channel, reason: error.message, isDead: false });
    }
  }
}

/** Sends a test through one channel; throws a HemicycleError where it was not taken. */
export async function deliverTest(
  book: WatchBook,
  { watch, channel, body }: { watch: Watch; channel: Channel; body: MessageBody },
  { cited, settings }: Pick<DeliverOptions, 'cited' | 'settings'>,
): Promise<void> {
  const kind = channelKindOf(channel);
  if (kind.delivers === 'feed') await kind.write(book, watch, channel, cited);
  else await kind.send(channel, { watch, body }, settings);
}

/** Writes a feed anew from all kept changes, so that an interrupted run neither loses nor repeats any. */
async function writeFeed(
  kind: FeedChannel,
  { book, watch, channel, cited, report }: ChannelDelivery,
): Promise<void> {
  const newest = newestSeq(book, watch.id);
  if (newest <= channel.bundled && kind.isWritten(channel)) return;
  await kind.write(book, watch, channel, cited);
  inOneStep(book, () => saveBundled(book, channel.id, newest));
  if (newest > channel.bundled) report.told += 1;
}

async function sendDue(kind: MessageChannel, delivery: ChannelDelivery): Promise<void> {
  const { book, watch, channel, report, now, signal, unanswered, note } = delivery;
  const receiver = kind.receiverOf(channel);
  for (const message of dueMessages(book, channel.id, new Date(now()).toISOString())) {
    if (signal.aborted || unanswered.has(receiver)) return;
    try {
      const body = messageBody(book, watch, message, delivery.cited);
      await kind.send(channel, { watch, body }, delivery.settings);
      saveDelivery(book, message, { state: 'delivered', at: new Date(now()).toISOString() });
      report.told += 1;
    } catch (error) {
      if (!(error instanceof HemicycleError)) throw error;
      const isDead = noteFailure(book, message, { nowMs: now(), error, backoffMs: kind.backoffMs });
      report[isDead ? 'dead' : 'failed'] += 1;
      note({ watch: watch.name, channel, reason: error.message, isDead });
      if (error instanceof DeliveryError && error.isUnanswered) unanswered.add(receiver);
      // Later messages must not arrive before this one.
      return;
    }
  }
}

/** The longest Retry-After that is honoured. */
const longestWaitMs = 24 * 3_600_000;

/** Saves a failed delivery and the next try; true if the message is given up. */
function noteFailure(
  book: WatchBook,
  message: Message,
  { nowMs, error, backoffMs }: { nowMs: number; error: HemicycleError; backoffMs: readonly number[] },
): boolean {
  const { isFinal, retryAfterMs } =
    error instanceof DeliveryError ? error : { isFinal: false, retryAfterMs: 0 };
  const usualMs = isFinal ? undefined : backoffMs[message.attempts];
  const waitMs = Math.max(usualMs ?? 0, Math.min(retryAfterMs, longestWaitMs));
  const state = usualMs === undefined ? 'dead' : 'waiting';
  saveDelivery(book, message, {
    state,
    at: new Date(nowMs).toISOString(),
    nextAt: new Date(nowMs + waitMs).toISOString(),
    error: error.message.slice(0, 500),
  });
  return state === 'dead';
}
