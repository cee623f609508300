import ipaddr from 'ipaddr.js';
import { ConfigurationError } from '../errors.ts';
import { webAddress } from '../model/attribution.ts';
import { isRelative, parseDay } from '../model/moment.ts';
import { type Language, languageOfTag } from '../words/language.ts';
import { say } from '../words/speech.ts';

/** Accepts a secret of visible ASCII, as an HTTP header requires; throws a ConfigurationError for others. */
export function parseHeaderSecret(text: string, name: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new ConfigurationError(
    say`${name} contains characters that are not allowed in a header, such as spaces`,
    say`it was not used; check it where it is set, or \`hemicycle config set ${name} < FILE\``,
  );
}

/** Parses a language tag; throws a ConfigurationError for an unsupported language. */
export function parseLanguageSetting(tag: string): Language {
  const language = languageOfTag(tag);
  if (language !== null) return language;
  const hint = say`write en or fr`;
  throw new ConfigurationError(say`lang: "${tag}" is not a supported language`, hint);
}

/** Parses on, off or a synonym; throws a ConfigurationError for others. */
export function parseOnOff(text: string, name: string): boolean {
  if (/^(1|on|true|yes|enabled)$/i.test(text)) return true;
  if (/^(0|off|false|no|disabled)$/i.test(text)) return false;
  throw new ConfigurationError(say`${name}: "${text}" is neither on nor off`, say`write on or off`);
}

/** The service's base address without a trailing slash; a bare host gets the interface's /api/v1. */
export function parseServiceAddress(text: string, name: string): string {
  const url = new URL(parseWebAddress(text, name));
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? '/api/v1' : path}`;
}

/** Parses a past day, as people write it, to `YYYY-MM-DD`; throws a ConfigurationError for others. */
export function parsePastDay(text: string, name: string): string {
  const day = isRelative(text) ? null : parseDay(text, Date.now(), 'start');
  if (day !== null && Date.parse(day) <= Date.now()) return day;
  const hint = say`write 2026-04-30 or 30/04/2026`;
  throw new ConfigurationError(say`${name}: "${text}" is not a past date`, hint);
}

/** Parses names of variables, separated by commas or spaces; throws a ConfigurationError for others. */
export function parseVariableNames(text: string, name: string): string[] {
  const names = text.split(/[\s,]+/).filter((each) => each !== '');
  if (names.every((each) => /^[A-Za-z_]\w*$/.test(each))) return names;
  const hint = say`write only their names: DISPLAY,NEWSROOM_KEY`;
  throw new ConfigurationError(say`${name}: "${text}" is not a list of variables`, hint);
}

/** Accepts a web address without credentials; throws a ConfigurationError for others. */
export function parseWebAddress(text: string, name: string): string {
  const address = webAddress(text);
  if (address !== null) return address;
  throw new ConfigurationError(
    // Hide the user and the password, which precede the @.
    say`${name}: "${text.slice(text.lastIndexOf('@') + 1)}" is not a web address`,
    say`it should look like https://service.example/api/v1`,
  );
}

/** Accepts a header line that contains {token}; throws a ConfigurationError for others. */
export function parseHeaderTemplate(text: string, name: string): string {
  if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+:\s*\S/.test(text) && text.includes('{token}') && !/[\r\n]/.test(text)) return text;
  const hint = say`for example "X-Api-Key: {token}"`;
  throw new ConfigurationError(say`${name} is not a header that contains {token}`, hint);
}

/** Parses whole requests a minute, 1 to 10,000,000; throws a ConfigurationError for others. */
export function parseRate(text: string): number {
  const rate = Number(text);
  if (Number.isInteger(rate) && rate >= 1 && rate <= 10_000_000) return rate;
  throw new ConfigurationError(say`the rate "${text}" is not a whole number of requests a minute`);
}

/** The budget that the service grants: 60 requests a minute, 600 with a token. */
export const allowedRate = (token: string | null): number => (token === null ? 60 : 600);

/** Throws a ConfigurationError for a rate above the service's limit, except on a local or private network. */
export function refuseHighRate(rate: number, baseUrl: string | null, token: string | null): void {
  const maxRate = allowedRate(token);
  if (rate <= maxRate || baseUrl === null || isPrivateHost(new URL(baseUrl).hostname)) return;
  throw new ConfigurationError(
    say`${rate} requests per minute exceeds the limit of the service, ${maxRate}`,
    say`a higher rate is only allowed for your own server, on this machine or a private network`,
  );
}

/** True for this machine, private addresses, and names that only a private network resolves. */
function isPrivateHost(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.isValid(address)) return /(^|\.)localhost$|\.(local|internal)$/.test(host);
  return ['loopback', 'private', 'uniqueLocal'].includes(ipaddr.process(address).range());
}
