import { ConfigurationError } from '../errors.ts';
import type { Channel } from '../store/watches.ts';
import { say } from '../words/speech.ts';
import type { ChannelKind } from './channel.ts';
import { commandChannel } from './command-channel.ts';
import { fileChannel } from './file-channel.ts';
import { mailChannel } from './mail-channel.ts';
import { webhookChannel } from './webhook-channel.ts';

/** Every way in which a watch can tell; `watch add` has a flag for each. */
export const channelKinds: readonly ChannelKind[] = [
  fileChannel,
  commandChannel,
  webhookChannel,
  mailChannel,
];

/** The row of a channel; throws a ConfigurationError for an unknown one. */
export function channelKindOf(
  { kind }: Pick<Channel, 'kind'>,
  kinds: readonly ChannelKind[] = channelKinds,
): ChannelKind {
  const found = kinds.find(({ name }) => name === kind);
  if (found) return found;
  const hint = say`update the program, or remove the watch and add it again`;
  throw new ConfigurationError(say`this version of the program knows no channel "${kind}"`, hint);
}

/** Names of the channels that are feeds. */
export const feedKinds = channelKinds.filter(({ delivers }) => delivers === 'feed').map(({ name }) => name);

/** A channel as lists show it: its kind and address, without anything secret. */
export function channelText({ kind, target }: Pick<Channel, 'kind' | 'target'>): string {
  const found = channelKinds.find(({ name }) => name === kind);
  // The address of an unknown channel may hold a secret.
  return found ? `${kind}:${found.shownTarget(target)}` : kind;
}
