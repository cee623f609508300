import { UsageError } from '../errors.ts';
import { webAddress } from '../model/attribution.ts';
import { isForbiddenAddress, resolvesToPrivate } from '../service/public-address.ts';
import { isWebhookSecret, newWebhookSecret } from '../service/webhook.ts';
import { say, speechOf } from '../words/speech.ts';
import type { ChannelOptions, MessageChannel, ParsedChannel } from './channel.ts';

/** Returns the URL and the JSON to post for a chat service that expects its own format. */
type CreateChatRequest = (url: string, message: { subject: string; text: string }) => { url: string; body: object };

/** By name, the supported chat services; texts are truncated to the length that each accepts and shows. */
const webhookFormats: Record<string, CreateChatRequest> = {
  slack(url, { subject, text }) {
    // Slack requires the escaping of these three characters only.
    const escapeText = (raw: string) => raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    // https://docs.slack.dev/changelog/2018-truncating-really-long-messages
    return { url, body: { text: `*${escapeText(subject)}*\n${escapeText(text)}`.slice(0, 40_000) } };
  },
  mattermost(url, { subject, text }) {
    // Mattermost texts are Markdown.
    const escapeText = (words: string) => words.replace(/[\\`*_{}[\]()#+!|>~@]/g, '\\$&');
    return { url, body: { text: `**${escapeText(subject)}**\n\n${escapeText(text)}`.slice(0, 16_383) } };
  },
  // JSON goes to the URL without its topic, which is in the body: https://docs.ntfy.sh/publish/#publish-as-json
  ntfy(url, { subject, text }) {
    const topic = new URL(url).pathname.split('/').at(-1);
    // A UTF-16 unit has up to three bytes in UTF-8; ntfy turns a message over 4,096 bytes into an attachment.
    return { url: new URL('.', url).href, body: { topic, title: subject, message: text.slice(0, 1300) } };
  },
};
const formatNames = Object.keys(webhookFormats);

/** Channel that posts each message to a URL: as signed JSON, or unsigned in the format of a chat service. */
export const webhookChannel: MessageChannel = {
  name: 'webhook',
  description: 'post the message to this URL, signed according to Standard Webhooks; the secret is printed once',
  helpValue: 'URL',
  flags: {
    'secret-file': {
      description: 'a file with the secret of the webhooks (whsec_…; - for stdin)',
      helpValue: 'FILE|-',
    },
    'webhook-format': { description: `message format: ${formatNames.join(', ')}`, helpValue: 'SERVICE' },
    'allow-private': { description: 'allow webhooks on this machine or a private network' },
  },
  parse: parseWebhooks,
  formatTarget,
  delivers: 'messages',
  receiverOf: ({ target }) => new URL(target[0]!).origin,
  async check({ target: [url = ''], isPrivate }) {
    const { hostname } = new URL(url);
    if (isForbiddenAddress(hostname, isPrivate) || (!isPrivate && (await resolvesToPrivate(hostname))))
      throw new UsageError(
        say`--webhook: ${hostname} is an address of this machine or of a private network`,
        say`add --allow-private if this is intended`,
      );
  },
  async send({ target, secret, previousSecret, isPrivate }, { watch, body }, { userAgent, textOf }) {
    const { postWebhook } = await import('../service/webhook.ts');
    const nowMs = Date.now();
    const isPreviousValid = previousSecret !== null && Date.parse(previousSecret.until) > nowMs;
    const [address = '', formatName = ''] = target;
    const chatRequest = webhookFormats[formatName]?.(address, textOf(body, speechOf(watch.language)));
    await postWebhook({
      url: chatRequest?.url ?? address,
      secrets: [secret, isPreviousValid ? previousSecret.secret : null].filter((each) => each !== null),
      isPrivate,
      id: body.id,
      body: JSON.stringify(chatRequest?.body ?? body),
      nowMs,
      userAgent,
    });
  },
};

function parseWebhooks(texts: readonly string[], { flags, readText }: ChannelOptions): ParsedChannel[] {
  const path = flags['secret-file'];
  const fileSecret = typeof path === 'string' ? parseSecret(readText(path)) : null;
  const isPrivate = flags['allow-private'] === true;
  const format = parseFormat(flags['webhook-format']);
  return texts.map((text) => {
    const url = webAddress(text) === null ? null : new URL(text);
    if (url === null)
      throw new UsageError(
        say`--webhook requires an http or https URL without user and password`,
        say`as in https://receiver.example/hook`,
      );
    if (format !== undefined) return { kind: 'webhook', target: [url.href, format], secret: null, isPrivate };
    const secret = fileSecret ?? newWebhookSecret();
    return { kind: 'webhook', target: [url.href], secret, isPrivate, isNewSecret: fileSecret === null };
  });
}

function parseFormat(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  if (formatNames.includes(text)) return text;
  throw new UsageError(say`--webhook-format ${text} is not known`, say`one of ${formatNames.join(', ')}`);
}

function parseSecret(text: string): string {
  const secret = text.trim();
  if (isWebhookSecret(secret)) return secret;
  const hint = say`use whsec_ and 24 to 64 bytes in base64; without the flag, a secret is generated`;
  throw new UsageError(say`--secret-file does not contain a webhook secret`, hint);
}

/** Maximum path shown whole: a longer one may be a credential, as with Slack, Discord and Teams. */
const maxShownPathChars = 8;

/** The URL of a target, its path shortened if it may be a credential, after the format. */
function formatTarget([url = '', format]: readonly string[]): string {
  const { origin, pathname } = new URL(url);
  return `${format === undefined ? '' : `${format}:`}${origin}${pathname.length > maxShownPathChars ? `/…${pathname.slice(-4)}` : pathname}`;
}
