import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigurationError, UsageError } from '../errors.ts';
import { writeAtomically } from '../format/atomic-file.ts';
import { atomText } from '../format/web-feed.ts';
import { bareAddress, mailAddress, senderAddress, sendMail } from '../service/mail.ts';
import type { Channel } from '../store/watches.ts';
import { say, speechOf } from '../words/speech.ts';
import type { ChannelKind, FeedChannel, MessageChannel, NewChannel } from './channel.ts';
import { commandChannel } from './command-channel.ts';
import { watchFeed } from './message.ts';
import { webhookChannel } from './webhook-channel.ts';

/** An Atom feed in a file, replaced atomically. */
const fileChannel: FeedChannel = {
  name: 'file',
  description: 'write an Atom feed',
  helpValue: 'FILE',
  parse: (paths, { folder }) => paths.map((path) => parseFile(path, folder)),
  delivers: 'feed',
  hasFeed: ({ target: [path = ''] }) => existsSync(path),
  async write(book, watch, { target: [path = ''] }, source) {
    const feed = watchFeed(book, watch, source, { addresses: { atom: null, page: null, next: null }, addressOf: null });
    await writeAtomically(path, (sink) => sink.write(atomText(feed)));
  },
};

function parseFile(path: string, folder: string): NewChannel {
  if (!/\.(atom|xml)$/i.test(path))
    throw new UsageError(
      say`--file ${path}: the extension of an Atom feed must be .atom or .xml`,
      say`use .atom or .xml`,
    );
  return { kind: 'file', target: [resolve(folder, path)], secret: null, isPrivate: false };
}

/** Email to one address, through the SMTP server of the settings. */
export const mailChannel: MessageChannel = {
  name: 'mail',
  description: 'send an email through the server set with `smtp-url` and `mail-from`',
  helpValue: 'ADDRESS',
  parse: (addresses) => addresses.map(parseMail),
  async check(_channel, { mailServer }) {
    if (mailServer === null) throw new UsageError(...noMailServerMessage);
  },
  delivers: 'messages',
  maxChanges: Number.MAX_SAFE_INTEGER, // people get one message, which lists the first changes
  receiverOf: () => 'mail',
  async send({ target: [to = ''] }, { watch, body }, { mailServer, textOf, operator }) {
    if (mailServer === null) throw new ConfigurationError(...noMailServerMessage);
    const from = senderAddress(mailServer.from);
    const mailContent = textOf(body, speechOf(watch.language));
    const { id, timestamp: at } = body;
    const unsubscribeAddress = mailAddress.test(operator ?? '') ? operator! : bareAddress(from);
    const unsubscribe = { mailto: unsubscribeAddress, subject: `unsubscribe ${watch.name}` };
    await sendMail({ url: mailServer.url, from }, { id, to, at, unsubscribe, ...mailContent });
  },
};

const noMailServerMessage = [
  say`no mail server is configured`,
  say`set HEMICYCLE_SMTP_URL and HEMICYCLE_MAIL_FROM, or \`hemicycle config set smtp-url < FILE\` and \`hemicycle config set mail-from ADDRESS\``,
] as const;

function parseMail(text: string) {
  if (!mailAddress.test(text))
    throw new UsageError(say`--mail ${text}: not an email address`, say`one address for each --mail`);
  return { kind: 'mail', target: [text], secret: null, isPrivate: false };
}

/** Every notification channel; `watch add` has a flag for each. */
export const channelKinds: readonly ChannelKind[] = [
  // One line per channel, in the order of the reference.
  fileChannel,
  commandChannel,
  webhookChannel,
  mailChannel,
];

/** The implementation of a channel; throws a ConfigurationError for an unknown kind. */
export function channelKindOf({ kind }: Pick<Channel, 'kind'>, kinds: readonly ChannelKind[] = channelKinds) {
  const channelKind = kinds.find(({ name }) => name === kind);
  if (channelKind) return channelKind;
  const hint = say`update the program, or remove the watch and add it again`;
  throw new ConfigurationError(say`this version does not support the channel "${kind}"`, hint);
}

/** Names of the channel kinds that are feeds. */
export const feedKinds = channelKinds.filter(({ delivers }) => delivers === 'feed').map(({ name }) => name);

/** A channel as lists show it: its kind and address, without secrets. */
export function channelText({ kind, target }: Pick<Channel, 'kind' | 'target'>): string {
  const channelKind = channelKinds.find(({ name }) => name === kind);
  // The address of an unknown channel may contain a secret.
  return channelKind ? `${kind}:${channelKind.formatTarget?.(target) ?? target.join(' ')}` : kind;
}
