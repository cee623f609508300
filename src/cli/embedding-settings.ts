import { ConfigurationError } from '../errors.ts';
import { webAddress } from '../model/attribution.ts';
import { say } from '../words/speech.ts';
import type { SettingKey, SettingOrigin } from './setting-table.ts';

/** The service of embeddings and its model. */
export type EmbeddingSettings = { url: string; model: string; key: string | null };

type Stated = Record<SettingKey, { value: string | null; origin: SettingOrigin }>;

/**
 * The service of embeddings that is set, or null where its address or its model is not. A key that is kept for the user
 * goes with the address that is kept beside it: to another origin it is not sent.
 */
export function embeddingSettings(stated: Stated, user: Record<string, unknown>): EmbeddingSettings | null {
  const [url, model, key] = [
    stated['embeddings-url'].value,
    stated['embeddings-model'].value,
    stated['embeddings-key'],
  ];
  if (url === null) return null;
  const address = embeddingsAddress(url);
  if (model === null) return null;
  const own = user['embeddings-url'];
  const isKeptBack =
    key.origin === 'user config' &&
    stated['embeddings-url'].origin !== 'user config' &&
    typeof own === 'string' &&
    new URL(embeddingsAddress(own)).origin !== new URL(address).origin;
  if (key.value !== null) checkEmbeddingsKey(key.value);
  return { url: address, model, key: isKeptBack ? null : key.value };
}

/** The address of a service of embeddings; throws a ConfigurationError for what is none. */
export function embeddingsAddress(text: string): string {
  const address = webAddress(text);
  if (address !== null) return address;
  throw new ConfigurationError(
    // What stands before an @ is a user and a password, and not to be shown.
    say`embeddings-url: "${text.slice(text.lastIndexOf('@') + 1)}" is not a web address`,
    say`it should look like http://127.0.0.1:11434/v1`,
  );
}

/** Refuses a key that no header can carry; throws a ConfigurationError. */
export function checkEmbeddingsKey(text: string): void {
  if (/^[\x21-\x7e]+$/.test(text)) return;
  throw new ConfigurationError(
    say`embeddings-key holds white space or other characters that no header can carry`,
    say`check HEMICYCLE_EMBEDDINGS_KEY, or \`hemicycle config set embeddings-key < FILE\``,
  );
}
