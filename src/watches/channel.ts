import type { WatchBook } from '../store/watch-book.ts';
import type { Channel, NewWatch, Watch } from '../store/watches.ts';
import type { Speech } from '../words/speech.ts';
import type { MessageBody, SourceCitation } from './message.ts';

/** A channel of a new watch, as stored. */
export type NewChannel = NewWatch['channels'][number];

/** A channel parsed from a command line; a generated secret is shown once. */
export type ParsedChannel = NewChannel & { isNewSecret?: boolean };

/** Options of `watch add` that channels read beside their addresses. */
export type ChannelOptions = {
  folder: string;
  flags: Record<string, unknown>;
  /** The text of a file, or of standard input for `-`. */
  readText(path: string): string;
};

/** Settings for sending messages. */
export type SendingSettings = {
  userAgent: string;
  mailServer: { url: string; from: string } | null;
  commandEnv: Record<string, string | undefined>;
  textOf(body: MessageBody, speech: Speech): { subject: string; text: string; html: string };
  /** Contact of the operator; null where it is not set. */
  operator: string | null;
};

type ChannelDescription = {
  /** Its name in the file of watches; its flag in `watch add`. */
  name: string;
  description: string;
  helpValue: string;
  /** Flags of `watch add` that only this channel reads; one without a `helpValue` is a switch. */
  flags?: Record<string, { description: string; helpValue?: string }>;
  /** Parses the values of its flag; throws a UsageError for an address that it cannot reach. */
  parse(texts: readonly string[], options: ChannelOptions): ParsedChannel[];
  /** Rejects with a UsageError if the channel can never deliver, for example if a program does not exist. */
  check?(channel: NewChannel, settings: SendingSettings): Promise<void>;
  /** Its address as lists show it, if parts of it may be secret. */
  shownTarget?(target: readonly string[]): string;
};

/** A channel that sends each message once and retries failed deliveries. */
export type MessageChannel = ChannelDescription & {
  delivers: 'messages';
  /** True if `watch add` must not send a test message. */
  isUntestable?: true;
  /** Maximum changes per message, by default as listed: further ones go in more messages; infinite for people. */
  maxChanges?: number;
  /** Wait before each retry, by default the standard one; after the last one the message is given up. */
  backoffMs?: readonly number[];
  /** Key that groups failures by receiver: a run stops sending to one that does not respond. */
  receiverOf(channel: Channel): string;
  /** Throws a HemicycleError if the message is not accepted. */
  send(channel: Channel, message: { watch: Watch; body: MessageBody }, settings: SendingSettings): Promise<void>;
};

/** A channel rewritten from all stored changes; every run retries. */
export type FeedChannel = ChannelDescription & {
  delivers: 'feed';
  /** True if the feed exists; otherwise a run writes it although nothing is new. */
  hasFeed(channel: Channel): boolean;
  /** Writes all stored changes; throws a HemicycleError on failure. */
  write(book: WatchBook, watch: Watch, channel: Channel, citation: SourceCitation): Promise<void>;
};

/** A notification channel: one row of the table in `channels.ts`. */
export type ChannelKind = MessageChannel | FeedChannel;
