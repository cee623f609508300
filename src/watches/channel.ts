import type { WatchBook } from '../store/watch-book.ts';
import type { Channel, NewWatch, Watch } from '../store/watches.ts';
import type { Speech } from '../words/speech.ts';
import type { Cited, MessageBody } from './message.ts';

/** A channel of a new watch, as stored. */
export type NewChannel = NewWatch['channels'][number];

/** A channel that was read from a command line; a secret that was made for it is shown once. */
export type ParsedChannel = NewChannel & { isSecretMade?: boolean };

/** What was typed beside the addresses of channels. */
export type TypedOptions = {
  /** The folder that relative paths start from. */
  folder: string;
  /** The further flags of channels, by name. */
  flags: Record<string, unknown>;
  /** The text of a file, or of standard input for `-`. */
  readText(path: string): string;
};

/** Settings for sending messages. */
export type SendingSettings = {
  userAgent: string;
  /** The SMTP server and sender of mail; null where they are not set. */
  mailServer: { url: string; from: string } | null;
  commandEnv: Record<string, string | undefined>;
  /** A message as people read it: a subject, plain text, and the same as HTML. */
  textOf(body: MessageBody, speech: Speech): { subject: string; text: string; html: string };
  /** Where the operator is written to; null where that is not set. */
  operator: string | null;
};

type DescribedChannel = {
  /** Its name in the file of watches; its flag in `watch add`. */
  name: string;
  description: string;
  helpValue: string;
  /** Further flags of `watch add` that only this channel reads; one without a `helpValue` is a switch. */
  flags?: Record<string, { description: string; helpValue?: string }>;
  /** The channels that its flag asks for; throws a UsageError for an address that it cannot reach. */
  parse(texts: readonly string[], options: TypedOptions): ParsedChannel[];
  /** Rejects with a UsageError for a channel that could never deliver, as a program that does not exist. */
  check?(channel: NewChannel, settings: SendingSettings): Promise<void>;
  /** Its address as lists show it, where that may not tell all of it. */
  shownTarget?(target: readonly string[]): string;
};

/** A channel that sends each message once, and tries again later where it was not taken. */
export type MessageChannel = DescribedChannel & {
  delivers: 'messages';
  /** True where `watch add` may send a message to see whether it is taken. */
  isTested: boolean;
  /** Most changes of one message: programs get all of many in several; people, to whom it is endless, get one. */
  mostChanges: number;
  /** Wait before each further try; after the last one a message is given up. */
  backoffMs: readonly number[];
  /** Key for grouping failures by receiver: once it does not answer, a run asks it nothing more. */
  receiverOf(channel: Channel): string;
  /** Sends one message; throws a HemicycleError where it was not taken. */
  send(channel: Channel, message: { watch: Watch; body: MessageBody }, settings: SendingSettings): Promise<void>;
};

/** A channel that is written anew from all kept changes; every run tries again. */
export type FeedChannel = DescribedChannel & {
  delivers: 'feed';
  /** False where a run has to write it although nothing is new. */
  isWritten(channel: Channel): boolean;
  /** Writes all kept changes; throws a HemicycleError where that fails. */
  write(book: WatchBook, watch: Watch, channel: Channel, cited: Cited): Promise<void>;
};

/** A way in which watches tell: one row of the table in `channels.ts`. */
export type ChannelKind = MessageChannel | FeedChannel;

/** The waits that Standard Webhooks recommends, over 28 hours. */
export const standardBackoffMs = [1, 5, 30, 120, 300, 600, 600].map((minutes) => minutes * 60_000);
