import ipaddr from 'ipaddr.js';
import { ConfigurationError } from '../errors.ts';
import { webAddress } from '../model/attribution.ts';
import { type Language, languageOfTag } from '../words/language.ts';
import { say } from '../words/speech.ts';
import type { SettingKey } from './setting-table.ts';

const units: Record<string, number> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** A size such as `500`, `64MB` or `2 GiB` in bytes (units of 1024), or null if it is none. */
export function byteSize(text: string): number | null {
  const found = /^(\d{1,12})\s*(?:([kmg]?)i?b?)$/i.exec(text.trim());
  if (!found) return null;
  const bytes = Number(found[1]) * units[(found[2] ?? '').toLowerCase()]!;
  return bytes > 0 ? bytes : null;
}

/** Refuses a token that no header can carry; throws a ConfigurationError. */
export function checkToken(text: string): void {
  if (/^[\x21-\x7e]+$/.test(text)) return;
  throw new ConfigurationError(
    say`the token holds white space or other characters that no header can carry`,
    say`it was not used; check HEMICYCLE_TOKEN, HEMICYCLE_TOKEN_FILE or \`hemicycle config set token < FILE\``,
  );
}

/** The language that a tag names; throws a ConfigurationError for one that is not spoken here. */
export function languageNamed(tag: string): Language {
  const language = languageOfTag(tag);
  if (language !== null) return language;
  throw new ConfigurationError(
    say`lang: "${tag}" is not a language that is spoken here`,
    say`write en or fr`,
  );
}

/** A size in bytes; throws a ConfigurationError for what is none. */
export function bytesOf(key: SettingKey, text: string | null): number {
  const bytes = byteSize(text ?? '');
  if (bytes !== null) return bytes;
  throw new ConfigurationError(say`${key}: "${text}" is not a size`, say`write 64MB or 2GB`);
}

/** The service's base address without a trailing slash; a bare host gets the interface's /api/v1. */
export function baseUrlOf(text: string): string {
  const url = new URL(statedAddress(text, 'HEMICYCLE_BASE_URL or --from'));
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? '/api/v1' : path}`;
}

/** A web address; throws a ConfigurationError that calls it `name` for what is none. */
export function statedAddress(text: string, name: string): string {
  const address = webAddress(text);
  if (address !== null) return address;
  throw new ConfigurationError(
    // What stands before an @ is a user and a password, and not to be shown.
    say`${name}: "${text.slice(text.lastIndexOf('@') + 1)}" is not a web address`,
    say`it should look like https://service.example/api/v1`,
  );
}

/** A header with the place of a token; throws a ConfigurationError for what is none. */
export function headerOf(text: string): string {
  if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+:\s*\S/.test(text) && text.includes('{token}') && !/[\r\n]/.test(text))
    return text;
  throw new ConfigurationError(
    say`HEMICYCLE_AUTH_HEADER is not a header with {token} in it`,
    say`for example "X-Api-Key: {token}"`,
  );
}

/** The budget that the service states: 60 requests a minute, 600 with a token. */
export function allowedRate(token: string | null): number {
  return token === null ? 60 : 600;
}

/** Requests a minute, as many as the service allows where nothing is stated; throws a ConfigurationError for what cannot be. */
export function rateOf(
  text: string | null,
  { baseUrl, token }: { baseUrl: string | null; token: string | null },
): number {
  const allowed = allowedRate(token);
  if (text === null) return allowed;
  const rate = Number(text);
  if (!Number.isInteger(rate) || rate < 1 || rate > 10_000_000) {
    throw new ConfigurationError(say`the rate "${text}" is not a whole number of requests a minute`);
  }
  if (rate > allowed && baseUrl !== null && !isOwnMachine(new URL(baseUrl).hostname)) {
    throw new ConfigurationError(
      say`${rate} requests a minute is more than the ${allowed} that the service allows`,
      say`a higher rate is only for a server of your own, on this machine or a private network`,
    );
  }
  return rate;
}

/** True for this machine, an address of a private network, and names that only such a network resolves. */
function isOwnMachine(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.isValid(address)) return /(^|\.)localhost$|\.(local|internal)$/.test(host);
  return ['loopback', 'private', 'uniqueLocal'].includes(ipaddr.process(address).range());
}
