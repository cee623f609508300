import type { Speech } from '../words/speech.ts';
import type { SendingSettings } from './channel.ts';
import { mattermost } from './formats/mattermost.ts';
import { ntfy } from './formats/ntfy.ts';
import { slack } from './formats/slack.ts';
import type { MessageBody } from './message.ts';
import type { WebhookFormat } from './webhook-format.ts';

/** The services that `--webhook-format` names; a new one is a file and a row. */
export const webhookFormats: readonly WebhookFormat[] = [slack, mattermost, ntfy];

/** The request of a message in the format of that name; undefined for our own JSON. */
export function formattedPost(
  [url = '', format]: readonly string[],
  body: MessageBody,
  { speech, textOf }: { speech: Speech; textOf: SendingSettings['textOf'] },
): { url: string; body: object } | undefined {
  return webhookFormats.find(({ name }) => name === format)?.post(url, textOf(body, speech));
}
