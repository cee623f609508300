import { UsageError } from '../errors.ts';
import { webAddress } from '../model/attribution.ts';
import { refuseAddress } from '../service/public-address.ts';
import { isWebhookSecret, newWebhookSecret } from '../service/webhook.ts';
import { say } from '../words/speech.ts';
import { type MessageChannel, type ParsedChannel, standardBackoffMs, type TypedOptions } from './channel.ts';

/** An address that every message is posted to, signed with a secret. */
export const webhookChannel: MessageChannel = {
  name: 'webhook',
  description:
    'post the message to an address, signed as Standard Webhooks has it; the secret is printed once',
  helpValue: 'URL',
  flags: {
    'secret-file': {
      description: 'a file with the secret of the webhooks (whsec_…; - for stdin)',
      helpValue: 'FILE|-',
    },
    'allow-private': { description: 'let the webhooks be on this machine or a private network' },
  },
  parse: parsedWebhooks,
  shownTarget,
  delivers: 'messages',
  backoffMs: standardBackoffMs,
  receiverOf: ({ target }) => new URL(target[0]!).origin,
  async send({ target: [url = ''], secret, isPrivate }, { body }, { userAgent }) {
    const { postWebhook } = await import('../service/webhook.ts');
    const nowMs = Date.now();
    await postWebhook({ url, secret, isPrivate, id: body.id, body: JSON.stringify(body), nowMs, userAgent });
  },
};

function parsedWebhooks(texts: readonly string[], { flags, readText }: TypedOptions): ParsedChannel[] {
  const path = flags['secret-file'];
  const stated = typeof path === 'string' ? checkedSecret(readText(path)) : null;
  const isPrivate = flags['allow-private'] === true;
  return texts.map((text) => {
    const url = webAddress(text) === null ? null : new URL(text);
    if (url === null)
      throw new UsageError(
        say`--webhook names no web address without a user and a password in it`,
        say`as in https://receiver.example/hook`,
      );
    refuseAddress(url.hostname, isPrivate);
    const secret = stated ?? newWebhookSecret();
    return { kind: 'webhook', target: [url.href], secret, isPrivate, isSecretMade: stated === null };
  });
}

function checkedSecret(text: string): string {
  const secret = text.trim();
  if (isWebhookSecret(secret)) return secret;
  throw new UsageError(
    say`--secret-file holds no secret of a webhook`,
    say`whsec_ and 24 to 64 bytes in base64; without it one is made`,
  );
}

/** A longer path may be a credential, as with Slack, Discord and Teams. */
const longestShown = 8;

function shownTarget([url = '']: readonly string[]): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.length > longestShown ? `/…${pathname.slice(-4)}` : pathname}`;
}
