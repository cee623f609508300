import { existsSync } from 'node:fs';
import { DeliveryError, HemicycleError } from '../errors.ts';
import { dueMessages, type Message, newestSeq, noteBundled, noteDelivery } from '../store/outbox.ts';
import { type Channel, inOneStep, type Watch, type WatchBook } from '../store/watches.ts';
import { runCommand } from './command-channel.ts';
import { writeFeedFile } from './file-channel.ts';
import { type Cited, type MessageBody, messageBody } from './message.ts';

/** How messages leave this machine: what a channel needs beside its own words. */
export type Senders = {
  webhook(channel: Channel, body: MessageBody): Promise<void>;
  mail(channel: Channel, watch: Watch, body: MessageBody): Promise<void>;
};

export type DeliverOptions = {
  cited: Cited;
  senders: Senders;
  now: () => number;
  /** Aborted where the run is to end: what is being sent is sent to its end, and nothing more. */
  signal: AbortSignal;
  /** Receivers that nobody reached in this run: what is for them waits for the next. */
  unanswered: Set<string>;
  note(failure: { watch: string; channel: Channel; reason: string; isDead: boolean }): void;
};

/** What was done in a run with the messages of a watch. */
export type Delivered = { told: number; failed: number; dead: number };

const [minute, hour] = [60_000, 3_600_000];

/** After so long a message is tried again, by how often it failed; then nobody takes it (as Standard Webhooks has it). */
const backoffMs = [minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

/** Sends what the channels of a watch are to tell by now; how each ended is kept before the next is sent. */
export async function deliver(book: WatchBook, watch: Watch, options: DeliverOptions): Promise<Delivered> {
  const delivered = { told: 0, failed: 0, dead: 0 };
  for (const channel of watch.channels) {
    if (options.signal.aborted) break;
    if (channel.kind === 'file') await writeFile(book, watch, channel, { options, delivered });
    else await sendDue(book, watch, channel, { options, delivered });
  }
  return delivered;
}

type Delivering = { options: DeliverOptions; delivered: Delivered };

/** A file is written anew from all that is kept: nothing is lost, and nothing twice, however a run ends. */
async function writeFile(
  book: WatchBook,
  watch: Watch,
  channel: Channel,
  { options, delivered }: Delivering,
): Promise<void> {
  const newest = newestSeq(book, watch.id);
  if (newest <= channel.bundled && existsSync(channel.target[0] ?? '')) return;
  try {
    await writeFeedFile(book, watch, channel, options.cited);
    inOneStep(book, () => noteBundled(book, channel.id, newest));
    if (newest > channel.bundled) delivered.told += 1;
  } catch (error) {
    if (!(error instanceof HemicycleError)) throw error;
    delivered.failed += 1;
    options.note({ watch: watch.name, channel, reason: error.message, isDead: false });
  }
}

async function sendDue(
  book: WatchBook,
  watch: Watch,
  channel: Channel,
  { options, delivered }: Delivering,
): Promise<void> {
  const { now, signal, unanswered, cited, note } = options;
  const receiver = receiverOf(channel);
  for (const message of dueMessages(book, channel.id, new Date(now()).toISOString())) {
    if (signal.aborted || unanswered.has(receiver)) return;
    try {
      await send(watch, channel, {
        body: messageBody(book, watch, message, cited),
        senders: options.senders,
      });
      noteDelivery(book, message, { state: 'delivered', at: new Date(now()).toISOString() });
      delivered.told += 1;
    } catch (error) {
      if (!(error instanceof HemicycleError)) throw error;
      const isDead = noteFailure(book, message, { nowMs: now(), error });
      delivered[isDead ? 'dead' : 'failed'] += 1;
      note({ watch: watch.name, channel, reason: error.message, isDead });
      if (error instanceof DeliveryError && error.isUnanswered) unanswered.add(receiver);
      // What follows would be told before it.
      return;
    }
  }
}

/** Sends one message through a channel; throws an error of ours where it was not taken. */
export async function send(
  watch: Watch,
  channel: Channel,
  { body, senders }: { body: MessageBody; senders: Senders },
): Promise<void> {
  if (channel.kind === 'command') return runCommand(channel.target, body);
  if (channel.kind === 'webhook') return senders.webhook(channel, body);
  return senders.mail(channel, watch, body);
}

/** Whoever is asked: a host for all of its addresses, a command for itself. */
function receiverOf({ kind, target, uid }: Channel): string {
  return kind === 'webhook' ? new URL(target[0]!).origin : kind === 'mail' ? 'mail' : uid;
}

/** Nobody waits longer because a receiver says so. */
const longestWaitMs = 24 * hour;

/** Notes that a message was not taken, and when it is tried again; true where it is given up. */
function noteFailure(
  book: WatchBook,
  message: Message,
  { nowMs, error }: { nowMs: number; error: HemicycleError },
): boolean {
  const { isFinal, retryAfterMs } =
    error instanceof DeliveryError ? error : { isFinal: false, retryAfterMs: 0 };
  const usualMs = isFinal ? undefined : backoffMs[message.attempts];
  const waitMs = Math.max(usualMs ?? 0, Math.min(retryAfterMs, longestWaitMs));
  const state = usualMs === undefined ? 'dead' : 'waiting';
  noteDelivery(book, message, {
    state,
    at: new Date(nowMs).toISOString(),
    nextAt: new Date(nowMs + waitMs).toISOString(),
    error: error.message.slice(0, 500),
  });
  return state === 'dead';
}
