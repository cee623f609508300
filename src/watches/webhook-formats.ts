import type { Speech } from '../words/speech.ts';
import type { SendingSettings } from './channel.ts';
import type { MessageBody } from './message.ts';

/** What a webhook is posted in place of our JSON, by the service that takes it. */
type WebhookFormat = {
  name: string;
  /** Characters of one text that the service takes and shows. */
  mostCharacters: number;
  /** The address to post to, and the JSON, for a message as people read it. */
  post(url: string, message: { subject: string; text: string }): { url: string; body: object };
};

/** Slack's incoming webhooks; only these three characters have a meaning in its text. */
const slack: WebhookFormat = {
  name: 'slack',
  // https://docs.slack.dev/changelog/2018-truncating-really-long-messages
  mostCharacters: 40_000,
  post(url, { subject, text }) {
    const plain = (words: string) =>
      words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return { url, body: { text: `*${plain(subject)}*\n${plain(text)}`.slice(0, this.mostCharacters) } };
  },
};

/** Mattermost's incoming webhooks, whose text is Markdown: what could be markup is shown as it is. */
const mattermost: WebhookFormat = {
  name: 'mattermost',
  mostCharacters: 16_383,
  post(url, { subject, text }) {
    const plain = (words: string) => words.replace(/[\\`*_{}[\]()#+!|>~@]/g, '\\$&');
    return { url, body: { text: `**${plain(subject)}**\n\n${plain(text)}`.slice(0, this.mostCharacters) } };
  },
};

/** ntfy, whose address ends in a topic: JSON is posted beside it (https://docs.ntfy.sh/publish/#publish-as-json). */
const ntfy: WebhookFormat = {
  name: 'ntfy',
  // Of up to three bytes: a message of more than 4,096 bytes is turned into a file.
  mostCharacters: 1300,
  post(url, { subject, text }) {
    const topic = new URL(url).pathname.split('/').at(-1);
    return {
      url: new URL('.', url).href,
      body: { topic, title: subject, message: text.slice(0, this.mostCharacters) },
    };
  },
};

/** The services that `--webhook-format` names; a new one is a row. */
export const webhookFormats: readonly WebhookFormat[] = [slack, mattermost, ntfy];

/** The request of a message in the format of that name; undefined for our own JSON. */
export function formattedPost(
  [url = '', format]: readonly string[],
  body: MessageBody,
  { speech, textOf }: { speech: Speech; textOf: SendingSettings['textOf'] },
): { url: string; body: object } | undefined {
  return webhookFormats.find(({ name }) => name === format)?.post(url, textOf(body, speech));
}
