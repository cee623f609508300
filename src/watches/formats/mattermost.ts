import type { WebhookFormat } from '../webhook-format.ts';

/** Characters of a post of Mattermost. */
const mostCharacters = 16_383;

/** Mattermost's incoming webhooks, whose text is Markdown: what could be markup is shown as it is. */
export const mattermost: WebhookFormat = {
  name: 'mattermost',
  post(url, { subject, text }) {
    const plain = (words: string) => words.replace(/[\\`*_{}[\]()#+!|>~@]/g, '\\$&');
    return { url, body: { text: `**${plain(subject)}**\n\n${plain(text)}`.slice(0, mostCharacters) } };
  },
};
