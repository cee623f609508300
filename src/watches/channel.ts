import type { WatchBook } from '../store/watch-book.ts';
import type { Channel, NewWatch, Watch } from '../store/watches.ts';
import type { Speech } from '../words/speech.ts';
import type { MessageBody, SourceCitation } from './message.ts';

/** A channel of a new watch, as stored. */
export type NewChannel = NewWatch['channels'][number];

/** A channel parsed from a command line; `isNewSecret`: its secret was generated, and must be printed once. */
export type ParsedChannel = NewChannel & { isNewSecret?: boolean };

/** Options of `watch add` that channels read in addition to their addresses. */
export type ChannelOptions = {
  folder: string; // resolves relative paths
  flags: Record<string, unknown>;
  readText(path: string): string; // text of a file, or of standard input for `-`
};

/** Settings for sending messages. */
export type SendingSettings = {
  userAgent: string;
  mailServer: { url: string; from: string } | null;
  commandEnv: Record<string, string | undefined>; // environment of started programs
  textOf(body: MessageBody, speech: Speech): { subject: string; text: string; html: string };
  operator: string | null; // contact of the operator, such as an email address; null if not set
};

type ChannelDescription = {
  /** Name in the file of watches, and of the flag of `watch add`. */
  name: string;
  description: string;
  helpValue: string;
  /** Further flags of `watch add` for this channel; one without a `helpValue` is a switch. */
  flags?: Record<string, { description: string; helpValue?: string }>;
  /** Parses the values of its flag; throws a UsageError for an invalid one. */
  parse(texts: readonly string[], options: ChannelOptions): ParsedChannel[];
  /** Rejects with a UsageError if the channel can never deliver, for example if a program does not exist. */
  check?(channel: NewChannel, settings: SendingSettings): Promise<void>;
  /** The address without parts that may be secret, for lists; by default the whole address. */
  formatTarget?(target: readonly string[]): string;
};

/** A channel that sends each message once and retries failed deliveries. */
export type MessageChannel = ChannelDescription & {
  delivers: 'messages';
  isUntestable?: true; // `watch add` must not send a test message
  /** Maximum changes per message, by default `maxListedChanges`; further ones go into further messages. */
  maxChanges?: number;
  /** Key of the receiver: once it does not respond, a run sends nothing more to it. */
  receiverOf(channel: Channel): string;
  /** Throws a HemicycleError if the message is not accepted. */
  send(channel: Channel, message: { watch: Watch; body: MessageBody }, settings: SendingSettings): Promise<void>;
};

/** A channel that is rewritten from all stored changes; after a failure, the next run rewrites it. */
export type FeedChannel = ChannelDescription & {
  delivers: 'feed';
  /** True if the feed exists; a run writes a missing one even if nothing is new. */
  hasFeed(channel: Channel): boolean;
  /** Writes all stored changes; throws a HemicycleError on failure. */
  write(book: WatchBook, watch: Watch, channel: Channel, citation: SourceCitation): Promise<void>;
};

/** A notification channel: one row of the table in `channels.ts`. */
export type ChannelKind = MessageChannel | FeedChannel;
