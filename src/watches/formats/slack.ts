import type { WebhookFormat } from '../webhook-format.ts';

/** Characters that Slack takes in one text (https://docs.slack.dev/changelog/2018-truncating-really-long-messages). */
const mostCharacters = 40_000;

/** Slack's incoming webhooks; only these three characters have a meaning in its text. */
export const slack: WebhookFormat = {
  name: 'slack',
  post(url, { subject, text }) {
    const plain = (words: string) =>
      words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return { url, body: { text: `*${plain(subject)}*\n${plain(text)}`.slice(0, mostCharacters) } };
  },
};
