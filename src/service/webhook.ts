import { createHmac, randomBytes } from 'node:crypto';
import { DeliveryError } from '../errors.ts';
import { say } from '../words/speech.ts';
import { failureOf } from './failure.ts';
import { retryAfterMs } from './headers.ts';
import { guardedLookup, refuseAddress } from './public-address.ts';

/** A webhook request; id and body are the same on every retry, timestamp and signature are new. */
export type WebhookRequest = {
  url: string;
  /** Secrets, each `whsec_` and a Base64 key; every one signs, and an empty list leaves the request unsigned. */
  secrets: string[];
  id: string;
  body: string;
  isPrivate: boolean; // true if private addresses are allowed
  nowMs: number;
  userAgent: string;
};

/** Creates a secret in the format of Standard Webhooks. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** True for a valid secret: `whsec_` and 24 to 64 bytes. */
export function isWebhookSecret(text: string): boolean {
  const [, key] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = key === undefined ? 0 : Buffer.from(key, 'base64').length;
  return bytes >= 24 && bytes <= 64;
}

/** Signature of a message (https://www.standardwebhooks.com): HMAC-SHA256 over id, timestamp and body. */
export function webhookSignature(secret: string, message: { id: string; timestamp: number; body: string }): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const { id, timestamp, body } = message;
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

const connectTimeoutMs = 10_000;
const answerTimeoutMs = 15_000;
const totalTimeoutMs = 20_000;

/** Posts a message to a webhook, without redirects or proxy; throws a DeliveryError unless the status is 2xx. */
export async function postWebhook(webhook: WebhookRequest): Promise<void> {
  const { Agent, request } = await import('undici');
  const url = new URL(webhook.url);
  refuseAddress(url.hostname, webhook.isPrivate);
  const timestamp = Math.floor(webhook.nowMs / 1000);
  const signatures = webhook.secrets.map((secret) => webhookSignature(secret, { ...webhook, timestamp }));
  const agent = new Agent({
    connect: { lookup: guardedLookup(webhook.isPrivate), timeout: connectTimeoutMs },
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
  });
  await using _ = { [Symbol.asyncDispose]: () => agent.destroy() };
  try {
    const { statusCode, headers, body } = await request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': webhook.userAgent,
        'idempotency-key': webhook.id,
        'webhook-id': webhook.id,
        'webhook-timestamp': String(timestamp),
        ...(signatures.length === 0 ? {} : { 'webhook-signature': signatures.join(' ') }),
      },
      body: webhook.body,
      dispatcher: agent,
      signal: AbortSignal.timeout(totalTimeoutMs),
    });
    body.on('error', () => {});
    body.destroy();
    if (statusCode >= 200 && statusCode < 300) return;
    const isRedirect = statusCode >= 300 && statusCode < 400;
    const fault = isRedirect ? say`redirects (${statusCode}); redirects are not followed` : say`answered ${statusCode}`;
    // Status 410 is permanent; `Retry-After` delays the next attempt.
    const waitMs = retryAfterMs([headers['retry-after']].flat()[0] ?? null, webhook.nowMs) ?? 0;
    throw Object.assign(new DeliveryError(url.origin, fault), { isFinal: statusCode === 410, retryAfterMs: waitMs });
  } catch (error) {
    if (error instanceof DeliveryError) throw error;
    const { cause } = error as Error;
    if (cause instanceof DeliveryError) throw cause;
    const { reason, isTransient, isOfAddress } = failureOf(error);
    throw Object.assign(new DeliveryError(url.origin, reason), { isUnanswered: isTransient && !isOfAddress });
  }
}
