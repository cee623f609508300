import { DeliveryError, HemicycleError } from '../errors.ts';
import type { Mirror } from '../store/mirror.ts';
import {
  closeChannel,
  countMessages,
  dueMessages,
  type Message,
  markBundled,
  newestSeq,
  pruneChanges,
  saveChanges,
  saveDelivery,
} from '../store/outbox.ts';
import type { CitationSettings } from '../store/records/contents.ts';
import { readAdmissionFilter } from '../store/tombstones.ts';
import { bookTransaction, type WatchBook } from '../store/watch-book.ts';
import { type Channel, eraseWithheldChanges, listWatches, readWatch, type Watch, watchIds } from '../store/watches.ts';
import { loadLanguage } from '../words/speech.ts';
import type { ChannelKind, FeedChannel, MessageChannel, SendingSettings } from './channel.ts';
import { channelKindOf, channelText, feedKinds } from './channels.ts';
import { messageBody, type SourceCitation, sourceCitationOf } from './message.ts';
import { bundleChanges, type CheckOptions, checkWatch } from './watch-check.ts';

/** Result of a run of watches; its numbers are public fields of `watch run --json`. */
export type WatchReport = ReturnType<typeof newReport>;

const newReport = () => ({
  watches: 0,
  changes: 0,
  told: 0, // messages and feeds delivered
  failed: 0, // messages and feeds that failed in this run and are retried
  waiting: 0, // messages of all runs that still wait for delivery
  dead: 0, // messages given up in this run
  dead_in_all: 0, // messages given up in all runs
  troubles: [] as { watch: string; trouble: string }[],
});

/** Options of `runWatches`: those of checks and deliveries, and which watches to run. */
export type RunOptions = DeliverySettings & {
  citation: CitationSettings;
  watchIdsToRun?: number[]; // all watches by default
} & Omit<CheckOptions, 'nowMs'>;

/** Runs every watch on the mirror and delivers due messages. */
export async function runWatches(book: WatchBook, mirror: Mirror, { citation, watchIdsToRun, ...options }: RunOptions) {
  const { signal, now } = options;
  eraseWithheld(book, mirror);
  const source = sourceCitationOf(mirror, citation);
  const report = newReport();
  const changedIds: number[] = [];
  const deliveries: ChannelDelivery[] = [];
  for (const id of watchIdsToRun ?? watchIds(book)) {
    if (signal.aborted) break;
    const watch = readWatch(book, id);
    if (!watch || watch.pausedAt !== null) continue;
    await loadLanguage(watch.language);
    const changes = await checkWatch(book, mirror, watch, { ...options, nowMs: now() });
    const current = readWatch(book, id); // with the result of the check; undefined if removed meanwhile
    if (!current) continue;
    for (const channel of current.channels)
      deliveries.push({ ...options, book, source, report, watch: current, channel });
    report.watches += 1;
    report.changes += changes;
    if (current.trouble !== null) report.troubles.push({ watch: current.name, trouble: current.trouble });
    if (changes > 0) changedIds.push(id);
  }
  const queues = Map.groupBy(deliveries, receiverOf).values();
  // `queues` is one iterator, from which each worker takes its next queue.
  const runWorker = async () => {
    for (const queue of queues) await deliverQueue(queue);
  };
  await Promise.all(Array.from({ length: maxReceivers }, runWorker));
  if (changedIds.length > 0) pruneChanges(book, changedIds, now());
  report.waiting = countMessages(book, 'waiting');
  report.dead_in_all = countMessages(book, 'dead');
  return report;
}

/** Erases withheld records from stored changes and messages; the next run rewrites the feeds. */
function eraseWithheld(book: WatchBook, mirror: Mirror): void {
  const withholding = readAdmissionFilter(mirror);
  if (withholding) eraseWithheldChanges(book, feedKinds, ({ json }) => withholding.mentionsWithheld(JSON.parse(json)));
}

/** Removes withheld records from watches and rewrites their feeds; sends nothing. */
export async function rewriteFeeds(book: WatchBook, mirror: Mirror, settings: CitationSettings) {
  eraseWithheld(book, mirror);
  const source = sourceCitationOf(mirror, settings);
  for (const watch of listWatches(book)) {
    await loadLanguage(watch.language);
    for (const channel of watch.channels) {
      const kind = channelKindOf(channel);
      if (kind.delivers === 'feed') await kind.write(book, watch, channel, source);
    }
  }
}

type DeliverySettings = {
  settings: SendingSettings;
  kinds: readonly ChannelKind[];
  now: () => number;
  signal: AbortSignal; // aborts the run: the current message is sent, and no more
  /** Called after a failed delivery: a retry follows (`waiting`), none (`dead`), or the channel is closed (`gone`). */
  note(failure: { watch: string; channel: Channel; reason: string; outcome: FailureOutcome }): void;
};

type FailureOutcome = 'waiting' | 'dead' | 'gone';

/** A channel to which a run delivers; `report` counts the results. */
type ChannelDelivery = DeliverySettings & {
  book: WatchBook;
  watch: Watch;
  channel: Channel;
  source: SourceCitation;
  report: Pick<WatchReport, 'told' | 'failed' | 'dead'>;
};

/** Maximum receivers served at once: one that does not respond delays no other. */
const maxReceivers = 8;

/** Key of the receiver of a delivery, which gets its messages in order. */
function receiverOf({ kinds, channel }: ChannelDelivery): string {
  const kind = kinds.find(({ name }) => name === channel.kind);
  return `${channel.kind} ${kind?.delivers === 'messages' ? kind.receiverOf(channel) : channel.uid}`;
}

/** Delivers to the channels of one receiver in order; once it does not respond, the others wait for the next run. */
async function deliverQueue(queue: ChannelDelivery[]): Promise<void> {
  for (const delivery of queue) {
    const { watch, channel, report, note, kinds, signal } = delivery;
    if (signal.aborted) return;
    try {
      const kind = channelKindOf(channel, kinds);
      if (kind.delivers === 'feed') await writeFeed(kind, delivery);
      else if (!(await sendDueMessages(kind, delivery))) return;
    } catch (error) {
      if (!(error instanceof HemicycleError)) throw error;
      report.failed += 1;
      note({ watch: watch.name, channel, reason: error.message, outcome: 'waiting' });
    }
  }
}

/** Rewrites a feed that is missing or lacks changes after `bundled`, and marks them as written; retried if it fails. */
async function writeFeed(kind: FeedChannel, { book, watch, channel, source, report }: ChannelDelivery) {
  const lastSeq = newestSeq(book, watch.id);
  if (lastSeq <= channel.bundled && kind.hasFeed(channel)) return;
  await kind.write(book, watch, channel, source);
  bookTransaction(book, () => markBundled(book, channel.id, lastSeq));
  if (lastSeq > channel.bundled) report.told += 1;
}

/** Sends due messages until one fails, saving each result; false if the receiver does not respond, or on abort. */
async function sendDueMessages(kind: MessageChannel, delivery: ChannelDelivery): Promise<boolean> {
  const { book, watch, channel, report, now, signal, note } = delivery;
  for (const message of dueMessages(book, channel.id, new Date(now()).toISOString())) {
    if (signal.aborted) return false;
    try {
      await kind.send(channel, { watch, body: messageBody(book, watch, message, delivery.source) }, delivery.settings);
      saveDelivery(book, message, { state: 'delivered', at: new Date(now()).toISOString() });
      report.told += 1;
    } catch (error) {
      if (!(error instanceof HemicycleError)) throw error;
      const outcome = saveFailure(delivery, message, error);
      report[outcome === 'waiting' ? 'failed' : 'dead'] += 1;
      note({ watch: watch.name, channel, reason: error.message, outcome });
      // Later messages must not arrive before this one.
      return !(error instanceof DeliveryError && error.isUnanswered);
    }
  }
  return true;
}

/** Waits before each retry as Standard Webhooks recommends, in all about 28 hours; then the message is given up. */
const backoffMs = [1, 5, 30, 120, 300, 600, 600].map((minutes) => minutes * 60_000);

/** Upper bound for an honoured Retry-After. */
const maxWaitMs = 24 * 3_600_000;

/** Saves a failed delivery and returns its outcome; a final error closes the channel and is reported as a change. */
function saveFailure(
  { book, watch, channel, kinds, now }: ChannelDelivery,
  message: Message,
  error: HemicycleError,
): FailureOutcome {
  const { isFinal, retryAfterMs } = error instanceof DeliveryError ? error : { isFinal: false, retryAfterMs: 0 };
  const backoffWaitMs = isFinal ? undefined : backoffMs[message.attempts]; // undefined: no retry
  const waitMs = Math.max(backoffWaitMs ?? 0, Math.min(retryAfterMs, maxWaitMs));
  const state = backoffWaitMs === undefined ? 'dead' : 'waiting';
  const at = new Date(now()).toISOString();
  const nextAt = new Date(now() + waitMs).toISOString();
  saveDelivery(book, message, { state, at, nextAt, error: error.message.slice(0, 500) });
  if (!isFinal) return state;
  bookTransaction(book, () => {
    closeChannel(book, channel.id, at);
    const title = `${channelText(channel)}: ${error.message}`;
    const closingChange = { seen_at: at, change: 'closed', kind: 'channel', key: channel.uid, title };
    saveChanges(book, watch.id, at, [{ change: { ...closingChange, politician: null, fields: [] }, count: 1 }]);
    bundleChanges(book, readWatch(book, watch.id)!, { at, kinds });
  });
  return 'gone';
}
