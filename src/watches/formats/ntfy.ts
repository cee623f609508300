import type { WebhookFormat } from '../webhook-format.ts';

/** Characters, of up to three bytes, of a message that ntfy shows and does not turn into a file (4,096 bytes). */
const mostCharacters = 1300;

/** ntfy, whose address ends in a topic: JSON is posted beside it (https://docs.ntfy.sh/publish/#publish-as-json). */
export const ntfy: WebhookFormat = {
  name: 'ntfy',
  post(url, { subject, text }) {
    const topic = new URL(url).pathname.split('/').at(-1);
    return {
      url: new URL('.', url).href,
      body: { topic, title: subject, message: text.slice(0, mostCharacters) },
    };
  },
};
